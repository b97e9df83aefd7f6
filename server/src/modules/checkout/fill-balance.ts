import { Failure } from '@olmos/contract/failure'
import type { RefundedFilling } from '@olmos/contract/fillings'
import { toMajor } from '@olmos/contract/minor-units'
import type { Tx } from '../../platform/database/queries.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { isCustomerFrozen, lockBlocked } from '../accounts/change-user.ts'
import { type Spender, spendLimit } from '../accounts/staff.ts'
import { lockCartVersion } from '../cart/cart.ts'
import {
  findBalance,
  findWaitingFillings,
  readFilling,
  readFillingPayments,
  sumRefundable,
  sumRefunded,
  toRefundable,
} from '../orders/fillings.ts'
import { requireCartAndOrder } from '../orders/order-states.ts'
import { type NewOrder, newOrderId, placeOrder } from '../orders/place-order.ts'
import { insertCardRefund, readCardRefunds, readFeeLeft } from '../payments/card-refunds.ts'
import { freezeReceipt, planReceipt } from '../payments/fiscal-receipts.ts'
import { chooseMethod, requireFillable, requireSeenFee } from '../payments/methods.ts'
import type { PaymentShop } from '../payments/open-payment.ts'
import { addPayment, findPaidPayments } from '../payments/payments.ts'
import type { Providers } from '../payments/providers.ts'
import { readNumbers } from '../shop/shop.ts'
import { debit, lockBalances, moveBetween, requireOpenCurrency } from '../wallet/wallet.ts'
import { requireRefundsAt, sendCardRefund } from './card-refunds.ts'
import { resumePayment, type WantedPayment } from './start-card-payment.ts'

/**
 * Adds an order that fills the customer's balance, with its payment; the provider is asked afterwards. Returns the order's
 * id. An equal filling that waits for its payment is resumed. Refuses with STATE_CONFLICT where the shop has this switched
 * off, or does not offer the currency, and a filling too many; with BALANCE_ON_HOLD a customer whose payments are disputed;
 * with PRICE_CHANGED another fee of the method than was seen; with BELOW_LEAST_AMOUNT, ABOVE_MOST_AMOUNT,
 * METHOD_UNAVAILABLE, CONTACT_REQUIRED or PAYMENT_PROVIDER_UNAVAILABLE.
 */
export async function startFilling(tx: Tx, providers: Providers, wanted: WantedPayment): Promise<string> {
  const { userId, currency, amount, fee = 0, method, contact, language } = wanted
  await lockCartVersion(tx, userId)
  await requireFillable(tx, wanted)
  // The session of the call was looked at before the cart was locked.
  if (await lockBlocked(tx, userId)) throw new Failure('FORBIDDEN', { user: 'blocked' })
  if (await isCustomerFrozen(tx, userId)) throw new Failure('BALANCE_ON_HOLD')
  const waiting = await findWaitingFillings(tx, userId)
  const resumed = await resumePayment(tx, providers, waiting, wanted)
  if (resumed) return resumed
  await requireOpenCurrency(tx, userId, currency)
  const { open_fillings_per_user: limit, reservation_minutes: expiresInMinutes } = await readNumbers(tx)
  if (waiting.length >= limit) throw new Failure('STATE_CONFLICT', { reason: 'too_many_fillings', limit })
  const chosen = await chooseMethod(tx, providers, { currency, amount, method })
  requireSeenFee(chosen.fee.amount, { currency, seen: fee })
  const planned = await planReceipt(tx, chosen, contact)
  const order: NewOrder = {
    id: newOrderId(),
    purpose: 'balance',
    userId,
    currency,
    total: amount,
    status: 'awaiting_payment',
    paymentMethod: 'card',
    expiresInMinutes,
  }
  await tx.pipeline({
    order: (tx) => placeOrder(tx, order, []),
    payment: (tx) => addPayment(tx, chosen, { orderId: order.id, amount, currency, language }),
  })
  if (planned) await freezeReceipt(tx, order.id, planned)
  return order.id
}

interface WantedRefund extends Spender {
  orderId: string
  /** In minor units; all that can be refunded by default. */
  amount: number | undefined
  /** What had been refunded when the operator looked, in major units. */
  seen?: { refunded: number } | undefined
  reason: string
  /** How many payments of the order the provider was asked about, by `learnRefunds`. */
  askedPayments: number
}

/**
 * Takes money of a filling out of its customer's wallet, never below zero, and adds its refunds to the card, for which the
 * provider is asked afterwards; what the card does not take comes back to the wallet. With the last of a payment its fee
 * goes back, where its terms say so. Returns the order's id. Refuses with INSUFFICIENT_BALANCE what was spent meanwhile,
 * with STATE_CONFLICT more than is left of what was paid, a filling of which something was refunded since it was seen, or
 * money that a bank is about to take back, and with OVERLOADED, to be retried, what was paid since the provider was asked.
 */
export async function refundFilling(tx: Tx, providers: Providers, wanted: WantedRefund): Promise<string> {
  const { id: orderId, purpose, user_id: userId, currency } = await requireCartAndOrder(tx, wanted.orderId)
  if (purpose !== 'balance') throw new Failure('NOT_FOUND')
  if ((await findPaidPayments(tx, orderId)).length !== wanted.askedPayments)
    throw new Failure('OVERLOADED', undefined, 'a payment came meanwhile')
  const payments = await readFillingPayments(tx, orderId)
  if (payments.some(({ is_disputed }) => is_disputed)) throw new Failure('STATE_CONFLICT', { reason: 'disputed' })
  const left = sumRefundable(payments)
  const available = findBalance(await lockBalances(tx, userId), currency)
  const refunded = toMajor(sumRefunded(payments))
  if (wanted.seen && wanted.seen.refunded !== refunded) {
    const current = { id: orderId, refunded, refundable: toMajor(Math.min(left, available)) }
    throw new Failure('STATE_CONFLICT', { reason: 'changed_meanwhile', current })
  }
  const amount = wanted.amount ?? Math.min(left, available)
  if (left === 0) throw new Failure('STATE_CONFLICT', { reason: 'nothing_left', left: 0 })
  if (amount > left)
    throw new Failure('STATE_CONFLICT', { reason: 'above_filling_left', left: toMajor(left), currency })
  if (amount === 0 || amount > available)
    throw new Failure('INSUFFICIENT_BALANCE', {
      required: toMajor(amount || left),
      available: toMajor(available),
      currency,
    })
  let rest = amount
  let fees = 0
  for (const payment of payments) {
    const part = Math.min(rest, toRefundable(payment))
    if (part === 0) continue
    rest -= part
    requireRefundsAt(providers, payment.provider)
    const isWhole = payment.is_fee_refunded && part === payment.paid - payment.refunded
    const fee = isWhole ? await readFeeLeft(tx, payment.id) : 0
    fees += fee
    const parts = [{ item: 0, amount: part }]
    const id = await insertCardRefund(tx, payment.id, { amount: part, fee, currency, parts })
    const entry = { currency, kind: 'payout', orderId } as const
    await debit(tx, { ...entry, userId, amount: part, shopAccount: 'card', key: `card-refund:${id}` })
    if (fee > 0)
      await moveBetween(tx, { ...entry, from: 'fees', to: 'card', amount: fee, key: `card-refund-fee:${id}` })
  }
  await spendLimit(tx, wanted, { amount: amount + fees, currency })
  await writeAudit(tx, {
    actorId: wanted.adminId,
    action: 'filling.refund',
    subject: `order:${orderId}`,
    after: { amount: toMajor(amount), currency, reason: wanted.reason },
  })
  return orderId
}

/** Sends the refunds of a filling to the card, and returns how it stands. */
export async function finishFillingRefund(shop: PaymentShop, orderId: string): Promise<RefundedFilling> {
  for (const id of await readCardRefunds(shop.database, orderId)) await sendCardRefund(shop, id)
  const filling = await readFilling(shop.database, orderId)
  if (!filling) throw new Error(`${orderId} is no filling`)
  return filling
}
