import { expect } from 'vitest'
import { type Queries, sql } from '../src/platform/database/queries.ts'

/** Resolves when `count` wait for a lock in this database, and fails when that takes half a minute. */
export async function untilWaiting(queries: Queries, count: number): Promise<void> {
  const waiting = () =>
    queries.rows(sql`
      SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)
  await expect.poll(waiting, { timeout: 30_000 }).toHaveLength(count)
}
