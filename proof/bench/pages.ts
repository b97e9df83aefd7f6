import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { buy } from './checkouts.ts'
import { clients, type Options } from './options.ts'
import type { Seed } from './seed.ts'
import type { Store } from './store.ts'
import type { TableRow } from './table.ts'

const askers = 50
/** As many pages as an address may ask for at once are used up by then. */
const burstMs = 2_000
/** The slowest may become a fifth slower. */
const goal = 1 / 1.2

/**
 * Checkouts by 16 clients, alone and beside 50 connections that ask for pages which nobody asked for before, of a node that
 * limits them as every store does.
 */
export async function measurePages(
  store: Store,
  seeded: Seed,
  { checkouts, rounds }: Options,
): Promise<TableRow | undefined> {
  const server = await store.open({ settings: { RATE_LIMITS: 'on' } })
  try {
    if (!(await fetch(server.url)).ok) return undefined
    const sell = async () => {
      await seeded.refill(1)
      return (await buy(server.url, checkouts)).p99Ms
    }
    await sell()
    const [alone, beside]: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      alone.push(await sell())
      const asking = fork(fileURLToPath(new URL('./ask-pages.ts', import.meta.url)), [server.url, String(askers)])
      await once(asking, 'message')
      await sleep(burstMs)
      beside.push(await sell().finally(() => asking.kill()))
    }
    const what = `99 % of the checkouts within, ${clients} clients`
    const against = `the same beside ${askers} connections asking for new pages`
    return { what, ours: alone, unit: ' ms', against, theirs: beside, goal }
  } finally {
    await server.stop()
  }
}
