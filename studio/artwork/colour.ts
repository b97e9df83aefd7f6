/** Blends two #rrggbb colours; 0 is the first, 1 the second. */
export function mix(from: string, to: string, share: number): string {
  const other = channels(to)
  const blended = channels(from).map((value, i) => Math.round(value + ((other[i] ?? 0) - value) * share))
  return `#${blended.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

export function channels(colour: string): number[] {
  return [1, 3, 5].map((i) => Number.parseInt(colour.slice(i, i + 2), 16))
}

/** How bright a #rrggbb colour is, from 0 to 1. */
export function brightness(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => (value / 255) ** 2.2)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
