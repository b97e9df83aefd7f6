import { type Language, languages } from '@olmos/contract/fields'
import type { OwnTexts } from '@olmos/contract/shop'
import type { BuiltInText, Words } from './shop.queries.ts'

/** The marks in a text that are filled in or stand around a link: `{{count}}`, `<profile>`. */
const listMarks = (text: string): string[] => text.match(/\{\{\w*\}\}|<\/?\w+>/g) ?? []

const isLink = (mark: string) => mark.startsWith('<')

/**
 * Finds the languages whose own words have a mark that the store's text does not have, or lack one of its links: language
 * -> key of the error. A number may be left out.
 */
export function findWrongMarks(builtIn: Words, own: Words): Record<string, string> {
  const wrong = languages.filter((language) => {
    if (own[language].trim() === '') return false
    const [known, used] = [listMarks(builtIn[language]), listMarks(own[language])]
    return used.some((mark) => !known.includes(mark)) || known.some((mark) => isLink(mark) && !used.includes(mark))
  })
  return Object.fromEntries(wrong.map((language) => [language, 'wrong_marks']))
}

/** The own words of a text; blank where there are none. */
export const toOwnWords = (texts: OwnTexts, key: string): Words => ({
  ru: texts.ru?.[key] ?? '',
  en: texts.en?.[key] ?? '',
  uz: texts.uz?.[key] ?? '',
})

/** Finds texts by what is seen of them in any language, own words first; without a search, those in own words. */
export function findTexts(all: readonly BuiltInText[], texts: OwnTexts, search: string): BuiltInText[] {
  const wanted = search.trim().toLowerCase()
  const has = (words: Words) => languages.some((language: Language) => words[language].toLowerCase().includes(wanted))
  return all.filter(({ key, words }) => {
    // They have a list of their own.
    if (key.startsWith('units.')) return false
    const own = toOwnWords(texts, key)
    if (wanted === '') return languages.some((language) => own[language] !== '')
    return key.toLowerCase() === wanted || has(own) || has(words)
  })
}
