import type { OrderPurpose, OrderStatus, PaymentStatus } from '@olmos/contract/orders'
import { SERVER_BUSINESS } from '../../business.ts'
import { toBooked } from '../payments/charge.rules.ts'
import type { PaymentRow } from '../payments/payments.ts'

export interface SettlementCase {
  payment: Pick<PaymentRow, 'status' | 'amount' | 'currency' | 'charge_amount' | 'charge_currency' | 'charge_rate'>
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

/** How an ordered item would be sold now. */
export interface ItemTerms {
  is_on_sale: boolean
  /** The price of one, in minor units of the order's currency: as it was ordered, and as it is now. */
  unit_price: number
  price_now: number
  quantity: number
  /** Whether its price follows from rates. */
  is_steam: boolean
}

/** Returns why money that came late no longer buys the items of its order; undefined if it still does. */
export function whyNotSold(items: readonly ItemTerms[]): 'not_on_sale' | 'price_changed' | undefined {
  if (items.some((item) => !item.is_on_sale)) return 'not_on_sale'
  return items.some(isDearer) ? 'price_changed' : undefined
}

/** Rates move a little every day, while an offer's price moves only when an admin changes it. */
const isDearer = ({ unit_price, price_now, is_steam }: ItemTerms): boolean =>
  (price_now - unit_price) * 100 > (is_steam ? unit_price * SERVER_BUSINESS.lateLossPercent : 0)

/** Returns what all items cost now, in minor units. */
export const costNow = (items: readonly ItemTerms[]): number =>
  items.reduce((sum, { price_now, quantity }) => sum + price_now * quantity, 0)

/** Returns whether somebody who ordered the same items now would get them at the same prices. */
export const isSoldAsOrdered = (items: readonly ItemTerms[]): boolean =>
  items.every(({ is_on_sale, unit_price, price_now }) => is_on_sale && unit_price === price_now)
