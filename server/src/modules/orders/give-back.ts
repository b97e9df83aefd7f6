import type { Tx } from '../../platform/database.ts'
import { credit } from '../wallet/move-money.ts'
import type { HeldItem, HeldOrder } from './hold-order.ts'
import { insertRefunds, insertUnitRefund, type NewRefund } from './refunds.store.ts'

/** What of an item's price is not given back yet, in minor units. */
export const priceLeftOf = ({ unit_price, quantity, refunded_units }: HeldItem): number =>
  unit_price * (quantity - refunded_units)

export interface RefundReason {
  reason: string
  /** None: the store itself. */
  madeBy: number | null
}

/** Notes that what is left of the price of these items of a held order goes back, and where to. */
export const noteRefunds = (
  tx: Tx,
  order: HeldOrder,
  items: readonly HeldItem[],
  how: RefundReason & Pick<NewRefund, 'destination' | 'cardRefundId'>,
) =>
  insertRefunds(tx, {
    ...how,
    orderId: order.id,
    items: items.map((item) => ({ id: item.id, amount: priceLeftOf(item) })),
  })

/** Puts what is left of the price of these items of a held order into the buyer's wallet, once an item. */
export async function giveBackItems(tx: Tx, order: HeldOrder, items: readonly HeldItem[], why: RefundReason) {
  for (const item of items) {
    await intoWallet(tx, order, { amount: priceLeftOf(item), key: `refund:${item.id}` }, why)
  }
}

/** Puts the price of one unit, if it had one, into the wallet of the buyer, who did not get it; once a delivery. */
export async function giveBackUnit(
  tx: Tx,
  order: HeldOrder,
  unit: { itemId: number; deliveryId: number; amount: number },
  why: RefundReason,
): Promise<void> {
  if (unit.amount === 0) return
  await insertUnitRefund(tx, { ...unit, ...why, orderId: order.id, byChargeback: false })
  await intoWallet(tx, order, { amount: unit.amount, key: `refund-unit:${unit.deliveryId}` }, why)
}

/** The bank has given the price of a unit back that nobody delivers: it is over, and no money moves. */
export const noteChargedBackUnit = (
  tx: Tx,
  order: HeldOrder,
  unit: { itemId: number; deliveryId: number; amount: number },
  why: RefundReason,
) => insertUnitRefund(tx, { ...unit, ...why, orderId: order.id, byChargeback: true })

const intoWallet = (
  tx: Tx,
  order: HeldOrder,
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
