import { randomBytes } from 'node:crypto'
import { appendFile, type FileHandle, mkdir, open, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { currencies } from '@olmos/contract/money'
import type { FastifyBaseLogger } from 'fastify'
import { z } from 'zod'
import type { Database } from '../../platform/database/database.ts'
import { type Queries, sql } from '../../platform/database/queries.ts'
import { StartupError, toReason } from '../../platform/process.ts'
import { decrypt, encrypt, logKey } from '../../platform/security/vault.ts'

const at = z.coerce.date()
const soldCode = z.object({
  what: z.literal('code'),
  at,
  order_id: z.string(),
  offer_id: z.int(),
  code_id: z.int(),
  sale_number: z.int(),
  /** In hex. Ids are given out again after a restore, fingerprints never. */
  fingerprint: z.string(),
})
const movedMoney = z.object({
  what: z.literal('money'),
  at,
  id: z.int(),
  kind: z.string(),
  currency: z.enum(currencies),
  /** In minor units. */
  amount: z.int(),
  order_id: z.string().nullable(),
  user_id: z.int().nullable(),
})
const sentDelivery = z.object({
  what: z.literal('delivery'),
  at,
  order_id: z.string(),
  position: z.int(),
  unit: z.int(),
  supplier: z.string(),
  key: z.string(),
  /** What it was asked for, and by which of the offer's sources; undefined in lines that were written before these were kept. */
  item: z.string().nullish(),
  supplier_product_id: z.int().nullish(),
  /** A decimal of USD. */
  cost_at_most: z.string().nullish(),
  /** The code of the shop's own that it was to spend on the player, in hex. */
  fingerprint: z.string().nullish(),
})
export type SoldCode = z.infer<typeof soldCode>
export type MovedMoney = z.infer<typeof movedMoney>
export type SentDelivery = z.infer<typeof sentDelivery>
const entry = z.discriminatedUnion('what', [soldCode, movedMoney, sentDelivery])
export type Entry = z.infer<typeof entry>

const toKey = (one: Entry): string => {
  if (one.what === 'code') return `code ${one.fingerprint} ${one.order_id}`
  return one.what === 'money' ? `money ${one.id} ${one.at.getTime()}` : `delivery ${one.key}`
}

/** What a line is made of; a line may lack what is kept since. */
type Row<One extends Entry> = { [Field in Exclude<keyof One, 'what'>]-?: Exclude<One[Field], undefined> }

/** Reads what left the shop since then, oldest first. */
async function readSince(queries: Queries, since: Date): Promise<Entry[]> {
  const sold = await queries.rows<Omit<SoldCode, 'what'>>(sql`
    SELECT code_sale.created_at AS at, order_item.order_id, code.offer_id, code_sale.code_id, code_sale.sale_number,
      encode(code.fingerprint, 'hex') AS fingerprint
    FROM code_sale JOIN code ON code.id = code_sale.code_id JOIN order_item ON order_item.id = code_sale.order_item_id
    WHERE code_sale.created_at >= ${since} ORDER BY code_sale.created_at`)
  const moved = await queries.rows<Omit<MovedMoney, 'what'>>(sql`
    SELECT created_at AS at, id, kind, currency, amount, order_id, (
      SELECT account.user_id FROM account
      WHERE account.id IN (debit_account, credit_account) AND account.user_id IS NOT NULL LIMIT 1) AS user_id
    FROM transfer WHERE created_at >= ${since} ORDER BY created_at`)
  const sent = await queries.rows<Row<SentDelivery>>(sql`
    SELECT supplier_order.created_at AS at, order_item.order_id, order_item.position, delivery.unit,
      supplier_order.supplier, supplier_order.key, supplier_order.item, supplier_order.supplier_product_id,
      supplier_order.cost_at_most::text AS cost_at_most, encode(code.fingerprint, 'hex') AS fingerprint
    FROM supplier_order JOIN delivery ON delivery.id = supplier_order.delivery_id
    JOIN order_item ON order_item.id = delivery.order_item_id LEFT JOIN code ON code.id = supplier_order.code_id
    WHERE supplier_order.created_at >= ${since} ORDER BY supplier_order.created_at`)
  return [
    ...sold.map((row) => ({ what: 'code' as const, ...row })),
    ...moved.map((row) => ({ what: 'money' as const, ...row })),
    ...sent.map((row) => ({ what: 'delivery' as const, ...row })),
  ]
}

const pauseMs = 500
const idleMs = 5_000
// Times are those at which transactions began, so a look goes back further than the longest statement may take.
const overlapMs = 15_000
const longOverlapMs = 15 * 60_000
const longLookEveryMs = 60_000
const firstLookMs = 24 * 3_600_000
const saveMarkEveryMs = 5_000
const markName = 'mark.json'

interface Following {
  stop(): Promise<void>
}

/** Where the log lies, and the key that seals it. */
export interface SalesLog {
  dir: string
  key: Buffer
}

interface FollowedLog extends SalesLog {
  log: Pick<FastifyBaseLogger, 'error'>
}

/**
 * Writes down in `dir`, sealed, what leaves the shop: half a second after each commit of this node, and within five
 * seconds of any other. A start resumes where the last one ended. What can't be written is logged, and tried again.
 */
export async function followSales(database: Database, { dir, key, log }: FollowedLog): Promise<Following> {
  await mkdir(dir, { recursive: true, mode: 0o700 }).catch((error) => {
    throw new StartupError(`SALES_LOG_DIR ${dir} cannot be written: ${toReason(error)}.`)
  })
  const file = new SealedLog(dir, key)
  const markPath = join(dir, markName)
  const known = new Map<string, number>()
  const end = await readLogEnd(dir)
  let since: Date | undefined = new Date(end ? end.getTime() - longOverlapMs : Date.now() - firstLookMs)
  let longLookAt = 0
  // What could not be read or written for a while is made up for.
  let doneAt = Number.POSITIVE_INFINITY
  let savedAt = 0
  let isStopped = false
  let wake = () => {}
  let awoken = Promise.resolve()
  const sleepAgain = () => {
    awoken = new Promise((resolve) => {
      wake = resolve
    })
  }
  sleepAgain()
  database.onCommit(() => wake())

  const look = async () => {
    const { now } = await database.one<{ now: Date }>(sql`SELECT now() AS now`)
    const isLong = since !== undefined || now.getTime() - longLookAt >= longLookEveryMs
    const from = Math.min(now.getTime(), doneAt) - (isLong ? longOverlapMs : overlapMs)
    const entries = await readSince(database, since ?? new Date(from))
    const left = entries.filter((one) => !known.has(toKey(one)))
    if (left.length > 0) await file.append(left)
    for (const one of left) known.set(toKey(one), one.at.getTime())
    since = undefined
    doneAt = now.getTime()
    if (isLong) {
      longLookAt = now.getTime()
      for (const [one, time] of known) if (time < longLookAt - 2 * longOverlapMs) known.delete(one)
    }
    if (isStopped || now.getTime() - savedAt >= saveMarkEveryMs) {
      await saveMark(markPath, now)
      savedAt = now.getTime()
    }
  }
  const tryLook = () => look().catch((error) => log.error({ err: error }, 'the log of sales could not be written'))
  const follow = async () => {
    while (!isStopped) {
      sleepAgain()
      await tryLook()
      await Promise.race([awoken, sleep(idleMs, undefined, { ref: false })])
      if (!isStopped) await sleep(pauseMs, undefined, { ref: false })
    }
  }
  const following = follow()
  return {
    async stop() {
      isStopped = true
      wake()
      await following
      await tryLook()
      await file.close()
    },
  }
}

/** Reads up to when everything that left the shop is in the log; undefined where it was never begun. */
export async function readLogEnd(dir: string): Promise<Date | undefined> {
  const path = join(dir, markName)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw toReadRefusal(`The file ${path}`, error)
  })
  if (text === undefined) return undefined
  try {
    return z.object({ until: at }).parse(JSON.parse(text)).until
  } catch {
    throw new StartupError(`The file ${path} is damaged; delete it.`)
  }
}

/** A file that can't be read may be sound, so nobody is told to delete it. */
function toReadRefusal(what: string, error: NodeJS.ErrnoException): StartupError {
  const isForbidden = error.code === 'EACCES' || error.code === 'EPERM'
  const remedy = ` The user ${process.geteuid?.()} lacks the rights: the folder and what is in it must belong to it.`
  return new StartupError(`${what} can't be read: ${toReason(error)}.${isForbidden ? remedy : ''}`)
}

async function saveMark(path: string, until: Date): Promise<void> {
  await writeFile(`${path}.part`, JSON.stringify({ until }), { mode: 0o600 })
  await rename(`${path}.part`, path)
}

/** A file a day and process; each line is bound to its file and number, so that none can be moved or taken out unseen. */
class SealedLog {
  readonly #dir: string
  readonly #key: ReturnType<typeof logKey>
  readonly #run = randomBytes(4).toString('hex')
  #open: { name: string; handle: FileHandle; lines: number } | undefined

  constructor(dir: string, key: Buffer) {
    this.#dir = dir
    this.#key = logKey(key)
  }

  /** Appends one line and waits for the disk. A line that failed half way ends its file; the next one starts another. */
  async append(entries: readonly Entry[]): Promise<void> {
    const day = new Date().toISOString().slice(0, 10)
    if (this.#open && !this.#open.name.includes(day)) await this.close()
    this.#open ??= await this.#create(day)
    const file = this.#open
    try {
      const line = encrypt(this.#key, Buffer.from(JSON.stringify(entries)), `${file.name}:${file.lines}`)
      await appendFile(file.handle, `${line.toString('base64')}\n`)
      await file.handle.datasync()
      file.lines++
    } catch (error) {
      await this.close().catch(() => {})
      throw error
    }
  }

  async #create(day: string) {
    const name = `sales-${day}-${this.#run}-${randomBytes(2).toString('hex')}.log`
    return { name, handle: await open(join(this.#dir, name), 'ax', 0o600), lines: 0 }
  }

  async close(): Promise<void> {
    const file = this.#open
    this.#open = undefined
    await file?.handle.close()
  }
}

interface ReadLog {
  entries: Entry[]
  /** Lines that don't open; a last one that was cut short doesn't count. */
  unreadable: number
}

/** Reads the whole log, oldest first; refuses a folder in which nothing opens with this key. */
export async function readSalesLog({ dir, key }: SalesLog): Promise<ReadLog> {
  const refuse = (path: string) => (error: Error) => {
    throw toReadRefusal(path, error)
  }
  const names = await readdir(dir).catch(refuse(`SALES_LOG_DIR ${dir}`))
  const lineKey = logKey(key)
  const entries = new Map<string, Entry>()
  let unreadable = 0
  for (const name of names.filter((file) => /^sales-.+\.log$/.test(file)).sort()) {
    // What follows the last end of line was being written when the machine died.
    const path = join(dir, name)
    const lines = (await readFile(path, 'utf8').catch(refuse(`The file ${path}`))).split('\n').slice(0, -1)
    for (const [number, line] of lines.entries()) {
      try {
        const plain = decrypt(lineKey, Buffer.from(line, 'base64'), `${name}:${number}`)
        for (const one of z.array(entry).parse(JSON.parse(plain.toString()))) entries.set(toKey(one), one)
      } catch {
        unreadable++
      }
    }
  }
  if (unreadable > 0 && entries.size === 0)
    throw new StartupError(`Nothing in SALES_LOG_DIR ${dir} opens: it was written with another BACKUP_KEY.`)
  return { entries: [...entries.values()].sort((a, b) => a.at.getTime() - b.at.getTime()), unreadable }
}
