import type { Language } from '@olmos/contract/fields'
import { LIMITS } from '@olmos/contract/limits'
import type { Currency } from '@olmos/contract/money'
import type { Sql } from 'sql-template-tag'
import { type Queries, sql } from '../../platform/database.ts'

export interface DateRange {
  /** '2026-11-21', both days included. */
  from: string
  to: string
  timeZone: string
}

/** Money in minor units. */
export interface DayRow {
  date: string
  sales_usd: number
  sales_rub: number
  orders_usd: number
  orders_rub: number
  refunds_usd: number
  refunds_rub: number
  new_users: number
}

/** Where an order's money came in. */
const isPaid = sql`orders.status NOT IN ('awaiting_payment', 'expired')`

const sumIn = (amount: Sql, currency: Currency): Sql =>
  sql`coalesce(sum(${amount}) FILTER (WHERE orders.currency = ${currency}), 0)::bigint`

const countIn = (currency: Currency): Sql => sql`count(*) FILTER (WHERE orders.currency = ${currency})::int`

/**
 * Every day of the range, also those on which nothing happened. A day is a part of an index that is read from one end to
 * the other: to ask every order which day it is of takes longer than all the rest.
 */
export function readDays(queries: Queries, { from, to, timeZone }: DateRange): Promise<DayRow[]> {
  const onDay = (time: Sql) => sql`${time} >= day.begins AND ${time} < day.ends`
  return queries.rows<DayRow>(sql`
    WITH day AS MATERIALIZED (
      SELECT date, date AT TIME ZONE ${timeZone} AS begins,
        (date + interval '1 day') AT TIME ZONE ${timeZone} AS ends
      FROM generate_series(${from}::timestamp, ${to}::timestamp, interval '1 day') AS date)
    SELECT to_char(day.date, 'YYYY-MM-DD') AS date, sold.*, refunded.*, joined.*
    FROM day
    CROSS JOIN LATERAL (
      SELECT ${sumIn(sql`total`, 'USD')} AS sales_usd, ${sumIn(sql`total`, 'RUB')} AS sales_rub,
        ${countIn('USD')} AS orders_usd, ${countIn('RUB')} AS orders_rub
      FROM orders WHERE ${onDay(sql`orders.created_at`)} AND ${isPaid}) AS sold
    CROSS JOIN LATERAL (
      SELECT ${sumIn(sql`refund.amount`, 'USD')} AS refunds_usd, ${sumIn(sql`refund.amount`, 'RUB')} AS refunds_rub
      FROM refund JOIN orders ON orders.id = refund.order_id WHERE ${onDay(sql`refund.created_at`)}) AS refunded
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS new_users FROM users WHERE ${onDay(sql`users.created_at`)}) AS joined
    ORDER BY day.date`)
}

export interface StockRow {
  offer_id: number
  product_id: number
  product_title: string
  region_id: number
  region_name: string
  game_amount: number
  game_currency: string
  available_count: number
  sold_count: number
}

/** Items are numbered in the order of time, so what was sold since then is one part of them: a pace needs no better edge. */
const firstItemOfPace = sql`(
  SELECT min(id) FROM order_item WHERE order_id = (
    SELECT id FROM orders WHERE created_at > now() - make_interval(days => ${LIMITS.paceDays})
    ORDER BY orders.created_at, orders.id LIMIT 1))`

/** Packages on sale that are delivered from stock. */
export const readStock = (queries: Queries, language: Language) =>
  queries.rows<StockRow>(sql`
    WITH sold AS (
      SELECT offer_id, sum(quantity)::int AS quantity FROM order_item
      WHERE id >= ${firstItemOfPace} AND status NOT IN ('awaiting_payment', 'expired', 'refunded')
      GROUP BY offer_id)
    SELECT offer.id AS offer_id, product.id AS product_id, texts.title AS product_title,
      coalesce(region.id, 0) AS region_id, coalesce(region.name, '') AS region_name, offer.game_amount,
      coalesce(nullif(product_region.game_currency, ''), product.game_currency) AS game_currency,
      (SELECT count(*)::int FROM (
        SELECT FROM code WHERE offer_id = offer.id AND status = 'available' LIMIT ${LIMITS.stockCountMax}) AS on_shelf
      ) AS available_count,
      coalesce(sold.quantity, 0) AS sold_count
    FROM offer
    JOIN product ON product.id = offer.product_id
    JOIN LATERAL (
      SELECT title FROM product_text WHERE product_id = product.id AND language IN (${language}, 'ru')
      ORDER BY language = ${language} DESC LIMIT 1) AS texts ON true
    LEFT JOIN region ON region.id = offer.region_id
    LEFT JOIN product_region ON product_region.product_id = product.id AND product_region.region_id = region.id
    LEFT JOIN sold ON sold.offer_id = offer.id
    WHERE offer.is_active AND product.is_active AND product.deleted_at IS NULL
      AND (offer.region_id IS NULL OR (region.is_active AND product_region.product_id IS NOT NULL))
      AND (product.kind = 'code' OR EXISTS (SELECT FROM code WHERE offer_id = offer.id))
    ORDER BY product.position, product.id, region.id NULLS FIRST, offer.game_amount`)

export interface WaitingRow {
  deliveries: number
  unpaid_orders: number
  held_codes: number
  support_open: number
}

export const readWaiting = (queries: Queries) =>
  queries.one<WaitingRow>(sql`
    SELECT (SELECT count(*)::int FROM order_item WHERE status IN ('pending', 'unknown')) AS deliveries,
      (SELECT count(*)::int FROM orders WHERE status = 'awaiting_payment') AS unpaid_orders,
      (SELECT count(*)::int FROM code_hold) AS held_codes,
      (SELECT count(*)::int FROM support_message WHERE status = 'open') AS support_open`)
