import type { Language } from '@olmos/contract/fields'
import type { TFunction } from 'i18next'
import { groupDigits } from './digit-grouping.ts'

/** A dictionary: groups of texts by name, however deep. */
export interface Texts {
  readonly [name: string]: string | Texts
}

type Values = Readonly<Record<string, unknown>>

/** What the owner says for all texts: the name of the shop, and own words for some of them, by language and key. */
export interface OwnWords {
  name: string
  texts: Readonly<Partial<Record<Language, Readonly<Record<string, string>>>>>
}

/** The id of the data block in which a page brings them. */
export const ownWordsBlock = 'own-words'

export const noWords: OwnWords = { name: 'Olmos', texts: {} }

/**
 * Makes the `t` of a language. A later part of the texts adds to those before it. `count` chooses the plural form, `{{name}}`
 * is filled in with its digits grouped, `@{name}` is the name of the shop, and a key without a text becomes its `defaultValue`,
 * or itself. The owner's own words stand before all texts.
 */
export function createTranslate(language: Language, texts: readonly Texts[], own: OwnWords = noWords): TFunction {
  const parts = [own.texts[language] ?? {}, ...texts]
  const plurals = new Intl.PluralRules(language)
  const find = (key: string): string | undefined => {
    for (const part of parts) {
      const text = findText(part, key)
      if (text !== undefined) return text
    }
    return undefined
  }
  const translate = (key: string, values: Values = {}): string => {
    const { count, defaultValue } = values
    const forms = typeof count === 'number' ? [plurals.select(count), ...lastForms].map((form) => `${key}_${form}`) : []
    const text = [...forms, key].reduce<string | undefined>((found, name) => found ?? find(name), undefined)
    return fillIn(text ?? (typeof defaultValue === 'string' ? defaultValue : key), values, own.name)
  }
  // The type is that of i18next, which knows the keys: docs/decisions/040.
  return translate as unknown as TFunction
}

/** Uzbek has one form for all numbers; Russian says fractions as it says two. */
const lastForms = ['other', 'few']

/** Finds the text of a key; a name may have dots in it: `supplier.out` in the group `admin.alerts.kind`. */
function findText(texts: Texts, key: string): string | undefined {
  const whole = Object.hasOwn(texts, key) ? texts[key] : undefined
  if (typeof whole === 'string') return whole
  for (let dot = key.indexOf('.'); dot > 0; dot = key.indexOf('.', dot + 1)) {
    const name = key.slice(0, dot)
    const group = Object.hasOwn(texts, name) ? texts[name] : undefined
    const text = typeof group === 'object' ? findText(group, key.slice(dot + 1)) : undefined
    if (text !== undefined) return text
  }
  return undefined
}

const fillIn = (text: string, values: Values, shop: string): string =>
  text.replace(/\{\{(\w+)\}\}|@\{name\}/g, (_, name?: string) =>
    name === undefined ? shop : String(groupDigits(name, values[name]) ?? ''),
  )
