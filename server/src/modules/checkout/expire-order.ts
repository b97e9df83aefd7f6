import type { Database } from '../../platform/database/database.ts'
import type { Tx } from '../../platform/database/queries.ts'
import { releaseCodes } from '../codes/reservations.ts'
import {
  type LockedOrder,
  lockNextOverdue,
  lockOrder,
  moveItems,
  moveOrder,
  readLockedItems,
  supersedeUnpaidOrder,
} from '../orders/order-states.ts'
import { cancelUnopenedPayments } from '../payments/payments.ts'
import { releasePart } from './wallet-part.ts'

/**
 * Expires a locked order that was not paid, and releases its codes and what is reserved of the balance. Money that still
 * arrives is settled by `settlePayment`.
 */
export async function expireOrder(tx: Tx, order: LockedOrder): Promise<void> {
  const items = await readLockedItems(tx, order)
  await tx.pipeline({
    order: (tx) => moveOrder(tx, order, 'expired'),
    items: (tx) => moveItems(tx, order, items, 'expired'),
    codes: (tx) => releaseCodes(tx, order.id),
    payments: (tx) => cancelUnopenedPayments(tx, order.id),
    part: (tx) => releasePart(tx, order),
  })
}

/**
 * Supersedes an unpaid order by another one: money that still arrives for it goes to the wallet. The caller has locked
 * the cart.
 */
export async function supersedeOrder(tx: Tx, orderId: string): Promise<void> {
  const order = await lockOrder(tx, orderId)
  if (!order) return
  if (order.status === 'awaiting_payment') await expireOrder(tx, order)
  await supersedeUnpaidOrder(tx, order)
}

/** Expires every order that is overdue. One that is just being paid is left to its payment. */
export async function expireOverdueOrders(database: Database): Promise<number> {
  for (let expired = 0; ; expired++) {
    const isMore = await database.transaction(async (tx) => {
      const order = await lockNextOverdue(tx)
      if (order) await expireOrder(tx, order)
      return order !== undefined
    })
    if (!isMore) return expired
  }
}
