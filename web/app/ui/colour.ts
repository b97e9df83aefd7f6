const channels = (hex: string): number[] => {
  const digits = /^#([0-9a-f]{6})$/i.exec(hex)?.[1] ?? '000000'
  return [0, 2, 4].map((start) => Number.parseInt(digits.slice(start, start + 2), 16))
}

const shadeFactor = 0.7

/** A darker shade of a colour like `#a1b2c3`. */
export const darker = (hex: string): string =>
  `#${channels(hex)
    .map((channel) =>
      Math.round(channel * shadeFactor)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`

/** Relative luminance by WCAG 2. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = channels(hex).map((channel) => {
    const part = channel / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Where black text has the same contrast as white. */
const middleLuminance = 0.179

/** Black or white, whichever reads better on the colour and its darker shade. */
export const readableOn = (hex: string): 'black' | 'white' =>
  (luminance(hex) + luminance(darker(hex))) / 2 > middleLuminance ? 'black' : 'white'
