import { type HttpReply, repeatWebhook, type Webhook } from '../../platform/vendor/adapters.ts'
import { forEachAtOnce, isUuid, type Outcome, unknown } from '../../platform/vendor/vendor.ts'
import { unbookedRefunds } from '../payments/ask-for-refund.ts'
import {
  cardRefundsToSend,
  findCardRefund,
  findNamelessRefunds,
  findRefundByKey,
  findRefundedPayment,
} from '../payments/card-refunds.ts'
import { noteReceipt } from '../payments/fiscal.ts'
import {
  giveUpOldPayments,
  type OpenPayment,
  type PaymentShop,
  paymentsAboutToExpire,
  paymentsToAskAbout,
  paymentsToOpen,
} from '../payments/open-payment.ts'
import { findPaidPayments, putOffPayment } from '../payments/payments.ts'
import type { PaymentProvider, PaymentSnapshot, ProviderName, ProviderRefund } from '../payments/provider.ts'
import { isProviderName, providerNamed } from '../payments/providers.ts'
import { noteOutsideRefund, sendCardRefund, settleCardRefund } from './card-refunds.ts'
import { receiveDispute } from './disputes.ts'
import { expireOverdueOrders } from './expire-order.ts'
import { createPaymentBooks } from './payment-books.ts'
import { settlePayment } from './settle-payment.ts'
import { openCardPayment } from './start-card-payment.ts'

/**
 * Settles a refund that a provider reported, whoever made it: asks the provider how it stands, then finds out whether
 * it is one of the store's; if it certainly is not, it was made in the cabinet. `askAbout` reads a payment whose own
 * webhook was slower. Returns how to answer the webhook: nothing can be said yet, or there is no such refund.
 */
async function receiveRefund(
  shop: PaymentShop,
  provider: PaymentProvider,
  id: string,
  askAbout: (providerPaymentId: string) => Promise<unknown>,
): Promise<'settled' | 'unknown' | 'not_found'> {
  if (!provider.readRefund) return 'unknown'
  const answer = await provider.readRefund(id)
  if (answer.kind === 'unknown') return 'unknown'
  if (answer.kind === 'rejected') return answer.code === 'not_allowed' ? 'unknown' : 'not_found'
  const told = answer.value
  const noted = await settleReported(shop, provider.name, told)
  if (noted !== 'unpaid' || told.providerPaymentId === undefined) return noted === 'noted' ? 'settled' : 'unknown'
  await askAbout(told.providerPaymentId)
  return (await settleReported(shop, provider.name, told)) === 'noted' ? 'settled' : 'unknown'
}

/**
 * Reads the refunds that were made of an order's payments in the provider's cabinet, before the store refunds anything
 * itself: their webhooks may be on their way, or lost. If the provider does not answer, they are learnt later. Returns how
 * many payments of the order it asked about.
 */
export async function learnRefunds(shop: PaymentShop, orderId: string): Promise<number> {
  const payments = await findPaidPayments(shop.database, orderId)
  for (const payment of payments) {
    const unbooked = await unbookedRefunds(shop, payment)
    if (unbooked.kind !== 'done') shop.log.warn({ order: orderId, unbooked }, 'refunds not listed')
    else for (const told of unbooked.value) await settleReported(shop, payment.provider, told)
  }
  return payments.length
}

async function settleReported(shop: PaymentShop, provider: ProviderName, told: ProviderRefund) {
  const own = await findOwn(shop, provider, told)
  if (!own) return noteOutsideRefund(shop, provider, told)
  await settleCardRefund(shop, { id: own.id, provider }, told)
  return 'noted'
}

/**
 * Finds the store's own refund that was reported before the call that made it was answered. Where the provider does not
 * keep the key, an equal one that was sent has to learn its id first.
 */
async function findOwn({ database, ...shop }: PaymentShop, provider: ProviderName, told: ProviderRefund) {
  const { reference, providerPaymentId, providerRefundId, amount } = told
  const known = await findCardRefund(database, provider, providerRefundId)
  if (known) return known
  if (reference !== undefined) {
    return isUuid(reference) ? findRefundByKey(database, provider, reference) : undefined
  }
  const payment = providerPaymentId && (await findRefundedPayment(database, provider, providerPaymentId))
  if (!payment) return undefined
  for (const { id } of await findNamelessRefunds(database, payment.id, amount)) {
    await sendCardRefund({ database, ...shop }, id)
  }
  return findCardRefund(database, provider, providerRefundId)
}

const noProvider: HttpReply = { status: 404, body: 'no such provider' }
const unavailable: HttpReply = { status: 503, body: 'this provider is not configured' }

/**
 * Receives a provider's webhook and settles it before it is answered, so that an accepted webhook is a settled one. A
 * webhook that can't be proven is refused; one that can't be confirmed now is answered 503, and the provider sends it
 * again. A provider that asks gets its answer from the books; `method` is the last part of its address, if it has one.
 */
export async function receiveWebhook(
  shop: PaymentShop,
  { provider: name, method }: { provider: string; method?: string },
  webhook: Webhook,
): Promise<HttpReply> {
  if (!isProviderName(name)) return noProvider
  const provider = providerNamed(shop.providers, name)
  if (provider?.answer) {
    const reply = await provider.answer({ ...webhook, method }, createPaymentBooks(shop.database, name))
    if (reply.failure !== undefined) shop.log.error({ err: reply.failure, provider: name, method }, 'call not answered')
    return reply
  }
  if (provider && method !== undefined) return noProvider
  if (!provider?.readWebhook) return unavailable
  const reading = await provider.readWebhook(webhook)
  if (!reading.verified) {
    shop.log.warn({ provider: name, why: reading.reply.body }, 'webhook refused')
    return reading.reply
  }
  for (const { providerPaymentId, proven } of reading.events) {
    if (proven) await shop.database.transaction((tx) => settlePayment(tx, provider.name, proven))
    const asked = proven ? undefined : await askAndSettle(shop, provider, providerPaymentId)
    if (asked?.kind === 'rejected') return { status: 400, body: 'no such payment' }
    if (asked?.kind === 'unknown') return repeatWebhook
  }
  for (const id of reading.refunds) {
    const told = await receiveRefund(shop, provider, id, (paymentId) => askAndSettle(shop, provider, paymentId))
    if (told === 'not_found') return { status: 400, body: 'no such refund' }
    if (told === 'unknown') return repeatWebhook
  }
  for (const told of reading.receipts ?? []) await noteReceipt(shop.database, provider.name, told)
  for (const told of reading.disputes ?? []) {
    if (!(await receiveDispute(shop, provider, told, webhook.now))) return repeatWebhook
  }
  return reading.reply
}

/** Asks the provider how a payment stands, and settles it if it is decided. */
async function askAndSettle(
  { database, log }: Pick<PaymentShop, 'database' | 'log'>,
  provider: PaymentProvider,
  providerPaymentId: string,
): Promise<Outcome<PaymentSnapshot>> {
  const answer = await (provider.readPayment?.(providerPaymentId) ?? unknown('not_readable'))
  if (answer.kind !== 'done') return answer
  const snapshot = answer.value
  if (snapshot.why !== undefined)
    log.info({ provider: provider.name, providerPaymentId, why: snapshot.why }, 'canceled')
  // The key is the same however often the provider is asked, so that an answer takes effect once.
  const key = `${snapshot.status}:${providerPaymentId}`
  await database.transaction((tx) => settlePayment(tx, provider.name, { key, snapshot }))
  return answer
}

const atOnce = 8

/** Asks about every open payment, every minute, so that a lost webhook means a delay and nothing more. */
export async function watchPayments(shop: PaymentShop): Promise<void> {
  await askAbout(shop, await paymentsToAskAbout(shop))
  // Another payment of the same order may be refused since: each is opened by its own id.
  await inTurns(shop, await paymentsToOpen(shop.database), (payment) =>
    openCardPayment(shop, payment.order_id, payment.id),
  )
  await inTurns(shop, await cardRefundsToSend(shop.database), (id) => sendCardRefund(shop, id))
  await giveUpOldPayments(shop.database)
}

/** Expires overdue orders, every minute, after asking once more whether one of them was paid. */
export async function expireUnpaidOrders(shop: PaymentShop): Promise<void> {
  await askAbout(shop, await paymentsAboutToExpire(shop))
  await expireOverdueOrders(shop.database)
}

const askAbout = (shop: PaymentShop, payments: readonly OpenPayment[]) =>
  inTurns(shop, payments, async ({ id, provider: name, provider_payment_id }) => {
    const provider = providerNamed(shop.providers, name)
    if (!provider) return
    const answer = await askAndSettle(shop, provider, provider_payment_id)
    if (answer.kind !== 'done') shop.log.warn({ provider: name, provider_payment_id, answer }, 'payment not read')
    const pause = answer.kind === 'unknown' ? answer.retryAfterSeconds : undefined
    if (pause !== undefined) await putOffPayment(shop.database, id, pause)
  })

/** One that fails does not stop the others, and is retried the next time. */
const inTurns = <T>(shop: PaymentShop, all: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> =>
  forEachAtOnce(all, atOnce, (one) =>
    work(one).catch((error) => shop.log.error({ err: error, about: one }, 'payment job')),
  )
