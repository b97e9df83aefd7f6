import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../server/src/platform/database/database.ts'
import { type Queries, sql } from '../../server/src/platform/database/queries.ts'
import type { Chance } from '../random.ts'
import type { Progress } from './crowd.ts'
import { untilAnswered } from './inspection.ts'

/** A price that everybody could know from then on. Prices of a run only rise, so none before it is in force again. */
export interface Raise {
  offerId: number
  version: number
  /** Minor units. */
  priceUsd: number
  priceRub: number
  knownAt: Date
}

const wantedRaises = 12

/** Raises the price of one offer after the other while the bank reports payments; returns what was raised when. */
export async function raisePrices(
  database: Database,
  { progress, howFar, chance }: { progress: Progress; howFar: () => number; chance: Chance },
): Promise<Raise[]> {
  const offers = await untilAnswered(() => database.rows<{ id: number }>(sql`SELECT id FROM offer ORDER BY id`))
  const raises: Raise[] = []
  while (raises.length < wantedRaises && !progress.isOver) {
    if (howFar() < (raises.length + 1) / (wantedRaises + 1)) {
      await sleep(5)
      continue
    }
    const { id } = chance.pick(offers)
    raises.push(
      await untilAnswered(async () => {
        const raised = await database.one<{ version: number; priceUsd: number; priceRub: number }>(sql`
          UPDATE offer SET price_usd = price_usd + 1 + price_usd / 20, price_rub = price_rub + 1 + price_rub / 20
          WHERE id = ${id} RETURNING price_version AS version, price_usd AS "priceUsd", price_rub AS "priceRub"`)
        const { now } = await database.one<{ now: Date }>(sql`SELECT clock_timestamp() AS now`)
        return { offerId: id, ...raised, knownAt: now }
      }),
    )
  }
  return raises
}

/**
 * Finds what was sold, or opened at the bank, at a price that was known to be outdated: money that came after the time
 * of its order and bought all the same, and payments made again.
 */
export async function soldTooCheap(queries: Queries, raises: readonly Raise[]): Promise<string[]> {
  const raised = sql`unnest(
    ${raises.map(({ offerId }) => offerId)}::int[], ${raises.map(({ version }) => version)}::int[],
    ${raises.map(({ priceUsd }) => priceUsd)}::bigint[], ${raises.map(({ priceRub }) => priceRub)}::bigint[],
    ${raises.map(({ knownAt }) => knownAt)}::timestamptz[]) AS raised (offer_id, version, price_usd, price_rub, known_at)`
  const price = sql`CASE orders.currency WHEN 'USD' THEN price_usd ELSE price_rub END`
  const rows = await queries.rows<{ subject: string }>(sql`
    SELECT DISTINCT 'order ' || order_item.order_id || ' was paid late at ' || unit_price || ', not at ' || ${price} AS subject
    FROM status_change JOIN order_item ON order_item.order_id = status_change.order_id
    JOIN orders ON orders.id = order_item.order_id
    JOIN ${raised} ON raised.offer_id = order_item.offer_id AND version > price_version AND ${price} > unit_price
    WHERE order_item_id IS NULL AND was = 'expired' AND became IN ('pending', 'completed')
      AND status_change.created_at > known_at
    UNION
    SELECT 'payment ' || payment.id || ' was opened at ' || unit_price || ', not at ' || ${price}
    FROM payment JOIN order_item ON order_item.order_id = payment.order_id
    JOIN orders ON orders.id = order_item.order_id
    JOIN ${raised} ON raised.offer_id = order_item.offer_id AND version > price_version AND ${price} > unit_price
    WHERE payment.created_at > known_at AND NOT EXISTS (
      SELECT FROM sandbox_payment WHERE id::text = payment.provider_payment_id AND is_second_charge)`)
  return rows.map(({ subject }) => subject)
}
