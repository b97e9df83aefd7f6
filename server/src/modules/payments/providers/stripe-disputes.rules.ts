import type { DisputeFunds, DisputeStatus } from '@olmos/contract/disputes'
import { z } from 'zod'
import { vendorName, vendorSeconds, vendorWords } from '../../../platform/vendor-fields.ts'
import type { ToldDispute } from '../provider.ts'
import { currencyWord, idOf, idOrObject } from './stripe.rules.ts'

/** Of a dispute what the shop looks at; the vendor's page: docs.stripe.com/api/disputes/object. */
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

/** The vendor's page: docs.stripe.com/api/radar/early_fraud_warnings/object. */
const stripeFraudWarning = z.object({
  object: z.literal('radar.early_fraud_warning'),
  id: vendorName(255),
  fraud_type: vendorWords(100),
  charge: idOrObject.nullish(),
  payment_intent: idOrObject.nullish(),
})

/** A warning is an inquiry, which takes no money. An appeal begins anew what was lost. */
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

const fundsOfEvent: Readonly<Record<string, DisputeFunds>> = {
  'charge.dispute.funds_withdrawn': 'withdrawn',
  'charge.dispute.funds_reinstated': 'reinstated',
}

const fundsOf = (movements: readonly { amount: number }[]): DisputeFunds => {
  if (movements.length === 0) return 'untouched'
  return movements.reduce((sum, { amount }) => sum + amount, 0) < 0 ? 'withdrawn' : 'reinstated'
}

const namesOf = ({ payment_intent, charge }: Pick<z.infer<typeof stripeDispute>, 'payment_intent' | 'charge'>) =>
  [idOf(payment_intent), idOf(charge)].filter((name) => name !== undefined)

/** What the object of an event, or an answer of Stripe, says of a dispute or a fraud warning; none when it is neither. */
export function disputeOf(object: unknown, at: Date, eventType?: string): ToldDispute | undefined {
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
      otherNames: namesOf(warning),
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
    funds: fundsOfEvent[eventType ?? ''] ?? fundsOf(dispute.balance_transactions ?? []),
    amount: dispute.amount === 0 ? undefined : dispute.amount,
    currency: dispute.currency.toUpperCase(),
    reason: dispute.reason ?? 'general',
    dueBy: dueBy ? new Date(dueBy * 1000) : undefined,
    at,
    payment: undefined,
    otherNames: namesOf(dispute),
  }
}
