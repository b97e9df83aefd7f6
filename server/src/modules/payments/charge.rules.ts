import { chargeSteps } from '@olmos/contract/charge'
import { one, parseDecimal } from '@olmos/contract/decimal'
import { type ChargeCurrency, type Currency, currencies } from '@olmos/contract/money'
import type { OrderPurpose, OrderStatus, PaymentStatus } from '@olmos/contract/orders'

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

export interface SettlementCase {
  payment: ChargedPayment & { status: PaymentStatus }
  order: {
    purpose: OrderPurpose
    status: OrderStatus
    cart_version: number | null
    topup_key: string | null
    /** Whether the order was placed longer ago than any order waits. */
    is_overtime: boolean
  }
  isBuyerBlocked: boolean
  told: { status: 'pending' | 'succeeded' | 'canceled'; amount: number; currency: string }
}

type Verdict =
  | { do: 'nothing' | 'cancel' | 'deliver' }
  /** The money came after the order's time: it is delivered only if everything costs the same now. */
  | { do: 'deliver_late' }
  /** The order is a filling of the balance: whatever was paid is put there, with an alert if there is a `why`. */
  | { do: 'fill'; why: 'wrong_amount' | 'buyer_blocked' | undefined }
  /** The order ends, and its money waits for an operator's decision. */
  | { do: 'end'; why: 'buyer_blocked' }
  /** Nothing can be done automatically. */
  | { do: 'alert'; why: 'canceled_after_success' }
  | { do: 'wallet'; why: 'wrong_amount' | 'superseded' | 'paid_before' }
  /** The currency is one that no wallet has and the payment was not charged in, or it is less than a cent. */
  | { do: 'operator'; why: 'wrong_currency' }

/**
 * Decides what a provider's report about a payment means now, in whatever order reports arrive. States only move
 * forward: once paid is paid. Money that came is never refused; what the order can't take goes to the customer's
 * wallet.
 */
export function decideSettlement({ payment, order, isBuyerBlocked, told }: SettlementCase): Verdict {
  if (told.status === 'pending') return { do: 'nothing' }
  if (told.status === 'canceled') return judgeCanceled(payment.status)
  if (payment.status === 'succeeded') return { do: 'nothing' }
  if (!toBooked(payment, told)) return { do: 'operator', why: 'wrong_currency' }
  const isCharge = told.amount === payment.charge_amount && told.currency === payment.charge_currency
  const isWaiting = order.status === 'awaiting_payment'
  if (order.purpose === 'balance' && (isWaiting || order.status === 'expired'))
    return { do: 'fill', why: isCharge ? (isBuyerBlocked ? 'buyer_blocked' : undefined) : 'wrong_amount' }
  if (!isCharge) return { do: 'wallet', why: 'wrong_amount' }
  if (!isWaiting && order.status !== 'expired') return { do: 'wallet', why: 'paid_before' }
  const isSuperseded = order.cart_version === null && order.topup_key === null
  if (!isWaiting && isSuperseded) return { do: 'wallet', why: 'superseded' }
  if (isBuyerBlocked) return { do: 'end', why: 'buyer_blocked' }
  return { do: isWaiting && !order.is_overtime ? 'deliver' : 'deliver_late' }
}

function judgeCanceled(status: PaymentStatus): Verdict {
  if (status === 'succeeded') return { do: 'alert', why: 'canceled_after_success' }
  return status === 'canceled' ? { do: 'nothing' } : { do: 'cancel' }
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

/** What a customer pays for a way to pay: percents of what it pays, and a sum. */
export interface FeeTerms {
  /** In hundredths of a percent: 250 is 2.5 %. */
  percent: number
  /** In minor units of the order's currency. */
  fixed: number
  /** Whether it goes back when all of an order does, although something was delivered. */
  isRefunded: boolean
}

/** A fee as a payment freezes it, with the terms it follows from. */
export interface FrozenFee extends FeeTerms {
  /** In minor units of the order's currency. */
  amount: number
}

const hundredths = 10_000n

/** Computes the fee for an amount, both in minor units, with the percents rounded up. Without terms there is none. */
export function toFee(
  { percent, fixed, isRefunded }: FeeTerms = { percent: 0, fixed: 0, isRefunded: false },
  amount: number,
): FrozenFee {
  const share = (BigInt(amount) * BigInt(percent) + hundredths - 1n) / hundredths
  return { amount: Number(share) + fixed, percent, fixed, isRefunded }
}

/** A payment that was made, and how much of it has gone back, in minor units of the books. */
export interface FeePosition {
  /** What the books have of it, the fee included. */
  booked: number
  /** The fee within `booked`, and the part of it not refunded yet. */
  fee: number
  feeLeft: number
  /** What its other refunds are that did not fail, and how much of them is of the fee. */
  refunded: { all: number; fee: number }
  /** Those among them that the provider has made. */
  certain: { all: number; fee: number }
}

/**
 * Computes how much of a refund that somebody made at the provider is of the fee: nothing as long as any of the goods is
 * left, and at most what is left of the fee. Where the refunds exceed the payment, those of the store that are not certain
 * are not going to be made.
 */
export function feeInOutsideRefund(position: FeePosition, amount: number): number {
  const { booked, fee, feeLeft, refunded, certain } = position
  const others = refunded.all + amount > booked ? certain : refunded
  const goodsLeft = Math.max(0, booked - fee - (others.all - others.fee))
  return Math.min(feeLeft, Math.max(0, amount - goodsLeft))
}
