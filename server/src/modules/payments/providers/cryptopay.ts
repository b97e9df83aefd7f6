import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { chargeCurrencies } from '@olmos/contract/money'
import { z } from 'zod'
import { SERVER_LIMITS } from '../../../limits.ts'
import { accepted, forged, toJson, vendorUrl } from '../../../platform/vendor/adapters.ts'
import {
  askVendor,
  done,
  type Outcome,
  rejected,
  toDecimal,
  toHttpOutcome,
  toHundredths,
  unknown,
  vendorDecimal,
  vendorName,
  vendorWords,
} from '../../../platform/vendor/vendor.ts'
import type { NotifyingProvider, PaymentSnapshot, ProviderAdapter, ProviderDeps } from '../provider.ts'

const settings = z.object({
  CRYPTOPAY_TOKEN: z.string(),
  CRYPTOPAY_BASE_URL: vendorUrl('https://pay.crypt.bot/api'),
})

const time = z.iso.datetime({ offset: true }).transform((text) => new Date(text))
/** A number in its documents, and a text to some of its callers. */
const invoiceId = z.union([z.int().min(1).transform(String), z.string().regex(/^[1-9]\d{0,18}$/)])

/** The part of an invoice that the shop looks at (help.crypt.bot/crypto-pay-api#Invoice). */
const cryptopayInvoice = z.object({
  invoice_id: invoiceId,
  status: z.enum(['active', 'paid', 'expired']),
  /** Present where the price is in money; `asset` where it is in coins. */
  fiat: vendorWords(8).nullish(),
  asset: vendorWords(8).nullish(),
  amount: vendorDecimal,
  payload: z.unknown(),
  bot_invoice_url: vendorName(2_000).nullish(),
  created_at: time,
  paid_at: time.nullish(),
})
type CryptopayInvoice = z.infer<typeof cryptopayInvoice>

const invoiceList = z.object({ items: z.array(cryptopayInvoice) })

/** An update that was sent for a paid invoice (help.crypt.bot/crypto-pay-api#webhooks). */
const cryptopayUpdate = z.object({ update_type: z.string(), request_date: time, payload: z.unknown() })

const statuses = { active: 'pending', paid: 'succeeded', expired: 'canceled' } as const

function toSnapshot(invoice: CryptopayInvoice): PaymentSnapshot {
  return {
    providerPaymentId: invoice.invoice_id,
    reference: vendorName(64).safeParse(invoice.payload).data,
    status: statuses[invoice.status],
    amount: toHundredths(invoice.amount),
    currency: (invoice.fiat ?? invoice.asset ?? '').toUpperCase(),
    // It has no other end: nobody can decline an invoice.
    ...(invoice.status === 'expired' && { why: invoice.status }),
  }
}

/** A refusal has `ok: false` and a name. */
const problem = z.object({ error: z.object({ name: vendorWords(64) }) })

const pageSize = 100
/** How many pages are searched for the invoice of an order, which is a few hours old at most. */
const searchPagesAtMost = 10
/** A day of more payments than these is not compared, rather than in part. */
const listPagesAtMost = 500
/** How far before the end of an order's time its invoice may have been made. */
const searchBackMs = 3 * 3_600_000
/** An invoice lives as long as the order waits for its payment, which is far less. */
const invoiceLifeMs = 24 * 3_600_000
const toleranceMs = SERVER_LIMITS.webhookToleranceSeconds * 1000
const secondsAtLeast = 60
const descriptionLength = 1_024

/**
 * USDT and TON by Crypto Pay, for prices in money: it converts them when the customer pays (help.crypt.bot/crypto-pay-api,
 * version 1.5). It knows no idempotency keys, so an earlier invoice of the same key is looked for before another is made,
 * and it makes no refunds: the shop transfers coins by hand.
 */
export const cryptopay = {
  name: 'cryptopay',
  settings,
  webhooks: [{ events: ['invoice_paid'] }],
  create: createCryptopay,
} satisfies ProviderAdapter<typeof settings>

function createCryptopay(
  { CRYPTOPAY_TOKEN: token, CRYPTOPAY_BASE_URL: baseUrl }: z.output<typeof settings>,
  { fetchVendor }: Pick<ProviderDeps, 'fetchVendor'>,
): NotifyingProvider {
  const secret = createHash('sha256').update(token).digest()

  const call = async <T>(schema: z.ZodType<T>, path: string, post?: object): Promise<Outcome<T>> => {
    const headers = { 'crypto-pay-api-token': token }
    const answer = await askVendor(fetchVendor, `${baseUrl}${path}`, { headers, post })
    if ('kind' in answer) return answer
    const refused = problem.safeParse(answer.body)
    if (answer.status !== 200) return toHttpOutcome(answer, refused.data?.error.name)
    const read = z.object({ ok: z.literal(true), result: schema }).safeParse(answer.body)
    if (read.success) return done(read.data.result)
    return refused.success ? rejected(refused.data.error.name || 'refused') : unknown('bad_answer')
  }

  const listInvoices = (query: Record<string, string>) =>
    call(invoiceList, `/getInvoices?${new URLSearchParams(query)}`)

  /** Looks through the newest invoices for the one of this key; undefined when none was made since the time. */
  const findInvoice = async (key: string, since: Date): Promise<Outcome<CryptopayInvoice | undefined>> => {
    for (let page = 0; page < searchPagesAtMost; page++) {
      const answer = await listInvoices({ count: String(pageSize), offset: String(page * pageSize) })
      if (answer.kind !== 'done') return answer
      const { items } = answer.value
      const made = items.find(({ payload }) => payload === key)
      if (made) return done(made)
      if (items.length < pageSize || items.every(({ created_at }) => created_at < since)) break
    }
    return done(undefined)
  }

  const isSigned = (body: Buffer, signature: unknown): boolean => {
    if (typeof signature !== 'string' || !/^[0-9a-f]{64}$/.test(signature)) return false
    return timingSafeEqual(createHmac('sha256', secret).update(body).digest(), Buffer.from(signature, 'hex'))
  }

  return {
    name: 'cryptopay',
    othersPaymentId: '1',
    methods: [{ name: 'cryptopay', mark: 'crypto' }],
    charges: chargeCurrencies,

    async createPayment({ key, amount, currency, description, returnUrl, expiresAt }) {
      const earlier = await findInvoice(key, new Date(expiresAt.getTime() - searchBackMs))
      if (earlier.kind !== 'done') return earlier
      const made = earlier.value
        ? done(earlier.value)
        : await call(cryptopayInvoice, '/createInvoice', {
            currency_type: 'fiat',
            fiat: currency,
            accepted_assets: 'USDT,TON',
            amount: toDecimal(amount),
            description: description.slice(0, descriptionLength),
            payload: key,
            paid_btn_name: 'callback',
            paid_btn_url: returnUrl,
            allow_comments: false,
            expires_in: Math.max(secondsAtLeast, Math.ceil((expiresAt.getTime() - Date.now()) / 1000)),
          })
      if (made.kind !== 'done') return made
      const { invoice_id: providerPaymentId, bot_invoice_url: payUrl, status } = made.value
      if (status === 'expired') return rejected('expired')
      return payUrl ? done({ providerPaymentId, payUrl }) : unknown('no_pay_page')
    },

    async readPayment(id) {
      if (!invoiceId.safeParse(id).success) return rejected('not_found')
      const answer = await listInvoices({ invoice_ids: id })
      if (answer.kind !== 'done') return answer
      const invoice = answer.value.items.find(({ invoice_id }) => invoice_id === id)
      return invoice ? done(toSnapshot(invoice)) : rejected('not_found')
    },

    async listPayments(from, to) {
      const paid: PaymentSnapshot[] = []
      const since = new Date(from.getTime() - invoiceLifeMs)
      for (let page = 0; page < listPagesAtMost; page++) {
        const query = { status: 'paid', count: String(pageSize), offset: String(page * pageSize) }
        const answer = await listInvoices(query)
        if (answer.kind !== 'done') return answer
        const { items } = answer.value
        paid.push(...items.filter(({ paid_at }) => paid_at && paid_at >= from && paid_at < to).map(toSnapshot))
        if (items.length < pageSize || items.every(({ created_at }) => created_at < since)) return done(paid)
      }
      return unknown('too_many_payments')
    },

    async readWebhook({ body, headers, now }) {
      if (!isSigned(body, headers['crypto-pay-api-signature'])) return forged('wrong signature')
      const update = cryptopayUpdate.safeParse(toJson(body))
      if (!update.success) return forged('not an update')
      const { update_type, request_date, payload } = update.data
      if (Math.abs(now.getTime() - request_date.getTime()) > toleranceMs) return forged('too old')
      if (update_type !== 'invoice_paid') return { verified: true, events: [], refunds: [], reply: accepted }
      const invoice = cryptopayInvoice.safeParse(payload)
      if (!invoice.success) return forged('not an invoice')
      const snapshot = toSnapshot(invoice.data)
      const { providerPaymentId, status } = snapshot
      return {
        verified: true,
        events: [{ providerPaymentId, proven: { key: `${status}:${providerPaymentId}`, snapshot } }],
        refunds: [],
        reply: accepted,
      }
    },
  }
}
