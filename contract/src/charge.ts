import { type Decimal, divide, formatDecimal, one } from './decimal.ts'
import type { ChargeCurrency, Currency } from './money.ts'

/** What a payment takes from the payer, in minor units, and what one of the order's currency is of it. */
export interface Charge {
  amount: number
  currency: ChargeCurrency
  /** A decimal; null where the order's own currency is charged. */
  rate: string | null
}

/** What is charged in a currency is a multiple of so many minor units: nobody pays in tiyin. */
export const chargeSteps: Record<ChargeCurrency, number> = { USD: 1, RUB: 1, UZS: 100, KZT: 100 }

/**
 * Computes what is charged for an amount of an order, in minor units, rounded up, at the shop's own rates (how much of each
 * currency one dollar is), which carry its markup: a price is the same in the charge currency whatever the order's currency
 * is. Pages show prices by it as well, so that what was shown is what is charged. Undefined without a rate.
 */
export function toCharge(
  money: { amount: number; currency: Currency },
  currency: ChargeCurrency,
  rates: ReadonlyMap<string, Decimal>,
): Charge | undefined {
  if (money.currency === currency) return { amount: money.amount, currency, rate: null }
  const [from, to] = [rates.get(money.currency), rates.get(currency)]
  const rate = from === undefined || to === undefined ? 0n : divide(to, from)
  if (rate === 0n) return undefined
  const step = BigInt(chargeSteps[currency])
  const charged = ceil(BigInt(money.amount) * rate, one * step) * step
  return { amount: Number(charged), currency, rate: formatDecimal(rate) }
}

const ceil = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor
