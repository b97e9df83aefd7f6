import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { buy } from './checkouts.ts'
import type { Options } from './options.ts'
import { listReads, toRate } from './reads.ts'
import type { Seed } from './seed.ts'
import type { RunningServer, Store } from './store.ts'
import { printCells } from './table.ts'

/** A .cpuprofile of Node, as far as it is read here. Times are microseconds. */
interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[]
  samples: number[]
  timeDeltas: number[]
}

const shown = 15

/**
 * Profiles the thread that sells (`node --cpu-prof`), under orders and under each of the reads by itself, and prints the
 * functions in which it spent most time of their own. What the start took is left out.
 */
export async function profileServer(store: Store, seeded: Seed, { checkouts, seconds }: Options): Promise<void> {
  await profile(store, `${checkouts} orders, cart and pay`, async ({ url }) => {
    await seeded.refill(0)
    await buy(url, checkouts, { kind: 'order', offer: seeded.offer })
  })
  await profile(store, `${checkouts} orders, buy-now`, async ({ url }) => {
    await seeded.refill(0)
    await buy(url, checkouts, { kind: 'now', offer: seeded.offer })
  })
  const server = await store.open()
  const reads = await listReads(server.url).finally(server.stop)
  for (const path of reads) {
    await profile(store, `GET ${path} for ${seconds} s`, async ({ url }) => void (await toRate(url + path, seconds)))
  }
}

async function profile(store: Store, what: string, work: (server: RunningServer) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'olmos-profile-'))
  try {
    const server = await store.open({ profile: folder })
    await work(server).finally(server.stop)
    // The thread that renders pages has a file of its own, with another number before the last.
    const file = (await readdir(folder)).find((name) => /^CPU\.\d+\.\d+\.\d+\.0\./.test(name))
    if (!file) throw new Error('the server left no profile')
    console.log(`\n${what}: the server's own time by function`)
    printTop(JSON.parse(await readFile(join(folder, file), 'utf8')), server.startMs)
  } finally {
    await rm(folder, { recursive: true })
  }
}

function printTop({ nodes, samples, timeDeltas }: CpuProfile, startMs: number): void {
  const places = new Map(nodes.map(({ id, callFrame }) => [id, toPlace(callFrame)]))
  const spent = new Map<string, number>()
  let [at, busy] = [0, 0]
  for (const [index, id] of samples.entries()) {
    const took = timeDeltas[index] ?? 0
    at += took
    const place = places.get(id) ?? ''
    if (at < startMs * 1_000 || place === '(idle)') continue
    busy += took
    spent.set(place, (spent.get(place) ?? 0) + took)
  }
  const top = [...spent].sort(([, a], [, b]) => b - a).slice(0, shown)
  const rows = top.map(([place, took]) => [
    place,
    `${((100 * took) / busy).toFixed(1)} %`,
    `${Math.round(took / 1_000)} ms`,
  ])
  printCells([['function', 'of its time', ''], ...rows])
}

const toPlace = ({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string =>
  url ? `${functionName || '(anonymous)'} ${basename(url)}:${lineNumber + 1}` : functionName || '(native)'
