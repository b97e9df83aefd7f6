import type { DisputeFunds, DisputeStatus } from '@olmos/contract/disputes'
import { z } from 'zod'
import { vendorName, vendorSeconds, vendorWords } from '../../../platform/vendor/vendor.ts'
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
export const chargedSession = stripeSession.extend({
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
