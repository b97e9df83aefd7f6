import type { Page } from 'playwright'
import { en } from '../../../web/app/i18n/en.ts'
import { languageNames } from '../../../web/app/i18n/languages.ts'
import { ru } from '../../../web/app/i18n/ru.ts'
import { uz } from '../../../web/app/i18n/uz.ts'
import type { View } from './screen.ts'

type Language = View['language']

const roles = [
  ...['button', 'link', 'textbox', 'searchbox', 'combobox', 'checkbox', 'radio', 'radiogroup', 'switch', 'tab'],
  ...['menuitem', 'menu', 'dialog', 'navigation', 'spinbutton', 'slider'],
]
const named = new RegExp(`^\\s*- '?(${roles.join('|')})\\b(?: "((?:[^"\\\\]|\\\\.)*)")?`)

/** Every text of a dictionary that is shown as it stands. */
const wholeTexts = (dictionary: object): string[] =>
  Object.values(dictionary).flatMap((text) =>
    typeof text === 'string' ? (text.includes('{{') ? [] : [plain(text)]) : wholeTexts(text),
  )
const plain = (text: string) => text.replace(/\s+/g, ' ').trim()

const dictionaries: Record<Language, Set<string>> = {
  ru: new Set(wholeTexts(ru)),
  en: new Set(wholeTexts(en)),
  uz: new Set(wholeTexts(uz)),
}

const isCyrillic = (text: string) => /[а-яё]/i.test(text)
/** What is called by the same name in every language: languages, and what stands in quotation marks of its own. */
const everywhere: readonly string[] = Object.values(languageNames)

/**
 * Complains of what can be used and has no name for those who do not see it, and of names in another language than the
 * page's: those of another dictionary, and letters that the language does not have.
 */
export async function wrongNames(page: Page, language: Language): Promise<string[]> {
  const lines = (await page.locator('body').ariaSnapshot()).split('\n')
  return lines.flatMap((line) => {
    const [, role, quoted] = named.exec(line) ?? []
    if (role === undefined) return []
    const name = plain((quoted ?? '').replace(/\\(.)/g, '$1'))
    if (name === '') return [`a ${role} without a name: ${line.trim()}`]
    return isOfAnother(name, language) ? [`a ${role} in another language: ${name}`] : []
  })
}

function isOfAnother(name: string, language: Language): boolean {
  if (everywhere.some((own) => name.includes(own)) || dictionaries[language].has(name)) return false
  if (language !== 'ru' && isCyrillic(name)) return true
  return Object.entries(dictionaries).some(([other, texts]) => other !== language && texts.has(name))
}
