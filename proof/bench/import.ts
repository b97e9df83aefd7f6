import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import * as LIMITS from '@olmos/contract/limits'
import { Database } from '../../server/src/platform/database/database.ts'
import { ADMIN_LIMITS } from '../../web/app/admin/limits.ts'
import { callsTo, importCodes } from '../operator.ts'
import { codesOnShelf, type Options } from './options.ts'
import { seed } from './seed.ts'
import { addAdmin } from './seed-admin.ts'
import { makeStore, type RunningServer } from './store.ts'
import { median, printTable } from './table.ts'

interface Imported {
  lines: number
  seconds: number
  /** The server's memory before the import, and at most. */
  memoryMb: number
  mostMemoryMb: number
}

/** Imports as many codes as an import may have, as the page does: all parts are rehearsed first, then sent. */
export async function measureImport(server: RunningServer, token: string, productId: number): Promise<Imported> {
  const memoryMb = server.memoryMb()
  let mostMemoryMb = memoryMb
  const run = randomBytes(4).toString('hex')
  const toLine = (line: number) => `${run}-${randomBytes(8).toString('hex')}-${line},1.5,120,777000`
  const lines = Array.from({ length: LIMITS.importLinesMax }, (_, line) => toLine(line))
  const operator = callsTo(server.url, token)
  const send = async (from: number, batchId: number | undefined, dryRun: boolean) => {
    const part = { productId, lines: lines.slice(from, from + ADMIN_LIMITS.partLines), batchId }
    const report = await importCodes(operator, part, dryRun)
    if (report.added !== ADMIN_LIMITS.partLines)
      throw new Error(`not imported: ${JSON.stringify(report).slice(0, 300)}`)
    mostMemoryMb = Math.max(mostMemoryMb, server.memoryMb())
    return report.batch_id ?? undefined
  }
  const begun = performance.now()
  for (const dryRun of [true, false]) {
    let batchId: number | undefined
    for (let from = 0; from < lines.length; from += ADMIN_LIMITS.partLines) batchId = await send(from, batchId, dryRun)
  }
  return { lines: lines.length, seconds: (performance.now() - begun) / 1000, memoryMb, mostMemoryMb }
}

/** Compares an import with COPY of the same rows in rounds, both into a store that has sold something before. */
export async function compareImports({ rounds }: Options): Promise<void> {
  const store = await makeStore()
  const first = await store.open()
  await first.stop()
  const database = new Database({ url: store.databaseUrl, connections: 1, onIdleError: () => {} })
  const seeded = await seed(database, { buyers: 100, codes: codesOnShelf, pastOrders: codesOnShelf })
  try {
    const { token } = await addAdmin(seeded.client)
    const server = await store.open()
    const [ours, copied]: number[][] = [[], []]
    try {
      for (let round = 0; round < rounds; round++) {
        const { lines, seconds } = await measureImport(server, token, seeded.offer.productId)
        ours?.push(lines / seconds)
        copied?.push(LIMITS.importLinesMax / (await copyPlainly(store.databaseUrl)))
      }
    } finally {
      await server.stop()
    }
    const what = `import of ${LIMITS.importLinesMax.toLocaleString('en')} codes, rehearsed and sent in parts`
    const against = 'COPY of as many rows with the same indexes, in plain text and without a check'
    printTable([
      { what, ours: median(ours ?? []), unit: ' lines/s', against, theirs: median(copied ?? []), goal: 0.25 },
    ])
  } finally {
    seeded.end()
    await database.close()
    await store.remove()
  }
}

/** Copies rows by psql into a table with the columns and indexes of `code`, and returns the seconds. */
async function copyPlainly(databaseUrl: string): Promise<number> {
  const toRow = (_: unknown, at: number) =>
    `${at}\t1\t1\t1\t\\\\x${randomBytes(12).toString('hex')}\t\\\\x${randomBytes(32).toString('hex')}\t${at}\n`
  const rows = Array.from({ length: LIMITS.importLinesMax }, toRow).join('')
  await psql(databaseUrl, 'CREATE SCHEMA plain; CREATE TABLE plain.code (LIKE code INCLUDING ALL);\n')
  const columns = 'id, offer_id, batch_id, key_id, ciphertext, fingerprint, shelf'
  const begun = performance.now()
  await psql(databaseUrl, `COPY plain.code (${columns}) FROM stdin;\n${rows}\\.\n`)
  const seconds = (performance.now() - begun) / 1000
  await psql(databaseUrl, 'SET client_min_messages = warning; DROP SCHEMA plain CASCADE;\n')
  return seconds
}

async function psql(databaseUrl: string, input: string): Promise<void> {
  const args = ['--quiet', '--no-psqlrc', '--set=ON_ERROR_STOP=1', databaseUrl]
  const client = spawn('psql', args, { stdio: ['pipe', 'ignore', 'inherit'] })
  client.stdin.end(input)
  const [status] = await once(client, 'exit')
  if (status !== 0) throw new Error(`psql ended with ${status}`)
}
