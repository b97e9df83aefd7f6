import type { SentBody } from '@olmos/contract/endpoint'
import type { CodeGame, EditedProduct, productsApi } from '@olmos/contract/products'

interface Texts {
  name: string
  description: string
  activationInstructions: string
}

/** The values of the product form: Russian beside the other languages, lists as texts with commas. */
export interface ProductValues extends Texts, Record<string, unknown> {
  translations: Record<'en' | 'uz', Texts>
  kind: 'code' | 'topup'
  slug: string
  imageUrl: string
  keywords: string
  category: string
  gameCurrency: string
  supportsCodeGeneration: boolean
  codePrefix: string
  /** Blank is none. */
  codeGame: CodeGame | ''
  buysOnDemand: boolean
  isActive: boolean
  regionIds: string[]
  /** By region; blank means the product's own. */
  currencies: Record<string, string>
}

const noTexts: Texts = { name: '', description: '', activationInstructions: '' }

export const productValues = (product: EditedProduct | undefined): ProductValues => ({
  ...noTexts,
  ...product?.translations.ru,
  translations: { en: { ...noTexts, ...product?.translations.en }, uz: { ...noTexts, ...product?.translations.uz } },
  kind: product?.kind ?? 'code',
  slug: product?.slug ?? '',
  imageUrl: product?.imageUrl ?? '',
  keywords: product?.keywords.join(', ') ?? '',
  category: product?.category.join(', ') ?? '',
  gameCurrency: product?.gameCurrency ?? '',
  supportsCodeGeneration: product?.supportsCodeGeneration ?? false,
  codePrefix: product?.codePrefix ?? '',
  codeGame: product?.codeGame ?? '',
  buysOnDemand: product?.buysOnDemand ?? false,
  isActive: product?.isActive ?? true,
  regionIds: product?.regions.map(({ id }) => String(id)) ?? [],
  currencies: Object.fromEntries(product?.regions.map(({ id, game_currency }) => [id, game_currency]) ?? []),
})

/** What is sent of it; regions and their currencies have calls of their own. */
export const sentProduct = ({
  kind: _,
  regionIds: __,
  currencies: ___,
  codeGame,
  ...fields
}: ProductValues): SentBody<typeof productsApi.change> => ({ ...fields, codeGame: codeGame || null })

/** A language without a name is not kept, so a text in it would be lost; codes of no game could not be activated. */
export function productErrors({
  translations,
  supportsCodeGeneration,
  codeGame,
}: ProductValues): Record<string, string> {
  const errors: Record<string, string> = {}
  if (supportsCodeGeneration && codeGame === '') errors.codeGame = 'required'
  for (const [language, { name, ...texts }] of Object.entries(translations)) {
    const hasText = Object.values(texts).some((text) => text.trim() !== '')
    if (hasText && name.trim() === '') errors[`translations.${language}.name`] = 'required'
  }
  return errors
}
