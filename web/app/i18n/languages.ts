import type { Language } from '@olmos/contract/fields'

/** In the order of the picker. The contract's own list would bring its schemas into the first page. */
export const shownLanguages = ['ru', 'en', 'uz'] as const satisfies readonly Language[]

export const defaultLanguage: Language = 'ru'

/** The name of each language in that language. */
export const languageNames: Record<Language, string> = { ru: 'Русский', en: 'English', uz: 'Oʻzbekcha' }

export const readLanguage = (text: string | null | undefined): Language =>
  shownLanguages.find((language) => language === text) ?? defaultLanguage
