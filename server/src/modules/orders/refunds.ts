import type { OrderStatus } from '@olmos/contract/orders'
import type { RefundDestination } from '@olmos/contract/payments'
import { sql, type Tx } from '../../platform/database/queries.ts'
import { returnableItems, returnCodes } from '../codes/change-code.ts'
import { type OutsideMoney, outsideBooked, readOutsideMoney, sumOutside } from '../payments/card-refunds.ts'
import { moneyLeft, readOrderMoney } from '../payments/disputes.ts'
import { credit, moveBetween } from '../wallet/wallet.ts'
import { type LockedItem, type LockedOrder, moveItems } from './order-states.ts'
import { priceLeft } from './orders.ts'

interface RefundReason {
  reason: string
  /** Null for the store itself. */
  madeBy: number | null
}

/** A refund that is due for an item, in minor units. */
interface DueItem {
  id: number
  /** The partial refund this belongs to; null for all that is left. */
  partId: number | null
  amount: number
}

interface RefundWay extends RefundReason {
  destination: RefundDestination
  cardRefundId: number | null
}

/** Stores what is refunded for items of a locked order, and where to. */
export const insertRefunds = (
  tx: Tx,
  order: LockedOrder,
  items: readonly DueItem[],
  { destination, cardRefundId, reason, madeBy }: RefundWay,
) =>
  tx.run(sql`
    INSERT INTO refund (order_id, order_item_id, part_id, amount, destination, card_refund_id, reason, made_by)
    SELECT ${order.id}, item.id, item.part_id, item.amount, ${destination}, ${cardRefundId}, ${reason}, ${madeBy}
    FROM unnest(${items.map((item) => item.id)}::bigint[], ${items.map((item) => item.partId)}::bigint[],
      ${items.map((item) => item.amount)}::bigint[]) AS item (id, part_id, amount)`)

/** Stores a partial refund of a line of a locked order: some units, or a sum. Returns its id. */
const insertRefundPart = async (
  tx: Tx,
  orderId: string,
  part: { itemId: number; quantity: number | null; amount: number },
): Promise<number> =>
  (
    await tx.one<{ id: number }>(sql`
      INSERT INTO refund_part (order_id, order_item_id, quantity, amount)
      VALUES (${orderId}, ${part.itemId}, ${part.quantity}, ${part.amount}) RETURNING id`)
  ).id

interface RefundedUnit {
  itemId: number
  deliveryId: number
  amount: number
}

/** Stores the refund of one unit that will not be delivered. Of one that the bank has charged back, no money moves. */
export const insertUnitRefund = (
  tx: Tx,
  order: LockedOrder,
  { itemId, deliveryId, amount }: RefundedUnit,
  { reason, madeBy, byChargeback }: RefundReason & { byChargeback: boolean },
) =>
  tx.run(sql`
    INSERT INTO refund (order_id, order_item_id, delivery_id, amount, destination, reason, made_by, by_chargeback)
    VALUES (${order.id}, ${itemId}, ${deliveryId}, ${amount}, 'wallet', ${reason}, ${madeBy}, ${byChargeback})`)

interface OutsideShare {
  itemId: number
  deliveryId: number | null
  partId: number | null
  cardRefundId: number
  amount: number
  destination: RefundDestination
}

/** Stores what an item bears of the money refunded outside the store. */
const insertOutsideShare = (
  tx: Tx,
  orderId: string,
  { itemId, deliveryId, partId, cardRefundId, amount, destination }: OutsideShare,
  { reason, madeBy }: RefundReason,
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

/** Reads the lines of a card refund of a locked order. */
const readCardRefundLines = (tx: Tx, cardRefundId: number) =>
  tx.rows<CardRefundLine>(sql`
    SELECT id, order_item_id, part_id, amount, reason, made_by FROM refund WHERE card_refund_id = ${cardRefundId} ORDER BY id`)

/** Reduces a line by an amount; a line of zero is deleted. */
async function reduceRefund(tx: Tx, { id, amount }: CardRefundLine, by: number): Promise<void> {
  await tx.run(
    by === amount
      ? sql`DELETE FROM refund WHERE id = ${id}`
      : sql`UPDATE refund SET amount = amount - ${by} WHERE id = ${id}`,
  )
}

// Money of an order that somebody refunded at the provider, outside the store. Its purpose is unknown, so it is charged
// to whatever the order refunds next: the store never pays it a second time.

/** The reason of a refund that was not made here. */
const reason = 'refunded_at_provider'

interface Wanted {
  itemId: number
  /** The unit that was not delivered; null for the item. */
  deliveryId: number | null
  /** The part of the item that is refunded; null for all that is left. */
  partId: number | null
  amount: number
}

/**
 * Charges the money refunded outside the store to these sums of a locked order, as far as it goes. Returns what is left
 * to refund, without items it covers entirely.
 */
async function chargeOutside(
  tx: Tx,
  order: LockedOrder,
  wanted: readonly Wanted[],
  why: RefundReason,
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
      await insertOutsideShare(tx, order.id, { ...of, cardRefundId, destination, amount: part }, why)
    }
    if (left > 0) due.push({ ...of, amount: left })
  }
  return due
}

/**
 * The provider refused this card refund, and the customer may have got the money outside the store since: charges its
 * items to that money. Returns how much of the refund that covers.
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

/**
 * Charges what of an order's fee is to go back to the money refunded outside the store, as far as it goes. The sales have
 * borne what is booked of that by now: the account of fees makes it good. Returns what is left to refund.
 */
export async function chargeFeeOutside(tx: Tx, order: LockedOrder, fee: number): Promise<number> {
  let due = fee
  for (const money of fee > 0 ? await outsideMoney(tx, order) : []) {
    const part = Math.min(due, money.left)
    if (part === 0) continue
    due -= part
    const { card_refund_id: id, is_booked } = money
    const { fee_amount } = await tx.one<{ fee_amount: number }>(
      sql`UPDATE card_refund SET fee_amount = fee_amount + ${part} WHERE id = ${id} RETURNING fee_amount`,
    )
    if (!is_booked) continue
    const { id: orderId, currency } = order
    // All that it refunds of the fee stands in the name, so that a later part has another.
    const key = `card-refund-fee-moved:${id}:${fee_amount}`
    await moveBetween(tx, { from: 'fees', to: 'sales', kind: 'payout', amount: part, currency, orderId, key })
  }
  return due
}

/** How much of the order's money was refunded outside the store and is not charged to an item. */
export async function outsideLeft(tx: Tx, order: LockedOrder): Promise<number> {
  return sumOutside(await outsideMoney(tx, order))
}

/**
 * Settles a locked order, of which nothing is being delivered any more, by the money refunded outside the store:
 * refunded with all its items, whose codes are returned, when that was everything, else partly refunded. Items whose
 * codes were activated stay delivered, because those can't be returned. What a bank has taken back as well is charged to no
 * item, because the customer has that twice. Returns the order's new status, or undefined when no money was refunded that
 * way or a delivery is still under way.
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
  const booked = await outsideBooked(tx, order.id)
  if (booked === 0) return undefined
  const chargeable = Math.min(booked, moneyLeft(await readOrderMoney(tx, order.id)))
  const wanted = delivered.map((item) => ({
    itemId: item.id,
    deliveryId: null,
    partId: null,
    amount: priceLeft(item),
  }))
  if (chargeable < wanted.reduce((sum, { amount }) => sum + amount, 0)) return 'partially_refunded'
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
  await moveItems(tx, order, refunded, 'refunded')
  return refunded.length === delivered.length ? 'refunded' : 'partially_refunded'
}

const outsideMoney = async (tx: Tx, order: LockedOrder): Promise<OutsideMoney[]> =>
  order.payment_method === 'card' ? readOutsideMoney(tx, order.id) : []

/** A refund of a part of an item; the rest stays with the customer, or is left for another refund. */
interface ItemPart {
  item: { id: number }
  /** Null for a sum of money alone. */
  quantity: number | null
  amount: number
}

/** Stores partial refunds of items of a locked order. Returns each with its id, which its refunds carry. */
export async function noteParts<Part extends ItemPart>(tx: Tx, order: LockedOrder, parts: readonly Part[]) {
  const noted: (Part & { partId: number })[] = []
  for (const part of parts) {
    const { item, quantity, amount } = part
    noted.push({ ...part, partId: await insertRefundPart(tx, order.id, { itemId: item.id, quantity, amount }) })
  }
  return noted
}

/**
 * Computes what the store has to pay of these sums for items of a locked order: less the money refunded at the
 * provider, which is charged to them first. Items it covers entirely are left out.
 */
export async function dueFor(tx: Tx, order: LockedOrder, items: readonly DueItem[], why: RefundReason) {
  const wanted = items.map(({ id, ...of }) => ({ ...of, itemId: id, deliveryId: null }))
  const left = await chargeOutside(tx, order, wanted, why)
  return left.map(({ itemId, partId, amount }): DueItem => ({ id: itemId, partId, amount }))
}

/** Refunds these items of a locked order to the buyer's wallet, once per item or part. */
export async function refundItems(tx: Tx, order: LockedOrder, items: readonly DueItem[], why: RefundReason) {
  for (const { id, partId, amount } of items) {
    const key = partId === null ? `refund:${id}` : `refund-part:${partId}`
    await intoWallet(tx, order, { amount, key }, why)
  }
}

/** Refunds the price of one undelivered unit, if it had one, to the buyer's wallet, once per delivery. */
export async function refundUnit(tx: Tx, order: LockedOrder, unit: RefundedUnit, why: RefundReason): Promise<void> {
  if (unit.amount === 0) return
  const [due] = await chargeOutside(tx, order, [{ ...unit, partId: null }], why)
  if (!due) return
  await insertUnitRefund(tx, order, { ...unit, amount: due.amount }, { ...why, byChargeback: false })
  await intoWallet(tx, order, { amount: due.amount, key: `refund-unit:${unit.deliveryId}` }, why)
}

const intoWallet = (
  tx: Tx,
  order: LockedOrder,
  { amount, key }: { amount: number; key: string },
  { reason, madeBy }: RefundReason,
) =>
  credit(tx, {
    userId: order.user_id,
    currency: order.currency,
    amount,
    kind: 'refund',
    shopAccount: 'sales',
    orderId: order.id,
    key,
    reason,
    ...(madeBy !== null && { madeBy }),
  })
