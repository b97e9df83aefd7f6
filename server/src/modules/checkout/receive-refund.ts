import { z } from 'zod'
import { cardRefundNamed, unbookedRefunds } from '../payments/card-refund.ts'
import { findNamelessRefunds, findRefundByKey, findRefundedPayment } from '../payments/card-refunds.store.ts'
import { paidPaymentsOf } from '../payments/hold-payment.ts'
import type { PaymentShop } from '../payments/open-payment.ts'
import type { ProviderName } from '../payments/payment-settings.ts'
import type { PaymentProvider, ProviderRefund } from '../payments/provider.ts'
import { sendCardRefund } from './send-card-refund.ts'
import { noteOutsideRefund, settleCardRefund } from './settle-card-refund.ts'

/**
 * Settles a refund that a provider speaks of, whoever made it: the provider is asked how it stands, then whether it is
 * one of the store's, and if it certainly is not, it was made there. `askAbout` learns of a payment whose own notice
 * was slower. Answers what the notice is to be answered: nothing can be said yet, or there is no such refund.
 */
export async function receiveRefund(
  shop: PaymentShop,
  provider: PaymentProvider,
  id: string,
  askAbout: (providerPaymentId: string) => Promise<unknown>,
): Promise<'settled' | 'unknown' | 'not_found'> {
  const answer = await provider.readRefund(id)
  if (answer.kind === 'unknown') return 'unknown'
  if (answer.kind === 'rejected') return answer.code === 'not_allowed' ? 'unknown' : 'not_found'
  const told = answer.value
  const noted = await settleTold(shop, provider.name, told)
  if (noted !== 'unpaid' || told.providerPaymentId === undefined) return noted === 'noted' ? 'settled' : 'unknown'
  await askAbout(told.providerPaymentId)
  return (await settleTold(shop, provider.name, told)) === 'noted' ? 'settled' : 'unknown'
}

/**
 * Learns of the refunds that were made of an order's payments past the store, before the store gives anything back
 * itself: their notices may be on their way, or lost. Where the provider does not answer, they are told of later.
 */
export async function learnRefunds(shop: PaymentShop, orderId: string): Promise<void> {
  for (const payment of await paidPaymentsOf(shop.database, orderId.toUpperCase())) {
    const unbooked = await unbookedRefunds(shop, payment)
    if (unbooked.kind !== 'done') shop.log.warn({ order: orderId, unbooked }, 'refunds not listed')
    else for (const told of unbooked.value) await settleTold(shop, payment.provider, told)
  }
}

async function settleTold(shop: PaymentShop, provider: ProviderName, told: ProviderRefund) {
  const own = await findOwn(shop, provider, told)
  if (!own) return noteOutsideRefund(shop, provider, told)
  await settleCardRefund(shop, { id: own.id, provider }, told)
  return 'noted'
}

/**
 * The store's own refund that this is, told of before the answer to the call that made it. Where the provider does not
 * keep the key, an equal one that was sent has to learn its name first.
 */
async function findOwn({ database, ...shop }: PaymentShop, provider: ProviderName, told: ProviderRefund) {
  const { reference, providerPaymentId, providerRefundId, amount } = told
  const known = await cardRefundNamed(database, provider, providerRefundId)
  if (known) return known
  if (reference !== undefined) {
    return z.uuid().safeParse(reference).success ? findRefundByKey(database, provider, reference) : undefined
  }
  const payment = providerPaymentId && (await findRefundedPayment(database, provider, providerPaymentId))
  if (!payment) return undefined
  for (const { id } of await findNamelessRefunds(database, payment.id, amount)) {
    await sendCardRefund({ database, ...shop }, id)
  }
  return cardRefundNamed(database, provider, providerRefundId)
}
