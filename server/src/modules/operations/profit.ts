import type { Language } from '@olmos/contract/fields'
import type { Currency } from '@olmos/contract/money'
import { type ProfitReport, profitApi } from '@olmos/contract/profit'
import type { Context } from '../../platform/context.ts'
import { isOn } from '../../platform/database/lists.ts'
import { type Queries, type Sql, sql } from '../../platform/database/queries.ts'
import { productTexts } from '../catalogue/availability.ts'
import { addProfits, isPaid, itemProfit, type ProfitFigures, shownProfit } from '../orders/order-money.ts'
import { readTimeZone } from '../shop/shop.ts'
import { type DateRange, dateIn, toDays, toRange } from './summary.ts'

/** Whether an order was placed on these days. Needs `orders` in scope. */
export const isWithin = (range: DateRange): Sql => isOn(sql`orders.created_at`, range)

/** Adds up what `itemProfit` joined, or what was added up of it. */
export const addedUp = (earned: Sql): Sql => sql`
  sum(${earned}.revenue)::bigint AS revenue, sum(${earned}.known_revenue)::bigint AS known_revenue,
  sum(${earned}.cost)::bigint AS cost, sum(${earned}.units)::int AS units, sum(${earned}.known_units)::int AS known_units`

/**
 * Joins what was refunded of the items that were ordered on these days, for all of them at once: nothing is refunded before
 * it is ordered. Needs `order_item` in scope.
 */
export const withRefunds = ({ from, timeZone }: DateRange): Sql => sql`
  LEFT JOIN (
    SELECT order_item_id, sum(amount)::bigint AS amount FROM refund WHERE ${isOn(sql`refund.created_at`, { from, timeZone })}
    GROUP BY order_item_id) AS refunded ON refunded.order_item_id = order_item.id`

/** How much of an item was refunded. Needs `withRefunds`. */
export const refundedAmount = sql`coalesce(refunded.amount, 0)`

interface SumRow extends ProfitFigures {
  /** Which of the days, from 1 on; null where the row is of a product. */
  day: number | null
  product_id: number | null
  currency: Currency
}

/**
 * Adds up what the orders of some days earned, by day and by product. To find the day of an order among the beginnings of
 * all takes a third of the time that its date takes.
 */
const readSums = (queries: Queries, range: DateRange) =>
  queries.rows<SumRow>(sql`
    WITH sold AS (
      SELECT width_bucket(orders.created_at, (
          SELECT array_agg(date AT TIME ZONE ${range.timeZone} ORDER BY date)
          FROM generate_series(${range.from}::timestamp, ${range.to}::timestamp, interval '1 day') AS date)) AS day,
        orders.currency, order_item.offer_id, order_item.product_id, ${addedUp(sql`earned`)}
      FROM orders JOIN order_item ON order_item.order_id = orders.id
      ${withRefunds(range)} ${itemProfit(refundedAmount)}
      WHERE ${isWithin(range)} AND ${isPaid} GROUP BY 1, 2, 3, 4),
    of_product AS (
      SELECT sold.*, coalesce(sold.product_id, offer.product_id) AS sold_product
      FROM sold LEFT JOIN offer ON offer.id = sold.offer_id)
    SELECT day, sold_product AS product_id, currency, ${addedUp(sql`of_product`)}
    FROM of_product GROUP BY GROUPING SETS ((day, currency), (sold_product, currency))`)

const readProducts = (queries: Queries, ids: readonly number[], language: Language) =>
  queries.rows<{ id: number; title: string; kind: 'code' | 'topup' }>(sql`
    SELECT product.id, texts.title, product.kind FROM product ${productTexts(language)}
    WHERE product.id = ANY (${ids}::int[])`)

/** Formats sums in each currency; they are never added up. */
export const inCurrencies = (rows: readonly (ProfitFigures & { currency: Currency })[]) => ({
  usd: shownProfit(addProfits(rows.filter(({ currency }) => currency === 'USD'))),
  rub: shownProfit(addProfits(rows.filter(({ currency }) => currency === 'RUB'))),
})

async function readProfit(queries: Queries, range: DateRange, language: Language): Promise<ProfitReport> {
  const sums = await readSums(queries, range)
  const byDay = Map.groupBy(sums, ({ day }) => day)
  const byProduct = Map.groupBy(sums, ({ product_id }) => product_id)
  const products = await readProducts(
    queries,
    [...byProduct.keys()].filter((id) => id !== null),
    language,
  )
  return {
    from: range.from,
    to: range.to,
    timezone: range.timeZone,
    totals: inCurrencies(sums.filter(({ day }) => day !== null)),
    days: toDays(range).map((date, index) => ({ date, ...inCurrencies(byDay.get(index + 1) ?? []) })),
    products: products
      .map(({ id, title, kind }) => ({
        product_id: id,
        product_title: title,
        kind,
        ...inCurrencies(byProduct.get(id) ?? []),
      }))
      .sort((a, b) => b.rub.units + b.usd.units - a.rub.units - a.usd.units),
  }
}

/** What the shop earned, by day and product. */
export function profitAdmin({ serve, database, config, clock }: Context): void {
  serve(profitApi.read, async ({ query, language }) => {
    const timeZone = await readTimeZone(database, config)
    const range = toRange(query, dateIn(timeZone, clock.now()))
    return { data: await readProfit(database, { ...range, timeZone }, language) }
  })
}
