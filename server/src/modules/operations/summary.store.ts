import type { Language } from '@olmos/contract/fields'
import { LIMITS } from '@olmos/contract/limits'
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

/** Every day of the range, also those on which nothing happened. */
export function readDays(queries: Queries, { from, to, timeZone }: DateRange): Promise<DayRow[]> {
  const begin = sql`(${from}::date::timestamp AT TIME ZONE ${timeZone})`
  const end = sql`((${to}::date + 1)::timestamp AT TIME ZONE ${timeZone})`
  const inRange = (time: typeof begin) => sql`${time} >= ${begin} AND ${time} < ${end}`
  const dayOf = (time: typeof begin) => sql`(${time} AT TIME ZONE ${timeZone})::date`
  return queries.rows<DayRow>(sql`
    WITH sold AS (
      SELECT ${dayOf(sql`created_at`)} AS date, currency, sum(total)::bigint AS amount, count(*)::int AS orders
      FROM orders WHERE ${inRange(sql`created_at`)} AND ${isPaid} GROUP BY 1, 2),
    refunded AS (
      SELECT ${dayOf(sql`refund.created_at`)} AS date, orders.currency, sum(refund.amount)::bigint AS amount
      FROM refund JOIN orders ON orders.id = refund.order_id WHERE ${inRange(sql`refund.created_at`)} GROUP BY 1, 2),
    joined AS (
      SELECT ${dayOf(sql`created_at`)} AS date, count(*)::int AS users
      FROM users WHERE ${inRange(sql`created_at`)} GROUP BY 1)
    SELECT to_char(day, 'YYYY-MM-DD') AS date,
      coalesce(usd.amount, 0) AS sales_usd, coalesce(rub.amount, 0) AS sales_rub,
      coalesce(usd.orders, 0) AS orders_usd, coalesce(rub.orders, 0) AS orders_rub,
      coalesce(usd_back.amount, 0) AS refunds_usd, coalesce(rub_back.amount, 0) AS refunds_rub,
      coalesce(joined.users, 0) AS new_users
    FROM generate_series(${from}::date, ${to}::date, interval '1 day') AS day
    LEFT JOIN sold AS usd ON usd.date = day AND usd.currency = 'USD'
    LEFT JOIN sold AS rub ON rub.date = day AND rub.currency = 'RUB'
    LEFT JOIN refunded AS usd_back ON usd_back.date = day AND usd_back.currency = 'USD'
    LEFT JOIN refunded AS rub_back ON rub_back.date = day AND rub_back.currency = 'RUB'
    LEFT JOIN joined ON joined.date = day
    ORDER BY day`)
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

/** Packages on sale that are delivered from stock. */
export const readStock = (queries: Queries, language: Language) =>
  queries.rows<StockRow>(sql`
    WITH sold AS (
      SELECT order_item.offer_id, sum(order_item.quantity)::int AS quantity
      FROM orders JOIN order_item ON order_item.order_id = orders.id
      WHERE orders.created_at > now() - make_interval(days => ${LIMITS.paceDays}) AND ${isPaid}
        AND order_item.status <> 'refunded'
      GROUP BY order_item.offer_id)
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
