import { outline, type Point } from './geometry.ts'

export interface Pane {
  colour: string
  corners: Point[]
}

/** The mark of the shop in a box of 24 by 24: a diamond from the side, lit from the left, in the shades of the accent. */
export const markPanes: Pane[] = [
  pane('#f1ffba', [6.6, 3.5], [12, 3.5], [8.3, 9.2]),
  pane('#d7ff3e', [6.6, 3.5], [8.3, 9.2], [1.5, 9.2]),
  pane('#fbffe8', [12, 3.5], [15.7, 9.2], [8.3, 9.2]),
  pane('#d7ff3e', [12, 3.5], [17.4, 3.5], [15.7, 9.2]),
  pane('#a9cf1e', [17.4, 3.5], [22.5, 9.2], [15.7, 9.2]),
  pane('#b7de2a', [1.5, 9.2], [8.3, 9.2], [12, 21.5]),
  pane('#8fb318', [8.3, 9.2], [15.7, 9.2], [12, 21.5]),
  pane('#5f7a10', [15.7, 9.2], [22.5, 9.2], [12, 21.5]),
]

/** The tile behind the mark, for places that give an icon no ground of its own. */
export const markGround = '#0a0b0e'

export function drawMark(): string {
  return markPanes
    .map(
      ({ colour, corners }) =>
        `<path fill="${colour}" stroke="${colour}" stroke-width=".12" stroke-linejoin="round" d="${outline(corners)}"/>`,
    )
    .join('')
}

export function drawFavicon(): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${drawMark()}</svg>\n`
}

function pane(colour: string, ...corners: [number, number][]): Pane {
  return { colour, corners: corners.map(([x, y]) => ({ x, y })) }
}

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
