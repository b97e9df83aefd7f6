import type { FormatterModule, InitOptions } from 'i18next'
import { gameNumber } from '../money/game-number.ts'
import { defaultLanguage } from './languages.ts'

/** Numbers that name something, and count nothing. */
const names = new Set(['id', 'batch', 'order', 'number'])

/** Groups the digits of every whole number that is filled into a text, unless it names something. */
export const digitGrouping: FormatterModule = {
  type: 'formatter',
  init: () => {},
  add: () => {},
  addCached: () => {},
  format: (value, _format, _language, options) =>
    Number.isInteger(value) && !names.has(options?.interpolationkey) ? gameNumber(value) : value,
}

/** Options that browser and server share. React escapes what it renders, so i18next must not. */
export const i18nOptions: InitOptions = {
  fallbackLng: defaultLanguage,
  interpolation: { escapeValue: false, alwaysFormat: true },
  react: { useSuspense: false },
}
