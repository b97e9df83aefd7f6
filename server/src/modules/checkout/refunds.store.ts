import type { Currency } from '@olmos/contract/money'
import type { OrderStatus } from '@olmos/contract/orders'
import type { RefundDestination } from '@olmos/contract/payments'
import { type Queries, sql, type Tx } from '../../platform/database.ts'

export interface NewRefund {
  orderId: string
  items: readonly { id: number; amount: number }[]
  destination: RefundDestination
  cardRefundId: number | null
  reason: string
  madeBy: number
}

export const insertRefunds = (tx: Tx, { orderId, items, destination, cardRefundId, reason, madeBy }: NewRefund) =>
  tx.run(sql`
    INSERT INTO refund (order_id, order_item_id, amount, destination, card_refund_id, reason, made_by)
    SELECT ${orderId}, item.id, item.amount, ${destination}, ${cardRefundId}, ${reason}, ${madeBy}
    FROM unnest(${items.map((item) => item.id)}::bigint[], ${items.map((item) => item.amount)}::bigint[])
      AS item (id, amount)`)

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
    WHERE refund.order_id = ${orderId} ORDER BY refund.id`)

export const readOrderStatus = (queries: Queries, orderId: string) =>
  queries.one<{ status: OrderStatus; currency: Currency }>(
    sql`SELECT status, currency FROM orders WHERE id = ${orderId}`,
  )
