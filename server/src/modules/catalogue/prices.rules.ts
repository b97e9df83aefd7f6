import { BUSINESS } from '@olmos/contract/business'
import { type Decimal, one } from '@olmos/contract/decimal'
import type { PriceDoubt } from '@olmos/contract/offers'
import { isJump } from '../rates/rate.rules.ts'

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

/**
 * Finds what is unusual about a price, by itself and beside the one in force. Without a rate USD and RUB can't be
 * compared.
 */
export function doubtsAbout({ priceUsd, priceRub, was }: WantedPrice, rate: Decimal | undefined): PriceDoubt[] {
  const doubts: PriceDoubt[] = []
  const jumps = (before: number, after: number) =>
    isJump(BigInt(before), BigInt(after), hundredths(BUSINESS.priceJumpPercent))
  if (was && (jumps(was.priceUsd, priceUsd) || jumps(was.priceRub, priceRub))) doubts.push('jump')
  if (rate === undefined) return doubts
  const expected = BigInt(rubAtRate(priceUsd, rate))
  if (isJump(expected, BigInt(priceRub), hundredths(BUSINESS.priceSpreadPercent))) doubts.push('spread')
  return doubts
}
