import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { useNonce } from './nonce.ts'
import { theme } from './theme.ts'

/** The page has its theme already: whoever chose it wrote it there. */
const shownScheme = {
  get: () =>
    (typeof document === 'undefined' || document.documentElement.dataset.mantineColorScheme !== 'light'
      ? 'dark'
      : 'light') as 'dark' | 'light',
  set: () => {},
  clear: () => {},
  subscribe: () => {},
  unsubscribe: () => {},
}

/**
 * Stands around whatever is made of Mantine's parts, which the first pages do without. The variables of their styles are in
 * variables.css.
 */
export function MantineParts({ children }: { children: ReactNode }) {
  const nonce = useNonce()
  return (
    <MantineProvider
      theme={theme}
      colorSchemeManager={shownScheme}
      withCssVariables={false}
      getStyleNonce={() => nonce ?? ''}
    >
      {children}
    </MantineProvider>
  )
}
