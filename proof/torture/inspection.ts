import { setTimeout as sleep } from 'node:timers/promises'
import { checkInvariants } from '../../server/src/modules/proof/ledger-proof.ts'
import type { Database } from '../../server/src/platform/database/database.ts'
import { type Queries, sql } from '../../server/src/platform/database/queries.ts'
import type { Diary } from './diary.ts'

const patienceMs = 30_000

/** Asks a database that may be down at this moment. */
export async function untilAnswered<T>(question: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    try {
      return await question()
    } catch (error) {
      if (Date.now() > deadline) throw error
      await sleep(100)
    }
  }
}

/** What one look at the database found wrong. */
export interface Finding {
  lostOrders: string[]
  /** 'name: offenders, like sample' by number. */
  brokenInvariants: Map<number, string>
}

/** Compares the acknowledged orders, and every invariant, with the database as it is at this moment. */
export function inspect(database: Database, diary: Diary): Promise<Finding> {
  const told = [...diary.orders.keys()]
  return untilAnswered(() =>
    database.snapshot(async (queries) => {
      const results = await checkInvariants(queries)
      return {
        lostOrders: await missing(queries, told),
        brokenInvariants: new Map(
          results
            .filter((result) => result.offenders > 0)
            .map(({ number, name, offenders, sample }) => [number, `${name}: ${offenders}, like ${sample.join(', ')}`]),
        ),
      }
    }),
  )
}

const missing = async (queries: Queries, orderIds: readonly string[]) =>
  (
    await queries.rows<{ id: string }>(sql`
      SELECT told.id FROM unnest(${orderIds}::text[]) AS told (id)
      LEFT JOIN orders ON orders.id = told.id WHERE orders.id IS NULL`)
  ).map((order) => order.id)

export interface FinalCount {
  orders: number
  codesSold: number
  codesSoldTwice: number
  /** Orders of users all of whose calls were answered, and of which no client was told. */
  untold: string[]
  /** Balances shown to a client that the wallet's history never had. */
  impossibleBalances: string[]
  adjustments: number
}

/** After the run, when nobody is at work any more. */
export function countUp(database: Database, diary: Diary): Promise<FinalCount> {
  return database.snapshot(async (queries) => {
    const totals = await queries.one<Pick<FinalCount, 'orders' | 'codesSold' | 'codesSoldTwice' | 'adjustments'>>(sql`
      SELECT (SELECT count(*)::int FROM orders) AS orders, (SELECT count(*)::int FROM code_sale) AS "codesSold",
        (SELECT count(*)::int FROM (
          SELECT FROM code_sale GROUP BY code_id, sale_number HAVING count(*) > 1) AS twice) AS "codesSoldTwice",
        (SELECT count(*)::int FROM audit_entry WHERE action = 'user.balance') AS adjustments`)
    const orders = await queries.rows<{ id: string; user_id: number }>(sql`SELECT id, user_id FROM orders`)
    const balances = await queries.rows<{ balance: string }>(sql`
      SELECT DISTINCT user_id || ' ' || balance_after AS balance FROM (
        SELECT debit_account AS account_id, debit_balance AS balance_after FROM transfer
        UNION ALL SELECT credit_account, credit_balance FROM transfer) AS movement
      JOIN account ON account.id = account_id AND account.kind = 'wallet' AND account.currency = 'USD'`)
    const possible = new Set(balances.map(({ balance }) => balance))
    return {
      ...totals,
      untold: orders
        .filter(({ id, user_id }) => !diary.orders.has(id) && !diary.undecided.has(user_id))
        .map(({ id }) => id),
      impossibleBalances: [...diary.balancesSeen].filter((balance) => !possible.has(balance)),
    }
  })
}
