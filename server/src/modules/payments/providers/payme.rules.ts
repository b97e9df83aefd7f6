import { z } from 'zod'
import { vendorName } from '../../../platform/vendor/vendor.ts'
import type { HttpReply } from '../../../platform/vendor/webhooks.ts'
import type { BooksRefusal, CodedLine, ProviderTransaction } from '../provider.ts'

/** Twelve hours after it was created, a transaction that was not performed is canceled for this reason. */
export const timeout = { afterMs: 43_200_000, reason: '4' }

/** Payme's number for a cancellation that has no other reason. */
const unknownReason = 10

const states = { begun: 1, performed: 2, canceled: -1, reversed: -2 } as const

/** The name of the field in which Payme's page was told the order. */
export const orderField = 'order_id'

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
export const paymeErrors: Readonly<Record<CallFault | BooksRefusal['no'], PaymeError>> = {
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

export const paymeRequest = z.object({ method: z.string(), params: z.record(z.string(), z.unknown()) })

/**
 * The parameters of the methods: developer.help.paycom.uz/metody-merchant-api. An amount that is no whole number, or an
 * account without the field, has an error of its own, so both are read apart.
 */
export const paymeParams = {
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
export function readPaid(params: unknown): { account: string; amount: number } | BooksRefusal {
  const told = account.safeParse(params)
  if (!told.success) return { no: 'unknown_account' }
  const tiyin = amount.safeParse(params)
  return tiyin.success
    ? { account: told.data.account[orderField] as string, amount: tiyin.data.amount }
    : { no: 'wrong_amount' }
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
export const paymeResult = (call: unknown, result: object): HttpReply => toReply(call, { result })

/** Answers a call with an error. */
export const paymeError = (call: unknown, error: PaymeError): HttpReply => toReply(call, { error })

const toTime = (at: Date | undefined): number => at?.getTime() ?? 0

type PaymeTransaction = ReturnType<typeof toPayme>

/** The part of a transaction that a method answers with. */
export function pickFields(transaction: ProviderTransaction, names: readonly (keyof PaymeTransaction)[]): object {
  const told = toPayme(transaction)
  return Object.fromEntries(names.map((name) => [name, told[name]]))
}

/** Which part each method answers with, in Payme's names. */
export const answeredFields = {
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
export const toStatement = (transaction: ProviderTransaction) => ({
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
export const toPaymeDetail = (lines: readonly CodedLine[]) => ({
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
