import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { checkoutApi } from '@olmos/contract/checkout'
import { toMajor } from '@olmos/contract/minor-units'
import { ordersApi } from '@olmos/contract/orders'
import { codeRow } from '../../server/src/modules/codes/codes.store.ts'
import { readWalMark } from '../../server/src/modules/operations/kept-wal.ts'
import { invariants } from '../../server/src/modules/proof/ledger-proof.ts'
import type { Database } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/queries.ts'
import type { Closers } from '../../server/src/platform/process.ts'
import { type Sealed, Vault } from '../../server/src/platform/security/vault.ts'
import { startDatabaseServer } from '../database-server.ts'
import { type Ground, openServer } from '../ground.ts'
import { makeDataFolder, preload } from '../process.ts'
import { rollChance } from '../random.ts'
import { count, counted, type Line, printInvariants } from '../verdict.ts'
import { breaks } from './breaks.ts'
import { type Clients, connectClients } from './clients.ts'
import { Diary } from './diary.ts'
import { inspect } from './inspection.ts'
import {
  compareOutside,
  type ListedOutside,
  type OutsideDiary,
  type Outsiders,
  sendEarly,
  sendOutsiders,
  startOutsiders,
} from './lost-span.ts'
import type { Options } from './options.ts'
import { type Stock, stockShop } from './seed.ts'
import { openDatabase, plantBreak } from './stage.ts'
import type { Watcher } from './torture.ts'
import { printBugs, printFalls } from './verdict.ts'

/** The ways back from a lost disk. */
interface Way {
  name: string
  /** Options of `olmos restore`. */
  options: readonly string[]
  /** So many codes of each shelf are not trusted: as many as it sells in the moment that is in no log. */
  margin: number
  /** How long before the loss an order may have been acknowledged that nothing outside the database knew yet. */
  momentMs: number
}

const ways: readonly Way[] = [
  { name: 'with the WAL', options: ['--to', 'latest'], margin: 20, momentMs: 1_000 },
  // Who restores this knows only the log of sales, which is written half a second after a sale.
  { name: 'from the backup alone', options: [], margin: 500, momentMs: 3_000 },
]

const program = fileURLToPath(new URL('../../server/src/cli.ts', import.meta.url))
const lookEveryMs = 20

/**
 * A backup is taken while clients buy; so many orders later the database's disk is lost under them. Then the store goes on
 * from the backup and the WAL since, and once more, in another future, from the backup alone. The clients know every code
 * they were shown, and buy on in both.
 */
export async function tortureRestore(options: Options, closers: Closers, watch: Watcher): Promise<Line[]> {
  const ground = await openDatabase(options, closers)
  const stock = await stockShop(ground.postgres.database, {
    secretKey: ground.secretKey,
    codes: options.codes,
    hotUsers: 0,
    otherUsers: options.clients,
  })
  const outsiders = await startOutsiders(ground.postgres.database, closers)
  const { settings: folders, folder } = await makeBackupFolders(closers)
  const settings = { ...folders, ...outsiders.settings }
  const planted = plantBreak(options)
  const server = await openServer(ground, closers, { ...settings, ...planted })
  const olmos = operate({ ...settings, ...planted, SECRET_KEY: ground.secretKey.toString('hex') })
  const chance = rollChance(options.seed)
  const wire = connectClients([server.port], chance)
  closers.push(() => wire.close())
  while (!(await readWalMark(settings.BACKUP_DIR))) await sleep(lookEveryMs)

  const before = sendBuyers({ wire, stock, diary: new Diary() })
  const [, , offer] = stock.offers
  if (!offer) throw new Error('nothing is on sale')
  const outside = sendOutsiders(wire, outsiders, offer)
  await before.until(Math.ceil(options.orders / 10))
  const inBackup = before.diary.orders.size
  await olmos(ground.postgres.folder, ['backup'])
  const afterBackup = before.diary.orders.size
  await sendEarly(ground.postgres.database)
  await before.until(afterBackup + options.orders, (howFar) => watch(howFar / 2, before.diary.orders.size))
  const lostAt = Date.now()
  await ground.postgres.destroy()
  await Promise.all([before.end(), outside.end()])
  await server.stop()
  const sentBefore = outsiders.supplier.orders.length

  const [name = ''] = (await readdir(settings.BACKUP_DIR)).filter((one) => one.endsWith('.backup'))
  const backup = join(settings.BACKUP_DIR, name)
  const lines: Line[] = [
    {
      text: 'the backup, taken while they bought',
      value: `${((await stat(backup)).size / 1024 / 1024).toFixed(1)} MB, from order ${count(inBackup)} to ${count(afterBackup)}`,
    },
    { text: 'orders acknowledged until the disk was lost', value: count(before.diary.orders.size) },
    counted('purchases refused', before.diary.complaints),
    printFalls(server),
  ]
  for (const [number, way] of ways.entries()) {
    // What the supplier was sent in another future never happened in this one.
    outsiders.supplier.orders.length = sentBefore
    const known = { way, backup, olmos, before, lostAt, stock, options, ground, outsiders, outside: outside.diary }
    const future = { ...known, settings: { ...settings, ...planted } }
    lines.push(...(await live(future, closers)))
    watch((number + 2) / (ways.length + 1), before.diary.orders.size)
  }
  await rm(folder, { recursive: true, force: true })
  return lines
}

async function makeBackupFolders(closers: Closers) {
  const folder = await makeDataFolder('restore')
  closers.push(() => rm(folder, { recursive: true, force: true }))
  const settings = {
    BACKUP_DIR: join(folder, 'backups'),
    BACKUP_KEY: randomBytes(32).toString('hex'),
    BACKUP_WAL: 'on',
    SALES_LOG_DIR: join(folder, 'sales'),
  }
  await mkdir(settings.BACKUP_DIR)
  return { folder, settings }
}

type Operator = (dataDir: string, args: readonly string[]) => Promise<string>

/** Runs the operator's commands as processes of their own. Answers what was printed. */
function operate(settings: Record<string, string>): Operator {
  return async (dataDir, args) => {
    const child = spawn(process.execPath, [...preload, program, ...args], {
      env: { ...process.env, ...settings, DATABASE_URL: '', DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    let [out, complaint] = ['', '']
    child.stdout?.on('data', (text) => (out += text))
    child.stderr?.on('data', (text) => (complaint += text))
    const [code] = await once(child, 'close')
    // 1 says that there is something to mend, which is what the run is about.
    if (complaint !== '' || code > 1) throw new Error(`olmos ${args.join(' ')}: ${complaint || out}`)
    return out
  }
}

interface Crowd {
  wire: Clients
  stock: Stock
  diary: Diary
}

type Buyers = ReturnType<typeof sendBuyers>

/** Buyers who buy one or two codes after the other and read them. What is not answered is pressed again under its key. */
function sendBuyers({ wire, stock, diary }: Crowd, unanswered: ReadonlyMap<number, string> = new Map()) {
  let isOver = false
  const toldAt = new Map<string, number>()
  const pending = new Map(unanswered)
  const ask = async <R extends { kind: string }>(call: () => Promise<R>): Promise<R> => {
    for (;;) {
      const reply = await call()
      if (reply.kind !== 'lost' || isOver) return reply
      diary.retries++
      await sleep(lookEveryMs)
    }
  }
  const buyers = stock.shoppers.map(async ({ id, token }, number) => {
    const offer = stock.offers[number % 2]
    if (!offer) throw new Error('nothing is on sale')
    const quantity = 1 + (number % 3 === 0 ? 1 : 0)
    const body = { offerId: offer.id, quantity, currency: 'USD' as const, amount: toMajor(offer.priceUsd * quantity) }
    while (!isOver) {
      const key = pending.get(id) ?? randomUUID()
      pending.set(id, key)
      const bought = await ask(() => wire.call(checkoutApi.buyNow, { token, key, body }))
      if (bought.kind === 'lost') return
      pending.delete(id)
      if (bought.kind === 'refused') {
        diary.complain(`user ${id}: ${bought.code}`)
        continue
      }
      const orderId = bought.value.order.id
      toldAt.set(orderId, Date.now())
      diary.acknowledge(orderId, id)
      const receipt = await ask(() => wire.call(ordersApi.receipt, { token, params: { id: orderId } }))
      if (receipt.kind === 'done')
        for (const item of receipt.value.items) diary.seeCodes(orderId, item.code?.split('\n') ?? [])
      if (receipt.kind === 'refused') diary.complain(`order ${orderId} has no receipt: ${receipt.code}`)
    }
  })
  return {
    diary,
    toldAt,
    pending,
    async until(orders: number, tell: (howFar: number) => void = () => {}) {
      const first = diary.orders.size
      const deadline = Date.now() + patienceMs
      while (diary.orders.size < orders && Date.now() < deadline) {
        tell((diary.orders.size - first) / (orders - first))
        await sleep(lookEveryMs)
      }
    },
    async end() {
      isOver = true
      await Promise.all(buyers)
    },
  }
}

const patienceMs = 1_800_000

interface Future {
  way: Way
  backup: string
  olmos: Operator
  before: Buyers
  lostAt: number
  stock: Stock
  options: Options
  ground: Ground
  outsiders: Outsiders
  outside: OutsideDiary
  settings: Record<string, string>
}

/** What `reconcile-sales` prints, as far as it is needed here. */
interface LostSpan extends ListedOutside {
  taken: number
  margin: number
}

/** Restores one way and lives on from there. */
async function live(future: Future, closers: Closers): Promise<Line[]> {
  const { way, backup, olmos, before, lostAt, stock, options } = future
  const { secretKey } = future.ground
  const began = Date.now()
  const dataDir = await makeDataFolder('restored')
  closers.push(() => rm(dataDir, { recursive: true, force: true }))
  const said = await olmos(dataDir, ['restore', backup, '--into', dataDir, ...way.options])
  const isReconciled = !breaks[options.break ?? '']?.skipsReconcile
  const span: LostSpan = isReconciled
    ? JSON.parse(await olmos(dataDir, ['reconcile-sales', '--margin', String(way.margin), '--json']))
    : { taken: 0, margin: 0, orders: [], deliveries: [], payments: [] }
  const seconds = (Date.now() - began) / 1_000

  const postgres = await startDatabaseServer({}, dataDir)
  closers.push(() => postgres.stop())
  const { lostOrders } = await inspect(postgres.database, before.diary)
  const listed = new Set(span.orders.map((order) => order.order_id))
  const forgotten = lostOrders.filter((id) => !listed.has(id))
  const toAge = (id: string) => lostAt - (before.toldAt.get(id) ?? 0)
  const unknowable = forgotten.filter((id) => toAge(id) <= way.momentMs)

  const server = await openServer({ postgres, url: postgres.serverUrl, secretKey }, closers, future.settings)
  const wire = connectClients([server.port], rollChance(options.seed + 1))
  closers.push(() => wire.close())
  const after = sendBuyers({ wire, stock, diary: copyDiary(before.diary) }, before.pending)
  const known = after.diary.orders.size
  const wanted = Math.ceil(options.orders / 4)
  await after.until(known + wanted)
  await after.end()
  const bought = after.diary.orders.size - known
  const { outsiders, outside } = future
  const afterwards = { wire, database: postgres.database, listed: span, lostAt, momentMs: way.momentMs }
  const outsideLines = await compareOutside(outsiders, outside, afterwards)
  await server.stop()

  const end = await inspect(postgres.database, after.diary)
  const codes = await compareCodes(postgres.database, secretKey, after.diary)
  const line = ({ text, ...rest }: Line): Line => ({ text: `${way.name}: ${text}`, ...rest })
  return [
    {
      text: 'restored and compared',
      value: `in ${seconds.toFixed(0)} s; ${said.split('\n')[0]?.replace(/^.*?, up/, 'up')}`,
    },
    { text: 'acknowledged orders lost, and listed', value: count(lostOrders.length - forgotten.length) },
    {
      text: 'in no log, of the last moment',
      value: `${count(unknowable.length)}${unknowable.length > 0 ? `, up to ${Math.max(...unknowable.map(toAge))} ms before` : ''}`,
    },
    counted(
      'acknowledged orders neither there nor listed',
      forgotten.filter((id) => !unknowable.includes(id)).map((id) => `${id}, ${toAge(id)} ms before`),
    ),
    { text: 'codes taken off the shelf, and as a margin', value: `${count(span.taken)}, ${count(span.margin)}` },
    {
      text: 'orders afterwards',
      value: count(bought),
      broken: bought < wanted ? [`${count(wanted)} were wanted`] : [],
    },
    counted(
      'acknowledged afterwards and lost',
      end.lostOrders.filter((id) => !lostOrders.includes(id)),
    ),
    counted('codes sold twice', [
      ...codes.soldTwice,
      ...(after.diary.codesSoldTwice > 0 ? [`${after.diary.codesSoldTwice} were shown to two buyers`] : []),
    ]),
    counted('codes that do not open', codes.closed),
    ...outsideLines,
    printInvariants(end.brokenInvariants, invariants.length),
    counted('purchases refused', after.diary.complaints.slice(before.diary.complaints.length)),
    printBugs(wire.bugs),
    printFalls(server),
  ].map(line)
}

function copyDiary(diary: Diary): Diary {
  const copy = new Diary()
  for (const [orderId, userId] of diary.orders) copy.acknowledge(orderId, userId)
  for (const [code, orderId] of diary.codesSeen) copy.seeCodes(orderId, [code])
  return copy
}

/** Opens every code that the database has sold, and compares it with what its buyers were shown, in whatever past. */
async function compareCodes(database: Database, secretKey: Buffer, diary: Diary) {
  const vault = await Vault.open(database, secretKey)
  const sold = await database.rows<Sealed & { id: number; orderId: string }>(sql`
    SELECT code.id, code.key_id AS "keyId", code.ciphertext, order_item.order_id AS "orderId"
    FROM code_sale JOIN code ON code.id = code_sale.code_id JOIN order_item ON order_item.id = code_sale.order_item_id`)
  const [soldTwice, closed]: [string[], string[]] = [[], []]
  for (const { id, orderId, ...sealed } of sold) {
    const text = await vault.unseal(sealed, codeRow(id)).catch(() => undefined)
    const shownTo = text === undefined ? undefined : diary.codesSeen.get(text)
    if (text === undefined) closed.push(`code ${id}`)
    else if (shownTo !== undefined && shownTo !== orderId)
      soldTwice.push(`code ${id}: order ${shownTo}, then ${orderId}`)
  }
  return { soldTwice, closed }
}
