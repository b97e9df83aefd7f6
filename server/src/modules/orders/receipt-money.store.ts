import type { PaymentStatus } from '@olmos/contract/orders'
import { type Queries, sql } from '../../platform/database.ts'

export interface PaymentRow {
  status: PaymentStatus
  pay_url: string | null
  expires_at: Date | null
  settled_to: 'order' | 'wallet' | 'operator' | null
  is_paid_twice: boolean
}

/** The card payment of an order that counts: the one it was paid by, else the latest. */
export const findPaymentOf = (queries: Queries, orderId: string) =>
  queries.maybe<PaymentRow>(sql`
    SELECT payment.status, payment.settled_to,
      CASE WHEN orders.status = 'awaiting_payment' AND payment.status = 'open' THEN pay_url END AS pay_url,
      CASE WHEN orders.status = 'awaiting_payment' THEN orders.expires_at END AS expires_at,
      EXISTS (SELECT FROM payment AS other WHERE other.order_id = orders.id AND other.id <> payment.id
        AND other.settled_to = 'wallet') AS is_paid_twice
    FROM payment JOIN orders ON orders.id = payment.order_id WHERE order_id = ${orderId}
    ORDER BY payment.settled_to IS NOT DISTINCT FROM 'order' DESC, payment.id DESC LIMIT 1`)

export const refundedItems = (queries: Queries, orderId: string) =>
  queries.rows<{ order_item_id: number; destination: 'wallet' | 'card'; is_unit: boolean }>(sql`
    SELECT DISTINCT ON (order_item_id, delivery_id) order_item_id, destination, delivery_id IS NOT NULL AS is_unit
    FROM refund WHERE order_id = ${orderId} AND NOT by_chargeback
    ORDER BY order_item_id, delivery_id, part_id IS NOT NULL, amount DESC`)

export interface PartRow {
  order_item_id: number
  quantity: number | null
  amount: number
  destination: 'wallet' | 'card'
}

/** What was given back of lines of an order in part, in the order of time, and where most of it went. */
export const readRefundParts = (queries: Queries, orderId: string) =>
  queries.rows<PartRow>(sql`
    SELECT order_item_id, quantity, amount, (
        SELECT destination FROM refund WHERE part_id = refund_part.id ORDER BY refund.amount DESC, refund.id LIMIT 1
      ) AS destination
    FROM refund_part WHERE order_id = ${orderId} ORDER BY id`)
