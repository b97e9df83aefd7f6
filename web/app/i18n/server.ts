import type { Language } from '@olmos/contract/fields'
import { en } from './en.ts'
import { createI18n, type I18n } from './i18n.ts'
import { ru } from './ru.ts'
import { uz } from './uz.ts'

/** One per language, made once: a request changes nothing in it. */
const instances: Record<Language, I18n> = {
  ru: createI18n('ru', ru),
  en: createI18n('en', en),
  uz: createI18n('uz', uz),
}

export const serverI18n = (language: Language): I18n => instances[language]
