import type { RefundDestination } from '@olmos/contract/payments'
import { sql, type Tx } from '../../platform/database.ts'

export interface NewRefund {
  orderId: string
  items: readonly { id: number; partId: number | null; amount: number }[]
  destination: RefundDestination
  cardRefundId: number | null
  reason: string
  /** None: the store itself. */
  madeBy: number | null
}

export const insertRefunds = (tx: Tx, { orderId, items, destination, cardRefundId, reason, madeBy }: NewRefund) =>
  tx.run(sql`
    INSERT INTO refund (order_id, order_item_id, part_id, amount, destination, card_refund_id, reason, made_by)
    SELECT ${orderId}, item.id, item.part_id, item.amount, ${destination}, ${cardRefundId}, ${reason}, ${madeBy}
    FROM unnest(${items.map((item) => item.id)}::bigint[], ${items.map((item) => item.partId)}::bigint[],
      ${items.map((item) => item.amount)}::bigint[]) AS item (id, part_id, amount)`)

/** Some units of a line of a held order, or a sum of it, are given back. Answers its id. */
export const insertRefundPart = async (
  tx: Tx,
  orderId: string,
  part: { itemId: number; quantity: number | null; amount: number },
): Promise<number> =>
  (
    await tx.one<{ id: number }>(sql`
      INSERT INTO refund_part (order_id, order_item_id, quantity, amount)
      VALUES (${orderId}, ${part.itemId}, ${part.quantity}, ${part.amount}) RETURNING id`)
  ).id

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

/** Money that went back by a refund made at the provider and that no item has been charged with yet. */
export interface OutsideMoney {
  card_refund_id: number
  left: number
  destination: RefundDestination
  /** The ledger has it; not while the provider has not confirmed the refund. */
  is_booked: boolean
}

/** Of the payment of a held order, the oldest first. One that failed counts with what the wallet got in its place. */
export const readOutsideMoney = (tx: Tx, orderId: string) =>
  tx.rows<OutsideMoney>(sql`
    SELECT card_refund_id, is_booked, destination, amount - assigned AS left FROM (
      SELECT card_refund.id AS card_refund_id, card_refund.status = 'succeeded' OR payout.amount IS NOT NULL AS is_booked,
        CASE card_refund.status WHEN 'failed' THEN 'wallet' ELSE 'card' END AS destination,
        CASE card_refund.status WHEN 'failed' THEN coalesce(payout.amount, 0) ELSE card_refund.amount END AS amount,
        (SELECT coalesce(sum(amount), 0)::bigint FROM refund WHERE card_refund_id = card_refund.id) AS assigned
      FROM payment JOIN card_refund ON card_refund.payment_id = payment.id AND origin = 'provider'
      LEFT JOIN transfer AS payout ON payout.key = 'card-refund:' || card_refund.id
      WHERE payment.order_id = ${orderId} AND payment.settled_to = 'order') AS outside
    WHERE amount > assigned ORDER BY card_refund_id`)

export interface OutsideRefund {
  itemId: number
  deliveryId: number | null
  partId: number | null
  cardRefundId: number
  amount: number
  destination: RefundDestination
}

export const insertOutsideRefund = (
  tx: Tx,
  orderId: string,
  { itemId, deliveryId, partId, cardRefundId, amount, destination }: OutsideRefund,
  { reason, madeBy }: { reason: string; madeBy: number | null },
) =>
  tx.run(sql`
    INSERT INTO refund (order_id, order_item_id, delivery_id, part_id, card_refund_id, amount, destination, reason,
      made_by, is_outside)
    VALUES (${orderId}, ${itemId}, ${deliveryId}, ${partId}, ${cardRefundId}, ${amount}, ${destination}, ${reason},
      ${madeBy}, true)`)

export interface CardRefundLine {
  id: number
  order_item_id: number
  part_id: number | null
  amount: number
  reason: string
  made_by: number | null
}

/** What the items of a held order get by a refund to the card. */
export const readCardRefundLines = (tx: Tx, cardRefundId: number) =>
  tx.rows<CardRefundLine>(sql`
    SELECT id, order_item_id, part_id, amount, reason, made_by FROM refund WHERE card_refund_id = ${cardRefundId} ORDER BY id`)

/** Leaves so much less of it; nothing of a line is no line. */
export async function reduceRefund(tx: Tx, { id, amount }: CardRefundLine, by: number): Promise<void> {
  await tx.run(
    by === amount
      ? sql`DELETE FROM refund WHERE id = ${id}`
      : sql`UPDATE refund SET amount = amount - ${by} WHERE id = ${id}`,
  )
}
