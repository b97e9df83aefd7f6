import type { Language } from '@olmos/contract/fields'
import { createI18n, type I18n } from './i18n.ts'
import { readLanguage } from './languages.ts'
import { noWords, type OwnWords, ownWordsBlock, type Texts } from './translate.ts'

// A dictionary is fetched when its language is chosen, not before, and in two parts: see split-texts.ts.
const firstTexts = import.meta.glob<Texts>(['./ru.ts', './en.ts', './uz.ts'], { query: '?first', import: 'default' })
const restOfTexts = import.meta.glob<Texts>(['./ru.ts', './en.ts', './uz.ts'], { query: '?rest', import: 'default' })

/** The parts that a page has needed so far, and what shows it once it is hydrated. */
const needed = new Set([firstTexts])
const pages: I18n[] = []

/** Starts a page in a language, with all texts that were needed by then. */
export async function browserI18n(language: Language): Promise<I18n> {
  const i18n = createI18n(language, { own: readOwnWords() })
  await loadTexts(i18n, language)
  pages.push(i18n)
  return i18n
}

/** Reads what the page brought of the owner's words, which it was rendered with. */
function readOwnWords(): OwnWords {
  const block = document.getElementById(ownWordsBlock)?.textContent
  return block ? (JSON.parse(block) as OwnWords) : noWords
}

/** Fetches the texts of a language; rejects when that fails. */
export async function loadTexts(i18n: I18n, language: Language): Promise<void> {
  const parts = [...needed].map((part) => part[`./${language}.ts`]?.())
  for (const texts of await Promise.all(parts)) if (texts) i18n.add(language, texts)
}

/** Fetches what the first pages do without, in the language of the document; rejects when that fails. */
export async function loadRest(): Promise<void> {
  needed.add(restOfTexts)
  if (pages.length === 0) await restOfTexts[`./${readLanguage(document.documentElement.lang)}.ts`]?.()
  for (const i18n of pages) await loadTexts(i18n, i18n.current().language)
}

/** Shows the page in a language whose texts are here. */
export function showIn(i18n: I18n, language: Language): void {
  // First, because calls ask in this language, and those of the page leave with the change.
  document.documentElement.lang = language
  i18n.show(language)
}
