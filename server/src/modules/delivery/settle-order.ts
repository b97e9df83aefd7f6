import { BUSINESS } from '@olmos/contract/business'
import type { OrderStatus } from '@olmos/contract/orders'
import type { Database, Tx } from '../../platform/database/database.ts'
import { raiseAlert } from '../../platform/live/alert.ts'
import { type LockedOrder, moveItems, moveOrder, readLockedItems } from '../orders/order-states.ts'
import { settleOutside } from '../orders/refunds.ts'
import { countUnits, takeOverdue } from './deliveries.store.ts'
import { toItemStatus, toOrderStatus } from './delivery.rules.ts'

/**
 * Moves the items of a locked order, and the order once all are decided, to the status their units result in. Returns
 * the order's.
 */
export async function settleOrder(tx: Tx, order: LockedOrder): Promise<OrderStatus> {
  const items = await readLockedItems(tx, order)
  for (const units of await countUnits(tx, order.id)) {
    const item = items.find(({ id }) => id === units.item_id)
    const status = toItemStatus(units)
    // What an admin has refunded meanwhile stays refunded.
    if (!item || item.status === status || item.status === 'refunded') continue
    await moveItems(tx, [item], status)
    item.status = status
  }
  const status = (await settleOutside(tx, order, items)) ?? toOrderStatus(items)
  if (status === undefined || status === order.status) return order.status
  await moveOrder(tx, order, status)
  return status
}

/**
 * Puts what was not delivered within the promised time into the operator's queue, whenever its next look-up is: waiting
 * for that may take ten minutes longer. Look-ups continue as well.
 */
export const handOverOverdue = (database: Database): Promise<void> =>
  database.transaction(async (tx) => {
    for (const { id, order_id, reason } of await takeOverdue(tx)) {
      await raiseAlert(tx, {
        kind: 'delivery.stuck',
        subject: `delivery:${id}`,
        details: { order: order_id, why: reason ?? 'not_done_yet', minutes: BUSINESS.topupMinutes },
      })
    }
  })
