import type { Currency } from '@olmos/contract/money'
import type { OrderStatus } from '@olmos/contract/orders'
import type { Tx } from '../../platform/database/queries.ts'
import { queueDeliveries } from '../delivery/deliveries.store.ts'
import { type NewOrder, newOrderId, placeOrder } from '../orders/orders.ts'
import type { Providers } from '../payments/providers.ts'
import { requireSeenPrice, requireSeenTotal } from '../topups/topup.rules.ts'
import { debit } from '../wallet/wallet.ts'
import { purchaseEntry, toPaidItems, toTotal } from './order-lines.ts'
import { placeUnpaid, resumePayment, type WantedPayment } from './start-card-payment.ts'
import { lockTopup, requireNoRepeat, supersedeUnpaid, type TopupWish } from './topup-purchase.ts'

/**
 * Buys a top-up from the wallet without the cart; it is delivered afterwards. An unpaid card order of the same top-up
 * is superseded. Refuses with OFFER_NOT_FOUND, OUT_OF_STOCK, INVALID_AMOUNT, PRICE_CHANGED, STATE_CONFLICT when an
 * equal one was bought a moment ago, or INSUFFICIENT_BALANCE.
 */
export async function buyTopup(
  tx: Tx,
  wish: TopupWish & { currency: Currency },
): Promise<{ id: string; status: OrderStatus }> {
  const { userId, currency } = wish
  const { lines, key, equal } = await lockTopup(tx, wish)
  requireSeenPrice(lines, wish.topup.seen, currency)
  requireNoRepeat(equal, wish)
  await supersedeUnpaid(tx, equal)

  const items = toPaidItems(lines, currency)
  const order: NewOrder = {
    id: newOrderId(),
    userId,
    topupKey: key,
    currency,
    total: toTotal(items),
    status: 'pending',
    paymentMethod: 'balance',
  }
  // A step that refuses undoes all the others.
  await tx.pipeline({
    order: (tx) => placeOrder(tx, order, items),
    debit: (tx) => debit(tx, purchaseEntry(order)),
    deliveries: (tx) => queueDeliveries(tx, order.id),
  })
  return { id: order.id, status: order.status }
}

/**
 * Makes a top-up, without the cart, an order that waits for its payment, and adds the payment; the provider is asked
 * afterwards. Returns the order's id. While an order is unpaid, the same top-up resumes it; at another price or in
 * another currency it supersedes it. Refuses with OFFER_NOT_FOUND, OUT_OF_STOCK, INVALID_AMOUNT, PRICE_CHANGED,
 * STATE_CONFLICT when an equal one was bought a moment ago, BELOW_LEAST_AMOUNT, ABOVE_MOST_AMOUNT,
 * INSUFFICIENT_BALANCE or BALANCE_ON_HOLD (for a part from the balance), METHOD_UNAVAILABLE, CONTACT_REQUIRED or
 * PAYMENT_PROVIDER_UNAVAILABLE.
 */
export async function startTopupPayment(
  tx: Tx,
  providers: Providers,
  wanted: WantedPayment & TopupWish,
): Promise<string> {
  const { lines, key, equal } = await lockTopup(tx, wanted)
  const waiting = equal.filter((order) => order.topup_key === key)
  const same = await resumePayment(tx, providers, waiting, wanted)
  if (same) return same
  requireSeenTotal(lines, wanted.amount, wanted.currency)
  requireNoRepeat(equal, wanted)
  await supersedeUnpaid(tx, equal)
  return placeUnpaid(tx, providers, wanted, { lines, topupKey: key })
}
