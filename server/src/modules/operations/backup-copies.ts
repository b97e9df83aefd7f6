import { createWriteStream, openAsBlob } from 'node:fs'
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { S3mini } from 's3mini'
import { z } from 'zod'
import type { BucketSettings } from '../../config.ts'
import { StartupError, toReason } from '../../platform/process.ts'
import { listBackups, toTime } from './backup.ts'

/*
 * Copies of BACKUP_DIR in a bucket, under the same names. Nothing is ever deleted or made smaller there: a rule of the
 * bucket does that, so the key of the store needs no right to it, and a thief who has the store can't take the backups too.
 */

/** Pieces of a large file; ten thousand of them, the most there may be, are 320 GB. Four are sent at a time. */
const pieceBytes = 32 * 1024 * 1024
/** For one piece: a slow line of 2 Mbit/s takes two minutes and more for it. */
const requestMs = 600_000

interface Copied {
  bytes: number
  changedAt: Date
}

/** Copies in a bucket, by their paths in BACKUP_DIR. */
export class Copies {
  readonly #s3: S3mini
  readonly #prefix: string

  constructor({ url, keyId, secret, region }: BucketSettings) {
    const { origin, pathname } = new URL(url)
    const [bucket = '', ...rest] = pathname.split('/').filter((part) => part !== '')
    this.#prefix = rest.map((part) => `${part}/`).join('')
    this.#s3 = new S3mini({
      endpoint: `${origin}/${bucket}`,
      accessKeyId: keyId,
      secretAccessKey: secret,
      region,
      minPartSize: pieceBytes,
      requestAbortTimeout: requestMs,
    })
  }

  /** Lists the copies whose paths begin with `start`. Refuses a bucket that can't be read. */
  async list(start = ''): Promise<Map<string, Copied>> {
    const found = await this.#s3.listObjects('/', `${this.#prefix}${start}`)
    if (found === null) throw new StartupError('There is no bucket at BACKUP_S3_URL.')
    return new Map(
      found.map(({ Key, Size, LastModified }) => [
        Key.slice(this.#prefix.length),
        { bytes: Size, changedAt: LastModified },
      ]),
    )
  }

  /** Sends a file as it is at this moment. */
  async send(path: string, file: string): Promise<void> {
    // A backup may be larger than the memory; what may grow meanwhile, which no blob bears, is a part of the WAL.
    const content = path.endsWith('.backup') ? await openAsBlob(file) : await readFile(file)
    const { ok } = await this.#s3.putAnyObject(`${this.#prefix}${path}`, content)
    if (!ok) throw new Error(`${path} was not taken`)
  }

  /** Writes a copy into a file, which is there as a whole or not at all. */
  async fetch(path: string, file: string): Promise<void> {
    const answer = await this.#s3.getObjectResponse(`${this.#prefix}${path}`)
    if (!answer?.body) throw new Error(`${path} is not in the bucket any more`)
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await pipeline(
      Readable.fromWeb(answer.body as ReadableStream),
      createWriteStream(`${file}.fetched`, { mode: 0o600, flush: true }),
    )
    await rename(`${file}.fetched`, file)
  }
}

const wal = 'wal/'
const markName = 'copied-wal.json'
const mark = z.object({ until: z.iso.datetime() })

/** Lists what lies in BACKUP_DIR to be copied, the oldest first: what comes later is of no use without it. */
async function listFiles(
  backupDir: string,
  start: string,
): Promise<{ path: string; bytes: number; changedMs: number }[]> {
  const names = await readdir(backupDir, { recursive: true }).catch(() => [])
  const wanted = names.filter(
    (name) => name.startsWith(start) && (name.startsWith(wal) || /^olmos-\d+T\d+Z\.(?:backup|json)$/.test(name)),
  )
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
      await copies.send(path, join(backupDir, path))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue
      throw error
    }
    sent++
  }
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
    .filter((path) => /^olmos-\d+T\d+Z\.backup$/.test(path) && (!before || toTime(path) < before))
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
    if (there.has(path)) await copies.fetch(path, join(folder, path))
  }
  return join(folder, name)
}
