import { type Language, languages } from '@olmos/contract/fields'
import type { GameUnits } from '@olmos/contract/shop'
import { toUnitNames } from '@olmos/contract/unit-names'
import { toUnitTexts, type UnitWords, unitForms } from '@olmos/contract/units'
import type { TFunction } from 'i18next'
import { createTranslate } from '../../i18n/translate.ts'
import { gameAmountText } from '../../money/game-number.ts'
import type { BuiltInText } from './shop.queries.ts'

/** What a form has of the words for a currency; a language whose fields are all blank has none. */
export interface UnitValues extends Record<string, unknown> {
  name: string
  words: Record<Language, Record<string, string>>
}

/** A currency that has words: the owner's, the store's, or in some languages the one and in some the other. */
export interface KnownUnit {
  name: string
  words: UnitWords
  isOwn: boolean
}

/** The fields of a form: each form of each language. */
export const wordFields: readonly { field: string; language: Language; form: string; numbers: string }[] =
  languages.flatMap((language) =>
    unitForms[language].map((form) => ({
      field: `words.${language}.${form}`,
      language,
      form,
      numbers: numbersWith(language, form),
    })),
  )

/** The first numbers that a form stands after. */
function numbersWith(language: Language, form: string): string {
  const plurals = new Intl.PluralRules(language)
  const forms: readonly string[] = unitForms[language]
  const toForm = (number: number) => (forms.includes(plurals.select(number)) ? plurals.select(number) : 'other')
  const numbers = Array.from({ length: 30 }, (_, at) => at + 1)
  return numbers
    .filter((number) => toForm(number) === form)
    .slice(0, 3)
    .join(', ')
}

export const toUnitValues = (name: string, words: UnitWords): UnitValues => ({
  name,
  words: Object.fromEntries(
    languages.map((language) => {
      const known: Record<string, string> = words[language] ?? {}
      return [language, Object.fromEntries(unitForms[language].map((form) => [form, known[form] ?? '']))]
    }),
  ) as UnitValues['words'],
})

const isBlank = (word: string | undefined) => !word?.trim()

/** What is sent of the words: the languages that have any. The store refuses those that lack a form. */
export const toSentWords = ({ words }: UnitValues): UnitWords =>
  Object.fromEntries(Object.entries(words).filter(([, forms]) => !Object.values(forms).every(isBlank)))

/** Finds the forms that are missing: all those of a language that has one, and of the first language where none has any. */
export function findMissing({ name, words }: UnitValues): Record<string, string> {
  const begun = languages.filter((language) => !Object.values(words[language]).every(isBlank))
  const needed = begun.length > 0 ? begun : languages.slice(0, 1)
  const missing = wordFields.filter(({ language, form }) => needed.includes(language) && isBlank(words[language][form]))
  return Object.fromEntries(
    [...(isBlank(name) ? ['name'] : []), ...missing.map(({ field }) => field)].map((at) => [at, 'required']),
  )
}

/** Lists the currencies that have words, the owner's first. Where a language lacks the owner's, the store's stand. */
export function listUnits(own: GameUnits, builtIn: readonly BuiltInText[]): KnownUnit[] {
  const stores = new Map<string, Partial<Record<Language, Record<string, string>>>>()
  for (const { key, words } of builtIn) {
    const [, unit = '', form = ''] = /^units\.(.+)_([a-z]+)$/.exec(key) ?? []
    if (unit === '') continue
    const known = stores.get(unit) ?? {}
    for (const language of languages)
      if (words[language]) known[language] = { ...known[language], [form]: words[language] }
    stores.set(unit, known)
  }
  const owned = Object.entries(own).map(([name, words]) => {
    const key = toUnitNames(name)[0]
    const store = stores.get(key)
    stores.delete(key)
    return { name, words: { ...(store as UnitWords), ...words }, isOwn: true }
  })
  const others = [...stores].map(([unit, words]) => ({
    name: words.en?.one ?? unit,
    words: words as UnitWords,
    isOwn: false,
  }))
  const byName = (one: KnownUnit, other: KnownUnit) => one.name.localeCompare(other.name)
  return [...owned.sort(byName), ...others.sort(byName)]
}

/** Finds the currency among those that have words. */
export const findUnit = (units: readonly KnownUnit[], currency: string): KnownUnit | undefined =>
  toUnitNames(currency.trim())
    .map((wanted) => units.find(({ name }) => toUnitNames(name)[0] === wanted))
    .find((unit) => unit !== undefined)

const exampleNumbers = [1, 22, 5]

const toExample = (t: TFunction, currency: string) =>
  exampleNumbers.map((number) => gameAmountText(t, number, currency)).join(', ')

/** Writes amounts as a page in the language will: 1 алмаз, 22 алмаза, 5 алмазов. */
export const exampleText = (language: Language, name: string, words: UnitWords): string =>
  toExample(createTranslate(language, [toUnitTexts({ [name]: words })[language] ?? {}]), name)
