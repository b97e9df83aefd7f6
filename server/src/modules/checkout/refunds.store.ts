import type { Currency } from '@olmos/contract/money'
import type { OrderStatus } from '@olmos/contract/orders'
import type { RefundDestination } from '@olmos/contract/payments'
import { type Queries, sql, type Tx } from '../../platform/database.ts'

/** The card did not take them. */
export const redirectRefunds = (tx: Tx, cardRefundId: number) =>
  tx.run(sql`UPDATE refund SET destination = 'wallet' WHERE card_refund_id = ${cardRefundId}`)

/** How much of a refund to the card its items were charged with. */
export const assignedTo = async (tx: Tx, cardRefundId: number): Promise<number> =>
  (
    await tx.one<{ assigned: number }>(
      sql`SELECT coalesce(sum(amount), 0)::bigint AS assigned FROM refund WHERE card_refund_id = ${cardRefundId}`,
    )
  ).assigned

/** How much the ledger has of it; of a payment that had gone to the wallet, what came out of there. */
export const bookedUnder = async (tx: Tx, cardRefundId: number): Promise<number> =>
  (await tx.maybe<{ amount: number }>(sql`SELECT amount FROM transfer WHERE key = ${`card-refund:${cardRefundId}`}`))
    ?.amount ?? 0

export interface RefundRow {
  item_id: number
  quantity: number | null
  amount: number
  destination: RefundDestination
  is_waiting: boolean
  reason: string
  created_at: Date
}

export const readRefunds = (queries: Queries, orderId: string) =>
  queries.rows<RefundRow>(sql`
    SELECT refund.order_item_id AS item_id, refund_part.quantity, refund.amount, destination, reason, refund.created_at,
      coalesce(card_refund.status IN ('sending', 'sent'), false) AS is_waiting
    FROM refund LEFT JOIN card_refund ON card_refund.id = refund.card_refund_id
    LEFT JOIN refund_part ON refund_part.id = part_id
    WHERE refund.order_id = ${orderId} AND NOT by_chargeback ORDER BY refund.id`)

export const readOrderStatus = (queries: Queries, orderId: string) =>
  queries.one<{ status: OrderStatus; currency: Currency }>(
    sql`SELECT status, currency FROM orders WHERE id = ${orderId}`,
  )
