import { resolve } from 'node:path'
import { root } from '../../scripts/run.mjs'
import { Database } from '../../server/src/platform/database/database.ts'
import { buy } from './checkouts.ts'
import { clients, codesOnShelf, type Options } from './options.ts'
import { listReads, toRate } from './reads.ts'
import { type Seed, seed } from './seed.ts'
import { makeStore, type RunningServer, type Store } from './store.ts'
import { median, printTable, type TableRow } from './table.ts'

interface Side {
  store: Store
  server: RunningServer
  seeded: Seed
}

/** What is measured of each side, a round. */
type Work = (side: Side) => Promise<number>

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
        return ok / seconds
      }
    const works: [string, Work][] = [
      [`order of one code, cart and pay, ${clients} clients`, sell('order', 0, checkouts)],
      ['checkout of one code', sell('pay', 1, checkouts)],
      ['checkout of 20 codes in one line', sell('pay', 20, Math.floor(checkouts / 20))],
    ]
    const pages = await Promise.all([ours, theirs].map(({ server }) => fetch(server.url)))
    for (const path of await listReads(ours.server.url)) {
      if (path === '/' && !pages.every(({ ok }) => ok)) console.log('The pages are not built on both sides.')
      else works.push([`GET ${path}`, ({ server }) => toRate(server.url + path, seconds)])
    }
    const rows: TableRow[] = []
    for (const [what, work] of works) {
      console.log(`Measuring ${rounds} rounds: ${what} ...`)
      const [own, other]: [number[], number[]] = [[], []]
      for (let round = 0; round < rounds; round++) {
        own.push(await work(ours))
        other.push(await work(theirs))
      }
      rows.push({ what, ours: median(own), unit: '/s', against: 'the other checkout', theirs: median(other) })
    }
    printTable(rows)
    console.log(
      `Memory: ${Math.round(ours.server.memoryMb())} MB, the other ${Math.round(theirs.server.memoryMb())} MB`,
    )
  } finally {
    for (const close of closers.reverse()) await close()
  }
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
  const database = new Database({ url: store.databaseUrl, connections: 1, onIdleError: () => {} })
  closers.push(() => database.close())
  const seeded = await seed(database, { buyers: checkouts, codes: codesOnShelf, pastOrders: codesOnShelf })
  closers.push(seeded.end)
  const server = await store.open()
  closers.push(server.stop)
  await seeded.refill(0)
  await buy(server.url, Math.min(checkouts, 1_600), { kind: 'order', offer: seeded.offer })
  return { store, server, seeded }
}
