import { z } from 'zod'
import { vendorName, vendorSeconds, vendorWords } from '../../../platform/vendor-fields.ts'
import type { PaymentSnapshot, ProviderRefund } from '../provider.ts'

const id = vendorName(255)
/** An object of Stripe's, as itself or by its id. */
export const idOrObject = z.union([id, z.object({ id })])
export const idOf = (named: z.infer<typeof idOrObject> | null | undefined): string | undefined =>
  typeof named === 'string' ? named : named?.id
export const currencyWord = vendorWords(8)

/** Of a Checkout Session what the shop looks at; the vendor's page: docs.stripe.com/api/checkout/sessions/object. */
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

/** Paid only when the session is complete and its payment is paid: some ways to pay complete first and fail later. */
export function snapshotOf(session: StripeSession): PaymentSnapshot {
  const isPaid = session.status === 'complete' && session.payment_status === 'paid'
  return {
    providerPaymentId: session.id,
    reference: session.metadata?.payment_key,
    status: isPaid ? 'succeeded' : session.status === 'expired' ? 'canceled' : 'pending',
    amount: session.amount_total ?? 0,
    currency: (session.currency ?? '').toUpperCase(),
  }
}

export const paymentIntentOf = ({ payment_intent }: StripeSession): string | undefined => idOf(payment_intent)

/** What a signed notice holds. */
export const stripeEvent = z.object({
  id,
  type: z.string(),
  created: vendorSeconds.default(0),
  data: z.object({ object: z.unknown() }),
})
export type StripeEvent = z.infer<typeof stripeEvent>

/** Of a notice about a refund, or about a charge of which something was given back. */
export const toldRefund = z.object({ object: z.literal('refund'), id })
export const toldCharge = z.object({ object: z.literal('charge'), id })

/** Of a charge that is asked for: whose payment it was. */
export const stripeCharge = z.object({ id, payment_intent: idOrObject.nullish() })

/** The vendor's page: docs.stripe.com/api/refunds/object. */
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

export const refundOf = (refund: StripeRefund, providerPaymentId: string | undefined): ProviderRefund => ({
  providerRefundId: refund.id,
  providerPaymentId,
  reference: refund.metadata?.refund_key,
  status: refundStatuses.get(refund.status ?? '') ?? 'pending',
  amount: refund.amount,
  currency: refund.currency.toUpperCase(),
  ...(refund.failure_reason && { why: refund.failure_reason }),
})
