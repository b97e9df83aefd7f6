import { chown, open, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { toLsn } from '../../platform/database/wal-stream.ts'
import type { Settings } from '../../platform/embedded/cluster.ts'
import { startScratch } from '../../platform/embedded/embedded-postgres.ts'
import { StartupError } from '../../platform/process.ts'
import { keptWal, layWal, readWalMark } from './kept-wal.ts'

/** A moment that everything committed until then is wanted of, or everything that is kept. */
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
export async function prepareRecovery({ place }: Cluster, { backupDir, key, to }: Wal): Promise<Recovery | undefined> {
  const { folder, user } = place
  const own = async (path: string) => {
    if (user) await chown(path, user.uid, user.gid)
  }
  const kept = keptWal(backupDir, { key, system: await readSystem(folder) })
  const laid = await layWal(kept, await readStart(folder), { into: join(folder, 'pg_wal'), own })
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
