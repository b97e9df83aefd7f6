import type { KeyObject } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import { z } from 'zod'
import type { WalPosition } from '../../platform/database/wal-stream.ts'
import { StartupError } from '../../platform/process.ts'
import { decrypt, encrypt, walKey } from '../../platform/security/vault.ts'

/*
 * How the WAL lies beside the backups: BACKUP_DIR/wal has a folder for each database, named by PostgreSQL's identifier
 * of it. In that, files named TIMELINE-FROM-TO.wal, each with a part of one segment, and histories of timelines. A file
 * that is being written, or whose writer was killed, has no TO and ends with .part. Its records are compressed, sealed,
 * and bound to their file and number; before each stands its length.
 */

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)
const fast = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** The folder of all WAL beside the backups of `backupDir`. */
export const walFolder = (backupDir: string): string => join(backupDir, 'wal')

const hex = (value: bigint | number, digits: number) => value.toString(16).toUpperCase().padStart(digits, '0')

interface Part extends WalPosition {
  /** Undefined: its writer has not ended it. */
  end: bigint | undefined
  name: string
}

const toName = ({ timeline, lsn }: WalPosition) => `${hex(timeline, 8)}-${hex(lsn, 16)}`
const toHistoryName = (timeline: number) => `${hex(timeline, 8)}.history`

/** Lists the parts of one database, by timeline and position. */
async function listParts(folder: string): Promise<Part[]> {
  const names = await readdir(folder).catch(() => [])
  return names.sort().flatMap((name) => {
    const [, timeline, lsn, end] = /^([\dA-F]{8})-([\dA-F]{16})(?:-([\dA-F]{16})\.wal|\.part)$/.exec(name) ?? []
    if (!timeline || !lsn) return []
    const at = { timeline: Number.parseInt(timeline, 16), lsn: BigInt(`0x${lsn}`) }
    return [{ ...at, end: end ? BigInt(`0x${end}`) : undefined, name }]
  })
}

const lengthBytes = 4
/** More than a record can have: what claims to be longer was cut short. */
const recordBytesAtMost = 64 * 1024 * 1024

/** Writes one part. What `append` has written survives this process, and after `sync` the machine too. */
class PartWriter {
  readonly #folder: string
  readonly #system: string
  readonly #key: KeyObject
  readonly #at: WalPosition
  readonly #file: FileHandle
  #records = 0
  end: bigint

  private constructor(kept: KeptWal, at: WalPosition, file: FileHandle) {
    this.#folder = kept.folder
    this.#system = kept.system
    this.#key = kept.key
    this.#at = at
    this.#file = file
    this.end = at.lsn
  }

  static async create(kept: KeptWal, at: WalPosition): Promise<PartWriter> {
    return new PartWriter(kept, at, await open(join(kept.folder, `${toName(at)}.part`), 'wx', 0o600))
  }

  async append(data: Buffer): Promise<void> {
    const boundTo = toBond(this.#system, this.#at, this.#records)
    const sealed = encrypt(this.#key, await compress(data, fast), boundTo)
    const length = Buffer.alloc(lengthBytes)
    length.writeUInt32BE(sealed.length)
    await this.#file.appendFile(Buffer.concat([length, sealed]))
    this.#records++
    this.end += BigInt(data.length)
  }

  sync(): Promise<void> {
    return this.#file.datasync()
  }

  /** Gives it its final name; an empty one is removed. */
  async close(): Promise<void> {
    await this.sync()
    await this.#file.close()
    await nameFinally(this.#folder, this.#at, this.end)
  }
}

const toBond = (system: string, at: WalPosition, record: number) => `${system}/${toName(at)}:${record}`

async function nameFinally(folder: string, at: WalPosition, end: bigint): Promise<void> {
  const path = join(folder, `${toName(at)}.part`)
  if (end === at.lsn) await rm(path)
  else await rename(path, join(folder, `${toName(at)}-${hex(end, 16)}.wal`))
}

/** The WAL of one database, and the key that seals it. */
interface KeptWal {
  folder: string
  system: string
  key: KeyObject
}

/** Names the WAL of one database beside the backups of `backupDir`. */
export const keptWal = (backupDir: string, { key, system }: { key: Buffer; system: string }): KeptWal => ({
  folder: join(walFolder(backupDir), system),
  system,
  key: walKey(key),
})

/** Reads the file of a part that may have been ended since it was listed: then it has another name, or had nothing and is gone. */
async function readListed(folder: string, part: Part): Promise<Buffer> {
  try {
    return await readFile(join(folder, part.name))
  } catch (error) {
    if (part.end !== undefined || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    const { name } = (await listParts(folder)).find(({ name }) => name.startsWith(`${toName(part)}-`)) ?? {}
    return name === undefined ? Buffer.alloc(0) : readFile(join(folder, name))
  }
}

/** Yields what a part has, record by record; one that has its end must reach it, any other ends where its writer did. */
async function* readPart({ folder, system, key }: KeptWal, part: Part): AsyncGenerator<Buffer> {
  const path = join(folder, part.name)
  const content = await readListed(folder, part)
  let position = part.lsn
  for (let [at, record] = [0, 0]; at + lengthBytes <= content.length; record++) {
    const length = content.readUInt32BE(at)
    const sealed = content.subarray(at + lengthBytes, at + lengthBytes + length)
    if (length > recordBytesAtMost || sealed.length < length) break
    let data: Buffer
    try {
      data = await decompress(decrypt(key, sealed, toBond(system, part, record)))
    } catch {
      throw new StartupError(`The file ${path} is damaged, or was written with another BACKUP_KEY.`)
    }
    at += lengthBytes + length
    position += BigInt(data.length)
    yield data
  }
  if (part.end !== undefined && position !== part.end) throw new StartupError(`The file ${path} was cut short.`)
}

/** Gives parts that a killed process left their final names. Only one process at a time may write there. */
async function endParts(kept: KeptWal): Promise<void> {
  for (const part of await listParts(kept.folder)) {
    if (part.end !== undefined) continue
    let end = part.lsn
    for await (const data of readPart(kept, part)) end += BigInt(data.length)
    await nameFinally(kept.folder, part, end)
  }
}

/** Where a timeline left its parent, as the last line of a history file says: its parent, and the position. */
function lastFork(history: string): WalPosition | undefined {
  const line = history.split('\n').findLast((one) => /^\d+\s/.test(one))
  const [, timeline, high, low] = /^(\d+)\s+([\dA-F]+)\/([\dA-F]+)/i.exec(line ?? '') ?? []
  if (!timeline) return undefined
  return { timeline: Number(timeline), lsn: (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`) }
}

interface Beginning {
  primary: WalPosition & { segmentBytes: bigint }
  history: string | undefined
}

/**
 * Finds where to go on: at the end of what is kept of the server's timeline, of the parent it left, or else at the segment
 * that the server writes now. Keeps the history of the timeline too.
 */
export async function findBeginning(kept: KeptWal, { primary, history }: Beginning): Promise<WalPosition> {
  await mkdir(kept.folder, { recursive: true, mode: 0o700 })
  await endParts(kept)
  if (history !== undefined) await keepHistory(kept, primary.timeline, history)
  const parts = await listParts(kept.folder)
  const findEnd = (timeline: number) => parts.findLast((part) => part.timeline === timeline)?.end
  const { timeline, segmentBytes } = primary
  const known = findEnd(timeline)
  if (known !== undefined && known > primary.lsn) throw new StartupError(`${otherFuture(kept.folder)}.`)
  if (known !== undefined) return { timeline, lsn: known }
  const fork = history === undefined ? undefined : lastFork(history)
  if (!fork) return { timeline, lsn: primary.lsn - (primary.lsn % segmentBytes) }
  // The server copied the segment in which its timeline left the parent.
  const copiedFrom = fork.lsn - (fork.lsn % segmentBytes)
  const parentEnd = findEnd(fork.timeline)
  if (parentEnd !== undefined && parentEnd < copiedFrom) return { timeline: fork.timeline, lsn: parentEnd }
  return { timeline, lsn: copiedFrom }
}

async function keepHistory({ folder, system, key }: KeptWal, timeline: number, history: string): Promise<void> {
  const path = join(folder, toHistoryName(timeline))
  const boundTo = `${system}/${toHistoryName(timeline)}`
  const kept = await readFile(path).catch(() => undefined)
  if (kept === undefined) {
    await writeFile(`${path}.new`, encrypt(key, Buffer.from(history), boundTo), { mode: 0o600, flush: true })
    return rename(`${path}.new`, path)
  }
  if (String(decrypt(key, kept, boundTo)) === history) return
  throw new StartupError(`${otherFuture(folder)}.`)
}

/** Only a database that went back in time in another way than by `olmos restore` meets this. */
const otherFuture = (folder: string) =>
  `${folder} has WAL that this database never wrote, of a time that it was taken back from; set BACKUP_DIR to a new folder`

/** Writes WAL into parts, none of which goes past the end of a segment. */
export class WalWriter {
  readonly #kept: KeptWal
  readonly #segmentBytes: bigint
  readonly #timeline: number
  #part: PartWriter | undefined
  #end: bigint

  constructor(kept: KeptWal, { timeline, lsn, segmentBytes }: WalPosition & { segmentBytes: bigint }) {
    this.#kept = kept
    this.#timeline = timeline
    this.#end = lsn
    this.#segmentBytes = segmentBytes
  }

  get end(): bigint {
    return this.#end
  }

  async write(data: Buffer): Promise<void> {
    for (let rest = data; rest.length > 0; ) {
      this.#part ??= await PartWriter.create(this.#kept, { timeline: this.#timeline, lsn: this.#end })
      const room = Number(this.#segmentBytes - (this.#end % this.#segmentBytes))
      const piece = rest.subarray(0, room)
      await this.#part.append(piece)
      this.#end = this.#part.end
      rest = rest.subarray(piece.length)
      if (piece.length === room) await this.close()
    }
  }

  async sync(): Promise<void> {
    await this.#part?.sync()
  }

  async close(): Promise<void> {
    const part = this.#part
    this.#part = undefined
    await part?.close()
  }
}

const mark = z.object({ system: z.string(), until: z.iso.datetime() })

/** Notes that everything committed before `until` is kept. */
export async function markWal(backupDir: string, system: string, until: Date): Promise<void> {
  const path = join(walFolder(backupDir), 'kept.json')
  await writeFile(`${path}.new`, JSON.stringify({ system, until: until.toISOString() }), { mode: 0o600 })
  await rename(`${path}.new`, path)
}

/** Reads up to when the WAL is kept, and of which database; undefined where none is. */
export async function readWalMark(backupDir: string): Promise<{ system: string; until: Date } | undefined> {
  const text = await readFile(join(walFolder(backupDir), 'kept.json'), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const { system, until } = mark.parse(JSON.parse(text))
  return { system, until: new Date(until) }
}

/** A backup, as far as its WAL is concerned. */
export interface WalStart extends WalPosition {
  system: string
}

/**
 * Goes through what is kept since a backup began, as far as nothing is missing. A timeline that is not among `timelines`
 * left its parent before the backup, and is passed over.
 */
function follow(parts: readonly Part[], start: WalPosition, timelines?: ReadonlySet<number>) {
  const whole: Part[] = []
  let position = start.lsn
  let { timeline } = start
  let missingFrom: bigint | undefined
  for (const part of parts) {
    if (part.timeline < start.timeline || (timelines && !timelines.has(part.timeline))) continue
    const isFork = part.timeline > timeline
    if (part.lsn > position || (!isFork && missingFrom !== undefined)) {
      missingFrom ??= position
      continue
    }
    if (isFork) missingFrom = undefined
    if (!isFork && part.end !== undefined && part.end <= position) continue
    timeline = part.timeline
    // One that is being written is the last of its timeline.
    position = part.end ?? position
    whole.push(part)
  }
  return { whole, isWhole: missingFrom === undefined && whole.length > 0 }
}

/** Whether the WAL is kept without a gap since this backup began, as far as the names of the files tell. */
export async function isWalWhole(backupDir: string, start: WalStart): Promise<boolean> {
  return follow(await listParts(join(walFolder(backupDir), start.system)), start).isWhole
}

interface LaidWal {
  /** Whether nothing was missing from the backup to the end. */
  isWhole: boolean
  /** How many parts there are; none when no WAL is kept of this database. */
  parts: number
}

interface Laying {
  into: string
  own(path: string): Promise<void>
  /** Lays what says which timelines there are, and nothing that was written on them. */
  onlyHistories?: boolean
  ending?: AbortSignal | undefined
}

/** Writes the WAL since a backup into PostgreSQL's own folder for it, as segments. `own` gives each file to its user. */
export async function layWal(
  kept: KeptWal,
  start: WalPosition & { segmentBytes: bigint },
  { into, own, onlyHistories = false, ending }: Laying,
): Promise<LaidWal> {
  const parts = await listParts(kept.folder)
  const { timelines, histories } = await readHistories(kept, start)
  const { whole, isWhole } = follow(parts, start, timelines)
  for (const [name, content] of histories) {
    await writeFile(join(into, name), content, { mode: 0o600 })
    await own(join(into, name))
  }
  for (const part of onlyHistories ? [] : whole) {
    ending?.throwIfAborted()
    const path = join(into, toSegmentName(part, start.segmentBytes))
    const segment = await open(path, 'r+').catch(() => open(path, 'w+', 0o600))
    try {
      await segment.truncate(Number(start.segmentBytes))
      let at = Number(part.lsn % start.segmentBytes)
      for await (const data of readPart(kept, part)) {
        await segment.write(data, 0, data.length, at)
        at += data.length
      }
      await segment.sync()
    } finally {
      await segment.close()
    }
    await own(path)
  }
  return { isWhole, parts: whole.length }
}

function toSegmentName({ timeline, lsn }: WalPosition, segmentBytes: bigint): string {
  const perFile = 0x1_0000_0000n / segmentBytes
  const number = lsn / segmentBytes
  return `${hex(timeline, 8)}${hex(number / perFile, 8)}${hex(number % perFile, 8)}`
}

/** Reads the histories of the timelines that the one of the backup led to. */
async function readHistories({ folder, system, key }: KeptWal, start: WalPosition) {
  const timelines = new Set([start.timeline])
  const histories = new Map<string, Buffer>()
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((one) => /^[\dA-F]{8}\.history$/.test(one)).sort()) {
    const timeline = Number.parseInt(name, 16)
    const content = decrypt(key, await readFile(join(folder, name)), `${system}/${name}`)
    const fork = lastFork(String(content))
    const leftAfter = fork && timelines.has(fork.timeline) && fork.lsn >= start.lsn
    if (timeline > start.timeline && !leftAfter) continue
    histories.set(name, content)
    if (timeline > start.timeline) timelines.add(timeline)
  }
  return { timelines, histories }
}

/** Removes the WAL that no backup needs; `oldest` has the first position that one needs of each database. */
export async function removeOldWal(backupDir: string, oldest: ReadonlyMap<string, bigint>): Promise<void> {
  const folder = walFolder(backupDir)
  for (const { name: system } of (await readdir(folder, { withFileTypes: true }).catch(() => [])).filter((one) =>
    one.isDirectory(),
  )) {
    const needed = oldest.get(system)
    if (needed === undefined) await rm(join(folder, system), { recursive: true })
    else
      for (const { name, end } of await listParts(join(folder, system)))
        if (end !== undefined && end <= needed) await rm(join(folder, system, name))
  }
}
