import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bareScript } from './bare-shop.ts'
import type { Bought, Purchases, Way } from './buy.ts'
import { firstBuyer } from './buyers.ts'
import { clients, type Options } from './options.ts'
import { runPgbench } from './pgbench.ts'
import type { Script } from './pgbench-script.ts'
import type { Seed } from './seed.ts'
import type { RunningServer } from './store.ts'

/** A figure of each round. */
export interface CheckoutRates {
  /** Checkouts a second: the cart is full. */
  ours: number[]
  p50Ms: number[]
  p99Ms: number[]
  /** The statements of a checkout by pgbench, and nine plain ones. */
  pgbench: number[] | undefined
  plain: number[] | undefined
  /** Whole orders a second: the code is put into the cart first. */
  orders: number[]
  /** Orders a second by one call each, past the cart. */
  now: number[]
  /** Codes a second of the bare shop. */
  bare: number[]
  /** Checkouts a second of twenty codes in one line. */
  twenties: number[]
}

export interface Sides {
  server: RunningServer
  databaseUrl: string
  bareUrl: string
  seed: Seed
  /** None where pgbench is not installed. */
  pgbench: { program: string; script: Script } | undefined
}

const many = 20

/**
 * Purchases by 16 clients: through the server, by the bare shop, and by pgbench, in turn. Every round begins with a full
 * shelf, and with full carts, or empty ones for whole orders; these alone where nothing else is wanted.
 */
export async function measureCheckouts(sides: Sides, { checkouts, rounds, mode }: Options): Promise<CheckoutRates> {
  const isOrders = mode === 'orders'
  const { server, bareUrl, databaseUrl, seed, pgbench } = sides
  const pay = { kind: 'pay' } as const
  const order = { kind: 'order', offer: seed.offer } as const
  const now = { kind: 'now', offer: seed.offer } as const
  await seed.refill(0)
  await buy(server.url, Math.min(checkouts, 1_600), order)
  await buy(server.url, Math.min(checkouts, 1_600), now)
  await buy(bareUrl, Math.min(checkouts, 1_600), { kind: 'bare' })

  const runs: Bought[] = []
  const orders: Bought[] = []
  const nows: Bought[] = []
  const bare: Bought[] = []
  const twenties: Bought[] = []
  const theirs: number[] = []
  const plain: number[] = []
  for (let round = 0; round < rounds; round++) {
    if (pgbench) {
      const run = { program: pgbench.program, databaseUrl, clients, checkouts, firstBuyer }
      const cartVersion = await seed.refill()
      if (!isOrders) {
        theirs.push(await runPgbench({ ...run, script: pgbench.script, cartVersion }))
        await seed.refill()
      }
      plain.push(await runPgbench({ ...run, script: bareScript(clients), cartVersion }))
    }
    if (!isOrders) {
      await seed.refill()
      runs.push(await buy(server.url, checkouts, pay))
    }
    await seed.refill(0)
    orders.push(await buy(server.url, checkouts, order))
    await seed.refill(0)
    nows.push(await buy(server.url, checkouts, now))
    await seed.refill(0)
    bare.push(await buy(bareUrl, checkouts, { kind: 'bare' }))
    if (isOrders) continue
    await seed.refill(many)
    twenties.push(await buy(server.url, Math.floor(checkouts / many), pay))
  }
  return {
    ours: runs.map(perSecond),
    p50Ms: runs.map((run) => run.p50Ms),
    p99Ms: runs.map((run) => run.p99Ms),
    pgbench: pgbench && theirs,
    plain: pgbench && plain,
    orders: orders.map(perSecond),
    now: nows.map(perSecond),
    bare: bare.map(perSecond),
    twenties: twenties.map(perSecond),
  }
}

/**
 * Buys from a process of its own, until all is bought or `signal` ends it. Throws when a purchase was refused. All
 * clients buy for the first buyers, unless it is said who else.
 */
export async function buy(
  url: string,
  count: number,
  way: Way = { kind: 'pay' },
  { signal, ...who }: { signal?: AbortSignal; firstBuyer?: number; clients?: number } = {},
): Promise<Bought> {
  const purchases: Purchases = { port: Number(new URL(url).port), firstBuyer, count, clients, way, ...who }
  const program = [join(import.meta.dirname, 'buy.ts'), JSON.stringify(purchases)]
  const { stdout } = await promisify(execFile)(process.execPath, program, { signal })
  const bought: Bought = JSON.parse(stdout)
  if (bought.ok !== count) throw new Error(`refused: ${JSON.stringify(bought.refused)}`)
  return bought
}

/** How many were bought a second. */
export const perSecond = ({ ok, seconds }: Bought): number => ok / seconds
