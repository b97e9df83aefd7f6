import { type Currency, currencies } from '@olmos/contract/money'
import type { InvariantName } from '@olmos/contract/operations'
import { type Queries, type Sql, sql } from '../../platform/database/queries.ts'
import type { Sealed, Vault } from '../../platform/security/vault.ts'
import { codeRow } from '../codes/codes.store.ts'
import { closedDays, everyRow, type Invariant, type OpenSpan, readOpenSpan, rowsOfSpan } from './closed-days.ts'
import { codeInvariants } from './invariants-of-codes.ts'
import { countedBalance, moneyInvariants, openWalletHistory, walletHistory } from './invariants-of-money.ts'
import { paymentInvariants } from './invariants-of-payments.ts'
import { auditSeals, stateInvariants } from './invariants-of-states.ts'

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
/** The number of the invariant that `first_broken` illustrates. */
export const neverNegative = 4

export const invariants: readonly Invariant[] = [
  ...moneyInvariants,
  ...codeInvariants,
  ...paymentInvariants,
  ...stateInvariants,
].sort((a, b) => a.number - b.number)

/** What a walk through the open span alone looks at; made by `lookLately`. */
interface Lately {
  /** Defines the names that invariants select from. */
  rows: Sql
  /** Numbers of invariants that were broken when they were last looked at: they may be mended in older rows. */
  broken: ReadonlySet<number>
}

/** Finds what changed in the open span. Call it in the snapshot in which that is checked. */
export async function lookLately(queries: Queries, span: OpenSpan): Promise<Lately> {
  // What moved lately is in memory, where it is found by its key sooner than by reading a table from end to end. The planner
  // weighs that as if it came from a disk.
  await queries.run(sql`SET LOCAL random_page_cost = 0.1`)
  const broken = await queries.rows<{ number: number }>(sql`SELECT number FROM invariant_check WHERE offenders > 0`)
  return { rows: await rowsOfSpan(queries, span), broken: new Set(broken.map(({ number }) => number)) }
}

/** As `lookLately`, or undefined when everything has to be looked at because no day was closed, or not for long. */
export async function lookSinceClosing(queries: Queries): Promise<Lately | undefined> {
  const span = await readOpenSpan(queries)
  return span && lookLately(queries, span)
}

/**
 * Counts what violates each invariant, in all rows or in what changed lately. For a consistent answer, call it in
 * `database.snapshot`.
 */
export async function checkInvariants(queries: Queries, lately?: Lately): Promise<InvariantResult[]> {
  const results: InvariantResult[] = []
  for (const { offenders, lately: ofOpenSpan = offenders, ...invariant } of invariants) {
    const isWhole = !lately || lately.broken.has(invariant.number)
    const found = await queries.one<{ offenders: number; sample: string[] }>(sql`
      WITH ${isWhole ? everyRow : lately.rows}, offender AS MATERIALIZED (${isWhole ? offenders : ofOpenSpan})
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

/** Reads the same from the balances at the end of the closed days. */
const countAccounts = (queries: Queries, { rows }: Lately) =>
  queries.rows<AccountSum>(sql`
    WITH ${rows} SELECT kind, currency, sum(balance)::bigint AS balance FROM ${countedBalance} AS account
    GROUP BY kind, currency ORDER BY currency DESC, kind`)

/** Finds the first transfer after which a wallet's history does not add up, in one pass over the history. */
const findFirstBroken = (queries: Queries, lately: Lately | undefined) =>
  queries.maybe<BrokenTransfer>(sql`
    WITH ${lately?.rows ?? everyRow}, broken AS MATERIALIZED (
      SELECT id, balance_after, expected FROM (${lately ? openWalletHistory : walletHistory}) AS history
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
export async function proveLedger(queries: Queries, lately?: Lately): Promise<LedgerSums> {
  const accounts = await (lately ? countAccounts(queries, lately) : readAccounts(queries))
  const isBroken = lately?.broken.has(neverNegative)
  return { accounts, firstBroken: await findFirstBroken(queries, isBroken ? undefined : lately) }
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
  const checks = [...invariants, auditSeals, closedDays].map(({ number, name, sentence }) => ({
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
