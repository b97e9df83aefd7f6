import { Failure } from '@olmos/contract/failure'
import type { ChargeCurrency } from '@olmos/contract/money'
import type {
  SandboxAction,
  SandboxDisputeAction,
  SandboxPayment,
  SandboxRefundAction,
  SandboxStatus,
} from '@olmos/contract/payments'
import { z } from 'zod'
import { SERVER_LIMITS } from '../../../limits.ts'
import type { Database } from '../../../platform/database/database.ts'
import { type Queries, sql, type Tx } from '../../../platform/database/queries.ts'
import { done, isUuid, type Outcome, rejected, unknown, vendorName } from '../../../platform/vendor/vendor.ts'
import type { PaymentRequest, ProviderRefund, ProviderRefundRequest, ReportedDispute } from '../provider.ts'

/** The amount is in minor units. */
export interface SandboxPaymentRow extends Omit<SandboxPayment, 'expires_at'> {
  key: string
  expires_at: Date
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

// The other side of refunds, as a bank sees them: those the store asks for, those somebody makes in its cabinet, and
// everything that can go wrong on the way. The store itself reads none of its tables.

interface SandboxRefundRow {
  id: string
  key: string
  payment_id: string
  amount: number
  currency: ChargeCurrency
  status: 'pending' | 'succeeded' | 'failed'
}

const selectRefund = sql`
  SELECT sandbox_refund.id, sandbox_refund.key, payment_id, sandbox_refund.amount, currency, sandbox_refund.status
  FROM sandbox_refund JOIN sandbox_payment ON sandbox_payment.id = payment_id`

/** The part of the payment that has not gone back. */
const left = sql`
  amount - (SELECT coalesce(sum(amount), 0) FROM sandbox_refund
    WHERE payment_id = sandbox_payment.id AND status <> 'failed')`

const shown = ({ id, payment_id, amount, currency, status }: SandboxRefundRow): ProviderRefund => ({
  providerRefundId: id,
  providerPaymentId: payment_id,
  // Like a provider that does not keep the key: the store has to find out by itself whose refund it is.
  reference: undefined,
  status,
  amount,
  currency,
  ...(status === 'failed' && { why: 'refused_by_card' }),
})

/** How every call is refused at the moment, if it is. */
export async function findRefusal(queries: Queries): Promise<Outcome<never> | undefined> {
  const refusal = await queries.maybe<{ kind: 'not_allowed' | 'parameter' }>(
    sql`SELECT kind FROM sandbox_refusal WHERE until > now()`,
  )
  if (!refusal) return undefined
  return refusal.kind === 'not_allowed'
    ? rejected('not_allowed')
    : rejected('invalid_request', { parameter: 'receipt' })
}

/** Refuses a receipt whose lines don't add up to what is charged or refunded, as cash registers do. */
export function refuseReceipt({ amount, receipt }: Pick<PaymentRequest, 'amount' | 'receipt'>) {
  const total = receipt?.lines.reduce((sum, line) => sum + line.amount, 0) ?? amount
  return total === amount ? undefined : rejected('invalid_request', { parameter: 'receipt' })
}

interface SandboxRefunds {
  refund(request: ProviderRefundRequest): Promise<Outcome<ProviderRefund>>
  readRefund(id: string): Promise<Outcome<ProviderRefund>>
  listRefunds(paymentId: string): Promise<Outcome<readonly ProviderRefund[]>>
  /** Plays it on a payment that there is, and answers the refunds a webhook would be sent of. */
  act(paymentId: string, action: SandboxRefundAction): Promise<Pick<SandboxRefundRow, 'id' | 'status'>[]>
}

export function sandboxRefunds(database: Database): SandboxRefunds {
  const findBy = (queries: Queries, column: 'id' | 'key', value: string) =>
    queries.maybe<SandboxRefundRow>(
      column === 'id'
        ? sql`${selectRefund} WHERE sandbox_refund.id = ${value}`
        : sql`${selectRefund} WHERE sandbox_refund.key = ${value}`,
    )

  return {
    refund: (request) =>
      database.transaction(async (tx) => {
        const refusal = (await findRefusal(tx)) ?? refuseReceipt(request)
        if (refusal) return refusal
        const payment = await lockSandboxPayment(tx, request.providerPaymentId)
        if (payment?.status !== 'succeeded') return rejected('not_paid')
        const mood = await readMood(tx, payment.id)
        if (mood === 'refuse') return rejected('refused_by_bank')
        const known = await findBy(tx, 'key', request.key)
        if (known) return done(shown(known))
        const isMade = await insertRefund(tx, request, mood === 'pending' ? 'pending' : 'succeeded')
        if (!isMade) return rejected('too_much')
        if (mood === 'lose_answer') {
          await setMood(tx, payment.id, 'refuse')
          return unknown('lost')
        }
        return done(shown((await findBy(tx, 'key', request.key)) as SandboxRefundRow))
      }),

    async readRefund(id) {
      const refusal = await findRefusal(database)
      if (refusal) return refusal
      const refund = isUuid(id) ? await findBy(database, 'id', id) : undefined
      return refund ? done(shown(refund)) : rejected('not_found')
    },

    async listRefunds(paymentId) {
      const refusal = await findRefusal(database)
      if (refusal) return refusal
      const rows = isUuid(paymentId)
        ? await database.rows<SandboxRefundRow>(
            sql`${selectRefund} WHERE payment_id = ${paymentId} ORDER BY sandbox_refund.created_at`,
          )
        : []
      return done(rows.map(shown))
    },

    act: (paymentId, action) =>
      database.transaction(async (tx) => {
        if (action === 'refuse_nothing') return endRefusals(tx, paymentId)
        if (action === 'refuse_all' || action === 'refuse_parameter') {
          await refuseForAWhile(tx, action === 'refuse_all' ? 'not_allowed' : 'parameter')
          return []
        }
        const payment = await lockSandboxPayment(tx, paymentId)
        if (payment?.status !== 'succeeded')
          throw new Failure('STATE_CONFLICT', { reason: 'payment_not_succeeded', status: payment?.status })
        if (action === 'refunds_pend' || action === 'refund_lose_answer') {
          await setMood(tx, paymentId, action === 'refunds_pend' ? 'pending' : 'lose_answer')
          return []
        }
        if (action === 'refunds_succeed') return decidePending(tx, paymentId, 'succeeded')
        if (action === 'refunds_fail') return decidePending(tx, paymentId, 'failed')
        const made = await refundInCabinet(tx, paymentId, action)
        if (!made) throw new Failure('STATE_CONFLICT', { reason: 'nothing_left', left: 0 })
        return [made]
      }),
  }
}

type Mood = 'pending' | 'lose_answer' | 'refuse'

const readMood = async (tx: Tx, paymentId: string): Promise<Mood | undefined> =>
  (await tx.maybe<{ refunds: Mood }>(sql`SELECT refunds FROM sandbox_mood WHERE payment_id = ${paymentId}`))?.refunds

const setMood = (tx: Tx, paymentId: string, mood: Mood) =>
  tx.run(sql`
    INSERT INTO sandbox_mood (payment_id, refunds) VALUES (${paymentId}, ${mood})
    ON CONFLICT (payment_id) DO UPDATE SET refunds = excluded.refunds`)

const refuseForAWhile = (tx: Tx, kind: 'not_allowed' | 'parameter') =>
  tx.run(sql`
    INSERT INTO sandbox_refusal (kind, until)
    VALUES (${kind}, now() + make_interval(secs => ${SERVER_LIMITS.sandboxRefusalSeconds}))
    ON CONFLICT (only_row) DO UPDATE SET kind = excluded.kind, until = excluded.until`)

async function endRefusals(tx: Tx, paymentId: string): Promise<[]> {
  await tx.run(sql`DELETE FROM sandbox_refusal`)
  await tx.run(sql`DELETE FROM sandbox_mood WHERE payment_id = ${paymentId}`)
  return []
}

/** Answers false when the payment has no such amount left. The caller has locked the payment. */
const insertRefund = async (
  tx: Tx,
  { providerPaymentId, amount, key }: ProviderRefundRequest,
  status: 'pending' | 'succeeded',
) =>
  (await tx.run(sql`
    INSERT INTO sandbox_refund (key, payment_id, amount, status)
    SELECT ${key}, id, ${amount}, ${status} FROM sandbox_payment
    WHERE id = ${providerPaymentId} AND ${left} >= ${amount}`)) === 1

/** Answers none when nothing is left. The caller has locked the payment. */
const refundInCabinet = (
  tx: Tx,
  paymentId: string,
  action: 'refund_outside' | 'refund_outside_part' | 'refund_outside_pending',
) =>
  tx.maybe<Pick<SandboxRefundRow, 'id' | 'status'>>(sql`
    INSERT INTO sandbox_refund (key, payment_id, amount, status)
    SELECT gen_random_uuid(), id, ${action === 'refund_outside_part' ? sql`greatest(div(${left}, 2), 1)` : left},
      ${action === 'refund_outside_pending' ? 'pending' : 'succeeded'}
    FROM sandbox_payment WHERE id = ${paymentId} AND ${left} > 0 RETURNING id, status`)

const decidePending = (tx: Tx, paymentId: string, status: 'succeeded' | 'failed') =>
  tx.rows<Pick<SandboxRefundRow, 'id' | 'status'>>(sql`
    UPDATE sandbox_refund SET status = ${status} WHERE payment_id = ${paymentId} AND status = 'pending'
    RETURNING id, status`)
