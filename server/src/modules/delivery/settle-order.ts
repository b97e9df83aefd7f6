import type { OrderStatus } from '@olmos/contract/orders'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Database } from '../../platform/database/database.ts'
import { sql, type Tx } from '../../platform/database/queries.ts'
import { raiseAlert } from '../../platform/live/alert.ts'
import { settleCosts } from '../codes/purchases.ts'
import { refundFee, takeDueFee } from '../orders/fees.ts'
import { type LockedOrder, moveItems, moveOrder, readLockedItems } from '../orders/order-states.ts'
import { settleOutside } from '../orders/refunds.ts'
import { toItemStatus, toOrderStatus } from './delivery.rules.ts'

/** Puts overdue deliveries into the operator's queue. Those locked by a transaction are left to the next time. */
const takeOverdue = (tx: Tx) =>
  tx.rows<{ id: number; order_id: string; reason: string | null; promised_minutes: number }>(sql`
    WITH overdue AS (
      SELECT id FROM delivery
      WHERE operator_since IS NULL AND decided_at IS NULL
        AND tried_since <= now() - make_interval(mins => promised_minutes)
      ORDER BY tried_since LIMIT ${SERVER_LIMITS.overdueAtOnce} FOR UPDATE SKIP LOCKED)
    UPDATE delivery SET operator_since = now() FROM overdue, order_item
    WHERE delivery.id = overdue.id AND order_item.id = delivery.order_item_id
    RETURNING delivery.id, order_item.order_id, delivery.reason, delivery.promised_minutes`)

interface UnitCount {
  item_id: number
  waiting: number
  unknown: number
  done: number
  rejected: number
}

/** Counts what came from stock, and so did not have to be delivered, as done. */
const countUnits = (tx: Tx, orderId: string) =>
  tx.rows<UnitCount>(sql`
    SELECT order_item.id AS item_id, count(*) FILTER (WHERE state IN ('queued', 'sent'))::int AS waiting,
      count(*) FILTER (WHERE state = 'unknown')::int AS unknown,
      (quantity - count(*) FILTER (WHERE state <> 'done'))::int AS done,
      count(*) FILTER (WHERE state = 'rejected')::int AS rejected
    FROM order_item LEFT JOIN delivery ON delivery.order_item_id = order_item.id
    WHERE order_item.order_id = ${orderId} GROUP BY order_item.id`)

/**
 * Moves the items of a locked order, and the order once all are decided, to the status their units result in. Returns
 * the order's.
 */
export async function settleOrder(tx: Tx, order: LockedOrder): Promise<OrderStatus> {
  const items = await readLockedItems(tx, order)
  await settleCosts(
    tx,
    items.map(({ id }) => id),
  )
  for (const units of await countUnits(tx, order.id)) {
    const item = items.find(({ id }) => id === units.item_id)
    const status = toItemStatus(units)
    // What an admin has refunded meanwhile stays refunded.
    if (!item || item.status === status || item.status === 'refunded') continue
    await moveItems(tx, order, [item], status)
    item.status = status
  }
  const status = (await settleOutside(tx, order, items)) ?? toOrderStatus(items)
  if (status === undefined || status === order.status) return order.status
  await moveOrder(tx, order, status)
  const why = { reason: 'not_delivered', madeBy: null }
  if (status === 'refunded') await refundFee(tx, order, await takeDueFee(tx, order), why)
  return status
}

/**
 * Puts what was not delivered within the promised time into the operator's queue, whenever its next look-up is: waiting
 * for that may take ten minutes longer. Look-ups continue as well.
 */
export const handOverOverdue = (database: Database): Promise<void> =>
  database.transaction(async (tx) => {
    for (const { id, order_id, reason, promised_minutes: minutes } of await takeOverdue(tx)) {
      await raiseAlert(tx, {
        kind: 'delivery.stuck',
        subject: `delivery:${id}`,
        details: { order: order_id, why: reason ?? 'not_done_yet', minutes },
      })
    }
  })
