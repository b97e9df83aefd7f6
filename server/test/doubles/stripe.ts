import { createHmac, randomBytes } from 'node:crypto'
import eventAnswer from './answers/stripe-event.json' with { type: 'json' }
import refundAnswer from './answers/stripe-refund.json' with { type: 'json' }
import sessionAnswer from './answers/stripe-session.json' with { type: 'json' }
import { startVendor, type VendorAnswer, type VendorDouble, type VendorRequest } from './vendor-double.ts'

type Session = Omit<typeof sessionAnswer, 'amount_total' | 'currency' | 'payment_intent' | 'client_reference_id'> & {
  amount_total: number
  currency: string
  payment_intent: string | null
  client_reference_id: string | null
  metadata: Record<string, string>
}
type Refund = Omit<typeof refundAnswer, 'payment_intent' | 'metadata'> & {
  payment_intent: string
  metadata: Record<string, string>
  failure_reason?: string
}

export interface StripeDouble extends VendorDouble {
  secretKey: string
  webhookSecret: string
  sessions: Map<string, Session>
  refunds: Map<string, Refund>
  /** Whatever else can be read by its id: disputes, charges. */
  others: Map<string, object>
  pay(id: string): void
  decline(id: string): void
  /** Refunds money of a paid session in the dashboard; returns the refund's id. */
  refundByHand(id: string, amount: number, status?: 'pending' | 'succeeded'): string
  /** Makes a signed event about the session's present state. */
  webhook(id: string, options?: { type?: string; secret?: string; at?: Date; eventId?: string }): SignedWebhook
}

export interface SignedWebhook {
  body: Buffer
  headers: { 'stripe-signature': string }
}

const draw = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`
const problem = (status: number, type: string, code: string): VendorAnswer & { body: object } => ({
  status,
  body: { error: { type, code, message: code } },
})

/** The answers to a revoked key and to a wrong parameter. */
export const stripeRefusals = {
  all: problem(401, 'invalid_request_error', 'api_key_expired'),
  parameter: {
    status: 400,
    body: { error: { type: 'invalid_request_error', code: 'amount_too_small', param: 'line_items[0][amount]' } },
  },
}

const toList = (data: readonly object[], has_more = false): VendorAnswer => ({
  status: 200,
  body: { object: 'list', data, has_more },
})
/** Fewer than it has, so that a test need not make a hundred sessions to see two pages. */
const pageSize = 2
const toSeconds = () => Math.floor(Date.now() / 1000)

export function signStripe(body: string, secret: string, at: Date): SignedWebhook {
  const t = Math.floor(at.getTime() / 1000)
  const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')
  return { body: Buffer.from(body), headers: { 'stripe-signature': `t=${t},v1=${v1}` } }
}

/**
 * Stripe as its answers in doubles/answers show it. The first answer under a key is repeated, even an error of its own.
 */
export async function startStripe(): Promise<StripeDouble> {
  const secretKey = 'sk_test_double'
  const webhookSecret = 'whsec_double'
  const sessions = new Map<string, Session>()
  const refunds = new Map<string, Refund>()
  const others = new Map<string, object>()
  /** When each payment was charged, by its session. */
  const chargedAt = new Map<string, number>()
  const first = new Map<string, { body: string; answer: VendorAnswer }>()

  const createSession = (form: URLSearchParams): VendorAnswer => {
    const field = (name: string) => form.get(name) ?? ''
    const inSeconds = Number(field('expires_at')) - Date.now() / 1000
    if (inSeconds < 30 * 60 || inSeconds > 24 * 3_600) return problem(400, 'invalid_request_error', 'parameter_invalid')
    const id = draw('cs_test')
    const amount_total = Number(field('line_items[0][price_data][unit_amount]'))
    const session = {
      ...sessionAnswer,
      id,
      created: toSeconds(),
      status: 'open',
      payment_status: 'unpaid',
      amount_total,
      currency: field('line_items[0][price_data][currency]'),
      client_reference_id: field('client_reference_id'),
      metadata: { order_id: field('metadata[order_id]'), payment_key: field('metadata[payment_key]') },
      payment_intent: null,
      success_url: field('success_url'),
      url: `https://checkout.stripe.example/c/pay/${id}`,
    }
    sessions.set(id, session)
    return { status: 200, body: session }
  }

  const createRefund = (form: URLSearchParams): VendorAnswer =>
    addRefund(form.get('payment_intent') ?? '', Number(form.get('amount')), {
      refund_key: form.get('metadata[refund_key]') ?? '',
    })

  const addRefund = (
    payment_intent: string,
    amount: number,
    metadata: Record<string, string>,
  ): VendorAnswer & { body: object } => {
    const session = [...sessions.values()].find((known) => known.payment_intent === payment_intent)
    const before = [...refunds.values()].filter((refund) => refund.payment_intent === payment_intent)
    const taken = before.reduce((sum, refund) => sum + (refund.status === 'failed' ? 0 : refund.amount), 0)
    if (!session || taken + amount > session.amount_total)
      return problem(400, 'invalid_request_error', 'charge_already_refunded')
    const refund = {
      ...refundAnswer,
      id: draw('re'),
      amount,
      payment_intent,
      charge: payment_intent.replace('pi_', 'ch_'),
      metadata,
    }
    refunds.set(refund.id, refund)
    return { status: 200, body: refund }
  }

  const post = (request: VendorRequest, create: (form: URLSearchParams) => VendorAnswer): VendorAnswer => {
    const key = String(request.headers['idempotency-key'])
    const known = first.get(key)
    if (known && known.body !== request.body) return problem(400, 'idempotency_error', 'idempotency_key_in_use')
    if (known) return known.answer
    const answer = create(new URLSearchParams(request.body))
    const kept = double.fault === 'broken-after' ? problem(500, 'api_error', 'broken') : answer
    first.set(key, { body: request.body, answer: kept })
    return answer
  }

  const listCharged = (query: URLSearchParams): VendorAnswer => {
    const [since, until] = [Number(query.get('created[gte]')), Number(query.get('created[lt]'))]
    const found = [...sessions.values()]
      .filter(({ created, status }) => created >= since && created < until && status === query.get('status'))
      .reverse()
    const start = found.findIndex(({ id }) => id === query.get('starting_after')) + 1
    const page = found.slice(start, start + pageSize).map((session) => ({
      ...session,
      payment_intent: session.payment_intent && {
        id: session.payment_intent,
        object: 'payment_intent',
        latest_charge: { object: 'charge', id: draw('ch'), created: chargedAt.get(session.id) },
      },
    }))
    return toList(page, start + pageSize < found.length)
  }

  const double = await startVendor((request) => {
    if (request.headers.authorization !== `Bearer ${self.secretKey}`)
      return problem(401, 'invalid_request_error', 'api_key_invalid')
    const path = request.path.replace('/v1/', '')
    if (request.method === 'POST' && path === 'checkout/sessions') return post(request, createSession)
    if (request.method === 'POST' && path === 'refunds') return post(request, createRefund)
    if (path === 'checkout/sessions' && request.query.get('expand[0]') === 'data.payment_intent.latest_charge')
      return listCharged(request.query)
    if (path === 'checkout/sessions') {
      const intent = request.query.get('payment_intent')
      return toList([...sessions.values()].filter((one) => !intent || one.payment_intent === intent).reverse())
    }
    if (path === 'refunds') {
      const [intent, charge] = [request.query.get('payment_intent'), request.query.get('charge')]
      return toList(
        [...refunds.values()].filter((refund) => refund.payment_intent === intent || refund.charge === charge),
      )
    }
    const id = path.split('/').at(-1) ?? ''
    const found = sessions.get(id) ?? refunds.get(id) ?? others.get(id)
    return found ? { status: 200, body: found } : problem(404, 'invalid_request_error', 'resource_missing')
  })

  const change = (id: string, changes: Partial<Session>) => void Object.assign(sessions.get(id) ?? {}, changes)
  const self = Object.assign(double, {
    secretKey,
    webhookSecret,
    sessions,
    refunds,
    others,
    pay: (id: string) => {
      chargedAt.set(id, toSeconds())
      change(id, { status: 'complete', payment_status: 'paid', payment_intent: draw('pi') })
    },
    decline: (id: string) => change(id, { status: 'expired', payment_status: 'unpaid' }),
    refundByHand: (id: string, amount: number, status: 'pending' | 'succeeded' = 'succeeded') => {
      const answer = addRefund(sessions.get(id)?.payment_intent ?? '', amount, {})
      if (answer.status !== 200) throw new Error('Stripe would not let anybody do that')
      const refund = answer.body as Refund
      refund.status = status
      return refund.id
    },
    webhook: (id: string, { type, secret = webhookSecret, at = new Date(), eventId = draw('evt') } = {}) => {
      const intent = sessions.get(id)?.payment_intent ?? null
      const charge = { object: 'charge', id: intent?.replace('pi_', 'ch_'), payment_intent: intent, refunded: true }
      const object = type === 'charge.refunded' ? charge : (sessions.get(id) ?? refunds.get(id))
      const status = sessions.get(id)?.status === 'expired' ? 'expired' : 'completed'
      const event = {
        ...eventAnswer,
        id: eventId,
        type: type ?? (refunds.has(id) ? 'refund.updated' : `checkout.session.${status}`),
        data: { object },
      }
      return signStripe(JSON.stringify(event), secret, at)
    },
  } satisfies Omit<StripeDouble, keyof VendorDouble>)
  return self
}
