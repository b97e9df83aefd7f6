import { Failure } from '@olmos/contract/failure'
import { toMajor } from '@olmos/contract/money'
import type { PriceChange as ShownChange } from '@olmos/contract/offers'
import type { Queries } from '../../platform/database.ts'
import { dollarRates } from '../rates/rates-in-force.ts'
import { doubtsAbout, type PriceChange, rubAtRate } from './price.rules.ts'

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
