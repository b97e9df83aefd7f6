import { type Language, languages } from '@olmos/contract/fields'
import { LIMITS } from '@olmos/contract/limits'
import type { ProductChange, ProductText } from '@olmos/contract/products'

export type ProductTexts = Partial<Record<Language, ProductText>>

const noText: ProductText = { name: '', description: '', activationInstructions: '' }

/** Merges the texts after a change: those beside `translations` are Russian. A language without a name has none. */
export function mergeTexts(current: ProductTexts, change: ProductChange): ProductTexts {
  const merged: ProductTexts = {}
  for (const language of languages) {
    const text = { ...noText, ...current[language], ...change.translations?.[language] }
    if (language === 'ru') {
      text.name = change.name ?? text.name
      text.description = change.description ?? text.description
      text.activationInstructions = change.activationInstructions ?? text.activationInstructions
    }
    if (text.name !== '') merged[language] = text
  }
  return merged
}

const cyrillic: Record<string, string> = Object.fromEntries(
  (
    'а-a б-b в-v г-g д-d е-e ё-yo ж-zh з-z и-i й-y к-k л-l м-m н-n о-o п-p р-r с-s т-t у-u ф-f х-kh ц-ts ч-ch ш-sh ' +
    'щ-shch ъ- ы-y ь- э-e ю-yu я-ya ў-o қ-q ғ-g ҳ-h і-i ї-yi є-ye ә-a ө-o ү-u ұ-u ң-n'
  )
    .split(' ')
    .map((pair) => pair.split('-') as [string, string]),
)

/** Makes a name's form for addresses: Latin letters, digits and hyphens. Empty when the name has none of them. */
export function toSlug(name: string): string {
  return [...name.toLowerCase().normalize('NFC')]
    .map((letter) => cyrillic[letter] ?? letter)
    .join('')
    .normalize('NFKD')
    .replace(/[\p{M}ʻʼ'’‘`]/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LIMITS.slugLengthMax)
    .replace(/^-+|-+$/g, '')
}
