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
    FROM refund WHERE order_id = ${orderId} AND NOT by_chargeback ORDER BY order_item_id, delivery_id, amount DESC`)
