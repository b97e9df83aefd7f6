import type { OrderStatus } from '@olmos/contract/orders'
import type { RefundDestination } from '@olmos/contract/payments'
import { sql, type Tx } from '../../platform/database/database.ts'
import { returnableItems, returnCodes } from '../codes/return-codes.ts'
import { type LockedItem, type LockedOrder, moveItems } from './order-states.ts'
import { priceLeft } from './orders.ts'

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

interface NewUnitRefund {
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
interface OutsideMoney {
  card_refund_id: number
  left: number
  destination: RefundDestination
  /** The ledger has it; not while the provider has not confirmed the refund. */
  is_booked: boolean
}

/** Of the payment of a held order, the oldest first. One that failed counts with what the wallet got in its place. */
const readOutsideMoney = (tx: Tx, orderId: string) =>
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

interface OutsideRefund {
  itemId: number
  deliveryId: number | null
  partId: number | null
  cardRefundId: number
  amount: number
  destination: RefundDestination
}

const insertOutsideRefund = (
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

interface CardRefundLine {
  id: number
  order_item_id: number
  part_id: number | null
  amount: number
  reason: string
  made_by: number | null
}

/** What the items of a held order get by a refund to the card. */
const readCardRefundLines = (tx: Tx, cardRefundId: number) =>
  tx.rows<CardRefundLine>(sql`
    SELECT id, order_item_id, part_id, amount, reason, made_by FROM refund WHERE card_refund_id = ${cardRefundId} ORDER BY id`)

/** Leaves so much less of it; nothing of a line is no line. */
async function reduceRefund(tx: Tx, { id, amount }: CardRefundLine, by: number): Promise<void> {
  await tx.run(
    by === amount
      ? sql`DELETE FROM refund WHERE id = ${id}`
      : sql`UPDATE refund SET amount = amount - ${by} WHERE id = ${id}`,
  )
}

// Money of an order that went back past the store, by a refund somebody made at the provider. It is not known what for,
// so it counts for whatever is given back of the order next: the store never pays it a second time.

/** Why an item was refunded that nobody refunded here. */
const reason = 'refunded_at_provider'

interface Wanted {
  itemId: number
  /** The unit that was not delivered; none: the item. */
  deliveryId: number | null
  /** The part of the item that is given back; none: all that is left. */
  partId: number | null
  amount: number
}

/**
 * Charges the money that went back past the store with these sums of a held order, as far as it reaches. Answers what
 * is left to be given back, without those that have all of it.
 */
export async function chargeOutside(
  tx: Tx,
  order: LockedOrder,
  wanted: readonly Wanted[],
  why: { reason: string; madeBy: number | null },
): Promise<Wanted[]> {
  const outside = await outsideMoney(tx, order)
  const due: Wanted[] = []
  for (const { amount, ...of } of wanted) {
    let left = amount
    for (const money of outside) {
      const part = Math.min(left, money.left)
      if (part === 0) continue
      money.left -= part
      left -= part
      const { card_refund_id: cardRefundId, destination } = money
      await insertOutsideRefund(tx, order.id, { ...of, cardRefundId, destination, amount: part }, why)
    }
    if (left > 0) due.push({ ...of, amount: left })
  }
  return due
}

/**
 * What of a refund to the card, which the provider refused, need not be given back any more, because the customer has
 * got it past the store in the meantime: its items are charged to that money instead. Answers how much that is.
 */
export async function coverRefund(tx: Tx, order: LockedOrder, cardRefundId: number): Promise<number> {
  let covered = 0
  for (const line of await readCardRefundLines(tx, cardRefundId)) {
    const of = { itemId: line.order_item_id, deliveryId: null, partId: line.part_id, amount: line.amount }
    const [due] = await chargeOutside(tx, order, [of], { reason: line.reason, madeBy: line.made_by })
    const part = line.amount - (due?.amount ?? 0)
    if (part > 0) await reduceRefund(tx, line, part)
    covered += part
  }
  return covered
}

/** How much of the order's money went back past the store and was not charged to an item. */
export async function outsideLeft(tx: Tx, order: LockedOrder): Promise<number> {
  return toSum(await outsideMoney(tx, order))
}

/**
 * Makes of a held order, nothing of which is on its way any more, what the money that went back past the store makes
 * of it: refunded with all its items, whose codes come back, when that was everything, else refunded in part. Items
 * whose codes were activated stay delivered, for those can't be taken back. Answers the order's status; none when no
 * money went back so, or something is on its way still.
 */
export async function settleOutside(
  tx: Tx,
  order: LockedOrder,
  items: readonly LockedItem[],
): Promise<OrderStatus | undefined> {
  if (order.payment_method !== 'card') return undefined
  const delivered = items.filter((item) => item.status === 'delivered')
  if (delivered.length === 0 || items.some(({ status }) => status === 'pending' || status === 'unknown'))
    return undefined
  const booked = toSum((await outsideMoney(tx, order)).filter((money) => money.is_booked))
  if (booked === 0) return undefined
  const wanted = delivered.map((item) => ({
    itemId: item.id,
    deliveryId: null,
    partId: null,
    amount: priceLeft(item),
  }))
  if (booked < wanted.reduce((sum, { amount }) => sum + amount, 0)) return 'partially_refunded'
  const returnable = await returnableItems(
    tx,
    delivered.map(({ id }) => id),
  )
  const refunded = delivered.filter(({ id }) => returnable.includes(id))
  await chargeOutside(
    tx,
    order,
    wanted.filter(({ itemId }) => returnable.includes(itemId)),
    { reason, madeBy: null },
  )
  await returnCodes(tx, returnable)
  await moveItems(tx, refunded, 'refunded')
  return refunded.length === delivered.length ? 'refunded' : 'partially_refunded'
}

const outsideMoney = async (tx: Tx, order: LockedOrder): Promise<OutsideMoney[]> =>
  order.payment_method === 'card' ? readOutsideMoney(tx, order.id) : []

const toSum = (money: readonly OutsideMoney[]): number => money.reduce((sum, { left }) => sum + left, 0)
