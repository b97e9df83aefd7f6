import { Failure } from '@olmos/contract/failure'
import { toMajor } from '@olmos/contract/minor-units'
import type { Currency } from '@olmos/contract/money'
import { sql, type Tx } from '../../platform/database/queries.ts'
import { findOrderPayment } from '../payments/card-refunds.ts'
import { readOrderMoney } from '../payments/disputes.ts'
import type { PaymentRow } from '../payments/payments.ts'
import { readFeeLeft } from '../payments/refundable.ts'
import { credit, debit, moveBetween, moveOut } from '../wallet/wallet.ts'
import type { LockedOrder } from './order-states.ts'
import type { NewOrder } from './place-order.ts'
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

// The part of an order that its buyer's balance pays while a card pays the rest: docs/decisions/034. It is reserved as long
// as the order waits, and no longer.

/** What an order needs from a card, in minor units of its currency, without the method's fee. */
export const cardPart = ({ total, wallet_amount }: Pick<LockedOrder, 'total' | 'wallet_amount'>): number =>
  total - wallet_amount

/** Refuses a part that leaves nothing for the card: INVALID_AMOUNT. In minor units; 0 for no part. */
export function requirePart({ total, currency, part }: { total: number; currency: Currency; part: number }): void {
  if (part > 0 && part >= total)
    throw new Failure('INVALID_AMOUNT', { from_balance: 'covers_all', total: toMajor(total), currency })
}

/**
 * Takes the part of an order that is being placed from its buyer's wallet, once. Refuses with INSUFFICIENT_BALANCE or
 * BALANCE_ON_HOLD. It may be sent together with other statements of the transaction.
 */
export const reservePart = async (
  tx: Tx,
  { id, userId, currency, walletAmount = 0 }: Pick<NewOrder, 'id' | 'userId' | 'currency' | 'walletAmount'>,
): Promise<void> => {
  if (walletAmount === 0) return
  await debit(tx, {
    userId,
    currency,
    amount: walletAmount,
    kind: 'reservation',
    shopAccount: 'reserved',
    orderId: id,
    key: `reservation:${id}`,
  })
}

/** Returns the part of a locked order that ends unpaid to its buyer's wallet, once. */
export const releasePart = async (tx: Tx, order: LockedOrder): Promise<void> => {
  if (order.wallet_amount > 0)
    await credit(tx, { ...toEntry(order), kind: 'release', shopAccount: 'reserved', key: `release:${order.id}` })
}

/**
 * Pays the part of a locked order whose rest has been paid by card: from what is reserved, or, if the order has ended and the
 * part was returned, from the wallet again. Returns whether it could: not if the balance is too low by now, or frozen.
 */
export async function payPart(tx: Tx, order: LockedOrder): Promise<boolean> {
  if (order.wallet_amount === 0) return true
  const entry = { ...toEntry(order), kind: 'purchase' as const, key: `purchase:${order.id}` }
  if (order.status !== 'awaiting_payment') return moveOut(tx, { ...entry, shopAccount: 'sales' })
  await moveBetween(tx, { ...entry, from: 'reserved', to: 'sales' })
  return true
}

const toEntry = ({ id: orderId, user_id: userId, currency, wallet_amount: amount }: LockedOrder) => ({
  orderId,
  userId,
  currency,
  amount,
})

/** What has gone back of an order that was paid both ways, in minor units of its currency. */
interface Returned {
  /** By all its refunds, wherever they went. */
  inAll: number
  /** To the card. */
  toCard: number
}

/**
 * Computes how much of a refund goes back to the card; the rest goes to the balance. After it the card has had back its
 * share of all that was refunded, rounded down, as far as this refund can make up for it, so that refunds of all of an order
 * return exactly what each way paid. Amounts are minor units.
 */
export function shareOfCard(paid: { total: number; byCard: number }, before: Returned, amount: number): number {
  const inAll = Math.min(before.inAll + amount, paid.total)
  const due = Number((BigInt(inAll) * BigInt(paid.byCard)) / BigInt(paid.total))
  return Math.min(amount, Math.max(0, due - before.toCard))
}

/** Divides sums into a share of their total and the rest, in proportion and exactly. None of the shares exceeds its sum. */
export function splitSums(sums: readonly number[], share: number): { share: number; rest: number }[] {
  const total = sums.reduce((all, sum) => all + sum, 0)
  let before = 0
  let given = 0
  return sums.map((sum) => {
    before += sum
    const until = total === 0 ? 0 : Number((BigInt(share) * BigInt(before)) / BigInt(total))
    const part = until - given
    given = until
    return { share: part, rest: sum - part }
  })
}
