import type { RefundDestination } from '@olmos/contract/payments'
import { sql, type Tx } from '../../platform/database.ts'

export interface NewRefund {
  orderId: string
  items: readonly { id: number; amount: number }[]
  destination: RefundDestination
  cardRefundId: number | null
  reason: string
  /** None: the store itself. */
  madeBy: number | null
}

export const insertRefunds = (tx: Tx, { orderId, items, destination, cardRefundId, reason, madeBy }: NewRefund) =>
  tx.run(sql`
    INSERT INTO refund (order_id, order_item_id, amount, destination, card_refund_id, reason, made_by)
    SELECT ${orderId}, item.id, item.amount, ${destination}, ${cardRefundId}, ${reason}, ${madeBy}
    FROM unnest(${items.map((item) => item.id)}::bigint[], ${items.map((item) => item.amount)}::bigint[])
      AS item (id, amount)`)

export interface NewUnitRefund {
  orderId: string
  itemId: number
  deliveryId: number
  amount: number
  reason: string
  madeBy: number | null
  /** The bank took it back itself. */
  byChargeback: boolean
}

export const insertUnitRefund = (tx: Tx, unit: NewUnitRefund) =>
  tx.run(sql`
    INSERT INTO refund (order_id, order_item_id, delivery_id, amount, destination, reason, made_by, by_chargeback)
    VALUES (${unit.orderId}, ${unit.itemId}, ${unit.deliveryId}, ${unit.amount}, 'wallet', ${unit.reason},
      ${unit.madeBy}, ${unit.byChargeback})`)
