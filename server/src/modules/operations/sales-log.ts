import { randomBytes } from 'node:crypto'
import { appendFile, type FileHandle, mkdir, open, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Currency, currencies } from '@olmos/contract/money'
import type { FastifyBaseLogger } from 'fastify'
import { z } from 'zod'
import { StartupError, toReason } from '../../platform/closing.ts'
import { logKey } from '../../platform/database/base-backup.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { decrypt, encrypt } from '../../platform/security/vault.ts'

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
})
type SoldCode = z.infer<typeof soldCode>
type MovedMoney = z.infer<typeof movedMoney>
type SentDelivery = z.infer<typeof sentDelivery>
const entry = z.discriminatedUnion('what', [soldCode, movedMoney, sentDelivery])
type Entry = z.infer<typeof entry>

const toKey = (one: Entry): string => {
  if (one.what === 'code') return `code ${one.fingerprint} ${one.order_id}`
  return one.what === 'money' ? `money ${one.id} ${one.at.getTime()}` : `delivery ${one.key}`
}

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
  const sent = await queries.rows<Omit<SentDelivery, 'what'>>(sql`
    SELECT supplier_order.created_at AS at, order_item.order_id, order_item.position, delivery.unit,
      supplier_order.supplier, supplier_order.key
    FROM supplier_order JOIN delivery ON delivery.id = supplier_order.delivery_id
    JOIN order_item ON order_item.id = delivery.order_item_id
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

interface Following {
  stop(): Promise<void>
}

interface SalesLog {
  dir: string
  key: Buffer
  log: Pick<FastifyBaseLogger, 'error'>
}

/**
 * Writes down in `dir`, sealed, what leaves the shop: half a second after each commit of this node, and within five
 * seconds of any other. A start resumes where the last one ended. What can't be written is logged, and tried again.
 */
export async function followSales(database: Database, { dir, key, log }: SalesLog): Promise<Following> {
  await mkdir(dir, { recursive: true, mode: 0o700 }).catch((error) => {
    throw new StartupError(`SALES_LOG_DIR ${dir} cannot be written: ${toReason(error)}.`)
  })
  const file = new SealedLog(dir, key)
  const markPath = join(dir, 'mark.json')
  const known = new Map<string, number>()
  let since: Date | undefined = await readMark(markPath)
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
  database.hearCommits(() => wake())

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

async function readMark(path: string): Promise<Date> {
  try {
    const { until } = JSON.parse(await readFile(path, 'utf8')) as { until: string }
    return new Date(new Date(until).getTime() - longOverlapMs)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      throw new StartupError(`The file ${path} is damaged; delete it.`)
    return new Date(Date.now() - firstLookMs)
  }
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

async function readSalesLog(dir: string, key: Buffer): Promise<ReadLog> {
  const names = await readdir(dir).catch(() => {
    throw new StartupError(`The folder SALES_LOG_DIR ${dir} cannot be read.`)
  })
  const lineKey = logKey(key)
  const entries = new Map<string, Entry>()
  let unreadable = 0
  for (const name of names.filter((file) => /^sales-.+\.log$/.test(file)).sort()) {
    // What follows the last end of line was being written when the machine died.
    const lines = (await readFile(join(dir, name), 'utf8')).split('\n').slice(0, -1)
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

interface LostSpan {
  /** The moments of the first and the last entry that the database does not have. */
  from: Date | undefined
  until: Date | undefined
  unreadable: number
  /** Codes that were taken off the shelf now. */
  taken: number
  /** Codes taken off besides, because they may have been sold in the last moment. */
  margin: number
  /** Codes that a buyer's unpaid order has reserved; its provider says that it is paid. */
  awaited: number
  /** Codes that the database sold to another order: sold twice. */
  sold_again: { code_id: number; order_id: string }[]
  /** Codes that the database does not have: not to be imported again. */
  unknown: number
  orders: { order_id: string; at: Date; codes: number; money: { currency: Currency; amount: number }[] }[]
  money: MovedMoney[]
  deliveries: (SentDelivery & { is_stopped: boolean })[]
}

/**
 * Compares the log with a restored database. Codes that had left are quarantined, deliveries that a supplier had been
 * sent wait for the operator; orders and money that are missing are only listed. Run it before the store is started; it
 * may be run again. `margin`: so many more codes of each shelf that was selling in the log's last minute.
 */
export async function reconcileSales(
  database: Database,
  { dir, key, margin }: Pick<SalesLog, 'dir' | 'key'> & { margin: number },
): Promise<LostSpan> {
  const { entries, unreadable } = await readSalesLog(dir, key)
  const codes = entries.filter((one) => one.what === 'code')
  const money = entries.filter((one) => one.what === 'money')
  const sent = entries.filter((one) => one.what === 'delivery')
  return database.transaction(
    async (tx) => {
      const lostCodes = await findLostCodes(tx, codes)
      const lostMoney = await findLostMoney(tx, money)
      const deliveries = await stopDeliveries(tx, sent)
      const taken = await takeOff(
        tx,
        lostCodes.filter(({ is_awaited }) => !is_awaited).flatMap(({ code_id }) => code_id ?? []),
      )
      const lost = [...lostCodes, ...lostMoney, ...deliveries].map((one) => one.at.getTime()).sort((a, b) => a - b)
      const lastAt = entries.at(-1)?.at.getTime() ?? 0
      const selling = new Set(codes.filter((one) => one.at.getTime() > lastAt - 60_000).map((one) => one.offer_id))
      const besides = margin > 0 && lost.length > 0 ? await takeNext(tx, [...selling], margin) : 0
      const span: LostSpan = {
        from: lost.length > 0 ? new Date(lost[0] as number) : undefined,
        until: lost.length > 0 ? new Date(lost.at(-1) as number) : undefined,
        unreadable,
        taken,
        margin: besides,
        awaited: lostCodes.filter(({ is_awaited }) => is_awaited).length,
        sold_again: lostCodes.flatMap(({ code_id, status, order_id }) =>
          code_id !== null && status === 'used' ? [{ code_id, order_id }] : [],
        ),
        unknown: lostCodes.filter(({ code_id }) => code_id === null).length,
        orders: toOrders(await findLostOrders(tx, entries), lostCodes, lostMoney),
        money: lostMoney,
        deliveries,
      }
      if (taken + besides > 0) {
        const after = { taken, margin: besides, from: span.from, until: span.until }
        await writeAudit(tx, { actorId: null, action: 'codes.reconcile', subject: 'shop', after })
      }
      return span
    },
    { statementMs: 10 * 60_000 },
  )
}

interface LostCode extends Pick<SoldCode, 'at' | 'order_id'> {
  /** Null when the database does not have it. */
  code_id: number | null
  status: string | null
  is_awaited: boolean
}

/** Finds the logged sales that the database does not have. */
const findLostCodes = (tx: Tx, codes: readonly SoldCode[]) =>
  tx.rows<LostCode>(sql`
    SELECT gone.at, gone.order_id, code.id AS code_id, code.status, EXISTS (
      SELECT FROM code_hold JOIN order_item ON order_item.id = code_hold.order_item_id
      WHERE code_hold.code_id = code.id AND order_item.order_id = gone.order_id) AS is_awaited
    FROM unnest(${codes.map((one) => one.at)}::timestamptz[], ${codes.map((one) => one.order_id)}::text[],
      ${codes.map((one) => one.fingerprint)}::text[]) AS gone (at, order_id, fingerprint)
    LEFT JOIN code ON code.fingerprint = decode(gone.fingerprint, 'hex')
    WHERE NOT EXISTS (
      SELECT FROM code_sale JOIN order_item ON order_item.id = code_sale.order_item_id
      WHERE code_sale.code_id = code.id AND order_item.order_id = gone.order_id)
    ORDER BY gone.at`)

/** Takes these off sale, whatever keeps them in stock; an unpaid order that had one reserved gets another when it is paid. */
const takeOff = (tx: Tx, codeIds: readonly number[]) =>
  tx.run(sql`
    WITH gone AS (
      SELECT id FROM code WHERE id = ANY (${codeIds}::bigint[]) AND status NOT IN ('used', 'quarantined')
      ORDER BY id FOR UPDATE),
    released AS (DELETE FROM code_hold USING gone WHERE code_id = gone.id)
    UPDATE code SET status = 'quarantined' FROM gone WHERE code.id = gone.id`)

/** Takes the next codes of each shelf off sale, in the order in which they would be sold. */
const takeNext = (tx: Tx, offerIds: readonly number[], count: number) =>
  tx.run(sql`
    UPDATE code SET status = 'quarantined' FROM (
      SELECT next.id FROM unnest(${offerIds}::int[]) AS offer (id) CROSS JOIN LATERAL (
        SELECT code.id FROM code WHERE code.offer_id = offer.id AND status = 'available'
        ORDER BY shelf LIMIT ${count} FOR UPDATE) AS next) AS doubtful
    WHERE code.id = doubtful.id`)

/** Ids are given out again after a restore, so a row counts only with its time and amount. */
async function findLostMoney(tx: Tx, money: readonly MovedMoney[]): Promise<MovedMoney[]> {
  const rows = await tx.rows<{ nth: number }>(sql`
    SELECT gone.nth FROM unnest(${money.map((one) => one.id)}::bigint[], ${money.map((one) => one.at)}::timestamptz[],
      ${money.map((one) => one.amount)}::bigint[]) WITH ORDINALITY AS gone (id, at, amount, nth)
    WHERE NOT EXISTS (
      SELECT FROM transfer WHERE transfer.id = gone.id AND transfer.amount = gone.amount
        AND abs(extract(epoch FROM transfer.created_at - gone.at)) < 1)
    ORDER BY gone.nth`)
  return rows.map(({ nth }) => money[nth - 1] as MovedMoney)
}

/** Gives to the operator what a supplier had been sent after the restored moment: sent again it would be bought twice. */
async function stopDeliveries(tx: Tx, sent: readonly SentDelivery[]): Promise<LostSpan['deliveries']> {
  const rows = await tx.rows<{ nth: number; is_stopped: boolean }>(sql`
    WITH gone AS (
      SELECT * FROM unnest(${sent.map((one) => one.order_id)}::text[], ${sent.map((one) => one.position)}::int[],
        ${sent.map((one) => one.unit)}::int[], ${sent.map((one) => one.key)}::uuid[])
        WITH ORDINALITY AS gone (order_id, position, unit, key, nth)
      WHERE NOT EXISTS (SELECT FROM supplier_order WHERE supplier_order.key = gone.key)),
    stopped AS (
      UPDATE delivery SET operator_since = coalesce(operator_since, now()), next_at = NULL, held_until = NULL,
        reason = 'restored'
      FROM gone JOIN order_item ON order_item.order_id = gone.order_id AND order_item.position = gone.position
      WHERE delivery.order_item_id = order_item.id AND delivery.unit = gone.unit AND delivery.decided_at IS NULL
      RETURNING gone.nth)
    SELECT gone.nth, EXISTS (SELECT FROM stopped WHERE stopped.nth = gone.nth) AS is_stopped FROM gone ORDER BY nth`)
  return rows.map(({ nth, is_stopped }) => ({ ...(sent[nth - 1] as SentDelivery), is_stopped }))
}

async function findLostOrders(tx: Tx, entries: readonly Entry[]): Promise<{ order_id: string; at: Date }[]> {
  const firsts = new Map<string, Date>()
  for (const { order_id, at } of entries) if (order_id !== null && !firsts.has(order_id)) firsts.set(order_id, at)
  const rows = await tx.rows<{ order_id: string }>(sql`
    SELECT gone.order_id FROM unnest(${[...firsts.keys()]}::text[]) AS gone (order_id)
    WHERE NOT EXISTS (SELECT FROM orders WHERE orders.id = gone.order_id)`)
  const lost = new Set(rows.map((row) => row.order_id))
  return [...firsts].filter(([order_id]) => lost.has(order_id)).map(([order_id, at]) => ({ order_id, at }))
}

function toOrders(
  orders: readonly { order_id: string; at: Date }[],
  codes: readonly LostCode[],
  money: readonly MovedMoney[],
): LostSpan['orders'] {
  return orders.map((order) => ({
    ...order,
    codes: codes.filter(({ order_id }) => order_id === order.order_id).length,
    money: money
      .filter(({ order_id }) => order_id === order.order_id)
      .map(({ currency, amount }) => ({ currency, amount })),
  }))
}
