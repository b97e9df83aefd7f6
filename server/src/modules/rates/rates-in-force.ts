import type { Queries } from '../../platform/database.ts'
import { type Decimal, one, parseDecimal } from './rate.rules.ts'
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
