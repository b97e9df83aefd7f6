import { createContext, useContext, useSyncExternalStore } from 'react'
import type { I18n } from './i18n.ts'

/** Given by the entries, around the whole page. */
export const I18nContext = createContext<I18n | undefined>(undefined)

export function useI18n(): I18n {
  const i18n = useContext(I18nContext)
  if (!i18n) throw new Error('a page is rendered inside of an I18nContext')
  return i18n
}

/** The `t` of the language the page is shown in, and that language. */
export function useTranslation() {
  const { current, subscribe } = useI18n()
  return useSyncExternalStore(subscribe, current, current)
}
