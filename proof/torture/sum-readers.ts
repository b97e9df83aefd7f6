import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/queries.ts'
import type { Progress } from './crowd.ts'

export interface SumReads {
  reads: number
  /** Sums that were not zero, as 'USD 100'. */
  wrong: string[]
}

/** Adds the whole ledger up again and again while money moves: at every moment the sum of each currency is zero. */
export async function readSums(database: Database, progress: Progress, readers: number): Promise<SumReads> {
  const seen: SumReads = { reads: 0, wrong: [] }
  const reader = async () => {
    while (!progress.isOver) {
      // While PostgreSQL is down there is nothing to read.
      const sums = await sumUp(database).catch(() => undefined)
      if (sums) seen.reads++
      for (const { currency, sum } of sums ?? []) if (sum !== 0) seen.wrong.push(`${currency} ${sum}`)
      await sleep(sums ? 50 : 200)
    }
  }
  await Promise.all(Array.from({ length: readers }, reader))
  return seen
}

const sumUp = (database: Database) =>
  database.rows<{ currency: string; sum: number }>(sql`
    SELECT currency, sum(balance)::bigint AS sum FROM account_balance GROUP BY currency`)
