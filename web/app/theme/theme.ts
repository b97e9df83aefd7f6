import { createTheme, type MantineColorsTuple } from '@mantine/core'

/** From cyan to violet; what can be pressed next. */
const diamond: MantineColorsTuple = [
  '#e6f8ff',
  '#c5ecfd',
  '#93dcfb',
  '#5cc8f6',
  '#2fb4ef',
  '#149fe0',
  '#0a7ab8',
  '#0a6ba4',
  '#0b5784',
  '#0c4768',
]
/** The ground, from text on dark to the deepest. */
const dark: MantineColorsTuple = [
  '#d9e0ec',
  '#b3bdcf',
  '#8f9cb3',
  '#66738c',
  '#35415a',
  '#263047',
  '#182032',
  '#111827',
  '#0b101b',
  '#070a12',
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

export const theme = createTheme({
  primaryColor: 'diamond',
  primaryShade: { light: 7, dark: 6 },
  colors: { diamond, dark, red },
  autoContrast: true,
  fontFamily: "'Onest Variable', system-ui, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'JetBrains Mono', 'Cascadia Code', Menlo, Consolas, monospace",
  headings: { fontWeight: '700', sizes: { h1: { fontSize: '1.9rem' }, h2: { fontSize: '1.4rem' } } },
  defaultRadius: 'md',
  radius: { md: '12px', lg: '16px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
})
