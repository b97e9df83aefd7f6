import { Failure } from '@olmos/contract/failure'
import { LIMITS } from '@olmos/contract/limits'
import { toMajor } from '@olmos/contract/money'
import type { PriceDoubt, PriceChange as ShownChange } from '@olmos/contract/offers'
import type { Queries } from '../../platform/database.ts'
import { type Decimal, isJump, one } from '../rates/rate.rules.ts'
import { dollarRates } from '../rates/rates-in-force.ts'
import type { OfferPrice } from './offer.ts'

export interface PriceChange extends OfferPrice {
  /** None for an offer that is new. */
  was: Pick<OfferPrice, 'priceUsd' | 'priceRub'> | undefined
}

const hundredths = (percent: number): number => percent * 100

/** What an amount in cents comes to in kopecks, rounded half up. `rate` is how many roubles a dollar is. */
export const rubAtRate = (priceUsd: number, rate: Decimal): number => Number((BigInt(priceUsd) * rate + one / 2n) / one)

/** What is unusual about a price, by itself and beside the one in force. Without a rate USD and RUB can't be compared. */
export function doubtsAbout({ priceUsd, priceRub, was }: PriceChange, rate: Decimal | undefined): PriceDoubt[] {
  const doubts: PriceDoubt[] = []
  const jumps = (before: number, after: number) =>
    isJump(BigInt(before), BigInt(after), hundredths(LIMITS.priceJumpPercent))
  if (was && (jumps(was.priceUsd, priceUsd) || jumps(was.priceRub, priceRub))) doubts.push('jump')
  if (rate === undefined) return doubts
  const expected = BigInt(rubAtRate(priceUsd, rate))
  if (isJump(expected, BigInt(priceRub), hundredths(LIMITS.priceSpreadPercent))) doubts.push('spread')
  return doubts
}

export interface Asking {
  /** A price other than the one in force is doubted as such: it came along with something else and may not be meant. */
  aboutEveryChange: boolean
}

/** The changes as an operator is shown them, each with the doubts about it, by the rate in force. */
export async function weighPrices(
  queries: Queries,
  changes: readonly PriceChange[],
  { aboutEveryChange }: Asking,
): Promise<ShownChange[]> {
  if (changes.length === 0) return []
  const rate = (await dollarRates(queries)).get('RUB')
  return changes.map((change) => ({
    game_amount: change.gameAmount,
    price_usd: toMajor(change.priceUsd),
    price_rub: toMajor(change.priceRub),
    was_usd: change.was ? toMajor(change.was.priceUsd) : null,
    was_rub: change.was ? toMajor(change.was.priceRub) : null,
    rub_at_rate: rate === undefined ? null : toMajor(rubAtRate(change.priceUsd, rate)),
    doubts: [...(aboutEveryChange && change.was ? (['changed'] as const) : []), ...doubtsAbout(change, rate)],
  }))
}

/** Refuses prices that are doubted while nobody has confirmed them: PRICE_CHANGED with both prices of each. */
export function requireConfirmed(changes: readonly ShownChange[], isConfirmed: boolean | undefined): void {
  const prices = changes.filter(({ doubts }) => doubts.length > 0)
  if (prices.length > 0 && !isConfirmed) throw new Failure('PRICE_CHANGED', { prices })
}

/** Refuses an unusual price that somebody sets on purpose, and has not confirmed: PRICE_CHANGED. One that stays is none. */
export async function requireUsualPrice(
  queries: Queries,
  change: PriceChange,
  isConfirmed: boolean | undefined,
): Promise<void> {
  const { priceUsd, priceRub, was } = change
  if (was?.priceUsd === priceUsd && was.priceRub === priceRub) return
  requireConfirmed(await weighPrices(queries, [change], { aboutEveryChange: false }), isConfirmed)
}
