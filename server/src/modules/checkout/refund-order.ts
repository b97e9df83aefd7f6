import { Failure } from '@olmos/contract/failure'
import { toMajor } from '@olmos/contract/money'
import type { RefundedOrder, RefundRequest } from '@olmos/contract/payments'
import { record } from '../../platform/audit.ts'
import type { Tx } from '../../platform/database.ts'
import { returnCodes } from '../codes/return-codes.ts'
import { dueFor, giveBackItems, noteRefunds } from '../orders/give-back.ts'
import { type HeldItem, type HeldOrder, holdOrder, itemsOfHeld, moveItems, moveOrder } from '../orders/hold-order.ts'
import { isOrderId, priceLeftOf } from '../orders/order.rules.ts'
import { addCardRefund, cardRefundsOfOrder, paymentOfOrder } from '../payments/card-refund.ts'
import { requireRefundable } from '../payments/disputes.ts'
import type { PaymentShop } from '../payments/open-payment.ts'
import { type Providers, providerNamed } from '../payments/providers.ts'
import { transfer } from '../wallet/move-money.ts'
import { readOrderStatus, readRefunds } from './refunds.store.ts'
import { sendCardRefund } from './send-card-refund.ts'

export interface WantedRefund extends RefundRequest {
  orderId: string
  adminId: number
}

/**
 * Gives the money of an order, or of some of its items, back: at once to the wallet, or to the card, which the provider
 * is asked for afterwards. Each item once, and less what went back past the store, so never more than was taken. Its
 * codes come back, those somebody saw into quarantine. Answers the order's id. Refuses what a bank has taken back, or may
 * be about to: STATE_CONFLICT.
 */
export async function refundOrder(tx: Tx, providers: Providers, wanted: WantedRefund): Promise<string> {
  const orderId = wanted.orderId.toUpperCase()
  const order = isOrderId(orderId) ? await holdOrder(tx, orderId) : undefined
  if (!order) throw new Failure('NOT_FOUND')
  const all = await itemsOfHeld(tx, order)
  const items = chosenOf(order, all, wanted.items)
  await requireRefundable(tx, order, totalOf(items))

  const why = { reason: wanted.reason, madeBy: wanted.adminId }
  const due = await dueFor(tx, order, items, why)
  const amount = due.reduce((sum, item) => sum + item.amount, 0)
  const cardRefundId = wanted.to === 'card' ? await payToCard(tx, providers, order, amount) : null
  await noteRefunds(tx, order, due, { ...why, destination: wanted.to, cardRefundId })
  await returnCodes(
    tx,
    items.map((item) => item.id),
  )
  if (wanted.to === 'wallet') await giveBackItems(tx, order, due, why)
  await moveItems(tx, items, 'refunded')
  const isWhole = all.every((item) => item.status === 'refunded' || items.includes(item))
  const status = isWhole ? 'refunded' : 'partially_refunded'
  if (status !== order.status) await moveOrder(tx, order, status)
  await record(tx, {
    actorId: wanted.adminId,
    action: 'order.refund',
    subject: `order:${orderId}`,
    before: { status: order.status },
    after: {
      status,
      items: items.map((item) => item.id),
      amount,
      currency: order.currency,
      to: wanted.to,
      reason: wanted.reason,
    },
  })
  return orderId
}

const totalOf = (items: readonly HeldItem[]): number => items.reduce((total, item) => total + priceLeftOf(item), 0)

/** What was delivered can be refunded, and nothing else: what is still on its way is not decided here. */
function chosenOf(order: HeldOrder, all: readonly HeldItem[], ids: readonly number[] | undefined): HeldItem[] {
  const chosen = all.filter((item) => (ids ? ids.includes(item.id) : item.status === 'delivered'))
  const unknown = ids?.filter((id) => !all.some((item) => item.id === id)) ?? []
  if (unknown.length > 0) throw new Failure('NOT_FOUND', { items: unknown })
  const refused = chosen.filter((item) => item.status !== 'delivered')
  if (refused.length > 0)
    throw new Failure('STATE_CONFLICT', { items: refused.map(({ id, status }) => ({ id, status })) })
  if (chosen.length === 0) throw new Failure('STATE_CONFLICT', { status: order.status, wanted: 'refunded' })
  // An activated code was paid for when it was sold.
  if (totalOf(chosen) === 0) throw new Failure('STATE_CONFLICT', { reason: 'nothing_paid' })
  return chosen
}

/** None when there is nothing left to pay. */
async function payToCard(tx: Tx, providers: Providers, order: HeldOrder, amount: number): Promise<number | null> {
  const payment = await paymentOfOrder(tx, order.id)
  if (!payment) throw new Failure('STATE_CONFLICT', { to: 'not_paid_by_card' })
  if (!providerNamed(providers, payment.provider)) {
    throw new Failure('PAYMENT_PROVIDER_UNAVAILABLE', { reason: 'not_configured', provider: payment.provider })
  }
  if (amount === 0) return null
  const id = await addCardRefund(tx, payment.id, amount)
  await transfer(tx, {
    from: 'sales',
    to: 'card',
    kind: 'payout',
    amount,
    currency: order.currency,
    orderId: order.id,
    key: `card-refund:${id}`,
  })
  return id
}

/** Sends what goes to the card, and answers how the order stands. */
export async function finishRefund(shop: PaymentShop, orderId: string): Promise<RefundedOrder> {
  for (const id of await cardRefundsOfOrder(shop.database, orderId)) await sendCardRefund(shop, id)
  const [{ status, currency }, refunds] = await Promise.all([
    readOrderStatus(shop.database, orderId),
    readRefunds(shop.database, orderId),
  ])
  return {
    id: orderId,
    status,
    refunds: refunds.map(({ amount, is_waiting, created_at, ...refund }) => ({
      ...refund,
      amount: toMajor(amount),
      currency,
      status: is_waiting ? 'waiting' : 'done',
      created_at: created_at.toISOString(),
    })),
  }
}
