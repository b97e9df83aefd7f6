import type { DisputeFunds, DisputeStatus } from '@olmos/contract/disputes'
import type { Stripe } from 'stripe'
import { z } from 'zod'
import { SERVER_LIMITS } from '../../../limits.ts'
import { readRetryAfter } from '../../../platform/http/headers.ts'
import { toJson } from '../../../platform/vendor/adapters.ts'
import {
  done,
  type Outcome,
  readSilence,
  silences,
  toHttpOutcome,
  unknown,
  type VendorFetch,
  vendorName,
  vendorSeconds,
  vendorWords,
} from '../../../platform/vendor/vendor.ts'
import type { PaymentSnapshot, ProviderRefund, ReportedDispute } from '../provider.ts'

const id = vendorName(255)
/** An object of Stripe's, as itself or by its id. */
const idOrObject = z.union([id, z.object({ id })])
/** The id, however the object is named; undefined for what has none. */
export const toId = (named: z.infer<typeof idOrObject> | null | undefined): string | undefined =>
  typeof named === 'string' ? named : named?.id
const currencyWord = vendorWords(8)

/** The part of a Checkout Session that the shop looks at (docs.stripe.com/api/checkout/sessions/object). */
export const stripeSession = z.object({
  object: z.literal('checkout.session'),
  id,
  status: z.enum(['open', 'complete', 'expired']).nullable(),
  payment_status: z.enum(['paid', 'unpaid', 'no_payment_required']),
  amount_total: z.int().min(0).nullable(),
  currency: currencyWord.nullable(),
  metadata: z.object({ payment_key: id.optional() }).nullable(),
  url: vendorName(5_000).nullish(),
  payment_intent: idOrObject.nullable(),
})
export type StripeSession = z.infer<typeof stripeSession>

/** A session with its payment and charge in it, which tells when it was paid. */
const chargedSession = stripeSession.extend({
  payment_intent: z.object({ id, latest_charge: z.object({ created: vendorSeconds }).nullish() }).nullable(),
})

/** Paid only when the session is complete and its payment is paid: some ways to pay complete first and fail later. */
export function toStripeSnapshot(session: StripeSession): PaymentSnapshot {
  const isPaid = session.status === 'complete' && session.payment_status === 'paid'
  return {
    providerPaymentId: session.id,
    reference: session.metadata?.payment_key,
    status: isPaid ? 'succeeded' : session.status === 'expired' ? 'canceled' : 'pending',
    amount: session.amount_total ?? 0,
    currency: (session.currency ?? '').toUpperCase(),
  }
}

/** The part of a payment that tells why its last card was declined (docs.stripe.com/api/payment_intents/object). */
export const stripeAttempt = z.object({
  last_payment_error: z
    .object({ decline_code: vendorWords(100).nullish(), code: vendorWords(100).nullish() })
    .nullish(),
})

/** The id of the payment behind a session; none while nobody has begun to pay. */
export const toPaymentIntent = ({ payment_intent }: StripeSession): string | undefined => toId(payment_intent)

/** The part of a signed webhook that the shop looks at (docs.stripe.com/api/events/object). */
export const stripeEvent = z.object({
  id,
  type: z.string(),
  created: vendorSeconds.default(0),
  data: z.object({ object: z.unknown() }),
})
export type StripeEvent = z.infer<typeof stripeEvent>

/** The objects of webhooks about a refund, and about a charge that was refunded at least in part. */
export const reportedRefund = z.object({ object: z.literal('refund'), id })
export const reportedCharge = z.object({ object: z.literal('charge'), id })

/** A charge that is asked for tells whose payment it was (docs.stripe.com/api/charges/object). */
export const stripeCharge = z.object({ id, payment_intent: idOrObject.nullish() })

/** The part of a refund that the shop looks at (docs.stripe.com/api/refunds/object). */
export const stripeRefund = z.object({
  id,
  amount: z.int().min(0),
  currency: currencyWord,
  status: z.string().nullish(),
  payment_intent: idOrObject.nullish(),
  metadata: z.object({ refund_key: id.optional() }).nullish(),
  failure_reason: vendorWords(100).nullish(),
})
export type StripeRefund = z.infer<typeof stripeRefund>

const refundStatuses: ReadonlyMap<string, 'succeeded' | 'failed'> = new Map([
  ['succeeded', 'succeeded'],
  ['failed', 'failed'],
  ['canceled', 'failed'],
])

/** Reads a refund of Stripe's as one of the payment's; every status that is not known yet is pending. */
export const toRefund = (refund: StripeRefund, providerPaymentId: string | undefined): ProviderRefund => ({
  providerRefundId: refund.id,
  providerPaymentId,
  reference: refund.metadata?.refund_key,
  status: refundStatuses.get(refund.status ?? '') ?? 'pending',
  amount: refund.amount,
  currency: refund.currency.toUpperCase(),
  ...(refund.failure_reason && { why: refund.failure_reason }),
})

/** The part of a dispute that the shop looks at (docs.stripe.com/api/disputes/object). */
const stripeDispute = z.object({
  object: z.literal('dispute'),
  id: vendorName(255),
  status: z.string(),
  amount: z.int().min(0),
  currency: currencyWord,
  reason: vendorWords(100).nullish(),
  charge: idOrObject.nullish(),
  payment_intent: idOrObject.nullish(),
  // None, one or two: the money that was withdrawn, and that came back. Amounts are from the shop's side.
  balance_transactions: z.array(z.object({ amount: z.int() })).nullish(),
  evidence_details: z.object({ due_by: vendorSeconds.nullish() }).nullish(),
})

/** The part of a warning that the shop looks at (docs.stripe.com/api/radar/early_fraud_warnings/object). */
const stripeFraudWarning = z.object({
  object: z.literal('radar.early_fraud_warning'),
  id: vendorName(255),
  fraud_type: vendorWords(100),
  charge: idOrObject.nullish(),
  payment_intent: idOrObject.nullish(),
})

/** A warning is an inquiry, which takes no money. An appeal reopens what was lost. */
const statuses: ReadonlyMap<string, DisputeStatus> = new Map(
  Object.entries({
    warning_needs_response: 'inquiry',
    warning_under_review: 'inquiry',
    warning_closed: 'closed',
    needs_response: 'open',
    under_review: 'open',
    appeal_needs_response: 'open',
    appeal_under_review: 'open',
    won: 'won',
    lost: 'lost',
    // A refund of the provider's came before the bank's decision.
    prevented: 'closed',
  } as const),
)

const fundsByEvent: Readonly<Record<string, DisputeFunds>> = {
  'charge.dispute.funds_withdrawn': 'withdrawn',
  'charge.dispute.funds_reinstated': 'reinstated',
}

const toFunds = (movements: readonly { amount: number }[]): DisputeFunds => {
  if (movements.length === 0) return 'untouched'
  return movements.reduce((sum, { amount }) => sum + amount, 0) < 0 ? 'withdrawn' : 'reinstated'
}

const toNames = ({ payment_intent, charge }: Pick<z.infer<typeof stripeDispute>, 'payment_intent' | 'charge'>) =>
  [toId(payment_intent), toId(charge)].filter((name) => name !== undefined)

/** What the object of an event, or an answer of Stripe, says of a dispute or a fraud warning; none when it is neither. */
export function toDispute(object: unknown, at: Date, eventType?: string): ReportedDispute | undefined {
  const warning = stripeFraudWarning.safeParse(object).data
  if (warning) {
    return {
      providerDisputeId: warning.id,
      kind: 'fraud_warning',
      status: 'open',
      funds: 'untouched',
      amount: undefined,
      currency: undefined,
      reason: warning.fraud_type,
      dueBy: undefined,
      at,
      payment: undefined,
      otherNames: toNames(warning),
    }
  }
  const dispute = stripeDispute.safeParse(object).data
  if (!dispute) return undefined
  const dueBy = dispute.evidence_details?.due_by
  return {
    providerDisputeId: dispute.id,
    kind: 'dispute',
    // A state that is not known yet is one that nobody has ended.
    status: statuses.get(dispute.status) ?? 'open',
    funds: fundsByEvent[eventType ?? ''] ?? toFunds(dispute.balance_transactions ?? []),
    amount: dispute.amount === 0 ? undefined : dispute.amount,
    currency: dispute.currency.toUpperCase(),
    reason: dispute.reason ?? 'general',
    dueBy: dueBy ? new Date(dueBy * 1000) : undefined,
    at,
    payment: undefined,
    otherNames: toNames(dispute),
  }
}

/** What the parsers were written for. The endpoint of the webhooks is to have the same version. */
const apiVersion = '2026-10-28.endive'

/** Loads Stripe's SDK, thirty megabytes that a shop without Stripe does not need, and has it speak over `fetchVendor`. */
export async function connectStripe(
  { secretKey, baseUrl }: { secretKey: string; baseUrl: string },
  fetchVendor: VendorFetch,
): Promise<Stripe> {
  const { Stripe } = await import('stripe')
  const url = new URL(baseUrl)
  const protocol = url.protocol === 'http:' ? 'http' : 'https'
  return new Stripe(secretKey, {
    apiVersion,
    host: url.hostname,
    port: url.port || (protocol === 'http' ? 80 : 443),
    protocol,
    timeout: SERVER_LIMITS.vendorTimeoutMs,
    // Who repeats a call, and when, is the store's business.
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(objectsOnly(fetchVendor)),
  })
}

/** The SDK never settles over an answer that is JSON but no object, and throws where nobody can catch it. */
const objectsOnly =
  (fetchVendor: VendorFetch): VendorFetch =>
  async (url, init) => {
    const response = await fetchVendor(url, init)
    const body = await response.text()
    const told = toJson(Buffer.from(body))
    if (told !== undefined && (typeof told !== 'object' || told === null)) throw new Error('the answer is no object')
    return new Response(body, { status: response.status, headers: response.headers })
  }

/**
 * What a call of the SDK comes to. A 4xx of Stripe is a rejection, under its own code. A request that timed out, too many
 * of them, a key still in use, its own errors, silence, and an answer that can't be parsed are unknown
 * (docs.stripe.com/api/errors).
 */
export async function toOutcome<T>(call: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return done(await call())
  } catch (error) {
    const { statusCode, code, type, param, headers, detail } = error as Partial<Stripe.errors.StripeError>
    if (type === 'StripeConnectionError') return unknown(readSilence(detail))
    if (statusCode === undefined) return unknown('bad_answer')
    const retryAfterSeconds = readRetryAfter(headers?.['retry-after'])
    if (type === 'StripeIdempotencyError') return unknown(`http_${statusCode}`, { retryAfterSeconds })
    const answer = { status: statusCode, retryAfterSeconds }
    return toHttpOutcome(answer, toWord(code) ?? toWord(type) ?? 'refused', { parameter: toWord(param) })
  }
}

const word = vendorWords(128)
const toWord = (told: unknown): string | undefined => word.safeParse(told).data || undefined

/** Stripe repeats an error of its own to every later attempt under the key, so what came of it is looked up. */
export const isToLookUp = (outcome: Outcome<unknown>): boolean =>
  outcome.kind === 'unknown' && !silences.some((silence) => silence === outcome.why)

/** A day of more sessions than these hundreds is not compared, rather than in part. */
const sessionPagesAtMost = 500
/** No session can be paid longer than a day after it was made. */
const sessionLifeSeconds = 24 * 3_600

/** Lists the sessions whose charge was made in the span, its end left out. A session itself does not tell when it was paid. */
export async function listPaidSessions(client: Stripe, from: Date, to: Date): Promise<Outcome<StripeSession[]>> {
  const [since, until] = [from, to].map((time) => Math.ceil(time.getTime() / 1000)) as [number, number]
  const paid: StripeSession[] = []
  let last: string | undefined
  for (let page = 0; page < sessionPagesAtMost; page++) {
    const answer = await toOutcome(async () => {
      const { data, has_more } = await client.checkout.sessions.list({
        created: { gte: since - sessionLifeSeconds, lt: until },
        status: 'complete',
        expand: ['data.payment_intent.latest_charge'],
        limit: 100,
        ...(last && { starting_after: last }),
      })
      return { sessions: chargedSession.array().parse(data), has_more }
    })
    if (answer.kind !== 'done') return answer
    const { sessions, has_more } = answer.value
    paid.push(
      ...sessions.filter(({ payment_status, payment_intent }) => {
        const at = payment_intent?.latest_charge?.created
        return payment_status === 'paid' && at !== undefined && at >= since && at < until
      }),
    )
    last = sessions.at(-1)?.id
    if (has_more !== true || last === undefined) return done(paid)
  }
  return unknown('too_many_payments')
}
