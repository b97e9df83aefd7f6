import { z } from 'zod'
import { disputeFlags } from './disputes.ts'
import { adminEndpoint } from './endpoint.ts'
import { bigId, byBigId, date, id, listQuery, orderId, reason, text, time, toData, toList } from './fields.ts'
import * as LIMITS from './limits.ts'
import { chargeCurrencies, currencies, shownAmountSchema } from './money.ts'
import { orderPurposes, orderStatuses, paymentStatuses } from './orders.ts'

export const listedPayment = z.object({
  id: bigId,
  order_id: orderId,
  order_status: z.enum(orderStatuses),
  user_id: id,
  nickname: z.string(),
  provider: z.string(),
  /** The name of the method. */
  method: z.string(),
  /** The provider's id; null until it was opened there. */
  provider_payment_id: z.string().nullable(),
  /** With the fee. */
  amount: shownAmountSchema,
  /** How much of the amount the payer pays for the method itself. */
  fee_amount: shownAmountSchema,
  currency: z.enum(currencies),
  /** What the payer was charged for it. */
  charge_amount: shownAmountSchema,
  charge_currency: z.enum(chargeCurrencies),
  /** How much of the charge currency one of the order's is: a decimal; null where both are one currency. */
  charge_rate: z.string().nullable(),
  status: z.enum(paymentStatuses),
  /** What came in the end; usually, but not always, what was asked for. */
  paid_amount: shownAmountSchema.nullable(),
  paid_currency: z.string().nullable(),
  settled_to: z.enum(['order', 'wallet', 'operator']).nullable(),
  /** The worst dispute against it. */
  dispute: z.enum(disputeFlags).nullable(),
  created_at: time,
  settled_at: time.nullable(),
})
export type ListedPayment = z.infer<typeof listedPayment>

/** Why the store itself canceled a payment; a provider's reasons are its own words. */
export type CancelReason =
  /** The provider gave no page to pay at while the order waited, or before it was paid another way. */
  | 'not_opened'
  /** Nobody paid at the provider's page, and the provider never said that it is over. */
  | 'not_paid'
  /** The provider refused to open it. */
  | 'refused'

export const refundDecisions = ['paid', 'wallet'] as const
export type RefundDecision = (typeof refundDecisions)[number]

/** A card refund of which only a person can tell whether it was made. */
export const decidedRefund = z.object({
  id: bigId,
  order_id: orderId,
  provider: z.string(),
  amount: shownAmountSchema,
  currency: z.string(),
  status: z.enum(['succeeded', 'failed']),
})
export type DecidedRefund = z.infer<typeof decidedRefund>

export const adminPaymentsApi = {
  list: adminEndpoint('GET /admin/payments', {
    operationId: 'listPayments',
    permission: 'payments.read',
    summary: 'Card payments; a search is for an order id, an id at the provider or a part of a nickname',
    query: listQuery(['id', 'amount']).extend({
      status: z.enum(paymentStatuses).optional(),
      provider: text(0, 32).optional(),
      /** The name of a method. */
      method: text(0, LIMITS.methodNameMax).optional(),
      /** Why it came to nothing: a `CancelReason`, the provider's own word, or `none` where nobody said. */
      canceled_why: text(0, LIMITS.reasonMax).optional(),
      purpose: z.enum(orderPurposes).optional(),
      /** The first and the last day on which their orders were placed, in the shop's time zone. */
      from: date.optional(),
      to: date.optional(),
      dispute: z.enum(disputeFlags).optional(),
      /** The first and the last day on which the bank began to dispute them, and why it did. */
      disputed_from: date.optional(),
      disputed_to: date.optional(),
      dispute_reason: text(0, LIMITS.reasonMax).optional(),
    }),
    answer: toList(listedPayment),
  }),
  confirm: adminEndpoint('POST /admin/payments/:id/confirm', {
    operationId: 'confirmPayment',
    permission: 'payments.write',
    refusals: ['STATE_CONFLICT'],
    confirmed: true,
    summary: 'Takes a payment as made whose money was seen at the provider, and settles it as its own webhook would',
    params: byBigId,
    body: z.strictObject({
      reason,
      /** The provider's id of the payment, when the store knows none. */
      reference: text(1, 200).optional(),
    }),
    answer: toData(listedPayment),
    idempotent: true,
  }),
  decideRefund: adminEndpoint('POST /admin/card-refunds/:id/decide', {
    operationId: 'decideCardRefund',
    permission: 'orders.refund',
    refusals: ['STATE_CONFLICT'],
    confirmed: true,
    summary:
      'Says of a refund to a card that is stuck that the provider has made it, or puts the money into the wallet',
    params: byBigId,
    body: z.strictObject({
      decision: z.enum(refundDecisions),
      reason,
      /** The provider's id of the refund; required for one that was made. */
      reference: text(1, 200).optional(),
    }),
    answer: toData(decidedRefund),
    idempotent: true,
  }),
}
