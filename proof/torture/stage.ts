import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Closers } from '../../server/src/platform/closing.ts'
import { migrate } from '../../server/src/platform/database/migrate.ts'
import { freePort } from '../../server/src/platform/embedded/supervisor.ts'
import { breaks } from './breaks.ts'
import type { Floor } from './buyer.ts'
import { type DatabaseServer, startDatabaseServer } from './database-server.ts'
import { Diary } from './diary.ts'
import type { Options } from './options.ts'
import { startPooler } from './pooler.ts'
import { rollChance } from './random.ts'
import { stockShop } from './seed.ts'
import { launchServer, type ServerProcess } from './server-process.ts'
import { createWire } from './wire.ts'

/** All that a run needs: the store, full of codes, and clients who have not begun. */
export interface Stage {
  postgres: DatabaseServer
  servers: ServerProcess[]
  floor: Floor
}

const pickHotUsers = { carts: 8, ledger: 8, payments: 0, topups: 0 } satisfies Record<Options['mode'], number>
const pickOtherUsers = {
  carts: ({ clients }) => clients + 16,
  ledger: () => 0,
  payments: ({ payments }) => payments,
  topups: () => 0,
} satisfies Record<Options['mode'], (options: Options) => number>
/** What the bank of the run signs its webhooks with. */
export const sandboxSecret = 'the secret of a tortured bank'
export const plant = fileURLToPath(new URL('plant.ts', import.meta.url))

interface Ground {
  postgres: DatabaseServer
  /** Where the servers reach it. */
  url: string
  secretKey: Buffer
}

/** Starts a migrated PostgreSQL, with the fault that is to be planted. Whatever it starts is in `closers` first. */
export async function openDatabase(options: Options, closers: Closers): Promise<Ground> {
  const planted = breaks[options.break ?? '']
  const postgres = await startDatabaseServer(planted?.settings)
  closers.push(() => postgres.stop())
  await migrate(postgres.url)
  if (planted?.sql) await postgres.database.pool.query(planted.sql)
  const pooler = options.pooler ? await startPooler(postgres.serverUrl, postgres.folder) : undefined
  if (pooler) closers.push(() => pooler.stop())
  return { postgres, url: pooler?.url ?? postgres.serverUrl, secretKey: randomBytes(32) }
}

/** The same for two servers on it. */
export async function openServers(options: Options, closers: Closers, ground: Ground) {
  const ports = [await freePort(), await freePort()]
  const servers = ports.map((port) => launchServer(serverOptions(options, ground, port)))
  closers.push(() => Promise.all(servers.map((server) => server.stop())))
  await Promise.all(servers.map((server) => server.untilOpen()))
  return { servers, ports }
}

/** Opens a store full of codes. Whatever it starts is in `closers` first. */
export async function setStage(options: Options, closers: Closers): Promise<Stage> {
  const ground = await openDatabase(options, closers)
  const { postgres, secretKey } = ground
  const stock = await stockShop(postgres.database, {
    secretKey,
    codes: options.codes,
    hotUsers: pickHotUsers[options.mode],
    otherUsers: pickOtherUsers[options.mode](options),
  })
  const { servers, ports } = await openServers(options, closers, ground)

  const chance = rollChance(options.seed)
  const wire = createWire(ports, chance)
  closers.push(() => wire.close())
  const clientsResend = breaks[options.break ?? '']?.clientsResend ?? false
  return { postgres, servers, floor: { wire, diary: new Diary(), stock, chance, atTheTill: [], clientsResend } }
}

const serverOptions = (options: Options, { postgres, url, secretKey }: Ground, port: number) => ({
  port,
  folder: postgres.folder,
  env: {
    DATABASE_URL: url,
    DATABASE_DIRECT_URL: postgres.url,
    // One of the faults that can be planted is just that.
    ...(options.break !== undefined && { ALLOW_UNSAFE_DATABASE: '1' }),
    SECRET_KEY: secretKey.toString('hex'),
    DEMO: 'off',
    RATE_LIMITS: 'off',
    SANDBOX_SECRET: sandboxSecret,
    LOG_LEVEL: 'warn',
    ...(options.break !== undefined && { PLANTED_FAULT: options.break }),
  },
  ...(options.break !== undefined && { importFirst: plant }),
})
