import type { Database } from '../../platform/database/database.ts'
import { doOneByOne } from '../../platform/database/jobs.ts'
import type { Tx } from '../../platform/database/queries.ts'
import { releaseCodes } from '../codes/take-codes.ts'
import { releaseCoupon } from '../coupons/coupons.ts'
import { releasePart } from '../orders/order-money.ts'
import {
  isUnpaid,
  type LockedOrder,
  lockNextOverdue,
  lockOrder,
  moveItems,
  moveOrder,
  readItemStates,
  supersedeUnpaidOrder,
} from '../orders/order-states.ts'
import { cancelUnopenedPayments } from '../payments/payments.ts'

/**
 * Expires a locked order that was not paid, and releases its codes, what is reserved of the balance and the use of its
 * coupon. Money that still arrives is settled by `settlePayment`.
 */
export async function expireOrder(tx: Tx, order: LockedOrder): Promise<void> {
  const items = await readItemStates(tx, order.id)
  await tx.pipeline({
    order: (tx) => moveOrder(tx, order, 'expired'),
    items: (tx) => moveItems(tx, order, items, 'expired'),
    codes: (tx) => releaseCodes(tx, order.id),
    payments: (tx) => cancelUnopenedPayments(tx, order.id),
    part: (tx) => releasePart(tx, order),
    coupon: (tx) => (order.coupon_id === null ? undefined : releaseCoupon(tx, order.coupon_id)),
  })
}

/**
 * Supersedes an order by another one unless it was paid: money that still arrives for it goes to the wallet. The caller has
 * locked the cart.
 */
export async function supersedeOrder(tx: Tx, orderId: string): Promise<void> {
  const order = await lockOrder(tx, orderId)
  if (!order || !isUnpaid(order.status)) return
  if (order.status === 'awaiting_payment') await expireOrder(tx, order)
  await supersedeUnpaidOrder(tx, order)
}

/** Expires every order that is overdue, and returns how many. One that is just being paid is left to its payment. */
export const expireOverdueOrders = (database: Database): Promise<number> =>
  doOneByOne(database, 'orders that could not be ended', { lockNext: lockNextOverdue, work: expireOrder })
