import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/queries.ts'
import type { G2bulkDouble } from '../../server/test/doubles/g2bulk.ts'
import { untilAnswered } from './inspection.ts'

/** What has not moved for so long, on a busy machine too, is stuck, and the run says so. */
const stuckAfterMs = 45_000

/**
 * Waits until nothing is on its way any more, or nothing moves. What a killed worker held would be taken on by another
 * within a minute, and look-ups pause for longer and longer; that time is passed on the clock of the database instead,
 * which a worker that lives must bear as well. Meanwhile `decide` is done again and again: what is an operator's.
 */
export async function untilDelivered(database: Database, decide: () => Promise<unknown>): Promise<void> {
  let lastLeft = Number.POSITIVE_INFINITY
  let movedAt = Date.now()
  while (Date.now() - movedAt < stuckAfterMs) {
    const { left } = await untilAnswered(() =>
      database.one<{ left: number }>(sql`SELECT count(*)::int AS left FROM delivery WHERE decided_at IS NULL`),
    )
    if (left === 0) return
    if (left < lastLeft) movedAt = Date.now()
    lastLeft = left
    await sleep(500)
    await untilAnswered(decide)
    await untilAnswered(() =>
      database.run(sql`
      UPDATE delivery SET held_until = held_until - interval '5 seconds', next_at = next_at - interval '5 seconds'
      WHERE decided_at IS NULL`),
    )
  }
}

export interface TopupCount {
  orders: { id: string; player: string; status: string; executions: number; suppliers: number }[]
  /** Players who got something without an order. */
  gifts: string[]
  unfinished: number
  unknown: number
  resent: number
  refunded: number
  /** Units that were delivered after another supplier had rejected them. */
  passedOn: number
  unanswered: number
}

/** The player of an account, in whatever order its values stand. */
const player = sql`substring(account from '7[0-9]{10}')`

/** Counts what became of every order, by the books of the store, of the sandbox and of the other supplier. */
export const countTopups = (database: Database, { orders: sold }: G2bulkDouble): Promise<TopupCount> =>
  database.snapshot(async (queries) => {
    const elsewhere = Map.groupBy(
      sold.filter(({ status }) => status !== 'FAILED'),
      ({ player_id }) => player_id,
    )
    const rows = await queries.rows<{ id: string; player: string; status: string; here: number }>(sql`
      WITH executed AS (SELECT ${player} AS player, count(*)::int AS times FROM sandbox_execution GROUP BY 1)
      SELECT orders.id, target.player, orders.status, coalesce(executed.times, 0) AS here
      FROM (SELECT order_item_id, ${player} AS player FROM topup_target) AS target
      JOIN order_item ON order_item.id = order_item_id JOIN orders ON orders.id = order_id
      LEFT JOIN executed ON executed.player = target.player`)
    const orders = rows.map(({ here, ...order }) => {
      const there = elsewhere.get(order.player)?.length ?? 0
      return { ...order, executions: here + there, suppliers: Number(here > 0) + Number(there > 0) }
    })
    const known = new Set(rows.map((row) => row.player))
    const executed = await queries.rows<{ player: string }>(
      sql`SELECT DISTINCT ${player} AS player FROM sandbox_execution`,
    )
    const served = [...executed.map((row) => row.player), ...elsewhere.keys()]
    const counts = await queries.one<Omit<TopupCount, 'orders' | 'gifts'>>(sql`
      SELECT (SELECT count(*)::int FROM delivery WHERE decided_at IS NULL) AS unfinished,
        (SELECT count(*)::int FROM supplier_call WHERE outcome = 'unknown') AS unknown,
        (SELECT count(*)::int FROM supplier_call WHERE outcome = 'not_found') AS resent,
        (SELECT count(*)::int FROM delivery WHERE state = 'rejected') AS refunded,
        (SELECT count(*)::int FROM delivery WHERE state = 'done'
          AND EXISTS (SELECT FROM supplier_order WHERE delivery_id = delivery.id AND state = 'rejected')) AS "passedOn",
        (SELECT count(*)::int FROM supplier_call WHERE outcome IS NULL) AS "unanswered"`)
    return { ...counts, orders, gifts: served.filter((one) => !known.has(one)) }
  })
