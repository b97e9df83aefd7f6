import { randomUUID } from 'node:crypto'
import paymentAnswer from './answers/yookassa-payment.json' with { type: 'json' }
import refundAnswer from './answers/yookassa-refund.json' with { type: 'json' }
import shopAnswer from './answers/yookassa-shop.json' with { type: 'json' }
import { startVendor, type VendorDouble, type VendorRequest } from './vendor-double.ts'

type Registration = 'pending' | 'succeeded' | 'canceled'
type Payment = typeof paymentAnswer & {
  metadata: Record<string, string>
  cancellation_details?: { party: string; reason: string }
  receipt_registration?: Registration
}
type Refund = typeof refundAnswer & {
  cancellation_details?: { party: string; reason: string }
  receipt_registration?: Registration
}

export interface YookassaDouble extends VendorDouble {
  shopId: string
  secretKey: string
  payments: Map<string, Payment>
  refunds: Map<string, Refund>
  /** Where its pages are, without a slash at the end. */
  payPages: string
  /** Whether the shop's payments and refunds must have a receipt. */
  needsReceipts: boolean
  /** Whether it takes no receipt of a refund. */
  refusesRefundReceipts: boolean
  /** The receipts that came, of payments and of refunds. */
  receipts: YookassaReceipt[]
  pay(id: string): void
  decline(id: string): void
  /** Refunds kopecks of a payment in the merchant's profile; returns the refund's id. */
  refundByHand(id: string, amount: number, status?: 'pending' | 'succeeded'): string
  /** Says what became of the receipt of a payment or a refund, which no webhook tells. */
  register(id: string, registration: Registration): void
  /** Makes the webhook it would send now. */
  webhook(id: string): Buffer
}

interface YookassaReceipt {
  customer: { email?: string; phone?: string }
  tax_system_code?: number
  items: { description: string; quantity: number; amount: { value: string }; vat_code: number; measure?: string }[]
}

const problem = (status: number, code: string, parameter?: string) => ({
  status,
  body: { type: 'error', id: randomUUID(), code, description: code, ...(parameter && { parameter }) },
})

/** The answers to a revoked key and to a payment without the receipt it needs. */
export const yookassaRefusals = {
  all: problem(401, 'invalid_credentials'),
  parameter: problem(400, 'invalid_request', 'receipt'),
}

/** Fewer than it has, so that a test need not make a hundred payments to see two pages. */
const pageSize = 2

/** YooKassa as its answers in doubles/answers show it: api.yookassa.ru/v3, idempotent by key for every POST. */
export async function startYookassa(): Promise<YookassaDouble> {
  const shopId = '123'
  const secretKey = 'test_secret'
  const payments = new Map<string, Payment>()
  const refunds = new Map<string, Refund>()
  const byKey = new Map<string, object>()

  const kopecks = (value: string) => Math.round(Number(value) * 100)

  /** Whether the receipt is there where it must be, and its lines add up to the amount. */
  const takesReceipt = ({ receipt, amount }: { receipt?: YookassaReceipt; amount: { value: string } }): boolean => {
    if (!receipt) return !self.needsReceipts
    const total = receipt.items.reduce((sum, item) => sum + item.quantity * kopecks(item.amount.value), 0)
    const isRight =
      receipt.items.length <= 80 &&
      receipt.items.every(
        ({ vat_code, description, quantity }) =>
          vat_code >= 1 && vat_code <= 12 && description.length <= 128 && quantity > 0,
      )
    if (!isRight || total !== kopecks(amount.value) || !(receipt.customer.email || receipt.customer.phone)) return false
    self.receipts.push(receipt)
    return true
  }

  const createPayment = ({ body }: VendorRequest): Payment | undefined => {
    const wanted = JSON.parse(body)
    if (!takesReceipt(wanted)) return undefined
    const id = randomUUID()
    const { return_url } = wanted.confirmation
    const { captured_at: _, ...answer } = structuredClone(paymentAnswer)
    const payment = {
      ...answer,
      id,
      status: 'pending',
      paid: false,
      refundable: false,
      amount: wanted.amount,
      metadata: wanted.metadata,
      confirmation: { ...answer.confirmation, return_url, confirmation_url: `${self.payPages}/${id}` },
      refunded_amount: { value: '0.00', currency: 'RUB' },
      ...(wanted.receipt && { receipt_registration: 'pending' }),
    } as Payment
    payments.set(id, payment)
    return payment
  }

  const createRefund = ({ body }: VendorRequest): Refund | undefined => {
    const wanted = JSON.parse(body)
    const refund = !self.refusesRefundReceipts && takesReceipt(wanted) ? addRefund(wanted) : undefined
    if (refund && wanted.receipt) refund.receipt_registration = 'pending'
    return refund
  }

  const addRefund = (wanted: Pick<Refund, 'payment_id' | 'amount'>): Refund | undefined => {
    const payment = payments.get(wanted.payment_id)
    const before = [...refunds.values()].filter((refund) => refund.payment_id === wanted.payment_id)
    const taken = before.reduce(
      (sum, refund) => sum + (refund.status === 'canceled' ? 0 : kopecks(refund.amount.value)),
      0,
    )
    if (!payment?.paid || taken + kopecks(wanted.amount.value) > kopecks(payment.amount.value)) return undefined
    const refund = { ...refundAnswer, id: randomUUID(), payment_id: wanted.payment_id, amount: wanted.amount }
    refunds.set(refund.id, refund)
    return refund
  }

  const post = (request: VendorRequest, create: (request: VendorRequest) => object | undefined) => {
    const key = request.headers['idempotence-key']
    if (typeof key !== 'string' || key.length > 64) return problem(400, 'invalid_request')
    const made = byKey.get(key) ?? create(request)
    if (!made) return problem(400, 'invalid_request', self.needsReceipts ? 'receipt' : 'amount')
    byKey.set(key, made)
    return { status: 200, body: made }
  }

  const double = await startVendor((request) => {
    const credentials = Buffer.from(`${shopId}:${self.secretKey}`).toString('base64')
    if (request.headers.authorization !== `Basic ${credentials}`) return problem(401, 'invalid_credentials')
    const [, noun = '', id] = request.path.split('/')
    if (request.method === 'POST' && noun === 'payments' && !id) return post(request, createPayment)
    if (request.method === 'POST' && noun === 'refunds' && !id) return post(request, createRefund)
    if (noun === 'me') return { status: 200, body: { ...shopAnswer, account_id: self.shopId } }
    if (noun === 'payments' && !id) {
      const [from, to] = [request.query.get('captured_at.gte') ?? '', request.query.get('captured_at.lt') ?? '9']
      const found = [...payments.values()].filter(
        ({ status, captured_at = '' }) =>
          status === request.query.get('status') && captured_at >= from && captured_at < to,
      )
      const start = Number(request.query.get('cursor') ?? 0)
      const until = start + pageSize
      const items = found.slice(start, until)
      return {
        status: 200,
        body: { type: 'list', items, ...(until < found.length && { next_cursor: String(until) }) },
      }
    }
    if (noun === 'refunds' && !id) {
      const paymentId = request.query.get('payment_id')
      const items = [...refunds.values()].filter((refund) => refund.payment_id === paymentId)
      return { status: 200, body: { type: 'list', items } }
    }
    const found = noun === 'payments' ? payments.get(id ?? '') : refunds.get(id ?? '')
    return found ? { status: 200, body: found } : problem(404, 'not_found')
  })

  const change = (id: string, changes: Partial<Payment>) => void Object.assign(payments.get(id) ?? {}, changes)
  const self = Object.assign(double, {
    shopId,
    secretKey,
    payments,
    refunds,
    payPages: 'https://yoomoney.example/pay',
    needsReceipts: false,
    refusesRefundReceipts: false,
    receipts: [] as YookassaReceipt[],
    pay: (id: string) =>
      change(id, { status: 'succeeded', paid: true, refundable: true, captured_at: new Date().toISOString() }),
    decline: (id: string) =>
      change(id, {
        status: 'canceled',
        paid: false,
        cancellation_details: { party: 'payment_network', reason: 'insufficient_funds' },
      }),
    refundByHand: (id: string, amount: number, status: 'pending' | 'succeeded' = 'succeeded') => {
      const refund = addRefund({ payment_id: id, amount: { value: (amount / 100).toFixed(2), currency: 'RUB' } })
      if (!refund) throw new Error('YooKassa would not let anybody do that')
      refund.status = status
      return refund.id
    },
    register: (id: string, registration: Registration) =>
      void Object.assign(payments.get(id) ?? refunds.get(id) ?? {}, { receipt_registration: registration }),
    webhook: (id: string) => {
      const object = payments.get(id) ?? refunds.get(id)
      const noun = payments.has(id) ? 'payment' : 'refund'
      return Buffer.from(JSON.stringify({ type: 'notification', event: `${noun}.${object?.status}`, object }))
    },
  })
  return self
}
