import { luminance, mix } from '@olmos/contract/color'

const shadeFactor = 0.7

/** A darker shade of a colour like `#a1b2c3`. */
export const darker = (hex: string): string => mix('#000000', hex, shadeFactor)

/** Where black text has the same contrast as white. */
const middleLuminance = 0.179

/** What is written large on a colour that is flat. */
export const inkOn = (hex: string): string => (luminance(hex) > middleLuminance ? '#0a0b0e' : '#ffffff')

/** Black or white, whichever reads better on the colour and its darker shade. */
export const readableOn = (hex: string): 'black' | 'white' =>
  (luminance(hex) + luminance(darker(hex))) / 2 > middleLuminance ? 'black' : 'white'
