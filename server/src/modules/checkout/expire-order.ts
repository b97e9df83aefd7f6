import type { CancelReason } from '@olmos/contract/admin-payments'
import type { Database } from '../../platform/database/database.ts'
import type { Tx } from '../../platform/database/queries.ts'
import { releaseCodes } from '../codes/take-codes.ts'
import { releaseCoupon } from '../coupons/coupons.ts'
import { releasePart } from '../orders/order-money.ts'
import {
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
 * coupon. Money that still arrives is settled by `settlePayment`. `why` is said of a payment that was not opened.
 */
export async function expireOrder(tx: Tx, order: LockedOrder, why: CancelReason = 'not_opened'): Promise<void> {
  const items = await readItemStates(tx, order.id)
  await tx.pipeline({
    order: (tx) => moveOrder(tx, order, 'expired'),
    items: (tx) => moveItems(tx, order, items, 'expired'),
    codes: (tx) => releaseCodes(tx, order.id),
    payments: (tx) => cancelUnopenedPayments(tx, order.id, why),
    part: (tx) => releasePart(tx, order),
    coupon: (tx) => (order.coupon_id === null ? undefined : releaseCoupon(tx, order.coupon_id)),
  })
}

/**
 * Supersedes an unpaid order by another one: money that still arrives for it goes to the wallet. The caller has locked
 * the cart.
 */
export async function supersedeOrder(tx: Tx, orderId: string, why?: CancelReason): Promise<void> {
  const order = await lockOrder(tx, orderId)
  if (!order) return
  if (order.status === 'awaiting_payment') await expireOrder(tx, order, why)
  await supersedeUnpaidOrder(tx, order)
}

/**
 * Expires every order that is overdue. One that is just being paid is left to its payment. One that can't be ended keeps no
 * other waiting: it fails the job once all others are done, and is tried again the next time.
 */
export async function expireOverdueOrders(database: Database): Promise<number> {
  const failed = new Map<string, unknown>()
  let expired = 0
  for (;;) {
    const ended = await expireNext(database, failed)
    if (ended === 'none') break
    if (ended === 'expired') expired++
  }
  if (failed.size > 0)
    throw new AggregateError(failed.values(), `orders that could not be ended: ${[...failed.keys()].join(', ')}`)
  return expired
}

/** Expires the order that is overdue longest, other than those that failed before, and notes it among them if it fails. */
async function expireNext(database: Database, failed: Map<string, unknown>): Promise<'expired' | 'failed' | 'none'> {
  let order: LockedOrder | undefined
  try {
    await database.transaction(async (tx) => {
      order = await lockNextOverdue(tx, [...failed.keys()])
      if (order) await expireOrder(tx, order)
    })
    return order ? 'expired' : 'none'
  } catch (error) {
    if (!order) throw error
    failed.set(order.id, error)
    return 'failed'
  }
}
