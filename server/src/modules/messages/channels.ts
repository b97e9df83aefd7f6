import type { ChannelState, MessageChannel, ShopChannel } from '@olmos/contract/messages'
import type { z } from 'zod'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import type { Vault } from '../../platform/security/vault.ts'
import {
  type AccountSettings,
  mergeSettings,
  shownSettings,
  storedSettings,
  toSettingUse,
  toWrongSettings,
  type WrongSettings,
} from '../../platform/vendor/adapters.ts'
import { createVendorFetch } from '../../platform/vendor/vendor.ts'
import type { Carrier, ChannelAdapter } from './channel.ts'
import { email } from './channels/email.ts'
import { telegram } from './channels/telegram.ts'

/** Every channel there is. A new one is its file and a line here. */
export const channelAdapters: readonly ChannelAdapter[] = [telegram, email]

/** What channels need of the store. */
interface ChannelShop {
  database: Database
  vault: Vault
  config: { messageSettings: AccountSettings }
}

interface ChannelRow {
  name: string
  key_id: number | null
  ciphertext: Buffer | null
  version: number
  changed_at: Date | null
  changed_by: string | null
}

/** An account as it was typed: `settings` is undefined where there is none, or where the vault does not open it. */
interface ChannelAccount extends Pick<ChannelRow, 'version' | 'changed_at' | 'changed_by'> {
  isThere: boolean
  settings: AccountSettings | undefined
}

const selectChannels = sql`
  SELECT name, key_id, ciphertext, message_channel.version, changed_at, nickname AS changed_by
  FROM message_channel LEFT JOIN users ON users.id = changed_by`

const sealedFor = (name: string) => `message_channel:${name}`

async function openAccount(vault: Vault, row: ChannelRow | undefined): Promise<ChannelAccount> {
  if (!row) return { isThere: false, settings: undefined, version: 1, changed_at: null, changed_by: null }
  const { name, key_id: keyId, ciphertext, ...change } = row
  if (keyId === null || ciphertext === null) return { ...change, isThere: false, settings: undefined }
  const plain = await vault.unseal({ keyId, ciphertext }, sealedFor(name)).catch(() => undefined)
  return {
    ...change,
    isThere: true,
    settings: plain === undefined ? undefined : storedSettings.parse(JSON.parse(plain)),
  }
}

const readAccount = async (queries: Queries, vault: Vault, name: MessageChannel): Promise<ChannelAccount> =>
  openAccount(vault, await queries.maybe<ChannelRow>(sql`${selectChannels} WHERE name = ${name}`))

/** Locks the account at a channel until the transaction ends, and reads it; one that was never typed is empty. */
async function lockAccount(tx: Tx, vault: Vault, name: string): Promise<ChannelAccount> {
  await tx.run(sql`INSERT INTO message_channel (name) VALUES (${name}) ON CONFLICT DO NOTHING`)
  await tx.run(sql`SELECT FROM message_channel WHERE name = ${name} FOR UPDATE`)
  return openAccount(vault, await tx.one<ChannelRow>(sql`${selectChannels} WHERE name = ${name}`))
}

/** Whether the environment has settings of the channel: what was typed does not count then. */
export const isInEnvironment = ({ settings }: ChannelAdapter, given: AccountSettings): boolean =>
  Object.entries(settings.shape).some(
    ([name, schema]) => given[name] !== undefined && toSettingUse(schema as z.ZodType) !== 'environment',
  )

/** Writes down which channels the environment sets up, for statements that ask whether anything carries a message. */
export async function noteEnvironment({ database, config: { messageSettings: given } }: ChannelShop): Promise<void> {
  for (const adapter of channelAdapters) {
    await database.run(sql`
      INSERT INTO message_channel (name, is_in_environment) VALUES (${adapter.name}, ${isInEnvironment(adapter, given)})
      ON CONFLICT (name) DO UPDATE SET is_in_environment = excluded.is_in_environment
      WHERE message_channel.is_in_environment <> excluded.is_in_environment`)
  }
}

const deps = {
  fetchVendor: createVendorFetch(),
  timeoutMs: SERVER_LIMITS.vendorTimeoutMs,
  patienceMs: SERVER_LIMITS.mailMs,
}

/** Makes a channel of settings that were typed, beneath those of the environment; else says which are wrong. */
export function makeChannel(
  adapter: ChannelAdapter,
  { given, typed }: { given: AccountSettings; typed: AccountSettings },
): Carrier | { wrong: WrongSettings } {
  const settings = { ...typed, ...given }
  const read = adapter.settings.safeParse(settings)
  return read.success ? adapter.create(read.data, deps) : { wrong: toWrongSettings(settings, read.error) }
}

/** Reads a channel as it is set up at this moment; undefined where it is not. */
export async function openChannel(
  { database, vault, config: { messageSettings: given } }: ChannelShop,
  name: MessageChannel,
): Promise<Carrier | undefined> {
  const adapter = channelAdapters.find((one) => one.name === name)
  if (!adapter) return undefined
  const { settings } = await readAccount(database, vault, name)
  const made = makeChannel(adapter, { given, typed: (!isInEnvironment(adapter, given) && settings) || {} })
  return 'wrong' in made ? undefined : made
}

/** Shows a channel: what it needs to be told, and what of that is set where; never a secret. */
export async function readChannel(
  { database, vault, config: { messageSettings: given } }: ChannelShop,
  adapter: ChannelAdapter,
): Promise<ShopChannel> {
  const { isThere, settings, version, changed_at, changed_by } = await readAccount(database, vault, adapter.name)
  const isGiven = isInEnvironment(adapter, given)
  const typed = (!isGiven && settings) || {}
  const unset: ChannelState = isThere ? 'incomplete' : 'not_set_up'
  return {
    name: adapter.name,
    state: 'wrong' in makeChannel(adapter, { given, typed }) ? unset : 'on',
    is_in_environment: isGiven,
    settings: shownSettings(adapter.settings, { given, typed }),
    version,
    changed_at: changed_at?.toISOString() ?? null,
    changed_by,
  }
}

/**
 * Merges what was typed into what is stored. Secrets are forgotten where they would be sent elsewhere: else a stolen session
 * could have the mailbox's password sent to a server of its own.
 */
function mergeTyped(
  { settings: { shape }, leading }: ChannelAdapter,
  stored: AccountSettings | undefined,
  typed: AccountSettings,
): AccountSettings {
  const isLedElsewhere = leading.some((name) => typed[name] !== undefined && typed[name] !== stored?.[name])
  const kept = Object.entries(stored ?? {}).filter(
    ([name]) => !isLedElsewhere || toSettingUse(shape[name] as z.ZodType) !== 'secret',
  )
  return mergeSettings(Object.fromEntries(kept), typed)
}

interface WantedAccount {
  adapter: ChannelAdapter
  /** Null clears the account. */
  typed: AccountSettings | null
  version: number | undefined
  /** Refuses settings that no channel can be made of. */
  check(settings: AccountSettings): void
}

/**
 * Changes the account at a channel. The audit log keeps which settings changed, never what they are. Answers whether it did:
 * nothing changes where another version than the present one was seen.
 */
export async function changeChannel(tx: Tx, vault: Vault, adminId: number, wanted: WantedAccount): Promise<boolean> {
  const { adapter, typed, version, check } = wanted
  const { name } = adapter
  const before = await lockAccount(tx, vault, name)
  if (version !== undefined && version !== before.version) return false
  const settings = typed === null ? undefined : mergeTyped(adapter, before.settings, typed)
  if (settings) check(settings)
  const seal = settings && (await vault.sealer(tx))
  const sealed = seal?.(JSON.stringify(settings), sealedFor(name))
  await tx.run(sql`
    UPDATE message_channel SET key_id = ${sealed?.keyId ?? null}::int, ciphertext = ${sealed?.ciphertext ?? null}::bytea,
      version = version + 1, changed_at = now(), changed_by = ${adminId}
    WHERE name = ${name}`)
  await writeAudit(tx, {
    actorId: adminId,
    action: settings ? 'message_channel.set' : 'message_channel.clear',
    subject: `message_channel:${name}`,
    after: { settings: Object.keys(typed ?? before.settings ?? {}) },
  })
  return true
}

/** Reseals the accounts that are sealed with a key older than `keyId`. There are as many as channels. */
export async function resealChannels(database: Database, vault: Vault, keyId: number): Promise<void> {
  const old = await database.rows<{ name: string }>(sql`SELECT name FROM message_channel WHERE key_id < ${keyId}`)
  for (const { name } of old) {
    await database.transaction(async (tx) => {
      const { settings } = await lockAccount(tx, vault, name)
      if (!settings) throw new Error(`the account at ${name} was altered in the database and does not open`)
      const seal = await vault.sealer(tx)
      const sealed = seal(JSON.stringify(settings), sealedFor(name))
      await tx.run(sql`
        UPDATE message_channel SET key_id = ${sealed.keyId}, ciphertext = ${sealed.ciphertext} WHERE name = ${name}`)
    })
  }
}
