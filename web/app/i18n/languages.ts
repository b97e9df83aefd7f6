export const languages = ['ru', 'en', 'uz'] as const
export type Language = (typeof languages)[number]

export const defaultLanguage: Language = 'ru'

/** Each in its own words. */
export const languageNames: Record<Language, string> = { ru: 'Русский', en: 'English', uz: 'Oʻzbekcha' }

export const readLanguage = (text: string | null | undefined): Language =>
  languages.find((language) => language === text) ?? defaultLanguage
