import type { Tx } from '../../platform/database/queries.ts'
import { credit } from '../wallet/wallet.ts'
import { type LockedOrder, notifyOrder } from './order-states.ts'
import { chargeOutside, insertRefundPart, insertRefunds, insertUnitRefund, type NewRefund } from './refunds.ts'

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
    // A second part changes no status.
    notifyOrder(tx, order)
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

/** Stores what is refunded for items of a locked order, and where to. */
export const noteRefunds = (
  tx: Tx,
  order: LockedOrder,
  items: readonly DueItem[],
  how: RefundReason & Pick<NewRefund, 'destination' | 'cardRefundId'>,
) => insertRefunds(tx, { ...how, orderId: order.id, items })

/** Refunds these items of a locked order to the buyer's wallet, once per item or part. */
export async function refundItems(tx: Tx, order: LockedOrder, items: readonly DueItem[], why: RefundReason) {
  for (const { id, partId, amount } of items) {
    const key = partId === null ? `refund:${id}` : `refund-part:${partId}`
    await intoWallet(tx, order, { amount, key }, why)
  }
}

/** Refunds the price of one undelivered unit, if it had one, to the buyer's wallet, once per delivery. */
export async function refundUnit(
  tx: Tx,
  order: LockedOrder,
  unit: { itemId: number; deliveryId: number; amount: number },
  why: RefundReason,
): Promise<void> {
  if (unit.amount === 0) return
  const [due] = await chargeOutside(tx, order, [{ ...unit, partId: null }], why)
  if (!due) return
  await insertUnitRefund(tx, { ...unit, amount: due.amount, ...why, orderId: order.id, byChargeback: false })
  await intoWallet(tx, order, { amount: due.amount, key: `refund-unit:${unit.deliveryId}` }, why)
}

/** The bank has charged back a unit that will not be delivered: records it without moving money. */
export const noteChargedBackUnit = (
  tx: Tx,
  order: LockedOrder,
  unit: { itemId: number; deliveryId: number; amount: number },
  why: RefundReason,
) => insertUnitRefund(tx, { ...unit, ...why, orderId: order.id, byChargeback: true })

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
