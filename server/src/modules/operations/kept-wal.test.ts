import { randomBytes } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { EmbeddedRuns } from '../../../test/embedded.ts'
import { anOffer, aUser, type TestOffer, type TestUser, toCart } from '../../../test/factories.ts'
import { openShop, type TestShop } from '../../../test/shop.ts'
import type { Config } from '../../config.ts'
import { Database } from '../../platform/database/database.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { sql } from '../../platform/database/queries.ts'
import { checkInvariants } from '../proof/ledger-proof.ts'
import { restoreBackup, takeBackup, verifyNewest } from './backup.ts'
import { readBackupFigures, reportFolder, watchWal } from './backup-copies.ts'
import { keepWal } from './keep-wal.ts'
import { findBeginning, keptWal, layWal, readWalMark, WalWriter, walFolder } from './kept-wal.ts'

const key = randomBytes(32)
const secretKey = randomBytes(32)
const timeout = 240_000
let runs: EmbeddedRuns
let url: string
let shop: TestShop
let offer: TestOffer
let buyer: TestUser
/** The settings of the store that has this PostgreSQL embedded. */
let config: Config
let backups: string
let first: string
const complaints: string[] = []
const log = {
  warn: (told: unknown) => void complaints.push(String(told)),
  error: (_error: unknown, told?: string) => void complaints.push(String(told)),
}
/** With several hosts, here one that is named twice, the one that takes writes is asked. */
const nameTwice = (one: string) => one.replace(/@([^/]+)/, '@$1,$1')
const keep = (from = nameTwice(url)) => keepWal({ url: from, backupDir: backups, key, log })
let keeping: ReturnType<typeof keep>

beforeAll(async () => {
  runs = await EmbeddedRuns.create()
  url = (await runs.start()).url
  await migrate(url)
  backups = join(runs.folder, 'backups')
  const settings = { BACKUP_DIR: backups, BACKUP_KEY: key.toString('hex'), BACKUP_WAL: 'on' }
  shop = await openShop(settings, { url, secretKey })
  config = { ...shop.config, databaseUrl: undefined, dataDir: runs.dataDir }
  offer = await anOffer(shop, { stock: 500, priceUsd: 100 })
  buyer = await aUser(shop, { usd: 1_000_000 })
  keeping = keep()
  await untilKept()
  first = await takeBackup({ config, database: shop.database, url }, backups)
}, timeout)
afterAll(async () => {
  await keeping?.stop()
  await shop?.close()
  await runs?.end()
})

const patience = { timeout: 30_000, interval: 20 }

/** Waits until everything committed before this moment is on the disk. */
async function untilKept(by: Pick<TestShop, 'database'> = shop): Promise<void> {
  const { now } = await by.database.one<{ now: Date }>(sql`SELECT clock_timestamp() AS now`)
  await vi.waitFor(
    async () => expect((await readWalMark(backups))?.until.getTime()).toBeGreaterThan(now.getTime()),
    patience,
  )
}

async function buy(): Promise<string> {
  await shop.call('POST', '/cart/add', { token: buyer.token, body: toCart(offer) })
  const { status, body } = await shop.call('POST', '/payment/from-balance', {
    token: buyer.token,
    body: { currency: 'USD' },
  })
  expect(status).toBe(201)
  return body.order.id
}

const buySome = async (count: number) => {
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push(await buy())
  return ids
}

const newFolder = () => join(runs.folder, randomBytes(4).toString('hex'))

/** Opens the database that was restored there, whose books must hold. */
async function onRestored<T>(folder: string, look: (database: Database, at: string) => Promise<T>): Promise<T> {
  const restored = await runs.start(folder)
  const database = new Database({ url: restored.url, connections: 2, onIdleError: () => {} })
  try {
    expect((await checkInvariants(database)).filter(({ offenders }) => offenders > 0)).toEqual([])
    return await look(database, restored.url)
  } finally {
    await database.close()
    await restored.stop()
  }
}

const readOrders = async (database: Database) =>
  (await database.rows<{ id: string }>(sql`SELECT id FROM orders ORDER BY id`)).map(({ id }) => id)

/** The orders of a backup that was restored into a new folder. */
async function ordersAt(to: Date | 'latest' | undefined, path = first) {
  const into = newFolder()
  const { rolled } = await restoreBackup(path, key, { into, to })
  return { into, rolled, orders: await onRestored(into, readOrders) }
}

test('a restore to a moment has what was committed until then and nothing after, to the latest everything', {
  timeout,
}, async () => {
  const before = await buySome(5)
  const { moment } = await shop.database.one<{ moment: Date }>(sql`SELECT clock_timestamp() AS moment`)
  const after = await buySome(5)
  // A disk of which somebody took a copy has a file that nobody ended, as after a kill.
  const copy = newFolder()
  const halfway = await ordersAt(moment)
  expect(halfway.orders).toEqual(before.toSorted())
  expect(halfway.rolled?.isWhole).toBe(true)
  await untilKept()
  await cp(backups, copy, { recursive: true })
  const latest = await ordersAt('latest', join(copy, first.split('/').at(-1) as string))
  expect(latest.orders).toEqual([...before, ...after].toSorted())
  expect((await ordersAt(undefined)).orders).toEqual([])
  expect(complaints).toEqual([])
})

test('a part that gets its final name while it is laid is laid all the same', async () => {
  const [kept, into] = [keptWal(newFolder(), { key, system: '7' }), newFolder()]
  for (const folder of [kept.folder, into]) await mkdir(folder, { recursive: true })
  const start = { timeline: 1, lsn: 0n, segmentBytes: 1_024n }
  const [written, writer] = [randomBytes(1_500), new WalWriter(kept, start)]
  await writer.write(written)
  expect((await readdir(kept.folder)).filter((name) => name.endsWith('.part'))).toHaveLength(1)
  const laid = await layWal(kept, start, { into, own: () => writer.close() })
  expect(laid).toEqual({ isWhole: true, parts: 2 })
  const segments = await Promise.all((await readdir(into)).sort().map((name) => readFile(join(into, name))))
  expect(Buffer.concat(segments).subarray(0, written.length).equals(written)).toBe(true)
})

test('what lies beside the backups opens with BACKUP_KEY alone, and damage, a cut and a gap are said', {
  timeout,
}, async () => {
  await shop.database.run(sql`SELECT pg_switch_wal()`)
  await buySome(3)
  await untilKept()
  const copy = newFolder()
  await cp(backups, copy, { recursive: true })
  const path = join(copy, first.split('/').at(-1) as string)
  const [system = ''] = (await readdir(walFolder(copy))).filter((name) => /^\d+$/.test(name))
  const parts = (await readdir(join(walFolder(copy), system))).sort()
  expect(parts.length).toBeGreaterThan(1)
  const part = join(walFolder(copy), system, parts[0] as string)
  const whole = await readFile(part)
  const refuse = async (sentence: RegExp) => {
    const into = newFolder()
    await expect(restoreBackup(path, key, { into, to: 'latest' })).rejects.toThrow(sentence)
    expect(await readdir(into)).toEqual([])
  }
  const changed = Buffer.from(whole)
  changed[60] = (changed[60] as number) ^ 1
  await writeFile(part, changed)
  await refuse(/^The file \S+ is damaged, or was written with another BACKUP_KEY\.$/)
  // The backup by itself needs none of it, and still begins a timeline of its own.
  const alone = newFolder()
  await restoreBackup(path, key, { into: alone })
  await onRestored(alone, async (database) => {
    expect(await readOrders(database)).toEqual([])
    const { timeline } = await database.one<{ timeline: number }>(
      sql`SELECT timeline_id AS timeline FROM pg_control_checkpoint()`,
    )
    expect(timeline).toBe(2)
  })
  await writeFile(part, whole.subarray(0, whole.length - 5))
  await refuse(/^The file \S+ was cut short\.$/)
  await rm(part)
  await refuse(/^No WAL since this backup is kept in /)
  await writeFile(part, whole)
  await rm(join(walFolder(copy), system, parts[1] as string))
  const into = newFolder()
  expect((await restoreBackup(path, key, { into, to: 'latest' })).rolled?.isWhole).toBe(false)
  const tomorrow = new Date(Date.now() + 86_400_000)
  await expect(restoreBackup(path, key, { into: newFolder(), to: tomorrow })).rejects.toThrow(
    /^The WAL that is kept ends before \S+Z: give an earlier moment, or --to latest\.$/,
  )
  const yesterday = new Date(Date.now() - 86_400_000)
  await expect(restoreBackup(path, key, { into: newFolder(), to: yesterday })).rejects.toThrow(
    /^This backup was not complete at \S+Z; restore an older one\.$/,
  )
  await expect(restoreBackup(path, randomBytes(32), { into: newFolder(), to: 'latest' })).rejects.toThrow(/BACKUP_KEY/)
})

test('a restored database goes on in the same folder on a timeline of its own, and is restored from it', {
  timeout,
}, async () => {
  await keeping.stop()
  const { moment } = await shop.database.one<{ moment: Date }>(sql`SELECT clock_timestamp() AS moment`)
  const known = await readOrders(shop.database)
  // The half of the history that the restore takes back.
  await buySome(2)
  keeping = keep()
  await untilKept()
  await keeping.stop()
  const into = newFolder()
  await restoreBackup(first, key, { into, to: moment })
  await onRestored(into, async (database, at) => {
    keeping = keep(at)
    await database.run(sql`UPDATE product SET position = position + 100`)
    await untilKept({ database })
    await keeping.stop()
  })
  const again = newFolder()
  await restoreBackup(first, key, { into: again, to: 'latest' })
  await onRestored(again, async (database) => {
    expect(await readOrders(database)).toEqual(known)
    expect(await database.one<{ moved: boolean }>(sql`SELECT min(position) >= 100 AS moved FROM product`)).toEqual({
      moved: true,
    })
  })
  // One that was taken back in another way would write once more what the folder has.
  const { system } = (await readWalMark(backups)) as { system: string }
  const takenBack = { timeline: 1, lsn: 0n, segmentBytes: 16n * 1024n * 1024n }
  const beginning = findBeginning(keptWal(backups, { key, system }), { primary: takenBack, history: undefined })
  await expect(beginning).rejects.toThrow(/ has WAL that this database never wrote, /)
})

const openAlerts = async () =>
  (
    await shop.database.rows<{ kind: string }>(
      sql`SELECT kind FROM alert WHERE kind LIKE 'backup.wal%' AND resolved_at IS NULL ORDER BY kind`,
    )
  ).map(({ kind }) => kind)

test('WAL that is not kept, and a gap since the newest backup, raise alerts until a backup closes it', {
  timeout,
}, async () => {
  const watch = async () => {
    await reportFolder({ database: shop.database, backupDir: backups, keepsWal: true, copiesWal: false })
    await watchWal(shop)
  }
  await keeping.stop()
  await rm(walFolder(backups), { recursive: true })
  await watch()
  expect(await openAlerts()).toEqual(['backup.wal_gap', 'backup.wal_late'])
  complaints.length = 0
  keeping = keep()
  await untilKept()
  await watch()
  expect(await openAlerts()).toEqual(['backup.wal_gap'])
  const second = await takeBackup({ config: { ...config, backupKeep: 1 }, database: shop.database, url }, backups)
  await untilKept()
  await watch()
  expect(await openAlerts()).toEqual([])
  await keeping.stop()

  // What nobody confirmed is removed once nothing keeps it, as when the bound of the slot was reached.
  await shop.database.run(sql`SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots`)
  for (let segment = 0; segment < 3; segment++) {
    await shop.database.run(sql`UPDATE product SET position = position + 1`)
    await shop.database.run(sql`SELECT pg_switch_wal()`)
  }
  await shop.database.run(sql`CHECKPOINT`)
  keeping = keep()
  await untilKept()
  await watch()
  expect(await openAlerts()).toEqual(['backup.wal_gap'])
  expect(complaints).toEqual([expect.stringMatching(/^the database has removed WAL/)])

  const parts = async () =>
    (await readdir(walFolder(backups), { recursive: true })).filter((name) => name.endsWith('.wal'))
  const before = await parts()
  const third = await takeBackup({ config: { ...config, backupKeep: 1 }, database: shop.database, url }, backups)
  expect(third).not.toBe(second)
  expect(before).not.toEqual([])
  expect((await parts()).filter((name) => before.includes(name))).toEqual([])
  await untilKept()
  await watch()
  expect(await openAlerts()).toEqual([])
  expect((await readBackupFigures(shop.database)).backup_wal_age_seconds).toBeLessThan(60)
  await buySome(2)
  await untilKept()
  expect((await verifyNewest(config, backups)).whyNot).toBeUndefined()
})
