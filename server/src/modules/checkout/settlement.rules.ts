import { type Currency, currencies } from '@olmos/contract/money'
import type { OrderStatus, PaymentStatus } from '@olmos/contract/orders'

export interface SettlementCase {
  payment: { status: PaymentStatus; amount: number; currency: Currency }
  order: { status: OrderStatus; cart_version: number | null; topup_key: string | null }
  told: { status: 'pending' | 'succeeded' | 'canceled'; amount: number; currency: string }
}

export type Verdict =
  | { do: 'nothing' | 'cancel' | 'deliver' }
  /** Nothing to be done by itself. */
  | { do: 'alert'; why: 'canceled_after_success' }
  | { do: 'wallet'; why: 'wrong_amount' | 'superseded' | 'paid_before' }
  /** In a currency no wallet holds. */
  | { do: 'operator'; why: 'wrong_currency' }

/**
 * What a provider's word about a payment means now, in whatever order its words come. States only move forward: once
 * paid is paid. Money that came is never refused; what the order can't take goes to the customer's wallet.
 */
export function judge({ payment, order, told }: SettlementCase): Verdict {
  if (told.status === 'pending') return { do: 'nothing' }
  if (told.status === 'canceled') return judgeCanceled(payment.status)
  if (payment.status === 'succeeded') return { do: 'nothing' }
  if (told.amount <= 0 || !currencies.some((known) => known === told.currency)) {
    return { do: 'operator', why: 'wrong_currency' }
  }
  if (told.amount !== payment.amount || told.currency !== payment.currency) return { do: 'wallet', why: 'wrong_amount' }
  if (order.status === 'awaiting_payment') return { do: 'deliver' }
  if (order.status !== 'expired') return { do: 'wallet', why: 'paid_before' }
  const isSuperseded = order.cart_version === null && order.topup_key === null
  return isSuperseded ? { do: 'wallet', why: 'superseded' } : { do: 'deliver' }
}

function judgeCanceled(status: PaymentStatus): Verdict {
  if (status === 'succeeded') return { do: 'alert', why: 'canceled_after_success' }
  return status === 'canceled' ? { do: 'nothing' } : { do: 'cancel' }
}
