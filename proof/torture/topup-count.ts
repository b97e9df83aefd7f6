import type { Database } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/queries.ts'
import type { G2bulkDouble } from '../../server/test/doubles/g2bulk.ts'

export interface TopupCount {
  orders: {
    id: string
    player: string
    status: string
    executions: number
    suppliers: number
    /** What its delivery waits for; null once that is decided. */
    waits: string | null
  }[]
  /** Players who got something without an order. */
  gifts: string[]
  unfinished: number
  unknown: number
  resent: number
  refunded: number
  /** Those of them that an operator refunded. */
  byOperator: number
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
    const rows = await queries.rows<
      Omit<TopupCount['orders'][number], 'executions' | 'suppliers'> & { here: number }
    >(sql`
      WITH executed AS (SELECT ${player} AS player, count(*)::int AS times FROM sandbox_execution GROUP BY 1)
      SELECT orders.id, target.player, orders.status, coalesce(executed.times, 0) AS here,
        (SELECT string_agg(concat_ws(', ', state, reason, look_ups || ' look-ups'), '; ') FROM delivery
          WHERE order_item_id = order_item.id AND decided_at IS NULL) AS waits
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
        (SELECT count(*)::int FROM delivery WHERE state = 'rejected' AND reason = 'operator') AS "byOperator",
        (SELECT count(*)::int FROM delivery WHERE state = 'done'
          AND EXISTS (SELECT FROM supplier_order WHERE delivery_id = delivery.id AND state = 'rejected')) AS "passedOn",
        (SELECT count(*)::int FROM supplier_call WHERE outcome IS NULL) AS "unanswered"`)
    return { ...counts, orders, gifts: served.filter((one) => !known.has(one)) }
  })
