import { randomBytes, randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { checkoutApi } from '@olmos/contract/checkout'
import { toMajor } from '@olmos/contract/minor-units'
import { root } from '../../scripts/run.mjs'
import { invariants } from '../../server/src/modules/proof/ledger-proof.ts'
import { migrate } from '../../server/src/platform/database/migrate.ts'
import type { Closers } from '../../server/src/platform/process.ts'
import { plantModules } from '../break.ts'
import { type DatabaseServer, startDatabaseServer } from '../database-server.ts'
import { type Ground, openServer } from '../ground.ts'
import type * as pasts from '../past.ts'
import { rollChance } from '../random.ts'
import { type OldCheckout, unpackReleaseBefore } from '../release-before.ts'
import type { ServerProcess } from '../server-process.ts'
import { count, counted, type Line, printInvariants } from '../verdict.ts'
import { breaks } from './breaks.ts'
import { insist } from './buyer.ts'
import { type Clients, connectClients } from './clients.ts'
import { Diary } from './diary.ts'
import { inspect } from './inspection.ts'
import type { Options } from './options.ts'
import type * as seeds from './seed.ts'
import type { Watcher } from './torture.ts'
import { printBugs, printFalls } from './verdict.ts'

const ordersADay = 10_000
const calmMs = 4_000
/** A proxy has noticed by then that a node takes nobody more. */
const drainMs = 300
const pressPauseMs = 100
const alone = 'the release before, alone'

interface Wait {
  phase: string
  ms: number
}

/**
 * The release before serves on two nodes; the next one migrates their database and starts beside them; then one of the
 * old nodes is ended, and one killed, and both start again on the migrated database; then they leave. Buyers buy all the
 * time, from whichever node is open, and press again under the same key when there is no answer.
 */
export async function tortureUpdate(options: Options, closers: Closers, watch: Watcher): Promise<Line[]> {
  const before = await unpackReleaseBefore(options.from, closers)
  const postgres = await startDatabaseServer()
  closers.push(() => postgres.stop())
  await migrate(postgres.url, { folder: pathToFileURL(`${join(before.folder, 'server/migrations')}/`) })
  const ground: Ground = { postgres, url: postgres.serverUrl, secretKey: randomBytes(32) }
  const filler = await importFiller(before)
  const stock = await filler.stockShop(postgres.database, {
    secretKey: ground.secretKey,
    codes: options.codes,
    hotUsers: 0,
    otherUsers: options.clients,
  })
  await fillPast(filler, ground, options.orders, watch)

  const main = join(before.folder, 'server/src/main.ts')
  const old = await Promise.all([openServer(ground, closers, {}, main), openServer(ground, closers, {}, main)])
  const ports = old.map(({ port }) => port)
  const chance = rollChance(options.seed)
  const wire = connectClients(ports, chance)
  closers.push(() => wire.close())
  const crowd = sendBuyers({ wire, stock, clients: options.clients })
  const locks = await watchLocks(postgres, closers)

  const complaints: string[] = []
  let migrationMs = 0
  await crowd.phase(alone, () => sleep(calmMs))
  await crowd.phase('the next release migrates and starts', async () => {
    const began = performance.now()
    const next = await openServer(ground, closers, plantModules(breaks[options.break ?? ''] ?? {}, import.meta.url))
    migrationMs = performance.now() - began
    ports.push(next.port)
  })
  await crowd.phase('both beside each other', () => sleep(calmMs))
  const tryIt = <T>(what: string, work: () => Promise<T>): Promise<T | undefined> =>
    work().catch((error: Error) => {
      complaints.push(`${what}: ${error.message}`)
      return undefined
    })
  const [ended, killed] = old as [ServerProcess, ServerProcess]
  const again = await crowd.phase('a node of the release before is ended and starts again', () =>
    tryIt('ended and started', async () => {
      ports.splice(ports.indexOf(ended.port), 1)
      await sleep(drainMs)
      await ended.stop()
      const server = await openServer(ground, closers, {}, main)
      ports.push(server.port)
      return server
    }),
  )
  await crowd.phase('the other one is killed and starts again', () =>
    tryIt('killed and started', () => killed.kill(300)),
  )
  await crowd.phase('both beside each other, afterwards', () => sleep(calmMs))
  await crowd.phase('the release before leaves', async () => {
    ports.splice(0, ports.length, ...ports.filter((port) => port !== killed.port && port !== again?.port))
    await sleep(drainMs)
    await Promise.all([killed.stop(), again?.stop()])
    await sleep(calmMs)
  })
  await crowd.end()
  await locks.end()

  const { lostOrders, brokenInvariants } = await inspect(postgres.database, crowd.diary)
  const known = await readdir(join(before.folder, 'server/migrations'))
  const added = (await readdir(join(root, 'server/migrations'))).filter((name) => !known.includes(name))
  return [
    { text: 'the release before', value: before.commit },
    { text: 'orders in the database', value: count(options.orders) },
    { text: 'migrations of the next release', value: added.length > 0 ? added.join(', ') : 'none' },
    { text: 'until the next release was open', value: `${(migrationMs / 1_000).toFixed(1)} s` },
    ...locks.seen(),
    ...describeWaits(crowd.waits, options.waitMs),
    counted('nodes that did not start again', complaints),
    counted('acknowledged orders lost', lostOrders),
    counted('purchases refused or never answered', crowd.diary.complaints),
    printBugs(wire.bugs),
    printFalls(...old),
    printInvariants(brokenInvariants, invariants.length),
  ]
}

type Filler = Pick<typeof seeds, 'stockShop'> & Pick<typeof pasts, 'beginPast'>

/** What fills the database is of the release before as well: what this one writes may need columns that are yet to come. */
async function importFiller({ folder }: OldCheckout): Promise<Filler> {
  const from = (path: string) => import(pathToFileURL(join(folder, 'proof', path)).href)
  return { ...((await from('torture/seed.ts')) as typeof seeds), ...((await from('past.ts')) as typeof pasts) }
}

async function fillPast(filler: Filler, { postgres, secretKey }: Ground, orders: number, watch: Watcher) {
  const days = Math.ceil(orders / ordersADay)
  const since = new Date(Date.now() - (days + 1) * 86_400_000)
  const past = await filler.beginPast(postgres.database, {
    secretKey,
    buyers: Math.max(50, Math.round(orders / 20)),
    since,
  })
  for (let day = 0; day < days; day++) {
    await past.sell(Math.min(ordersADay, orders - day * ordersADay), new Date(since.getTime() + day * 86_400_000))
    watch((day + 1) / days, Math.min(orders, (day + 1) * ordersADay))
  }
  past.end()
  await postgres.runLong('VACUUM (ANALYZE)')
}

/** Buyers who buy one code after the other, and how long each waited from the first press to the order. */
function sendBuyers({ wire, stock, clients }: { wire: Clients; stock: seeds.Stock; clients: number }) {
  const diary = new Diary()
  const waits: Wait[] = []
  let phase = alone
  let isOver = false
  const buyers = stock.shoppers.slice(0, clients).map(async ({ id, token }, number) => {
    const offer = stock.offers[number % 2]
    if (!offer) throw new Error('nothing is on sale')
    const body = { offerId: offer.id, quantity: 1, currency: 'USD' as const, amount: toMajor(offer.priceUsd) }
    while (!isOver) {
      const [key, began, pressedIn] = [randomUUID(), performance.now(), phase]
      const reply = await insist(diary, () => wire.call(checkoutApi.buyNow, { token, key, body }))
      waits.push({ phase: pressedIn, ms: performance.now() - began })
      if (reply.kind === 'done') diary.acknowledge(reply.value.order.id, id)
      else diary.complain(`${pressedIn}: ${reply.kind === 'refused' ? reply.code : reply.why}`)
      await sleep(pressPauseMs)
    }
  })
  return {
    diary,
    waits,
    phase<T>(name: string, work: () => Promise<T>): Promise<T> {
      phase = name
      return work()
    },
    async end() {
      isOver = true
      await Promise.all(buyers)
    },
  }
}

function describeWaits(waits: readonly Wait[], waitMs: number): Line[] {
  return [...Map.groupBy(waits, ({ phase }) => phase)].map(([phase, of]) => {
    const sorted = of.map(({ ms }) => ms).sort((a, b) => a - b)
    const longest = sorted.at(-1) ?? 0
    return {
      text: phase,
      value: `${count(of.length)} sales, half within ${Math.round(sorted[Math.floor(of.length / 2)] ?? 0)} ms, the longest ${Math.round(longest)} ms`,
      broken: longest > waitMs ? [`a sale waited ${Math.round(longest)} ms, more than ${waitMs}`] : [],
    }
  })
}

const lookEveryMs = 20

/** Sees which tables are locked so that sales have to wait, and about how long. */
async function watchLocks({ database }: DatabaseServer, closers: Closers) {
  const client = await database.pool.connect()
  let isOver = false
  const seen = new Map<string, number>()
  const watching = (async () => {
    for (let last = performance.now(); !isOver; await sleep(lookEveryMs)) {
      const { rows } = await client.query<{ lock: string }>(`
        SELECT DISTINCT relname || ' ' || mode AS lock FROM pg_locks JOIN pg_class ON pg_class.oid = relation
        WHERE granted AND locktype = 'relation' AND relkind = 'r' AND relnamespace = 'public'::regnamespace AND pg_locks.pid <> pg_backend_pid()
          AND mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`)
      const now = performance.now()
      for (const { lock } of rows) seen.set(lock, (seen.get(lock) ?? 0) + now - last)
      last = now
    }
  })()
  closers.push(() => {
    isOver = true
  })
  return {
    async end() {
      isOver = true
      await watching
      client.release()
    },
    seen: (): Line[] =>
      [...seen].map(([lock, ms]) => ({ text: `locked: ${lock}`, value: `about ${Math.round(ms)} ms altogether` })),
  }
}
