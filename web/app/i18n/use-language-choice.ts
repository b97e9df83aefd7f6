import type { Language } from '@olmos/contract/fields'
import { useNavigate, useRevalidator } from 'react-router'
import { lastingStorage } from '../ui/browser-storage.ts'
import { keepCookie } from '../ui/keep-cookie.ts'
import { toastError } from '../ui/toast.ts'
import { loadTexts, showIn } from './browser.ts'
import { useI18n, useTranslation } from './use-translation.ts'

export const languageKey = 'language'

/** Shows the shop in another language, now and with the next visit. */
export function useLanguageChoice(): (language: Language) => Promise<void> {
  const i18n = useI18n()
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  return async (language) => {
    try {
      await loadTexts(i18n, language)
    } catch {
      return toastError(t('header.languageFailed'))
    }
    // Only once its texts are loaded: the next page could not load them either.
    lastingStorage.setItem(languageKey, language)
    keepCookie(languageKey, language)
    showIn(i18n, language)
    const params = new URLSearchParams(window.location.search)
    if (params.has('lang')) {
      // The address would otherwise still name the old language.
      params.delete('lang')
      await navigate({ search: params.toString() }, { replace: true, preventScrollReset: true })
    }
    // The texts of products come from the server, in its language.
    await revalidate()
  }
}
