import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { aCardOrder, passMinutes } from '../../../test/card-orders.ts'
import { startS3 } from '../../../test/doubles/s3.ts'
import { EmbeddedRuns } from '../../../test/embedded.ts'
import { anOffer, aUser, type TestOffer, type TestUser, toCart } from '../../../test/factories.ts'
import { openLink } from '../../../test/link.ts'
import { openShop, type TestShop } from '../../../test/shop.ts'
import { backup } from '../../commands/backup.ts'
import type { Config } from '../../config.ts'
import { takeBaseBackup } from '../../platform/database/base-backup.ts'
import { Database } from '../../platform/database/database.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { sql } from '../../platform/database/queries.ts'
import { checkInvariants } from '../proof/ledger-proof.ts'
import { restoreBackup, takeBackup, verifyNewest } from './backup.ts'
import { readBackupReport, reportFolder, watchBackups } from './backup-copies.ts'

const key = randomBytes(32)
const secretKey = randomBytes(32)
let runs: EmbeddedRuns
let url: string
let shop: TestShop
let offer: TestOffer
let buyers: TestUser[]
/** The settings of the store that has this PostgreSQL embedded. */
let config: Config
let backups: string
let first: string

beforeAll(async () => {
  runs = await EmbeddedRuns.create()
  url = (await runs.start()).url
  await migrate(url)
  backups = join(runs.folder, 'backups')
  shop = await openShop({ BACKUP_DIR: backups, BACKUP_KEY: key.toString('hex') }, { url, secretKey })
  config = { ...shop.config, databaseUrl: undefined, dataDir: runs.dataDir }
  offer = await anOffer(shop, { stock: 5_000, priceUsd: 100 })
  buyers = await Promise.all(Array.from({ length: 4 }, () => aUser(shop, { usd: 1_000_000 })))
}, 120_000)
afterAll(async () => {
  await shop?.close()
  await runs?.end()
})

async function buy({ token }: TestUser): Promise<string> {
  await shop.call('POST', '/cart/add', { token, body: toCart(offer) })
  const { status, body } = await shop.call('POST', '/payment/from-balance', { token, body: { currency: 'USD' } })
  expect(status).toBe(201)
  return body.order.id
}

const newFolder = () => join(runs.folder, randomBytes(4).toString('hex'))

/** Opens the database that was restored there. */
async function onRestored<T>(folder: string, look: (database: Database) => Promise<T>): Promise<T> {
  const restored = await runs.start(folder)
  const database = new Database({ url: restored.url, connections: 2, onIdleError: () => {} })
  try {
    return await look(database)
  } finally {
    await database.close()
    await restored.stop()
  }
}

test('a backup while buyers buy has every order that was acknowledged before, and its books hold', {
  timeout: 120_000,
}, async () => {
  const acknowledged: string[] = []
  let isOver = false
  const buying = buyers.map(async (buyer) => {
    while (!isOver) acknowledged.push(await buy(buyer))
  })
  while (acknowledged.length < 20) await Promise.race([setImmediate(), ...buying])
  const before = [...acknowledged]
  // With several hosts, here one that is named twice, the backup asks one that takes writes.
  const several = url.replace(/@([^/]+)/, '@$1,$1')
  first = await takeBackup({ config, database: shop.database, url: several }, backups)
  isOver = true
  await Promise.all(buying)

  const into = newFolder()
  expect(await restoreBackup(first, key, { into })).toMatchObject({ isEmbedded: true })
  await onRestored(into, async (database) => {
    const rows = await database.rows<{ id: string }>(sql`SELECT id FROM orders`)
    expect(before.filter((id) => !rows.some((row) => row.id === id))).toEqual([])
    expect((await checkInvariants(database)).filter(({ offenders }) => offenders > 0)).toEqual([])
  })
  expect(await readFile(first)).not.toContain(secretKey)
  expect(await readdir(backups)).toHaveLength(2)
})

test('a file that was cut short, changed, or sealed with another key is refused in one sentence, and leaves nothing', async () => {
  const whole = await readFile(first)
  const refuse = async (content: Buffer, sentence: RegExp, byKey = key) => {
    const path = join(runs.folder, 'refused.backup')
    await writeFile(path, content)
    const into = newFolder()
    await expect(restoreBackup(path, byKey, { into })).rejects.toThrow(sentence)
    expect(await readdir(into).catch(() => [])).toEqual([])
  }
  const damaged = /^The backup \S+ is damaged or cut short; take another one\.$/
  await refuse(whole.subarray(0, whole.length - 1), damaged)
  // Cut after a whole chunk, which opens by itself.
  const chunk = 64 * 1024 + 16
  await refuse(whole.subarray(0, 39 + Math.floor((whole.length - 40) / chunk) * chunk), damaged)
  const changed = Buffer.from(whole)
  changed[Math.floor(whole.length / 2)] = (changed[Math.floor(whole.length / 2)] as number) ^ 1
  await refuse(changed, damaged)
  const renamed = Buffer.from(whole)
  renamed[30] = (renamed[30] as number) ^ 1
  await refuse(renamed, damaged)
  await refuse(whole.subarray(0, 20), damaged)
  await refuse(whole, /^The backup \S+ was made with another BACKUP_KEY; give that one\.$/, randomBytes(32))
  await refuse(Buffer.alloc(100, 'x'), /^The file \S+ is no backup of Olmos\.$/)
  await expect(restoreBackup(first, key, { into: backups })).rejects.toThrow(/ is not empty; restore into a new one\.$/)
  await expect(restoreBackup(`${first}x`, key, { into: newFolder() })).rejects.toThrow(/^There is no backup /)
})

test('verify restores the newest, and goes red when the counts of its manifest are others', {
  timeout: 120_000,
}, async () => {
  const sound = await verifyNewest(config, backups)
  expect(sound).toMatchObject({ path: first, codes: 10, whyNot: undefined })
  const path = first.replace('.backup', '.json')
  const manifest = JSON.parse(await readFile(path, 'utf8'))
  expect(manifest.verified.why_not).toBeNull()
  const planted = { ...manifest, at_least: { ...manifest.at_least, orders: manifest.at_most.orders + 1 } }
  await writeFile(path, JSON.stringify(planted))
  const lines: string[] = []
  const terminal = {
    config,
    database: shop.database,
    url,
    print: (line: string) => lines.push(line),
    progress: () => {},
    closers: [],
  }
  expect(await backup.run(terminal, '', { verify: true })).toBe(1)
  expect(lines.join()).toMatch(/is no backup to rely on: The restored database has \d+ orders, and its manifest/)
  const alerts = () =>
    shop.database.rows<{ kind: string }>(sql`SELECT kind FROM alert WHERE kind LIKE 'backup.%' AND resolved_at IS NULL`)
  expect(await alerts()).toEqual([{ kind: 'backup.failed' }])
  const fault = expect.stringMatching(/^The restored database has /)
  expect(await readBackupReport(shop.database)).toMatchObject({ verified_at: null, fault })

  await writeFile(path, JSON.stringify({ ...manifest, sha256: '00' }))
  expect((await verifyNewest(config, backups)).whyNot).toMatch(/^The digest of /)
  expect((await verifyNewest({ ...config, secretKey: randomBytes(32) }, backups)).whyNot).toBeDefined()
  await writeFile(path, JSON.stringify(manifest))
  expect(await backup.run(terminal, '', { verify: true })).toBe(0)
  expect(await alerts()).toEqual([])
  expect(await readBackupReport(shop.database)).toMatchObject({ verified_at: expect.any(Date), fault: null })
})

/** Runs a command on this store with a TMPDIR of its own, and ends it as soon as `path` is there. */
async function cutShort(args: string[], { tmp, path }: { tmp: string; path: string }) {
  const program = fileURLToPath(new URL('../../cli.ts', import.meta.url))
  const settings = { BACKUP_DIR: backups, BACKUP_KEY: key.toString('hex'), SECRET_KEY: secretKey.toString('hex') }
  const env = { PATH: process.env.PATH, DATA_DIR: runs.dataDir, TMPDIR: tmp, ...settings }
  const child = spawn(process.execPath, [program, ...args], { env, stdio: 'ignore' })
  const ended = once(child, 'close')
  const isThere = () => expect(globSync(path)).not.toEqual([])
  await vi.waitFor(isThere, { timeout: 30_000, interval: 1 })
  child.kill('SIGTERM')
  return (await ended)[0]
}

test.each(['olmos-verify-*', 'olmos-verify-*/postgres/cluster/postmaster.pid'])(
  'a look that is cut short once there is %s leaves no copy and no process, and says nothing of the backup',
  { timeout: 120_000 },
  async (path) => {
    const tmp = newFolder()
    const [old, young, other] = ['olmos-scratch-oldest', 'olmos-scratch-recent', 'olmos-verify-november']
    for (const name of [old, young, other])
      await mkdir(join(tmp, name, 'postgres/cluster'), { recursive: true, mode: 0o755 })
    const longAgo = new Date(Date.now() - 3 * 86_400_000)
    for (const name of [old, other]) await utimes(join(tmp, name), longAgo, longAgo)
    const known = await readFile(first.replace('.backup', '.json'), 'utf8')
    expect(await cutShort(['backup', '--verify'], { tmp, path: join(tmp, path.replace('*', '??????')) })).toBe(143)
    expect((await readdir(tmp)).sort()).toEqual([young, other])
    expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain(tmp)
    expect(await readFile(first.replace('.backup', '.json'), 'utf8')).toBe(known)
  },
)

test('a restore that is cut short leaves nothing in the folder', { timeout: 120_000 }, async () => {
  const [into, tmp] = [newFolder(), newFolder()]
  const path = join(into, 'postgres/new-*/base')
  expect(await cutShort(['restore', first, '--into', into], { tmp, path })).toBe(143)
  expect(await readdir(into)).toEqual([])
})

test('verify finds a backup sound whose unpaid order has run out of time since', { timeout: 120_000 }, async () => {
  const { orderId } = await aCardOrder(shop)
  await passMinutes(shop, orderId, 24 * 60)
  const folder = newFolder()
  await takeBackup({ config, database: shop.database, url }, folder)
  const { whyNot } = await verifyNewest(config, folder)
  await passMinutes(shop, orderId, -24 * 60)
  expect(whyNot).toBeUndefined()
})

test('a database that says nothing more ends the backup', async () => {
  const link = await openLink(url)
  try {
    const { tar } = await takeBaseBackup(link.url, { silentAtMostMs: 1_000 })
    const reading = (async () => {
      for await (const _ of tar) link.freeze()
    })()
    await expect(reading).rejects.toThrow(/^The database can't be backed up: it has said nothing for \d+ seconds\.$/)
  } finally {
    await link.cut()
    // The next backup of this process makes a slot of the same name.
    await expect.poll(() => shop.database.rows(sql`SELECT FROM pg_replication_slots`), { timeout: 30_000 }).toEqual([])
  }
})

test('the newest backup that was found sound is kept, however many came after it', { timeout: 120_000 }, async () => {
  const folder = newFolder()
  await mkdir(folder)
  const manifest = JSON.parse(await readFile(first.replace('.backup', '.json'), 'utf8'))
  const put = async (day: string, verified?: { at: string; why_not: string | null }) => {
    await writeFile(join(folder, `olmos-202001${day}T000000Z.backup`), '')
    await writeFile(join(folder, `olmos-202001${day}T000000Z.json`), JSON.stringify({ ...manifest, verified }))
  }
  const at = new Date().toISOString()
  await put('01', { at, why_not: null })
  await put('02', { at, why_not: null })
  await put('03', { at, why_not: 'a code does not open' })
  await put('04')
  const path = await takeBackup({ config: { ...config, backupKeep: 2 }, database: shop.database, url }, folder)
  const left = (await readdir(folder)).filter((name) => name.endsWith('.backup')).sort()
  expect(left).toEqual(['olmos-20200102T000000Z.backup', 'olmos-20200104T000000Z.backup', path.split('/').at(-1)])
  expect(await readdir(folder)).toContain('olmos-20200102T000000Z.json')
})

test('a backup that could not be copied is copied by the next run, which takes no other one', {
  timeout: 120_000,
}, async () => {
  const s3 = await startS3()
  const folder = newFolder()
  const bucket = { ...s3, url: `${s3.url}/shop` }
  const run = async (backupBucket = bucket) => {
    const terminal = { config: { ...config, backupBucket }, database: shop.database, url }
    const code = await backup.run({ ...terminal, print: () => {}, progress: () => {}, closers: [] }, '', { to: folder })
    return { code, backups: (await readdir(folder)).filter((name) => name.endsWith('.backup')).length }
  }
  try {
    expect(await run({ ...bucket, secret: 'another-secret' })).toEqual({ code: 1, backups: 1 })
    await sleep(1_000)
    expect(await run({ ...bucket, secret: 'another-secret' })).toEqual({ code: 1, backups: 1 })
    expect(await run()).toEqual({ code: 0, backups: 1 })
    expect(s3.objects.size).toBe(2)
    await sleep(1_000)
    expect(await run()).toEqual({ code: 0, backups: 2 })
    // What is wrong with the newest one is not mended by a copy.
    const newest = join(
      folder,
      (await readdir(folder))
        .filter((name) => /^olmos.*json$/.test(name))
        .sort()
        .at(-1) as string,
    )
    const verified = { at: new Date().toISOString(), why_not: 'a code does not open' }
    await writeFile(newest, JSON.stringify({ ...JSON.parse(await readFile(newest, 'utf8')), verified }))
    await sleep(1_000)
    expect(await run({ ...bucket, secret: 'another-secret' })).toEqual({ code: 1, backups: 3 })
    await sleep(1_000)
    expect(await run()).toEqual({ code: 0, backups: 3 })
  } finally {
    await shop.database.run(sql`DELETE FROM backup_report`)
    await shop.database.run(
      sql`UPDATE alert SET resolved_at = now() WHERE resolved_at IS NULL AND kind LIKE 'backup.%'`,
    )
    await s3.close()
  }
})

test('every node knows of a backup that was taken by hand', { timeout: 120_000 }, async () => {
  const terminal = { config, database: shop.database, url, print: () => {}, progress: () => {}, closers: [] }
  const before = Math.floor(Date.now() / 1_000) * 1_000
  expect(await backup.run(terminal, '', { to: newFolder() })).toBe(0)
  expect((await readBackupReport(shop.database))?.newest_at?.getTime()).toBeGreaterThanOrEqual(before)
})

test('a backup of another PostgreSQL becomes its data folder, and only so many are kept', {
  timeout: 120_000,
}, async () => {
  const folder = newFolder()
  const external = { ...shop.config, backupKeep: 1 }
  await mkdir(folder)
  await writeFile(join(folder, 'olmos-20200101T000000Z.backup'), '')
  const path = await takeBackup({ config: external, database: shop.database, url }, folder)
  expect((await readdir(folder)).filter((name) => name.endsWith('.backup'))).toEqual([path.split('/').at(-1)])
  expect((await verifyNewest(external, folder)).whyNot).toBeUndefined()
  const into = newFolder()
  await restoreBackup(path, key, { into })
  expect(await readdir(into)).toEqual(expect.arrayContaining(['PG_VERSION', 'backup_label', 'global', 'pg_wal']))
})

test('an old backup raises an alert until there is a new one, and its age is measured', async () => {
  const open = () =>
    shop.database.rows<{ kind: string }>(sql`SELECT kind FROM alert WHERE kind = 'backup.old' AND resolved_at IS NULL`)
  const folder = newFolder()
  const watch = async () => {
    await reportFolder({ database: shop.database, backupDir: folder, keepsWal: false, copiesWal: false })
    await watchBackups(shop)
  }
  await watch()
  expect(await open()).toHaveLength(1)
  await mkdir(folder)
  await writeFile(join(folder, 'olmos-20200101T000000Z.backup'), '')
  await watch()
  expect(await open()).toHaveLength(1)
  expect((await readBackupReport(shop.database))?.newest_at).toEqual(new Date('2020-01-01T00:00:00Z'))
  await writeFile(join(folder, `olmos-${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')}.backup`), '')
  await watch()
  expect(await open()).toEqual([])
  const metrics = await shop.app.inject({ url: '/metrics' })
  expect(metrics.body).toMatch(/^olmos_backup_age_seconds \d/m)
})

test('a role that may not replicate is told what to do, and no file is left', async () => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query("CREATE ROLE weak LOGIN PASSWORD 'weak'")
  await client.end()
  const weak = new URL(url)
  weak.username = 'weak'
  weak.password = 'weak'
  const folder = newFolder()
  const taking = takeBackup(
    { config: { ...config, backupDatabaseUrl: weak.href }, database: shop.database, url },
    folder,
  )
  await expect(taking).rejects.toThrow(/^The database can't be backed up: .*\(ALTER ROLE … REPLICATION\)/)
  expect(await readdir(folder)).toEqual([])
})
