import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, openAsBlob } from 'node:fs'
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger } from 'fastify'
import { z } from 'zod'
import type { Resources } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Job } from '../../platform/database/jobs.ts'
import { type Queries, sql } from '../../platform/database/queries.ts'
import { raiseAlert, resolveAlert } from '../../platform/live/alert.ts'
import { StartupError, toReason } from '../../platform/process.ts'
import { Bucket, type BucketSettings } from '../../platform/vendor/vendor.ts'
import { readTimeZone } from '../shop/shop.ts'
import { listBackups, readWalStart, toTime } from './backup.ts'
import { isWalWhole, readWalMark } from './kept-wal.ts'

/*
 * Copies of BACKUP_DIR in a bucket, under the same names. Nothing is ever deleted or made smaller there: a rule of the
 * bucket does that, so the key of the store needs no right to it, and a thief who has the store can't take the backups too.
 */

/** Pieces of a large file; ten thousand of them, the most there may be, are 320 GB. Four are sent at a time. */
const pieceBytes = 32 * 1024 * 1024
/** For one piece: a slow line of 2 Mbit/s takes two minutes and more for it. */
const requestMs = 600_000

const wal = 'wal/'
/** Says up to when the WAL is kept. */
const walMark = `${wal}kept.json`
/** What stays in BACKUP_DIR. Any other name in a bucket is somebody else's, and could lead out of the folder it is fetched into. */
const ownNames =
  /^(?:olmos-\d{8}T\d{6}Z\.(?:backup|json)|wal\/kept\.json|wal\/\d+\/[\dA-F]{8}(?:\.history|-[\dA-F]{16}(?:\.part|-[\dA-F]{16}\.wal)))$/

interface Copied {
  bytes: number
  changedAt: Date
}

/** Copies in a bucket, by their paths in BACKUP_DIR. */
export class Copies {
  readonly #bucket: Bucket

  /** `waitMs` is for one request and its answer. */
  constructor(settings: BucketSettings, { waitMs = requestMs } = {}) {
    this.#bucket = new Bucket(settings, { waitMs, pieceBytes })
  }

  /** Lists the copies whose paths begin with `start`. Refuses a bucket that can't be read. */
  async list(start = ''): Promise<Map<string, Copied>> {
    const found = await this.#bucket.list(start)
    if (found === undefined) throw new StartupError('There is no bucket at BACKUP_S3_URL.')
    return new Map(found.filter(({ name }) => ownNames.test(name)).map(({ name, ...copied }) => [name, copied]))
  }

  /** Lists the names of the backups, the oldest first. */
  async listBackups(): Promise<string[]> {
    return [...(await this.list('olmos-')).keys()].filter((path) => path.endsWith('.backup')).sort()
  }

  send(path: string, content: Blob | Buffer): Promise<void> {
    return this.#bucket.put(path, content)
  }

  /** Writes a copy of so many bytes into a file, which is there as a whole or not at all. */
  async fetch(path: string, file: string, { bytes }: Pick<Copied, 'bytes'>): Promise<void> {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await pipeline(this.#read(path, bytes), createWriteStream(`${file}.fetched`, { mode: 0o600, flush: true }))
    await rename(`${file}.fetched`, file)
  }

  /** Reads a copy; a large one in pieces, because no request may take as long as a whole backup does. */
  async *#read(path: string, bytes: number): AsyncGenerator<Uint8Array> {
    const isLarge = bytes > pieceBytes
    for (let at = 0; at < bytes; at += pieceBytes) {
      const piece = isLarge ? { from: at, to: Math.min(at + pieceBytes, bytes) } : undefined
      const { status, body } = await this.#bucket.open(path, piece)
      const isWhole = status !== 206
      if (!body || (isWhole && at > 0)) throw new Error(`${path} can't be read from byte ${at} on`)
      yield* body
      if (isWhole) return
    }
  }
}

const markName = 'copied-wal.json'
const mark = z.object({ until: z.iso.datetime() })

/** Lists what lies in BACKUP_DIR to be copied, the oldest first: what comes later is of no use without it. */
async function listFiles(
  backupDir: string,
  start: string,
): Promise<{ path: string; bytes: number; changedMs: number }[]> {
  const names = await readdir(backupDir, { recursive: true }).catch(() => [])
  const wanted = names.filter((name) => name.startsWith(start) && name !== walMark && ownNames.test(name))
  const files = await Promise.all(
    wanted.map(async (path) => {
      // A part of the WAL gets another name when it is complete.
      const found = await stat(join(backupDir, path)).catch(() => undefined)
      return found?.isFile() ? [{ path, bytes: found.size, changedMs: found.mtimeMs }] : []
    }),
  )
  return files.flat().sort((one, other) => one.changedMs - other.changedMs)
}

/** Copies what is not in the bucket yet, or has changed since. Returns how many files that were. */
export async function copyBackups(
  { copies, backupDir }: { copies: Copies; backupDir: string },
  { start = '', progress }: { start?: string; progress?: (line: string) => void } = {},
): Promise<number> {
  const startedAt = new Date()
  // Read before the WAL is and sent after it: it may not promise what is not in the bucket.
  const walKept = await readFile(join(backupDir, walMark)).catch(() => undefined)
  const files = await listFiles(backupDir, start)
  const there = await copies.list(start)
  let sent = 0
  for (const { path, bytes, changedMs } of files) {
    const copy = there.get(path)
    // What grows has another size; what is written again, as JSON is, may have the same.
    const isNewer = path.endsWith('.json') && copy !== undefined && copy.changedAt.getTime() < changedMs
    if (bytes === 0 || (copy?.bytes === bytes && !isNewer)) continue
    progress?.(`copying ${path}`)
    try {
      const file = join(backupDir, path)
      // A backup may be larger than the memory; what may grow meanwhile, which no blob bears, is a part of the WAL.
      await copies.send(path, path.endsWith('.backup') ? await openAsBlob(file) : await readFile(file))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue
      throw error
    }
    sent++
  }
  if (walKept) await copies.send(walMark, walKept)
  await writeFile(join(backupDir, markName), JSON.stringify({ until: startedAt.toISOString() }), { mode: 0o600 })
  return sent
}

/** Reads up to when everything in BACKUP_DIR is copied; undefined where nothing is. */
async function readCopyMark(backupDir: string): Promise<Date | undefined> {
  const text = await readFile(join(backupDir, markName), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : new Date(mark.parse(JSON.parse(text)).until)
}

interface Repeated {
  log: Pick<FastifyBaseLogger, 'error'>
  /** What the log says when it can't be done. */
  complaint: string
  everyMs: number
}

/** What is done again and again; `stop` resolves when what is under way has ended. */
interface Repeating {
  stop(): Promise<void>
}

/** Does something until it is stopped; what can't be done is logged, once for each reason, and tried again. */
function repeat(work: () => Promise<unknown>, { log, complaint, everyMs }: Repeated): Repeating {
  const stopping = new AbortController()
  const working = (async () => {
    let said = ''
    while (!stopping.signal.aborted) {
      try {
        await work()
        said = ''
      } catch (error) {
        const reason = toReason(error)
        if (reason !== said) log.error({ err: error }, complaint)
        said = reason
      }
      await sleep(everyMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await working
    },
  }
}

const minuteMs = 60_000

/** Copies the WAL once a minute. The end of a process need not wait for a copy under way, the next one copies that again. */
export const copyWal = (
  place: { copies: Copies; backupDir: string },
  log: Repeated['log'],
  everyMs = minuteMs,
): Repeating => repeat(() => copyBackups(place, { start: wal }), { log, complaint: 'the WAL is not copied', everyMs })

/** The clock of the bucket may differ from the one of the store. */
const clockMs = 3_600_000

interface Fetching {
  into: string
  /** The newest backup that was begun before this; undefined: the newest of all. */
  before?: Date | undefined
  progress?: (line: string) => void
}

/** Fetches a backup with the WAL that was written after it began. Returns the path of the backup. */
export async function fetchBackup(copies: Copies, { into, before, progress }: Fetching): Promise<string> {
  const folder = resolve(into)
  if ((await listBackups(folder)).length > 0)
    throw new StartupError(`There are backups in ${folder}; name a new folder.`)
  const there = await copies.list()
  const name = [...there.keys()]
    .filter((path) => path.endsWith('.backup') && (!before || toTime(path) < before))
    .sort()
    .at(-1)
  if (name === undefined) throw new StartupError('There is no such backup in the bucket.')
  const takenMs = toTime(name).getTime()
  // A part that is complete has another name than its beginning, which stays in the bucket.
  const complete = new Set(
    [...there.keys()]
      .filter((path) => path.endsWith('.wal'))
      .map((path) => path.replace(/-[\dA-F]{16}\.wal$/, '.part')),
  )
  const isOutdated = (path: string) => complete.has(path)
  const needed = [...there].filter(
    ([path, { changedAt }]) => path.startsWith(wal) && changedAt.getTime() > takenMs - clockMs && !isOutdated(path),
  )
  const paths = [...needed.map(([path]) => path), name.replace(/backup$/, 'json'), name]
  for (const [index, path] of paths.entries()) {
    progress?.(`${index + 1} of ${paths.length}: ${path}`)
    const copied = there.get(path)
    if (copied) await copies.fetch(path, join(folder, path), copied)
  }
  return join(folder, name)
}

/** A folder of backups, and the database they are of. */
interface Watched {
  database: Database
  backupDir: string
  /** Whether the WAL is kept there. */
  keepsWal: boolean
  /** Whether the WAL is copied to a bucket. */
  copiesWal: boolean
}

/**
 * Writes into the database what lies in a folder of backups, so that nodes that don't see it can watch it. Where another
 * process keeps the WAL, it is that one that reports it.
 */
export async function reportFolder({ database, backupDir, keepsWal, copiesWal }: Watched): Promise<void> {
  const [newest] = await listBackups(backupDir)
  const newestAt = newest === undefined ? null : toTime(newest)
  if (!keepsWal) {
    await database.run(sql`
      INSERT INTO backup_report AS known (newest_at) VALUES (${newestAt})
      ON CONFLICT (is_only_row) DO UPDATE SET newest_at = excluded.newest_at
      WHERE known.newest_at IS DISTINCT FROM excluded.newest_at`)
    return
  }
  const start = newest === undefined ? undefined : await readWalStart(backupDir, newest)
  const isWhole = newest === undefined || (start !== undefined && (await isWalWhole(backupDir, start)))
  const walUntil = (await readWalMark(backupDir))?.until ?? null
  const copiedUntil = (await readCopyMark(backupDir)) ?? null
  await database.run(sql`
    INSERT INTO backup_report (newest_at, keeps_wal, wal_until, has_wal_gap, copies_wal, copied_until)
    VALUES (${newestAt}, true, ${walUntil}, ${!isWhole}, ${copiesWal}, ${copiedUntil})
    ON CONFLICT (is_only_row) DO UPDATE SET newest_at = excluded.newest_at, keeps_wal = true,
      wal_until = excluded.wal_until, has_wal_gap = excluded.has_wal_gap,
      copies_wal = excluded.copies_wal, copied_until = excluded.copied_until`)
}

const reportEveryMs = 15_000

/** Reports on a folder of backups until it is stopped. */
export const keepReporting = (watched: Watched, log: Repeated['log'], everyMs = reportEveryMs): Repeating =>
  repeat(() => reportFolder(watched), { log, complaint: 'nobody is told how old the backups are', everyMs })

/** Writes into the database that a backup is complete; without `keepsWal` nobody is expected to keep the WAL from now on. */
export async function reportBackup(database: Database, path: string, { keepsWal }: { keepsWal: boolean }) {
  await database.run(sql`
    INSERT INTO backup_report AS known (newest_at, keeps_wal) VALUES (${toTime(basename(path))}, ${keepsWal})
    ON CONFLICT (is_only_row) DO UPDATE SET newest_at = greatest(known.newest_at, excluded.newest_at),
      keeps_wal = excluded.keeps_wal`)
}

/** Writes into the database what became of a look at the newest backup; no reason: it is sound. */
export async function reportLook(database: Database, whyNot: string | undefined): Promise<void> {
  const verifiedAt = whyNot === undefined ? new Date() : null
  await database.run(sql`
    INSERT INTO backup_report AS known (verified_at, fault) VALUES (${verifiedAt}, ${whyNot ?? null})
    ON CONFLICT (is_only_row) DO UPDATE SET verified_at = coalesce(excluded.verified_at, known.verified_at),
      fault = excluded.fault`)
}

interface BackupReport {
  newest_at: Date | null
  verified_at: Date | null
  fault: string | null
  keeps_wal: boolean
  wal_until: Date | null
  has_wal_gap: boolean
  copies_wal: boolean
  copied_until: Date | null
}

/** Reads what is known of the backups; undefined where nobody ever took one. */
export const readBackupReport = (queries: Queries): Promise<BackupReport | undefined> =>
  queries.maybe<BackupReport>(sql`
    SELECT newest_at, verified_at, fault, keeps_wal, wal_until, has_wal_gap, copies_wal, copied_until FROM backup_report`)

/** How many seconds ago that was, by the clock of this machine. */
export const secondsSince = (moment: Date): number => Math.max(0, (Date.now() - moment.getTime()) / 1_000)

/** Reads the ages for /metrics, each where there is one. */
export async function readBackupFigures(queries: Queries): Promise<Record<string, number>> {
  const report = await readBackupReport(queries)
  const ages = {
    backup_age_seconds: report?.newest_at,
    backup_verified_age_seconds: report?.verified_at,
    backup_wal_age_seconds: report?.keeps_wal ? report.wal_until : undefined,
  }
  return Object.fromEntries(Object.entries(ages).flatMap(([name, at]) => (at ? [[name, secondsSince(at)]] : [])))
}

const oldAfterSeconds = 26 * 3_600
/** A nightly look that failed once is made up for the next night. */
const lookedAfterSeconds = 50 * 3_600
const lateAfterSeconds = 300
const copiedLateAfterSeconds = 15 * 60

/** Whether that was so long ago, or never. */
const isOver = (moment: Date | null, seconds: number) => !moment || secondsSince(moment) > seconds
const since = (moment: Date | null) => (moment ? { since: moment.toISOString() } : {})

export const isBackupOld = ({ newest_at }: Pick<BackupReport, 'newest_at'>): boolean =>
  isOver(newest_at, oldAfterSeconds)
/** Whether no look has found a backup sound for two days, or ever. */
export const isLookLate = ({ verified_at }: Pick<BackupReport, 'verified_at'>): boolean =>
  isOver(verified_at, lookedAfterSeconds)
export const isWalLate = ({ wal_until }: Pick<BackupReport, 'wal_until'>): boolean =>
  isOver(wal_until, lateAfterSeconds)

type BackupAlert = Pick<Parameters<typeof raiseAlert>[1], 'kind' | 'subject' | 'details'>

const setAlert = async (database: Database, isOpen: boolean, alert: BackupAlert): Promise<void> => {
  if (isOpen) await raiseAlert(database, { ...alert, whenChanged: 'refresh' })
  else await resolveAlert(database, alert.kind, alert.subject)
}

/**
 * Raises an alert while the newest backup is older than 26 hours, and one while the last look is older than two days. A store
 * that never had one is quiet.
 */
export async function watchBackups({ database }: Pick<Resources, 'database'>): Promise<void> {
  const report = await readBackupReport(database)
  if (!report) return
  const alert = { kind: 'backup.old', subject: 'backup', details: since(report.newest_at) } as const
  await setAlert(database, isBackupOld(report), alert)
  // What a look has found has an alert of its own.
  const isMissed = report.verified_at !== null && report.fault === null && isLookLate(report)
  const details = { ...since(report.verified_at), why: 'no backup was restored for a look for two days' }
  await setAlert(database, isMissed, { kind: 'backup.failed', subject: 'look', details })
}

/**
 * Raises an alert while the WAL of the last five minutes is not kept or not copied, and one while there is a gap since the
 * newest backup.
 */
export async function watchWal({ database }: Pick<Resources, 'database'>): Promise<void> {
  const report = await readBackupReport(database)
  if (!report) return
  const { keeps_wal, wal_until, has_wal_gap, newest_at, copies_wal, copied_until } = report
  const isNotCopied = keeps_wal && copies_wal && isOver(copied_until, copiedLateAfterSeconds)
  await setAlert(database, isNotCopied, { kind: 'backup.not_copied', subject: 'wal', details: since(copied_until) })
  const isLate = keeps_wal && isWalLate(report)
  await setAlert(database, isLate, { kind: 'backup.wal_late', subject: 'backup', details: since(wal_until) })
  // That there is no backup is another alert.
  const hasGap = keeps_wal && has_wal_gap && newest_at !== null
  await setAlert(database, hasGap, { kind: 'backup.wal_gap', subject: 'backup', details: since(newest_at) })
}

/** A process of its own, so that buyers share neither an event loop nor a priority with a backup. */
async function runCommand(...options: string[]): Promise<void> {
  const program = fileURLToPath(new URL('../../cli.ts', import.meta.url))
  const child = spawn(process.execPath, [program, 'backup', ...options], { stdio: ['ignore', 'pipe', 'pipe'] })
  const endWithThisProcess = () => void child.kill()
  process.once('exit', endWithThisProcess)
  let said = ''
  for (const output of [child.stdout, child.stderr]) output.on('data', (text) => (said += text))
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  const [code] = await once(child, 'close')
  process.off('exit', endWithThisProcess)
  if (code !== 0) throw new Error(`olmos backup ${options.join(' ')} failed: ${said.trim()}`)
}

/** The timed work around backups. They are taken where BACKUP_DIR is, and watched by every node. */
export function backupJobs(resources: Pick<Resources, 'config' | 'database'>): Job[] {
  const timeZone = () => readTimeZone(resources.database, resources.config)
  const taking: Job[] = [
    { name: 'back-up', cron: '40 2 * * *', timeZone, run: () => runCommand() },
    { name: 'verify-backup', cron: '10 5 * * *', timeZone, run: () => runCommand('--verify') },
  ]
  return [
    ...(resources.config.backupDir === undefined ? [] : taking),
    { name: 'watch-backups', cron: '50 * * * *', timeZone: 'UTC', run: () => watchBackups(resources) },
    { name: 'watch-wal', cron: '* * * * *', timeZone: 'UTC', run: () => watchWal(resources) },
  ]
}
