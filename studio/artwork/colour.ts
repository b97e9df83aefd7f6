/** Blends two #rrggbb colours; 0 is the first, 1 the second. */
export function mix(from: string, to: string, share: number): string {
  const a = channels(from)
  const b = channels(to)
  return `#${a.map((value, i) => hex(value + ((b[i] ?? 0) - value) * clamp(share))).join('')}`
}

/** Picks from evenly spaced stops, dark to light. */
export function shade(stops: readonly string[], light: number): string {
  const place = clamp(light) * (stops.length - 1)
  const index = Math.min(Math.floor(place), stops.length - 2)
  return mix(stops[index] ?? '#000000', stops[index + 1] ?? '#ffffff', place - index)
}

export function channels(colour: string): number[] {
  return [1, 3, 5].map((i) => Number.parseInt(colour.slice(i, i + 2), 16))
}

function hex(value: number): string {
  return Math.round(value).toString(16).padStart(2, '0')
}

function clamp(share: number): number {
  return Math.max(0, Math.min(1, share))
}
