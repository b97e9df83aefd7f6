import { LIMITS } from '@olmos/contract/limits'
import type { SteamCurrency } from '@olmos/contract/topup-data'
import { type Decimal, one } from '../rates/rate.rules.ts'
import type { DollarRates } from '../rates/rates-in-force.ts'

/** What a supplier reckons with, by currency: units for one USD, and the row that says so. */
export type SteamRates = ReadonlyMap<string, { id: number; rate: Decimal }>

export interface SteamWish {
  /** Minor units of `currency`, above zero. */
  amount: number
  currency: SteamCurrency
}

/** All in minor units. */
export interface SteamSum {
  /** What arrives, in USD. */
  usd: number
  /** The same with the commission: what is paid in USD. */
  priceUsd: number
  priceRub: number
}

const percent = 100n
const withCommission = percent + BigInt(LIMITS.steamCommissionPercent)

const ceil = (dividend: bigint, divisor: bigint): number => Number((dividend + divisor - 1n) / divisor)

function rateOf(rates: DollarRates, currency: string): Decimal {
  const rate = rates.get(currency)
  if (rate === undefined) throw new Error(`no rate of ${currency}`)
  return rate
}

/**
 * What a Steam amount costs: converted to USD, by the rate of the supplier who will charge for it where there is one, the
 * commission added, converted to the currency that is paid in. Each of the sums is rounded up, so nothing above zero ever
 * becomes zero and the shop never pays for the rounding.
 */
export function steamSum({ amount, currency }: SteamWish, rates: DollarRates, steamRate?: Decimal): SteamSum {
  const usd = ceil(BigInt(amount) * one, steamRate ?? rateOf(rates, currency.toUpperCase()))
  const paid = BigInt(usd) * withCommission
  return {
    usd,
    priceUsd: ceil(paid, percent),
    priceRub: ceil(paid * rateOf(rates, 'RUB'), percent * one),
  }
}

/** Whether so much is sold: at least the minimum of what was typed, at most what arrives in USD. */
export const isSteamAmount = ({ amount }: SteamWish, { usd }: SteamSum): boolean =>
  amount >= LIMITS.steamAmountMin && usd <= LIMITS.steamUsdMax
