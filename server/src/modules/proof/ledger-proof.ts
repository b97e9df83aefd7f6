import { type Currency, currencies } from '@olmos/contract/money'
import type { InvariantName } from '@olmos/contract/operations'
import { type Queries, sql } from '../../platform/database/queries.ts'
import type { Sealed, Vault } from '../../platform/security/vault.ts'
import { codeRow } from '../codes/codes.store.ts'
import { codeInvariants } from './invariants-of-codes.ts'
import { moneyInvariants, walletHistory } from './invariants-of-money.ts'
import { paymentInvariants } from './invariants-of-payments.ts'
import { auditSeals, type Invariant, stateInvariants } from './invariants-of-states.ts'

export interface InvariantResult {
  number: number
  name: InvariantName
  sentence: string
  /** How many rows violate it. */
  offenders: number
  /** Some of them, such as 'transfer 17'. */
  sample: string[]
}

const sampleSize = 5

export const invariants: readonly Invariant[] = [
  ...moneyInvariants,
  ...codeInvariants,
  ...paymentInvariants,
  ...stateInvariants,
].sort((a, b) => a.number - b.number)

/** Counts what violates each invariant. For a consistent answer, call it in `database.snapshot`. */
export async function checkInvariants(queries: Queries): Promise<InvariantResult[]> {
  const results: InvariantResult[] = []
  for (const { offenders: breaking, ...invariant } of invariants) {
    const found = await queries.one<{ offenders: number; sample: string[] }>(sql`
      WITH offender AS MATERIALIZED (${breaking})
      SELECT (SELECT count(*)::int FROM offender) AS offenders,
        ARRAY(SELECT subject FROM offender ORDER BY subject LIMIT ${sampleSize}) AS sample`)
    results.push({ ...invariant, ...found })
  }
  return results
}

interface AccountSum {
  kind: string
  currency: Currency
  balance: number
}

/** Reads the balances of the shop's accounts, and of all wallets together. */
const readAccounts = (queries: Queries) =>
  queries.rows<AccountSum>(sql`
    SELECT kind, currency, sum(balance)::bigint AS balance FROM account_balance
    GROUP BY kind, currency ORDER BY currency DESC, kind`)

interface BrokenTransfer {
  id: number
  kind: string
  currency: Currency
  amount: number
  order_id: string | null
  created_at: Date
  balance_after: number | null
  expected: number
}

/** Finds the first transfer after which a wallet's history does not add up, in one pass over the history. */
const findFirstBroken = (queries: Queries) =>
  queries.maybe<BrokenTransfer>(sql`
    WITH broken AS MATERIALIZED (
      SELECT id, balance_after, expected FROM (${walletHistory}) AS history
      WHERE expected < 0 OR expected IS DISTINCT FROM balance_after ORDER BY id LIMIT 1)
    SELECT transfer.id, transfer.kind, transfer.currency, transfer.amount, transfer.order_id, transfer.created_at,
      broken.balance_after, broken.expected
    FROM broken JOIN transfer USING (id)`)

/** A transfer as it is stored in a proof: times are text. */
export type KeptTransfer = Omit<BrokenTransfer, 'created_at'> & { created_at: string }

interface KeptProof {
  accounts: AccountSum[]
  first_broken: KeptTransfer | null
  proved_at: Date
}

const readLastProof = (queries: Queries) =>
  queries.maybe<KeptProof>(sql`SELECT accounts, first_broken, proved_at FROM ledger_proof`)

interface KeptCheck {
  number: number
  offenders: number
  sample: string[]
  checked_at: Date
}

const readChecks = (queries: Queries) =>
  queries.rows<KeptCheck>(sql`SELECT number, offenders, sample, checked_at FROM invariant_check`)

interface LedgerSums {
  accounts: AccountSum[]
  firstBroken: BrokenTransfer | undefined
}

/** Adds the ledger up. Call it in `database.snapshot`: money that moves meanwhile would look made or lost. */
export async function proveLedger(queries: Queries): Promise<LedgerSums> {
  const accounts = await readAccounts(queries)
  return { accounts, firstBroken: await findFirstBroken(queries) }
}

/** In minor units by currency; anything but zero means that money was made or lost. */
export function toSums(accounts: readonly AccountSum[]): Record<Currency, number> {
  const sum = (currency: Currency) =>
    accounts.filter((account) => account.currency === currency).reduce((total, account) => total + account.balance, 0)
  return Object.fromEntries(currencies.map((currency) => [currency, sum(currency)])) as Record<Currency, number>
}

export interface LastProof {
  /** Undefined until the ledger is added up for the first time. */
  ledger: KeptProof | undefined
  checks: { number: number; name: InvariantName; sentence: string; found: KeptCheck | undefined }[]
}

/** Reads what the last check of the ledger and of the invariants found. */
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

interface SealedCode extends Sealed {
  id: number
}

/** Decrypts so many codes, taken at random, and shows them to nobody; throws when one does not open. Returns how many there were. */
export async function openSomeCodes(queries: Queries, vault: Vault, count: number): Promise<number> {
  const codes = await queries.rows<SealedCode>(sql`
    SELECT id, key_id AS "keyId", ciphertext FROM code ORDER BY random() LIMIT ${count}`)
  for (const { id, ...sealed } of codes) await vault.unseal(sealed, codeRow(id))
  return codes.length
}
