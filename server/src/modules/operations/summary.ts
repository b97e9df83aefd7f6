import { BUSINESS } from '@olmos/contract/business'
import type { Language } from '@olmos/contract/fields'
import * as LIMITS from '@olmos/contract/limits'
import { toMajor } from '@olmos/contract/minor-units'
import type { Currency } from '@olmos/contract/money'
import type { ShopNumbers } from '@olmos/contract/shop-numbers'
import { type OfferStock, type Summary, type SummaryPeriod, summaryApi } from '@olmos/contract/summary'
import { SERVER_BUSINESS } from '../../business.ts'
import type { Context, Resources } from '../../platform/context.ts'
import { jobTriesAtMost } from '../../platform/database/jobs.ts'
import { type Queries, type Sql, sql, type Tx } from '../../platform/database/queries.ts'
import { raiseAlert, resolveAlert } from '../../platform/live/alert.ts'
import { isOnDemand, productTexts } from '../catalogue/availability.ts'
import { unreachable } from '../messages/channel.ts'
import { isPaid } from '../orders/order-money.ts'
import { bookedAmount, bookedCurrency } from '../payments/payments.ts'
import { readNumbers, readTimeZone } from '../shop/shop.ts'

const dayMs = 86_400_000

/** Formats a moment as the date in a time zone: '2026-11-21'. */
export const dateIn = (timeZone: string, now: Date): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone }).format(now)

const shifted = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10)

interface WantedDays {
  from?: string | undefined
  to?: string | undefined
  period?: SummaryPeriod | undefined
}

/** Completes a range of days: up to today by default, and as long as a summary's default. */
export function toRange(wanted: WantedDays, today: string) {
  const { from, period } = wanted
  if (period === 'today') return { from: today, to: today }
  if (period === 'yesterday') return { from: shifted(today, -1), to: shifted(today, -1) }
  if (period) return { from: shifted(today, 1 - Number(period)), to: today }
  if (from === undefined) {
    const to = wanted.to ?? today
    return { from: shifted(to, 1 - SERVER_BUSINESS.summaryDays), to }
  }
  const last = shifted(from, LIMITS.summaryDaysMax - 1)
  const latest = today < last ? today : last
  return { from, to: wanted.to ?? (from > today ? from : latest) }
}

/** Lists the days of a range, those on which nothing happened too. */
export const toDays = ({ from, to }: Pick<DateRange, 'from' | 'to'>): string[] =>
  Array.from({ length: (Date.parse(to) - Date.parse(from)) / dayMs + 1 }, (_, day) => shifted(from, day))

/** As many days, which end with the day before them. */
function toRangeBefore({ from, to }: Pick<DateRange, 'from' | 'to'>) {
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1
  return { from: shifted(from, -days), to: shifted(from, -1) }
}

/** In days, to one decimal, at the pace of the last `BUSINESS.paceDays`. */
export const daysLeft = (available: number, sold: number): number | null =>
  sold === 0 ? null : Math.round((available / sold) * BUSINESS.paceDays * 10) / 10

type LowStock = Pick<ShopNumbers, 'low_stock_codes' | 'low_stock_days'>

/** A package's own number goes before those of the shop. */
const isLow = ({ available_count, days_left, low_stock }: OfferStock, { low_stock_codes, low_stock_days }: LowStock) =>
  low_stock === null
    ? available_count <= low_stock_codes || (days_left !== null && days_left < low_stock_days)
    : available_count <= low_stock

const urgency = ({ days_left }: OfferStock) => days_left ?? Number.MAX_VALUE

/** Lists what runs out, soonest first; among packages nobody buys, the emptiest first. */
export const toLowStock = (packages: readonly OfferStock[], low: LowStock): OfferStock[] =>
  packages
    .filter((stock) => isLow(stock, low))
    .sort((a, b) => urgency(a) - urgency(b) || a.available_count - b.available_count)

/** Groups packages by product, in their order. */
function byProduct(packages: readonly OfferStock[]): Summary['stock'] {
  const products = new Map<number, Summary['stock'][number]>()
  for (const entry of packages) {
    const { product_id, product_title } = entry
    const product = products.get(product_id) ?? { product_id, product_title, available_count: 0, packages: [] }
    product.available_count += entry.available_count
    product.packages.push(entry)
    products.set(product_id, product)
  }
  return [...products.values()]
}

export interface DateRange {
  /** '2026-11-21', both days included. */
  from: string
  to: string
  timeZone: string
}

/** One day of the summary; money is in minor units. */
type DayRow = Summary['days'][number]

const sumIn = (amount: Sql, currency: Currency): Sql =>
  sql`coalesce(sum(${amount}) FILTER (WHERE orders.currency = ${currency}), 0)::bigint`

const countIn = (currency: Currency): Sql => sql`count(*) FILTER (WHERE orders.currency = ${currency})::int`

/**
 * Sums up every day of the range, including empty ones. Each day is a range of an index that is scanned once: computing
 * the day of every order takes longer than all the rest.
 */
function readDays(queries: Queries, { from, to, timeZone }: DateRange): Promise<DayRow[]> {
  const onDay = (time: Sql) => sql`${time} >= day.begins AND ${time} < day.ends`
  // What is in balances: fees of methods are not.
  const [filled, emptied] = [
    sql`${bookedAmount} - payment.booked_fee`,
    sql`card_refund.amount - card_refund.fee_amount`,
  ]
  return queries.rows<DayRow>(sql`
    WITH day AS MATERIALIZED (
      SELECT date, date AT TIME ZONE ${timeZone} AS begins,
        (date + interval '1 day') AT TIME ZONE ${timeZone} AS ends
      FROM generate_series(${from}::timestamp, ${to}::timestamp, interval '1 day') AS date)
    SELECT to_char(day.date, 'YYYY-MM-DD') AS date, sold.*, refunded.*, filled.*, emptied.*, joined.*
    FROM day
    CROSS JOIN LATERAL (
      SELECT ${sumIn(sql`total`, 'USD')} AS sales_usd, ${sumIn(sql`total`, 'RUB')} AS sales_rub,
        ${countIn('USD')} AS orders_usd, ${countIn('RUB')} AS orders_rub
      FROM orders WHERE ${onDay(sql`orders.created_at`)} AND ${isPaid}) AS sold
    CROSS JOIN LATERAL (
      SELECT ${sumIn(sql`refund.amount`, 'USD')} AS refunds_usd, ${sumIn(sql`refund.amount`, 'RUB')} AS refunds_rub
      FROM refund JOIN orders ON orders.id = refund.order_id WHERE ${onDay(sql`refund.created_at`)}) AS refunded
    CROSS JOIN LATERAL (
      SELECT ${sumIn(filled, 'USD')} AS deposits_usd, ${sumIn(filled, 'RUB')} AS deposits_rub
      FROM orders JOIN payment ON payment.order_id = orders.id AND settled_to = 'wallet'
        AND ${bookedCurrency} = orders.currency
      WHERE ${onDay(sql`orders.created_at`)} AND purpose = 'balance') AS filled
    CROSS JOIN LATERAL (
      SELECT ${sumIn(emptied, 'USD')} AS deposit_refunds_usd,
        ${sumIn(emptied, 'RUB')} AS deposit_refunds_rub
      FROM card_refund JOIN payment ON payment.id = payment_id AND settled_to = 'wallet'
      JOIN orders ON orders.id = payment.order_id AND purpose = 'balance' AND ${bookedCurrency} = orders.currency
      WHERE ${onDay(sql`card_refund.created_at`)} AND card_refund.status <> 'failed') AS emptied
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS new_users FROM users WHERE ${onDay(sql`users.created_at`)}) AS joined
    ORDER BY day.date`)
}

interface StockRow extends Omit<OfferStock, 'days_left'> {
  /** Whether nobody can buy it without a code in stock. */
  needs_stock: boolean
}

/** Item ids follow time, so what was sold since then is one range of them, which is exact enough for a pace. */
const firstPaceItem = sql`(
  SELECT min(id) FROM order_item WHERE order_id = (
    SELECT id FROM orders WHERE created_at > now() - make_interval(days => ${BUSINESS.paceDays})
    ORDER BY orders.created_at, orders.id LIMIT 1))`

/** Reads the packages on sale that are delivered from stock. */
const readStock = (queries: Queries, language: Language) =>
  queries.rows<StockRow>(sql`
    WITH sold AS (
      SELECT offer_id, sum(quantity)::int AS quantity FROM order_item
      WHERE id >= ${firstPaceItem} AND status NOT IN ('awaiting_payment', 'expired', 'refunded')
      GROUP BY offer_id)
    SELECT offer.id AS offer_id, product.id AS product_id, texts.title AS product_title,
      coalesce(region.id, 0) AS region_id, coalesce(region.name, '') AS region_name, offer.game_amount,
      coalesce(nullif(product_region.game_currency, ''), product.game_currency) AS game_currency,
      (SELECT count(*)::int FROM (
        SELECT FROM code WHERE offer_id = offer.id AND status = 'available' LIMIT ${LIMITS.stockCountMax}) AS on_shelf
      ) AS available_count,
      coalesce(sold.quantity, 0) AS sold_count, offer.low_stock, offer.version,
      product.kind = 'code' AND NOT ${isOnDemand} AS needs_stock
    FROM offer
    JOIN product ON product.id = offer.product_id ${productTexts(language)}
    LEFT JOIN region ON region.id = offer.region_id
    LEFT JOIN product_region ON product_region.product_id = product.id AND product_region.region_id = region.id
    LEFT JOIN sold ON sold.offer_id = offer.id
    WHERE offer.is_active AND product.is_active AND product.deleted_at IS NULL
      AND (offer.region_id IS NULL OR (region.is_active AND product_region.product_id IS NOT NULL))
      AND (product.kind = 'code' OR EXISTS (SELECT FROM code WHERE offer_id = offer.id))
    ORDER BY product.position, product.id, region.id NULLS FIRST, offer.game_amount`)

const shownStock = ({ needs_stock: _, ...row }: StockRow): OfferStock => ({
  ...row,
  days_left: daysLeft(row.available_count, row.sold_count),
})

const readLow = (tx: Tx) =>
  tx.rows<{ subject: string }>(sql`SELECT subject FROM alert WHERE kind = 'codes.low' AND resolved_at IS NULL`)

const packageName = ({ product_title, game_amount, game_currency, region_name }: StockRow): string =>
  [product_title, `${game_amount} ${game_currency}`, region_name].filter((part) => part !== '').join(', ')

/**
 * Runs every ten minutes: an alert is open for each package that runs out. A package that has a number of its own is judged
 * by that, whether anybody buys it or not; by the shop's numbers only those are that somebody buys and that need their stock.
 */
export const warnOfLowStock = ({ database }: Resources): Promise<void> =>
  database.transaction(async (tx) => {
    const numbers = await readNumbers(tx)
    const low = (await readStock(tx, 'ru')).filter(
      (row) => isLow(shownStock(row), numbers) && (row.low_stock !== null || (row.needs_stock && row.sold_count > 0)),
    )
    const toSubject = ({ product_id, offer_id }: StockRow) => `product:${product_id}:offer:${offer_id}`
    const subjects = new Set(low.map(toSubject))
    for (const { subject } of await readLow(tx))
      if (!subjects.has(subject)) await resolveAlert(tx, 'codes.low', subject)
    for (const row of low) {
      const details = { product: packageName(row), codes: row.available_count }
      await raiseAlert(tx, { kind: 'codes.low', subject: toSubject(row), details, whenChanged: 'refresh' })
    }
  })

interface WaitingRow {
  with_operator: number
  unpaid_orders: number
  held_codes: number
  support_open: number
}

const readWaiting = (queries: Queries) =>
  queries.one<WaitingRow>(sql`
    SELECT (SELECT count(*)::int FROM delivery WHERE operator_since IS NOT NULL) AS with_operator,
      (SELECT count(*)::int FROM orders WHERE status = 'awaiting_payment') AS unpaid_orders,
      (SELECT count(*)::int FROM code_hold) AS held_codes,
      (SELECT count(*)::int FROM conversation WHERE state = 'open') AS support_open`)

/** How many products have a line in the metrics. */
const shelvesAtMost = 200

/**
 * Reads the figures that monitoring watches. Each is counted in a partial index, so that frequent reads are cheap. Messages
 * to customers who can't be reached are left out, because an operator can do nothing about them.
 */
export const readShopFigures = (queries: Queries) =>
  queries.one<Record<string, number>>(sql`
    SELECT (SELECT count(*)::int FROM alert WHERE resolved_at IS NULL) AS alerts_open,
      (SELECT count(*)::int FROM delivery WHERE next_at IS NOT NULL) AS deliveries_waiting,
      (SELECT count(*)::int FROM delivery WHERE operator_since IS NOT NULL) AS deliveries_with_operator,
      (SELECT count(*)::int FROM message WHERE state = 'failed' AND created_at > now() - interval '2 days'
        AND payload ->> 'kind' <> 'test' AND (recipient_id IS NOT NULL OR fault <> ALL (${[...unreachable]})))
        AS messages_failed,
      (SELECT count(*)::int FROM orders WHERE status = 'awaiting_payment') AS orders_awaiting_payment,
      (SELECT count(*)::int FROM payment WHERE status IN ('opening', 'open')) AS payments_undecided,
      (SELECT count(*)::int FROM invariant_check WHERE offenders > 0) AS invariants_broken`)

/** Counts the codes that are left of each product that is sold from stock, the emptiest first. */
export const readShelves = (queries: Queries) =>
  queries.rows<{ product: string; codes: number }>(sql`
    SELECT product.slug AS product, sum(on_shelf.codes)::int AS codes
    FROM product JOIN offer ON offer.product_id = product.id AND offer.is_active
    CROSS JOIN LATERAL (SELECT count(*)::int AS codes FROM (
      SELECT FROM code WHERE offer_id = offer.id AND status = 'available' LIMIT ${LIMITS.stockCountMax}) AS left_over
    ) AS on_shelf
    WHERE product.kind = 'code' AND product.is_active AND product.deleted_at IS NULL
    GROUP BY product.id ORDER BY codes, product.id LIMIT ${shelvesAtMost}`)

/** Reads when each job that is not under way was due, in seconds since 1970, unless it was given up. */
export const readDoneJobs = (queries: Queries) =>
  queries.rows<{ job: string; due: number }>(sql`
    SELECT name AS job, extract(epoch FROM due)::float8 AS due FROM job WHERE is_done AND tries < ${jobTriesAtMost}`)

type Figures = Omit<DayRow, 'date'>

const shownFigures = (row: Figures): Figures => ({
  sales_usd: toMajor(row.sales_usd),
  sales_rub: toMajor(row.sales_rub),
  orders_usd: row.orders_usd,
  orders_rub: row.orders_rub,
  refunds_usd: toMajor(row.refunds_usd),
  refunds_rub: toMajor(row.refunds_rub),
  deposits_usd: toMajor(row.deposits_usd),
  deposits_rub: toMajor(row.deposits_rub),
  deposit_refunds_usd: toMajor(row.deposit_refunds_usd),
  deposit_refunds_rub: toMajor(row.deposit_refunds_rub),
  new_users: row.new_users,
})

const toTotal = (days: readonly DayRow[], figure: keyof Figures) => days.reduce((sum, day) => sum + day[figure], 0)

const toTotals = (days: readonly DayRow[]): Figures => ({
  sales_usd: toTotal(days, 'sales_usd'),
  sales_rub: toTotal(days, 'sales_rub'),
  orders_usd: toTotal(days, 'orders_usd'),
  orders_rub: toTotal(days, 'orders_rub'),
  refunds_usd: toTotal(days, 'refunds_usd'),
  refunds_rub: toTotal(days, 'refunds_rub'),
  deposits_usd: toTotal(days, 'deposits_usd'),
  deposits_rub: toTotal(days, 'deposits_rub'),
  deposit_refunds_usd: toTotal(days, 'deposit_refunds_usd'),
  deposit_refunds_rub: toTotal(days, 'deposit_refunds_rub'),
  new_users: toTotal(days, 'new_users'),
})

export function summaryAdmin({ serve, database, config, clock }: Context): void {
  serve(summaryApi.read, async ({ query, language }) => {
    const timeZone = await readTimeZone(database, config)
    const range = toRange(query, dateIn(timeZone, clock.now()))
    const before = toRangeBefore(range)
    const [all, stock, waiting] = await Promise.all([
      readDays(database, { from: before.from, to: range.to, timeZone }),
      readStock(database, language),
      readWaiting(database),
    ])
    const days = all.slice(all.length / 2)
    const packages = stock.map(shownStock)
    return {
      data: {
        ...range,
        timezone: timeZone,
        totals: shownFigures(toTotals(days)),
        before: { ...before, totals: shownFigures(toTotals(all.slice(0, days.length))) },
        days: days.map((day) => ({ date: day.date, ...shownFigures(day) })),
        stock: byProduct(packages),
        low_stock: toLowStock(packages, await readNumbers(database)),
        deliveries_with_operator: waiting.with_operator,
        unpaid_holds: { orders: waiting.unpaid_orders, codes: waiting.held_codes },
        support_open: waiting.support_open,
      },
    }
  })
}
