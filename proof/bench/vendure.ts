import { execFile, spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../../scripts/run.mjs'
import { freePort } from '../../server/src/platform/embedded/supervisor.ts'
import { endProcess, makeDataFolder } from '../process.ts'
import { bareScript } from './bare-shop.ts'
import { type Closers, openSide, type Side, withClosers } from './beside.ts'
import type { Bought } from './buy.ts'
import { type Client, firstBuyer } from './buyers.ts'
import { buy, perSecond } from './checkouts.ts'
import { clients, codesOnShelf, type Options } from './options.ts'
import { findPgbench, howToGetPgbench, runPgbench } from './pgbench.ts'
import { untilAnswered } from './store.ts'
import { printTable, type TableRow } from './table.ts'
import type { VendureOrder } from './vendure-shop.ts'

// Fetched when it is asked for, and never part of the store: see docs/decisions/080-vendure-is-measured-beside.md.
const version = '3.7.2'
const packages = [`@vendure/core@${version}`, 'pg@8.16.3']
const fillWithinMs = 600_000
/** Orders of Vendure in a round: it takes longer for them than the store for thousands. */
const ordersAtMost = 480

interface Vendure {
  /** Buys so many codes, one for each of the first customers. */
  buy(count: number): Promise<Bought>
}

/**
 * Whole orders of the store and of Vendure by turns on one PostgreSQL, and `pgbench` with nine plain statements. Vendure is
 * set up as its own installer does it, with its worker, and its three calls are as few as it needs: into the cart, to
 * the payment, paid. Throws unless each order was paid and kept.
 */
export const compareVendure = (options: Options): Promise<void> =>
  withClosers(async (closers) => {
    const folder = await makeDataFolder('vendure')
    closers.push(() => rm(folder, { recursive: true, force: true }))
    await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, ...packages])
    const size = { buyers: options.checkouts, codes: codesOnShelf, pastOrders: codesOnShelf }
    const { store, server, seeded } = await openSide(root, size, closers)
    await seeded.refill(0)
    await buy(server.url, Math.min(size.buyers, 1_600), { kind: 'now', offer: seeded.offer })
    console.log('Filling Vendure ...')
    const customers = Math.min(options.checkouts, ordersAtMost)
    const vendure = await openVendure(seeded.client, { folder, databaseUrl: store.databaseUrl, customers }, closers)
    await vendure.buy(customers)
    console.log(`Measuring ${options.rounds} rounds ...`)
    const rounds = await measure({ store, server, seeded, vendure, customers }, options)
    await seeded.proveSales()
    await proveVendure(seeded.client, customers * (options.rounds + 1))
    printTable(toRows(rounds))
  })

interface Sides extends Pick<Side, 'store' | 'server' | 'seeded'> {
  vendure: Vendure
  customers: number
}

interface Rounds {
  nows: Bought[]
  carts: Bought[]
  theirs: Bought[]
  /** Transactions a second; none where pgbench is not installed. */
  plain: number[]
}

async function measure({ store, server, seeded, vendure, customers }: Sides, { checkouts, rounds }: Options) {
  const { offer } = seeded
  const program = findPgbench()
  if (!program) console.log(howToGetPgbench)
  const done: Rounds = { nows: [], carts: [], theirs: [], plain: [] }
  for (let round = 0; round < rounds; round++) {
    const cartVersion = await seeded.refill(0)
    const run = {
      databaseUrl: store.databaseUrl,
      script: bareScript(clients),
      clients,
      checkouts,
      firstBuyer,
      cartVersion,
    }
    if (program) done.plain.push(await runPgbench({ ...run, program }))
    await seeded.refill(0)
    done.nows.push(await buy(server.url, checkouts, { kind: 'now', offer }))
    await seeded.refill(0)
    done.carts.push(await buy(server.url, checkouts, { kind: 'order', offer }))
    await seeded.refill(0)
    done.theirs.push(await vendure.buy(customers))
  }
  return done
}

function toRows({ nows, carts, theirs, plain }: Rounds): TableRow[] {
  const toMs = (some: Bought[]) => some.map(({ p50Ms }) => p50Ms)
  const against = `Vendure ${version}, three calls`
  const now = {
    what: `order of one code, buy-now, one call, ${clients} clients`,
    ours: nows.map(perSecond),
    unit: '/s',
  }
  const cart = { what: `order of one code, cart and pay, ${clients} clients`, ours: carts.map(perSecond), unit: '/s' }
  return [
    { ...now, against, theirs: theirs.map(perSecond) },
    { ...cart, against, theirs: theirs.map(perSecond) },
    { what: 'half of the orders within, cart and pay', ours: toMs(carts), unit: ' ms', against, theirs: toMs(theirs) },
    ...(plain.length > 0 ? [{ ...now, against: 'pgbench, nine plain statements', theirs: plain }] : []),
  ]
}

/** Makes Vendure's tables beside those of the store, starts it with its worker, and logs every customer in. */
async function openVendure(
  client: Client,
  { folder, databaseUrl, customers }: Pick<VendureOrder, 'folder' | 'databaseUrl' | 'customers'>,
  closers: Closers,
): Promise<Vendure> {
  await client.query('CREATE SCHEMA vendure')
  const port = await freePort()
  const toProgram = (part: VendureOrder['part']) => {
    const order: VendureOrder = { folder, databaseUrl, customers, port, part }
    return [join(import.meta.dirname, 'vendure-shop.ts'), JSON.stringify(order)]
  }
  // It tells its makers of each start otherwise, under a number that it leaves in the folder it runs in.
  const alone = { cwd: folder, env: { PATH: process.env.PATH, VENDURE_DISABLE_TELEMETRY: 'true' } }
  const start = (part: 'shop' | 'worker') =>
    spawn(process.execPath, toProgram(part), { ...alone, stdio: ['ignore', 'ignore', 'inherit'] })
  await promisify(execFile)(process.execPath, toProgram('fill'), { ...alone, timeout: fillWithinMs })
  await logIn(client)
  const { rows } = await client.query('SELECT id FROM vendure.product_variant')
  await client.query('VACUUM (ANALYZE)')
  const url = `http://127.0.0.1:${port}`
  const shop = start('shop')
  closers.push(() => endProcess(shop, 'SIGKILL'))
  await untilAnswered(`${url}/health`, shop)
  const worker = start('worker')
  closers.push(() => endProcess(worker, 'SIGKILL'))
  return { buy: (count) => buy(url, count, { kind: 'vendure', variant: rows[0].id }) }
}

/** Gives each customer a session whose token is the one that `readToken` says. */
async function logIn(client: Client): Promise<void> {
  await client.query(
    `INSERT INTO vendure.session (token, expires, invalidated, "authenticationStrategy", "activeChannelId", type, "userId")
    SELECT 'bench-' || $1::int + row_number() OVER (ORDER BY "userId") - 1, now() + interval '1 year', false, 'native',
      (SELECT min(id) FROM vendure.channel), 'AuthenticatedSession', "userId"
    FROM vendure.customer`,
    [firstBuyer],
  )
}

/** Throws unless so many orders were paid. */
async function proveVendure(client: Client, orders: number): Promise<void> {
  const { rows } = await client.query(`SELECT state, count(*)::int AS count FROM vendure."order" GROUP BY state`)
  if (rows.length === 1 && rows[0].state === 'PaymentSettled' && rows[0].count === orders) return
  throw new Error(`Vendure paid other orders than ${orders}: ${JSON.stringify(rows)}`)
}
