import { randomBytes } from 'node:crypto'
import { appendFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type S3Double, startS3 } from '../../../test/doubles/s3.ts'
import { useShop } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import {
  backupJobs,
  Copies,
  copyBackups,
  copyWal,
  fetchBackup,
  keepReporting,
  readBackupReport,
  reportBackup,
  reportFolder,
  reportLook,
  watchBackups,
  watchWal,
} from './backup-copies.ts'

// A node without BACKUP_DIR: what it knows of backups is in the database.
const shop = useShop()
let s3: S3Double
let folder: string
let backupDir: string
let copies: Copies
const wal = 'wal/7301000000000000001'

beforeEach(async () => {
  s3 = await startS3()
  folder = await mkdtemp(join(tmpdir(), 'olmos-copies-'))
  backupDir = join(folder, 'backups')
  await mkdir(join(backupDir, wal), { recursive: true })
  copies = new Copies({ ...s3, url: `${s3.url}/shop` })
})
afterEach(async () => {
  await s3.close()
  await rm(folder, { recursive: true, force: true })
})

const put = (path: string, content: Buffer | string) => writeFile(join(backupDir, path), content)
const backup = async (name: string, content: Buffer | string = name) => {
  await put(`${name}.backup`, content)
  await put(`${name}.json`, '{}')
}
const copy = () => copyBackups({ copies, backupDir })
const keys = () => [...s3.objects.keys()].sort()

test('everything is copied once, and what grew or was written once more is copied again', async () => {
  await backup('olmos-20261124T024000Z')
  await put(`${wal}/00000001-0000000001000000.part`, 'begun')
  await put('.olmos-20261124T024001Z-77.part', 'unfinished')
  expect(await copy()).toBe(3)
  expect(await copy()).toBe(0)
  expect(keys()).toEqual([
    'shop/olmos-20261124T024000Z.backup',
    'shop/olmos-20261124T024000Z.json',
    `shop/${wal}/00000001-0000000001000000.part`,
  ])

  await appendFile(join(backupDir, wal, '00000001-0000000001000000.part'), ' and grown')
  await vi.waitFor(async () => {
    await put('olmos-20261124T024000Z.json', '[]')
    expect(await copy()).toBeGreaterThan(0)
  })
  await copy()
  expect(String(s3.objects.get(`shop/${wal}/00000001-0000000001000000.part`)?.body)).toBe('begun and grown')
  expect(String(s3.objects.get('shop/olmos-20261124T024000Z.json')?.body)).toBe('[]')
})

test('what is removed here stays there, and no call deletes anything', async () => {
  await backup('olmos-20261124T024000Z')
  await copy()
  await rm(join(backupDir, 'olmos-20261124T024000Z.backup'))
  await backup('olmos-20261125T024000Z')
  await copy()
  expect(keys()).toContain('shop/olmos-20261124T024000Z.backup')
  expect(s3.asked.filter((line) => line.startsWith('DELETE'))).toEqual([])
})

test('a backup of many pieces comes back as it was, also when the bucket refuses for a moment', async () => {
  const content = randomBytes(40 * 1024 * 1024)
  await backup('olmos-20261124T024000Z', content)
  s3.failing = { method: 'PUT', times: 1 }
  // The first file to be sent is refused at once, and a piece is tried again.
  await copy().catch(() => {})
  await copy()
  expect(s3.asked.filter((line) => line.includes('partNumber=')).length).toBeGreaterThanOrEqual(3)
  const path = await fetchBackup(copies, { into: join(folder, 'fetched') })
  expect((await readFile(path)).equals(content)).toBe(true)
  // No request has to bring more than a slow line can in its time.
  const pieces = s3.asked.flatMap((line) => /\.backup (bytes=.*)$/.exec(line)?.[1] ?? [])
  expect(pieces).toEqual(['bytes=0-33554431', 'bytes=33554432-41943039'])
})

test('a copy whose connection breaks is no file, and the folder can be fetched into again', async () => {
  await backup('olmos-20261124T024000Z', randomBytes(1024 * 1024))
  await copy()
  const into = join(folder, 'fetched')
  s3.trouble = 'leaving'
  await expect(fetchBackup(copies, { into })).rejects.toThrow()
  expect((await readdir(into)).filter((name) => /\.(?:backup|json)$/.test(name))).toEqual([])
  s3.trouble = undefined
  expect(await readFile(await fetchBackup(copies, { into }))).toHaveLength(1024 * 1024)
})

test('what somebody else put into the bucket is not fetched, and leads out of no folder', async () => {
  await backup('olmos-20261124T024000Z')
  await copy()
  const strange = { body: Buffer.from('strange'), changedAt: new Date() }
  for (const key of ['shop/wal/../../escaped', 'shop/wal/7301/notes.txt', 'shop/olmos-latest.backup', 'escaped'])
    s3.objects.set(key, strange)
  const into = join(folder, 'deep', 'fetched')
  expect(await fetchBackup(copies, { into })).toBe(join(into, 'olmos-20261124T024000Z.backup'))
  expect((await readdir(join(folder, 'deep'), { recursive: true })).sort()).toEqual([
    'fetched',
    'fetched/olmos-20261124T024000Z.backup',
    'fetched/olmos-20261124T024000Z.json',
  ])
})

test('the bucket promises no WAL that came while it was copied', async () => {
  await put(`${wal}/00000001-0000000001000000.part`, 'begun')
  await put('wal/kept.json', 'up to then')
  s3.onAsked = async (line) => {
    if (line.startsWith('PUT') && line.includes('.part')) await put('wal/kept.json', 'up to now')
  }
  await copy()
  const promised = () => String(s3.objects.get('shop/wal/kept.json')?.body)
  expect(promised()).toBe('up to then')
  await copy()
  expect(promised()).toBe('up to now')
})

test('a backup is fetched with the WAL since, without beginnings of parts that are complete', async () => {
  await backup('olmos-20261123T024000Z')
  await backup('olmos-20261124T024000Z')
  await put(`${wal}/00000001-0000000001000000.part`, 'begun')
  await copy()
  await rename(
    join(backupDir, wal, '00000001-0000000001000000.part'),
    join(backupDir, wal, '00000001-0000000001000000-0000000002000000.wal'),
  )
  await put(`${wal}/00000001-0000000002000000.part`, 'next')
  await put(`${wal}/00000002.history`, 'a fork')
  await copy()
  const longAgo = `shop/${wal}/00000001-0000000000000000-0000000001000000.wal`
  s3.objects.set(longAgo, { body: Buffer.from('old'), changedAt: new Date('2026-11-20T00:00:00Z') })

  const into = join(folder, 'fetched')
  expect(await fetchBackup(copies, { into })).toBe(join(into, 'olmos-20261124T024000Z.backup'))
  expect((await readdir(into)).sort()).toEqual(['olmos-20261124T024000Z.backup', 'olmos-20261124T024000Z.json', 'wal'])
  expect((await readdir(join(into, wal))).sort()).toEqual([
    '00000001-0000000001000000-0000000002000000.wal',
    '00000001-0000000002000000.part',
    '00000002.history',
  ])
  await expect(fetchBackup(copies, { into })).rejects.toThrow('name a new folder')

  const before = new Date('2026-11-24T00:00:00Z')
  const older = await fetchBackup(copies, { into: join(folder, 'older'), before })
  expect(older).toContain('olmos-20261123T024000Z.backup')
  const first = new Date('2026-11-01T00:00:00Z')
  await expect(fetchBackup(copies, { into: join(folder, 'first'), before: first })).rejects.toThrow('no such backup')
})

test('a wrong secret is refused by the bucket and told of, without the secret', async () => {
  await backup('olmos-20261124T024000Z')
  const wrong = new Copies({ ...s3, secret: 'another-secret' })
  const refused = await copyBackups({ copies: wrong, backupDir }).catch((error: Error) => error.message)
  expect(refused).toContain('403')
  expect(refused).not.toContain('another-secret')
  expect(s3.objects.size).toBe(0)
})

test('the WAL is copied by itself, one line tells of each trouble', async () => {
  await put(`${wal}/00000001-0000000001000000.part`, 'begun')
  s3.failing = { method: 'GET', times: 1_000 }
  const lines: string[] = []
  const log = { error: (_error: unknown, told?: string) => void lines.push(String(told)) }
  const copying = copyWal({ copies, backupDir }, log, 10)
  await vi.waitFor(() => expect(lines).toEqual(['the WAL is not copied']))
  s3.failing = undefined
  await vi.waitFor(() => expect(keys()).toEqual([`shop/${wal}/00000001-0000000001000000.part`]))
  await copying.stop()
  expect(lines).toHaveLength(1)
})

describe('a node that sees no backups', () => {
  const openAlerts = async () =>
    (
      await shop.database.rows<{ kind: string; details: object }>(sql`
        SELECT kind, details FROM alert WHERE kind LIKE 'backup.%' AND resolved_at IS NULL ORDER BY kind`)
    ).map(({ kind, details }) => [kind, details])
  const watch = async () => {
    await watchBackups(shop)
    await watchWal(shop)
    return openAlerts()
  }
  const figures = async () => {
    const { body } = await shop.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })
    return Object.fromEntries(
      [...body.matchAll(/^olmos_backup_(\w+) (\S+)$/gm)].map(([, name, value]) => [name, Math.round(Number(value))]),
    )
  }
  const at = (secondsAgo: number) => new Date(Math.floor(Date.now() / 1_000 - secondsAgo) * 1_000)
  const nameAt = (moment: Date) => `olmos-${moment.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`
  const day = 24 * 3_600
  const patience = { timeout: 30_000, interval: 20 }
  const report = (more: { keepsWal: boolean; copiesWal?: boolean }) =>
    reportFolder({ database: shop.database, backupDir, copiesWal: false, ...more })
  afterEach(async () => {
    await shop.database.run(sql`DELETE FROM backup_report`)
    await shop.database.run(sql`DELETE FROM alert`)
  })

  test('is quiet until the first one, and then says how old the newest is', async () => {
    expect(await watch()).toEqual([])
    expect(await figures()).toEqual({})
    const old = at(2 * day)
    await reportBackup(shop.database, `/elsewhere/${nameAt(old)}.backup`, { keepsWal: false })
    expect(await watch()).toEqual([['backup.old', { since: old.toISOString() }]])
    await expect.poll(async () => (await figures()).age_seconds, patience).toBeGreaterThan(2 * day - 1)
    await reportBackup(shop.database, `/elsewhere/${nameAt(at(60))}.backup`, { keepsWal: false })
    expect(await watch()).toEqual([])
    // One that ended late does not make the newest older.
    await reportBackup(shop.database, `/elsewhere/${nameAt(old)}.backup`, { keepsWal: false })
    expect(await watch()).toEqual([])
    await expect.poll(async () => (await figures()).age_seconds, patience).toBeLessThan(day)
  })

  test('knows what became of the last look', async () => {
    await reportLook(shop.database, 'a code does not open')
    expect(await readBackupReport(shop.database)).toMatchObject({ verified_at: null, fault: 'a code does not open' })
    expect(await figures()).toEqual({})
    await reportLook(shop.database, undefined)
    expect(await readBackupReport(shop.database)).toMatchObject({ verified_at: expect.any(Date), fault: null })
    await reportLook(shop.database, 'a code does not open')
    expect(await readBackupReport(shop.database)).toMatchObject({ verified_at: expect.any(Date) })
    await expect.poll(async () => (await figures()).verified_age_seconds, patience).toBeLessThan(day)
  })

  test('misses the look of each night, until there is one', async () => {
    await reportBackup(shop.database, `${nameAt(at(60))}.backup`, { keepsWal: false })
    await reportLook(shop.database, undefined)
    expect(await watch()).toEqual([])
    const longAgo = at(51 * 3_600)
    await shop.database.run(sql`UPDATE backup_report SET verified_at = ${longAgo}`)
    const why = 'no backup was restored for a look for two days'
    expect(await watch()).toEqual([['backup.failed', { since: longAgo.toISOString(), why }]])
    // What the look itself found is said already.
    await reportLook(shop.database, 'a code does not open')
    expect(await watch()).toEqual([])
    await reportLook(shop.database, undefined)
    expect(await watch()).toEqual([])
  })

  test('misses backups whose folder was emptied, and those that nobody has taken where they should lie', async () => {
    await report({ keepsWal: false })
    expect(await watch()).toEqual([['backup.old', {}]])
    await backup(nameAt(at(60)))
    await report({ keepsWal: false })
    expect(await watch()).toEqual([])
    await rm(backupDir, { recursive: true })
    await report({ keepsWal: false })
    expect(await watch()).toEqual([['backup.old', {}]])
  })

  test('misses WAL that is no longer kept or copied, until a backup is taken by settings that want none', async () => {
    await put('wal/kept.json', JSON.stringify({ system: '7301', until: at(10).toISOString() }))
    await put('copied-wal.json', JSON.stringify({ until: at(14 * 60).toISOString() }))
    await report({ keepsWal: true, copiesWal: true })
    await reportBackup(shop.database, `${nameAt(at(60))}.backup`, { keepsWal: true })
    expect(await watch()).toEqual([])
    await expect.poll(async () => (await figures()).wal_age_seconds, patience).toBeLessThan(300)

    const late = at(301).toISOString()
    const uncopied = at(16 * 60).toISOString()
    await put('wal/kept.json', JSON.stringify({ system: '7301', until: late }))
    await put('copied-wal.json', JSON.stringify({ until: uncopied }))
    await report({ keepsWal: true, copiesWal: true })
    await reportBackup(shop.database, `${nameAt(at(60))}.backup`, { keepsWal: true })
    expect(await watch()).toEqual([
      ['backup.not_copied', { since: uncopied }],
      ['backup.wal_late', { since: late }],
    ])
    // The folder is looked after by a store that does not keep the WAL itself.
    await report({ keepsWal: false })
    await reportBackup(shop.database, `${nameAt(at(60))}.backup`, { keepsWal: true })
    expect((await watch()).map(([kind]) => kind)).toEqual(['backup.not_copied', 'backup.wal_late'])
    await reportBackup(shop.database, `${nameAt(at(60))}.backup`, { keepsWal: false })
    expect(await watch()).toEqual([])
    await expect.poll(async () => (await figures()).wal_age_seconds, patience).toBeUndefined()
  })

  test('has the jobs that watch, and none that takes', () => {
    const names = (more: object) => backupJobs({ ...shop, config: { ...shop.config, ...more } }).map(({ name }) => name)
    expect(names({})).toEqual(['watch-backups', 'watch-wal'])
    expect(names({ backupDir })).toEqual(['back-up', 'verify-backup', 'watch-backups', 'watch-wal'])
  })

  test('is told of a folder again and again, and the log of what can not be told once', async () => {
    await put(`${nameAt(at(60))}.backup`, 'sealed')
    const lines: string[] = []
    const log = { error: (_error: unknown, told?: string) => void lines.push(String(told)) }
    let looks = 0
    const watched = {
      database: shop.database,
      get backupDir() {
        looks++
        return backupDir
      },
      keepsWal: true,
      copiesWal: false,
    }
    await put('wal/kept.json', 'no JSON')
    const reporting = keepReporting(watched, log, 10)
    await vi.waitFor(() => expect(looks).toBeGreaterThan(3), patience)
    expect(lines).toEqual(['nobody is told how old the backups are'])
    // As whole as a process that keeps the WAL writes it: half of it would be another reason.
    await put('wal/kept.json.new', JSON.stringify({ system: '7301', until: at(10).toISOString() }))
    await rename(join(backupDir, 'wal/kept.json.new'), join(backupDir, 'wal/kept.json'))
    await vi.waitFor(async () => expect(await readBackupReport(shop.database)).toBeDefined(), patience)
    await reporting.stop()
    expect(lines).toHaveLength(1)
  })
})
