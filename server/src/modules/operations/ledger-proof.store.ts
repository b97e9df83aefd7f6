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

/** As it was kept: times are texts. */
export type KeptTransfer = Omit<BrokenTransfer, 'created_at'> & { created_at: string }

export interface KeptProof {
  accounts: AccountSum[]
  first_broken: KeptTransfer | null
  proved_at: Date
}

export const readLastProof = (queries: Queries) =>
  queries.maybe<KeptProof>(sql`SELECT accounts, first_broken, proved_at FROM ledger_proof`)

export const keepProof = (
  tx: Tx,
  { accounts, firstBroken }: { accounts: AccountSum[]; firstBroken: BrokenTransfer | undefined },
) =>
  tx.run(sql`
    INSERT INTO ledger_proof (accounts, first_broken, proved_at)
    VALUES (${JSON.stringify(accounts)}, ${firstBroken ? JSON.stringify(firstBroken) : null}, now())
    ON CONFLICT (is_only_row) DO UPDATE
    SET accounts = excluded.accounts, first_broken = excluded.first_broken, proved_at = excluded.proved_at`)

export interface KeptCheck {
  number: number
  offenders: number
  sample: string[]
  checked_at: Date
}

export const readChecks = (queries: Queries) =>
  queries.rows<KeptCheck>(sql`SELECT number, offenders, sample, checked_at FROM invariant_check`)

export async function keepChecks(tx: Tx, results: readonly InvariantResult[]): Promise<void> {
  for (const { number, offenders, sample } of results) {
    await tx.run(sql`
      INSERT INTO invariant_check (number, offenders, sample) VALUES (${number}, ${offenders}, ${sample})
      ON CONFLICT (number) DO UPDATE
      SET offenders = excluded.offenders, sample = excluded.sample, checked_at = excluded.checked_at`)
  }
}
