import { formatDecimal } from '@olmos/contract/decimal'
import { chargeCurrencies } from '@olmos/contract/money'
import { ratesApi, type ShownCurrencyRate } from '@olmos/contract/rates'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Context } from '../../platform/context.ts'
import type { Queries } from '../../platform/database/queries.ts'
import { dollarRates } from './rates.ts'

/** Reads the rates that prices are shown by, exactly those that a payment opened now would be charged by. */
async function readShownRates(queries: Queries): Promise<ShownCurrencyRate[]> {
  const rates = await dollarRates(queries)
  return chargeCurrencies.flatMap((currency) => {
    const rate = rates.get(currency)
    return rate === undefined ? [] : { currency, rate: formatDecimal(rate) }
  })
}

export function ratesRoutes({ serve, database }: Context): void {
  serve(ratesApi.shown, async () => ({ data: await readShownRates(database) }))
}

export interface KnownRates {
  /** Returns the rates in force; while they can't be read, those that were read last. It never rejects. */
  read(): Promise<readonly ShownCurrencyRate[]>
  /** Marks what was read as out of date. */
  clear(): void
}

/** Knows the rates that pages are rendered with, so that no page costs a read of them. */
export function knowRates(queries: Queries, now: () => number = () => performance.now()): KnownRates {
  let rates: readonly ShownCurrencyRate[] = []
  let readAt = Number.NEGATIVE_INFINITY
  let changes = 0
  return {
    async read() {
      if (now() - readAt < SERVER_LIMITS.ratesFreshMs) return rates
      const [startedAt, changesBefore] = [now(), changes]
      try {
        const read = await readShownRates(queries)
        // A read that was under way when a rate changed may have missed the change.
        if (changes === changesBefore) [rates, readAt] = [read, startedAt]
        return read
      } catch {
        return rates
      }
    },
    clear() {
      changes++
      readAt = Number.NEGATIVE_INFINITY
    },
  }
}
