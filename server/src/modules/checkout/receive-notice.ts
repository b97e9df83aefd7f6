import type { Outcome } from '../../platform/outcome.ts'
import type { PaymentShop } from '../payments/open-payment.ts'
import { isProviderName } from '../payments/payment-settings.ts'
import {
  type HttpReply,
  type Notice,
  type PaymentProvider,
  type PaymentSnapshot,
  tellAgain,
} from '../payments/provider.ts'
import { providerNamed } from '../payments/providers.ts'
import { receiveRefund } from './receive-refund.ts'
import { receiveDispute } from './settle-dispute.ts'
import { settlePayment } from './settle-payment.ts'

const noProvider: HttpReply = { status: 404, body: 'no such provider' }
const unavailable: HttpReply = { status: 503, body: 'this provider is not configured' }

/**
 * Takes a provider's notice and does what it asks for before it answers, so that an accepted notice is a settled one.
 * What can't be proven is refused; what can't be confirmed now is answered 503, and the provider tells it again.
 */
export async function receiveNotice(shop: PaymentShop, name: string, notice: Notice): Promise<HttpReply> {
  if (!isProviderName(name)) return noProvider
  const provider = providerNamed(shop.providers, name)
  if (!provider) return unavailable
  const reading = await provider.readWebhook(notice)
  if (!reading.verified) {
    shop.log.warn({ provider: name, why: reading.reply.body }, 'notice refused')
    return reading.reply
  }
  for (const { providerPaymentId, proven } of reading.events) {
    if (proven) await shop.database.transaction((tx) => settlePayment(tx, provider.name, proven))
    const asked = proven ? undefined : await askAndSettle(shop, provider, providerPaymentId)
    if (asked?.kind === 'rejected') return { status: 400, body: 'no such payment' }
    if (asked?.kind === 'unknown') return tellAgain
  }
  for (const id of reading.refunds) {
    const told = await receiveRefund(shop, provider, id, (paymentId) => askAndSettle(shop, provider, paymentId))
    if (told === 'not_found') return { status: 400, body: 'no such refund' }
    if (told === 'unknown') return tellAgain
  }
  for (const told of reading.disputes ?? []) {
    if (!(await receiveDispute(shop, provider, told, notice.now))) return tellAgain
  }
  return reading.reply
}

/** Asks the provider how a payment stands, and settles it if it is decided. */
export async function askAndSettle(
  { database, log }: Pick<PaymentShop, 'database' | 'log'>,
  provider: PaymentProvider,
  providerPaymentId: string,
): Promise<Outcome<PaymentSnapshot>> {
  const answer = await provider.readPayment(providerPaymentId)
  if (answer.kind !== 'done') return answer
  const snapshot = answer.value
  if (snapshot.why !== undefined)
    log.info({ provider: provider.name, providerPaymentId, why: snapshot.why }, 'canceled')
  // The same however often it is asked, so a word that was heard has no effect again.
  const key = `${snapshot.status}:${providerPaymentId}`
  await database.transaction((tx) => settlePayment(tx, provider.name, { key, snapshot }))
  return answer
}
