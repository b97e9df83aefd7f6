import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../platform/database/database.ts'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { measureCalls } from '../../platform/live/metrics.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import type { Vault } from '../../platform/security/vault.ts'
import {
  type AccountSettings,
  type ChosenVendor,
  createVendors,
  mergeSettings,
  storedSettings,
  toWrongSettings,
  type WrongSettings,
} from '../../platform/vendor/adapters.ts'
import { createVendorFetch } from '../../platform/vendor/vendor.ts'
import type { PaymentProvider, ProviderAdapter, ProviderDeps, ProviderName } from './provider.ts'
import { click } from './providers/click.ts'
import { cryptopay } from './providers/cryptopay.ts'
import { payme } from './providers/payme.ts'
import { isSandboxProvider, type Sandbox, sandboxProvider } from './providers/sandbox.ts'
import { stripe } from './providers/stripe.ts'
import { tbank } from './providers/tbank.ts'
import { yookassa } from './providers/yookassa.ts'
import { type MethodInForce, readMethodRows, toShopMethods } from './shop-methods.ts'

/** An account at a provider as it was typed in the admin area. */
export interface ProviderAccount {
  provider: ProviderName
  /** Whether there is one, which the vault may not open. */
  isThere: boolean
  settings: AccountSettings | undefined
  version: number
  changedAt: Date | null
  /** The admin's nickname. */
  changedBy: string | null
}

interface AccountRow {
  provider: ProviderName
  key_id: number | null
  ciphertext: Buffer | null
  version: number
  changed_at: Date | null
  changed_by: string | null
}

const selectAccounts = sql`
  SELECT provider, key_id, ciphertext, provider_account.version, changed_at, nickname AS changed_by
  FROM provider_account LEFT JOIN users ON users.id = changed_by`

const sealedFor = (provider: ProviderName) => `provider_account:${provider}`

async function openAccount(vault: Vault, row: AccountRow): Promise<ProviderAccount> {
  const { provider, key_id: keyId, ciphertext, version, changed_at: changedAt, changed_by: changedBy } = row
  const plain =
    keyId === null || ciphertext === null
      ? undefined
      : await vault.unseal({ keyId, ciphertext }, sealedFor(provider)).catch(() => undefined)
  const settings = plain === undefined ? undefined : storedSettings.parse(JSON.parse(plain))
  return { provider, isThere: keyId !== null, settings, version, changedAt, changedBy }
}

/** Reads every account that was ever typed, with its secrets. */
export async function readAccounts(queries: Queries, vault: Vault): Promise<ProviderAccount[]> {
  const rows = await queries.rows<AccountRow>(sql`${selectAccounts} ORDER BY provider`)
  return Promise.all(rows.map((row) => openAccount(vault, row)))
}

/** Locks the account at a provider until the transaction ends, and reads it; one that was never typed is empty. */
async function lockAccount(tx: Tx, vault: Vault, provider: ProviderName): Promise<ProviderAccount> {
  await tx.run(sql`INSERT INTO provider_account (provider) VALUES (${provider}) ON CONFLICT DO NOTHING`)
  await tx.run(sql`SELECT FROM provider_account WHERE provider = ${provider} FOR UPDATE`)
  return openAccount(vault, await tx.one<AccountRow>(sql`${selectAccounts} WHERE provider = ${provider}`))
}

/** Stores the settings of an account that the caller has locked; undefined clears it. */
async function writeAccount(
  tx: Tx,
  vault: Vault,
  adminId: number,
  account: Pick<ProviderAccount, 'provider' | 'settings'>,
): Promise<void> {
  const { provider, settings } = account
  const seal = settings && (await vault.sealer(tx))
  const sealed = seal?.(JSON.stringify(settings), sealedFor(provider))
  await tx.run(sql`
    UPDATE provider_account SET key_id = ${sealed?.keyId ?? null}::int, ciphertext = ${sealed?.ciphertext ?? null}::bytea,
      version = version + 1, changed_at = now(), changed_by = ${adminId}
    WHERE provider = ${provider}`)
}

/**
 * Changes the account at a provider and notifies every node. A setting that is left out stays, and a blank one is cleared;
 * null clears the account. `check` refuses what the provider can't be made of. The audit log keeps which settings changed,
 * never what they are. Answers whether it did: nothing changes where another version than the present one was seen.
 */
export async function changeAccount(
  tx: Tx,
  vault: Vault,
  adminId: number,
  wanted: {
    provider: ProviderName
    typed: AccountSettings | null
    version: number | undefined
    check(settings: AccountSettings | undefined): Promise<void>
  },
): Promise<boolean> {
  const before = await lockAccount(tx, vault, wanted.provider)
  if (wanted.version !== undefined && wanted.version !== before.version) return false
  const settings = wanted.typed === null ? undefined : mergeSettings(before.settings, wanted.typed)
  await wanted.check(settings)
  await writeAccount(tx, vault, adminId, { provider: wanted.provider, settings })
  await writeAudit(tx, {
    actorId: adminId,
    action: settings ? 'provider_account.set' : 'provider_account.clear',
    subject: `provider:${wanted.provider}`,
    after: { settings: Object.keys(wanted.typed ?? before.settings ?? {}) },
  })
  tx.notify('payment', `provider:${wanted.provider}`)
  return true
}

/** Reseals accounts that are sealed with a key older than `keyId`. There are as many as providers: a few. */
export async function resealAccounts(database: Database, vault: Vault, keyId: number): Promise<void> {
  const old = await database.rows<{ provider: ProviderName }>(
    sql`SELECT provider FROM provider_account WHERE key_id < ${keyId}`,
  )
  for (const { provider } of old) {
    await database.transaction(async (tx) => {
      const { settings } = await lockAccount(tx, vault, provider)
      if (!settings) throw new Error(`the account at ${provider} was altered in the database and does not open`)
      const seal = await vault.sealer(tx)
      const sealed = seal(JSON.stringify(settings), sealedFor(provider))
      await tx.run(sql`
        UPDATE provider_account SET key_id = ${sealed.keyId}, ciphertext = ${sealed.ciphertext}
        WHERE provider = ${provider}`)
    })
  }
}

/** Every provider there is. A new one is its file and a line here. */
export const providerAdapters: readonly ProviderAdapter[] = [
  sandboxProvider,
  yookassa,
  stripe,
  payme,
  click,
  tbank,
  cryptopay,
]

/**
 * The providers this shop has an account with: those the environment names, then those whose account was typed in the admin
 * area. What is in force changes when they are renewed, so nobody keeps what they answer.
 */
export interface Providers {
  /** Whether their methods are on or off: what is under way finds its provider here. */
  readonly configured: readonly PaymentProvider[]
  /** Every way to pay at them, on or off, in the order in which customers see them. */
  readonly methods: readonly MethodInForce[]
  readonly sandbox: Sandbox | undefined
  /** Reads accounts and methods again; they are in force once this resolves. Rejects, and changes nothing, without a database. */
  renew(): Promise<void>
  /** Whether the environment names the provider: no account that is typed counts then. */
  isInEnvironment(name: ProviderName): boolean
  /** What the environment says of the provider's settings, whether or not it names the provider. */
  readonly given: AccountSettings
  /** Makes a provider of settings that were typed, beneath those of the environment; else names the settings that are wrong. */
  make(adapter: ProviderAdapter, typed: AccountSettings): PaymentProvider | { wrong: WrongSettings }
}

/** Makes the providers that the environment chooses; those that were typed are there once they are renewed. */
export function createProviders(
  { chosen, given }: { chosen: readonly ChosenVendor[]; given: AccountSettings },
  deps: Pick<ProviderDeps, 'database' | 'publicUrl'> & { vault: Vault; log: Pick<FastifyBaseLogger, 'error'> },
): Providers {
  const { database, vault, log } = deps
  const providerDeps: ProviderDeps = { ...deps, fetchVendor: createVendorFetch() }
  const measure = (provider: PaymentProvider) => measureCalls(provider, 'provider', database.meters)
  const fromEnvironment = createVendors(providerAdapters, chosen, providerDeps).map(measure)
  const sandbox = fromEnvironment.find(isSandboxProvider)
  const isInEnvironment = (name: ProviderName) => chosen.some((vendor) => vendor.name === name)

  const make = (adapter: ProviderAdapter, typed: AccountSettings) => {
    const settings = { ...typed, ...given }
    const read = adapter.settings.safeParse(settings)
    return read.success
      ? measure(adapter.create(read.data, providerDeps))
      : { wrong: toWrongSettings(settings, read.error) }
  }

  const arrangeMethods = (typed: readonly PaymentProvider[], rows: Parameters<typeof toShopMethods>[1]) =>
    toShopMethods(
      [
        ...fromEnvironment.map((provider) => ({ provider, isInEnvironment: true })),
        ...typed.map((provider) => ({ provider, isInEnvironment: false })),
      ],
      rows,
    )

  let inForce = { configured: fromEnvironment, methods: arrangeMethods([], []) }
  /** Those made of typed accounts, so that an account that stays is not made again. */
  let made = new Map<ProviderName, { version: number; provider: PaymentProvider }>()

  const makeTyped = (adapter: ProviderAdapter, { version, settings }: ProviderAccount) => {
    const known = made.get(adapter.name)
    if (known?.version === version) return known
    const provider = settings && make(adapter, settings)
    if (provider && !('wrong' in provider)) return { version, provider }
    log.error(
      { provider: adapter.name, wrong: provider?.wrong ?? 'sealed' },
      'a provider can not be made of its account',
    )
    return undefined
  }

  const read = async () => {
    const accounts = await readAccounts(database, vault)
    const rows = await readMethodRows(database)
    const typed = new Map<ProviderName, { version: number; provider: PaymentProvider }>()
    for (const adapter of providerAdapters) {
      const account = accounts.find(({ provider }) => provider === adapter.name)
      if (!account?.isThere || isInEnvironment(adapter.name) || adapter.unreal !== undefined) continue
      const one = makeTyped(adapter, account)
      if (one) typed.set(adapter.name, one)
    }
    made = typed
    const providers = [...typed.values()].map(({ provider }) => provider)
    inForce = { configured: [...fromEnvironment, ...providers], methods: arrangeMethods(providers, rows) }
  }

  // One after the other, so that what was read later is what stays in force.
  let last: Promise<void> = Promise.resolve()
  return {
    get configured() {
      return inForce.configured
    },
    get methods() {
      return inForce.methods
    },
    sandbox,
    renew() {
      last = last.catch(() => {}).then(read)
      return last
    },
    isInEnvironment,
    given,
    make,
  }
}

/** Whether there is such a provider at all, configured here or not. */
export const isProviderName = (name: string): boolean => providerAdapters.some((adapter) => adapter.name === name)

/** The provider of that name; none where this shop does not have it configured. */
export const providerNamed = (
  { configured }: Pick<Providers, 'configured'>,
  name: string,
): PaymentProvider | undefined => configured.find((provider) => provider.name === name)
