import { isDeepStrictEqual } from 'node:util'
import type { FastifyBaseLogger } from 'fastify'
import type { z } from 'zod'
import type { Database } from '../database/database.ts'
import { type Queries, raw, sql, type Tx } from '../database/queries.ts'
import { measureCalls } from '../live/metrics.ts'
import { writeAudit } from '../security/audit.ts'
import type { Vault } from '../security/vault.ts'
import {
  type AccountSettings,
  type ChosenVendor,
  createVendors,
  mergeSettings,
  storedSettings,
  toWrongSettings,
  type VendorAdapter,
  type WrongSettings,
} from './adapters.ts'

/**
 * The kinds of vendors whose accounts are typed in the admin area, by the tables that keep them, each with the column that has
 * the vendor's name. A text is sealed for its table and name.
 */
const nameColumns = {
  provider_account: 'provider',
  supplier_account: 'supplier',
  message_channel: 'name',
} as const

type AccountTable = keyof typeof nameColumns

/** An account at a vendor as it was typed in the admin area. */
export interface VendorAccount {
  name: string
  /** Whether there is one, which the vault may not open. */
  isThere: boolean
  settings: AccountSettings | undefined
  version: number
  changedAt: Date | null
  /** The admin's nickname. */
  changedBy: string | null
}

interface AccountRow {
  name: string
  key_id: number | null
  ciphertext: Buffer | null
  version: number
  changed_at: Date | null
  changed_by: string | null
}

const inTable = (table: AccountTable) => ({ accounts: raw(table), column: raw(nameColumns[table]) })

const sealedFor = (table: AccountTable, name: string) => `${table}:${name}`

function selectAccounts(table: AccountTable) {
  const { accounts, column } = inTable(table)
  return sql`
    SELECT ${column} AS name, key_id, ciphertext, account.version, changed_at, nickname AS changed_by
    FROM ${accounts} AS account LEFT JOIN users ON users.id = changed_by`
}

async function openAccount(vault: Vault, table: AccountTable, row: AccountRow): Promise<VendorAccount> {
  const { name, key_id: keyId, ciphertext, version, changed_at: changedAt, changed_by: changedBy } = row
  const plain =
    keyId === null || ciphertext === null
      ? undefined
      : await vault.unseal({ keyId, ciphertext }, sealedFor(table, name)).catch(() => undefined)
  const settings = plain === undefined ? undefined : storedSettings.parse(JSON.parse(plain))
  return { name, isThere: keyId !== null, settings, version, changedAt, changedBy }
}

/** Reads every account of this kind that was ever typed, with its secrets. */
export async function readAccounts(queries: Queries, vault: Vault, table: AccountTable): Promise<VendorAccount[]> {
  const rows = await queries.rows<AccountRow>(sql`${selectAccounts(table)} ORDER BY 1`)
  return Promise.all(rows.map((row) => openAccount(vault, table, row)))
}

/** The account of that name; a blank one where none was ever typed. */
export const accountNamed = (accounts: readonly VendorAccount[], name: string): VendorAccount =>
  accounts.find((account) => account.name === name) ?? {
    name,
    isThere: false,
    settings: undefined,
    version: 1,
    changedAt: null,
    changedBy: null,
  }

/** Locks an account until the transaction ends, and reads it; one that was never typed is empty. */
async function lockAccount(tx: Tx, vault: Vault, table: AccountTable, name: string): Promise<VendorAccount> {
  const { accounts, column } = inTable(table)
  await tx.run(sql`INSERT INTO ${accounts} (${column}) VALUES (${name}) ON CONFLICT DO NOTHING`)
  await tx.run(sql`SELECT FROM ${accounts} WHERE ${column} = ${name} FOR UPDATE`)
  return openAccount(vault, table, await tx.one<AccountRow>(sql`${selectAccounts(table)} WHERE ${column} = ${name}`))
}

interface WantedAccount {
  table: AccountTable
  name: string
  /** What the audit log calls it. */
  subject: string
  /** A setting that is left out stays, and a blank one is cleared; null clears the account. */
  typed: AccountSettings | null
  /** The version that was seen, if known. */
  version: number | undefined
  /** Returns the stored settings that stay beneath those that were typed; all of them without it. */
  keep?(stored: AccountSettings | undefined): AccountSettings | undefined
  /** Refuses settings that no vendor can be made of, and undefined for an account that is needed. */
  check(settings: AccountSettings | undefined): Promise<void>
}

/**
 * Changes an account; the caller notifies the nodes. The audit log keeps which settings changed, never what they are. Answers
 * whether it did: nothing changes where another version than the present one was seen.
 */
export async function changeAccount(tx: Tx, vault: Vault, adminId: number, wanted: WantedAccount): Promise<boolean> {
  const { table, name, typed, version, keep = (stored) => stored } = wanted
  const before = await lockAccount(tx, vault, table, name)
  if (version !== undefined && version !== before.version) return false
  const settings = typed === null ? undefined : mergeSettings(keep(before.settings), typed)
  await wanted.check(settings)
  const seal = settings && (await vault.sealer(tx))
  const sealed = seal?.(JSON.stringify(settings), sealedFor(table, name))
  const { accounts, column } = inTable(table)
  await tx.run(sql`
    UPDATE ${accounts} SET key_id = ${sealed?.keyId ?? null}::int, ciphertext = ${sealed?.ciphertext ?? null}::bytea,
      version = version + 1, changed_at = now(), changed_by = ${adminId}
    WHERE ${column} = ${name}`)
  await writeAudit(tx, {
    actorId: adminId,
    action: settings ? `${table}.set` : `${table}.clear`,
    subject: wanted.subject,
    after: { settings: Object.keys(typed ?? before.settings ?? {}) },
  })
  return true
}

/** Reseals every account that is sealed with a key older than `keyId`. There are as many as vendors: a few. */
export async function resealAccounts(database: Database, vault: Vault, keyId: number): Promise<void> {
  for (const table of Object.keys(nameColumns) as AccountTable[]) {
    const { accounts, column } = inTable(table)
    const old = await database.rows<{ name: string }>(
      sql`SELECT ${column} AS name FROM ${accounts} WHERE key_id < ${keyId}`,
    )
    for (const { name } of old) {
      await database.transaction(async (tx) => {
        const { settings } = await lockAccount(tx, vault, table, name)
        if (!settings) throw new Error(`the account at ${name} was altered in the database and does not open`)
        const seal = await vault.sealer(tx)
        const sealed = seal(JSON.stringify(settings), sealedFor(table, name))
        await tx.run(sql`
          UPDATE ${accounts} SET key_id = ${sealed.keyId}, ciphertext = ${sealed.ciphertext} WHERE ${column} = ${name}`)
      })
    }
  }
}

interface AccountVendors<Deps, Made> {
  kind: 'provider' | 'supplier'
  adapters: readonly VendorAdapter<z.ZodObject, Deps, Made>[]
  /** Those that the environment names. */
  chosen: readonly ChosenVendor[]
  /** What the environment says of settings, whether or not it names their vendor. */
  given: AccountSettings
  deps: Deps & { database: Database }
  vault: Vault
  log: Pick<FastifyBaseLogger, 'error'>
  /** Takes into force those that were made of typed accounts. */
  arrange(typed: readonly Made[]): Promise<void>
}

/** What the lists of suppliers and of payment providers have in common. */
export interface VendorsInForce<Adapter, Made> {
  /** Whether the environment names the vendor: no account that is typed counts then. */
  isInEnvironment(name: string): boolean
  /** What the environment says of the vendor's settings, whether or not it names the vendor. */
  readonly given: AccountSettings
  /** Makes a vendor of settings that were typed, beneath those of the environment; else names the settings that are wrong. */
  make(adapter: Adapter, typed: AccountSettings): Made | { wrong: WrongSettings }
  /** Reads accounts again; they are in force once this resolves. Rejects, and changes nothing, without a database. */
  renew(): Promise<void>
}

const needsNoAccount = (adapter: { settings: z.ZodObject }): boolean => Object.keys(adapter.settings.shape).length === 0

/**
 * Makes the vendors that the environment chooses; those whose accounts were typed come with each renewal. One whose settings
 * stay is not made again, and keeps what it has learned.
 */
export function makeVendors<Deps, Made extends { readonly name: string }>(
  vendors: AccountVendors<Deps, Made>,
): VendorsInForce<VendorAdapter<z.ZodObject, Deps, Made>, Made> & { fromEnvironment: Made[] } {
  const { kind, adapters, chosen, given, deps, vault, log } = vendors
  const { database } = deps
  type Adapter = VendorAdapter<z.ZodObject, Deps, Made>
  type Typed = { settings: AccountSettings; vendor: Made }

  const measure = (vendor: Made) => measureCalls(vendor, kind, database.meters)
  const fromEnvironment = createVendors(adapters, chosen, deps).map(measure)
  const isInEnvironment = (name: string) => chosen.some((vendor) => vendor.name === name)

  const make = (adapter: Adapter, typed: AccountSettings) => {
    const settings = { ...typed, ...given }
    const read = adapter.settings.safeParse(settings)
    return read.success ? measure(adapter.create(read.data, deps)) : { wrong: toWrongSettings(settings, read.error) }
  }

  let made = new Map<string, Typed>()

  const makeTyped = (adapter: Adapter, account: VendorAccount): Typed | undefined => {
    const settings = needsNoAccount(adapter) ? {} : account.settings
    const known = made.get(adapter.name)
    if (known && settings && isDeepStrictEqual(known.settings, settings)) return known
    const vendor = settings && make(adapter, settings)
    if (vendor && !('wrong' in vendor)) return { settings, vendor }
    log.error({ [kind]: adapter.name, wrong: vendor?.wrong ?? 'sealed' }, `a ${kind} can not be made of its account`)
    return undefined
  }

  const read = async () => {
    const accounts = await readAccounts(database, vault, `${kind}_account`)
    const typed = new Map<string, Typed>()
    for (const adapter of adapters) {
      const account = accountNamed(accounts, adapter.name)
      if (isInEnvironment(adapter.name) || adapter.unreal !== undefined) continue
      if (!account.isThere && !needsNoAccount(adapter)) continue
      const one = makeTyped(adapter, account)
      if (one) typed.set(adapter.name, one)
    }
    await vendors.arrange([...typed.values()].map(({ vendor }) => vendor))
    made = typed
  }

  // One after the other, so that what was read later is what stays in force.
  let last: Promise<void> = Promise.resolve()
  const renew = () => {
    last = last.catch(() => {}).then(read)
    return last
  }
  return { fromEnvironment, isInEnvironment, given, make, renew }
}
