import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, openAsBlob } from 'node:fs'
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger } from 'fastify'
import { z } from 'zod'
import type { Config } from '../../config.ts'
import type { Resources } from '../../platform/context.ts'
import type { Job } from '../../platform/database/jobs.ts'
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

const lateAfterMs = 15 * 60_000

/** Says since when the WAL is not copied, where that is too long; undefined where all is well. */
export async function readLateCopy(backupDir: string): Promise<{ since?: string } | undefined> {
  const text = await readFile(join(backupDir, markName), 'utf8').catch(() => undefined)
  const since = text === undefined ? undefined : mark.parse(JSON.parse(text)).until
  if (since === undefined) return {}
  return Date.now() - Date.parse(since) > lateAfterMs ? { since } : undefined
}

const minuteMs = 60_000

/**
 * Copies the WAL once a minute until it is stopped; what can't be done is logged, once for each reason, and tried again.
 * `stop` resolves when a copy under way has ended: the end of a process need not wait for it, the next one copies that again.
 */
export function copyWal(
  place: { copies: Copies; backupDir: string },
  log: Pick<FastifyBaseLogger, 'error'>,
  everyMs = minuteMs,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const copying = (async () => {
    let said = ''
    while (!stopping.signal.aborted) {
      try {
        await copyBackups(place, { start: wal })
        said = ''
      } catch (error) {
        const reason = toReason(error)
        if (reason !== said) log.error({ err: error }, 'the WAL is not copied')
        said = reason
      }
      await sleep(everyMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await copying
    },
  }
}

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

const oldAfterHours = 26

/** Reads the age of the newest backup in seconds; undefined where there is none, or no BACKUP_DIR. */
export async function readBackupAge({ backupDir }: Pick<Config, 'backupDir'>): Promise<number | undefined> {
  const [newest] = backupDir === undefined ? [] : await listBackups(backupDir)
  return newest === undefined ? undefined : (Date.now() - toTime(newest).getTime()) / 1_000
}

/** Raises an alert while the newest backup is older than 26 hours. */
export async function watchBackups({ config, database }: Pick<Resources, 'config' | 'database'>): Promise<void> {
  const age = await readBackupAge(config)
  if (age !== undefined && age < oldAfterHours * 3_600) {
    await resolveAlert(database, 'backup.old')
    return
  }
  const details =
    age === undefined ? {} : { since: new Date(Math.floor(Date.now() / 1_000 - age) * 1_000).toISOString() }
  await raiseAlert(database, { kind: 'backup.old', subject: 'backup', details, whenChanged: 'refresh' })
}

const lateAfterSeconds = 300

/** Reads how many seconds ago the WAL was last kept as a whole; undefined where none is. */
export async function readWalAge({
  backupDir,
  backupWal,
}: Pick<Config, 'backupDir' | 'backupWal'>): Promise<number | undefined> {
  const mark = backupDir !== undefined && backupWal ? await readWalMark(backupDir) : undefined
  return mark && Math.max(0, (Date.now() - mark.until.getTime()) / 1_000)
}

/**
 * Raises an alert while the WAL of the last five minutes is not kept or not copied, and one while there is a gap since the
 * newest backup.
 */
export async function watchWal({ config, database }: Pick<Resources, 'config' | 'database'>): Promise<void> {
  const { backupDir = '', backupBucket } = config
  const lateCopy = backupBucket && (await readLateCopy(backupDir))
  const notCopied = { kind: 'backup.not_copied', subject: 'wal' } as const
  if (lateCopy) await raiseAlert(database, { ...notCopied, details: lateCopy, whenChanged: 'refresh' })
  else await resolveAlert(database, notCopied.kind, notCopied.subject)
  const mark = await readWalMark(backupDir)
  if (mark && Date.now() - mark.until.getTime() < lateAfterSeconds * 1_000)
    await resolveAlert(database, 'backup.wal_late')
  else {
    const details = mark ? { since: mark.until.toISOString() } : {}
    await raiseAlert(database, { kind: 'backup.wal_late', subject: 'backup', details, whenChanged: 'refresh' })
  }
  const [newest] = await listBackups(backupDir)
  const start = newest === undefined ? undefined : await readWalStart(backupDir, newest)
  // That there is no backup is another alert.
  if (newest === undefined || (start && (await isWalWhole(backupDir, start))))
    await resolveAlert(database, 'backup.wal_gap')
  else {
    const details = { since: toTime(newest).toISOString() }
    await raiseAlert(database, { kind: 'backup.wal_gap', subject: 'backup', details, whenChanged: 'refresh' })
  }
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

/** The timed work around backups; none without BACKUP_DIR. */
export function backupJobs(resources: Pick<Resources, 'config' | 'database'>): Job[] {
  const { backupDir, backupWal } = resources.config
  if (backupDir === undefined) return []
  const timeZone = () => readTimeZone(resources.database, resources.config)
  return [
    { name: 'back-up', cron: '40 2 * * *', timeZone, run: () => runCommand() },
    { name: 'verify-backup', cron: '10 5 * * *', timeZone, run: () => runCommand('--verify') },
    { name: 'watch-backups', cron: '50 * * * *', timeZone: 'UTC', run: () => watchBackups(resources) },
    ...(backupWal ? [{ name: 'watch-wal', cron: '* * * * *', timeZone: 'UTC', run: () => watchWal(resources) }] : []),
  ]
}
