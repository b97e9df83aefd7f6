import { z } from 'zod'
import { isFrom, readAddresses } from '../../../platform/http/headers.ts'
import { isSecret } from '../../../platform/security/tokens.ts'
import {
  type HttpReply,
  shownSetting,
  toJson,
  vendorAddresses,
  vendorUrl,
  type Webhook,
} from '../../../platform/vendor/adapters.ts'
import { done, vendorName } from '../../../platform/vendor/vendor.ts'
import type {
  AskingProvider,
  BooksRefusal,
  CodedLine,
  PaymentBooks,
  ProviderAdapter,
  ProviderTransaction,
} from '../provider.ts'

/** Twelve hours after it was created, a transaction that was not performed is canceled for this reason. */
const timeout = { afterMs: 43_200_000, reason: '4' }

/** Payme's number for a cancellation that has no other reason. */
const unknownReason = 10

const states = { begun: 1, performed: 2, canceled: -1, reversed: -2 } as const

/** The name of the field in which Payme's page was told the order. */
const orderField = 'order_id'

interface PaymeError {
  code: number
  /** What the customer, or Payme's operator, reads. */
  message: { ru: string; uz: string; en: string }
  /** Which part of the request is wrong. */
  data?: string
}

/** What can be wrong with a call, besides what the books refuse. */
type CallFault = 'not_allowed' | 'no_json' | 'not_a_request' | 'no_method' | 'broken'

/** Payme's errors: developer.help.paycom.uz/metody-merchant-api/oshibki-errors. -31050 to -31099 are about the account. */
const paymeErrors: Readonly<Record<CallFault | BooksRefusal['refused'], PaymeError>> = {
  not_allowed: {
    code: -32504,
    message: {
      ru: 'Недостаточно прав для выполнения метода',
      uz: 'Metodni bajarish uchun huquq yetarli emas',
      en: 'The caller may not use this method',
    },
  },
  no_json: {
    code: -32700,
    message: { ru: 'Не удалось разобрать JSON', uz: 'JSONni oʻqib boʻlmadi', en: 'The JSON can not be parsed' },
  },
  not_a_request: {
    code: -32600,
    message: {
      ru: 'Не хватает полей запроса, или их тип неверен',
      uz: 'Soʻrov maydonlari yetishmaydi yoki ularning turi notoʻgʻri',
      en: 'Fields of the request are missing or of a wrong type',
    },
  },
  no_method: {
    code: -32601,
    message: { ru: 'Метод не найден', uz: 'Metod topilmadi', en: 'There is no such method' },
  },
  broken: {
    code: -32400,
    message: {
      ru: 'Системная ошибка, повторите запрос',
      uz: 'Tizim xatosi, soʻrovni takrorlang',
      en: 'Something failed here, please repeat the request',
    },
  },
  wrong_amount: {
    code: -31001,
    message: { ru: 'Неверная сумма', uz: 'Summa notoʻgʻri', en: 'The amount is wrong' },
    data: 'amount',
  },
  unknown_transaction: {
    code: -31003,
    message: { ru: 'Транзакция не найдена', uz: 'Tranzaksiya topilmadi', en: 'There is no such transaction' },
    data: 'id',
  },
  delivered: {
    code: -31007,
    message: {
      ru: 'Отменить нельзя: заказ выполнен',
      uz: 'Bekor qilib boʻlmaydi: buyurtma bajarilgan',
      en: 'It can not be canceled: the order is delivered',
    },
  },
  state: {
    code: -31008,
    message: {
      ru: 'Операция невозможна в этом состоянии транзакции',
      uz: 'Tranzaksiyaning bu holatida amalni bajarib boʻlmaydi',
      en: 'The state of the transaction does not allow it',
    },
  },
  unknown_account: {
    code: -31050,
    message: { ru: 'Заказ не найден', uz: 'Buyurtma topilmadi', en: 'There is no such order' },
    data: orderField,
  },
  not_payable: {
    code: -31051,
    message: {
      ru: 'Заказ нельзя оплатить: его срок истёк',
      uz: 'Buyurtmani toʻlab boʻlmaydi: muddati oʻtgan',
      en: 'The order can not be paid: it has expired',
    },
    data: orderField,
  },
  already_paid: {
    code: -31053,
    message: { ru: 'Заказ уже оплачен', uz: 'Buyurtma toʻlangan', en: 'The order is paid already' },
    data: orderField,
  },
  other_pending: {
    code: -31052,
    message: {
      ru: 'Заказ уже оплачивается другой транзакцией',
      uz: 'Buyurtma boshqa tranzaksiya bilan toʻlanmoqda',
      en: 'Another transaction is paying for the order',
    },
    data: orderField,
  },
}

const time = z.int().min(0).max(253_402_300_799_999)
const transactionId = z.union([vendorName(64), z.int().transform(String)])

const paymeRequest = z.object({ method: z.string(), params: z.record(z.string(), z.unknown()) })

/**
 * The parameters of the methods: developer.help.paycom.uz/metody-merchant-api. An amount that is no whole number, or an
 * account without the field, has an error of its own, so both are read apart.
 */
const paymeParams = {
  create: z.object({ id: transactionId, time }),
  one: z.object({ id: transactionId }),
  cancel: z.object({ id: transactionId, reason: z.int().min(0).max(999) }),
  statement: z.object({ from: time, to: time }),
}

const amount = z.object({ amount: z.int().min(1) })
const account = z.object({
  account: z.object({ [orderField]: z.union([vendorName(64), z.int().min(0).transform(String)]) }),
})

/** What is paid for, and the tiyin; or what is wrong with either. */
function readPaid(params: unknown): { account: string; amount: number } | BooksRefusal {
  const told = account.safeParse(params)
  if (!told.success) return { refused: 'unknown_account' }
  const tiyin = amount.safeParse(params)
  return tiyin.success
    ? { account: told.data.account[orderField] as string, amount: tiyin.data.amount }
    : { refused: 'wrong_amount' }
}

const requestId = z.object({ id: z.union([z.int(), z.string().max(128)]) })

/** The id of a call, to be told again; null where it has none. */
const readId = (call: unknown): number | string | null => requestId.safeParse(call).data?.id ?? null

/** Payme takes any other status than 200 for -32400. */
const toReply = (call: unknown, told: object): HttpReply => ({
  status: 200,
  type: 'application/json',
  body: JSON.stringify({ jsonrpc: '2.0', id: readId(call), ...told }),
})

/** Answers a call with what it asked for. */
const paymeResult = (call: unknown, result: object): HttpReply => toReply(call, { result })

/** Answers a call with an error. */
const paymeError = (call: unknown, error: PaymeError): HttpReply => toReply(call, { error })

const toTime = (at: Date | undefined): number => at?.getTime() ?? 0

type PaymeTransaction = ReturnType<typeof toPayme>

/** The part of a transaction that a method answers with. */
function pickFields(transaction: ProviderTransaction, names: readonly (keyof PaymeTransaction)[]): object {
  const told = toPayme(transaction)
  return Object.fromEntries(names.map((name) => [name, told[name]]))
}

/** Which part each method answers with, in Payme's names. */
const answeredFields = {
  CreateTransaction: ['create_time', 'transaction', 'state'],
  PerformTransaction: ['transaction', 'perform_time', 'state'],
  CancelTransaction: ['transaction', 'cancel_time', 'state'],
  CheckTransaction: ['create_time', 'perform_time', 'cancel_time', 'transaction', 'state', 'reason'],
} as const satisfies Record<string, readonly (keyof PaymeTransaction)[]>

/** The transaction as CheckTransaction tells it, in milliseconds; what has not happened is at 0. */
const toPayme = ({ ownId, state, begunAt, performedAt, canceledAt, reason }: ProviderTransaction) => ({
  transaction: ownId,
  state: states[state],
  create_time: toTime(begunAt),
  perform_time: toTime(performedAt),
  cancel_time: toTime(canceledAt),
  reason: canceledAt ? toReason(reason) : null,
})

const toReason = (reason: string | undefined): number =>
  /^\d{1,3}$/.test(reason ?? '') ? Number(reason) : unknownReason

/** A line of GetStatement. */
const toStatement = (transaction: ProviderTransaction) => ({
  id: transaction.id,
  time: transaction.at.getTime(),
  amount: transaction.amount,
  account: { [orderField]: transaction.account },
  ...toPayme(transaction),
  receivers: null,
})

/** What a receipt of Payme's is for: a sale; it makes that of a cancellation by itself. */
const saleReceipt = 0

/** Writes what is sold, for the fiscal receipt that Payme makes: developer.help.paycom.uz/metody-subscribe-api/receipts.create. */
const toPaymeDetail = (lines: readonly CodedLine[]) => ({
  receipt_type: saleReceipt,
  items: lines.map(({ name, quantity, unitPrice, ikpu, packageCode, vatPercent }) => ({
    title: name,
    price: unitPrice,
    count: quantity,
    code: ikpu,
    package_code: packageCode,
    vat_percent: vatPercent,
  })),
})

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
type Answered = { result: object } | BooksRefusal | { refused: 'not_a_request' }

const wrongParams: Answered = { refused: 'not_a_request' }

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
  return 'refused' in answered ? paymeError(call, paymeErrors[answered.refused]) : paymeResult(call, answered.result)
}

/** Whether it was begun so long ago that Payme considers it canceled. */
const isTooOld = (at: Date, now: Date): boolean => now.getTime() - at.getTime() > timeout.afterMs

/**
 * A transaction that may go on; or why it may not. One that took too long is canceled, as Payme wants it, unless another call
 * has performed it meanwhile.
 */
async function requireAlive(
  transaction: ProviderTransaction,
  books: PaymentBooks,
  now: Date,
): Promise<ProviderTransaction | BooksRefusal> {
  if (transaction.state !== 'begun') return { refused: 'state' }
  if (!isTooOld(transaction.begunAt, now)) return transaction
  await books.cancel(transaction.id, timeout.reason, now, { onlyBegun: true })
  return { refused: 'state' }
}

const answerTo = (method: keyof typeof answeredFields, told: ProviderTransaction | BooksRefusal): Answered =>
  'refused' in told ? told : { result: pickFields(told, answeredFields[method]) }

const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  [
    'CheckPerformTransaction',
    async (params, books) => {
      const paid = readPaid(params)
      if ('refused' in paid) return paid
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
      if ('refused' in paid) return paid
      const { id, time } = read.data
      const known = await books.find(id)
      if (known) {
        if (known.account.toUpperCase() !== paid.account.toUpperCase()) return { refused: 'unknown_account' }
        if (known.amount !== paid.amount) return { refused: 'wrong_amount' }
        return answerTo('CreateTransaction', await requireAlive(known, books, now))
      }
      const at = new Date(time)
      if (isTooOld(at, now)) return { refused: 'state' }
      const begun = await books.begin(paid.account, { id, amount: paid.amount, at })
      return answerTo('CreateTransaction', 'refused' in begun ? begun : await requireAlive(begun, books, now))
    },
  ],
  [
    'PerformTransaction',
    async (params, books, now) => {
      const read = paymeParams.one.safeParse(params)
      if (!read.success) return wrongParams
      const known = await books.find(read.data.id)
      if (!known) return { refused: 'unknown_transaction' }
      if (known.state === 'performed') return answerTo('PerformTransaction', known)
      const alive = await requireAlive(known, books, now)
      if (!('refused' in alive)) return answerTo('PerformTransaction', await books.perform(alive.id, now))
      const meanwhile = await books.find(known.id)
      return answerTo('PerformTransaction', meanwhile?.state === 'performed' ? meanwhile : alive)
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
      return known ? answerTo('CheckTransaction', known) : { refused: 'unknown_transaction' }
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
