import type { OrderStatus } from '@olmos/contract/orders'
import type { Tx } from '../../platform/database.ts'
import { returnableItems, returnCodes } from '../codes/return-codes.ts'
import { moveItems } from './hold-order.ts'
import { priceLeftOf } from './order.rules.ts'
import type { HeldItem, HeldOrder } from './order-states.store.ts'
import {
  insertOutsideRefund,
  type OutsideMoney,
  readCardRefundLines,
  readOutsideMoney,
  reduceRefund,
} from './refunds.store.ts'

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
  order: HeldOrder,
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
export async function coverRefund(tx: Tx, order: HeldOrder, cardRefundId: number): Promise<number> {
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
export async function outsideLeft(tx: Tx, order: HeldOrder): Promise<number> {
  return sumOf(await outsideMoney(tx, order))
}

/**
 * Makes of a held order, nothing of which is on its way any more, what the money that went back past the store makes
 * of it: refunded with all its items, whose codes come back, when that was everything, else refunded in part. Items
 * whose codes were activated stay delivered, for those can't be taken back. Answers the order's status; none when no
 * money went back so, or something is on its way still.
 */
export async function settleOutside(
  tx: Tx,
  order: HeldOrder,
  items: readonly HeldItem[],
): Promise<OrderStatus | undefined> {
  if (order.payment_method !== 'card') return undefined
  const delivered = items.filter((item) => item.status === 'delivered')
  if (delivered.length === 0 || items.some(({ status }) => status === 'pending' || status === 'unknown'))
    return undefined
  const booked = sumOf((await outsideMoney(tx, order)).filter((money) => money.is_booked))
  if (booked === 0) return undefined
  const wanted = delivered.map((item) => ({
    itemId: item.id,
    deliveryId: null,
    partId: null,
    amount: priceLeftOf(item),
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

const outsideMoney = async (tx: Tx, order: HeldOrder): Promise<OutsideMoney[]> =>
  order.payment_method === 'card' ? readOutsideMoney(tx, order.id) : []

const sumOf = (money: readonly OutsideMoney[]): number => money.reduce((sum, { left }) => sum + left, 0)
