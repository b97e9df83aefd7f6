import { z } from 'zod'
import { SERVER_LIMITS } from '../../../limits.ts'
import { accepted, forged, repeatWebhook, toJson, vendorUrl } from '../../../platform/vendor/adapters.ts'
import { beforeSending, done, type Outcome, rejected, unknown } from '../../../platform/vendor/vendor.ts'
import type {
  NotifyingProvider,
  PaymentEvent,
  PaymentName,
  PaymentSnapshot,
  ProviderAdapter,
  ProviderDeps,
  RefundingProvider,
  ReportedDispute,
} from '../provider.ts'
import {
  connectStripe,
  isToLookUp,
  listPaidSessions,
  reportedCharge,
  reportedRefund,
  type StripeEvent,
  type StripeRefund,
  type StripeSession,
  stripeAttempt,
  stripeCharge,
  stripeEvent,
  stripeRefund,
  stripeSession,
  toDispute,
  toId,
  toOutcome,
  toPaymentIntent,
  toRefund,
  toStripeSnapshot,
} from './stripe-client.ts'

const settings = z.object({
  STRIPE_SECRET_KEY: z.string(),
  STRIPE_WEBHOOK_SECRET: z.string(),
  STRIPE_BASE_URL: vendorUrl('https://api.stripe.com'),
})

/** A session lives for 30 minutes at least, counted from when Stripe gets the request. */
const shortestSessionMs = 31 * 60_000
/** How far before the end of an order's time its session may have been created. */
const lookBackSeconds = 3 * 3_600
const toleranceMs = SERVER_LIMITS.webhookToleranceSeconds * 1000
/** A page has a hundred refunds. Nobody gives one payment back in more parts than these. */
const refundPagesAtMost = 10

/** Cards in dollars by Stripe Checkout Sessions, over its official SDK (docs.stripe.com/api/checkout/sessions). */
export const stripe = {
  name: 'stripe',
  settings,
  webhooks: [
    {
      events: [
        'checkout.session.completed',
        'checkout.session.async_payment_succeeded',
        'checkout.session.async_payment_failed',
        'checkout.session.expired',
        'refund.created',
        'refund.updated',
        'refund.failed',
        'charge.refunded',
        'charge.dispute.created',
        'charge.dispute.updated',
        'charge.dispute.closed',
        'charge.dispute.funds_withdrawn',
        'charge.dispute.funds_reinstated',
        'radar.early_fraud_warning.created',
      ],
    },
  ],
  create: createStripe,
} satisfies ProviderAdapter<typeof settings>

function createStripe(
  {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_BASE_URL: baseUrl,
  }: z.output<typeof settings>,
  { fetchVendor }: Pick<ProviderDeps, 'fetchVendor'>,
): NotifyingProvider & RefundingProvider {
  const loading = connectStripe({ secretKey, baseUrl }, fetchVendor)

  const readSession = async (id: string): Promise<Outcome<StripeSession>> => {
    const client = await loading
    return toOutcome(async () => stripeSession.parse(await client.checkout.sessions.retrieve(id)))
  }

  /**
   * Says why a session ended unpaid: for what the bank declined the last card, where one was tried and Stripe still has it,
   * and otherwise how it ended.
   */
  const addReason = async (session: StripeSession, ended: PaymentSnapshot, how: string): Promise<PaymentSnapshot> => {
    const intent = toPaymentIntent(session)
    if (intent === undefined) return { ...ended, why: how }
    const client = await loading
    const tried = await toOutcome(async () => stripeAttempt.parse(await client.paymentIntents.retrieve(intent)))
    const error = tried.kind === 'done' ? tried.value.last_payment_error : undefined
    return { ...ended, why: error?.decline_code || error?.code || how }
  }

  const readEvents = async ({ id, type, data }: StripeEvent): Promise<PaymentEvent[]> => {
    const session = stripeSession.safeParse(data.object).data
    if (!type.startsWith('checkout.session.') || !session) return []
    const told = toStripeSnapshot(session)
    const hasFailed = type === 'checkout.session.async_payment_failed'
    const snapshot =
      hasFailed || told.status === 'canceled'
        ? await addReason(session, { ...told, status: 'canceled' }, hasFailed ? 'payment_failed' : 'expired')
        : told
    return [{ providerPaymentId: snapshot.providerPaymentId, proven: { key: id, snapshot } }]
  }

  const findSession = async (key: string, expiresAt: Date): Promise<StripeSession | undefined> => {
    const client = await loading
    const created = { gte: Math.floor(expiresAt.getTime() / 1000) - lookBackSeconds }
    const found = await toOutcome(async () => {
      const { data } = await client.checkout.sessions.list({ created, limit: 100 })
      return data.map((session) => stripeSession.safeParse(session).data)
    })
    const sessions = found.kind === 'done' ? found.value : []
    return sessions.find((session) => session?.metadata?.payment_key === key)
  }

  const refundsBy = async (of: { payment_intent: string } | { charge: string }): Promise<Outcome<StripeRefund[]>> => {
    const client = await loading
    return toOutcome(async () => {
      const refunds: StripeRefund[] = []
      let last: string | undefined
      for (let page = 0; page < refundPagesAtMost; page++) {
        const { data, has_more } = await client.refunds.list({
          ...of,
          limit: 100,
          ...(last && { starting_after: last }),
        })
        refunds.push(...stripeRefund.array().parse(data))
        last = refunds.at(-1)?.id
        if (has_more !== true || data.length === 0) break
      }
      return refunds
    })
  }

  const findRefund = async (intent: string, key: string): Promise<StripeRefund | undefined> => {
    const found = await refundsBy({ payment_intent: intent })
    return found.kind === 'done' ? found.value.find((refund) => refund.metadata?.refund_key === key) : undefined
  }

  /** The session whose payment this is; none when the shop has not made it. */
  const findCheckoutSession = async (intent: string): Promise<Outcome<string | undefined>> => {
    const client = await loading
    return toOutcome(async () => {
      const { data } = await client.checkout.sessions.list({ payment_intent: intent, limit: 1 })
      return stripeSession.optional().parse(data[0])?.id
    })
  }

  /** `charge.refunded` names the charge only: which refunds it has is asked. */
  const listToldRefunds = async ({ type, data }: StripeEvent): Promise<Outcome<string[]>> => {
    const refund = reportedRefund.safeParse(data.object)
    if (refund.success) return done([refund.data.id])
    const charge = reportedCharge.safeParse(data.object)
    if (type !== 'charge.refunded' || !charge.success) return done([])
    const refunds = await refundsBy({ charge: charge.data.id })
    if (refunds.kind === 'done') return done(refunds.value.map(({ id }) => id))
    return refunds.kind === 'rejected' && refunds.code === 'resource_missing' ? done([]) : refunds
  }

  /** The session behind an intent or a charge: disputes name no session. None when the shop has not made it. */
  const findDisputed = async (names: readonly string[]): Promise<Outcome<PaymentName | undefined>> => {
    const client = await loading
    const found = await toOutcome(async () => {
      const charge = names.find((name) => !name.startsWith('pi_'))
      const intent =
        names.find((name) => name.startsWith('pi_')) ??
        (charge && toId(stripeCharge.parse(await client.charges.retrieve(charge)).payment_intent))
      if (!intent) return undefined
      const [session] = (await client.checkout.sessions.list({ payment_intent: intent, limit: 1 })).data
      const read = stripeSession.safeParse(session).data
      return read && { providerPaymentId: read.id, reference: read.metadata?.payment_key }
    })
    if (found.kind !== 'rejected') return found
    // Only this rejection is about the dispute. Others, such as an old key, end some day, and Stripe reports it again.
    return found.code === 'resource_missing' ? done(undefined) : unknown(found.code)
  }

  return {
    name: 'stripe',
    methods: [{ name: 'stripe', mark: 'card' }],
    charges: ['USD'],
    // docs.stripe.com/currencies#minimum-and-maximum-charge-amounts
    least: { USD: 50 },

    async createPayment({ key, orderId, amount, currency, description, returnUrl, expiresAt }) {
      const client = await loading
      const metadata = { order_id: orderId, payment_key: key }
      const price = { currency: currency.toLowerCase(), unit_amount: amount, product_data: { name: description } }
      const created = await toOutcome(async () =>
        stripeSession.parse(
          await client.checkout.sessions.create(
            {
              mode: 'payment',
              success_url: returnUrl,
              cancel_url: returnUrl,
              client_reference_id: orderId,
              metadata,
              // What a dispute, or the dashboard, shows of the payment.
              payment_intent_data: { metadata, description },
              expires_at: Math.floor((expiresAt.getTime() + shortestSessionMs) / 1000),
              line_items: [{ quantity: 1, price_data: price }],
            },
            { idempotencyKey: key },
          ),
        ),
      )
      if (created.kind === 'rejected') return created
      const found = isToLookUp(created) ? await findSession(key, expiresAt) : undefined
      const session = created.kind === 'done' ? created.value : found
      if (!session) return created.kind === 'unknown' ? created : unknown('not_found')
      return session.url ? done({ providerPaymentId: session.id, payUrl: session.url }) : unknown('no_pay_page')
    },

    async readPayment(id) {
      const session = await readSession(id)
      if (session.kind !== 'done') return session
      const snapshot = toStripeSnapshot(session.value)
      return done(snapshot.status === 'canceled' ? await addReason(session.value, snapshot, 'expired') : snapshot)
    },

    async refund({ providerPaymentId, amount, key }) {
      const session = await readSession(providerPaymentId)
      if (session.kind !== 'done') return beforeSending(session)
      const intent = toPaymentIntent(session.value)
      if (intent === undefined) return rejected('not_paid')
      const client = await loading
      const created = await toOutcome(async () =>
        stripeRefund.parse(
          await client.refunds.create(
            { payment_intent: intent, amount, metadata: { refund_key: key } },
            { idempotencyKey: key },
          ),
        ),
      )
      const found = isToLookUp(created) ? await findRefund(intent, key) : undefined
      if (created.kind === 'done') return done(toRefund(created.value, providerPaymentId))
      return found ? done(toRefund(found, providerPaymentId)) : created
    },

    async readRefund(id) {
      const client = await loading
      const refund = await toOutcome(async () => stripeRefund.parse(await client.refunds.retrieve(id)))
      if (refund.kind !== 'done') return refund
      const intent = toId(refund.value.payment_intent)
      const session = intent === undefined ? done(undefined) : await findCheckoutSession(intent)
      return session.kind === 'done' ? done(toRefund(refund.value, session.value)) : session
    },

    async listRefunds(providerPaymentId) {
      const session = await readSession(providerPaymentId)
      if (session.kind !== 'done') return session
      const intent = toPaymentIntent(session.value)
      const refunds = intent === undefined ? done([]) : await refundsBy({ payment_intent: intent })
      if (refunds.kind !== 'done') return refunds
      return done(refunds.value.map((refund) => toRefund(refund, providerPaymentId)))
    },

    async listPayments(from, to) {
      const sessions = await listPaidSessions(await loading, from, to)
      return sessions.kind === 'done' ? done(sessions.value.map(toStripeSnapshot)) : sessions
    },

    async tryAccount() {
      const client = await loading
      const asked = await toOutcome(async () => void (await client.checkout.sessions.list({ limit: 1 })))
      // The mode is a part of the key: docs.stripe.com/keys#test-live-modes.
      return asked.kind === 'done' ? done({ isTest: /^[a-z]+_test_/.test(secretKey) }) : asked
    },

    async readWebhook({ body, headers, now }) {
      const client = await loading
      const signature = headers['stripe-signature']
      if (typeof signature !== 'string') return forged('no signature')
      // The SDK refuses what is too old only.
      if (isFromLater(signature, now)) return forged('wrong signature')
      try {
        client.webhooks.constructEvent(
          body,
          signature,
          webhookSecret,
          SERVER_LIMITS.webhookToleranceSeconds,
          undefined,
          now.getTime(),
        )
      } catch {
        return forged('wrong signature')
      }
      const event = stripeEvent.safeParse(toJson(body))
      if (!event.success) return forged('not an event')
      const refunds = await listToldRefunds(event.data)
      if (refunds.kind !== 'done') return { verified: true, events: [], refunds: [], reply: repeatWebhook }
      return {
        verified: true,
        events: await readEvents(event.data),
        refunds: refunds.value,
        disputes: readDisputes(event.data),
        reply: accepted,
      }
    },

    async readDispute(told, now) {
      const client = await loading
      const read =
        told.kind === 'dispute'
          ? await toOutcome(async () => toDispute(await client.disputes.retrieve(told.providerDisputeId), now))
          : undefined
      // What was signed counts where Stripe does not answer.
      const answered = read?.kind === 'done' ? read.value : undefined
      const current = answered?.providerDisputeId === told.providerDisputeId ? answered : undefined
      const dispute = { ...(current ?? told), ...(current?.funds === 'untouched' && { funds: told.funds }) }
      const payment = await findDisputed(dispute.otherNames)
      return payment.kind === 'done' ? done({ ...dispute, payment: payment.value }) : payment
    },
  }
}

/** Whether a signature, `t=<seconds>,v1=<hex>`, names a time that is further ahead than clocks differ. */
const isFromLater = (signature: string, now: Date): boolean =>
  signature
    .split(',')
    .map((part) => part.trim().split('='))
    .some(([name, value]) => name === 't' && Number.parseInt(value ?? '', 10) * 1000 > now.getTime() + toleranceMs)

function readDisputes({ type, created, data }: StripeEvent): ReportedDispute[] {
  const told = toDispute(data.object, new Date(created * 1000), type)
  return told ? [told] : []
}
