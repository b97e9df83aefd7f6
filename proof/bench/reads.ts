import { execFile, fork } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { BareAnswer, BareOrder } from './bare.ts'
import { firstBuyer, readToken } from './buyers.ts'
import type { Options } from './options.ts'
import { readStatements } from './statements.ts'
import type { RunningServer, Store } from './store.ts'
import type { TableRow } from './table.ts'

export const connections = 32
const autocannon = fileURLToPath(import.meta.resolve('autocannon'))
const authorization = `Bearer ${readToken(firstBuyer)}`

/** Reads of the catalogue are compared with the same statement on a bare server, too. */
const isCatalogue = (path: string) => path.startsWith('/api/products')

/** What belongs to the caller, so that no two of them could share an answer. */
const isOwn = (path: string) => path.startsWith('/api/cart')
const oneRow = { text: 'SELECT balance FROM bare.wallet WHERE user_id = $1', values: [firstBuyer] }

/** What is measured of the store that answers here. */
export async function listReads(url: string): Promise<string[]> {
  const products: { slug: string }[] = await (await fetch(`${url}/api/products`)).json()
  return ['/api/products', `/api/products/slug/${products[0]?.slug}`, '/api/cart/count', '/']
}

/** The reads of the store beside a bare Fastify that answers the same bytes. Where the pages are not built, without them. */
export async function measureReads(store: Store, server: RunningServer, options: Options): Promise<TableRow[]> {
  const answers: BareAnswer[] = []
  for (const path of await listReads(server.url)) {
    const answer = await fetch(server.url + path, { headers: { authorization } })
    if (!answer.ok) {
      console.log(`${path} answers ${answer.status} and is not measured`)
      continue
    }
    const [statement] = isCatalogue(path) ? await readStatements(store, path) : isOwn(path) ? [oneRow] : []
    answers.push({ path, type: answer.headers.get('content-type') ?? '', body: await answer.text(), statement })
  }
  const bare = await startBare({ databaseUrl: store.databaseUrl, answers })
  try {
    const rows: TableRow[] = []
    for (const answer of answers) rows.push(...(await measure(server.url, bare.url, answer, options)))
    return rows
  } finally {
    bare.stop()
  }
}

async function measure(url: string, bareUrl: string, { path, body, statement }: BareAnswer, options: Options) {
  const [ours, bare, asked]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < options.rounds; round++) {
    ours.push(await toRate(url + path, options.seconds))
    bare.push(await toRate(bareUrl + path, options.seconds))
    if (statement) asked.push(await toRate(`${bareUrl}/asked${path}`, options.seconds))
  }
  const goal = isOwn(path) ? undefined : 0.85
  const what = `GET ${path} (${(Buffer.byteLength(body) / 1024).toFixed(1)} kB)`
  const row = { what, ours, unit: '/s' }
  const rows: TableRow[] = [{ ...row, against: 'bare Fastify, the same bytes', theirs: bare, goal }]
  if (statement) {
    const against = isOwn(path) ? 'bare Fastify + pg reading one row' : 'bare Fastify + pg, the same statement'
    rows.push({ ...row, against, theirs: asked, goal: isOwn(path) ? 0.7 : 0.8 })
  }
  return rows
}

/** Requests a second, by a load generator of its own process. Throws when one was refused. */
export async function toRate(url: string, seconds: number): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    autocannon,
    '--json',
    `--connections=${connections}`,
    `--duration=${seconds}`,
    '--headers',
    `authorization=${authorization}`,
    url,
  ])
  const result = JSON.parse(stdout)
  if (result.non2xx + result.errors + result.timeouts > 0) throw new Error(`${url}: ${result.non2xx} refused`)
  return result.requests.total / result.duration
}

/** Starts what the store is compared with, in a process of its own. */
export function startBare(order: BareOrder): Promise<{ url: string; stop(): void }> {
  const bare = fork(join(import.meta.dirname, 'bare.ts'))
  return new Promise((resolve, reject) => {
    bare.once('message', (url) => resolve({ url: String(url), stop: () => void bare.kill() }))
    bare.once('exit', () => reject(new Error('the bare server does not start')))
    bare.send(order)
  })
}
