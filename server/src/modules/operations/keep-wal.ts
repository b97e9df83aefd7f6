import { chown, open, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import {
  openWalStream,
  toLsn,
  type WalPosition,
  type WalStream,
  walIsGone,
} from '../../platform/database/wal-stream.ts'
import type { Settings } from '../../platform/embedded/cluster.ts'
import { startScratch } from '../../platform/embedded/embedded-postgres.ts'
import { StartupError, toReason } from '../../platform/process.ts'
import { findBeginning, keptWal, layWal, markWal, readWalMark, WalWriter } from './kept-wal.ts'

interface Keeping {
  stop(): Promise<void>
}

interface Keeper {
  /** The database itself, for a role that may replicate. */
  url: string
  backupDir: string
  key: Buffer
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>
}

const syncEveryMs = 1_000
const markEveryMs = 5_000
const pauseMs = 1_000
const longestPauseMs = 15_000

/**
 * Writes the WAL down in `backupDir`, sealed, within milliseconds of a commit, and onto the disk within a second. It
 * connects again when the connection breaks, and resumes where it ended; what can't be done is logged, and tried again.
 */
export function keepWal(keeper: Keeper): Keeping {
  const stopping = new AbortController()
  let stream: WalStream | undefined
  const keeping = (async () => {
    let failures = 0
    let said = ''
    while (!stopping.signal.aborted) {
      try {
        stream = await openWalStream(keeper.url)
        if (stopping.signal.aborted) break
        await keepFrom(stream, keeper, () => {
          failures = 0
          said = ''
        })
      } catch (error) {
        failures++
        const reason = toReason(error)
        // One line for each reason: a line for each try would fill the log.
        if (reason !== said && !stopping.signal.aborted) keeper.log.error({ err: error }, 'the WAL is not kept')
        said = reason
      } finally {
        await stream?.close()
      }
      const wait = failures === 0 ? 0 : Math.min(pauseMs * 2 ** (failures - 1), longestPauseMs)
      await sleep(wait, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await stream?.close()
      await keeping
    },
  }
}

/** Keeps what the stream brings, until the server ends it. `onKept` is told whenever all that there is is on the disk. */
async function keepFrom(stream: WalStream, keeper: Keeper, onKept: () => void): Promise<void> {
  const { primary } = stream
  const { timeline, lsn, segmentBytes, system } = primary
  const kept = keptWal(keeper.backupDir, { key: keeper.key, system })
  const write = async (from: WalPosition) => {
    const writer = new WalWriter(kept, { ...from, segmentBytes })
    try {
      await writeStream(stream, { writer, from, ...keeper }, onKept)
    } finally {
      await writer.close()
    }
  }
  try {
    await write(await findBeginning(kept, { primary, history: await stream.readHistory() }))
  } catch (error) {
    if ((error as { code?: string }).code !== walIsGone) throw error
    keeper.log.warn(
      'the database has removed WAL that was not kept yet: nothing can be restored from it until the next backup',
    )
    await write({ timeline, lsn: lsn - (lsn % segmentBytes) })
  }
}

interface Writing {
  writer: WalWriter
  from: WalPosition
  backupDir: string
}

async function writeStream(stream: WalStream, { writer, from, backupDir }: Writing, onKept: () => void): Promise<void> {
  let [syncedAt, markedAt] = [0, 0]
  for await (const { data, completeAt } of stream.read(from)) {
    await writer.write(data)
    const now = Date.now()
    // A disk is asked to write once a second, however many sales there are: those who sell may share it.
    if (now - syncedAt < syncEveryMs) continue
    await writer.sync()
    syncedAt = now
    stream.confirm(writer.end)
    if (!completeAt) continue
    onKept()
    if (now - markedAt < markEveryMs) continue
    await markWal(backupDir, stream.primary.system, completeAt)
    markedAt = now
  }
}

/** How much is restored: everything that was committed until a moment, or everything that is kept. */
export type RestoreTarget = Date | 'latest'

interface Wal {
  /** Where the backup lies, and the WAL beside it. */
  backupDir: string
  key: Buffer
  /** `backup`: no further than to the end of the backup. */
  to: RestoreTarget | 'backup'
}

type Cluster = Parameters<typeof startScratch>[0]

interface Recovery {
  settings: Settings
  isWhole: boolean
}

export interface Rolled {
  /** The time of the last transaction that was replayed; null when there was none since the backup began. */
  lastAt: Date | null
  /** Whether nothing was missing of what is kept. */
  isWhole: boolean
}

/**
 * Lays what is kept since the backup into a restored data folder, and returns the settings with which PostgreSQL replays
 * it; undefined where nothing is kept. Then it begins a timeline of its own, so that what it writes from now on can't be
 * taken for what had been written before.
 */
export async function prepareRecovery(
  { place, ending }: Cluster,
  { backupDir, key, to }: Wal,
): Promise<Recovery | undefined> {
  const { folder, user } = place
  const own = async (path: string) => {
    if (user) await chown(path, user.uid, user.gid)
  }
  const kept = keptWal(backupDir, { key, system: await readSystem(folder) })
  // A backup has the WAL up to its own end: what came after it may be damaged without keeping it from being restored.
  const laying = { into: join(folder, 'pg_wal'), own, onlyHistories: to === 'backup', ending }
  const laid = await layWal(kept, await readStart(folder), laying)
  if (laid.parts === 0) return undefined
  const signal = join(folder, 'recovery.signal')
  await writeFile(signal, '', { mode: 0o600 })
  await own(signal)
  const settings = {
    fsync: 'on',
    // All that there is lies in pg_wal.
    restore_command: 'false',
    recovery_target_action: 'promote',
    // Nobody gets in before it is done.
    hot_standby: 'off',
    ...(to instanceof Date && { recovery_target_time: to.toISOString().replace('T', ' ').replace('Z', '+00') }),
    ...(to === 'backup' && { recovery_target: 'immediate' }),
  }
  return { settings, isWhole: laid.isWhole }
}

/** Rolls a restored data folder forward, and leaves it shut down. Undefined: no WAL is kept, and none was asked for. */
export async function rollForward(cluster: Cluster, wal: Wal): Promise<Rolled | undefined> {
  const recovery = await prepareRecovery(cluster, wal)
  if (!recovery) {
    if (wal.to === 'backup') return undefined
    throw new StartupError(`No WAL since this backup is kept in ${wal.backupDir}: restore it without --to.`)
  }
  const { settings, isWhole } = recovery
  try {
    return { lastAt: await replay(cluster, settings), isWhole }
  } catch (error) {
    if (!(wal.to instanceof Date) || !(error instanceof StartupError)) throw error
    const { recovery_target_time: _, ...toTheEnd } = settings
    const moment = wal.to.toISOString()
    if (!/ended before configured recovery target/.test(error.message)) throw error
    // Nothing was committed between that moment and the end of what is kept.
    const mark = await readWalMark(wal.backupDir)
    if (isWhole && mark && mark.until >= wal.to) return { lastAt: await replay(cluster, toTheEnd), isWhole }
    throw new StartupError(`The WAL that is kept ends before ${moment}: give an earlier moment, or --to latest.`)
  }
}

/** Returns the time of the last transaction. */
async function replay(cluster: Cluster, settings: Settings): Promise<Date | null> {
  const postgres = await startScratch({ ...cluster, settings })
  try {
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    const { rows } = await client.query<{ last_at: Date | null }>('SELECT pg_last_xact_replay_timestamp() AS last_at')
    await client.end()
    return rows[0]?.last_at ?? null
  } finally {
    await postgres.stop({ shutDown: true })
  }
}

/** Reads PostgreSQL's own name of these data files, with which its control file begins. */
async function readSystem(folder: string): Promise<string> {
  const file = await open(join(folder, 'global/pg_control'))
  try {
    const { buffer } = await file.read({ buffer: Buffer.alloc(8), position: 0 })
    return buffer.readBigUInt64LE(0).toString()
  } finally {
    await file.close()
  }
}

/** Reads where the backup begins, and how large its segments are. */
async function readStart(folder: string) {
  const label = await readFile(join(folder, 'backup_label'), 'utf8')
  const [, lsn] = /^START WAL LOCATION: ([\dA-F/]+)/m.exec(label) ?? []
  const [, timeline] = /^START TIMELINE: (\d+)/m.exec(label) ?? []
  const [segment] = (await readdir(join(folder, 'pg_wal'))).filter((name) => /^[\dA-F]{24}$/.test(name))
  if (!lsn || !timeline || !segment) throw new StartupError(`The backup in ${folder} does not say where it begins.`)
  const { size } = await stat(join(folder, 'pg_wal', segment))
  return { lsn: toLsn(lsn), timeline: Number(timeline), segmentBytes: BigInt(size) }
}
