import { chown, mkdir, open, symlink } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { PassThrough } from 'node:stream'
import type pg from 'pg'
import { StartupError, toReason } from '../process.ts'
import { PrimaryClient } from './primary-client.ts'

interface BaseBackup {
  /** The data folder and the WAL it needs, as tar. */
  tar: AsyncIterable<Buffer>
  /** Where the backup begins and ends in the WAL; known once `tar` has ended. */
  positions(): Positions
  /** PostgreSQL's own name of the data files. */
  system: string
}

interface Positions {
  start: string
  end: string
  timeline: number
}

const kinds = { data: 'd'.charCodeAt(0) }

/** How a replication connection notices that the machine at its other end is gone, also where it only listens. */
export const replicationClient = {
  replication: 'database',
  connectionTimeoutMillis: 30_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 60_000,
}

/** Longer than the checkpoint of a large database takes, which a backup begins with. */
const silentAtMostMs = 15 * 60_000

/**
 * Asks the server for its data folder over a replication connection, as pg_basebackup does, while it serves. What the
 * operator can mend, such as a role without the right, is a StartupError.
 */
export async function takeBaseBackup(url: string, patience = { silentAtMostMs }): Promise<BaseBackup> {
  const client = new PrimaryClient({ connectionString: url, ...replicationClient } as pg.ClientConfig)
  client.on('error', () => {})
  let system: string
  try {
    await client.connect()
    const { rows } = await client.query<{ systemid: string }>('IDENTIFY_SYSTEM')
    system = rows[0]?.systemid ?? ''
    // Keeps the WAL that is written meanwhile; it goes with the connection.
    await client.query(`CREATE_REPLICATION_SLOT olmos_backup_${process.pid} TEMPORARY PHYSICAL RESERVE_WAL`)
  } catch (error) {
    await client.end().catch(() => {})
    throw toRefusal(error)
  }
  const tar = new PassThrough({ highWaterMark: 1024 * 1024 })
  const reading = new BaseBackupReading(tar)
  client.query(reading as unknown as pg.Submittable)
  const watch = setInterval(() => {
    if (reading.silentMs() <= patience.silentAtMostMs) return
    const seconds = Math.round(patience.silentAtMostMs / 1_000)
    tar.destroy(new StartupError(`The database can't be backed up: it has said nothing for ${seconds} seconds.`))
    // Nobody is there to say goodbye to.
    client.connection.stream.destroy()
  }, patience.silentAtMostMs / 10)
  tar.once('close', () => {
    clearInterval(watch)
    client.end().catch(() => {})
  })
  return { tar, system, positions: () => reading.positions() }
}

/** Says what to mend about a database that can't be read over a replication connection. */
export function toRefusal(error: unknown): unknown {
  const { code } = error as { code?: string }
  const mends: Record<string, string> = {
    '42501':
      'give its role the right, as a superuser (ALTER ROLE … REPLICATION), or set BACKUP_DATABASE_URL to a role that has it; where your host does not allow that, use its own backups',
    '53400': 'raise max_replication_slots of the server',
    '53300': 'raise max_wal_senders or max_connections of the server',
    '55000': 'set wal_level of the server to replica',
    '08P01': 'set BACKUP_DATABASE_URL to the database itself, not to a pooler',
  }
  const mend = mends[code ?? '']
  return new StartupError(`The database can't be backed up: ${toReason(error)}${mend ? `; ${mend}` : ''}.`)
}

interface CopyData {
  chunk: Buffer
}
interface Row {
  fields: (string | null)[]
}
interface Paused {
  stream: { pause(): void; resume(): void }
}

/** What node-postgres calls with the answers to BASE_BACKUP: where it begins, the tablespaces, the files, where it ends. */
class BaseBackupReading {
  readonly #tar: PassThrough
  readonly #rows: (string | null)[][] = []
  #isPaused = false
  #heardAt = Date.now()

  constructor(tar: PassThrough) {
    this.#tar = tar
  }

  positions(): Positions {
    const [start, timeline] = this.#rows[0] ?? []
    const end = this.#rows.at(-1)?.[0]
    if (!start || !timeline || !end) throw new Error('the backup has not ended')
    return { start, end, timeline: Number(timeline) }
  }

  /** How long nothing has come, unless it is this side that lets the database wait, or all has come. */
  silentMs(): number {
    if (this.#isPaused || this.#tar.writableEnded) this.#heardAt = Date.now()
    return Date.now() - this.#heardAt
  }

  submit(connection: { query(text: string): void }): void {
    connection.query("BASE_BACKUP (LABEL 'olmos', CHECKPOINT 'fast', WAL, MANIFEST 'no')")
  }
  handleRowDescription(): void {}
  handleDataRow({ fields }: Row): void {
    // A row of the second answer with a path is a tablespace elsewhere on that machine.
    if (this.#rows.length > 0 && fields.length === 3 && fields[1] !== null) {
      this.#tar.destroy(new StartupError('The database has tablespaces, which `olmos backup` leaves to pg_basebackup.'))
    }
    this.#rows.push(fields)
  }
  handleCopyData({ chunk }: CopyData, connection: Paused): void {
    this.#heardAt = Date.now()
    if (chunk[0] !== kinds.data || this.#tar.destroyed) return
    // Copied, because node-postgres reads the next message into the same memory.
    const hasRoom = this.#tar.write(Buffer.from(chunk.subarray(1)))
    // What was received before the pause still comes in.
    if (hasRoom || this.#isPaused) return
    this.#isPaused = true
    connection.stream.pause()
    const resume = () => {
      this.#isPaused = false
      this.#heardAt = Date.now()
      this.#tar.off('drain', resume).off('close', resume)
      connection.stream.resume()
    }
    this.#tar.on('drain', resume).on('close', resume)
  }
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handleError(error: Error): void {
    this.#tar.destroy(toRefusal(error) as Error)
  }
  handleReadyForQuery(): void {
    this.#tar.end()
  }
}

/** Reads exactly as much as is asked for from pieces of any size. */
export class ByteReader {
  readonly #source: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** Returns `count` bytes, or undefined when the source has ended. */
  async take(count: number): Promise<Buffer | undefined> {
    const pieces: Buffer[] = []
    for await (const piece of this.pieces(count)) pieces.push(piece)
    const all = Buffer.concat(pieces)
    return all.length === count ? all : undefined
  }

  /** Yields the next `count` bytes, or all that are left, as they come. */
  async *pieces(count = Number.POSITIVE_INFINITY): AsyncGenerator<Buffer> {
    let left = count
    while (left > 0) {
      if (this.#rest.length === 0) {
        const next = await this.#source.next()
        if (next.done) return
        this.#rest = next.value
      }
      const piece = this.#rest.subarray(0, Math.min(left, this.#rest.length))
      this.#rest = this.#rest.subarray(piece.length)
      left -= piece.length
      yield piece
    }
  }
}

const blockBytes = 512
const text = (block: Buffer, from: number, length: number) =>
  block.toString('utf8', from, from + length).split('\0', 1)[0] as string
const octal = (block: Buffer, from: number, length: number) => Number.parseInt(text(block, from, length), 8)

interface Extraction {
  /** Where PostgreSQL's files go; it exists. */
  folder: string
  /** Whose they become; undefined: this process's user. */
  user: { uid: number; gid: number } | undefined
  /** Called with the bytes written so far. */
  progress?: ((bytes: number) => void) | undefined
}

/** Writes the files of a tar that PostgreSQL made, and reads on to the end of the source, which proves that it is whole. */
export async function extractTar(source: AsyncIterable<Buffer>, { folder, user, progress }: Extraction): Promise<void> {
  const reader = new ByteReader(source)
  let written = 0
  for (let block = await reader.take(blockBytes); block; block = await reader.take(blockBytes)) {
    const name = join(text(block, 345, 155), text(block, 0, 100))
    // Two empty blocks end the archive.
    if (name === '.') continue
    const path = join(folder, name)
    if (normalize(name).startsWith('..')) throw new Error(`the backup has a file outside its folder: ${name}`)
    const kind = String.fromCharCode(block[156] as number)
    if (kind === '5') await mkdir(path, { recursive: true, mode: 0o700 })
    else if (kind === '2') await symlink(text(block, 157, 100), path)
    else {
      const size = octal(block, 124, 12)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const file = await open(path, 'w', 0o600)
      try {
        for await (const piece of reader.pieces(size)) {
          await file.write(piece)
          written += piece.length
          progress?.(written)
        }
      } finally {
        await file.close()
      }
      await reader.take((blockBytes - (size % blockBytes)) % blockBytes)
    }
    if (user && kind !== '2') await chown(path, user.uid, user.gid)
  }
}
