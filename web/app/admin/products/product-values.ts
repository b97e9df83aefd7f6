import type { SentBody } from '@olmos/contract/endpoint'
import type { ReceiptMode, ReceiptSubject, ReceiptTax } from '@olmos/contract/fiscal'
import type { CodeGame, EditedProduct, productsApi } from '@olmos/contract/products'
import type { PlayerCheckRule, TopupPricing } from '@olmos/contract/topup-data'

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
  /** #rrggbb. */
  color: string
  keywords: string
  category: string
  gameCurrency: string
  supportsCodeGeneration: boolean
  codePrefix: string
  /** Blank is none. */
  codeGame: CodeGame | ''
  buysOnDemand: boolean
  pricing: TopupPricing
  playerCheck: PlayerCheckRule
  promisedMinutes: number | string
  /** Amounts with commas. */
  presets: string
  /** Blank is what the shop's settings say. */
  receiptTax: ReceiptTax | ''
  receiptSubject: ReceiptSubject | ''
  receiptMode: ReceiptMode | ''
  receiptIkpu: string
  receiptPackageCode: string
  receiptVatPercent: number | string
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
  color: product?.color ?? '#6b7280',
  keywords: product?.keywords.join(', ') ?? '',
  category: product?.category.join(', ') ?? '',
  gameCurrency: product?.gameCurrency ?? '',
  supportsCodeGeneration: product?.supportsCodeGeneration ?? false,
  codePrefix: product?.codePrefix ?? '',
  codeGame: product?.codeGame ?? '',
  buysOnDemand: product?.buysOnDemand ?? false,
  pricing: product?.pricing ?? 'offers',
  playerCheck: product?.playerCheck ?? 'offered',
  promisedMinutes: product?.promisedMinutes ?? 15,
  presets: product?.presets.join(', ') ?? '',
  receiptTax: product?.receiptTax ?? '',
  receiptSubject: product?.receiptSubject ?? '',
  receiptMode: product?.receiptMode ?? '',
  receiptIkpu: product?.receiptIkpu ?? '',
  receiptPackageCode: product?.receiptPackageCode ?? '',
  receiptVatPercent: product?.receiptVatPercent ?? '',
  isActive: product?.isActive ?? true,
  regionIds: product?.regions.map(({ id }) => String(id)) ?? [],
  currencies: Object.fromEntries(product?.regions.map(({ id, game_currency }) => [id, game_currency]) ?? []),
})

const toAmounts = (text: string): string[] => text.split(/[\s,;]+/).filter((amount) => amount !== '')

/** What is sent of it: what belongs to its kind. Regions and their currencies have calls of their own. */
export function sentProduct({
  kind,
  regionIds: _,
  currencies: __,
  supportsCodeGeneration,
  codePrefix,
  codeGame,
  buysOnDemand,
  pricing,
  playerCheck,
  promisedMinutes,
  presets,
  receiptTax,
  receiptSubject,
  receiptMode,
  receiptIkpu,
  receiptPackageCode,
  receiptVatPercent,
  ...texts
}: ProductValues): SentBody<typeof productsApi.change> {
  const fields = {
    ...texts,
    receiptTax: receiptTax || null,
    receiptSubject: receiptSubject || null,
    receiptMode: receiptMode || null,
    receiptIkpu: receiptIkpu.trim() || null,
    receiptPackageCode: receiptPackageCode.trim() || null,
    receiptVatPercent: receiptVatPercent === '' ? null : Number(receiptVatPercent),
  }
  if (kind === 'code')
    return { ...fields, supportsCodeGeneration, codePrefix, codeGame: codeGame || null, buysOnDemand }
  const amounts = pricing === 'combination' ? toAmounts(presets).map(Number) : []
  return { ...fields, pricing, playerCheck, promisedMinutes: Number(promisedMinutes), presets: amounts }
}

/** A language without a name is not kept, so a text in it would be lost; codes of no game could not be activated. */
export function productErrors({ kind, translations, ...values }: ProductValues): Record<string, string> {
  const errors: Record<string, string> = {}
  if (kind === 'code' && values.supportsCodeGeneration && values.codeGame === '') errors.codeGame = 'required'
  if (kind === 'topup' && String(values.promisedMinutes) === '') errors.promisedMinutes = 'required'
  if (kind === 'topup' && toAmounts(values.presets).some((amount) => !/^[1-9]\d*$/.test(amount)))
    errors.presets = 'invalid_amount'
  for (const [language, { name, ...texts }] of Object.entries(translations)) {
    const hasText = Object.values(texts).some((text) => text.trim() !== '')
    if (hasText && name.trim() === '') errors[`translations.${language}.name`] = 'required'
  }
  return errors
}
