import type { Language } from '@olmos/contract/fields'
import type { Currency } from '@olmos/contract/money'
import { type ProfitReport, profitApi } from '@olmos/contract/profit'
import type { Sql } from 'sql-template-tag'
import type { Context } from '../../platform/context.ts'
import { type Queries, sql } from '../../platform/database/queries.ts'
import { productTexts } from '../catalogue/availability.ts'
import { addProfits, isPaid, itemProfit, type ProfitFigures, shownProfit } from '../orders/profit.ts'
import { type DateRange, dateIn, toDays, toRange } from './summary.ts'

const isWithin = ({ from, to, timeZone }: DateRange): Sql => sql`
  orders.created_at >= ${from}::timestamp AT TIME ZONE ${timeZone}
  AND orders.created_at < (${to}::timestamp + interval '1 day') AT TIME ZONE ${timeZone}`

interface SumRow extends ProfitFigures {
  /** Null where the row is of a product. */
  date: string | null
  product_id: number | null
  currency: Currency
}

/** Adds up what the orders of some days earned, by day and by product. */
const readSums = (queries: Queries, range: DateRange) =>
  queries.rows<SumRow>(sql`
    WITH refunded AS MATERIALIZED (
      SELECT order_item_id, sum(amount)::bigint AS amount FROM refund JOIN orders ON orders.id = refund.order_id
      WHERE ${isWithin(range)} GROUP BY order_item_id)
    SELECT date::text, product_id, currency, sum(revenue)::bigint AS revenue,
      sum(known_revenue)::bigint AS known_revenue, sum(cost)::bigint AS cost, sum(units)::int AS units,
      sum(known_units)::int AS known_units
    FROM (
      SELECT (orders.created_at AT TIME ZONE ${range.timeZone})::date AS date, orders.currency,
        coalesce(order_item.product_id, offer.product_id) AS product_id, earned.*
      FROM orders JOIN order_item ON order_item.order_id = orders.id
      LEFT JOIN offer ON offer.id = order_item.offer_id
      LEFT JOIN refunded ON refunded.order_item_id = order_item.id ${itemProfit(sql`coalesce(refunded.amount, 0)`)}
      WHERE ${isWithin(range)} AND ${isPaid}) AS item
    GROUP BY GROUPING SETS ((date, currency), (product_id, currency))`)

const readProducts = (queries: Queries, ids: readonly number[], language: Language) =>
  queries.rows<{ id: number; title: string; kind: 'code' | 'topup' }>(sql`
    SELECT product.id, texts.title, product.kind FROM product ${productTexts(language)}
    WHERE product.id = ANY (${ids}::int[])`)

/** Formats sums in each currency; they are never added up. */
const inCurrencies = (rows: readonly SumRow[]) => ({
  usd: shownProfit(addProfits(rows.filter(({ currency }) => currency === 'USD'))),
  rub: shownProfit(addProfits(rows.filter(({ currency }) => currency === 'RUB'))),
})

async function readProfit(queries: Queries, range: DateRange, language: Language): Promise<ProfitReport> {
  const sums = await readSums(queries, range)
  const byDay = Map.groupBy(sums, ({ date }) => date)
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
    totals: inCurrencies(sums.filter(({ date }) => date !== null)),
    days: toDays(range).map((date) => ({ date, ...inCurrencies(byDay.get(date) ?? []) })),
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
export function profitAdmin({ serve, database, config: { timeZone }, clock }: Context): void {
  const rangeFor = (query: { from?: string | undefined; to?: string | undefined }): DateRange => ({
    ...toRange(query, dateIn(timeZone, clock.now())),
    timeZone,
  })

  serve(profitApi.read, async ({ query, language }) => ({
    data: await readProfit(database, rangeFor(query), language),
  }))
}
