import { createHash } from 'node:crypto'
import { z } from 'zod'
import { isSecret } from '../../../platform/security/tokens.ts'
import { type HttpReply, shownSetting, vendorUrl } from '../../../platform/vendor/adapters.ts'
import {
  askVendor,
  beforeSending,
  done,
  type Outcome,
  rejected,
  toDecimal,
  toHttpOutcome,
  toHundredths,
  unknown,
  vendorName,
  vendorWords,
} from '../../../platform/vendor/vendor.ts'
import {
  type AskingProvider,
  type BooksRefusal,
  type PaymentBooks,
  type ProviderAdapter,
  type ProviderDeps,
  type ProviderTransaction,
  refundUntold,
} from '../provider.ts'

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
type ClickCode = keyof typeof notes

/**
 * What Click is told when the books refuse. For an order that is paid already it is -4 at Prepare, too, as in Click's own
 * libraries (click-llc/click-integration-php, click-llc/click-integration-django); for one that has ended, -9. After either
 * it takes no money.
 */
const codesByRefusal: Readonly<Record<BooksRefusal['refused'], ClickCode>> = {
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
type ClickCall = z.infer<typeof clickCall>

/** Reads a form; undefined where a field is missing, is there twice, or is none of Click's. */
function readClickCall(body: Buffer): ClickCall | undefined {
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
function clickReply(
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
interface ClickPaymentName {
  orderId: string
  amount: number
  expiresAt: Date
}

const nameClickPayment = ({ orderId, amount, expiresAt }: ClickPaymentName, key: string): string =>
  [orderId, amount, Math.floor(expiresAt.getTime() / 1000), key].join('.')

const paymentName = /^([^.]{1,64})\.(\d{1,15})\.(\d{1,11})\.[^.]+$/

function readClickPaymentName(name: string): ClickPaymentName | undefined {
  const [, orderId, amount, seconds] = paymentName.exec(name) ?? []
  if (orderId === undefined) return undefined
  return { orderId, amount: Number(amount), expiresAt: new Date(Number(seconds) * 1000) }
}

/** The days on which Click may have made the payment: that on which its time was over, and those beside it. */
const toClickDays = ({ expiresAt }: ClickPaymentName): string[] =>
  [0, -dayMs, dayMs].map((ms) => toDay(new Date(expiresAt.getTime() + ms)))

const number = z.string().regex(/^\d{1,19}$/, 'must be a number')

const settings = z.object({
  CLICK_SERVICE_ID: shownSetting(number),
  CLICK_MERCHANT_ID: shownSetting(number),
  CLICK_MERCHANT_USER_ID: shownSetting(number),
  CLICK_SECRET_KEY: z.string(),
  CLICK_BASE_URL: vendorUrl('https://api.click.uz/v2/merchant'),
  CLICK_PAY_URL: vendorUrl('https://my.click.uz/services/pay'),
})

/** Every answer of the Merchant API has these: docs.click.uz/en/merchant-api-request. */
const merchantAnswer = z.object({
  error_code: z.int(),
  error_note: vendorWords(200).nullish().catch(undefined),
  payment_id: z.union([z.int().min(0).transform(String), z.string().regex(/^\d{1,19}$/)]).nullish(),
  payment_status: z.int().nullish().catch(undefined),
})
type MerchantAnswer = z.infer<typeof merchantAnswer>

/** What Click calls a payment that was made. */
const paid = 2

/**
 * Click by its SHOP API: the customer is sent to its page, and it calls `/prepare` before it takes the money and `/complete`
 * afterwards (docs.click.uz/en/click-api-request). Amounts are soums with a decimal point; the status is always 200. Its
 * Merchant API can reverse a whole payment, of this month or on the first day of the next. It does not tell the amount of a
 * payment, so nothing is settled by asking it.
 */
export const click = {
  name: 'click',
  settings,
  webhooks: [
    { path: 'prepare', events: [] },
    { path: 'complete', events: [] },
  ],
  create: createClick,
} satisfies ProviderAdapter<typeof settings>

function createClick(
  {
    CLICK_SERVICE_ID: serviceId,
    CLICK_MERCHANT_ID: merchantId,
    CLICK_MERCHANT_USER_ID: merchantUserId,
    CLICK_SECRET_KEY: secretKey,
    CLICK_BASE_URL: baseUrl,
    CLICK_PAY_URL: payPage,
  }: z.output<typeof settings>,
  { fetchVendor }: Pick<ProviderDeps, 'fetchVendor'>,
): AskingProvider {
  const ask = async (path: string, method?: 'DELETE'): Promise<Outcome<MerchantAnswer>> => {
    const timestamp = Math.floor(Date.now() / 1000)
    const sha1 = createHash('sha1').update(`${timestamp}${secretKey}`).digest('hex')
    const headers = { accept: 'application/json', auth: `${merchantUserId}:${sha1}:${timestamp}` }
    const answer = await askVendor(fetchVendor, `${baseUrl}${path}`, { headers, ...(method && { method }) })
    if ('kind' in answer) return answer
    if (answer.status < 200 || answer.status > 299) return toHttpOutcome(answer)
    const read = merchantAnswer.safeParse(answer.body)
    return read.success ? done(read.data) : unknown(`http_${answer.status}`)
  }

  /**
   * Finds the completed payment at Click, by its order and the day. Where there is none, nobody can tell what became of it:
   * it may have been reversed in the cabinet, or the answer is about another attempt to pay the order.
   */
  const findPayment = async (name: ClickPaymentName): Promise<Outcome<string>> => {
    for (const day of toClickDays(name)) {
      const answer = await ask(`/payment/status_by_mti/${serviceId}/${encodeURIComponent(name.orderId)}/${day}`)
      const isNoSuchDay = answer.kind === 'rejected' && answer.code !== 'not_allowed'
      if (answer.kind !== 'done' && !isNoSuchDay) return answer
      const payment = answer.kind === 'done' && answer.value.error_code === 0 ? answer.value : undefined
      if (payment?.payment_id && (payment.payment_status ?? paid) === paid) return done(payment.payment_id)
    }
    return unknown(refundUntold)
  }

  return {
    name: 'click',
    methods: [{ name: 'click', mark: 'click' }],
    charges: ['UZS'],

    async createPayment({ key, orderId, amount, expiresAt, returnUrl }) {
      const payUrl = new URL(payPage)
      const fields = {
        service_id: serviceId,
        merchant_id: merchantId,
        merchant_user_id: merchantUserId,
        amount: toDecimal(amount),
        transaction_param: orderId,
        return_url: returnUrl,
      }
      for (const [name, value] of Object.entries(fields)) payUrl.searchParams.set(name, value)
      return done({
        providerPaymentId: nameClickPayment({ orderId, amount, expiresAt }, key),
        payUrl: payUrl.href,
      })
    },

    async refund({ providerPaymentId, amount, currency }) {
      const name = readClickPaymentName(providerPaymentId)
      if (!name) return rejected('no_payment')
      if (name.amount !== amount) return rejected('whole_payments_only')
      const payment = await findPayment(name)
      if (payment.kind !== 'done') return beforeSending(payment)
      const answer = await ask(`/payment/reversal/${serviceId}/${payment.value}`, 'DELETE')
      if (answer.kind !== 'done') return answer
      if (answer.value.error_code !== 0) return rejected(`click_${answer.value.error_code}`)
      return done({
        providerRefundId: payment.value,
        providerPaymentId,
        reference: undefined,
        status: 'succeeded',
        amount,
        currency,
      })
    },

    async answer(webhook, books) {
      const call = readClickCall(webhook.body)
      try {
        const step = steps.find(({ method }) => method === webhook.method)
        if (!call || call.service_id !== serviceId) return clickReply(step ? -8 : -3, call)
        if (!isSecret(signClick(call, secretKey), call.sign_string.toLowerCase())) return clickReply(-1, call)
        if (!step || call.action !== step.action) return clickReply(-3, call)
        return await step.take(call, books, webhook.now)
      } catch (failure) {
        return { ...clickReply(-7, call), failure }
      }
    },
  }
}

/** What Click is told about a transaction that it begins or completes once more. */
const codesByState: Readonly<Record<ProviderTransaction['state'], ClickCode>> = {
  begun: 0,
  performed: -4,
  canceled: -9,
  reversed: -9,
}

const isFailed = ({ error }: ClickCall): boolean => error !== '0'

const isOther = (known: ProviderTransaction, { merchant_trans_id }: ClickCall): boolean =>
  known.account.toUpperCase() !== merchant_trans_id.toUpperCase()

/** Checks the order and begins a transaction; Click takes the money only when the code is 0. */
async function prepare(call: ClickCall, books: PaymentBooks, now: Date): Promise<HttpReply> {
  const id = call.click_trans_id
  const known = await books.find(id)
  if (known && isOther(known, call)) return clickReply(-5, call)
  if (isFailed(call)) return known?.state === 'begun' ? cancel(call, books, now) : clickReply(-9, call)
  const amount = readTiyin(call.amount)
  if (amount === undefined || (known && known.amount !== amount)) return clickReply(-2, call)
  const begun = known ?? (await books.begin(call.merchant_trans_id, { id, amount, at: now }))
  if ('refused' in begun) return clickReply(codesByRefusal[begun.refused], call)
  return clickReply(codesByState[begun.state], call, { merchant_prepare_id: begun.ownId })
}

/** Books the money that Click has taken, or cancels what it could not take. */
async function complete(call: ClickCall, books: PaymentBooks, now: Date): Promise<HttpReply> {
  const known = await books.find(call.click_trans_id)
  if (!known || known.ownId !== call.merchant_prepare_id) return clickReply(-6, call)
  if (isOther(known, call)) return clickReply(-5, call)
  if (known.state !== 'begun') return replyAsItStands(call, known)
  if (isFailed(call)) return cancel(call, books, now)
  if (readTiyin(call.amount) !== known.amount) return clickReply(-2, call)
  const performed = await books.perform(known.id, now)
  if (!('refused' in performed)) return clickReply(0, call, { merchant_confirm_id: known.ownId })
  return refuseStep(call, books, performed)
}

const replyAsItStands = (call: ClickCall, { state, ownId }: ProviderTransaction): HttpReply =>
  clickReply(codesByState[state], call, { merchant_confirm_id: ownId })

/** Says why a step was not taken. Another call may have been faster: then it is told how the transaction stands. */
async function refuseStep(call: ClickCall, books: PaymentBooks, { refused }: BooksRefusal): Promise<HttpReply> {
  const known = await books.find(call.click_trans_id)
  return known && known.state !== 'begun' ? replyAsItStands(call, known) : clickReply(codesByRefusal[refused], call)
}

/** Click wants -9 for a payment that it canceled; one that was completed stays so, and Click is told that. */
async function cancel(call: ClickCall, books: PaymentBooks, now: Date): Promise<HttpReply> {
  const canceled = await books.cancel(call.click_trans_id, call.error, now, { onlyBegun: true })
  return 'refused' in canceled ? refuseStep(call, books, canceled) : clickReply(-9, call)
}

/** The two addresses, and the action that belongs to each. */
const steps = [
  { method: 'prepare', action: '0', take: prepare },
  { method: 'complete', action: '1', take: complete },
] as const
