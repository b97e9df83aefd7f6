import type { StepName } from '@olmos/contract/orders'
import { type Queries, sql } from '../../platform/database.ts'

export interface StepRow {
  item_id: number
  name: StepName
  at: Date
}

/** What has happened to the items of an order that are delivered by somebody else, each the first time, in the order of time. */
export const readSteps = (queries: Queries, orderId: string) =>
  queries.rows<StepRow>(sql`
    SELECT item_id, name, min(at) AS at FROM (
      SELECT order_item.id AS item_id, 'paid' AS name, coalesce((
        SELECT min(created_at) FROM status_change
        WHERE order_item_id = order_item.id AND was IN ('awaiting_payment', 'expired')
          AND became IN ('pending', 'delivered')), orders.created_at) AS at
      FROM order_item JOIN orders ON orders.id = order_id
      WHERE order_id = ${orderId} AND order_item.status NOT IN ('awaiting_payment', 'expired')
      UNION ALL
      SELECT order_item.id, 'sent', supplier_order.created_at
      FROM order_item JOIN delivery ON delivery.order_item_id = order_item.id
      JOIN supplier_order ON supplier_order.delivery_id = delivery.id
      WHERE order_id = ${orderId}
      UNION ALL
      SELECT order_item_id, became, created_at FROM status_change
      WHERE order_id = ${orderId} AND order_item_id IS NOT NULL AND became IN ('delivered', 'unknown', 'refunded')
      UNION ALL
      SELECT order_item_id, 'refunded', created_at FROM refund
      WHERE order_id = ${orderId} AND part_id IS NULL) AS step
    JOIN order_item ON order_item.id = item_id AND (item_type = 'topup'
      OR EXISTS (SELECT FROM delivery WHERE delivery.order_item_id = item_id))
    GROUP BY item_id, name ORDER BY at, name = 'paid' DESC, name = 'sent' DESC`)
