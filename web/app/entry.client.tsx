import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { browserI18n } from './i18n/browser.ts'
import { readLanguage } from './i18n/languages.ts'
import { I18nContext } from './i18n/use-translation.ts'
import { reloadWhereWanted } from './missing-files.ts'
import { NonceContext } from './theme/nonce.ts'

const i18n = await browserI18n(readLanguage(document.documentElement.lang)).catch((error: unknown) => {
  window.dispatchEvent(new CustomEvent('loadfailed', { detail: error }))
  throw error
})
// Styles that components add later have to carry what those of the page carry.
const nonce = document.querySelector<HTMLElement>('style[nonce], script[nonce]')?.nonce
// The scroll lock under dialogs makes a style of its own and looks for the nonce here.
Object.assign(window, { __webpack_nonce__: nonce })

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <I18nContext value={i18n}>
        <NonceContext value={nonce}>
          <HydratedRouter instrumentations={[reloadWhereWanted]} />
        </NonceContext>
      </I18nContext>
    </StrictMode>,
  )
})
