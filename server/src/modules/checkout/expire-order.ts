import type { Database, Tx } from '../../platform/database/database.ts'
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

/** Ends a held order that was not paid: its codes are for others again. What is paid for it later finds its way. */
export async function expireOrder(tx: Tx, order: LockedOrder): Promise<void> {
  const items = await readLockedItems(tx, order)
  await tx.pipeline({
    order: (tx) => moveOrder(tx, order, 'expired'),
    items: (tx) => moveItems(tx, items, 'expired'),
    codes: (tx) => releaseCodes(tx, order.id),
    payments: (tx) => cancelUnopenedPayments(tx, order.id),
  })
}

/** Another order takes the place of this unpaid one: money that still comes for it goes to the wallet. The caller holds the cart. */
export async function supersedeOrder(tx: Tx, orderId: string): Promise<void> {
  const order = await lockOrder(tx, orderId)
  if (!order) return
  if (order.status === 'awaiting_payment') await expireOrder(tx, order)
  await supersedeUnpaidOrder(tx, order)
}

/** Ends every order whose time is over. One that is just being paid is left to its payment. */
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
