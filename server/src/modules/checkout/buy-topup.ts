import type { Currency } from '@olmos/contract/money'
import type { OrderStatus } from '@olmos/contract/orders'
import type { Tx } from '../../platform/database.ts'
import { queueDeliveries } from '../delivery/queue-deliveries.ts'
import { newOrderId } from '../orders/order.rules.ts'
import type { NewOrder } from '../orders/orders.store.ts'
import { placeOrder } from '../orders/place-order.ts'
import { requireSeenPrice } from '../topups/topup.rules.ts'
import { debit } from '../wallet/move-money.ts'
import { holdTopup, requireNoRepeat, supersedeUnpaid, type TopupWish } from './hold-topup.ts'
import { paidItemsOf, totalOf } from './order-lines.rules.ts'

/**
 * Buys a top-up from the wallet, past the cart; it is delivered afterwards. A card order of the same top-up that waits
 * for its payment is given up for it. Refuses with OFFER_NOT_FOUND, OUT_OF_STOCK, INVALID_AMOUNT, PRICE_CHANGED,
 * STATE_CONFLICT when an equal one was bought a moment ago, or INSUFFICIENT_BALANCE.
 */
export async function buyTopup(
  tx: Tx,
  wish: TopupWish & { currency: Currency },
): Promise<{ id: string; status: OrderStatus }> {
  const { userId, currency } = wish
  const { lines, key, equal } = await holdTopup(tx, wish)
  requireSeenPrice(lines, wish.topup, currency)
  requireNoRepeat(equal, wish)
  await supersedeUnpaid(tx, equal)

  const items = paidItemsOf(lines, currency)
  const order: NewOrder = {
    id: newOrderId(),
    userId,
    topupKey: key,
    currency,
    total: totalOf(items),
    status: 'pending',
    paymentMethod: 'balance',
  }
  // In one round trip. Whatever refuses undoes all of it.
  await Promise.all([
    placeOrder(tx, order, items),
    debit(tx, {
      userId,
      currency,
      amount: order.total,
      kind: 'purchase',
      shopAccount: 'sales',
      orderId: order.id,
      key: `purchase:${order.id}`,
    }),
    queueDeliveries(tx, order.id),
  ])
  return { id: order.id, status: order.status }
}
