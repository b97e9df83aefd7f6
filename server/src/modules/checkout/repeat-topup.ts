import { Failure } from '@olmos/contract/failure'
import { pastTheCart } from '@olmos/contract/failure-codes'
import type { Tx } from '../../platform/database/queries.ts'
import { lockCartVersion } from '../cart/cart.ts'
import { isUnpaid } from '../orders/order-states.ts'
import { type TopupOrder, topupOrders } from '../orders/place-order.ts'
import { readNumbers } from '../shop/shop.ts'
import { type CheckedTopup, priceTopup } from '../topups/price-topup.ts'
import { isRepeat, type TopupLine, topupKey } from '../topups/topups.ts'
import { supersedeOrder } from './expire-order.ts'
import { type OrderLine, requireOnSale } from './order-lines.ts'

export interface TopupWish {
  userId: number
  topup: CheckedTopup
  /** Whether the customer agreed to buy an equal top-up again. */
  confirmRepeat: boolean
}

interface LockedTopup {
  /** The lines as they would be charged; the id of each is `pastTheCart`. */
  lines: (TopupLine & { id: number })[]
  /** The key by which this purchase is recognised when it is resumed. */
  key: string
  /** The customer's equal orders: unpaid, or placed a moment ago. */
  equal: TopupOrder[]
}

/**
 * Prices a top-up as it would be charged now, and locks the customer's cart: the customer buys nothing else until the
 * transaction ends. Refuses with OFFER_NOT_FOUND, OUT_OF_STOCK, or INVALID_AMOUNT for an amount.
 */
export async function lockTopup(tx: Tx, { userId, topup }: TopupWish): Promise<LockedTopup> {
  const { priced } = await tx.pipeline({
    cart: (tx) => lockCartVersion(tx, userId),
    priced: (tx) => priceTopup(tx, topup),
  })
  const lines = priced.map((line) => ({ ...line, id: pastTheCart }))
  requireOnSale(lines)
  return { lines, key: topupKey(lines), equal: await ordersLike(tx, userId, lines) }
}

/**
 * Finds the customer's orders with a top-up like one of these lines, from the cart or without it: unpaid, or placed a
 * moment ago. The caller has locked the cart, so that each of several equal purchases sees those before it.
 */
export async function ordersLike(tx: Tx, userId: number, lines: readonly OrderLine[]): Promise<TopupOrder[]> {
  const topups = lines.flatMap(({ offer_id, quantity, target }) => (target ? [{ offer_id, quantity, target }] : []))
  if (topups.length === 0) return []
  const accounts = topups.map(({ target }) => target.account)
  const orders = await topupOrders(tx, userId, accounts)
  return orders.filter((order) => isRepeat(topups, order.topups))
}

/**
 * Supersedes equal top-ups that are unpaid: money that still arrives for them goes to the wallet. Refuses one so soon after
 * the last, unless the customer agreed: STATE_CONFLICT. A refunded one does not count.
 */
export async function replaceEqual(
  tx: Tx,
  equal: readonly TopupOrder[],
  { confirmRepeat }: Pick<TopupWish, 'confirmRepeat'>,
): Promise<void> {
  const repeated = equal.find(({ is_recent, status }) => is_recent && !isUnpaid(status) && status !== 'refunded')
  if (repeated && !confirmRepeat) {
    const { repeat_seconds: seconds } = await readNumbers(tx)
    throw new Failure('STATE_CONFLICT', { reason: 'repeat', order_id: repeated.id, seconds })
  }
  for (const order of equal) if (isUnpaid(order.status)) await supersedeOrder(tx, order.id)
}
