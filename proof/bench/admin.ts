import { Database } from '../../server/src/platform/database/database.ts'
import { adminPages, type Page } from './admin-pages.ts'
import { buy } from './checkouts.ts'
import { measureExport } from './export.ts'
import { measureImport } from './import.ts'
import { type Seed, seed } from './seed.ts'
import { seedAdmin } from './seed-admin.ts'
import { makeStore, type RunningServer, type Store } from './store.ts'
import { median, printCells } from './table.ts'

const size = { codes: 1_000_000, pastOrders: 100_000, buyers: 150_000 }
/** More often than PostgreSQL needs to settle on a plan for a statement. */
const asks = 9
const goalMs = 300
/** Those that add up each order of their days, also the thousands that are bought while they are measured. */
const reports = ['/admin/profit', '/admin/service']
const reportGoalMs = 1_000
const importGoalSeconds = 60
/** Resident, with everything else that the server does. */
const exportGoalMb = 400

/** Asks for the first page of every list for admins, alone and while checkouts go on. Answers whether all came in time. */
export async function measureAdmin(): Promise<boolean> {
  const store = await makeStore()
  // The first start makes the tables and the catalogue.
  const first = await store.open()
  await first.stop()
  const database = new Database({ url: store.databaseUrl, connections: 1, onIdleError: () => {} })
  console.log(`Seeding ${size.codes.toLocaleString('en')} codes and ${size.pastOrders.toLocaleString('en')} orders ...`)
  const seeded = await seed(database, size)
  try {
    const { token, filled } = await seedAdmin(seeded)
    return await measurePages({ store, seeded, token, pages: await adminPages(filled), productId: filled.productId })
  } finally {
    seeded.end()
    await database.close()
    await store.remove()
  }
}

interface Bench {
  store: Store
  seeded: Pick<Seed, 'countOrders'>
  token: string
  pages: readonly Page[]
  /** What an import is for. */
  productId: number
}

async function measurePages({ store, seeded, token, pages, productId }: Bench): Promise<boolean> {
  const server = await store.open()
  try {
    await prove(server, token)
    console.log(`Asking for ${pages.length} pages, ${asks} times each ...`)
    const alone = await askAll(server, token, pages)
    console.log('The same while 16 clients buy ...')
    const before = await seeded.countOrders()
    const begun = performance.now()
    const busy = await whileBuying(server, () => askAll(server, token, pages))
    const rate = ((await seeded.countOrders()) - before) / ((performance.now() - begun) / 1000)
    const rows = pages.map(({ path }, at) => [
      path,
      ...toCells(alone[at] ?? [], goalMs),
      ...toCells(busy[at] ?? [], reports.includes(path.replace(/\?.*/, '')) ? reportGoalMs : goalMs),
    ])
    const late = rows.filter((row) => row.includes('over')).length
    printCells([['', 'median', 'worst', '', 'median, buying', 'worst', ''], ...rows])
    console.log(
      `${Math.round(rate)} checkouts a second went on. ${late} of ${rows.length} pages took over ${goalMs} ms, or over ${reportGoalMs} as a report beside purchases.`,
    )
    const isQuick = await importInTime(server, token, productId)
    const isFlat = await exportInFlatMemory(server, token)
    return late === 0 && isQuick && isFlat
  } finally {
    await server.stop()
  }
}

async function importInTime(server: RunningServer, token: string, productId: number): Promise<boolean> {
  const { lines, seconds, memoryMb, mostMemoryMb } = await measureImport(server, token, productId)
  const memory = `the server's memory went from ${Math.round(memoryMb)} to ${Math.round(mostMemoryMb)} MB at most`
  console.log(`An import of ${lines.toLocaleString('en')} lines takes ${seconds.toFixed(1)} s; ${memory}.`)
  return seconds <= importGoalSeconds
}

/** The stock as both kinds of file: what the server needs more for a million rows is what it needs for a few pages of them. */
async function exportInFlatMemory(server: RunningServer, token: string): Promise<boolean> {
  let isFlat = true
  for (const format of ['csv', 'xlsx'] as const) {
    const { megabytes, seconds, memoryMb, mostMemoryMb } = await measureExport(server, token, format)
    const memory = `the server's memory went from ${Math.round(memoryMb)} to ${Math.round(mostMemoryMb)} MB at most`
    console.log(
      `An export of the stock as ${format} (${Math.round(megabytes)} MB) takes ${seconds.toFixed(1)} s; ${memory}.`,
    )
    isFlat &&= mostMemoryMb <= exportGoalMb
  }
  return isFlat
}

/** So that there is something on the page of the proof. */
async function prove(server: RunningServer, token: string): Promise<void> {
  const ms = await toTime(server, token, { path: '/admin/ledger/proof', body: {} })
  console.log(`A look at the ledger and all invariants takes ${(ms / 1000).toFixed(1)} s.`)
}

async function whileBuying<T>(server: RunningServer, work: () => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const buying = buy(server.url, size.buyers, { kind: 'pay' }, { signal: stop.signal }).then(
    () => {
      throw new Error('everything was bought before all pages were asked for')
    },
    (error) => {
      if (!stop.signal.aborted) throw error
    },
  )
  const done = work().finally(() => stop.abort())
  await Promise.all([buying, done])
  return done
}

async function askAll(server: RunningServer, token: string, pages: readonly Page[]): Promise<number[][]> {
  const times: number[][] = []
  for (const page of pages) {
    const ofPage: number[] = []
    for (let ask = 0; ask < asks; ask++) ofPage.push(await toTime(server, token, page))
    times.push(ofPage)
  }
  return times
}

/** Until all of the answer is there. */
async function toTime({ url }: RunningServer, token: string, { path, body }: Page): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const begun = performance.now()
  const answer = await fetch(
    `${url}/api${path}`,
    body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
  )
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${text.slice(0, 200)}`)
  return performance.now() - begun
}

function toCells(times: readonly number[], goal: number): string[] {
  const [middle, worst] = [median(times), Math.max(...times)]
  return [`${Math.round(middle)} ms`, `${Math.round(worst)} ms`, middle > goal ? 'over' : '']
}
