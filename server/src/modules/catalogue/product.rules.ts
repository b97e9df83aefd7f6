import { type Decimal, one } from '@olmos/contract/decimal'
import { type Language, languages } from '@olmos/contract/fields'
import * as LIMITS from '@olmos/contract/limits'
import type { PriceDoubt } from '@olmos/contract/offers'
import type { ProductChange, ProductText } from '@olmos/contract/products'
import type { ShopNumbers } from '@olmos/contract/shop-numbers'
import { isJump } from '../rates/rate-sources.ts'

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

/** Where an offer is sold: a product, and a region or none. A place has one offer per game amount. */
export interface OfferPlace {
  productId: number
  regionId: number | null
}

export interface OfferPrice {
  gameAmount: number
  /** In minor units. */
  priceUsd: number
  priceRub: number
}

export interface WantedPrice extends OfferPrice {
  /** Undefined for a new offer. */
  was: Pick<OfferPrice, 'priceUsd' | 'priceRub'> | undefined
}

const hundredths = (percent: number): number => percent * 100

/** Converts cents to kopecks, rounded half up. `rate` is roubles per dollar. */
export const rubAtRate = (priceUsd: number, rate: Decimal): number => Number((BigInt(priceUsd) * rate + one / 2n) / one)

/** How far a price may move, and its two currencies be apart, before somebody is asked. */
export type PriceBounds = Pick<ShopNumbers, 'price_jump_percent' | 'price_spread_percent'>

/**
 * Finds what is unusual about a price, by itself and beside the one in force. Without a rate USD and RUB can't be
 * compared.
 */
export function doubtsAbout(
  { priceUsd, priceRub, was }: WantedPrice,
  rate: Decimal | undefined,
  { price_jump_percent: jump, price_spread_percent: spread }: PriceBounds,
): PriceDoubt[] {
  const doubts: PriceDoubt[] = []
  const jumps = (before: number, after: number) => isJump(BigInt(before), BigInt(after), hundredths(jump))
  if (was && (jumps(was.priceUsd, priceUsd) || jumps(was.priceRub, priceRub))) doubts.push('jump')
  if (rate === undefined) return doubts
  const expected = BigInt(rubAtRate(priceUsd, rate))
  if (isJump(expected, BigInt(priceRub), hundredths(spread))) doubts.push('spread')
  return doubts
}
