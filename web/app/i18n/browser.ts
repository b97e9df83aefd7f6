import type { Language } from '@olmos/contract/fields'
import { createInstance, type i18n } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { digitGrouping } from './digit-grouping.ts'
import { i18nOptions } from './options.ts'

/** A dictionary is fetched when its language is chosen, not before. */
const dictionaries: Record<Language, () => Promise<object>> = {
  ru: async () => (await import('./ru.ts')).ru,
  en: async () => (await import('./en.ts')).en,
  uz: async () => (await import('./uz.ts')).uz,
}

export async function browserI18n(language: Language): Promise<i18n> {
  const instance = createInstance()
  const resources = { [language]: { translation: (await dictionaries[language]()) as Record<string, string> } }
  await instance
    .use(initReactI18next)
    .use(digitGrouping)
    .init({ ...i18nOptions, lng: language, resources })
  return instance
}

/** Fetches the texts of a language; rejects when that fails. */
export async function loadTexts(instance: i18n, language: Language): Promise<void> {
  if (instance.hasResourceBundle(language, 'translation')) return
  instance.addResourceBundle(language, 'translation', await dictionaries[language]())
}

/** Shows the page in a language whose texts are here. */
export async function showIn(instance: i18n, language: Language): Promise<void> {
  // First, because calls ask in this language, and those of the page leave with the change.
  document.documentElement.lang = language
  await instance.changeLanguage(language)
}
