import { z } from 'zod'
import { type Outcome, rejected, unknown } from '../../../platform/outcome.ts'
import { vendorName, vendorWords } from '../../../platform/vendor-fields.ts'
import type { PaymentSnapshot, ProviderRefund } from '../provider.ts'

const amount = z.object({ value: z.string().regex(/^\d{1,12}(\.\d{1,2})?$/), currency: z.string().regex(/^[A-Z]{3}$/) })

/** Who canceled, and why: 'insufficient_funds', '3d_secure_failed'. */
const cancellation = z.object({ party: vendorWords(64), reason: vendorWords(64) })

/** Of a payment what the shop looks at; the vendor's page: yookassa.ru/developers/api#payment_object. */
export const yookassaPayment = z.object({
  id: vendorName(64),
  status: z.enum(['pending', 'waiting_for_capture', 'succeeded', 'canceled']),
  paid: z.boolean(),
  amount,
  recipient: z.object({ account_id: vendorName(64) }),
  confirmation: z.object({ confirmation_url: vendorName(5_000).optional() }).optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  cancellation_details: cancellation.optional(),
})
export type YookassaPayment = z.infer<typeof yookassaPayment>

export const yookassaRefund = z.object({
  id: vendorName(64),
  payment_id: vendorName(64),
  status: z.enum(['pending', 'succeeded', 'canceled']),
  amount,
  cancellation_details: cancellation.optional(),
})
export type YookassaRefund = z.infer<typeof yookassaRefund>

export const yookassaRefunds = z.object({ items: z.array(yookassaRefund), next_cursor: vendorName(500).optional() })

/** What a notice says happened, and to which payment or refund. */
export const yookassaNotice = z.object({
  type: z.literal('notification'),
  event: vendorName(64),
  object: z.object({ id: z.string().regex(/^[\w-]{1,64}$/) }),
})

/** '500.5' to 50050, without a float on the way. */
export function minorOf(value: string): number {
  const [whole = '0', part = ''] = value.split('.')
  return Number(whole + part.padEnd(2, '0'))
}

/** 50050 to '500.50'. */
export const decimalOf = (minor: number): string => `${Math.trunc(minor / 100)}.${String(minor % 100).padStart(2, '0')}`

const reference = z.object({ payment_key: vendorName(64) })

export function snapshotOf(payment: YookassaPayment): PaymentSnapshot {
  const isPaid = payment.status === 'succeeded' && payment.paid
  return {
    providerPaymentId: payment.id,
    reference: reference.safeParse(payment.metadata).data?.payment_key,
    status: isPaid ? 'succeeded' : payment.status === 'canceled' ? 'canceled' : 'pending',
    amount: minorOf(payment.amount.value),
    currency: payment.amount.currency,
    ...(payment.cancellation_details && { why: payment.cancellation_details.reason }),
  }
}

const refundStatuses = { pending: 'pending', succeeded: 'succeeded', canceled: 'failed' } as const

/** It says nothing of the key a refund was asked for with. */
export const refundOf = (refund: YookassaRefund): ProviderRefund => ({
  providerRefundId: refund.id,
  providerPaymentId: refund.payment_id,
  reference: undefined,
  status: refundStatuses[refund.status],
  amount: minorOf(refund.amount.value),
  currency: refund.amount.currency,
  ...(refund.cancellation_details && { why: refund.cancellation_details.reason }),
})

const problem = z.object({ code: vendorWords(64), parameter: vendorWords(128).optional() })

/**
 * What an answer other than 200 means: 4xx is a no, everything else may have been carried out
 * (yookassa.ru/developers/using-api/response-handling/recommendations). Too many requests is no answer yet.
 */
export function troubleOfStatus(status: number, body: unknown, retryAfterSeconds?: number): Outcome<never> {
  if (status === 401 || status === 403) return rejected('not_allowed')
  if (status >= 400 && status < 500 && status !== 429 && status !== 408) {
    const { code, parameter } = problem.safeParse(body).data ?? { code: `http_${status}` }
    return rejected(code, { parameter })
  }
  return unknown(`http_${status}`, { retryAfterSeconds })
}
