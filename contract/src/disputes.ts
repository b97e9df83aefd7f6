import { z } from 'zod'
import { adminEndpoint } from './endpoint.ts'
import { bigId, byBigId, byOrderId, orderId, reason, text, time, toData } from './fields.ts'
import { amountSchema, shownAmountSchema } from './money.ts'

/** A dispute moves money; a warning says that the card may be stolen. */
const disputeKinds = ['dispute', 'fraud_warning'] as const
export type DisputeKind = (typeof disputeKinds)[number]

/**
 * `inquiry`: the bank asks, and no money has moved; `closed`: it came to nothing, or an operator cleared the warning.
 */
export const disputeStatuses = ['inquiry', 'open', 'won', 'lost', 'closed'] as const
export type DisputeStatus = (typeof disputeStatuses)[number]

/** What an order or a payment is marked with: the worst dispute against it. */
export const disputeFlags = ['open', 'inquiry', 'lost', 'fraud_warning', 'won', 'closed'] as const
export type DisputeFlag = (typeof disputeFlags)[number]

const disputeFunds = ['untouched', 'withdrawn', 'reinstated'] as const
export type DisputeFunds = (typeof disputeFunds)[number]

export const dispute = z.object({
  id: bigId,
  order_id: orderId,
  payment_id: bigId,
  provider: z.string(),
  provider_dispute_id: z.string(),
  kind: z.enum(disputeKinds),
  status: z.enum(disputeStatuses),
  /** What the provider did with the shop's money. */
  funds: z.enum(disputeFunds),
  amount: shownAmountSchema,
  /** As the bank says it; not every currency is one the shop takes. */
  currency: z.string(),
  reason: z.string(),
  /** The last moment for evidence. */
  due_by: time.nullable(),
  /** Whether it keeps the buyer's balance and unseen codes frozen. */
  is_holding: z.boolean(),
  /** The nickname of the admin who entered it by hand; null when the provider reported it. */
  made_by: z.string().nullable(),
  released_at: time.nullable(),
  released_by: z.string().nullable(),
  created_at: time,
  history: z.array(
    z.object({
      at: time,
      status: z.enum(disputeStatuses),
      funds: z.enum(disputeFunds),
      made_by: z.string().nullable(),
    }),
  ),
})
export type Dispute = z.infer<typeof dispute>

export const disputesApi = {
  open: adminEndpoint('POST /admin/orders/:id/dispute', {
    operationId: 'openDispute',
    permission: 'payments.write',
    refusals: ['INVALID_AMOUNT', 'STATE_CONFLICT'],
    confirmed: true,
    summary: 'Writes down that the bank took the money of a card order back, or is about to, that no webhook reported',
    params: byOrderId,
    body: z.strictObject({
      reason,
      /** The bank's or the provider's id. */
      reference: text(1, 200),
      /** Without it, all that was paid. */
      amount: amountSchema.optional(),
      /** `open`: the bank has it and will decide; `lost`: the money is gone. */
      status: z.enum(['open', 'lost']),
      due_by: time.optional(),
    }),
    answer: toData(dispute),
    status: 201,
    idempotent: true,
  }),
  decide: adminEndpoint('POST /admin/disputes/:id/decide', {
    operationId: 'decideDispute',
    permission: 'payments.write',
    refusals: ['STATE_CONFLICT'],
    confirmed: true,
    summary: 'Writes down how a dispute ended, and books it, where the provider does not tell',
    params: byBigId,
    body: z.strictObject({ status: z.enum(['won', 'lost']), reason }),
    answer: toData(dispute),
    idempotent: true,
  }),
  release: adminEndpoint('POST /admin/disputes/:id/release', {
    operationId: 'releaseDispute',
    permission: 'payments.write',
    refusals: ['STATE_CONFLICT'],
    confirmed: true,
    summary: "Lets the buyer's balance, codes and deliveries go though the dispute stands; clears a fraud warning",
    params: byBigId,
    body: z.strictObject({ reason }),
    answer: toData(dispute),
    idempotent: true,
  }),
  evidence: adminEndpoint('POST /admin/disputes/:id/evidence', {
    operationId: 'exportDisputeEvidence',
    permission: 'payments.write',
    confirmed: true,
    summary:
      'All that shows that the order was made, delivered and seen, as one HTML file; who took it is written down',
    params: byBigId,
    body: z.strictObject({}),
    answer: toData(z.object({ name: z.string(), html: z.string() })),
    idempotent: true,
  }),
}
