import * as LIMITS from '@olmos/contract/limits'
import { toMajor } from '@olmos/contract/minor-units'
import { type ServiceReport, summaryApi } from '@olmos/contract/summary'
import type { Sql } from 'sql-template-tag'
import type { Context } from '../../platform/context.ts'
import { type Queries, sql } from '../../platform/database/queries.ts'
import { isPaid } from '../orders/order-money.ts'
import { readTimeZone } from '../shop/shop.ts'
import { type DateRange, dateIn, isOn, isWithin, toRange } from './summary.ts'

/** Adds up orders by what they were paid with, and the payments that came to nothing. A part from the balance counts with the rest. */
const readMethods = (queries: Queries, range: DateRange) =>
  queries.rows<ServiceReport['methods'][number]>(sql`
    SELECT method, currency, sum(orders)::int AS orders, sum(amount)::bigint AS amount, sum(failed)::int AS failed
    FROM (
      SELECT coalesce(payment.method, payment.provider, orders.payment_method) AS method, orders.currency,
        1 AS orders, orders.total AS amount, 0 AS failed
      FROM orders LEFT JOIN payment ON payment.order_id = orders.id AND payment.settled_to = 'order'
      WHERE ${isWithin(range)} AND ${isPaid}
      UNION ALL
      SELECT coalesce(payment.method, payment.provider), payment.currency, 0, 0, 1
      FROM orders JOIN payment ON payment.order_id = orders.id AND payment.status = 'canceled'
      WHERE ${isWithin(range)} AND orders.purpose = 'goods') AS paid
    GROUP BY method, currency ORDER BY sum(orders) DESC, method, currency`)

/** Counts the payments that came to nothing by why they did: those that `readMethods` counts. */
const readFailures = (queries: Queries, range: DateRange) =>
  queries.rows<ServiceReport['failures'][number]>(sql`
    SELECT coalesce(payment.method, payment.provider) AS method, payment.provider, payment.canceled_why AS reason,
      count(*)::int AS payments
    FROM orders JOIN payment ON payment.order_id = orders.id AND payment.status = 'canceled'
    WHERE ${isWithin(range)} AND orders.purpose = 'goods'
    GROUP BY 1, 2, 3 ORDER BY payments DESC, method, reason LIMIT ${LIMITS.failuresShownMax}`)

interface MinutesRow {
  /** Half of them took no longer than the first, almost all no longer than the second; null where there were none. */
  minutes: number[] | null
}

const minutesTaken = (ends: Sql, begins: Sql): Sql =>
  sql`percentile_disc(ARRAY[0.5, 0.95]::float8[]) WITHIN GROUP (ORDER BY (extract(epoch FROM ${ends} - ${begins}) / 60)::float8)`

const shownMinutes = ({ minutes }: MinutesRow): { p50: number; p95: number } | null => {
  const [p50, p95] = (minutes ?? []).map((taken) => Math.max(1, Math.ceil(taken)))
  return p50 === undefined || p95 === undefined ? null : { p50, p95 }
}

/** Measures what was delivered of the top-ups that were paid for then. */
const readSuppliers = (queries: Queries, range: DateRange) =>
  queries.rows<{ supplier: string | null; units: number } & MinutesRow>(sql`
    SELECT supplier, count(*)::int AS units, ${minutesTaken(sql`delivery.decided_at`, sql`delivery.created_at`)} AS minutes
    FROM delivery LEFT JOIN supplier_order ON supplier_order.delivery_id = delivery.id AND supplier_order.state = 'done'
    WHERE ${isOn(sql`delivery.created_at`, range)} AND delivery.state = 'done'
    GROUP BY supplier ORDER BY units DESC, supplier`)

/** Measures how long those who asked then waited for the first answer; no conversation was last spoken in before it began. */
const readAnswers = (queries: Queries, range: DateRange) =>
  queries.one<{ conversations: number; answered: number; disputes: number } & MinutesRow>(sql`
    SELECT count(*)::int AS conversations, count(first_answered_at)::int AS answered,
      ${minutesTaken(sql`first_answered_at`, sql`created_at`)} FILTER (WHERE first_answered_at IS NOT NULL) AS minutes,
      (SELECT count(*)::int FROM dispute WHERE kind = 'dispute' AND ${isOn(sql`dispute.created_at`, range)}) AS disputes
    FROM conversation
    WHERE last_at >= ${range.from}::timestamp AT TIME ZONE ${range.timeZone} AND ${isOn(sql`created_at`, range)}`)

async function readService(queries: Queries, range: DateRange): Promise<ServiceReport> {
  const [methods, failures, suppliers, answers] = await Promise.all([
    readMethods(queries, range),
    readFailures(queries, range),
    readSuppliers(queries, range),
    readAnswers(queries, range),
  ])
  const { conversations, answered, disputes } = answers
  return {
    from: range.from,
    to: range.to,
    timezone: range.timeZone,
    methods: methods.map((row) => ({ ...row, amount: toMajor(row.amount) })),
    failures,
    suppliers: suppliers.map((row) => ({ supplier: row.supplier, units: row.units, minutes: shownMinutes(row) })),
    disputes,
    answers: { conversations, answered, minutes: shownMinutes(answers) },
  }
}

/** How orders, deliveries and conversations of some days went. */
export function serviceAdmin({ serve, database, config, clock }: Context): void {
  serve(summaryApi.service, async ({ query }) => {
    const timeZone = await readTimeZone(database, config)
    const range = toRange(query, dateIn(timeZone, clock.now()))
    return { data: await readService(database, { ...range, timeZone }) }
  })
}
