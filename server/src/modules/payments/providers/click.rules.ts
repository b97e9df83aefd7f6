import { createHash } from 'node:crypto'
import { z } from 'zod'
import { toHundredths, vendorName } from '../../../platform/vendor/vendor.ts'
import type { HttpReply } from '../../../platform/vendor/webhooks.ts'
import type { BooksRefusal } from '../provider.ts'

/** What the store answers, in the words of Click's page: docs.click.uz/en/click-api-error. */
const notes = {
  0: 'Success',
  [-1]: 'SIGN CHECK FAILED!',
  [-2]: 'Incorrect parameter amount',
  [-3]: 'Action not found',
  [-4]: 'Already paid',
  [-5]: 'User does not exist',
  [-6]: 'Transaction does not exist',
  [-7]: 'Failed to update user',
  [-8]: 'Error in request from click',
  [-9]: 'Transaction cancelled',
} as const
export type ClickCode = keyof typeof notes

/**
 * What Click is told when the books refuse. For an order that is paid already it is -4 at Prepare, too, as in Click's own
 * libraries (click-llc/click-integration-php, click-llc/click-integration-django); for one that has ended, -9. After either
 * it takes no money.
 */
export const codesByRefusal: Readonly<Record<BooksRefusal['no'], ClickCode>> = {
  unknown_account: -5,
  wrong_amount: -2,
  already_paid: -4,
  not_payable: -9,
  other_pending: -9,
  unknown_transaction: -6,
  state: -9,
  delivered: -4,
}

const digits = (most: number) => z.string().regex(new RegExp(`^\\d{1,${most}}$`))

/** The parameters of Prepare and Complete: docs.click.uz/en/click-api-request. */
const clickCall = z.object({
  click_trans_id: digits(19),
  service_id: digits(19),
  click_paydoc_id: digits(19),
  merchant_trans_id: vendorName(64),
  merchant_prepare_id: digits(19).optional(),
  amount: z.string().min(1).max(32),
  action: z.string().max(8),
  error: z.string().regex(/^(0|-[1-9]\d{0,8})$/),
  /** What is signed has nothing in between, so each part must have its own length or shape. */
  sign_time: z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
  sign_string: z.string().max(64),
})
export type ClickCall = z.infer<typeof clickCall>

/** Reads a form; undefined where a field is missing, is there twice, or is none of Click's. */
export function readClickCall(body: Buffer): ClickCall | undefined {
  const form = new URLSearchParams(body.toString())
  const names = [...form.keys()]
  const call = new Set(names).size === names.length ? clickCall.safeParse(Object.fromEntries(form)) : undefined
  return call?.data
}

/** What Click signs such a call with: MD5 of the values as they were sent, one after the other. */
export function signClick(
  call: Omit<ClickCall, 'sign_string' | 'error' | 'click_paydoc_id'>,
  secretKey: string,
): string {
  const prepareId = call.action === '1' ? (call.merchant_prepare_id ?? '') : ''
  const { click_trans_id, service_id, merchant_trans_id, amount, action, sign_time } = call
  const signed = [click_trans_id, service_id, secretKey, merchant_trans_id, prepareId, amount, action, sign_time]
  return createHash('md5').update(signed.join('')).digest('hex')
}

/** Reads an amount in soums as tiyin: '1000', '1000.0' and '1000.00' are alike; undefined where it is none. */
export const readTiyin = (soums: string): number | undefined =>
  /^\d{1,12}(\.\d{1,2}0*)?$/.test(soums) ? toHundredths(soums) : undefined

/** A whole number of the store's or of Click's, as a number as long as one can say it exactly. */
const toNumber = (text: string): number | string => (Number.isSafeInteger(Number(text)) ? Number(text) : text)

/** Answers with a code, about the call as far as it could be read, and with the store's id of the transaction. */
export function clickReply(
  code: ClickCode,
  call: ClickCall | undefined,
  own: { merchant_prepare_id: string } | { merchant_confirm_id: string } | undefined = undefined,
): HttpReply {
  const ownIds = Object.entries(own ?? {}).map(([name, id]) => [name, toNumber(id)])
  const body = {
    ...(call && { click_trans_id: toNumber(call.click_trans_id), merchant_trans_id: call.merchant_trans_id }),
    ...Object.fromEntries(ownIds),
    error: code,
    error_note: notes[code],
  }
  return { status: 200, type: 'application/json', body: JSON.stringify(body) }
}

const tashkentMs = 5 * 3_600_000

/** The day in Tashkent, where Click counts its days: '2026-11-23'. */
const toDay = (at: Date): string => new Date(at.getTime() + tashkentMs).toISOString().slice(0, 10)

const dayMs = 86_400_000

/** What the store calls a payment of Click's: enough to find it there again, because Click is told the order only. */
export interface ClickPaymentName {
  orderId: string
  amount: number
  expiresAt: Date
}

export const nameClickPayment = ({ orderId, amount, expiresAt }: ClickPaymentName, key: string): string =>
  [orderId, amount, Math.floor(expiresAt.getTime() / 1000), key].join('.')

const paymentName = /^([^.]{1,64})\.(\d{1,15})\.(\d{1,11})\.[^.]+$/

export function readClickPaymentName(name: string): ClickPaymentName | undefined {
  const [, orderId, amount, seconds] = paymentName.exec(name) ?? []
  if (orderId === undefined) return undefined
  return { orderId, amount: Number(amount), expiresAt: new Date(Number(seconds) * 1000) }
}

/** The days on which Click may have made the payment: that on which its time was over, and those beside it. */
export const toClickDays = ({ expiresAt }: ClickPaymentName): string[] =>
  [0, -dayMs, dayMs].map((ms) => toDay(new Date(expiresAt.getTime() + ms)))
