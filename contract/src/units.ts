import type { Language } from './fields.ts'
import { toUnitNames } from './unit-names.ts'

/** The forms in which each language has a word after a number: 1 алмаз, 2 алмаза, 5 алмазов. Fractions are said in one of them. */
export const unitForms = {
  ru: ['one', 'few', 'many'],
  en: ['one', 'other'],
  uz: ['other'],
} as const satisfies Record<Language, readonly Intl.LDMLPluralRule[]>

/** What a game's currency is called, by language and form; a language that is left out has no words for it. */
export type UnitWords = { [L in Language]?: Record<(typeof unitForms)[L][number], string> | undefined }

/** Writes the words of units, by their names, as texts of the pages: language -> `units.echo_few` -> эха. */
export function toUnitTexts(
  units: Readonly<Record<string, UnitWords>>,
): Partial<Record<Language, Record<string, string>>> {
  const texts: Partial<Record<Language, Record<string, string>>> = {}
  for (const [unit, words] of Object.entries(units)) {
    const [name] = toUnitNames(unit)
    for (const [language, forms] of Object.entries(words) as [Language, Record<string, string> | undefined][]) {
      const own = texts[language] ?? {}
      for (const [form, word] of Object.entries(forms ?? {})) own[`units.${name}_${form}`] = word
      texts[language] = own
    }
  }
  return texts
}
