import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from '../../scripts/run.mjs'
import { Database } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/queries.ts'
import { buy } from './checkouts.ts'
import { clients, codesOnShelf, type Options } from './options.ts'
import { databaseMs, findPostmaster } from './processor-time.ts'
import { listReads, toRate } from './reads.ts'
import { type Seed, type Size, seed } from './seed.ts'
import { makeStore, type RunningServer, type Store } from './store.ts'
import { median, printCells, printTable, type TableRow, toRatio } from './table.ts'

const big = 1_000_000
const bigGoal = 0.95
/** Checkouts of twenty codes in a round: the shelf must not run out before its end. */
const mostTwenties = (codesOnShelf * 0.8) / 20

export interface Side {
  store: Store
  server: RunningServer
  seeded: Seed
  /** As its owner. */
  database: Database
  /** Its processor time so far in milliseconds, of the server and of PostgreSQL. */
  spent(): [server: number, postgres: number]
}

/** What a round did, in how much time. */
interface Done {
  count: number
  seconds: number
}

/** What is measured of each side. */
interface Work {
  what: string
  /** Whether a round goes before those that are measured. */
  isWarmedUp?: boolean
  /** Makes ready for a round, which is not measured. */
  prepare?(side: Side): Promise<unknown>
  /** Does one round. */
  run(side: Side): Promise<Done>
  /** The smallest share of the other side's rate that is good enough. */
  goal?: number
}

interface Round {
  rate: number
  /** Milliseconds of the processor for one, of the server and of PostgreSQL. */
  cost: [server: number, postgres: number]
  /** Bytes of the write-ahead log for one: what is written, archived and sent to standbys. */
  wal: number
}

async function doRound(side: Side, work: Work): Promise<Round> {
  await work.prepare?.(side)
  const walBefore = await readWal(side)
  const [server, postgres] = side.spent()
  const { count, seconds } = await work.run(side)
  const [serverAfter, postgresAfter] = side.spent()
  const wal = ((await readWal(side)) - walBefore) / count
  return { rate: count / seconds, cost: [(serverAfter - server) / count, (postgresAfter - postgres) / count], wal }
}

/** How many bytes of the write-ahead log there have been. */
async function readWal({ database }: Side): Promise<number> {
  const { bytes } = await database.one<{ bytes: number }>(sql`
    SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint AS bytes`)
  return bytes
}

/** What ends the sides, in the order they were opened. */
export type Closers = (() => Promise<unknown> | unknown)[]

/**
 * Measures this store and that of another checkout, whose packages are installed, by turns in one run, each on a database
 * of its own: so that a change can be held against what was there before it.
 */
export const measureBeside = (checkout: string, options: Options): Promise<void> =>
  withClosers(async (closers) => {
    const size = smallSize(options)
    const ours = await openSide(root, size, closers)
    const theirs = await openSide(resolve(checkout), size, closers)
    const works: Work[] = sales(options)
    const pages = await Promise.all([ours, theirs].map(({ server }) => fetch(server.url)))
    for (const path of await listReads(ours.server.url)) {
      if (path === '/' && !pages.every(({ ok }) => ok)) console.log('The pages are not built on both sides.')
      else works.push(read(path, options))
    }
    await measureSides([ours, theirs], works, { ...options, against: 'the other checkout' })
  })

/** Measures what a sale costs with a million codes and orders, by turns with a store that has ten thousand of each. */
export const measureBig = (options: Options): Promise<void> =>
  withClosers(async (closers) => {
    console.log(`Seeding ${big.toLocaleString('en')} codes and past orders ...`)
    const ours = await openSide(root, { buyers: options.checkouts, codes: big, pastOrders: big }, closers)
    const theirs = await openSide(root, smallSize(options), closers)
    for (const side of [ours, theirs]) await proveOnce(side)
    const steady = sales(options, { checkpoint: false })
    const works = [
      ...sales(options).map((work) => ({ ...work, what: `${work.what}, just after a checkpoint` })),
      ...steady.map((work) => ({ ...work, isWarmedUp: true, goal: bigGoal })),
    ]
    await measureSides([ours, theirs], works, { ...options, against: `with ${codesOnShelf.toLocaleString('en')}` })
    for (const { seeded } of [ours, theirs]) await seeded.proveSales()
  })

/**
 * Waits until the store has proved all that it was filled with, and closed those days, as one that grew has long done: the
 * first proof of a million orders takes half of a core for minutes. What a proof of the open days takes is measured by `years`.
 */
async function proveOnce({ database }: Side): Promise<void> {
  console.log('Waiting for the first proof ...')
  const hasProved = sql`
    SELECT FROM ledger_proof WHERE (SELECT max(day) FROM closed_day) >= (now() AT TIME ZONE 'UTC')::date - 1
      OR NOT EXISTS (SELECT FROM transfer WHERE created_at < (now() AT TIME ZONE 'UTC')::date AT TIME ZONE 'UTC')
      -- It closes no day where a transaction runs for a minute, and then tries again in an hour.
      OR proved_at < now() - interval '2 minutes'`
  while (!(await database.maybe(hasProved))) await sleep(1_000)
}

/** Measures, and closes at last what was opened meanwhile, the latest first. */
export async function withClosers(measure: (closers: Closers) => Promise<void>): Promise<void> {
  const closers: Closers = []
  try {
    await measure(closers)
  } finally {
    for (const close of closers.reverse()) await close()
  }
}

const smallSize = ({ checkouts }: Options): Size => ({
  buyers: checkouts,
  codes: codesOnShelf,
  pastOrders: codesOnShelf,
})

function sales({ checkouts }: Options, { checkpoint } = { checkpoint: true }): Work[] {
  const sell = (kind: 'order' | 'pay', inCart: number, count: number): Omit<Work, 'what'> => ({
    prepare: ({ seeded }) => seeded.refill(inCart, { checkpoint }),
    async run({ server, seeded }) {
      const { ok, seconds } = await buy(server.url, count, kind === 'pay' ? { kind } : { kind, offer: seeded.offer })
      return { count: ok, seconds }
    },
  })
  return [
    { what: `order of one code, cart and pay, ${clients} clients`, ...sell('order', 0, checkouts) },
    { what: 'checkout of one code', ...sell('pay', 1, checkouts) },
    { what: 'checkout of 20 codes in one line', ...sell('pay', 20, Math.min(checkouts, mostTwenties)) },
  ]
}

const read = (path: string, { seconds }: Options): Work => ({
  what: `GET ${path}`,
  run: async ({ server }) => ({ count: (await toRate(server.url + path, seconds)) * seconds, seconds }),
})

/** Does each work by turns on both sides, each first in every other round, and prints how the first compares with the other. */
async function measureSides(
  [ours, theirs]: readonly [Side, Side],
  works: readonly Work[],
  { rounds, against }: { rounds: number; against: string },
): Promise<void> {
  const rows: TableRow[] = []
  const costs = [
    ['processor time of one', 'server', 'PostgreSQL', 'its server', 'its PostgreSQL', 'ratio', 'log', 'its log'],
  ]
  for (const work of works) {
    const { what, goal } = work
    console.log(`Measuring ${rounds} rounds: ${what} ...`)
    const [own, other]: [Round[], Round[]] = [[], []]
    if (work.isWarmedUp) for (const side of [ours, theirs]) await doRound(side, work)
    for (let round = 0; round < rounds; round++) {
      const first = async () => own.push(await doRound(ours, work))
      const second = async () => other.push(await doRound(theirs, work))
      for (const turn of round % 2 === 0 ? [first, second] : [second, first]) await turn()
    }
    const toRates = (done: Round[]) => done.map(({ rate }) => rate)
    rows.push({ what, ours: toRates(own), unit: '/s', against, theirs: toRates(other), goal })
    costs.push(toCosts(what, own, other))
  }
  printTable(rows)
  printCells(costs)
  console.log(`Memory: ${Math.round(ours.server.memoryMb())} MB, the other ${Math.round(theirs.server.memoryMb())} MB`)
}

/** Says in medians what one costs here and there, and the ratio: other work on the machine hardly counts. */
function toCosts(what: string, own: readonly Round[], other: readonly Round[]): string[] {
  const parts = (done: readonly Round[]) => [0, 1].map((part) => median(done.map(({ cost }) => cost[part] ?? 0)))
  const both = (done: readonly Round[]) => done.map(({ cost: [server, postgres] }) => server + postgres)
  const shown = (ms: number) => `${ms.toFixed(ms < 0.1 ? 3 : 2)} ms`
  return [
    what,
    ...parts(own).map(shown),
    ...parts(other).map(shown),
    `${Math.round(toRatio(both(own), both(other)) * 100)} %`,
    ...[own, other].map((done) => `${(median(done.map(({ wal }) => wal)) / 1024).toFixed(1)} kB`),
  ]
}

/** Opens a server of the checkout on a full database; `closers` get what ends it, in order. */
export async function openSide(checkout: string, size: Size, closers: Closers): Promise<Side> {
  const store = await makeStore(checkout)
  closers.push(store.remove)
  const first = await store.open()
  await first.stop()
  const database = new Database({ url: store.databaseUrl, connections: 2, onIdleError: () => {} })
  closers.push(() => database.close())
  const seeded = await seed(database, size)
  closers.push(seeded.end)
  const server = await store.open()
  closers.push(server.stop)
  await seeded.refill(0)
  await buy(server.url, Math.min(size.buyers, 1_600), { kind: 'order', offer: seeded.offer })
  const { backend } = await database.one<{ backend: number }>(sql`SELECT pg_backend_pid() AS backend`)
  const postmaster = findPostmaster(backend)
  return { store, server, seeded, database, spent: () => [server.processorMs(), databaseMs(postmaster)] }
}
