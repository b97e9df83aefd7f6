import type { Language } from '@olmos/contract/fields'
import { createI18n, type I18n } from './i18n.ts'
import type { Texts } from './translate.ts'

/** A dictionary is fetched when its language is chosen, not before. */
const dictionaries: Record<Language, () => Promise<Texts>> = {
  ru: async () => (await import('./ru.ts')).ru,
  en: async () => (await import('./en.ts')).en,
  uz: async () => (await import('./uz.ts')).uz,
}

export const browserI18n = async (language: Language): Promise<I18n> =>
  createI18n(language, await dictionaries[language]())

/** Fetches the texts of a language; rejects when that fails. */
export async function loadTexts(i18n: I18n, language: Language): Promise<void> {
  i18n.add(language, await dictionaries[language]())
}

/** Shows the page in a language whose texts are here. */
export function showIn(i18n: I18n, language: Language): void {
  // First, because calls ask in this language, and those of the page leave with the change.
  document.documentElement.lang = language
  i18n.show(language)
}
