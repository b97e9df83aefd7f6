import type { Currency } from '@olmos/contract/money'
import { type Queries, sql, type Tx } from '../../platform/database.ts'
import type { InvariantResult } from './invariants.ts'
import { walletHistory } from './invariants-of-money.ts'

export interface AccountSum {
  kind: string
  currency: Currency
  balance: number
}

/** The balances of the shop's accounts, and of all wallets together. */
export const readAccounts = (queries: Queries) =>
  queries.rows<AccountSum>(sql`
    SELECT kind, currency, sum(balance)::bigint AS balance FROM account_balance
    GROUP BY kind, currency ORDER BY currency DESC, kind`)

export interface BrokenTransfer {
  id: number
  kind: string
  currency: Currency
  amount: number
  order_id: string | null
  created_at: Date
  balance_after: number | null
  expected: number
}

/** The first transfer after which a wallet's history does not add up. The history is walked through once, by itself. */
export const findFirstBroken = (queries: Queries) =>
  queries.maybe<BrokenTransfer>(sql`
    WITH broken AS MATERIALIZED (
      SELECT id, balance_after, expected FROM (${walletHistory}) AS history
      WHERE expected < 0 OR expected IS DISTINCT FROM balance_after ORDER BY id LIMIT 1)
    SELECT transfer.id, transfer.kind, transfer.currency, transfer.amount, transfer.order_id, transfer.created_at,
      broken.balance_after, broken.expected
    FROM broken JOIN transfer USING (id)`)

export interface KeptCheck {
  number: number
  offenders: number
  sample: string[]
  checked_at: Date
}

export const readChecks = (queries: Queries) =>
  queries.rows<KeptCheck>(sql`SELECT number, offenders, sample, checked_at FROM invariant_check`)

export async function keepChecks(tx: Tx, results: readonly InvariantResult[]): Promise<void> {
  await tx.run(sql`DELETE FROM invariant_check`)
  for (const { number, offenders, sample } of results) {
    await tx.run(
      sql`INSERT INTO invariant_check (number, offenders, sample) VALUES (${number}, ${offenders}, ${sample})`,
    )
  }
}
