import type { ReconciliationOrigin, ReconciliationState } from '@olmos/contract/reconciliation'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { chargeColumns } from './payments.ts'
import type { ProviderName } from './provider.ts'
import type { BookedCardRefund, CurrencyTotal, Difference, StoredPayment } from './reconcile.rules.ts'

/** A day in the time zone of the shop, as far as it has passed. */
export interface Span {
  day: string
  from: Date
  /** Left out; the present moment while the day lasts. */
  to: Date
  is_over: boolean
}

export interface Comparison {
  state: ReconciliationState
  /** Why something was not compared. */
  why: string | null
  asked: 'list' | 'each' | 'nothing'
  totals: CurrencyTotal[]
  /** The first of them. */
  differences: Difference[]
  difference_count: number
}

/** What came of comparing one day of one provider with the books. */
export interface Reconciliation extends Comparison {
  day: string
  provider: ProviderName
  is_over: boolean
  made_at: Date
  /** The admin's nickname. */
  made_by: string | null
  origin: ReconciliationOrigin
}

export interface Maker {
  origin: ReconciliationOrigin
  /** The admin who asked for it. */
  actorId?: number | undefined
}

export const readSpan = (queries: Queries, day: string, timeZone: string) =>
  queries.one<Span>(sql`
    SELECT ${day}::text AS day, begins AS "from", least(ends, now()) AS "to", ends <= now() AS is_over
    FROM (SELECT ${day}::timestamp AT TIME ZONE ${timeZone} AS begins,
      (${day}::timestamp + interval '1 day') AT TIME ZONE ${timeZone} AS ends) AS bounds`)

export const readYesterday = (queries: Queries, timeZone: string) =>
  queries.one<{ day: string }>(sql`SELECT ((now() AT TIME ZONE ${timeZone})::date - 1)::text AS day`)

const booked = sql`
  payment.id, payment.order_id, payment.key, payment.provider_payment_id, payment.status, payment.paid_amount,
  payment.paid_currency, ${chargeColumns}`
export type BookedRow = StoredPayment & { charge_rate: string | null }

/** How many payments of the books are read at a time. */
export const pageRows = 1_000

/** Finds the payments with these ids at the provider, or with these keys. */
export const findBooked = (queries: Queries, provider: ProviderName, ids: string[], keys: string[]) =>
  queries.rows<BookedRow>(sql`
    SELECT ${booked} FROM payment WHERE provider = ${provider} AND provider_payment_id = ANY (${ids}::text[])
    UNION SELECT ${booked} FROM payment WHERE provider = ${provider} AND key = ANY (${keys}::uuid[])`)

/** Lists payments that were booked in the span, a page after an id. */
export const listSettled = (queries: Queries, provider: ProviderName, { from, to }: Span, after: number) =>
  queries.rows<BookedRow>(sql`
    SELECT ${booked} FROM payment
    WHERE provider = ${provider} AND status = 'succeeded' AND settled_at >= ${from} AND settled_at < ${to} AND id > ${after}
    ORDER BY id LIMIT ${pageRows}`)

/** Lists payments that were begun in the span and that the books don't have as paid, a page after an id. */
export const listUnsettled = (queries: Queries, provider: ProviderName, { from, to }: Span, after: number) =>
  queries.rows<BookedRow>(sql`
    SELECT ${booked} FROM payment
    WHERE provider = ${provider} AND status <> 'succeeded' AND created_at >= ${from} AND created_at < ${to}
      AND provider_payment_id IS NOT NULL AND id > ${after}
    ORDER BY id LIMIT ${pageRows}`)

/** Finds the payments of which money was refunded on the day, whenever they were made. */
export const listRefundedPayments = (queries: Queries, provider: ProviderName, { from, to }: Span, limit: number) =>
  queries.rows<{ id: number }>(sql`
    SELECT DISTINCT payment.id FROM card_refund JOIN payment ON payment.id = card_refund.payment_id
    WHERE card_refund.created_at >= ${from} AND card_refund.created_at < ${to} AND provider = ${provider}
      AND payment.status = 'succeeded' ORDER BY payment.id LIMIT ${limit}`)

export const findBookedById = (queries: Queries, ids: readonly number[]) =>
  queries.rows<BookedRow>(sql`SELECT ${booked} FROM payment WHERE id = ANY (${ids}::bigint[]) ORDER BY id`)

export const listBookedRefunds = (queries: Queries, paymentId: number) =>
  queries.rows<BookedCardRefund>(sql`
    SELECT payment_id, card_refund.key, provider_refund_id, card_refund.status,
      coalesce(card_refund.charge_amount, card_refund.amount) AS amount, coalesce(paid_currency, currency) AS currency
    FROM card_refund JOIN payment ON payment.id = card_refund.payment_id
    WHERE payment_id = ${paymentId} ORDER BY card_refund.id`)

export const setReconciliation = (
  tx: Tx,
  { day, is_over }: Span,
  provider: ProviderName,
  { state, why, asked, totals, differences, difference_count }: Comparison,
  { origin, actorId }: Maker,
) =>
  tx.run(sql`
    INSERT INTO payment_reconciliation (day, provider, state, why, asked, is_over, totals, differences, difference_count,
      made_by, origin)
    VALUES (${day}, ${provider}, ${state}, ${why}, ${asked}, ${is_over}, ${JSON.stringify(totals)},
      ${JSON.stringify(differences)}, ${difference_count}, ${actorId ?? null}, ${origin})
    ON CONFLICT (day, provider) DO UPDATE SET state = excluded.state, why = excluded.why, asked = excluded.asked,
      is_over = excluded.is_over, totals = excluded.totals, differences = excluded.differences,
      difference_count = excluded.difference_count, made_at = now(), made_by = excluded.made_by, origin = excluded.origin`)

/** Reads what came of comparing a day with each provider, in the order of their names. */
export const readReconciliation = (queries: Queries, day: string) =>
  queries.rows<Reconciliation>(sql`
    SELECT day::text, provider, state, why, asked, is_over, totals, differences, difference_count, made_at,
      users.nickname AS made_by, origin
    FROM payment_reconciliation LEFT JOIN users ON users.id = made_by WHERE day = ${day} ORDER BY provider`)

/** Reads the states of the days of a range, both ends included. */
export const listReconciliations = (queries: Queries, from: string, to: string) =>
  queries.rows<Pick<Reconciliation, 'day' | 'provider' | 'state' | 'is_over' | 'difference_count'>>(sql`
    SELECT day::text, provider, state, is_over, difference_count FROM payment_reconciliation
    WHERE day BETWEEN ${from} AND ${to} ORDER BY payment_reconciliation.day DESC, provider`)
