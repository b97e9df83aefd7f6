import { type Language, languages } from '@olmos/contract/fields'
import type { ProductChange, ProductText } from '@olmos/contract/products'

export type ProductTexts = Partial<Record<Language, ProductText>>

const noText: ProductText = { name: '', description: '', activationInstructions: '' }

/** The texts after a change: the ones beside `translations` are the Russian ones. A language without a name has none. */
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
