import { createTheme, type MantineColorsTuple, virtualColor } from '@mantine/core'

/** What can be pressed next on ink; the seventh is `--olmos-accent` of the dark theme. */
const acid: MantineColorsTuple = [
  '#f9ffe0',
  '#f1ffba',
  '#ebff99',
  '#e6ff80',
  '#e1ff66',
  '#dcff52',
  '#d7ff3e',
  '#c3ea2c',
  '#9dbd20',
  '#6f8714',
]
/** What can be pressed next on paper; the eighth is `--olmos-accent` of the light theme. */
const ink: MantineColorsTuple = [
  '#eeeeea',
  '#d9dad6',
  '#b7b9b8',
  '#8e9196',
  '#63676e',
  '#3d4148',
  '#23262c',
  '#14161a',
  '#2b2f37',
  '#050608',
]
/** The ground, from text on dark to the deepest. */
const dark: MantineColorsTuple = [
  '#f4f5f2',
  '#cdd1d6',
  '#a3a9b2',
  '#7b8390',
  '#3a414c',
  '#2f353f',
  '#20242b',
  '#15181d',
  '#0a0b0e',
  '#050608',
]
/** For what takes something away; white reads on it. */
const red: MantineColorsTuple = [
  '#ffecee',
  '#ffd5d8',
  '#ffb0b6',
  '#ff8d96',
  '#f2606c',
  '#dd3f4c',
  '#c92a38',
  '#b4232f',
  '#971c27',
  '#7a1620',
]

/** What Mantine's parts are made of; the shop's own tokens, and what differs between the themes, stand in theme.css. */
export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 6 },
  colors: { acid, ink, accent: virtualColor({ name: 'accent', dark: 'acid', light: 'ink' }), dark, red },
  autoContrast: true,
  fontFamily: "'Onest Variable', system-ui, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'JetBrains Mono', 'Cascadia Code', Menlo, Consolas, monospace",
  fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '1rem', lg: '1.25rem', xl: '1.75rem' },
  headings: {
    fontWeight: '800',
    sizes: {
      // A long word stays whole on a narrow screen with large letters.
      h1: { fontSize: 'min(clamp(1.75rem, 1.3rem + 2.2vw, 2.75rem), 13vw)', lineHeight: '1.08' },
      h2: { fontSize: 'clamp(1.25rem, 1.1rem + 0.8vw, 1.75rem)', lineHeight: '1.15' },
      h3: { fontSize: '1.25rem', lineHeight: '1.25' },
      h4: { fontSize: '1rem', fontWeight: '600', lineHeight: '1.4' },
    },
  },
  components: {
    Anchor: { defaultProps: { underline: 'always' } },
  },
  defaultRadius: 'md',
  radius: { xs: '2px', sm: '3px', md: '4px', lg: '4px', xl: '4px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
})
