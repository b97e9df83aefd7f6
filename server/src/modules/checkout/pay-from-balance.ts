import type { Currency } from '@olmos/contract/money'
import type { OrderStatus } from '@olmos/contract/orders'
import type { Tx } from '../../platform/database.ts'
import { emptyBoughtCart, holdCart } from '../cart/hold-cart.ts'
import { takeCodes } from '../codes/take-codes.ts'
import { queueDeliveries } from '../delivery/queue-deliveries.ts'
import { unpaidOrders } from '../orders/hold-order.ts'
import { newOrderId } from '../orders/order.rules.ts'
import { isUnpaid } from '../orders/order-states.rules.ts'
import type { NewOrder } from '../orders/orders.store.ts'
import { orderOfCart, placeOrder } from '../orders/place-order.ts'
import { debit } from '../wallet/move-money.ts'
import { requireRoom, settleCodes } from './buy-missing-codes.ts'
import { supersedeOrder } from './expire-order.ts'
import { ordersLike, requireNoRepeat, supersedeUnpaid } from './hold-topup.ts'
import {
  paidItemsOf,
  paidStatusOf,
  requireFound,
  requireSeen,
  requireUnchanged,
  totalOf,
  wantedCodes,
} from './order-lines.rules.ts'

interface WantedPurchase {
  userId: number
  currency: Currency
  /** The total the customer saw, in minor units, where that is known: the cart may have changed in another tab. */
  amount: number | undefined
  /** The customer knows that a top-up in the cart was bought a moment ago. */
  confirmRepeat: boolean
}

/**
 * Buys the whole cart from the wallet, all or nothing. One version of a cart becomes at most one order: a second press
 * answers with the order that exists. A card order that waits for its payment is given up for it. Refuses with
 * CART_EMPTY, PRICE_CHANGED, OUT_OF_STOCK, STATE_CONFLICT when a top-up in it was bought a moment ago, or
 * INSUFFICIENT_BALANCE.
 */
export async function payFromBalance(
  tx: Tx,
  { userId, currency, amount, confirmRepeat }: WantedPurchase,
): Promise<{ id: string; status: OrderStatus }> {
  const [cart, existing, unpaid] = await Promise.all([
    holdCart(tx, userId),
    orderOfCart(tx, userId),
    unpaidOrders(tx, userId),
  ])
  if (existing && !isUnpaid(existing.status)) return existing
  for (const order of unpaid) await supersedeOrder(tx, order.id)
  requireUnchanged(cart.lines)
  const equal = await ordersLike(tx, userId, cart.lines)
  requireNoRepeat(equal, { confirmRepeat })
  await supersedeUnpaid(tx, equal)

  const items = paidItemsOf(cart.lines, currency)
  const total = totalOf(items)
  requireSeen(total, currency, amount ?? total)
  const order: NewOrder = {
    id: newOrderId(),
    userId,
    cartVersion: cart.version,
    currency,
    total,
    status: paidStatusOf(items),
    paymentMethod: 'balance',
  }
  const wanted = wantedCodes(order.id, items)
  // In one round trip. Whatever refuses undoes all of it.
  const [, , taken] = await Promise.all([
    placeOrder(tx, order, items),
    debit(tx, {
      userId,
      currency,
      amount: total,
      kind: 'purchase',
      shopAccount: 'sales',
      orderId: order.id,
      key: `purchase:${order.id}`,
    }),
    Promise.all(wanted.map((codes) => takeCodes(tx, codes))),
    emptyBoughtCart(tx, userId),
    order.status === 'pending' ? queueDeliveries(tx, order.id) : undefined,
  ])
  requireFound(cart.lines, wanted, taken)
  if (!cart.lines.some((line) => line.is_on_demand)) return { id: order.id, status: order.status }
  await requireRoom(tx, { lines: cart.lines, wanted, found: taken, isQueued: true })
  return { id: order.id, status: await settleCodes(tx, order.id) }
}
