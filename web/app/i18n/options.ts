import type { InitOptions } from 'i18next'
import { defaultLanguage } from './languages.ts'

/** The same on both sides. React escapes what it shows, so texts are not escaped twice. */
export const i18nOptions: InitOptions = {
  fallbackLng: defaultLanguage,
  interpolation: { escapeValue: false },
  react: { useSuspense: false },
}
