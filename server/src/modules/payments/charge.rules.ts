import { chargeSteps } from '@olmos/contract/charge'
import { one, parseDecimal } from '@olmos/contract/decimal'
import { type ChargeCurrency, type Currency, currencies } from '@olmos/contract/money'

interface Money {
  /** In minor units. */
  amount: number
  currency: Currency
}

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
