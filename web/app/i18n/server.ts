import type { Language } from '@olmos/contract/fields'
import { createInstance, type i18n } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { digitGrouping } from './digit-grouping.ts'
import { en } from './en.ts'
import { i18nOptions } from './options.ts'
import { ru } from './ru.ts'
import { uz } from './uz.ts'

const resources = { ru: { translation: ru }, en: { translation: en }, uz: { translation: uz } }
const instances = new Map<Language, Promise<i18n>>()

async function create(language: Language): Promise<i18n> {
  const instance = createInstance()
  await instance
    .use(initReactI18next)
    .use(digitGrouping)
    .init({ ...i18nOptions, lng: language, resources })
  return instance
}

/** One per language, made once: a request changes nothing in it. */
export function serverI18n(language: Language): Promise<i18n> {
  const known = instances.get(language)
  if (known) return known
  const made = create(language)
  instances.set(language, made)
  return made
}
