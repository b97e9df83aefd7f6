import { LIMITS } from '@olmos/contract/limits'
import type { Currency } from '@olmos/contract/money'
import { type Decimal, one } from '../rates/rate.rules.ts'
import type { Wanted } from '../topups/supplier.ts'

export interface PaidUnit {
  wanted: Wanted
  /** Of the order. */
  currency: Currency
  /** What the customer paid for one, in minor units of `currency`. */
  unit_price: number
  /** Of the offer when it was ordered, in cents; none for Steam. */
  price_usd: number | null
}

const cents = (amount: number): Decimal => (BigInt(amount) * one) / 100n
const least = (a: Decimal, b: Decimal): Decimal => (a < b ? a : b)

/**
 * The most that a unit may cost the shop, in USD; `rubles` is how many of them one USD is now. No top-up costs more than the
 * customer paid for it, by what that money is worth today: of Steam that is the amount that arrives and the commission
 * on it, so a supplier may take up to the whole commission for itself. A code costs `LIMITS.onDemandCostPercent` of the same,
 * or of its list price in USD where that is less. An activated code was paid for when it was bought: it is worth the list
 * price of what it brings.
 */
export function costAtMost(
  { wanted, currency, unit_price, price_usd }: PaidUnit,
  rubles: Decimal | undefined,
): Decimal {
  const listed = price_usd === null ? undefined : cents(price_usd)
  const worth = unit_price === 0 ? (listed ?? 0n) : dollarsOf(unit_price, currency, rubles)
  if (wanted !== 'code') return worth
  return (least(worth, listed ?? worth) * BigInt(LIMITS.onDemandCostPercent)) / 100n
}

/** Nothing, where there is no rate: what is not known is not spent. */
function dollarsOf(amount: number, currency: Currency, rubles: Decimal | undefined): Decimal {
  if (currency === 'USD') return cents(amount)
  return rubles === undefined ? 0n : (BigInt(amount) * one * one) / (100n * rubles)
}
