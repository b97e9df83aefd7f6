import { z } from 'zod'
import { isFrom, readAddresses } from '../../../platform/http/headers.ts'
import {
  accepted,
  forged,
  shownSetting,
  toJson,
  vendorAddresses,
  vendorUrl,
} from '../../../platform/vendor/adapters.ts'
import {
  askVendor,
  done,
  type Outcome,
  rejected,
  toDecimal,
  toHttpOutcome,
  toHundredths,
  unknown,
  type VendorAnswer,
  vendorName,
  vendorWords,
} from '../../../platform/vendor/vendor.ts'
import { toUnitLines } from '../fiscal-receipt.rules.ts'
import type {
  FiscalReceipt,
  NotifyingProvider,
  PaymentRequest,
  PaymentSnapshot,
  ProviderAdapter,
  ProviderDeps,
  ProviderRefund,
  ReceiptState,
  RefundingProvider,
} from '../provider.ts'

/** Where YooKassa sends from: yookassa.ru/developers/using-api/webhooks. */
const usualAddresses =
  '185.71.76.0/27,185.71.77.0/27,77.75.153.0/25,77.75.156.11,77.75.156.35,77.75.154.128/25,2a02:5180::/32'

const settings = z.object({
  YOOKASSA_SHOP_ID: shownSetting(z.string()),
  YOOKASSA_SECRET_KEY: z.string(),
  YOOKASSA_BASE_URL: vendorUrl('https://api.yookassa.ru/v3'),
  YOOKASSA_ADDRESSES: shownSetting(vendorAddresses(usualAddresses)),
})

const amount = z.object({ value: z.string().regex(/^\d{1,12}(\.\d{1,2})?$/), currency: z.string().regex(/^[A-Z]{3}$/) })

/** Tells who canceled, and why: 'insufficient_funds', '3d_secure_failed'. */
const cancellation = z.object({ party: vendorWords(64), reason: vendorWords(64) })

/** How the receipt stands at the tax office; absent where the shop has no cash register there. */
const receiptRegistration = z.enum(['pending', 'succeeded', 'canceled']).optional().catch(undefined)

/** The part of a payment that the shop looks at (yookassa.ru/developers/api#payment_object). */
const yookassaPayment = z.object({
  id: vendorName(64),
  status: z.enum(['pending', 'waiting_for_capture', 'succeeded', 'canceled']),
  paid: z.boolean(),
  amount,
  recipient: z.object({ account_id: vendorName(64) }),
  confirmation: z.object({ confirmation_url: vendorName(5_000).optional() }).optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  cancellation_details: cancellation.optional(),
  receipt_registration: receiptRegistration,
})
type YookassaPayment = z.infer<typeof yookassaPayment>

/** The part of a refund that the shop looks at (yookassa.ru/developers/api#refund_object). */
const yookassaRefund = z.object({
  id: vendorName(64),
  payment_id: vendorName(64),
  status: z.enum(['pending', 'succeeded', 'canceled']),
  amount,
  cancellation_details: cancellation.optional(),
  receipt_registration: receiptRegistration,
})
type YookassaRefund = z.infer<typeof yookassaRefund>

const yookassaPayments = z.object({ items: z.array(yookassaPayment), next_cursor: vendorName(500).optional() })
const yookassaRefunds = z.object({ items: z.array(yookassaRefund), next_cursor: vendorName(500).optional() })

/** The part of the shop's own settings that is told (yookassa.ru/developers/api#me_object). */
const yookassaShop = z.object({
  account_id: z.union([vendorName(64), z.int().transform(String)]),
  status: vendorName(64).optional(),
  test: z.boolean().optional(),
  fiscalization_enabled: z.boolean().optional(),
  fiscalization: z.object({ enabled: z.boolean() }).optional(),
})

/** A webhook says what happened, and to which payment or refund (yookassa.ru/developers/using-api/webhooks). */
const yookassaWebhook = z.object({
  type: z.literal('notification'),
  event: vendorName(64),
  object: z.object({ id: z.string().regex(/^[\w-]{1,64}$/) }),
})

const reference = z.object({ payment_key: vendorName(64) })

export function toYookassaSnapshot(payment: YookassaPayment): PaymentSnapshot {
  const isPaid = payment.status === 'succeeded' && payment.paid
  return {
    providerPaymentId: payment.id,
    reference: reference.safeParse(payment.metadata).data?.payment_key,
    status: isPaid ? 'succeeded' : payment.status === 'canceled' ? 'canceled' : 'pending',
    amount: toHundredths(payment.amount.value),
    currency: payment.amount.currency,
    ...(payment.cancellation_details && { why: payment.cancellation_details.reason }),
  }
}

const refundStatuses = { pending: 'pending', succeeded: 'succeeded', canceled: 'failed' } as const

/** YooKassa does not tell the key that a refund was asked for with. */
const toRefund = (refund: YookassaRefund): ProviderRefund => ({
  providerRefundId: refund.id,
  providerPaymentId: refund.payment_id,
  reference: undefined,
  status: refundStatuses[refund.status],
  amount: toHundredths(refund.amount.value),
  currency: refund.amount.currency,
  ...(refund.cancellation_details && { why: refund.cancellation_details.reason }),
})

/** YooKassa says only that a receipt was not registered; what was wrong with it stands in its cabinet. */
const toReceiptState = (registration: YookassaPayment['receipt_registration']): ReceiptState => {
  if (registration === 'canceled') return { state: 'failed', why: 'canceled' }
  return { state: registration === 'pending' ? 'pending' : 'registered' }
}

/** The numbers of taxes, 22 % among them, and of tax systems (yookassa.ru/developers/54fz/parameters-values). */
const vatCodes = {
  none: 1,
  vat0: 2,
  vat10: 3,
  vat20: 4,
  vat110: 5,
  vat120: 6,
  vat5: 7,
  vat7: 8,
  vat105: 9,
  vat107: 10,
  vat22: 11,
  vat122: 12,
} as const
const taxSystemCodes = { osn: 1, usn_income: 2, usn_income_outcome: 3, esn: 5, patent: 6 } as const

/**
 * The most lines of a receipt that YooKassa's own cash register takes; those of others take a hundred
 * (yookassa.ru/developers/payment-acceptance/receipts/54fz/yoomoney/basics).
 */
const linesMax = 80

/** Writes a receipt in YooKassa's words, with the price of one unit in each line; subjects and modes have its own names. */
export function toYookassaReceipt({ contact, taxSystem, lines }: FiscalReceipt) {
  return {
    customer: 'email' in contact ? { email: contact.email } : { phone: contact.phone.replace(/\D/g, '') },
    ...(taxSystem && { tax_system_code: taxSystemCodes[taxSystem] }),
    items: toUnitLines(lines, linesMax).map(({ name, quantity, unitPrice, tax, subject, mode }) => ({
      description: name,
      quantity,
      measure: 'piece',
      amount: { value: toDecimal(unitPrice), currency: 'RUB' },
      vat_code: vatCodes[tax],
      payment_subject: subject,
      payment_mode: mode,
    })),
  }
}

const problem = z.object({ code: vendorWords(64), parameter: vendorWords(128).optional() })

/**
 * What an answer other than 200 means. A 4xx is a failed operation, a conflict as well
 * (yookassa.ru/developers/using-api/response-handling/recommendations); after 408 and 429 the shop asks again all the same.
 */
export function statusTrouble(answer: VendorAnswer): Outcome<never> {
  const refused = problem.safeParse(answer.body).data
  const details = { parameter: refused?.parameter }
  if (answer.status === 409) return rejected(refused?.code || 'http_409', details)
  return toHttpOutcome(answer, refused?.code, details)
}

const descriptionLength = 128
/** A page has a hundred refunds. Nobody gives one payment back in more parts than these. */
const refundPagesAtMost = 10
/** A day of more payments than these hundreds is not compared, rather than in part. */
const paymentPagesAtMost = 500
const bySbp = 'yookassa_sbp'

/**
 * Cards and SBP in roubles by YooKassa, API version 3 (yookassa.ru/developers/api). Its webhooks are not signed: they come from its
 * addresses, and what they say is asked for again (yookassa.ru/developers/using-api/webhooks).
 */
export const yookassa = {
  name: 'yookassa',
  settings,
  webhooks: [{ events: ['payment.succeeded', 'payment.canceled', 'refund.succeeded'] }],
  create: createYookassa,
} satisfies ProviderAdapter<typeof settings>

function createYookassa(
  {
    YOOKASSA_SHOP_ID: shopId,
    YOOKASSA_SECRET_KEY: secretKey,
    YOOKASSA_BASE_URL: baseUrl,
    YOOKASSA_ADDRESSES: addresses,
  }: z.output<typeof settings>,
  { fetchVendor }: Pick<ProviderDeps, 'fetchVendor'>,
): NotifyingProvider & RefundingProvider {
  const known = readAddresses(addresses)
  const credentials = Buffer.from(`${shopId}:${secretKey}`).toString('base64')

  const call = async <T>(schema: z.ZodType<T>, path: string, post?: { key: string; body: object }) => {
    const headers = { authorization: `Basic ${credentials}`, ...(post && { 'idempotence-key': post.key }) }
    const answer = await askVendor(fetchVendor, `${baseUrl}${path}`, { headers, post: post?.body })
    if ('kind' in answer) return answer
    if (answer.status !== 200) return statusTrouble(answer)
    const read = schema.safeParse(answer.body)
    return read.success ? done(read.data) : unknown('bad_answer')
  }

  const readPayment = async (id: string) => {
    const answer = await call(yookassaPayment, `/payments/${encodeURIComponent(id)}`)
    if (answer.kind !== 'done') return answer
    const isOurs = answer.value.recipient.account_id === shopId && answer.value.id === id
    return isOurs ? done(toYookassaSnapshot(answer.value)) : rejected('other_shop')
  }

  const asRefund = (answer: Outcome<z.infer<typeof yookassaRefund>>) =>
    answer.kind === 'done' ? done(toRefund(answer.value)) : answer

  const open = (
    { key, orderId, method, amount, currency, description, returnUrl, receipt }: PaymentRequest,
    { capture }: { capture: boolean },
  ) =>
    call(yookassaPayment, '/payments', {
      key,
      body: {
        amount: { value: toDecimal(amount), currency },
        capture,
        confirmation: { type: 'redirect', return_url: returnUrl },
        description: description.slice(0, descriptionLength),
        metadata: { order_id: orderId, payment_key: key },
        // Without it the customer chooses at YooKassa's page, among what the shop has there.
        ...(method === bySbp && { payment_method_data: { type: 'sbp' } }),
        ...(receipt && { receipt: toYookassaReceipt(receipt) }),
      },
    })

  return {
    name: 'yookassa',
    methods: [
      { name: 'yookassa_card', mark: 'card' },
      { name: bySbp, mark: 'sbp' },
    ],
    charges: ['RUB'],
    least: { RUB: 100 },
    needsContact: 'email',

    async createPayment(request) {
      const answer = await open(request, { capture: true })
      if (answer.kind !== 'done') return answer
      if (answer.value.status === 'canceled') return rejected(answer.value.cancellation_details?.reason ?? 'canceled')
      const payUrl = answer.value.confirmation?.confirmation_url
      return payUrl ? done({ providerPaymentId: answer.value.id, payUrl }) : unknown('no_pay_page')
    },

    // Only a payment that was made and is held can be canceled; one that nobody pays ends by itself within the hour
    // (yookassa.ru/developers/payment-acceptance/getting-started/payment-process).
    async tryReceipt(request) {
      const answer = await open(request, { capture: false })
      return answer.kind === 'done' ? done('expires') : answer
    },

    readPayment,

    async refund({ providerPaymentId, amount, currency, key, receipt }) {
      const body = {
        payment_id: providerPaymentId,
        amount: { value: toDecimal(amount), currency },
        ...(receipt && { receipt: toYookassaReceipt(receipt) }),
      }
      return asRefund(await call(yookassaRefund, '/refunds', { key, body }))
    },

    async readRefund(id) {
      return asRefund(await call(yookassaRefund, `/refunds/${encodeURIComponent(id)}`))
    },

    async readReceipt({ providerPaymentId, providerRefundId }) {
      const answer =
        providerRefundId === null
          ? await call(yookassaPayment, `/payments/${encodeURIComponent(providerPaymentId)}`)
          : await call(yookassaRefund, `/refunds/${encodeURIComponent(providerRefundId)}`)
      return answer.kind === 'done' ? done(toReceiptState(answer.value.receipt_registration)) : answer
    },

    async listRefunds(paymentId) {
      const refunds: ProviderRefund[] = []
      let cursor: string | undefined
      for (let page = 0; page < refundPagesAtMost; page++) {
        const query = new URLSearchParams({ payment_id: paymentId, limit: '100', ...(cursor && { cursor }) })
        const answer = await call(yookassaRefunds, `/refunds?${query}`)
        if (answer.kind !== 'done') return answer
        refunds.push(...answer.value.items.map(toRefund))
        cursor = answer.value.next_cursor
        if (cursor === undefined) break
      }
      return done(refunds)
    },

    async listPayments(from, to) {
      const payments: PaymentSnapshot[] = []
      let cursor: string | undefined
      for (let page = 0; page < paymentPagesAtMost; page++) {
        const span = { 'captured_at.gte': from.toISOString(), 'captured_at.lt': to.toISOString() }
        const query = new URLSearchParams({ ...span, status: 'succeeded', limit: '100', ...(cursor && { cursor }) })
        const answer = await call(yookassaPayments, `/payments?${query}`)
        if (answer.kind !== 'done') return answer
        payments.push(...answer.value.items.map(toYookassaSnapshot))
        cursor = answer.value.next_cursor
        if (cursor === undefined) return done(payments)
      }
      return unknown('too_many_payments')
    },

    async tryAccount() {
      const answer = await call(yookassaShop, '/me')
      if (answer.kind !== 'done') return answer
      const { account_id, status, test, fiscalization, fiscalization_enabled } = answer.value
      if (account_id !== shopId) return rejected('other_shop')
      if (status !== undefined && status !== 'enabled') return rejected(status)
      const hasReceipts = fiscalization?.enabled ?? fiscalization_enabled
      return done({ ...(test !== undefined && { isTest: test }), ...(hasReceipts !== undefined && { hasReceipts }) })
    },

    async readWebhook({ body, address }) {
      if (!known || !isFrom(known, address)) return forged('not from YooKassa')
      const webhook = yookassaWebhook.safeParse(toJson(body))
      if (!webhook.success) return forged('not a notification')
      const { event, object } = webhook.data
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
