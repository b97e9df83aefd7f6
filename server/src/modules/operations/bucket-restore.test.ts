import { randomBytes } from 'node:crypto'
import { readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type S3Double, startS3 } from '../../../test/doubles/s3.ts'
import { EmbeddedRuns } from '../../../test/embedded.ts'
import { anOffer, aUser, type TestOffer, type TestUser, toCart } from '../../../test/factories.ts'
import { openShop, type TestShop } from '../../../test/shop.ts'
import { backup, fetchBackupCommand, reconcileSalesCommand, restore } from '../../commands/backup.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { sql } from '../../platform/database/queries.ts'
import { checkInvariants } from '../proof/ledger-proof.ts'
import { Copies, copyBackups } from './backup-copies.ts'
import { keepWal } from './keep-wal.ts'
import { readWalMark } from './kept-wal.ts'
import { followSales } from './sales-log.ts'

const key = randomBytes(32)
const secretKey = randomBytes(32)
const timeout = 240_000
let runs: EmbeddedRuns
let s3: S3Double
let url: string
let shop: TestShop
let offer: TestOffer
let buyer: TestUser
let backups: string
/** The settings that a new machine needs to fetch and restore. */
let atHand: Record<string, string>
let keeping: ReturnType<typeof keepWal>
const complaints: unknown[] = []
const log = {
  warn: (told: unknown) => void complaints.push(told),
  error: (told: unknown) => void complaints.push(told),
}
const keep = () => keepWal({ url, backupDir: backups, key, log })

beforeAll(async () => {
  s3 = await startS3()
  runs = await EmbeddedRuns.create()
  url = (await runs.start()).url
  await migrate(url)
  backups = join(runs.folder, 'backups')
  atHand = {
    BACKUP_KEY: key.toString('hex'),
    BACKUP_S3_URL: `${s3.url}/shop`,
    BACKUP_S3_KEY_ID: s3.keyId,
    BACKUP_S3_SECRET: s3.secret,
    BACKUP_S3_REGION: s3.region,
  }
  const settings = { BACKUP_DIR: backups, BACKUP_WAL: 'on', SALES_LOG_DIR: join(runs.folder, 'sales') }
  shop = await openShop({ ...atHand, ...settings }, { url, secretKey })
  offer = await anOffer(shop, { stock: 100 })
  buyer = await aUser(shop, { usd: 1_000_000 })
  keeping = keep()
  await untilKept()
}, timeout)
afterAll(async () => {
  await keeping?.stop()
  await shop?.close()
  await runs?.end()
  await s3?.close()
})

/** Waits until everything committed before this moment is on the disk of the backups. */
async function untilKept(): Promise<void> {
  const { now } = await shop.database.one<{ now: Date }>(sql`SELECT clock_timestamp() AS now`)
  await vi.waitFor(async () => expect((await readWalMark(backups))?.until.getTime()).toBeGreaterThan(now.getTime()), {
    timeout: 30_000,
    interval: 20,
  })
}

/** Buys so many codes, an order each. Returns the ids of the orders. */
async function buy(count: number, at = shop): Promise<string[]> {
  const { token } = buyer
  const ids: string[] = []
  for (let bought = 0; bought < count; bought++) {
    await at.call('POST', '/cart/add', { token, body: toCart(offer) })
    const { status, body } = await at.call('POST', '/payment/from-balance', { token, body: { currency: 'USD' } })
    expect(status).toBe(201)
    ids.push(body.order.id)
  }
  return ids
}

const readOrders = async ({ database }: TestShop) =>
  (await database.rows<{ id: string }>(sql`SELECT id FROM orders ORDER BY id`)).map(({ id }) => id)

/** Names the codes that were sold, as they are in every copy of the database. */
const readSold = async ({ database }: TestShop) =>
  (
    await database.rows<{ fingerprint: string }>(sql`
      SELECT encode(code.fingerprint, 'hex') AS fingerprint FROM code_sale JOIN code ON code.id = code_id`)
  ).map(({ fingerprint }) => fingerprint)

interface Said {
  code: number
  lines: string[]
}

/** Runs a command that works on a database, as on the machine of the store. */
async function runOn(at: TestShop, command: typeof backup | typeof reconcileSalesCommand): Promise<Said> {
  const lines: string[] = []
  const config = { ...at.config, databaseUrl: undefined, dataDir: runs.dataDir }
  const print = (line: string) => void lines.push(line)
  return {
    code: await command.run({ config, database: at.database, url, print, progress: () => {}, closers: [] }, '', {}),
    lines,
  }
}

/** Runs a command as on a machine that has nothing but the settings at hand. */
async function runElsewhere(
  command: typeof fetchBackupCommand | typeof restore,
  argument: string,
  options: { into: string; to?: string },
): Promise<Said> {
  const lines: string[] = []
  const print = (line: string) => void lines.push(line)
  const surroundings = { environment: atHand, closers: [], print, progress: () => {} }
  return { code: await command.runAlone(surroundings, argument, options), lines }
}

const newFolder = () => join(runs.folder, randomBytes(4).toString('hex'))

/** Fetches what the bucket has, and restores the newest backup of it with all WAL since, into a new folder. */
async function restoreFromBucket(into: string): Promise<Said> {
  const fetched = newFolder()
  try {
    expect((await runElsewhere(fetchBackupCommand, '', { into: fetched })).code).toBe(0)
    const [name = ''] = (await readdir(fetched)).filter((one) => one.endsWith('.backup'))
    return await runElsewhere(restore, join(fetched, name), { into, to: 'latest' })
  } finally {
    await rm(fetched, { recursive: true })
  }
}

const openAlerts = async () =>
  (
    await shop.database.rows<{ subject: string }>(sql`
      SELECT subject FROM alert WHERE kind = 'backup.not_copied' AND resolved_at IS NULL`)
  ).map(({ subject }) => subject)

test('a backup that the bucket does not take raises an alert, and is copied by the next try before another is taken', {
  timeout,
}, async () => {
  s3.isReadOnly = true
  const refused = await runOn(shop, backup)
  expect(refused).toEqual({
    code: 1,
    lines: [
      expect.stringMatching(/^\S+\.backup is complete\.$/),
      `It could not be copied to ${s3.url}/shop: S3 returned 403 – AccessDenied`,
    ],
  })
  expect(await openAlerts()).toEqual(['backup'])
  expect(s3.objects.size).toBe(0)

  s3.isReadOnly = false
  const copying = await runOn(shop, backup)
  expect(copying.code).toBe(0)
  expect(copying.lines[0]).toMatch(/\.backup is complete, and still has to be copied; no other one is taken/)
  expect(await openAlerts()).toEqual([])

  // A backup has its name from the second in which it began.
  const second = Math.floor(Date.now() / 1_000)
  await vi.waitFor(() => expect(Date.now() / 1_000).toBeGreaterThan(second + 1), { timeout: 10_000 })
  const taken = await runOn(shop, backup)
  expect(taken.code).toBe(0)
  expect(taken.lines.at(-1)).toMatch(/^\d+ files were copied to http/)
  const copied = [...s3.objects.keys()].filter((path) => path.endsWith('.backup')).sort()
  expect(copied.map((path) => basename(path))).toEqual(
    [...refused.lines, ...taken.lines].flatMap(
      (line) => /(olmos-\d{8}T\d{6}Z\.backup) is complete\.$/.exec(line)?.[1] ?? [],
    ),
  )
  expect(JSON.stringify([refused, taken])).not.toContain(s3.secret)
  for (const { body } of s3.objects.values()) expect(body.includes(secretKey)).toBe(false)
})

test('a store whose machine is lost comes back from the bucket, and what was sold since is listed and not sold again', {
  timeout,
}, async () => {
  const salesLog = { dir: join(runs.folder, 'sales'), key, log: log as never }
  const following = await followSales(shop.database, salesLog)
  const kept = await buy(3)
  const soldAndKept = await readSold(shop)
  await untilKept()
  await copyBackups({ copies: new Copies({ ...s3, url: `${s3.url}/shop` }), backupDir: backups }, { start: 'wal/' })
  // These are sold before the next minute, in which they would have been copied.
  const lost = await buy(2)
  await following.stop()
  const soldAndLost = (await readSold(shop)).filter((one) => !soldAndKept.includes(one))
  expect(soldAndLost).toHaveLength(2)

  await keeping.stop()
  const lostDisk = `${backups}-lost`
  await rename(backups, lostDisk)
  const into = newFolder()
  const { code, lines } = await restoreFromBucket(into).finally(() => rename(lostDisk, backups))
  keeping = keep()
  expect(code).toBe(0)
  expect(lines[0]).toMatch(/^Restored into \S+, up to what was committed at \S+Z\.$/)
  expect(lines.filter((line) => line.includes('missing'))).toEqual([])

  const restored = await runs.start(into)
  const settings = { SALES_LOG_DIR: salesLog.dir, BACKUP_KEY: key.toString('hex') }
  const again = await openShop(settings, { url: restored.url, secretKey })
  try {
    expect(await readOrders(again)).toEqual(kept.toSorted())
    const reconciled = await runOn(again, reconcileSalesCommand)
    expect(reconciled.code).toBe(0)
    expect(reconciled.lines).toContain('2 codes that had left were taken off the shelf, 0 more that may have.')
    const listed = reconciled.lines.flatMap((line) => /^lost order +(\S+) /.exec(line)?.[1] ?? [])
    expect(listed.toSorted()).toEqual(lost.toSorted())
    await buy(5, again)
    expect((await readSold(again)).filter((one) => soldAndLost.includes(one))).toEqual([])
    expect((await checkInvariants(again.database)).filter(({ offenders }) => offenders > 0)).toEqual([])
  } finally {
    await again.close()
    await restored.stop()
  }
  expect(complaints).toEqual([])
})

test('an object that was cut short, changed or swapped is refused, and leaves nothing; a missing one is told', {
  timeout,
}, async () => {
  for (let part = 0; part < 2; part++) {
    await buy(1)
    await shop.database.run(sql`SELECT pg_switch_wal()`)
  }
  await buy(1)
  await untilKept()
  await copyBackups({ copies: new Copies({ ...s3, url: `${s3.url}/shop` }), backupDir: backups }, { start: 'wal/' })
  const whole = new Map(s3.objects)
  const paths = (end: string) => [...whole.keys()].filter((path) => path.endsWith(end)).sort()
  const [olderBackup, newerBackup] = paths('.backup') as [string, string]
  const [olderJson, newerJson] = paths('.json').filter((path) => dirname(path) === 'shop') as [string, string]
  const [olderPart, newerPart] = paths('.wal').slice(-2) as [string, string]
  const body = (path: string) => whole.get(path)?.body as Buffer
  const put = (path: string, content: Buffer) => s3.objects.set(path, { body: content, changedAt: new Date() })

  /** Restores from a bucket in which this was done. */
  const after = async (change: () => void, into: string) => {
    change()
    try {
      return await restoreFromBucket(into)
    } finally {
      s3.objects.clear()
      for (const [path, object] of whole) s3.objects.set(path, object)
    }
  }
  const refuse = async (change: () => void, sentence: RegExp) => {
    const into = newFolder()
    await expect(after(change, into)).rejects.toThrow(sentence)
    expect(await readdir(into).catch(() => [])).toEqual([])
  }

  const damaged = /^The backup \S+ is damaged or cut short; take another one\.$/
  await refuse(() => put(newerBackup, body(newerBackup).subarray(0, -1)), damaged)
  const changed = Buffer.from(body(newerBackup))
  changed[changed.length >> 1] = (changed[changed.length >> 1] as number) ^ 1
  await refuse(() => put(newerBackup, changed), damaged)
  const otherName = new RegExp(`is the backup ${basename(olderBackup)} under another name; take another one\\.$`)
  await refuse(() => put(newerBackup, body(olderBackup)), otherName)
  await refuse(() => {
    put(newerBackup, body(olderBackup))
    put(newerJson, body(olderJson))
  }, otherName)

  await refuse(() => put(olderPart, body(olderPart).subarray(0, -5)), /^The file \S+ was cut short\.$/)
  await refuse(
    () => put(olderPart, body(newerPart)),
    /^The file \S+ is damaged, or was written with another BACKUP_KEY\.$/,
  )
  const { code, lines } = await after(() => s3.objects.delete(olderPart), newFolder())
  expect([code, lines[1]]).toEqual([
    0,
    'WAL that was written after that is missing: what was sold since is known to reconcile-sales alone.',
  ])
})
