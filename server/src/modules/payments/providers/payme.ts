import { z } from 'zod'
import { shownSetting, vendorAddresses, vendorUrl } from '../../../platform/vendor/adapters.ts'
import { done } from '../../../platform/vendor/vendor.ts'
import {
  type HttpReply,
  isFrom,
  isSecret,
  readAddresses,
  toJson,
  type Webhook,
} from '../../../platform/vendor/webhooks.ts'
import type { AskingProvider, BooksRefusal, PaymentBooks, ProviderAdapter, ProviderTransaction } from '../provider.ts'
import {
  answeredFields,
  orderField,
  paymeError,
  paymeErrors,
  paymeParams,
  paymeRequest,
  paymeResult,
  pickFields,
  readPaid,
  timeout,
  toPaymeDetail,
  toStatement,
} from './payme.rules.ts'

/** Payme sends from 185.234.113.1 to 185.234.113.15: developer.help.paycom.uz. */
const usualAddresses = '185.234.113.1,185.234.113.2/31,185.234.113.4/30,185.234.113.8/29'

const settings = z.object({
  PAYME_MERCHANT_ID: shownSetting(z.string().regex(/^[\w-]{1,64}$/, 'must be the id of the cash register')),
  PAYME_KEY: z.string(),
  PAYME_BASE_URL: vendorUrl('https://checkout.paycom.uz'),
  PAYME_ADDRESSES: shownSetting(vendorAddresses(usualAddresses)),
})

/** The user name that Payme calls with, whatever the shop is. */
const login = 'Paycom'

/** What a method answers: its result, or what is wrong. */
type Answered = { result: object } | BooksRefusal | { no: 'not_a_request' }

const wrongParams: Answered = { no: 'not_a_request' }

type Method = (params: unknown, books: PaymentBooks, now: Date) => Promise<Answered>

/**
 * Payme by its Merchant API (developer.help.paycom.uz/protokol-merchant-api): the customer is sent to its page, and it calls
 * the store by JSON-RPC. Amounts are tiyin, times milliseconds, and the status is always 200. It has no call of the store's:
 * a refund is made in its cabinet, and reported by CancelTransaction.
 */
export const payme = {
  name: 'payme',
  settings,
  webhooks: [{ events: [] }],
  create: createPayme,
} satisfies ProviderAdapter<typeof settings>

function createPayme({
  PAYME_MERCHANT_ID: merchantId,
  PAYME_KEY: key,
  PAYME_BASE_URL: baseUrl,
  PAYME_ADDRESSES: addresses,
}: z.output<typeof settings>): AskingProvider {
  const known = readAddresses(addresses)

  const isPayme = ({ headers, address }: Webhook): boolean => {
    const [, credentials = ''] = /^Basic\s+(\S+)\s*$/i.exec(headers.authorization ?? '') ?? []
    const isItsKey = isSecret(`${login}:${key}`, Buffer.from(credentials, 'base64').toString())
    return isItsKey && known !== undefined && isFrom(known, address)
  }

  return {
    name: 'payme',
    methods: [{ name: 'payme', mark: 'payme' }],
    charges: ['UZS'],

    async createPayment({ key: providerPaymentId, orderId, amount, language, returnUrl }) {
      const fields = {
        m: merchantId,
        [`ac.${orderField}`]: orderId,
        a: amount,
        l: language,
        // A semicolon divides the fields.
        c: returnUrl.replaceAll(';', '%3B'),
      }
      const text = Object.entries(fields).map(([name, value]) => `${name}=${value}`)
      const page = Buffer.from(text.join(';')).toString('base64')
      return done({ providerPaymentId, payUrl: `${baseUrl.replace(/\/$/, '')}/${page}` })
    },

    async answer(webhook, books) {
      const call = toJson(webhook.body)
      try {
        if (!isPayme(webhook)) return paymeError(call, paymeErrors.not_allowed)
        return await answerCall(call, books, webhook.now)
      } catch (failure) {
        return { ...paymeError(call, paymeErrors.broken), failure }
      }
    },
  }
}

async function answerCall(call: unknown, books: PaymentBooks, now: Date): Promise<HttpReply> {
  if (call === undefined) return paymeError(call, paymeErrors.no_json)
  const request = paymeRequest.safeParse(call)
  if (!request.success) return paymeError(call, paymeErrors.not_a_request)
  const method = methods.get(request.data.method)
  if (!method) return paymeError(call, { ...paymeErrors.no_method, data: request.data.method.slice(0, 64) })
  const answered = await method(request.data.params, books, now)
  return 'no' in answered ? paymeError(call, paymeErrors[answered.no]) : paymeResult(call, answered.result)
}

/** Whether it was begun so long ago that Payme considers it canceled. */
const isTooOld = (at: Date, now: Date): boolean => now.getTime() - at.getTime() > timeout.afterMs

/** A transaction that may go on; or why it may not. One that took too long is canceled, as Payme wants it. */
async function requireAlive(
  transaction: ProviderTransaction,
  books: PaymentBooks,
  now: Date,
): Promise<ProviderTransaction | BooksRefusal> {
  if (transaction.state !== 'begun') return { no: 'state' }
  if (!isTooOld(transaction.begunAt, now)) return transaction
  await books.cancel(transaction.id, timeout.reason, now)
  return { no: 'state' }
}

const answerTo = (method: keyof typeof answeredFields, told: ProviderTransaction | BooksRefusal): Answered =>
  'no' in told ? told : { result: pickFields(told, answeredFields[method]) }

const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  [
    'CheckPerformTransaction',
    async (params, books) => {
      const paid = readPaid(params)
      if ('no' in paid) return paid
      const checked = await books.check(paid.account, paid.amount)
      if (checked !== 'payable') return checked
      const lines = await books.listLines(paid.account, paid.amount)
      return { result: { allow: true, ...(lines && { detail: toPaymeDetail(lines) }) } }
    },
  ],
  [
    'CreateTransaction',
    async (params, books, now) => {
      const read = paymeParams.create.safeParse(params)
      if (!read.success) return wrongParams
      const paid = readPaid(params)
      if ('no' in paid) return paid
      const { id, time } = read.data
      const known = await books.find(id)
      if (known) {
        if (known.account.toUpperCase() !== paid.account.toUpperCase()) return { no: 'unknown_account' }
        if (known.amount !== paid.amount) return { no: 'wrong_amount' }
        return answerTo('CreateTransaction', await requireAlive(known, books, now))
      }
      const at = new Date(time)
      if (isTooOld(at, now)) return { no: 'state' }
      const begun = await books.begin(paid.account, { id, amount: paid.amount, at })
      return answerTo('CreateTransaction', 'no' in begun ? begun : await requireAlive(begun, books, now))
    },
  ],
  [
    'PerformTransaction',
    async (params, books, now) => {
      const read = paymeParams.one.safeParse(params)
      if (!read.success) return wrongParams
      const known = await books.find(read.data.id)
      if (!known) return { no: 'unknown_transaction' }
      if (known.state === 'performed') return answerTo('PerformTransaction', known)
      const alive = await requireAlive(known, books, now)
      return answerTo('PerformTransaction', 'no' in alive ? alive : await books.perform(alive.id, now))
    },
  ],
  [
    'CancelTransaction',
    async (params, books, now) => {
      const read = paymeParams.cancel.safeParse(params)
      if (!read.success) return wrongParams
      const { id, reason } = read.data
      return answerTo('CancelTransaction', await books.cancel(id, String(reason), now))
    },
  ],
  [
    'CheckTransaction',
    async (params, books) => {
      const read = paymeParams.one.safeParse(params)
      if (!read.success) return wrongParams
      const known = await books.find(read.data.id)
      return known ? answerTo('CheckTransaction', known) : { no: 'unknown_transaction' }
    },
  ],
  [
    'GetStatement',
    async (params, books) => {
      const read = paymeParams.statement.safeParse(params)
      if (!read.success) return wrongParams
      const { from, to } = read.data
      const listed = from > to ? [] : await books.list(new Date(from), new Date(to))
      return { result: { transactions: listed.map(toStatement) } }
    },
  ],
])
