import type { FormatterModule } from 'i18next'

/** Formats a number with its thousands set apart by a space that does not break, the same in every language: `2 000`. */
export const gameNumber = (amount: number): string => amount.toLocaleString('en-US').replaceAll(',', '\u00A0')

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
