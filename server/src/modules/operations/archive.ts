import { createReadStream, createWriteStream } from 'node:fs'
import { access, mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'
import type { Database } from '../../platform/database/database.ts'
import { type Queries, sql } from '../../platform/database/queries.ts'
import { StartupError } from '../../platform/process.ts'
import { sealFile, unsealFile } from '../../platform/security/vault.ts'

const archivedCall = z.object({
  id: z.int(),
  supplier_order_id: z.int(),
  /** The order's number, and which unit of which line it was for, so that the line is understood without the database. */
  order_id: z.string(),
  position: z.int(),
  unit: z.int(),
  supplier: z.string(),
  kind: z.string(),
  outcome: z.string().nullable(),
  reason: z.string().nullable(),
  created_at: z.string(),
  ended_at: z.string().nullable(),
})
type ArchivedCall = z.infer<typeof archivedCall>

/** Card schemes take disputes of payments for a year and a half, and the calls are evidence in them. */
const keptMonths = 18
const rowsAtOnce = 5_000

/**
 * Reads the next calls whose delivery was decided before the month, by their ids. Those of one delivery go together: which
 * call may follow which is checked of all of them.
 */
const readCalls = (queries: Queries, month: string, after: number) =>
  queries.rows<ArchivedCall>(sql`
    SELECT supplier_call.id, supplier_call.supplier_order_id, order_id, position, unit, supplier, kind, outcome, supplier_call.reason,
      to_json(supplier_call.created_at) #>> '{}' AS created_at, to_json(supplier_call.ended_at) #>> '{}' AS ended_at
    FROM supplier_call
    JOIN supplier_order ON supplier_order.id = supplier_call.supplier_order_id JOIN delivery ON delivery.id = delivery_id
    JOIN order_item ON order_item.id = order_item_id
    WHERE supplier_call.id > ${after} AND decided_at < ${`${month}-01`}::timestamp AT TIME ZONE 'UTC'
      AND NOT EXISTS (
        SELECT FROM supplier_order AS another JOIN supplier_call AS later ON later.supplier_order_id = another.id
        WHERE another.delivery_id = delivery.id
          AND later.created_at >= ${`${month}-01`}::timestamp AT TIME ZONE 'UTC')
    ORDER BY supplier_call.id LIMIT ${rowsAtOnce}`)

async function* writeLines(database: Database, month: string): AsyncGenerator<Buffer> {
  for (let after = 0; ; ) {
    const calls = await readCalls(database, month, after)
    if (calls.length === 0) return
    yield Buffer.from(calls.map((call) => `${JSON.stringify(call)}\n`).join(''))
    after = calls.at(-1)?.id ?? after
  }
}

/** Reads what was archived, row by row. Throws a StartupError that names the file when it is not whole, or of another key. */
export async function* readArchive(path: string, key: Buffer): AsyncGenerator<ArchivedCall> {
  const unzipped = createGunzip()
  // A failure also destroys what is unzipped, so that its reader meets it.
  pipeline(createReadStream(path), unsealFile(key, path), unzipped).catch(() => {})
  let rest = ''
  for await (const piece of unzipped.setEncoding('utf8')) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield archivedCall.parse(JSON.parse(line))
  }
}

interface Archived {
  /** Undefined when there was nothing to archive. */
  path: string | undefined
  calls: number
}

/**
 * Moves the calls to suppliers whose delivery was decided before a month (`2025-01`) out of the database into a file of its
 * own in a folder, compressed and encrypted as backups are. Nothing is deleted before the file is on the disk and was read
 * to its end, and only what it has; cut short it is run again, and what was not deleted is in the next file too. Throws a
 * StartupError for a month of the last year and a half.
 */
export async function archiveCalls(
  database: Database,
  { month, into, key }: { month: string; into: string; key: Buffer },
): Promise<Archived> {
  const { isLate } = await database.one<{ isLate: boolean }>(sql`
    SELECT ${`${month}-01`}::timestamp > now() - make_interval(months => ${keptMonths}) AS "isLate"`)
  if (isLate)
    throw new StartupError(
      `What is younger than ${keptMonths} months stays: it is evidence in disputes. Name an earlier month.`,
    )
  if ((await readCalls(database, month, 0)).length === 0) return { path: undefined, calls: 0 }

  await mkdir(into, { recursive: true })
  const path = await pickName(into, `supplier-calls-before-${month}`)
  const part = `${path}.part`
  await rm(part, { force: true })
  const file = createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true })
  await pipeline(Readable.from(writeLines(database, month)), createGzip(), sealFile(key), file)
  const written = await countRows(part, key)
  await rename(part, path)
  const folder = await open(into)
  await folder.sync().finally(() => folder.close())

  let ids: number[] = []
  const remove = async () => {
    await database.run(sql`DELETE FROM supplier_call WHERE id = ANY (${ids}::bigint[])`)
    ids = []
  }
  for await (const { id } of readArchive(path, key)) {
    ids.push(id)
    if (ids.length === rowsAtOnce) await remove()
  }
  await remove()
  return { path, calls: written }
}

async function countRows(path: string, key: Buffer): Promise<number> {
  let count = 0
  for await (const _ of readArchive(path, key)) count++
  return count
}

/** Never that of a file which is there: it may hold what is nowhere else any more. */
async function pickName(folder: string, name: string): Promise<string> {
  for (let number = 1; ; number++) {
    const path = join(folder, `${name}${number === 1 ? '' : `-${number}`}.jsonl.gz.sealed`)
    const isThere = await access(path).then(
      () => true,
      () => false,
    )
    if (!isThere) return path
  }
}
