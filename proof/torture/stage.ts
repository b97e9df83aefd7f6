import type { Closers } from '../../server/src/platform/process.ts'
import { plantModules } from '../break.ts'
import type { DatabaseServer } from '../database-server.ts'
import { type Ground, openGround, openServer } from '../ground.ts'
import { type Pooler, startPooler } from '../pooler.ts'
import { rollChance } from '../random.ts'
import type { ServerProcess } from '../server-process.ts'
import { breaks } from './breaks.ts'
import type { Floor } from './buyer.ts'
import { connectClients } from './clients.ts'
import { Diary } from './diary.ts'
import type { Options } from './options.ts'
import { stockShop } from './seed.ts'

/** All that a run needs: the store, full of codes, and clients who have not begun. */
export interface Stage {
  postgres: DatabaseServer
  servers: ServerProcess[]
  /** Between the servers and PostgreSQL, where there is one. */
  pooler: Pooler | undefined
  floor: Floor
}

const pickHotUsers = {
  carts: 8,
  ledger: 8,
  payments: 0,
  topups: 0,
  coupons: 0,
  restore: 0,
  update: 0,
  restarts: 0,
  overload: 0,
  failover: 0,
  'full-disk': 0,
} satisfies Record<Options['mode'], number>
const pickOtherUsers = {
  carts: ({ clients }) => clients + 16,
  ledger: () => 0,
  payments: ({ payments }) => payments,
  topups: () => 0,
  coupons: ({ carts }) => carts,
  restore: ({ clients }) => clients,
  update: () => 0,
  restarts: ({ clients }) => clients,
  overload: ({ clients }) => clients,
  failover: () => 0,
  'full-disk': () => 0,
} satisfies Record<Options['mode'], (options: Options) => number>
/** What the bank of the run signs its webhooks with. */
export const sandboxSecret = 'the secret of a tortured bank'

/** The setting that puts the modules of the run's fault in the place of the product's own. */
export const plantBreak = ({ break: name = '' }: Options) => plantModules(breaks[name] ?? {}, import.meta.url)

/** Starts a migrated PostgreSQL, with the fault that is to be planted. Whatever it starts is in `closers` first. */
export async function openDatabase(options: Options, closers: Closers): Promise<Ground & { pooler?: Pooler }> {
  const planted = breaks[options.break ?? '']
  const ground = await openGround(closers, planted?.settings)
  const { database, serverUrl, folder } = ground.postgres
  if (planted?.sql) await database.pool.query(planted.sql)
  if (!options.pooler) return ground
  const pooler = await startPooler(serverUrl, folder)
  closers.push(() => pooler.stop())
  return { ...ground, url: pooler.url, pooler }
}

/** Opens two servers on it. Whatever it starts is in `closers` first. */
export async function openStore(
  options: Options,
  closers: Closers,
  ground: Ground,
  more: Record<string, string> = {},
): Promise<ServerProcess[]> {
  const settings = {
    // One of the faults that can be planted is just that.
    ...(options.break !== undefined && { ALLOW_UNSAFE_DATABASE: '1' }),
    SANDBOX_SECRET: sandboxSecret,
    ...plantBreak(options),
    ...more,
  }
  return Promise.all([openServer(ground, closers, settings), openServer(ground, closers, settings)])
}

/** Opens a store full of codes, with more settings at times. Whatever it starts is in `closers` first. */
export async function setStage(options: Options, closers: Closers, more: Record<string, string> = {}): Promise<Stage> {
  const ground = await openDatabase(options, closers)
  const { postgres, secretKey, pooler } = ground
  const stock = await stockShop(postgres.database, {
    secretKey,
    codes: options.codes,
    hotUsers: pickHotUsers[options.mode],
    otherUsers: pickOtherUsers[options.mode](options),
  })
  const servers = await openStore(options, closers, ground, more)

  const chance = rollChance(options.seed)
  const wire = connectClients(toPorts(servers), chance)
  closers.push(() => wire.close())
  const clientsResend = breaks[options.break ?? '']?.clientsResend ?? false
  return { postgres, servers, pooler, floor: { wire, diary: new Diary(), stock, chance, atTheTill: [], clientsResend } }
}

export const toPorts = (servers: readonly ServerProcess[]) => servers.map(({ port }) => port)
