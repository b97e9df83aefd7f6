import { Failure } from '@olmos/contract/failure'
import type { ChargeCurrency } from '@olmos/contract/money'
import type { SandboxAction, SandboxDisputeAction, SandboxStatus } from '@olmos/contract/payments'
import { z } from 'zod'
import { SERVER_LIMITS } from '../../../limits.ts'
import { type Queries, sql, type Tx } from '../../../platform/database/queries.ts'
import { vendorName } from '../../../platform/vendor/vendor.ts'
import type { PaymentRequest, ReportedDispute } from '../provider.ts'

export interface SandboxPaymentRow {
  id: string
  key: string
  order_id: string
  amount: number
  currency: ChargeCurrency
  description: string
  return_url: string
  status: SandboxStatus
  expires_at: Date
  dispute: 'open' | 'won' | 'lost' | null
  is_fraud_warned: boolean
}

/** A processing payment succeeds when its time has come, without anybody doing anything. */
const columns = sql`
  id, key, order_id, amount, currency, description, return_url, expires_at,
  CASE WHEN status = 'processing' AND succeeds_at <= now() THEN 'succeeded' ELSE status END AS status,
  (SELECT status FROM sandbox_dispute WHERE payment_id = sandbox_payment.id AND kind = 'dispute') AS dispute,
  EXISTS (SELECT FROM sandbox_dispute WHERE payment_id = sandbox_payment.id AND kind = 'fraud_warning') AS is_fraud_warned`

export const openSandboxPayment = (queries: Queries, request: PaymentRequest) =>
  queries.one<{ id: string }>(sql`
    INSERT INTO sandbox_payment (key, order_id, amount, currency, description, return_url, expires_at)
    VALUES (${request.key}, ${request.orderId}, ${request.amount}, ${request.currency}, ${request.description},
      ${request.returnUrl}, ${request.expiresAt})
    ON CONFLICT (key, is_second_charge) DO UPDATE SET key = excluded.key RETURNING id`)

export const findSandboxPayment = (queries: Queries, id: string) =>
  queries.maybe<SandboxPaymentRow>(sql`SELECT ${columns} FROM sandbox_payment WHERE id = ${id}`)

export const lockSandboxPayment = (tx: Tx, id: string) =>
  tx.maybe<SandboxPaymentRow>(sql`SELECT ${columns} FROM sandbox_payment WHERE id = ${id} FOR UPDATE`)

export const decideSandboxPayment = (tx: Tx, id: string, status: SandboxStatus) =>
  tx.run(sql`
    UPDATE sandbox_payment SET status = ${status}, succeeds_at = CASE WHEN ${status} = 'processing'
      THEN now() + make_interval(secs => ${SERVER_LIMITS.sandboxDelaySeconds}) END,
      paid_at = CASE WHEN ${status} = 'succeeded' THEN now() END WHERE id = ${id}`)

/** The version before this one stored no time of paying: then the time of the order is what there is. */
const paidAt = sql`coalesce(paid_at, succeeds_at, created_at)`

/** Lists what was paid in the span, its end left out; one more than may be listed, so that too many show. */
export const listPaidAtSandbox = (queries: Queries, from: Date, to: Date) =>
  queries.rows<SandboxPaymentRow>(sql`
    SELECT ${columns} FROM sandbox_payment
    WHERE (status = 'succeeded' OR status = 'processing' AND succeeds_at <= now())
      AND ${paidAt} >= ${from} AND ${paidAt} < ${to}
    ORDER BY ${paidAt}, id LIMIT ${SERVER_LIMITS.reconciledPaymentsMax + 1}`)

/** The bank takes the money once more. */
export const chargeSandboxAgain = (tx: Tx, id: string) =>
  tx.one<{ id: string }>(sql`
    INSERT INTO sandbox_payment
      (key, is_second_charge, order_id, amount, currency, description, return_url, status, paid_at, expires_at)
    SELECT key, true, order_id, amount, currency, description, return_url, 'succeeded', now(), expires_at
    FROM sandbox_payment WHERE id = ${id} RETURNING id`)

interface SandboxDispute {
  id: string
  kind: 'dispute' | 'fraud_warning'
  status: 'open' | 'won' | 'lost'
}

/**
 * Begins or moves a dispute; a payment has one of each kind. Answers none when it is not in the state `from`, where `null`
 * means that there is no dispute yet.
 */
const playSandboxDispute = (
  tx: Tx,
  paymentId: string,
  { kind, from, to }: { kind: SandboxDispute['kind']; from: 'open' | null; to: SandboxDispute['status'] },
) =>
  tx.maybe<SandboxDispute>(
    from === null
      ? sql`
        INSERT INTO sandbox_dispute (payment_id, kind, status) VALUES (${paymentId}, ${kind}, ${to})
        ON CONFLICT DO NOTHING RETURNING id, kind, status`
      : sql`
        UPDATE sandbox_dispute SET status = ${to} WHERE payment_id = ${paymentId} AND kind = ${kind} AND status = ${from}
        RETURNING id, kind, status`,
  )

const moves = {
  dispute: { kind: 'dispute', from: null, to: 'open' },
  win_dispute: { kind: 'dispute', from: 'open', to: 'won' },
  lose_dispute: { kind: 'dispute', from: 'open', to: 'lost' },
  fraud_warning: { kind: 'fraud_warning', from: null, to: 'open' },
} as const satisfies Record<SandboxDisputeAction, object>

export const isDisputeAction = (action: SandboxAction): action is SandboxDisputeAction => Object.hasOwn(moves, action)

/** How long the sandbox takes evidence. */
const evidenceDays = 7

/** The bank of the sandbox takes the money of a paid payment at once, and returns it when the shop wins. */
export const sandboxDispute = z.object({
  id: vendorName(128),
  dispute: z.object({
    id: z.uuid(),
    kind: z.enum(['dispute', 'fraud_warning']),
    status: z.enum(['open', 'won', 'lost']),
    payment: z.uuid(),
    key: vendorName(128),
    amount: z.int().positive(),
    currency: vendorName(8),
    at: z.iso.datetime(),
  }),
})

/** Refuses what a bank can't do now: STATE_CONFLICT. Returns what the sandbox reports. The caller has locked the payment. */
export async function playDispute(
  tx: Tx,
  payment: SandboxPaymentRow,
  action: SandboxDisputeAction,
  now: Date,
): Promise<object> {
  if (payment.status !== 'succeeded')
    throw new Failure('STATE_CONFLICT', { reason: 'payment_not_succeeded', status: payment.status })
  const played = await playSandboxDispute(tx, payment.id, moves[action])
  if (!played)
    throw new Failure('STATE_CONFLICT', { reason: 'dispute_out_of_turn', dispute: payment.dispute ?? 'none' })
  return sandboxDisputeBody(played, payment, now)
}

function sandboxDisputeBody(
  { id, kind, status }: SandboxDispute,
  payment: Pick<SandboxPaymentRow, 'id' | 'key' | 'amount' | 'currency'>,
  at: Date,
): z.input<typeof sandboxDispute> {
  const { id: paymentId, key, amount, currency } = payment
  const dispute = { id, kind, status, payment: paymentId, key, amount, currency, at: at.toISOString() }
  return { id: `${kind}:${status}:${id}`, dispute }
}

const dayMs = 24 * 3_600_000

export function sandboxReports({ dispute }: z.output<typeof sandboxDispute>): ReportedDispute {
  const at = new Date(dispute.at)
  const isDispute = dispute.kind === 'dispute'
  return {
    providerDisputeId: dispute.id,
    kind: dispute.kind,
    status: dispute.status,
    funds: isDispute ? (dispute.status === 'won' ? 'reinstated' : 'withdrawn') : 'untouched',
    amount: dispute.amount,
    currency: dispute.currency,
    reason: 'fraudulent',
    dueBy: isDispute && dispute.status === 'open' ? new Date(at.getTime() + evidenceDays * dayMs) : undefined,
    at,
    payment: { providerPaymentId: dispute.payment, reference: dispute.key },
    otherNames: [],
  }
}
