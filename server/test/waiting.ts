import { expect } from 'vitest'
import { type Queries, sql } from '../src/platform/database/queries.ts'

/**
 * Resolves when `count` wait for a lock in this database, of those whose statement has this text in it, and fails when that
 * takes half a minute.
 */
export async function untilWaiting(queries: Queries, count: number, statement = ''): Promise<void> {
  const waiting = () =>
    queries.rows(sql`
      SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
        AND strpos(query, ${statement}) > 0`)
  await expect.poll(waiting, { timeout: 30_000 }).toHaveLength(count)
}
