import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, sql } from '../../server/src/platform/database/database.ts'
import { untilAnswered } from './inspection.ts'

/** What has not moved for so long is stuck, and the run says so. */
const stuckAfterMs = 15_000

/**
 * Waits until nothing is on its way any more, or nothing moves. What a killed worker held would be taken on by another
 * within a minute, and look-ups pause for longer and longer; that time is passed on the clock of the database instead,
 * which a worker that lives must bear as well.
 */
export async function untilDelivered(database: Database): Promise<void> {
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
    await untilAnswered(() =>
      database.run(sql`
      UPDATE delivery SET held_until = held_until - interval '5 seconds', next_at = next_at - interval '5 seconds'
      WHERE decided_at IS NULL`),
    )
  }
}

export interface TopupCount {
  orders: { id: string; player: string; status: string; executions: number }[]
  /** Players who got something without an order. */
  gifts: string[]
  unfinished: number
  unknown: number
  resent: number
  refunded: number
  unanswered: number
}

export const countTopups = (database: Database): Promise<TopupCount> =>
  database.snapshot(async (queries) => {
    const orders = await queries.rows<TopupCount['orders'][number]>(sql`
      SELECT orders.id, account AS player, orders.status,
        (SELECT count(*)::int FROM sandbox_execution WHERE account = topup_target.account) AS executions
      FROM topup_target JOIN order_item ON order_item.id = order_item_id JOIN orders ON orders.id = order_id`)
    const gifts = await queries.rows<{ account: string }>(sql`
      SELECT DISTINCT account FROM sandbox_execution
      WHERE NOT EXISTS (SELECT FROM topup_target WHERE account = sandbox_execution.account)`)
    const counts = await queries.one<Omit<TopupCount, 'orders' | 'gifts'>>(sql`
      SELECT (SELECT count(*)::int FROM delivery WHERE decided_at IS NULL) AS unfinished,
        (SELECT count(*)::int FROM supplier_call WHERE outcome = 'unknown') AS unknown,
        (SELECT count(*)::int FROM supplier_call WHERE outcome = 'not_found') AS resent,
        (SELECT count(*)::int FROM delivery WHERE state = 'rejected') AS refunded,
        (SELECT count(*)::int FROM supplier_call WHERE outcome IS NULL) AS "unanswered"`)
    return { ...counts, orders, gifts: gifts.map(({ account }) => account) }
  })
