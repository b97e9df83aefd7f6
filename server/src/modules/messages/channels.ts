import type { ChannelState, MessageChannel, ShopChannel } from '@olmos/contract/messages'
import type { z } from 'zod'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import type { Vault } from '../../platform/security/vault.ts'
import { accountNamed, changeAccount, readAccounts, type VendorAccount } from '../../platform/vendor/accounts.ts'
import {
  type AccountSettings,
  shownSettings,
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

const table = 'message_channel'

const readAccount = async (queries: Queries, vault: Vault, name: MessageChannel): Promise<VendorAccount> =>
  accountNamed(await readAccounts(queries, vault, table), name)

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
  sendTimeoutMs: SERVER_LIMITS.mailMs,
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

/** Shows a channel: what it needs to be told, and which of that is set where; never a secret. */
export async function readChannel(
  { database, vault, config: { messageSettings: given } }: ChannelShop,
  adapter: ChannelAdapter,
): Promise<ShopChannel> {
  const { isThere, settings, version, changedAt, changedBy } = await readAccount(database, vault, adapter.name)
  const isGiven = isInEnvironment(adapter, given)
  const typed = (!isGiven && settings) || {}
  const unset: ChannelState = isThere ? 'incomplete' : 'not_set_up'
  return {
    name: adapter.name,
    state: 'wrong' in makeChannel(adapter, { given, typed }) ? unset : 'on',
    is_in_environment: isGiven,
    settings: shownSettings(adapter.settings, { given, typed }),
    version,
    changed_at: changedAt?.toISOString() ?? null,
    changed_by: changedBy,
  }
}

/**
 * Returns the stored settings that stay beneath those that were typed. Secrets are forgotten where they would be sent elsewhere:
 * else a stolen session could have the mailbox's password sent to a server of its own.
 */
function keepSettings(
  { settings: { shape }, leading }: ChannelAdapter,
  stored: AccountSettings | undefined,
  typed: AccountSettings,
): AccountSettings {
  const isLedElsewhere = leading.some((name) => typed[name] !== undefined && typed[name] !== stored?.[name])
  const kept = Object.entries(stored ?? {}).filter(
    ([name]) => !isLedElsewhere || toSettingUse(shape[name] as z.ZodType) !== 'secret',
  )
  return Object.fromEntries(kept)
}

interface WantedChannel {
  adapter: ChannelAdapter
  /** Null clears the account. */
  typed: AccountSettings | null
  version: number | undefined
  /** Refuses settings that no channel can be made of. */
  check(settings: AccountSettings): void
}

/** Changes the account at a channel, as `changeAccount` does. */
export const changeChannel = (tx: Tx, vault: Vault, adminId: number, wanted: WantedChannel): Promise<boolean> => {
  const { adapter, typed, version, check } = wanted
  return changeAccount(tx, vault, adminId, {
    table,
    name: adapter.name,
    subject: `message_channel:${adapter.name}`,
    typed,
    version,
    keep: (stored) => keepSettings(adapter, stored, typed ?? {}),
    async check(settings) {
      if (settings) check(settings)
    },
  })
}
