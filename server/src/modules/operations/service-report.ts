import * as LIMITS from '@olmos/contract/limits'
import { toMajor } from '@olmos/contract/minor-units'
import type { Currency } from '@olmos/contract/money'
import { type ServiceReport, summaryApi } from '@olmos/contract/summary'
import { Cron } from 'croner'
import type { FastifyInstance } from 'fastify'
import type { Context, Resources } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { isOn } from '../../platform/database/lists.ts'
import { type Queries, type Sql, sql } from '../../platform/database/queries.ts'
import { isPaid, itemProfit, type ProfitFigures, shownProfit } from '../orders/order-money.ts'
import { methodName } from '../payments/payments.ts'
import { readTimeZone } from '../shop/shop.ts'
import { addedUp, inCurrencies, isWithin, refundedAmount, withRefunds } from './profit.ts'
import { type DateRange, dateIn, toRange } from './summary.ts'

interface MethodRow extends ProfitFigures {
  method: string
  currency: Currency
  orders: number
  amount: number
  failed: number
}

/**
 * Adds up orders by what they were paid with, what they earned, and the payments that came to nothing. A part from the
 * balance counts with the rest. Each order is counted with its first item, and one payment at most has paid it.
 */
const readMethods = (queries: Queries, range: DateRange) =>
  queries.rows<MethodRow>(sql`
    SELECT method, currency, sum(orders)::int AS orders, sum(amount)::bigint AS amount, sum(failed)::int AS failed,
      ${addedUp(sql`paid`)}
    FROM (
      SELECT coalesce(${methodName}, orders.payment_method) AS method, orders.currency,
        count(*) FILTER (WHERE order_item.position = 1) AS orders,
        sum(orders.total) FILTER (WHERE order_item.position = 1) AS amount, 0 AS failed, ${addedUp(sql`earned`)}
      FROM orders JOIN order_item ON order_item.order_id = orders.id
      LEFT JOIN payment ON payment.order_id = orders.id AND payment.settled_to = 'order'
      ${withRefunds(range)} ${itemProfit(refundedAmount)}
      WHERE ${isWithin(range)} AND ${isPaid} GROUP BY 1, 2
      UNION ALL
      SELECT ${methodName}, payment.currency, 0, 0, count(*), 0, 0, 0, 0, 0
      FROM orders JOIN payment ON payment.order_id = orders.id AND payment.status = 'canceled'
      WHERE ${isWithin(range)} AND orders.purpose = 'goods' GROUP BY 1, 2) AS paid
    GROUP BY method, currency ORDER BY sum(orders) DESC, method, currency`)

/** Counts the payments that came to nothing by why they did: those that `readMethods` counts. */
const readFailures = (queries: Queries, range: DateRange) =>
  queries.rows<ServiceReport['failures'][number]>(sql`
    SELECT ${methodName} AS method, payment.provider, payment.canceled_why AS reason,
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

/** Who delivered a unit; null is by hand, which is what the supplier called `manual` does. */
const deliverer = sql`nullif(supplier_order.supplier, 'manual')`

/** Measures what was delivered of the top-ups that were paid for then. */
const readSuppliers = (queries: Queries, range: DateRange) =>
  queries.rows<{ supplier: string | null; units: number } & MinutesRow>(sql`
    SELECT ${deliverer} AS supplier, count(*)::int AS units, ${minutesTaken(sql`delivery.decided_at`, sql`delivery.created_at`)} AS minutes
    FROM delivery LEFT JOIN supplier_order ON supplier_order.delivery_id = delivery.id AND supplier_order.state = 'done'
    WHERE ${isOn(sql`delivery.created_at`, range)} AND delivery.state = 'done'
    GROUP BY 1 ORDER BY units DESC, supplier`)

interface SupplierRow extends ProfitFigures {
  supplier: string | null
  currency: Currency
}

/**
 * Adds up what the units that `readSuppliers` counts earned: each its share of what was paid for its line and not refunded
 * since, less what it took. What was delivered by a code, of the pool or bought for the unit, cost what the code did.
 */
const readSupplierProfits = (queries: Queries, range: DateRange) =>
  queries.rows<SupplierRow>(sql`
    SELECT supplier, currency, round(sum(revenue))::bigint AS revenue,
      round(coalesce(sum(revenue) FILTER (WHERE cost IS NOT NULL), 0))::bigint AS known_revenue,
      round(coalesce(sum(cost), 0) * 100)::bigint AS cost, count(*)::int AS units, count(cost)::int AS known_units
    FROM (
      SELECT ${deliverer} AS supplier, orders.currency,
        order_item.unit_price - ${refundedAmount}::numeric / order_item.quantity AS revenue,
        CASE WHEN of_code.code_id IS NULL THEN supplier_order.cost_in_order ELSE of_code.cost END AS cost
      FROM delivery JOIN order_item ON order_item.id = delivery.order_item_id
      JOIN orders ON orders.id = order_item.order_id
      LEFT JOIN supplier_order ON supplier_order.delivery_id = delivery.id AND supplier_order.state = 'done'
      -- Looks for no code of most top-ups, and never reads all sales at once.
      LEFT JOIN LATERAL (
        SELECT code_id, cost FROM code_sale
        WHERE (order_item.item_type = 'code' OR supplier_order.code_id IS NOT NULL)
          AND code_sale.order_item_id = delivery.order_item_id AND code_sale.position = delivery.unit OFFSET 0) AS of_code ON true
      ${withRefunds(range)}
      WHERE ${isOn(sql`delivery.created_at`, range)} AND delivery.state = 'done') AS unit
    GROUP BY supplier, currency`)

/** Adds up what was refunded then by the reason that was given. */
const readRefunds = (queries: Queries, range: DateRange) =>
  queries.rows<ServiceReport['refunds'][number]>(sql`
    SELECT refund.reason, orders.currency, count(DISTINCT orders.id)::int AS orders, sum(refund.amount)::bigint AS amount
    FROM refund JOIN orders ON orders.id = refund.order_id WHERE ${isOn(sql`refund.created_at`, range)}
    GROUP BY 1, 2 ORDER BY orders DESC, reason, currency LIMIT ${LIMITS.failuresShownMax}`)

const isDispute = (range: DateRange): Sql => sql`dispute.kind = 'dispute' AND ${isOn(sql`dispute.created_at`, range)}`

const readDisputeReasons = (queries: Queries, range: DateRange) =>
  queries.rows<ServiceReport['dispute_reasons'][number]>(sql`
    SELECT reason, count(DISTINCT payment_id)::int AS payments FROM dispute WHERE ${isDispute(range)}
    GROUP BY reason ORDER BY payments DESC, reason LIMIT ${LIMITS.failuresShownMax}`)

/** Measures how long those who asked then waited for the first answer; no conversation was last spoken in before it began. */
const readAnswers = (queries: Queries, range: DateRange) =>
  queries.one<{ conversations: number; answered: number; disputes: number } & MinutesRow>(sql`
    SELECT count(*)::int AS conversations, count(first_answered_at)::int AS answered,
      ${minutesTaken(sql`first_answered_at`, sql`created_at`)} FILTER (WHERE first_answered_at IS NOT NULL) AS minutes,
      (SELECT count(DISTINCT payment_id)::int FROM dispute WHERE ${isDispute(range)}) AS disputes
    FROM conversation
    WHERE last_at >= ${range.from}::timestamp AT TIME ZONE ${range.timeZone} AND ${isOn(sql`created_at`, range)}`)

/** Where more answers of a minute than one in twenty, and more than two, are of 5xx, the store was not there for its customers. */
const isUp = sql`faults <= greatest(2, answers / 20)`

/** The minute that has just ended; by the database's clock, which may differ from the node's, it may end in a moment. */
export const minuteEndedAt = (moment: Sql): Sql =>
  sql`date_trunc('minute', ${moment} + interval '30 seconds') - interval '1 minute'`

/** Adds what a node answered in the minute that has just ended to what other nodes did. */
export const noteMinute = (database: Database, { answers, faults }: { answers: number; faults: number }) =>
  database.run(sql`
    INSERT INTO service_minute AS known (minute, answers, faults)
    VALUES (${minuteEndedAt(sql`now()`)}, ${answers}, ${faults})
    ON CONFLICT (minute) DO UPDATE SET answers = known.answers + excluded.answers,
      faults = known.faults + excluded.faults`)

/**
 * Counts what this node answers, and notes each minute in which it could sell. What can't be noted is a minute in which
 * nothing could be written, so that nobody could sell.
 */
export function noteMinutes(
  app: FastifyInstance,
  { database, isQueueRunning, log }: Pick<Resources, 'database' | 'isQueueRunning' | 'log'>,
): { stop(): void } {
  let counted = { answers: 0, faults: 0 }
  app.onAnswered.push(({ isQuiet, status }) => {
    if (isQuiet) return
    counted.answers++
    if (status >= 500) counted.faults++
  })
  const clock = new Cron('* * * * *', { timezone: 'UTC' }, async () => {
    const ended = counted
    counted = { answers: 0, faults: 0 }
    if (!isQueueRunning()) return
    await noteMinute(database, ended).catch((error) => log.error({ err: error }, 'a minute of service was not noted'))
  })
  return { stop: () => clock.stop() }
}

/**
 * Counts the minutes of these days that are over, from the first that was ever noted, and those of them in which the store
 * was there; undefined where there are none.
 */
const readAvailability = (queries: Queries, range: DateRange) =>
  queries.maybe<{ minutes: number; up: number }>(sql`
    SELECT (extract(epoch FROM ends - begins) / 60)::int AS minutes, (
      SELECT count(*)::int FROM service_minute WHERE minute >= begins AND minute < ends AND ${isUp}) AS up
    FROM (
      SELECT greatest(min(minute), ${range.from}::timestamp AT TIME ZONE ${range.timeZone}) AS begins,
        least((${range.to}::timestamp + interval '1 day') AT TIME ZONE ${range.timeZone},
          date_trunc('minute', now()) - interval '1 minute') AS ends
      FROM service_minute HAVING count(*) > 0) AS span
    WHERE ends > begins`)

async function readService(queries: Queries, range: DateRange): Promise<ServiceReport> {
  const [methods, failures, availability, suppliers, earned, refunds, disputeReasons, answers] = await Promise.all([
    readMethods(queries, range),
    readFailures(queries, range),
    readAvailability(queries, range),
    readSuppliers(queries, range),
    readSupplierProfits(queries, range),
    readRefunds(queries, range),
    readDisputeReasons(queries, range),
    readAnswers(queries, range),
  ])
  const { conversations, answered, disputes } = answers
  return {
    from: range.from,
    to: range.to,
    timezone: range.timeZone,
    methods: methods.map(({ method, currency, orders, amount, failed, ...figures }) => ({
      method,
      currency,
      orders,
      amount: toMajor(amount),
      failed,
      profit: shownProfit(figures),
    })),
    failures,
    availability: availability ?? null,
    suppliers: suppliers.map((row) => ({
      supplier: row.supplier,
      units: row.units,
      minutes: shownMinutes(row),
      profit: inCurrencies(earned.filter(({ supplier }) => supplier === row.supplier)),
    })),
    refunds: refunds.map((row) => ({ ...row, amount: toMajor(row.amount) })),
    disputes,
    dispute_reasons: disputeReasons,
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
