import { LIMITS } from '@olmos/contract/limits'
import type { SteamCurrency } from '@olmos/contract/topup-data'
import { type Decimal, one } from '../rates/rate.rules.ts'
import type { DollarRates } from '../rates/rates.store.ts'

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
  /** What is paid for it with the commission, in USD or in roubles. */
  priceUsd: number
  priceRub: number
  /** How much of `priceUsd` is commission. */
  commissionUsd: number
}

/** The least and the most that is sold, in minor units of the currency that the amount is named in. */
export interface SteamRange {
  least: number
  most: number
}

const percent = 100n
const commission = BigInt(LIMITS.steamCommissionPercent)

const ceil = (dividend: bigint, divisor: bigint): number => Number((dividend + divisor - 1n) / divisor)

function rateOf(rates: DollarRates, currency: string): Decimal {
  const rate = rates.get(currency)
  if (rate === undefined) throw new Error(`no rate of ${currency}`)
  return rate
}

/**
 * What a Steam amount costs: converted to USD, by the rate of the supplier who will charge for it where there is one, the
 * commission added, converted to the currency that is paid in. Reckoned in whole numbers to the end, and then rounded up once,
 * in the currency that is paid in: the commission is three percent to the kopeck, nothing above zero ever becomes zero, and
 * the shop never pays for the rounding.
 */
export function steamSum({ amount, currency }: SteamWish, rates: DollarRates, steamRate?: Decimal): SteamSum {
  const input = steamRate ?? rateOf(rates, currency.toUpperCase())
  const inMoneyOf = (rate: Decimal, share: bigint) => ceil(BigInt(amount) * share * rate, percent * input)
  return {
    usd: inMoneyOf(one, percent),
    priceUsd: inMoneyOf(one, percent + commission),
    priceRub: inMoneyOf(rateOf(rates, 'RUB'), percent + commission),
    commissionUsd: inMoneyOf(one, commission),
  }
}

/** How much is sold at once: at most what arrives as `LIMITS.steamUsdMax`, at the rate that the amount is converted by. */
export function steamRange(currency: SteamCurrency, rates: DollarRates, steamRate?: Decimal): SteamRange {
  const input = steamRate ?? rateOf(rates, currency.toUpperCase())
  return { least: LIMITS.steamAmountMin[currency], most: Number((BigInt(LIMITS.steamUsdMax) * input) / one) }
}

export const isSteamAmount = ({ amount }: SteamWish, { least, most }: SteamRange): boolean =>
  least <= amount && amount <= most
