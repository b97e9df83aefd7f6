import type { Currency } from '@olmos/contract/money'
import type { OrderStatus } from '@olmos/contract/orders'
import type { RefundDestination } from '@olmos/contract/payments'
import { type Queries, sql, type Tx } from '../../platform/database.ts'

/** The card did not take them. */
export const redirectRefunds = (tx: Tx, cardRefundId: number) =>
  tx.run(sql`UPDATE refund SET destination = 'wallet' WHERE card_refund_id = ${cardRefundId}`)

export interface RefundRow {
  item_id: number
  amount: number
  destination: RefundDestination
  is_waiting: boolean
  reason: string
  created_at: Date
}

export const readRefunds = (queries: Queries, orderId: string) =>
  queries.rows<RefundRow>(sql`
    SELECT order_item_id AS item_id, refund.amount, destination, reason, refund.created_at,
      coalesce(card_refund.status IN ('sending', 'sent'), false) AS is_waiting
    FROM refund LEFT JOIN card_refund ON card_refund.id = refund.card_refund_id
    WHERE refund.order_id = ${orderId} AND NOT by_chargeback ORDER BY refund.id`)

export const readOrderStatus = (queries: Queries, orderId: string) =>
  queries.one<{ status: OrderStatus; currency: Currency }>(
    sql`SELECT status, currency FROM orders WHERE id = ${orderId}`,
  )
