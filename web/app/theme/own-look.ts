import { mix } from '@olmos/contract/color'
import { type ColorScheme, colorSchemes, makeTheme, type OwnColors } from '@olmos/contract/look'
import { toSmallPicture } from '@olmos/contract/picture-address'

interface OwnLook extends OwnColors {
  /** The address of an uploaded icon. */
  icon: string | null
}

/** The variables of theme.css, and of Mantine's parts, that follow an owner's colours of a theme. */
function ownVariables(scheme: ColorScheme, own: OwnColors): Record<string, string> {
  const { accent, onAccent, accentHover, ground, surface, raised, line, text } = makeTheme(scheme, own)
  return {
    ...(own[`accent_${scheme}`] !== null && {
      '--olmos-accent': accent,
      '--olmos-on-accent': onAccent,
      '--mantine-color-accent-filled': accent,
      '--mantine-color-accent-filled-hover': accentHover,
      '--mantine-color-accent-light': mix(surface, accent, 0.16),
      '--mantine-color-accent-light-hover': mix(surface, accent, 0.24),
      // Words are never in the accent, which need not be read on the ground.
      '--mantine-color-accent-light-color': text,
      '--mantine-color-accent-outline': text,
      '--mantine-color-accent-outline-hover': raised,
      '--mantine-color-accent-text': text,
    }),
    ...(own[`ground_${scheme}`] !== null && {
      '--mantine-color-body': ground,
      '--olmos-surface': surface,
      '--olmos-surface-raised': raised,
      '--olmos-line': line,
      ...(scheme === 'dark' && {
        '--mantine-color-dark-4': line,
        '--mantine-color-dark-5': line,
        '--mantine-color-dark-6': raised,
        '--mantine-color-dark-7': surface,
        '--mantine-color-dark-8': ground,
      }),
    }),
  }
}

/** The styles of an owner's colours: more specific than theme.css, wherever that comes to stand, and not for paper. */
function ownStyles(own: OwnColors): string {
  const blocks = colorSchemes.flatMap((scheme) => {
    const lines = Object.entries(ownVariables(scheme, own)).map(([name, value]) => `${name}:${value}`)
    return lines.length > 0 ? [`html:root:root[data-mantine-color-scheme="${scheme}"]{${lines.join(';')}}`] : []
  })
  return blocks.length > 0 ? `@media screen{${blocks.join('')}}` : ''
}

interface Page {
  colorScheme: ColorScheme
  nonce: string
}

/**
 * Puts the look of the shop into the head of a page: its icons, the colour of the browser's own parts, and the owner's
 * colours if there are any. The browser renders none of it once more, so that no script has to know of it.
 */
export function withLook(html: string, own: OwnLook, { colorScheme, nonce }: Page): string {
  const icon = own.icon && toSmallPicture(own.icon)
  const styles = ownStyles(own)
  const look = [
    icon
      ? `<link rel="icon" href="${icon}" type="image/png"/><link rel="apple-touch-icon" href="${icon}"/>`
      : '<link rel="icon" href="/favicon.svg" type="image/svg+xml"/><link rel="apple-touch-icon" href="/icon-whole-180.png"/>',
    `<meta name="theme-color" content="${makeTheme(colorScheme, own).ground}"/>`,
    styles && `<style nonce="${nonce}">${styles}</style>`,
  ]
  return html.replace('</head>', () => `${look.join('')}</head>`)
}
