import { raiseAlert } from '../../platform/alert.ts'
import type { Tx } from '../../platform/database.ts'
import { itemsOfHeld, moveOrder } from '../orders/hold-order.ts'
import type { HeldOrder } from '../orders/order-states.store.ts'
import { outsideLeft, settleOutside } from '../orders/outside-money.ts'
import type { CardRefundRow } from '../payments/card-refunds.store.ts'
import { credit, debitAtMost, transfer } from '../wallet/move-money.ts'
import { assignedTo, bookedUnder, redirectRefunds } from './refunds.store.ts'

/**
 * Books a refund that somebody made at the provider, and tells the operator. What the order had cost comes out of the
 * sales, and the order is what that makes of it. Where the payment had gone to the customer's wallet, it comes out of
 * the wallet as far as it is still there, and the shop bears the rest. The caller holds the order and the refund.
 */
export async function bookOutside(tx: Tx, order: HeldOrder, refund: CardRefundRow): Promise<void> {
  const { settled_to: settledTo, amount } = refund
  const status = settledTo === 'order' ? await bookOnOrder(tx, order, refund) : order.status
  const lost = settledTo === 'wallet' ? await bookOnWallet(tx, refund) : 0
  const left = settledTo === 'order' && status === 'refunded' ? await outsideLeft(tx, order) : 0
  await raiseAlert(tx, {
    kind: 'refund.outside',
    subject: `card-refund:${refund.id}`,
    details: {
      order: refund.order_id,
      provider: refund.provider,
      amount,
      currency: refund.currency,
      provider_refund_id: refund.provider_refund_id,
      paid_to: `to_${settledTo}`,
      // Paid back twice by people: the customer has more than was paid.
      ...(left > 0 && { too_much: { amount: Math.min(left, amount), currency: refund.currency } }),
      ...(lost > 0 && { not_in_wallet: { amount: lost, currency: refund.currency } }),
    },
  })
}

async function bookOnOrder(tx: Tx, order: HeldOrder, refund: CardRefundRow) {
  await transfer(tx, { ...keyed(refund), from: 'sales', to: 'card', kind: 'payout', amount: refund.amount })
  const status = (await settleOutside(tx, order, await itemsOfHeld(tx, order))) ?? order.status
  if (status !== order.status) await moveOrder(tx, order, status)
  return status
}

/** Answers what was not there any more. */
async function bookOnWallet(tx: Tx, refund: CardRefundRow): Promise<number> {
  const taken = await debitAtMost(tx, {
    ...keyed(refund),
    userId: refund.user_id,
    amount: refund.amount,
    kind: 'payout',
    shopAccount: 'card',
  })
  const lost = refund.amount - taken
  if (lost > 0) {
    const key = `card-refund-lost:${refund.id}`
    await transfer(tx, { ...keyed(refund), key, from: 'adjustments', to: 'card', kind: 'payout', amount: lost })
  }
  return lost
}

/**
 * A refund made at the provider came to nothing. One that was not booked changes nothing, but for what was not paid to
 * the customer on its account; one that was is the customer's all the same, as money the card does not take back.
 * Answers whether the wallet got any.
 */
export async function unbookOutside(tx: Tx, refund: CardRefundRow): Promise<boolean> {
  const { settled_to: settledTo } = refund
  if (settledTo === 'operator') return false
  const assigned = await assignedTo(tx, refund.id)
  const isBooked = refund.status === 'succeeded'
  if (!isBooked && assigned > 0)
    await transfer(tx, { ...keyed(refund), from: 'sales', to: 'card', kind: 'payout', amount: assigned })
  const back = isBooked ? await bookedUnder(tx, refund.id) : assigned
  if (isBooked && settledTo === 'wallet' && back < refund.amount) {
    const key = `card-refund-found:${refund.id}`
    await transfer(tx, {
      ...keyed(refund),
      key,
      from: 'card',
      to: 'adjustments',
      kind: 'payout',
      amount: refund.amount - back,
    })
  }
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
