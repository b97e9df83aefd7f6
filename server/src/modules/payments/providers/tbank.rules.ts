import { createHash, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { done, type Outcome, rejected, unknown, vendorName, vendorWords } from '../../../platform/vendor/vendor.ts'
import { toUnitLines } from '../fiscal-receipt.rules.ts'
import type { FiscalReceipt, PaymentSnapshot, ProviderRefund, ReportedReceipt } from '../provider.ts'

/** A refund as the store's books have it. */
export interface BookedRefund {
  key: string
  provider_refund_id: string | null
  /** In kopecks that were charged. */
  amount: number
  status: 'sending' | 'sent' | 'succeeded' | 'failed'
  /** How often T-Bank was asked to make it, including a call that is under way. */
  attempts: number
}

/** A payment and its refunds as the store's books have them. T-Bank keeps no list of refunds to ask for. */
export interface BookedPayment {
  /** In kopecks. */
  charged: number
  /** Whether it was paid by SBP, whose refunds have no key. */
  isSbp: boolean
  /** The oldest first. */
  refunds: readonly BookedRefund[]
}

/** T-Bank tells numbers as numbers or as texts, not always the way its documents have it. */
const digits = (lengthMax: number) =>
  z.union([z.int().min(0).transform(String), z.string().regex(/^\d+$/)]).pipe(z.string().max(lengthMax))

export const tbankId = digits(20).refine((id) => id.length > 0)
const kopecks = digits(12).transform(Number)

/** The part of a payment's state that the shop looks at (tbank.ru/kassa/dev/payments, GetState). */
export const tbankState = z.object({
  TerminalKey: z.string(),
  PaymentId: tbankId,
  OrderId: vendorName(64).optional(),
  Status: vendorWords(40),
  Amount: kopecks,
})
export type TbankState = z.infer<typeof tbankState>

export const tbankOpened = z.object({ PaymentId: tbankId, PaymentURL: vendorName(2_000).optional() })
export const tbankQr = z.object({ PaymentId: tbankId, Data: vendorName(2_000) })
export const tbankOrder = z.object({ Payments: z.array(z.object({ PaymentId: tbankId, Status: vendorWords(40) })) })
export const tbankCanceled = z.object({ PaymentId: tbankId, Status: vendorWords(40) })
export const tbankQrState = z.object({
  QrCancelCode: vendorWords(64).nullish(),
  QrCancelMessage: vendorWords(200).nullish(),
})

/** A notification of a fiscal document (tbank.ru/kassa/dev/payments, NotificationFiscalization). */
const tbankReceipt = z.object({
  Status: z.literal('RECEIPT'),
  PaymentId: tbankId,
  Success: z.union([z.boolean(), z.enum(['true', 'false']).transform((told) => told === 'true')]).optional(),
  ErrorCode: z.string().pipe(vendorWords(20)).nullish(),
  ErrorMessage: vendorWords(200).nullish(),
  Type: vendorWords(40).nullish(),
})

const tbankProblem = z.object({
  Success: z.literal(false),
  ErrorCode: z.union([z.string(), z.int()]).transform(String).pipe(vendorWords(20)),
  Message: vendorWords(128).nullish(),
  Details: vendorWords(128).nullish(),
})

/** The terminal is blocked, unknown, or signed for with another password. */
const notAllowed = ['202', '204', '205', '322', '331', '501']
/** Faults of its own, after which nobody knows what it has done, and "try again". */
const unsure = [
  '3',
  '21',
  '96',
  '97',
  '98',
  '99',
  '100',
  '401',
  '402',
  '515',
  '903',
  '999',
  '1018',
  '1030',
  '1089',
  '1091',
  '1096',
  '9999',
]

/**
 * Reads an answer's refusal, which has the status 200 like any other: `ErrorCode` as the code, and T-Bank's own words, such
 * as 'expected.receipt' for 309, where others name a parameter. Undefined for an answer that is no refusal.
 */
export function tbankTrouble(body: unknown): Outcome<never> | undefined {
  const problem = tbankProblem.safeParse(body).data
  if (!problem) return undefined
  const { ErrorCode: code, Message, Details } = problem
  if (notAllowed.includes(code)) return rejected('not_allowed')
  if (unsure.includes(code)) return unknown(`error_${code}`)
  return rejected(code || 'refused', { parameter: Details || Message || undefined })
}

/** Reads what a notification says of a fiscal document; undefined for a notification of anything else. */
export function readTbankReceipt(told: unknown): ReportedReceipt | undefined {
  const receipt = tbankReceipt.safeParse(told).data
  if (!receipt) return undefined
  const { PaymentId: providerPaymentId, Success, ErrorCode: code, ErrorMessage, Type } = receipt
  const isRegistered = Success !== false && (code ?? '0') === '0'
  const failed = {
    state: 'failed',
    why: code && code !== '0' ? code : 'failed',
    parameter: ErrorMessage || undefined,
  } as const
  return {
    providerPaymentId,
    isRefund: Type === 'IncomeReturn',
    told: isRegistered ? { state: 'registered' } : failed,
  }
}

/** The order's id had an operation before (20, 623), at a terminal that allows each id once. */
export const isOrderTaken = (outcome: Outcome<unknown>): boolean =>
  outcome.kind === 'rejected' && ['20', '623'].includes(outcome.code)

const canceledStatuses = ['CANCELED', 'REVERSED', 'REJECTED', 'AUTH_FAIL', 'DEADLINE_EXPIRED', 'ATTEMPTS_EXPIRED']
const refundingStatuses = ['REFUNDING', 'ASYNC_REFUNDING']
const refundedStatuses = ['PARTIAL_REFUNDED', 'REFUNDED']

export const isRefundStatus = (status: string): boolean => refundedStatuses.includes(status)
export const isRefunding = (status: string): boolean => refundingStatuses.includes(status)
/** Whether the money came, whatever became of it later. */
export const wasPaid = (status: string): boolean =>
  status === 'CONFIRMED' || isRefunding(status) || isRefundStatus(status)

/**
 * Reads a payment's state. Statuses that are not known yet are pending. `Amount` is what a payment is worth now, which a
 * refund lessens; what was paid is what the shop had asked for, since nobody can pay a part of it.
 */
export function toTbankSnapshot(state: TbankState, charged: number | undefined): PaymentSnapshot {
  const { PaymentId, OrderId, Status, Amount } = state
  const isCanceled = canceledStatuses.includes(Status)
  const isLessened = isRefunding(Status) || isRefundStatus(Status)
  return {
    providerPaymentId: PaymentId,
    reference: OrderId,
    status: wasPaid(Status) ? 'succeeded' : isCanceled ? 'canceled' : 'pending',
    amount: isLessened ? (charged ?? Amount) : Amount,
    currency: 'RUB',
    ...(isCanceled && { why: Status.toLowerCase() }),
  }
}

/** Says how much of a payment has gone back; undefined while a refund is under way, and nobody can tell. */
function toRefunded({ Status, Amount }: Pick<TbankState, 'Status' | 'Amount'>, charged: number): number | undefined {
  if (isRefunding(Status)) return undefined
  if (Status === 'REFUNDED') return charged
  return Status === 'PARTIAL_REFUNDED' ? Math.max(0, charged - Amount) : 0
}

/**
 * T-Bank has no ids of refunds: those of the store are named by their key, those from the cabinet by what they left of the
 * payment, which no later one leaves again.
 */
const ownRefundId = (paymentId: string, { amount, key }: Pick<BookedRefund, 'amount' | 'key'>) =>
  `${paymentId}:${amount}:${key}`
const outsideRefundId = (paymentId: string, amount: number, left: number) => `${paymentId}:${amount}:left-${left}`

interface RefundName {
  paymentId: string
  amount: number
  key: string | undefined
  left: number | undefined
}

/** Takes the name of a refund apart; undefined for what is none. */
export function readRefundName(id: string): RefundName | undefined {
  const [, paymentId, amount, key, left] =
    /^(\d{1,20}):(\d{1,12}):(?:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})|left-(\d{1,12}))$/.exec(id) ?? []
  if (paymentId === undefined) return undefined
  return { paymentId, amount: Number(amount), key, left: left === undefined ? undefined : Number(left) }
}

export function toOwnRefund(
  paymentId: string,
  refund: Pick<BookedRefund, 'amount' | 'key'>,
  status: ProviderRefund['status'],
): ProviderRefund {
  const { amount, key: reference } = refund
  const providerRefundId = ownRefundId(paymentId, refund)
  return { providerRefundId, providerPaymentId: paymentId, reference, status, amount, currency: 'RUB' }
}

const sum = (refunds: readonly { amount: number }[]) => refunds.reduce((total, { amount }) => total + amount, 0)

const isNamed = ({ provider_refund_id, status }: BookedRefund) => provider_refund_id !== null && status !== 'failed'
/** Was sent, and its answer is not known. */
export const isLost = ({ provider_refund_id, status, attempts }: BookedRefund) =>
  provider_refund_id === null && status === 'sending' && attempts > 0

/**
 * Finds which of those whose answers were lost have been made, by what has gone back beside the named ones; undefined where
 * some fit and not all: then nobody can tell which.
 */
function findMade(lost: readonly BookedRefund[], unexplained: number): readonly BookedRefund[] | undefined {
  if (sum(lost) <= unexplained) return lost
  return lost.every(({ amount }) => amount > unexplained) ? [] : undefined
}

/**
 * Lists the refunds of a payment: those that the books name, those of the store whose answer was lost and whose money has
 * gone back, and what is left over, which somebody took in the cabinet. T-Bank tells only how much a payment is still worth,
 * so a refund whose answer was lost counts as made before one of the cabinet is assumed: nothing is refunded twice, and
 * both sides agree on how much went back. Undefined while nobody can tell which of several lost ones were made.
 */
export function listTbankRefunds(state: TbankState, booked: BookedPayment): ProviderRefund[] | undefined {
  const { PaymentId: paymentId } = state
  const refunded = toRefunded(state, booked.charged)
  const named = booked.refunds.filter(isNamed)
  const isCovered = refunded !== undefined && refunded >= sum(named)
  const notSettled = refunded === undefined ? 'pending' : isCovered ? 'succeeded' : 'failed'
  const listed = named.map(
    ({ key, amount, status, provider_refund_id }): ProviderRefund => ({
      providerRefundId: provider_refund_id ?? '',
      providerPaymentId: paymentId,
      reference: readRefundName(provider_refund_id ?? '')?.key === key ? key : undefined,
      status: status === 'succeeded' ? 'succeeded' : notSettled,
      amount,
      currency: 'RUB',
    }),
  )
  if (refunded === undefined) return listed
  const gone = refunded - sum(named)
  const made = findMade(booked.refunds.filter(isLost), gone)
  if (!made) return undefined
  listed.push(...made.map((refund) => toOwnRefund(paymentId, refund, 'succeeded')))
  const unexplained = gone - sum(made)
  if (unexplained > 0) {
    listed.push({
      providerRefundId: outsideRefundId(paymentId, unexplained, booked.charged - refunded),
      providerPaymentId: paymentId,
      reference: undefined,
      status: 'succeeded',
      amount: unexplained,
      currency: 'RUB',
      refundedInAll: refunded,
    })
  }
  return listed
}

/** Says whether a refund that T-Bank took has been made, by what has gone back beside the others that it took. */
export function isRefundMade(
  state: TbankState,
  booked: BookedPayment,
  refund: { key: string; amount: number },
): boolean {
  const refunded = toRefunded(state, booked.charged)
  const others = booked.refunds.filter((other) => other.key !== refund.key && isNamed(other))
  return refunded !== undefined && refunded >= sum(others) + refund.amount
}

/** Reads how a refund of the cabinet stands: made, while the payment is worth no more than it left. */
export function outsideStatus(state: TbankState, charged: number, left: number): ProviderRefund['status'] {
  const refunded = toRefunded(state, charged)
  if (refunded === undefined) return 'pending'
  return charged - refunded <= left ? 'succeeded' : 'failed'
}

/**
 * Makes the Token of a request or a notification: SHA-256 over the values at its root, sorted by name, with the password
 * among them; objects, lists, nothing and the Token itself don't count (tbank.ru/kassa/dev/payments, Token).
 */
export function toTbankToken(body: Readonly<Record<string, unknown>>, password: string): string {
  const counted = Object.entries({ ...body, Password: password }).filter(
    ([name, value]) => name !== 'Token' && value !== null && value !== undefined && typeof value !== 'object',
  )
  const text = counted
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, value]) => String(value))
    .join('')
  return createHash('sha256').update(text).digest('hex')
}

/** Parses a notification with its numbers as they are written, which is what its Token is of; undefined for anything else. */
export function readTbankNotification(body: Buffer): Record<string, unknown> | undefined {
  const asWritten = (_: string, value: unknown, { source }: { source?: string } = {}) =>
    typeof value === 'number' ? source : value
  try {
    const told: unknown = JSON.parse(body.toString(), asWritten)
    return z.record(z.string(), z.unknown()).safeParse(told).data
  } catch {
    return undefined
  }
}

export function isTbankSigned(told: Readonly<Record<string, unknown>>, password: string): boolean {
  if (typeof told.Token !== 'string' || !/^[0-9a-f]{64}$/i.test(told.Token)) return false
  return timingSafeEqual(Buffer.from(toTbankToken(told, password), 'hex'), Buffer.from(told.Token, 'hex'))
}

/** Writes a time as '2016-08-31T12:28:00+00:00', without the milliseconds that T-Bank does not take. */
export const toTbankTime = (time: Date): string => `${time.toISOString().slice(0, 19)}+00:00`

/** The most lines of a receipt (tbank.ru/kassa/dev/payments, Receipt). */
const linesMax = 100

/** Writes a receipt in T-Bank's words; the taxes, subjects, modes and tax systems have the names of the tax service's formats. */
export function toTbankReceipt({ contact, taxSystem, lines }: FiscalReceipt, ffd: '1.05' | '1.2') {
  return {
    FfdVersion: ffd,
    ...('email' in contact ? { Email: contact.email } : { Phone: `+${contact.phone.replace(/\D/g, '')}` }),
    Taxation: taxSystem,
    Items: toUnitLines(lines, linesMax).map(({ name, quantity, unitPrice, amount, tax, subject, mode }) => ({
      Name: name,
      Price: unitPrice,
      Quantity: quantity,
      Amount: amount,
      Tax: tax,
      PaymentMethod: mode,
      PaymentObject: subject,
      ...(ffd === '1.2' && { MeasurementUnit: 'шт' }),
    })),
  }
}

export const toTbankDone = (state: TbankState, terminalKey: string, id: string): Outcome<TbankState> =>
  state.TerminalKey === terminalKey && state.PaymentId === id ? done(state) : rejected('other_terminal')
