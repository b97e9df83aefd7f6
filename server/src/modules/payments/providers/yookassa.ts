import { LIMITS } from '@olmos/contract/limits'
import type { z } from 'zod'
import { done, type Outcome, rejected, unknown } from '../../../platform/outcome.ts'
import { retryAfterOf } from '../../../platform/retry-after.ts'
import type { VendorFetch } from '../../../platform/vendor-fetch.ts'
import { isFrom, readAddresses } from '../addresses.rules.ts'
import type { YookassaSettings } from '../payment-settings.ts'
import { accepted, jsonOf, type PaymentProvider, type ProviderRefund, refused } from '../provider.ts'
import {
  decimalOf,
  refundOf,
  snapshotOf,
  troubleOfStatus,
  yookassaNotice,
  yookassaPayment,
  yookassaRefund,
  yookassaRefunds,
} from './yookassa.rules.ts'

const descriptionLength = 128
/** Of a hundred refunds each. Nobody gives one payment back in more parts. */
const refundPagesAtMost = 10

/**
 * Cards in roubles by YooKassa, API version 3. Its notices are not signed: they come from its addresses, and what they
 * say is asked for again (yookassa.ru/developers/using-api/webhooks).
 */
export function yookassa(settings: YookassaSettings, fetchVendor: VendorFetch): PaymentProvider {
  const known = readAddresses(settings.addresses)
  const credentials = Buffer.from(`${settings.shopId}:${settings.secretKey}`).toString('base64')

  const call = async <T>(schema: z.ZodType<T>, path: string, post?: { key: string; body: object }) => {
    try {
      const response = await fetchVendor(`${settings.baseUrl}${path}`, {
        method: post ? 'POST' : 'GET',
        headers: {
          authorization: `Basic ${credentials}`,
          'content-type': 'application/json',
          ...(post && { 'idempotence-key': post.key }),
        },
        ...(post && { body: JSON.stringify(post.body) }),
      })
      const body: unknown = await response.json().catch(() => undefined)
      if (response.status !== 200) {
        return troubleOfStatus(response.status, body, retryAfterOf(response.headers.get('retry-after')))
      }
      const read = schema.safeParse(body)
      return read.success ? done(read.data) : unknown('bad_answer')
    } catch (error) {
      return unknown(error instanceof Error ? error.name : 'network')
    }
  }

  const readPayment = async (id: string) => {
    const answer = await call(yookassaPayment, `/payments/${encodeURIComponent(id)}`)
    if (answer.kind !== 'done') return answer
    const isOurs = answer.value.recipient.account_id === settings.shopId && answer.value.id === id
    return isOurs ? done(snapshotOf(answer.value)) : rejected('other_shop')
  }

  const asRefund = (answer: Outcome<z.infer<typeof yookassaRefund>>) =>
    answer.kind === 'done' ? done(refundOf(answer.value)) : answer

  return {
    name: 'yookassa',
    currencies: ['RUB'],
    amountAtLeast: LIMITS.paymentAtLeast.yookassa,

    async createPayment({ key, orderId, amount, currency, description, returnUrl }) {
      const answer = await call(yookassaPayment, '/payments', {
        key,
        body: {
          amount: { value: decimalOf(amount), currency },
          capture: true,
          confirmation: { type: 'redirect', return_url: returnUrl },
          description: description.slice(0, descriptionLength),
          metadata: { order_id: orderId, payment_key: key },
        },
      })
      if (answer.kind !== 'done') return answer
      if (answer.value.status === 'canceled') return rejected(answer.value.cancellation_details?.reason ?? 'canceled')
      const payUrl = answer.value.confirmation?.confirmation_url
      return payUrl ? done({ providerPaymentId: answer.value.id, payUrl }) : unknown('no_pay_page')
    },

    readPayment,

    async refund({ providerPaymentId, amount, currency, key }) {
      const body = { payment_id: providerPaymentId, amount: { value: decimalOf(amount), currency } }
      return asRefund(await call(yookassaRefund, '/refunds', { key, body }))
    },

    async readRefund(id) {
      return asRefund(await call(yookassaRefund, `/refunds/${encodeURIComponent(id)}`))
    },

    async listRefunds(paymentId) {
      const refunds: ProviderRefund[] = []
      let cursor: string | undefined
      for (let page = 0; page < refundPagesAtMost; page++) {
        const query = new URLSearchParams({ payment_id: paymentId, limit: '100', ...(cursor && { cursor }) })
        const answer = await call(yookassaRefunds, `/refunds?${query}`)
        if (answer.kind !== 'done') return answer
        refunds.push(...answer.value.items.map(refundOf))
        cursor = answer.value.next_cursor
        if (cursor === undefined) break
      }
      return done(refunds)
    },

    async readWebhook({ body, address }) {
      if (!known || !isFrom(known, address)) return refused('not from YooKassa')
      const notice = yookassaNotice.safeParse(jsonOf(body))
      if (!notice.success) return refused('not a notification')
      const { event, object } = notice.data
      const isAbout = (noun: string) => event.startsWith(`${noun}.`)
      return {
        verified: true,
        events: isAbout('payment') ? [{ providerPaymentId: object.id }] : [],
        refunds: isAbout('refund') ? [object.id] : [],
        reply: accepted,
      }
    },
  }
}
