import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../server/src/platform/database/database.ts'
import { type Queries, sql } from '../../server/src/platform/database/queries.ts'
import { untilAnswered } from './inspection.ts'

/** What nobody does anything about for so long although it is due, on a busy machine too, is stuck. */
const stuckAfterMs = 45_000
/** After so long without a move a lease is taken to be a dead worker's. A slow worker may lose its own, and must bear it. */
const leasePatienceMs = 3_000
const lookEveryMs = 250
/** So much passes at least, as many deliveries wait for about the same moment. */
const passedAtLeastSeconds = 5
/** What is not decided within so much time of the clock, with no other delivery decided meanwhile, never will be. */
const hopelessAfterSeconds = 3_600

interface Look {
  left: number
  /** Grows with whatever workers do. */
  moves: number
  isDue: boolean
  isLeased: boolean
  /** Until the next delivery is due, or the lease of one ends; null: none waits for the clock. */
  seconds: number | null
}

const look = (queries: Queries) =>
  queries.one<Look>(sql`
    SELECT count(*) FILTER (WHERE decided_at IS NULL)::int AS left,
      (coalesce(sum(attempt), 0) + (SELECT count(ended_at) FROM supplier_call))::int AS moves,
      coalesce(bool_or(due <= now()), false) AS "isDue", coalesce(bool_or(held_until > now()), false) AS "isLeased",
      extract(epoch FROM min(due) FILTER (WHERE due > now()) - now())::float8 AS seconds
    FROM (SELECT *, greatest(next_at, held_until) AS due FROM delivery) AS delivery`)

/** Moves everything that is compared with the clock into the past: what is open, and how the suppliers are. */
const letPass = (database: Database, seconds: number) =>
  database.transaction(async (tx) => {
    const time = sql`make_interval(secs => ${seconds})`
    await tx.run(sql`
      UPDATE delivery SET next_at = next_at - ${time}, held_until = held_until - ${time}, tried_since = tried_since - ${time}
      WHERE decided_at IS NULL`)
    await tx.run(sql`
      UPDATE supplier_order SET sent_at = sent_at - ${time} FROM delivery
      WHERE delivery.id = delivery_id AND decided_at IS NULL`)
    await tx.run(sql`
      UPDATE supplier_health SET out_until = out_until - ${time}, quiet_until = quiet_until - ${time}`)
    tx.notify('delivery', 'due')
  })

/**
 * Waits until every delivery is decided, or none will be. Whenever nothing is due and nothing moves, the clock jumps to what
 * is due next: the next look-up, whose pauses grow to minutes, or the end of a killed worker's lease. Meanwhile `decide` is
 * called again and again: what is an operator's.
 */
export async function untilDelivered(database: Database, decide: () => Promise<unknown>): Promise<void> {
  let last = { left: Number.POSITIVE_INFINITY, moves: -1 }
  let movedAt = Date.now()
  let passedSeconds = 0
  while (Date.now() - movedAt < stuckAfterMs && passedSeconds < hopelessAfterSeconds) {
    const now = await untilAnswered(() => look(database))
    if (now.left === 0) return
    if (now.left < last.left) passedSeconds = 0
    const hasMoved = now.left !== last.left || now.moves !== last.moves
    if (hasMoved) movedAt = Date.now()
    last = now
    const isStill = !hasMoved && (!now.isLeased || Date.now() - movedAt > leasePatienceMs)
    if (isStill && !now.isDue && now.seconds !== null) {
      const seconds = Math.max(now.seconds, passedAtLeastSeconds)
      await untilAnswered(() => letPass(database, seconds))
      passedSeconds += seconds
    }
    await decide()
    await sleep(lookEveryMs)
  }
}
