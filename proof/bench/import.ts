import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import * as LIMITS from '@olmos/contract/limits'
import { Database } from '../../server/src/platform/database/database.ts'
import { checkRows, type Source } from '../../web/app/admin/code-import/check-rows.ts'
import { guessMapping, rowReader } from '../../web/app/admin/code-import/mapping.ts'
import { openTable } from '../../web/app/admin/code-import/read-table.ts'
import type { TableRow } from '../../web/app/admin/code-import/read-text.ts'
import { nothingSent, sendRows } from '../../web/app/admin/code-import/send-rows.ts'
import { callsTo, importCodes } from '../operator.ts'
import { codesOnShelf, type Options } from './options.ts'
import { seed } from './seed.ts'
import { addAdmin } from './seed-admin.ts'
import { makeStore, type RunningServer } from './store.ts'
import { printTable } from './table.ts'

const { signal } = new AbortController()

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
  const source = await makeFile()
  const checked = await checkRows(source, signal)
  const operator = callsTo(server.url, token)
  const send = async (isRehearsal: boolean) => {
    const sent = await sendRows({
      source,
      checked,
      from: nothingSent,
      isRehearsal,
      send: ({ rows, batchId }) => importCodes(operator, { productId, rows, batchId }, isRehearsal),
      onProgress: () => {
        mostMemoryMb = Math.max(mostMemoryMb, server.memoryMb())
      },
      signal,
    })
    if (sent.added !== LIMITS.importLinesMax) throw new Error(`not imported: ${[...sent.reasons].slice(0, 5)}`)
  }
  const begun = performance.now()
  await send(true)
  await send(false)
  return { lines: checked.rows, seconds: (performance.now() - begun) / 1000, memoryMb, mostMemoryMb }
}

/** A file of new codes, read as the page reads it, once: in a shop that is done by the operator's own machine. */
async function makeFile(): Promise<Source> {
  const run = randomBytes(4).toString('hex')
  const toLine = (_: unknown, line: number) => `${run}-${randomBytes(8).toString('hex')}-${line},1.5,120,777000`
  const table = await openTable(new Blob([Array.from({ length: LIMITS.importLinesMax }, toLine).join('\n')]))
  const mapping = guessMapping(table.first, table.columns, false)
  const rows: TableRow[][] = []
  for await (const some of table.rows()) rows.push(some)
  const read = rowReader({
    mapping,
    isOwn: false,
    gameAmount: undefined,
    amounts: new Map(),
    currencies: [],
    today: new Date().toISOString().slice(0, 10),
  })
  const known = new Map(rows.flat().map((row) => [row, read(row)]))
  return {
    table: {
      ...table,
      rows: async function* () {
        yield* rows
      },
    },
    mapping,
    isOwn: false,
    read: (row) => known.get(row) ?? read(row),
  }
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
    const [ours, copied]: [number[], number[]] = [[], []]
    try {
      for (let round = 0; round < rounds; round++) {
        const { lines, seconds } = await measureImport(server, token, seeded.offer.productId)
        ours.push(lines / seconds)
        copied.push(LIMITS.importLinesMax / (await copyPlainly(store.databaseUrl)))
      }
    } finally {
      await server.stop()
    }
    const what = `import of ${LIMITS.importLinesMax.toLocaleString('en')} codes, rehearsed and sent in parts`
    const against = 'COPY of as many rows with the same indexes, in plain text and without a check'
    printTable([{ what, ours, unit: ' lines/s', against, theirs: copied, goal: 0.25 }])
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
  await psql(
    databaseUrl,
    'CREATE SCHEMA plain; CREATE TABLE plain.code (LIKE code INCLUDING ALL, UNIQUE (fingerprint));\n',
  )
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
