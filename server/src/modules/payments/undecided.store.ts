import { LIMITS } from '@olmos/contract/limits'
import { type Queries, sql } from '../../platform/database.ts'
import type { ProviderName } from './payment-settings.ts'

export interface OpenPayment {
  id: number
  provider: ProviderName
  provider_payment_id: string
}

/**
 * Marks the open payments that are due to be asked about, and answers them: every minute while the customer may be at
 * the pay page, every ten minutes afterwards.
 */
export const takeDuePayments = (queries: Queries, limit: number) =>
  queries.rows<OpenPayment>(sql`
    UPDATE payment SET asked_at = now() WHERE id IN (
      SELECT id FROM payment WHERE status = 'open' AND (next_at IS NULL OR next_at < now())
        AND (asked_at IS NULL OR asked_at < now() -
          CASE WHEN created_at > now() - interval '1 hour' THEN interval '50 seconds' ELSE interval '10 minutes' END)
      ORDER BY asked_at NULLS FIRST LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    RETURNING id, provider, provider_payment_id`)

/** The open payments of orders whose time is over: the last chance to learn that one was paid. */
export const overduePayments = (queries: Queries, limit: number) =>
  queries.rows<OpenPayment>(sql`
    SELECT payment.id, provider, provider_payment_id FROM orders JOIN payment ON payment.order_id = orders.id
    WHERE orders.status = 'awaiting_payment' AND orders.expires_at < now() AND payment.status = 'open'
    ORDER BY orders.expires_at LIMIT ${limit}`)

/** Orders that wait for a payment which nobody has opened yet, and nobody is about to. */
export const unopenedOrders = (queries: Queries, limit: number) =>
  queries.rows<{ order_id: string }>(sql`
    SELECT payment.order_id FROM payment JOIN orders ON orders.id = payment.order_id
    WHERE payment.status = 'opening' AND (attempt_until IS NULL OR attempt_until < now())
      AND (next_at IS NULL OR next_at < now())
      AND payment.created_at < now() - make_interval(secs => ${LIMITS.attemptSeconds})
      AND orders.status = 'awaiting_payment' AND orders.expires_at > now()
    ORDER BY payment.id LIMIT ${limit}`)

/** Payments that the customer never made. One that is made all the same is still taken, when its provider tells. */
export const giveUpOldPayments = (queries: Queries) =>
  queries.run(sql`
    UPDATE payment SET status = 'canceled'
    WHERE status = 'open' AND created_at < now() - make_interval(hours => ${LIMITS.openPaymentHours})`)
