import { z } from 'zod'
import type { Database } from '../../platform/database/database.ts'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import type { Vault } from '../../platform/security/vault.ts'
import type { ProviderName } from './provider.ts'

/** Settings of a provider as texts, by their names in the environment. */
export type AccountSettings = Readonly<Record<string, string>>

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

const stored = z.record(z.string(), z.string())

async function openAccount(vault: Vault, row: AccountRow): Promise<ProviderAccount> {
  const { provider, key_id: keyId, ciphertext, version, changed_at: changedAt, changed_by: changedBy } = row
  const plain =
    keyId === null || ciphertext === null
      ? undefined
      : await vault.unseal({ keyId, ciphertext }, sealedFor(provider)).catch(() => undefined)
  const settings = plain === undefined ? undefined : stored.parse(JSON.parse(plain))
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

/** Merges what was typed into what is stored. */
export const mergeSettings = (before: AccountSettings | undefined, typed: AccountSettings): AccountSettings =>
  Object.fromEntries(Object.entries({ ...before, ...typed }).filter(([, value]) => value !== ''))

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
