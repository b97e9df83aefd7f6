import type { Profit } from '@olmos/contract/costs'
import type { Language } from '@olmos/contract/fields'
import { toMajor } from '@olmos/contract/minor-units'
import type { Currency } from '@olmos/contract/money'
import { type ProfitReport, profitApi } from '@olmos/contract/profit'
import type { Sql } from 'sql-template-tag'
import type { Context } from '../../platform/context.ts'
import { type Queries, sql } from '../../platform/database/queries.ts'
import { productTexts } from '../catalogue/availability.ts'
import { type DateRange, dateIn, toDays, toRange } from '../operations/summary.ts'

/** What was earned, in minor units of one currency. */
export interface ProfitFigures {
  revenue: number
  /** The share of the revenue that is of units whose cost is known. */
  known_revenue: number
  cost: number
  units: number
  known_units: number
}

/** Whether the order was paid for. */
export const isPaid = sql`(orders.purpose = 'goods' AND orders.status NOT IN ('awaiting_payment', 'expired'))`

/** How much was refunded of an item. Needs `order_item` in scope. */
export const itemRefunds = sql`(SELECT coalesce(sum(amount), 0)::bigint FROM refund WHERE order_item_id = order_item.id)`

/**
 * Joins, as `earned`, what an item earned: what was paid less `refunded` of it since, and what its units cost. A unit
 * that is not delivered yet has a cost that nobody knows. Needs `order_item` in scope.
 */
export const itemProfit = (refunded: Sql): Sql => sql`
  CROSS JOIN LATERAL (
    SELECT unit_price * quantity - ${refunded} AS revenue, coalesce(order_item.known_units, 0) AS known_units,
      CASE WHEN order_item.status IN ('pending', 'unknown') THEN greatest(cost_units, quantity)
        ELSE coalesce(cost_units, quantity) END AS units) AS took
  CROSS JOIN LATERAL (
    SELECT revenue, coalesce(revenue * took.known_units / nullif(units, 0), 0) AS known_revenue,
      coalesce(order_item.cost, 0) AS cost, units, took.known_units) AS earned`

interface ItemProfitRow extends ProfitFigures {
  order_id: string
  item_id: number
}

const readItemProfits = (queries: Queries, orderIds: readonly string[]): Promise<ItemProfitRow[]> =>
  queries.rows<ItemProfitRow>(sql`
    SELECT order_item.order_id, order_item.id AS item_id, earned.*
    FROM orders JOIN order_item ON order_item.order_id = orders.id ${itemProfit(itemRefunds)}
    WHERE orders.id = ANY (${orderIds}::text[]) AND ${isPaid}`)

const noProfit: ProfitFigures = { revenue: 0, known_revenue: 0, cost: 0, units: 0, known_units: 0 }

/** Adds up what was earned in one currency. */
export const addProfits = (all: readonly ProfitFigures[]): ProfitFigures =>
  all.reduce(
    (sum, one) => ({
      revenue: sum.revenue + one.revenue,
      known_revenue: sum.known_revenue + one.known_revenue,
      cost: sum.cost + one.cost,
      units: sum.units + one.units,
      known_units: sum.known_units + one.known_units,
    }),
    noProfit,
  )

/** What the units cost and earned, in minor units; of units none of which has a known cost nobody can say it. */
export function knownProfit({ known_revenue, cost, units, known_units }: ProfitFigures) {
  const isUnknown = units > 0 && known_units === 0
  return { cost: isUnknown ? null : cost, margin: isUnknown ? null : known_revenue - cost }
}

const orNull = (minor: number | null): number | null => (minor === null ? null : toMajor(minor))

/** Formats figures in one currency. */
export function shownProfit(figures: ProfitFigures): Profit {
  const { cost, margin } = knownProfit(figures)
  return {
    revenue: toMajor(figures.revenue),
    cost: orNull(cost),
    margin: orNull(margin),
    unknown_revenue: toMajor(figures.revenue - figures.known_revenue),
    units: figures.units,
    known_units: figures.known_units,
  }
}

/** Reads what each of these orders earned; unpaid ones are left out. */
export async function readOrderProfits(
  queries: Queries,
  orders: readonly { id: string }[],
): Promise<Map<string, Profit>> {
  const items = await readItemProfits(
    queries,
    orders.map(({ id }) => id),
  )
  const byOrder = Map.groupBy(items, ({ order_id }) => order_id)
  return new Map([...byOrder].map(([id, rows]) => [id, shownProfit(addProfits(rows))]))
}

/** Reads what an order earned, and each of its items by their ids; null before it is paid. */
export async function readOneProfit(
  queries: Queries,
  orderId: string,
): Promise<{ order: Profit | null; items: Map<number, Profit> }> {
  const items = await readItemProfits(queries, [orderId])
  return {
    order: items.length === 0 ? null : shownProfit(addProfits(items)),
    items: new Map(items.map((row) => [row.item_id, shownProfit(row)])),
  }
}

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
