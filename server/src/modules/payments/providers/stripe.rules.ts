import { z } from 'zod'
import type { PaymentSnapshot } from '../provider.ts'

/** Of a Checkout Session what the shop looks at; the vendor's page: docs.stripe.com/api/checkout/sessions/object. */
export const stripeSession = z.object({
  object: z.literal('checkout.session'),
  id: z.string().min(1).max(255),
  status: z.enum(['open', 'complete', 'expired']).nullable(),
  payment_status: z.enum(['paid', 'unpaid', 'no_payment_required']),
  amount_total: z.int().min(0).nullable(),
  currency: z.string().nullable(),
  client_reference_id: z.string().nullable(),
  metadata: z.record(z.string(), z.string()).nullable(),
  url: z.string().nullish(),
  payment_intent: z.union([z.string(), z.object({ id: z.string() })]).nullable(),
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

export const paymentIntentOf = ({ payment_intent }: StripeSession): string | undefined =>
  typeof payment_intent === 'string' ? payment_intent : payment_intent?.id

/** What a signed notice holds. */
export const stripeEvent = z.object({
  id: z.string().min(1).max(255),
  type: z.string(),
  created: z.int().default(0),
  data: z.object({ object: z.unknown() }),
})
export type StripeEvent = z.infer<typeof stripeEvent>

/** Of a notice about a refund, or about a charge of which something was given back. */
export const stripeRefund = z.object({ object: z.literal('refund'), id: z.string().min(1).max(255) })
export const stripeCharge = z.object({ object: z.literal('charge'), id: z.string().min(1).max(255) })

const refundStatuses: Record<string, 'succeeded' | 'failed'> = {
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
}

export const refundStatusOf = (status: string | null): 'pending' | 'succeeded' | 'failed' =>
  refundStatuses[status ?? ''] ?? 'pending'
