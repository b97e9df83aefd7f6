import type { Profit } from '@olmos/contract/costs'
import { toMajor } from '@olmos/contract/minor-units'
import type { Sql } from 'sql-template-tag'
import { type Queries, sql } from '../../platform/database/queries.ts'

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
