import { sql, type Tx } from '../../platform/database/queries.ts'
import { raiseAlert } from '../../platform/live/alert.ts'
import { type LockedOrder, moveOrder, readItemStates } from '../orders/order-states.ts'
import { chargeFeeOutside, outsideLeft, settleOutside } from '../orders/refunds.ts'
import {
  type CardRefundRow,
  findOrderPayment,
  outsideBooked,
  readFeeLeft,
  settleOutsideFee,
} from '../payments/card-refunds.ts'
import { moneyLeft, readOrderMoney } from '../payments/disputes.ts'
import { credit, debitAtMost, moveBetween } from '../wallet/wallet.ts'

/** Refunds that the card did not accept. */
export const redirectRefunds = (tx: Tx, cardRefundId: number) =>
  tx.run(sql`UPDATE refund SET destination = 'wallet' WHERE card_refund_id = ${cardRefundId}`)

/** Returns how much of a refund to the card was charged to the order's items. */
const assignedTo = async (tx: Tx, cardRefundId: number): Promise<number> =>
  (
    await tx.one<{ assigned: number }>(
      sql`SELECT coalesce(sum(amount), 0)::bigint AS assigned FROM refund WHERE card_refund_id = ${cardRefundId}`,
    )
  ).assigned

/**
 * Returns how much of a refund the ledger has booked. For a payment that had gone to the wallet, that is what was taken
 * from there, and from the account of fees.
 */
const bookedUnder = async (tx: Tx, cardRefundId: number): Promise<number> =>
  (
    await tx.one<{ amount: number }>(sql`
      SELECT coalesce(sum(amount), 0)::bigint AS amount FROM transfer
      WHERE key IN (${`card-refund:${cardRefundId}`}, ${`card-refund-fee:${cardRefundId}`})`)
  ).amount

/**
 * Returns how much of a payment was refunded in the provider's cabinet at the shop's loss: the wallet no longer had it, and no
 * refund of the store that failed has made it good since.
 */
const lossLeft = async (tx: Tx, paymentId: number): Promise<number> =>
  (
    await tx.one<{ amount: number }>(sql`
      SELECT coalesce(sum(CASE kind.name WHEN 'lost' THEN transfer.amount ELSE -transfer.amount END), 0)::bigint AS amount
      FROM card_refund CROSS JOIN (VALUES ('lost'), ('found'), ('made-good')) AS kind (name)
      JOIN transfer ON transfer.key = 'card-refund-' || kind.name || ':' || card_refund.id
      WHERE payment_id = ${paymentId}`)
  ).amount

/**
 * A refund of the store has failed, whose money had left the wallet when somebody refunded the same in the provider's cabinet:
 * makes that loss good with it. Returns how much of the refund the customer has by now.
 */
export async function makeLossGood(tx: Tx, refund: CardRefundRow): Promise<number> {
  if (refund.settled_to !== 'wallet') return 0
  const amount = Math.min(refund.amount, await lossLeft(tx, refund.payment_id))
  if (amount > 0) {
    const key = `card-refund-made-good:${refund.id}`
    await moveBetween(tx, { ...keyed(refund), key, from: 'card', to: 'adjustments', kind: 'payout', amount })
  }
  return amount
}

/**
 * Books a refund that somebody made in the provider's cabinet, and raises an alert. What the order had paid is taken
 * from the sales, and what exceeds that from the fees, and the order's status follows. What a bank had taken back already
 * is charged to no item and to no fee as long as the bank has it. If the payment had gone to the customer's wallet, the
 * money is taken from the wallet as far as it is still there, and the shop bears the rest. The caller has locked the order
 * and the refund.
 */
export async function bookOutside(tx: Tx, order: LockedOrder, told: CardRefundRow): Promise<void> {
  const refund = { ...told, fee_amount: await settleOutsideFee(tx, told, await readMostFee(tx, told)) }
  const { settled_to: settledTo, amount } = refund
  await bookFee(tx, refund)
  const status = settledTo === 'order' ? await bookOnOrder(tx, order, refund) : order.status
  const lost = settledTo === 'wallet' ? await bookOnWallet(tx, refund) : 0
  const left = settledTo === 'order' ? await readTooMuch(tx, order, status) : 0
  await raiseAlert(tx, {
    kind: 'refund.outside',
    subject: `card-refund:${refund.id}`,
    details: {
      order: refund.order_id,
      provider: refund.provider,
      amount,
      currency: refund.currency,
      ...shownCharge(refund),
      provider_refund_id: refund.provider_refund_id,
      paid_to: `to_${settledTo}`,
      // The store or a bank refunded this too: the customer now has more than was paid.
      ...(left > 0 && { too_much: { amount: Math.min(left, amount), currency: refund.currency } }),
      ...(lost > 0 && { not_in_wallet: { amount: lost, currency: refund.currency } }),
    },
  })
}

/** Returns the refunded charge for an alert; nothing when it is in the order's own currency. */
export const shownCharge = ({ charge_amount: amount, charge_currency: currency, ...booked }: CardRefundRow) =>
  currency === booked.currency ? {} : { charged: { amount, currency } }

/** Moves the fee part of a refund out of the shop's fee account. */
async function bookFee(tx: Tx, refund: CardRefundRow): Promise<void> {
  const { id, fee_amount: amount } = refund
  if (amount === 0) return
  const key = `card-refund-fee:${id}`
  await moveBetween(tx, { ...keyed(refund), key, from: 'fees', to: 'card', kind: 'payout', amount })
}

async function bookOnOrder(tx: Tx, order: LockedOrder, refund: CardRefundRow) {
  const goods = refund.amount - refund.fee_amount
  if (goods > 0) await moveBetween(tx, { ...keyed(refund), from: 'sales', to: 'card', kind: 'payout', amount: goods })
  return settleStatus(tx, order)
}

async function settleStatus(tx: Tx, order: LockedOrder) {
  const status = (await settleOutside(tx, order, await readItemStates(tx, order.id))) ?? order.status
  if (status !== order.status) await moveOrder(tx, order, status)
  return status
}

/** Returns how much of the fee a refund in the cabinet may be of: what a bank has taken back already is not refunded again. */
async function readMostFee(tx: Tx, { order_id: orderId, fee_amount: withheld }: CardRefundRow): Promise<number> {
  const money = await readOrderMoney(tx, orderId)
  return money.charged_back > 0 ? withheld + Math.max(0, moneyLeft(money)) : Number.POSITIVE_INFINITY
}

/** Returns how much of what was refunded in the cabinet the customer has above what was paid. */
async function readTooMuch(tx: Tx, order: LockedOrder, status: LockedOrder['status']): Promise<number> {
  if (status === 'refunded') return outsideLeft(tx, order)
  const money = await readOrderMoney(tx, order.id)
  return money.charged_back > 0 ? Math.max(0, (await outsideBooked(tx, order.id)) - moneyLeft(money)) : 0
}

/**
 * Settles a locked order whose money a bank has returned: what was refunded in the cabinet while the bank had it counts
 * now, first as of the goods, then as of the fee.
 */
export async function settleReturned(tx: Tx, order: LockedOrder): Promise<void> {
  const status = await settleStatus(tx, order)
  const payment = status === 'refunded' && order.status !== 'refunded' && (await findOrderPayment(tx, order.id))
  if (payment) await chargeFeeOutside(tx, order, await readFeeLeft(tx, payment.id))
}

/** Returns the part that was no longer in the wallet. */
async function bookOnWallet(tx: Tx, refund: CardRefundRow): Promise<number> {
  const amount = refund.amount - refund.fee_amount
  if (amount === 0) return 0
  const entry = { ...keyed(refund), userId: refund.user_id, kind: 'payout', shopAccount: 'card' } as const
  const lost = amount - (await debitAtMost(tx, { ...entry, amount }))
  if (lost > 0) {
    const key = `card-refund-lost:${refund.id}`
    await moveBetween(tx, { ...keyed(refund), key, from: 'adjustments', to: 'card', kind: 'payout', amount: lost })
  }
  return lost
}

/**
 * Books that a refund made in the provider's cabinet has failed. If it was not booked before, only what was withheld from
 * the customer because of it is paid, the fee included. If it was, the customer keeps it as money in the wallet, since the
 * card did not accept it; what the shop bore, it keeps. Returns whether the wallet got any.
 */
export async function unbookOutside(tx: Tx, refund: CardRefundRow): Promise<boolean> {
  const { settled_to: settledTo } = refund
  if (settledTo === 'operator') return false
  const assigned = await assignedTo(tx, refund.id)
  const isBooked = refund.status === 'succeeded'
  if (!isBooked && assigned > 0)
    await moveBetween(tx, { ...keyed(refund), from: 'sales', to: 'card', kind: 'payout', amount: assigned })
  if (!isBooked) await bookFee(tx, refund)
  const booked = await bookedUnder(tx, refund.id)
  const lost = isBooked && settledTo === 'wallet' ? refund.amount - booked : 0
  // What a failed refund of the store has made good of it was the customer's.
  const found = lost > 0 ? Math.min(lost, await lossLeft(tx, refund.payment_id)) : 0
  if (found > 0) {
    const key = `card-refund-found:${refund.id}`
    await moveBetween(tx, { ...keyed(refund), key, from: 'card', to: 'adjustments', kind: 'payout', amount: found })
  }
  const back = booked + lost - found
  if (back === 0) return false
  await credit(tx, {
    ...keyed(refund),
    key: `card-refund-failed:${refund.id}`,
    userId: refund.user_id,
    amount: back,
    kind: 'refund',
    shopAccount: 'card',
  })
  await redirectRefunds(tx, refund.id)
  return true
}

const keyed = ({ id, currency, order_id: orderId }: CardRefundRow) => ({
  currency,
  orderId,
  key: `card-refund:${id}`,
})
