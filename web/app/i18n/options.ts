import type { InitOptions } from 'i18next'
import { defaultLanguage } from './languages.ts'

/** Options that browser and server share. React escapes what it renders, so i18next must not; digit-grouping.ts formats numbers. */
export const i18nOptions: InitOptions = {
  fallbackLng: defaultLanguage,
  interpolation: { escapeValue: false, alwaysFormat: true },
  react: { useSuspense: false },
}
