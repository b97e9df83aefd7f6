import { type ChargeCurrency, type Currency, currencies } from '@olmos/contract/money'
import { type Decimal, divide, formatDecimal, one, parseDecimal } from '../rates/rate.rules.ts'

/** What a payment takes from the payer, in minor units, and what one of the order's currency is of it. */
export interface Charge {
  amount: number
  currency: ChargeCurrency
  /** A decimal; null where the order's own currency is charged. */
  rate: string | null
}

interface Money {
  /** In minor units. */
  amount: number
  currency: Currency
}

/** What is charged in a currency is a multiple of so many minor units: nobody pays in tiyin. */
const chargeSteps: Record<ChargeCurrency, number> = { USD: 1, RUB: 1, UZS: 100, KZT: 100 }

/**
 * Computes what is charged for an amount of an order, rounded up, at the shop's own rates (how much of each currency one
 * dollar is), which carry its markup: a price is the same in the charge currency whatever the order's currency is. Undefined
 * without a rate.
 */
export function toCharge(
  money: Money,
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

interface ChargedPayment extends Money {
  charge_amount: number
  charge_currency: ChargeCurrency
  charge_rate: string | null
}

/**
 * Computes what the books get of money that came: the order's amount for exactly what was charged; another amount of the
 * charge currency at the payment's own rate, rounded down; any other money as it is. Undefined for what no wallet can have.
 */
export function toBooked(payment: ChargedPayment, told: { amount: number; currency: string }): Money | undefined {
  const { amount, currency, charge_amount, charge_currency, charge_rate } = payment
  if (told.amount <= 0) return undefined
  if (told.currency === charge_currency && charge_rate !== null) {
    if (told.amount === charge_amount) return { amount, currency }
    const converted = Number((BigInt(told.amount) * one) / (parseDecimal(charge_rate) ?? one))
    return converted > 0 ? { amount: converted, currency } : undefined
  }
  const walletCurrency = currencies.find((known) => known === told.currency)
  return walletCurrency && { amount: told.amount, currency: walletCurrency }
}

/** Amounts of one payment, or of all its refunds that did not fail: in the books, and as it was charged. */
export interface BothAmounts {
  booked: number
  charged: number
}

/**
 * Computes how much of the charge goes back for a refund of so much of the books: in proportion, in whole steps of the
 * charge currency, and the last part takes the rest, so that the whole is exactly what was charged. It is 0 for less than
 * one step.
 */
export function chargeToRefund(
  paid: BothAmounts & { currency: ChargeCurrency },
  before: BothAmounts,
  amount: number,
): number {
  const booked = before.booked + amount
  if (booked >= paid.booked) return Math.max(0, paid.charged - before.charged)
  const step = paid.booked === paid.charged ? 1n : BigInt(chargeSteps[paid.currency])
  const share = (BigInt(booked) * BigInt(paid.charged)) / BigInt(paid.booked) / step
  return Math.max(0, Number(share * step) - before.charged)
}

/**
 * Computes how much of the books a refund is that somebody made at the provider, which reports how much of
 * the charge it refunded: in proportion, and the last part takes the rest. It is 0 for less than one minor unit.
 */
export function bookedForRefund(paid: BothAmounts, before: BothAmounts, charged: number): number {
  const booked = (BigInt(before.charged + charged) * BigInt(paid.booked)) / BigInt(paid.charged)
  return Math.max(0, Number(booked) - before.booked)
}
