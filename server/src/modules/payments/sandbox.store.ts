import { LIMITS } from '@olmos/contract/limits'
import type { Currency } from '@olmos/contract/money'
import type { SandboxStatus } from '@olmos/contract/payments'
import { type Queries, sql, type Tx } from '../../platform/database/database.ts'
import type { PaymentRequest } from './provider.ts'

export interface SandboxPayment {
  id: string
  key: string
  order_id: string
  amount: number
  currency: Currency
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
  queries.maybe<SandboxPayment>(sql`SELECT ${columns} FROM sandbox_payment WHERE id = ${id}`)

export const lockSandboxPayment = (tx: Tx, id: string) =>
  tx.maybe<SandboxPayment>(sql`SELECT ${columns} FROM sandbox_payment WHERE id = ${id} FOR UPDATE`)

export const decideSandboxPayment = (tx: Tx, id: string, status: SandboxStatus) =>
  tx.run(sql`
    UPDATE sandbox_payment SET status = ${status}, succeeds_at = CASE WHEN ${status} = 'processing'
      THEN now() + make_interval(secs => ${LIMITS.sandboxDelaySeconds}) END WHERE id = ${id}`)

/** The bank takes the money once more. */
export const chargeSandboxAgain = (tx: Tx, id: string) =>
  tx.one<{ id: string }>(sql`
    INSERT INTO sandbox_payment
      (key, is_second_charge, order_id, amount, currency, description, return_url, status, expires_at)
    SELECT key, true, order_id, amount, currency, description, return_url, 'succeeded', expires_at
    FROM sandbox_payment WHERE id = ${id} RETURNING id`)

export interface SandboxDispute {
  id: string
  kind: 'dispute' | 'fraud_warning'
  status: 'open' | 'won' | 'lost'
}

/** Each kind once a payment. Answers none when it is not in the state `from`; `null`: there is none yet. */
export const playSandboxDispute = (
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
