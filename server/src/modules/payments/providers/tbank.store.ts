import { z } from 'zod'
import type { Database } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/queries.ts'

/** A refund as the store's books have it. */
export interface BookedRefund {
  key: string
  provider_refund_id: string | null
  /** In kopecks that were charged. */
  amount: number
  status: 'sending' | 'sent' | 'succeeded' | 'failed'
  /** How often T-Bank was asked to make it, including a call that is under way. */
  attempts: number
}

/** A payment and its refunds as the store's books have them. T-Bank keeps no list of refunds to ask for. */
export interface BookedPayment {
  /** In kopecks. */
  charged: number
  /** The oldest first. */
  refunds: readonly BookedRefund[]
}

export type ReadBooked = (name: { paymentId: string; key: string | undefined }) => Promise<BookedPayment | undefined>

/** Makes the question what the books have of a payment at T-Bank, by its id there, or by the key it was opened with. */
export const bookedAtTbank =
  (database: Database): ReadBooked =>
  async ({ paymentId, key }) => {
    const payment = await database.maybe<{ id: number; charged: number }>(sql`
      SELECT id, coalesce(charge_amount, amount) AS charged FROM payment
      WHERE provider = 'tbank' AND (provider_payment_id = ${paymentId}
        OR (provider_payment_id IS NULL AND key = ${z.uuid().safeParse(key).data ?? null}))
      ORDER BY provider_payment_id NULLS LAST LIMIT 1`)
    if (!payment) return undefined
    const refunds = await database.rows<BookedRefund>(sql`
      SELECT key, provider_refund_id, coalesce(charge_amount, amount) AS amount, status, attempts FROM card_refund
      WHERE payment_id = ${payment.id} ORDER BY id`)
    return { charged: payment.charged, refunds }
  }
