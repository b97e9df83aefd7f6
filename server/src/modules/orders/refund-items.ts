import type { Tx } from '../../platform/database/database.ts'
import { credit } from '../wallet/wallet.ts'
import type { LockedOrder } from './order-states.ts'
import { chargeOutside, insertRefundPart, insertRefunds, insertUnitRefund, type NewRefund } from './refunds.ts'

interface RefundReason {
  reason: string
  /** None: the store itself. */
  madeBy: number | null
}

/** What goes back for an item, in minor units. */
interface DueItem {
  id: number
  /** The part of it that this is for; none: all that is left. */
  partId: number | null
  amount: number
}

/** What goes back of an item while the rest of it stays with the customer, or is left for another refund. */
interface ItemPart {
  item: { id: number }
  /** None: a sum of money alone. */
  quantity: number | null
  amount: number
}

/** Notes parts of items of a held order that go back. Answers each with its id, which its refunds carry. */
export async function noteParts<Part extends ItemPart>(tx: Tx, order: LockedOrder, parts: readonly Part[]) {
  const noted: (Part & { partId: number })[] = []
  for (const part of parts) {
    const { item, quantity, amount } = part
    noted.push({ ...part, partId: await insertRefundPart(tx, order.id, { itemId: item.id, quantity, amount }) })
  }
  return noted
}

/**
 * What the store is to pay of these sums for items of a held order: less the money that went back past the store, which
 * is noted for them first. An item that has all of it already is not among them.
 */
export async function dueFor(tx: Tx, order: LockedOrder, items: readonly DueItem[], why: RefundReason) {
  const wanted = items.map(({ id, ...of }) => ({ ...of, itemId: id, deliveryId: null }))
  const left = await chargeOutside(tx, order, wanted, why)
  return left.map(({ itemId, partId, amount }): DueItem => ({ id: itemId, partId, amount }))
}

/** Notes what goes back for items of a held order, and where to. */
export const noteRefunds = (
  tx: Tx,
  order: LockedOrder,
  items: readonly DueItem[],
  how: RefundReason & Pick<NewRefund, 'destination' | 'cardRefundId'>,
) => insertRefunds(tx, { ...how, orderId: order.id, items })

/** Puts what is due for these items of a held order into the buyer's wallet, once an item or part of one. */
export async function refundItems(tx: Tx, order: LockedOrder, items: readonly DueItem[], why: RefundReason) {
  for (const { id, partId, amount } of items) {
    const key = partId === null ? `refund:${id}` : `refund-part:${partId}`
    await intoWallet(tx, order, { amount, key }, why)
  }
}

/** Puts the price of one unit, if it had one, into the wallet of the buyer, who did not get it; once a delivery. */
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

/** The bank has given the price of a unit back that nobody delivers: it is over, and no money moves. */
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
