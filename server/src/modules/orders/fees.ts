import { sql, type Tx } from '../../platform/database/queries.ts'
import { findOrderPayment } from '../payments/card-refunds.ts'
import { readOrderMoney } from '../payments/disputes.ts'
import type { PaymentRow } from '../payments/payments.ts'
import { readFeeLeft } from '../payments/refundable.ts'
import { credit, moveBetween } from '../wallet/wallet.ts'
import type { LockedOrder } from './order-states.ts'
import { chargeFeeOutside } from './refunds.ts'

// What a buyer pays for the way to pay, beside what the order costs: docs/decisions/038.

/** Books the fee of a payment that was made, once. It may be sent together with other statements of the transaction. */
export const bookFee = async (
  tx: Tx,
  { id, order_id: orderId, fee_amount: amount, currency }: PaymentRow,
): Promise<void> => {
  if (amount === 0) return
  const key = `payment-fee:${id}`
  await moveBetween(tx, { from: 'card', to: 'fees', kind: 'card', amount, currency, orderId, key })
}

/** Whether any unit of the order was ever delivered. */
const wasDelivered = async (tx: Tx, orderId: string): Promise<boolean> =>
  (await tx.maybe(sql`
    SELECT FROM status_change WHERE order_id = ${orderId} AND order_item_id IS NOT NULL AND became = 'delivered' LIMIT 1`)) !==
  undefined

/**
 * Computes how much of its fee the store has to refund of a locked order that is refunded as a whole, in minor units: what
 * has not gone back in the provider's cabinet, where the terms of the payment return it, or nothing was delivered. A bank
 * that took the money of the order back has the fee, too.
 */
export async function takeDueFee(tx: Tx, order: LockedOrder): Promise<number> {
  const payment = await findOrderPayment(tx, order.id)
  const left = payment ? await readFeeLeft(tx, payment.id) : 0
  if (!payment || left === 0) return 0
  if (!payment.is_fee_refunded && (await wasDelivered(tx, order.id))) return 0
  if ((await readOrderMoney(tx, order.id)).charged_back > 0) return 0
  return chargeFeeOutside(tx, order, left)
}

/** Refunds the fee of a locked order to its buyer's wallet, once. */
export async function refundFee(
  tx: Tx,
  { id: orderId, user_id: userId, currency }: LockedOrder,
  amount: number,
  { reason, madeBy }: { reason: string; madeBy: number | null },
): Promise<void> {
  const payment = amount > 0 ? await findOrderPayment(tx, orderId) : undefined
  if (!payment) return
  await credit(tx, {
    userId,
    currency,
    amount,
    kind: 'refund',
    shopAccount: 'fees',
    orderId,
    key: `fee-refund:${payment.id}`,
    reason,
    ...(madeBy !== null && { madeBy }),
  })
}
