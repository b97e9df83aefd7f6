import { LIMITS } from '@olmos/contract/limits'
import type { Queries } from '../../platform/database.ts'
import { type Decimal, isStale, one, parseDecimal } from './rate.rules.ts'
import { listRates } from './rates.store.ts'

/** How much of each currency one USD is. */
export type DollarRates = ReadonlyMap<string, Decimal>

/**
 * The rates that hold now. One that jumped too far waits for an admin and is not among them: the last good one is, as
 * it is while a source does not answer.
 */
export async function dollarRates(queries: Queries): Promise<DollarRates> {
  const rates = new Map([['USD', one]])
  for (const { from_currency, to_currency, rate } of await listRates(queries)) {
    const value = parseDecimal(rate)
    if (from_currency === 'USD' && value !== undefined) rates.set(to_currency, value)
  }
  return rates
}

/**
 * How much of a currency one USD is, sure enough to buy in it: somebody has said the rate within the last
 * `LIMITS.rateStaleDays`, and no other one waits for an admin. Undefined where the shop would have to guess.
 */
export async function rateToBuyBy(queries: Queries, currency: string): Promise<Decimal | undefined> {
  const row = (await listRates(queries)).find((rate) => rate.from_currency === 'USD' && rate.to_currency === currency)
  // What the database was made with is `fixed`, and a guess.
  if (!row || row.source === 'fixed' || row.held_rate !== null) return undefined
  return isStale(row.updated_at, new Date(), LIMITS.rateStaleDays) ? undefined : parseDecimal(row.rate)
}
