import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { buildWeb } from '../../scripts/build.mjs'
import { Database } from '../../server/src/platform/database/database.ts'
import { optionsOrExit } from '../command.ts'
import { measureAdmin } from './admin.ts'
import { measureBeside, measureBig } from './beside.ts'
import { type CheckoutRates, measureCheckouts, type Sides } from './checkouts.ts'
import { compareImports } from './import.ts'
import { measureNodes } from './nodes.ts'
import { clients, codesOnShelf, type Mode, type Options, readOptions, usage } from './options.ts'
import { measurePages } from './pages.ts'
import { findPgbench, howToGetPgbench } from './pgbench.ts'
import { pgbenchScript } from './pgbench-script.ts'
import { profileServer } from './profile.ts'
import { connections, measureReads, startBare } from './reads.ts'
import { type Seed, seed } from './seed.ts'
import { checkoutStatements } from './statements.ts'
import { makeStore, type RunningServer, type Store } from './store.ts'
import { printTable, type TableRow } from './table.ts'
import { compareVendure } from './vendure.ts'
import { measureWeb } from './web.ts'
import { measureYears } from './years.ts'

const memoryGoalMb = 200
const checkout = `checkout of one code, ${clients} clients`
const bareShop = 'bare Fastify + pg, nine statements in one call'
const vendure = 'Vendure 3.7, by its share of pgbench in an earlier run'
/** What an order of Vendure 3.7.2 took of the nine plain statements by pgbench, where both were measured in one run. */
const vendureShare = 9 / 1848

/** Each resolves to false where what it asks of the store was not kept. */
const benches: Record<Mode, (options: Options) => Promise<unknown>> = {
  usual: measureStore,
  big: measureBig,
  orders: measureStore,
  web: async (options) => {
    await buildPages()
    return measureWeb(options)
  },
  admin: measureAdmin,
  import: compareImports,
  nodes: measureNodes,
  profile: measureStore,
  years: measureYears,
  vendure: compareVendure,
}

const options = optionsOrExit({ readOptions, usage })
if (options.beside !== undefined) {
  await buildPages()
  await measureBeside(options.beside, options)
} else if ((await benches[options.mode](options)) === false) process.exitCode = 1

async function buildPages(): Promise<void> {
  if (!existsSync(join(import.meta.dirname, '../../web/build/server/index.js')))
    console.log('The pages are not built yet.')
  await buildWeb().catch((error: Error) => console.log(`${error.message} The home page is not measured.`))
}

async function measureStore(options: Options): Promise<void> {
  if (options.mode !== 'orders') await buildPages()
  const store = await makeStore()
  try {
    await measureSeeded(store, options)
  } finally {
    await store.remove()
  }
}

async function measureSeeded(store: Store, options: Options): Promise<void> {
  const { mode } = options
  // The first start makes the tables and the catalogue; nothing is measured while they are empty.
  const first = await store.open()
  await first.stop()
  const database = new Database({ url: store.databaseUrl, connections: 2, onIdleError: () => {} })
  console.log(`Seeding ${codesOnShelf.toLocaleString('en')} codes and past orders ...`)
  const seeded = await seed(database, { buyers: options.checkouts, codes: codesOnShelf, pastOrders: codesOnShelf })
  try {
    if (mode === 'profile') {
      await profileServer(store, seeded, options)
      return
    }
    const program = findPgbench()
    if (!program) console.log(howToGetPgbench)
    const pgbench = program && { program, script: pgbenchScript(await checkoutStatements(store, database), clients) }
    const bench = { store, seeded, pgbench: pgbench || undefined, options }
    const rows = await measureRows(bench)
    if (mode !== 'orders') console.log('Measuring checkouts beside new pages ...')
    const pages = mode === 'orders' ? undefined : await measurePages(store, seeded, options)
    printTable(pages ? [...rows, pages] : rows)
    await seeded.proveSales()
  } finally {
    seeded.end()
    await database.close()
  }
}

interface Bench {
  store: Store
  seeded: Seed
  pgbench: Sides['pgbench']
  options: Options
}

/** Measures purchases beside the bare shop, which runs only as long. */
async function measurePurchases({ store, seeded, pgbench, options }: Bench, server: RunningServer) {
  const { databaseUrl } = store
  const bare = await startBare({ databaseUrl, answers: [] })
  try {
    return await measureCheckouts({ server, databaseUrl, bareUrl: bare.url, seed: seeded, pgbench }, options)
  } finally {
    bare.stop()
  }
}

async function measureRows(bench: Bench): Promise<TableRow[]> {
  const { store, options } = bench
  const server = await store.open()
  const idleMb = server.memoryMb()
  console.log(`Measuring ${options.rounds} rounds of ${options.checkouts} checkouts ...`)
  const rates = await measurePurchases(bench, server)
  if (options.mode === 'orders') {
    await server.stop()
    return orderRows(rates)
  }
  console.log(`Measuring reads, ${connections} connections ...`)
  const reads = await measureReads(store, server, options)
  const rows: TableRow[] = [
    ...orderRows(rates),
    ...(rates.plain === undefined ? [] : [againstPlain(rates.ours, rates.plain)]),
    {
      what: 'checkout of 20 codes in one line',
      ours: rates.twenties,
      unit: '/s',
      against: 'checkout of one code',
      theirs: rates.ours,
      goal: 0.5,
    },
    {
      what: checkout,
      ours: rates.ours,
      unit: '/s',
      against: 'pgbench, the same statements',
      theirs: rates.pgbench,
      goal: 0.7,
    },
    { what: 'half of the checkouts within', ours: rates.p50Ms, unit: ' ms', against: '' },
    { what: '99 % of the checkouts within', ours: rates.p99Ms, unit: ' ms', against: '' },
    ...reads,
    { what: 'start', ours: server.startMs, unit: ' ms', against: '' },
    { what: 'memory after the start', ours: idleMb, unit: ' MB', against: '' },
    { what: 'memory after everything', ours: server.memoryMb(), unit: ' MB', against: '', goal: memoryGoalMb },
  ]
  await server.stop()
  return rows
}

/** An order in one call has the goals; that of a cart stands below it. */
function orderRows({ now, orders, bare, plain }: CheckoutRates): TableRow[] {
  const ways: [string, number[], { bare?: number; vendure?: number }][] = [
    [`order of one code, buy-now, one call, ${clients} clients`, now, { bare: 0.5, vendure: 60 }],
    [`order of one code, cart and pay, ${clients} clients`, orders, {}],
  ]
  return ways.flatMap(([what, ours, goals]) => {
    const row: TableRow = { what, ours, unit: '/s', against: bareShop, theirs: bare, goal: goals.bare }
    if (plain === undefined) return [row]
    const theirs = plain.map((rate) => rate * vendureShare)
    return [row, { ...row, what: 'the same', against: vendure, theirs, goal: goals.vendure }]
  })
}

/** Without a goal: the statements of the store alone would not reach it (decision 076). */
function againstPlain(ours: number[], theirs: number[]): TableRow {
  return { what: checkout, ours, unit: '/s', against: 'pgbench, nine plain statements', theirs }
}
