import { z } from 'zod'
import type { Database } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/queries.ts'
import { forged, type HttpReply, repeatWebhook, shownSetting, vendorUrl } from '../../../platform/vendor/adapters.ts'
import {
  askVendor,
  beforeSending,
  done,
  isUuid,
  type Outcome,
  rejected,
  toHttpOutcome,
  unknown,
} from '../../../platform/vendor/vendor.ts'
import {
  type NotifyingProvider,
  type PaymentRequest,
  type PayPage,
  type ProviderAdapter,
  type ProviderDeps,
  type ProviderRefund,
  payPageLost,
  type RefundingProvider,
} from '../provider.ts'
import {
  type BookedPayment,
  type BookedRefund,
  isLost,
  isOrderTaken,
  isRefunding,
  isRefundMade,
  isRefundStatus,
  isTbankSigned,
  listTbankRefunds,
  outsideStatus,
  readRefundName,
  readTbankNotification,
  readTbankReceipt,
  type TbankState,
  tbankCanceled,
  tbankId,
  tbankOpened,
  tbankOrder,
  tbankQr,
  tbankQrState,
  tbankState,
  tbankTrouble,
  toOwnRefund,
  toTbankDone,
  toTbankReceipt,
  toTbankSnapshot,
  toTbankTime,
  toTbankToken,
  wasPaid,
} from './tbank.rules.ts'

const settings = z.object({
  TBANK_TERMINAL_KEY: shownSetting(z.string()),
  TBANK_PASSWORD: z.string(),
  TBANK_BASE_URL: vendorUrl('https://securepay.tinkoff.ru/v2'),
  /** The format of fiscal documents that the shop's cash register has. */
  TBANK_FFD: shownSetting(z.enum(['1.05', '1.2'], { error: 'must be 1.05 or 1.2' }).default('1.05')),
})

/** What T-Bank wants to read; anything else it takes for a failure, and sends the notification again. */
const tbankAccepted: HttpReply = { status: 200, body: 'OK' }

const descriptionLength = 140
/** A page must live for a minute when it is opened, so that of an order's last minute lives a little longer than the order. */
const dueGraceMs = 90_000
const bySbp = 'tbank_sbp'
/** Why a refund can't be told from others of its payment. */
const unclear = 'unclear_which'

/**
 * Cards and SBP in roubles by T-Bank's internet acquiring, version 2 (tbank.ru/kassa/dev/payments). The order's id there is
 * the payment's key. It has neither ids nor a list of refunds, only what a payment is still worth, so that the books say
 * which refunds are the store's (`listTbankRefunds`).
 */
export const tbank = {
  name: 'tbank',
  settings,
  webhooks: [{ events: [] }],
  create: (chosen, { database, fetchVendor, publicUrl }) =>
    createTbank(chosen, { readBooked: bookedAtTbank(database), fetchVendor, publicUrl }),
} satisfies ProviderAdapter<typeof settings>

/** Makes the provider from its settings, with the store's books to ask about refunds. */
export function createTbank(
  {
    TBANK_TERMINAL_KEY: terminalKey,
    TBANK_PASSWORD: password,
    TBANK_BASE_URL: baseUrl,
    TBANK_FFD: ffd,
  }: z.output<typeof settings>,
  { readBooked, fetchVendor, publicUrl }: Pick<ProviderDeps, 'fetchVendor' | 'publicUrl'> & { readBooked: ReadBooked },
): NotifyingProvider & RefundingProvider {
  const call = async <T>(schema: z.ZodType<T>, method: string, wanted: object): Promise<Outcome<T>> => {
    const body = { TerminalKey: terminalKey, ...wanted }
    const post = { ...body, Token: toTbankToken(body, password) }
    const answer = await askVendor(fetchVendor, `${baseUrl}/${method}`, { headers: {}, post })
    if ('kind' in answer) return answer
    const trouble = tbankTrouble(answer.body)
    if (answer.status !== 200) {
      const outcome = toHttpOutcome(answer)
      return outcome.kind === 'rejected' && outcome.code !== 'not_allowed' ? (trouble ?? outcome) : outcome
    }
    if (trouble) return trouble
    const read = schema.safeParse(answer.body)
    return read.success ? done(read.data) : unknown('bad_answer')
  }

  /** Opens a payment in one stage (`O`), or in two (`T`), the second of which would take the money. */
  const init = (request: PaymentRequest, PayType: 'O' | 'T') => {
    const { key, orderId, amount, description, language, returnUrl, expiresAt, receipt } = request
    return call(tbankOpened, 'Init', {
      Amount: amount,
      OrderId: key,
      Description: description.slice(0, descriptionLength),
      PayType,
      Language: language === 'en' ? 'en' : 'ru',
      NotificationURL: `${publicUrl}/api/payment/webhook/tbank`,
      SuccessURL: returnUrl,
      FailURL: returnUrl,
      RedirectDueDate: toTbankTime(new Date(expiresAt.getTime() + dueGraceMs)),
      // No card is kept: the customer pays this once.
      DATA: { OperationInitiatorType: '0', order_id: orderId },
      ...(receipt && { Receipt: toTbankReceipt(receipt, ffd) }),
    })
  }

  const readState = async (id: string): Promise<Outcome<TbankState>> => {
    if (!tbankId.safeParse(id).success) return rejected('not_found')
    const answer = await call(tbankState, 'GetState', { PaymentId: id })
    return answer.kind === 'done' ? toTbankDone(answer.value, terminalKey, id) : answer
  }

  /** The link of SBP, which opens the customer's bank, or shows its code to scan. */
  const openSbp = async (paymentId: string): Promise<Outcome<PayPage>> => {
    const qr = await call(tbankQr, 'GetQr', { PaymentId: paymentId, DataType: 'PAYLOAD' })
    return qr.kind === 'done' ? done({ providerPaymentId: paymentId, payUrl: qr.value.Data }) : qr
  }

  /**
   * Finds what became of an opening whose answer was lost. T-Bank repeats no link to its form: a card payment that nobody has
   * the address of can't be paid, and another payment has to take its place.
   */
  const findOpened = async ({ key, method, returnUrl }: PaymentRequest): Promise<Outcome<PayPage>> => {
    const order = await call(tbankOrder, 'CheckOrder', { OrderId: key })
    if (order.kind !== 'done') return order
    const payments = order.value.Payments
    const paid = payments.find(({ Status }) => wasPaid(Status))
    if (paid) return done({ providerPaymentId: paid.PaymentId, payUrl: returnUrl })
    const open = payments.findLast(({ Status }) => Status === 'NEW' || Status === 'FORM_SHOWED')
    return open && method === bySbp ? openSbp(open.PaymentId) : rejected(payPageLost)
  }

  const readOwnRefund = async (
    state: TbankState,
    name: { amount: number; key: string },
  ): Promise<Outcome<ProviderRefund>> => {
    const { PaymentId: paymentId, OrderId: key, Status } = state
    const booked = (await readBooked({ paymentId, key })) ?? { charged: state.Amount, isSbp: false, refunds: [] }
    if (isRefunding(Status)) return done(toOwnRefund(paymentId, name, 'pending'))
    if (isRefundMade(state, booked, name)) return done(toOwnRefund(paymentId, name, 'succeeded'))
    const qr = await call(tbankQrState, 'GetQrState', { PaymentId: paymentId })
    if (qr.kind === 'unknown') return qr
    const why = qr.kind === 'done' ? (qr.value.QrCancelMessage ?? qr.value.QrCancelCode) : undefined
    return done({ ...toOwnRefund(paymentId, name, 'failed'), ...(why && { why }) })
  }

  return {
    name: 'tbank',
    methods: [
      { name: 'tbank_card', mark: 'card' },
      { name: bySbp, mark: 'sbp' },
    ],
    charges: ['RUB'],
    othersPaymentId: '1',
    // SBP takes no less than ten roubles.
    least: { RUB: 1_000 },
    needsContact: 'email',
    needsTaxSystem: true,

    async createPayment(request) {
      const opened = await init(request, 'O')
      if (isOrderTaken(opened)) return findOpened(request)
      if (opened.kind !== 'done') return opened
      const { PaymentId: providerPaymentId, PaymentURL: payUrl } = opened.value
      if (request.method === bySbp) return openSbp(providerPaymentId)
      return payUrl ? done({ providerPaymentId, payUrl }) : unknown('no_pay_page')
    },

    async tryReceipt(request) {
      const opened = await init(request, 'T')
      if (opened.kind !== 'done') return opened
      const canceled = await call(tbankCanceled, 'Cancel', { PaymentId: opened.value.PaymentId })
      return done(canceled.kind === 'done' && canceled.value.Status === 'CANCELED' ? 'canceled' : 'expires')
    },

    async readPayment(id) {
      const state = await readState(id)
      if (state.kind !== 'done') return state
      const booked = await readBooked({ paymentId: id, key: state.value.OrderId })
      return done(toTbankSnapshot(state.value, booked?.charged))
    },

    async refund({ providerPaymentId, amount, key, receipt }) {
      const read = await readState(providerPaymentId)
      if (read.kind !== 'done') return beforeSending(read)
      const state = read.value
      // Cancel would close the page of a payment that was not made.
      if (!wasPaid(state.Status)) return rejected('not_paid')
      const booked = await readBooked({ paymentId: providerPaymentId, key: state.OrderId })
      const mine = booked?.refunds.find((refund) => refund.key === key)
      const others = booked?.refunds.filter((refund) => refund.key !== key) ?? []
      const isRepeat = (mine?.attempts ?? 0) > 1
      // Whose money has gone back can't be told while another refund is under way.
      if (isRepeat && others.some(({ status }) => status === 'sent')) return beforeSending(unknown('refund_under_way'))
      if (isRefunding(state.Status)) {
        return isRepeat && !others.some(isLost)
          ? done(toOwnRefund(providerPaymentId, { amount, key }, 'pending'))
          : beforeSending(unknown('refund_under_way'))
      }
      // SBP knows no key of a refund, so that one whose answer was lost is looked for in what is left. By card the key says
      // which it is, and T-Bank makes it once.
      if (booked && isRepeat) {
        const listed = listTbankRefunds(state, booked)
        const made = listed?.find(({ reference }) => reference === key)
        if (made?.status === 'succeeded') return done(made)
        if (!listed && booked.isSbp) return rejected(unclear)
      }
      const isWhole = booked === undefined || amount === booked.charged
      const canceled = await call(tbankCanceled, 'Cancel', {
        PaymentId: providerPaymentId,
        Amount: amount,
        ExternalRequestId: key,
        // A refund of everything repeats the receipt of the payment by itself.
        ...(receipt && !isWhole && { Receipt: toTbankReceipt(receipt, ffd) }),
      })
      if (canceled.kind !== 'done') return canceled
      const status = isRefundStatus(canceled.value.Status) ? 'succeeded' : 'pending'
      return done(toOwnRefund(providerPaymentId, { amount, key }, status))
    },

    async readRefund(id) {
      const name = readRefundName(id)
      if (!name) return rejected('not_found')
      const { paymentId, amount, key, left } = name
      const read = await readState(paymentId)
      if (read.kind !== 'done') return read
      if (key !== undefined) return readOwnRefund(read.value, { amount, key })
      const booked = await readBooked({ paymentId, key: read.value.OrderId })
      return done({
        providerRefundId: id,
        providerPaymentId: paymentId,
        reference: undefined,
        status: outsideStatus(read.value, booked?.charged ?? read.value.Amount, left ?? 0),
        amount,
        currency: 'RUB',
        ...(booked && left !== undefined && { refundedInAll: booked.charged - left }),
      })
    },

    async listRefunds(paymentId) {
      const read = await readState(paymentId)
      if (read.kind !== 'done') return read
      const booked = await readBooked({ paymentId, key: read.value.OrderId })
      if (!booked) return unknown('not_booked')
      const listed = listTbankRefunds(read.value, booked)
      return listed ? done(listed) : unknown(unclear)
    },

    async readWebhook({ body }) {
      const told = readTbankNotification(body)
      if (!told) return forged('not a notification')
      if (!isTbankSigned(told, password)) return forged('wrong token')
      if (told.TerminalKey !== terminalKey) return forged('another terminal')
      const receipt = readTbankReceipt(told)
      if (receipt) return { verified: true, events: [], refunds: [], receipts: [receipt], reply: tbankAccepted }
      const state = tbankState.safeParse(told)
      // A notification of a fiscal document that can't be read, or of a card or an account that was kept, moves no money.
      const isMoney = state.success && state.data.Status !== 'RECEIPT'
      if (!isMoney) return { verified: true, events: [], refunds: [], reply: tbankAccepted }
      const { PaymentId: paymentId, OrderId: key, Status } = state.data
      const booked = wasPaid(Status) ? await readBooked({ paymentId, key }) : undefined
      const listed = booked ? listTbankRefunds(state.data, booked) : []
      // The answer to one of them may be on its way.
      if (!listed) return { verified: true, events: [], refunds: [], reply: repeatWebhook }
      const undecided = listed.filter(isUndecided(booked?.refunds ?? []))
      const snapshot = toTbankSnapshot(state.data, booked?.charged)
      const proven = { key: `${paymentId}:${Status}`, snapshot }
      return {
        verified: true,
        events: isRefundStatus(Status) ? [] : [{ providerPaymentId: paymentId, proven }],
        refunds: undecided.map(({ providerRefundId }) => providerRefundId),
        reply: tbankAccepted,
      }
    },
  }
}

/** Whether the books have not settled a refund yet, or don't know it. */
const isUndecided =
  (booked: readonly { provider_refund_id: string | null; status: string }[]) =>
  ({ providerRefundId }: ProviderRefund): boolean =>
    !booked.some((known) => known.provider_refund_id === providerRefundId && known.status === 'succeeded')

type ReadBooked = (name: { paymentId: string; key: string | undefined }) => Promise<BookedPayment | undefined>

/** Makes the function that reads a payment out of the books, by its id at T-Bank or by the key it was opened with. */
const bookedAtTbank =
  (database: Database): ReadBooked =>
  async ({ paymentId, key }) => {
    const payment = await database.maybe<{ id: number; charged: number; isSbp: boolean }>(sql`
      SELECT id, coalesce(charge_amount, amount) AS charged, coalesce(method = ${bySbp}, false) AS "isSbp" FROM payment
      WHERE provider = 'tbank' AND (provider_payment_id = ${paymentId}
        OR (provider_payment_id IS NULL AND key = ${isUuid(key) ? key : null}))
      ORDER BY provider_payment_id NULLS LAST LIMIT 1`)
    if (!payment) return undefined
    const refunds = await database.rows<BookedRefund>(sql`
      SELECT key, provider_refund_id, coalesce(charge_amount, amount) AS amount, status, attempts FROM card_refund
      WHERE payment_id = ${payment.id} ORDER BY id`)
    return { charged: payment.charged, isSbp: payment.isSbp, refunds }
  }
