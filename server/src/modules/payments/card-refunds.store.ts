import { LIMITS } from '@olmos/contract/limits'
import type { Currency } from '@olmos/contract/money'
import { type Queries, sql, type Tx } from '../../platform/database.ts'
import type { ProviderName } from './payment-settings.ts'

export interface CardRefundRow {
  id: number
  order_id: string
  user_id: number
  provider: ProviderName
  provider_payment_id: string
  provider_refund_id: string | null
  key: string
  amount: number
  currency: Currency
  status: 'sending' | 'sent' | 'succeeded' | 'failed'
}

const selectRefund = sql`
  SELECT card_refund.id, payment.order_id, orders.user_id, provider, provider_payment_id, provider_refund_id,
    card_refund.key, card_refund.amount, payment.paid_currency AS currency, card_refund.status
  FROM card_refund JOIN payment ON payment.id = card_refund.payment_id JOIN orders ON orders.id = payment.order_id`

/** What was paid for an order by card, if it was. */
export const findOrderPayment = (tx: Tx, orderId: string) =>
  tx.maybe<{ id: number; provider: ProviderName }>(sql`
    SELECT id, provider FROM payment WHERE order_id = ${orderId} AND status = 'succeeded' AND settled_to = 'order'`)

export async function insertCardRefund(tx: Tx, paymentId: number, amount: number): Promise<number> {
  const { id } = await tx.one<{ id: number }>(
    sql`INSERT INTO card_refund (payment_id, amount) VALUES (${paymentId}, ${amount}) RETURNING id`,
  )
  return id
}

/** Makes the caller the only one who speaks with the provider about the refund, for a while. */
export const claimCardRefund = async (queries: Queries, id: number): Promise<CardRefundRow | undefined> => {
  const claimed = await queries.run(sql`
    UPDATE card_refund SET attempt_until = now() + make_interval(secs => ${LIMITS.attemptSeconds})
    WHERE id = ${id} AND status IN ('sending', 'sent') AND (attempt_until IS NULL OR attempt_until < now())`)
  return claimed === 1 ? queries.one<CardRefundRow>(sql`${selectRefund} WHERE card_refund.id = ${id}`) : undefined
}

export const endRefundAttempt = (queries: Queries, id: number) =>
  queries.run(sql`UPDATE card_refund SET attempt_until = NULL WHERE id = ${id}`)

export const lockCardRefund = (tx: Tx, id: number) =>
  tx.one<CardRefundRow>(sql`${selectRefund} WHERE card_refund.id = ${id} FOR UPDATE OF card_refund`)

export const setCardRefund = (
  tx: Tx,
  id: number,
  { status, providerRefundId }: { status: CardRefundRow['status']; providerRefundId: string | null },
) =>
  tx.run(sql`
    UPDATE card_refund SET status = ${status}, attempt_until = NULL,
      provider_refund_id = coalesce(${providerRefundId}, provider_refund_id)
    WHERE id = ${id}`)

export const findCardRefund = (queries: Queries, provider: ProviderName, providerRefundId: string) =>
  queries.maybe<{ id: number }>(sql`
    SELECT card_refund.id FROM card_refund JOIN payment ON payment.id = card_refund.payment_id
    WHERE payment.provider = ${provider} AND card_refund.provider_refund_id = ${providerRefundId}`)

export const undecidedRefunds = (queries: Queries, limit: number) =>
  queries.rows<{ id: number }>(sql`
    SELECT id FROM card_refund WHERE status IN ('sending', 'sent') AND (attempt_until IS NULL OR attempt_until < now())
    ORDER BY id LIMIT ${limit}`)

export const undecidedRefundsOf = (queries: Queries, orderId: string) =>
  queries.rows<{ id: number }>(sql`
    SELECT card_refund.id FROM card_refund JOIN payment ON payment.id = card_refund.payment_id
    WHERE payment.order_id = ${orderId} AND card_refund.status IN ('sending', 'sent')`)

/** Refunds the provider was asked for so long ago that it may have forgotten their key. */
export const isTooOldToSend = (queries: Queries, id: number) =>
  queries.one<{ is_too_old: boolean }>(sql`
    SELECT created_at < now() - make_interval(hours => ${LIMITS.refundResendHours}) AS is_too_old
    FROM card_refund WHERE id = ${id}`)
