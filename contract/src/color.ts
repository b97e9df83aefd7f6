const channels = (hex: string): number[] => {
  const digits = /^#([0-9a-f]{6})$/i.exec(hex)?.[1] ?? '000000'
  return [0, 2, 4].map((start) => Number.parseInt(digits.slice(start, start + 2), 16))
}

const toHex = (parts: readonly number[]): string =>
  `#${parts.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

/** Blends two colours; 0 is the first, 1 the second. */
export function mix(from: string, to: string, share: number): string {
  const other = channels(to)
  return toHex(channels(from).map((channel, at) => channel + ((other[at] ?? 0) - channel) * share))
}

/** The relative luminance of a colour like `#a1b2c3` by WCAG 2: 0 is black, 1 is white. */
export function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = channels(hex).map((channel) => {
    const part = channel / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
