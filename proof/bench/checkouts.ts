import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Bought, Purchases } from './buy.ts'
import { clients, type Options } from './options.ts'
import { runPgbench } from './pgbench.ts'
import type { Script } from './pgbench-script.ts'
import { firstBuyer, type Seed } from './seed.ts'
import type { RunningServer } from './store.ts'
import { median } from './table.ts'

export interface CheckoutRates {
  ours: number
  pgbench: number | undefined
  p50Ms: number
  p99Ms: number
  memoryMb: number
}

export interface Sides {
  server: RunningServer
  databaseUrl: string
  seed: Seed
  /** None where pgbench is not installed. */
  pgbench: { program: string; script: Script } | undefined
}

/** Checkouts of one code by 16 clients: through the server, and the same statements by pgbench, in turn. */
export async function measureCheckouts(sides: Sides, { checkouts, rounds }: Options): Promise<CheckoutRates> {
  const { server, databaseUrl, seed, pgbench } = sides
  await seed.refill()
  await buy(server, Math.min(checkouts, 1_600))

  const runs: Bought[] = []
  const theirs: number[] = []
  for (let round = 0; round < rounds; round++) {
    if (pgbench) {
      const cartVersion = await seed.refill()
      theirs.push(await runPgbench({ ...pgbench, databaseUrl, clients, checkouts, firstBuyer, cartVersion }))
    }
    await seed.refill()
    runs.push(await buy(server, checkouts))
  }
  return {
    ours: median(runs.map((run) => run.ok / run.seconds)),
    pgbench: pgbench && median(theirs),
    p50Ms: median(runs.map((run) => run.p50Ms)),
    p99Ms: median(runs.map((run) => run.p99Ms)),
    memoryMb: server.memoryMb(),
  }
}

/** Buys from a process of its own, until all is bought or `signal` ends it. Throws when a purchase was refused. */
export async function buy(server: RunningServer, count: number, signal?: AbortSignal): Promise<Bought> {
  const purchases: Purchases = { port: Number(new URL(server.url).port), firstBuyer, count, clients }
  const program = [join(import.meta.dirname, 'buy.ts'), JSON.stringify(purchases)]
  const { stdout } = await promisify(execFile)(process.execPath, program, { signal })
  const bought: Bought = JSON.parse(stdout)
  if (bought.ok !== count) throw new Error(`refused: ${JSON.stringify(bought.refused)}`)
  return bought
}
