/** The name as strokes of one width, so that it needs no font. Box of about 440 by 110, the baseline at 100. */
const STROKES = [
  'M36 36a32 32 0 1 1 0 64a32 32 0 0 1 0-64z',
  'M104 2v98',
  'M140 100V62a24 24 0 0 1 48 0v38M188 62a24 24 0 0 1 48 0v38',
  'M302 36a32 32 0 1 1 0 64a32 32 0 0 1 0-64z',
  'M410 49c-5-9-13-13-23-13c-13 0-22 6-22 16c0 22 47 10 47 31c0 11-10 17-24 17c-11 0-21-5-26-15',
]

export function drawWordmark(colour: string): string {
  return `<path fill="none" stroke="${colour}" stroke-width="15" stroke-linecap="round" stroke-linejoin="round" d="${STROKES.join('')}"/>`
}
