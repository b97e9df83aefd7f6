import { type Currency, currencies } from '@olmos/contract/money'
import type { Queries } from '../../platform/database.ts'
import { invariants } from './invariants.ts'
import {
  type AccountSum,
  type BrokenTransfer,
  findFirstBroken,
  type KeptCheck,
  readAccounts,
  readChecks,
} from './ledger-proof.store.ts'

export interface LedgerProof {
  /** Minor units; zero, or money was made or lost. */
  sums: Record<Currency, number>
  accounts: AccountSum[]
  firstBroken: BrokenTransfer | undefined
  /** What the last hourly check found, if there was one. */
  checks: { number: number; name: string; sentence: string; found: KeptCheck | undefined }[]
}

/** Adds the ledger up. Call it in `database.snapshot`: money that moves meanwhile would look made or lost. */
export async function proveLedger(queries: Queries): Promise<LedgerProof> {
  const accounts = await readAccounts(queries)
  const firstBroken = await findFirstBroken(queries)
  const kept = await readChecks(queries)
  const checks = invariants.map(({ number, name, sentence }) => ({
    number,
    name,
    sentence,
    found: kept.find((check) => check.number === number),
  }))
  return { sums: sumsOf(accounts), accounts, firstBroken, checks }
}

/** Minor units by currency. */
function sumsOf(accounts: readonly AccountSum[]): Record<Currency, number> {
  const sum = (currency: Currency) =>
    accounts.filter((account) => account.currency === currency).reduce((total, account) => total + account.balance, 0)
  return Object.fromEntries(currencies.map((currency) => [currency, sum(currency)])) as Record<Currency, number>
}
