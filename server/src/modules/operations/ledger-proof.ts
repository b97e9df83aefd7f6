import { type Currency, currencies } from '@olmos/contract/money'
import type { InvariantName } from '@olmos/contract/operations'
import type { Queries } from '../../platform/database.ts'
import { auditSeals } from './invariant.ts'
import { invariants } from './invariants.ts'
import {
  type AccountSum,
  type BrokenTransfer,
  findFirstBroken,
  type KeptCheck,
  type KeptProof,
  readAccounts,
  readChecks,
  readLastProof,
} from './ledger-proof.store.ts'

export interface LedgerProof {
  accounts: AccountSum[]
  firstBroken: BrokenTransfer | undefined
}

/** Adds the ledger up. Call it in `database.snapshot`: money that moves meanwhile would look made or lost. */
export async function proveLedger(queries: Queries): Promise<LedgerProof> {
  const accounts = await readAccounts(queries)
  return { accounts, firstBroken: await findFirstBroken(queries) }
}

/** Minor units by currency; zero, or money was made or lost. */
export function sumsOf(accounts: readonly AccountSum[]): Record<Currency, number> {
  const sum = (currency: Currency) =>
    accounts.filter((account) => account.currency === currency).reduce((total, account) => total + account.balance, 0)
  return Object.fromEntries(currencies.map((currency) => [currency, sum(currency)])) as Record<Currency, number>
}

export interface LastProof {
  /** None until the ledger was added up for the first time. */
  ledger: KeptProof | undefined
  checks: { number: number; name: InvariantName; sentence: string; found: KeptCheck | undefined }[]
}

/** What the last look at the ledger and at the invariants found. */
export async function readProof(queries: Queries): Promise<LastProof> {
  const [ledger, kept] = await Promise.all([readLastProof(queries), readChecks(queries)])
  const checks = [...invariants, auditSeals].map(({ number, name, sentence }) => ({
    number,
    name,
    sentence,
    found: kept.find((check) => check.number === number),
  }))
  return { ledger, checks }
}
