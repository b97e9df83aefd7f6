import { luminance, mix } from './color.ts'

/** The contrast of two colours by WCAG 2: 1 for equal ones, 21 for black and white. */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

export const colorSchemes = ['dark', 'light'] as const
export type ColorScheme = (typeof colorSchemes)[number]

/** The owner's colours of both themes, as #rrggbb; null for the store's own. */
export const ownColorNames = ['accent_dark', 'ground_dark', 'accent_light', 'ground_light'] as const
export type OwnColorName = (typeof ownColorNames)[number]
export type OwnColors = Readonly<Record<OwnColorName, string | null>>

/** What a theme is made of: what can be pressed next, what stands on that, the three grounds, and what is read on them. */
export interface Theme {
  accent: string
  onAccent: string
  /** A button that is pointed at. */
  accentHover: string
  ground: string
  surface: string
  raised: string
  line: string
  text: string
  dimmed: string
  control: string
}

interface FirstTheme extends Theme {
  /** All colours of words, which an owner does not choose. */
  words: readonly string[]
}

/** The store's own, as web/app/theme/theme.css has them. */
export const firstThemes: Readonly<Record<ColorScheme, FirstTheme>> = {
  dark: {
    accent: '#d7ff3e',
    onAccent: '#0a0b0e',
    accentHover: '#c3ea2c',
    ground: '#0a0b0e',
    surface: '#15181d',
    raised: '#20242b',
    line: '#343b46',
    text: '#f4f5f2',
    dimmed: '#a3a9b2',
    control: '#7b8390',
    words: ['#f4f5f2', '#a3a9b2', '#4fd18b', '#f0b64a', '#ff8d96'],
  },
  light: {
    accent: '#14161a',
    onAccent: '#d7ff3e',
    accentHover: '#2b2f37',
    ground: '#f3f3ed',
    surface: '#ffffff',
    raised: '#e6e6de',
    line: '#cfcfc5',
    text: '#14161a',
    dimmed: '#54585f',
    control: '#74777d',
    words: ['#14161a', '#54585f', '#0a6a3c', '#7d5000', '#b4232f'],
  },
}

/** How far the other grounds and the line stand from the ground that an owner chose: towards the text, or light. */
const steps = {
  dark: { surface: 0.05, raised: 0.1, line: 0.19 },
  light: { surface: 0.75, raised: 0.06, line: 0.16 },
}

/** WCAG 2.2, AA: for words, and for what is no word but has to be seen. */
const least = { words: 4.5, parts: 3 }

/** What is written on an accent: the store's ink or white, and black where neither of them is read. */
function readableInk(accent: string): string {
  const [ink, white] = ['#0a0b0e', '#ffffff']
  const better = contrast(ink, accent) > contrast(white, accent) ? ink : white
  return contrast(better, accent) < least.words ? '#000000' : better
}

/** Makes a theme with the owner's colours. Surfaces and lines follow the ground, and what is written on the accent follows that. */
export function makeTheme(scheme: ColorScheme, own: OwnColors): Theme {
  const { words: _, ...theme } = firstThemes[scheme]
  const [accent, ground] = [own[`accent_${scheme}`], own[`ground_${scheme}`]]
  if (accent !== null) {
    const onAccent = readableInk(accent)
    const accentHover = mix(accent, onAccent === '#ffffff' ? '#000000' : '#ffffff', 0.12)
    Object.assign(theme, { accent, onAccent, accentHover })
  }
  if (ground !== null) {
    const { surface, raised, line } = steps[scheme]
    Object.assign(theme, {
      ground,
      surface: mix(ground, scheme === 'dark' ? theme.text : '#ffffff', surface),
      raised: mix(ground, theme.text, raised),
      line: mix(ground, theme.text, line),
    })
  }
  return theme
}

/** Two colours that an owner's choice brings together. */
export const colorPairs = ['text_on_accent', 'accent_on_ground', 'text_on_ground', 'edge_on_ground'] as const

export interface ColorContrast {
  /** The owner's colour that decides it. */
  field: OwnColorName
  pair: (typeof colorPairs)[number]
  /** Rounded down to two decimals, so that what is too little never looks like enough. */
  ratio: number
  /** What WCAG 2.2 asks for at level AA. */
  least: number
}

/**
 * Measures what an owner's colours of a theme come to, the least readable of each pair. Pairs that are all the store's own
 * are left out.
 */
export function measureColors(scheme: ColorScheme, own: OwnColors): ColorContrast[] {
  const theme = makeTheme(scheme, own)
  const grounds = [theme.ground, theme.surface, theme.raised]
  const [accentField, groundField] = [`accent_${scheme}`, `ground_${scheme}`] as const
  const [isOwnAccent, isOwnGround] = [own[accentField] !== null, own[groundField] !== null]
  const measure = (
    field: OwnColorName,
    pair: ColorContrast['pair'],
    colors: readonly string[],
    on: readonly string[],
  ) => {
    const ratio = Math.min(...colors.flatMap((color) => on.map((ground) => contrast(color, ground))))
    return {
      field,
      pair,
      ratio: Math.floor(ratio * 100) / 100,
      least: pair.startsWith('text') ? least.words : least.parts,
    }
  }
  return [
    ...(isOwnAccent
      ? [measure(accentField, 'text_on_accent', [theme.onAccent], [theme.accent, theme.accentHover])]
      : []),
    ...(isOwnAccent || isOwnGround
      ? [measure(isOwnAccent ? accentField : groundField, 'accent_on_ground', [theme.accent], grounds)]
      : []),
    ...(isOwnGround
      ? [
          measure(groundField, 'text_on_ground', firstThemes[scheme].words, grounds),
          measure(groundField, 'edge_on_ground', [theme.control], grounds),
        ]
      : []),
  ]
}

/** Finds what can't be read, or not be seen, with an owner's colours in either theme. */
export const findUnreadable = (own: OwnColors): ColorContrast[] =>
  colorSchemes.flatMap((scheme) => measureColors(scheme, own)).filter(({ ratio, least }) => ratio < least)
