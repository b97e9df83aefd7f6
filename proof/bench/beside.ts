import { resolve } from 'node:path'
import { root } from '../../scripts/run.mjs'
import { Database } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/queries.ts'
import { buy } from './checkouts.ts'
import { clients, codesOnShelf, type Options } from './options.ts'
import { databaseMs, findPostmaster } from './processor-time.ts'
import { listReads, toRate } from './reads.ts'
import { type Seed, seed } from './seed.ts'
import { makeStore, type RunningServer, type Store } from './store.ts'
import { median, printCells, printTable, type TableRow } from './table.ts'

interface Side {
  store: Store
  server: RunningServer
  seeded: Seed
  /** Its processor time so far in milliseconds, of the server and of PostgreSQL. */
  spent(): [server: number, postgres: number]
}

/** What a round did, in how much time. */
interface Done {
  count: number
  seconds: number
}

/** What is measured of each side, a round. */
type Work = (side: Side) => Promise<Done>

interface Round {
  rate: number
  /** Milliseconds of the processor for one, of the server and of PostgreSQL. */
  cost: [server: number, postgres: number]
}

async function doRound(side: Side, work: Work): Promise<Round> {
  const [server, postgres] = side.spent()
  const { count, seconds } = await work(side)
  const [serverAfter, postgresAfter] = side.spent()
  return { rate: count / seconds, cost: [(serverAfter - server) / count, (postgresAfter - postgres) / count] }
}

/**
 * Measures this store and that of another checkout, whose packages are installed, by turns in one run, each on a database
 * of its own: so that a change can be held against what was there before it.
 */
export async function measureBeside(checkout: string, options: Options): Promise<void> {
  const { checkouts, seconds, rounds } = options
  const closers: (() => Promise<unknown> | unknown)[] = []
  try {
    const ours = await openSide(root, options, closers)
    const theirs = await openSide(resolve(checkout), options, closers)
    const sell: (way: 'order' | 'pay', inCart: number, count: number) => Work =
      (kind, inCart, count) =>
      async ({ server, seeded }) => {
        await seeded.refill(inCart)
        const { ok, seconds } = await buy(server.url, count, kind === 'pay' ? { kind } : { kind, offer: seeded.offer })
        return { count: ok, seconds }
      }
    const works: [string, Work][] = [
      [`order of one code, cart and pay, ${clients} clients`, sell('order', 0, checkouts)],
      ['checkout of one code', sell('pay', 1, checkouts)],
      ['checkout of 20 codes in one line', sell('pay', 20, Math.floor(checkouts / 20))],
    ]
    const pages = await Promise.all([ours, theirs].map(({ server }) => fetch(server.url)))
    for (const path of await listReads(ours.server.url)) {
      if (path === '/' && !pages.every(({ ok }) => ok)) console.log('The pages are not built on both sides.')
      else {
        const ask: Work = async ({ server }) => ({
          count: (await toRate(server.url + path, seconds)) * seconds,
          seconds,
        })
        works.push([`GET ${path}`, ask])
      }
    }
    const rows: TableRow[] = []
    const costs: string[][] = [
      ['processor time of one', 'server', 'PostgreSQL', 'its server', 'its PostgreSQL', 'ratio'],
    ]
    for (const [what, work] of works) {
      console.log(`Measuring ${rounds} rounds: ${what} ...`)
      const [own, other]: [Round[], Round[]] = [[], []]
      for (let round = 0; round < rounds; round++) {
        own.push(await doRound(ours, work))
        other.push(await doRound(theirs, work))
      }
      const toRates = (done: Round[]) => median(done.map(({ rate }) => rate))
      rows.push({ what, ours: toRates(own), unit: '/s', against: 'the other checkout', theirs: toRates(other) })
      costs.push(toCosts(what, own, other))
    }
    printTable(rows)
    printCells(costs)
    console.log(
      `Memory: ${Math.round(ours.server.memoryMb())} MB, the other ${Math.round(theirs.server.memoryMb())} MB`,
    )
  } finally {
    for (const close of closers.reverse()) await close()
  }
}

/** Says in medians what one costs here and there, and the ratio: other work on the machine hardly counts. */
function toCosts(what: string, own: readonly Round[], other: readonly Round[]): string[] {
  const parts = (done: readonly Round[]) => [0, 1].map((part) => median(done.map(({ cost }) => cost[part] ?? 0)))
  const both = (done: readonly Round[]) => median(done.map(({ cost: [server, postgres] }) => server + postgres))
  const shown = (ms: number) => `${ms.toFixed(ms < 0.1 ? 3 : 2)} ms`
  return [
    what,
    ...parts(own).map(shown),
    ...parts(other).map(shown),
    `${Math.round((both(own) / both(other)) * 100)} %`,
  ]
}

/** Opens a server of the checkout on a full database; `closers` get what ends it, in order. */
async function openSide(
  checkout: string,
  { checkouts }: Options,
  closers: (() => Promise<unknown> | unknown)[],
): Promise<Side> {
  const store = await makeStore(checkout)
  closers.push(store.remove)
  const first = await store.open()
  await first.stop()
  const database = new Database({ url: store.databaseUrl, connections: 2, onIdleError: () => {} })
  closers.push(() => database.close())
  const seeded = await seed(database, { buyers: checkouts, codes: codesOnShelf, pastOrders: codesOnShelf })
  closers.push(seeded.end)
  const server = await store.open()
  closers.push(server.stop)
  await seeded.refill(0)
  await buy(server.url, Math.min(checkouts, 1_600), { kind: 'order', offer: seeded.offer })
  const { backend } = await database.one<{ backend: number }>(sql`SELECT pg_backend_pid() AS backend`)
  const postmaster = findPostmaster(backend)
  return { store, server, seeded, spent: () => [server.processorMs(), databaseMs(postmaster)] }
}
