import { randomBytes } from 'node:crypto'
import { access, constants, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { listBackups, toTime } from '../modules/operations/backup.ts'
import {
  Copies,
  isBackupOld,
  isLookLate,
  isWalLate,
  readBackupReport,
  secondsSince,
} from '../modules/operations/backup-copies.ts'
import { readWalMark } from '../modules/operations/kept-wal.ts'
import { readLogEnd } from '../modules/operations/sales-log.ts'
import type { Database } from '../platform/database/database.ts'
import { type Queries, sql } from '../platform/database/queries.ts'
import { StartupError, toReason } from '../platform/process.ts'
import { Bucket, type BucketSettings } from '../platform/vendor/vendor.ts'

/** The doctor waits so long for an answer from elsewhere. */
export const askMs = 5_000

/** One line of what the doctor found; what is to be mended says how. */
export interface Finding {
  mark: '✓' | '!' | '✗'
  text: string
}

export const fine = (text: string): Finding => ({ mark: '✓', text })
/** Works, and the operator should know it. */
export const note = (text: string): Finding => ({ mark: '!', text })
export const mend = (text: string): Finding => ({ mark: '✗', text })

/** Finds why a request failed: `fetch` itself only says that it did. */
export const toCause = (error: unknown): unknown =>
  error instanceof Error && error.cause instanceof Error ? toCause(error.cause) : error

const gigabyte = 1e9

/** Says how much is free where something is written; undefined where there is no such folder. */
async function lookAtSpace(setting: string, folder: string, needed: { bytes: number; or: string }) {
  const disk = await statfs(folder).catch(() => undefined)
  if (!disk) return undefined
  const free = disk.bavail * disk.bsize
  const line = `${(free / gigabyte).toFixed(1)} GB free in ${setting} ${folder}`
  if (free >= needed.bytes) return fine(line)
  return mend(`${line}: have ${(needed.bytes / gigabyte).toFixed(1)} GB or more, or ${needed.or}.`)
}

/** Looks at the disks that the store itself writes to. */
export async function lookAtDisks({ databaseUrl, dataDir, salesLogDir }: Config): Promise<Finding[]> {
  const embedded = { bytes: gigabyte, or: 'sales stop on a full disk' }
  const log = { bytes: gigabyte / 10, or: 'the log of sales ends' }
  const findings = [
    databaseUrl === undefined ? await lookAtSpace('DATA_DIR', dataDir, embedded) : undefined,
    salesLogDir === undefined ? undefined : await lookAtSpace('SALES_LOG_DIR', salesLogDir, log),
  ]
  return findings.filter((finding) => finding !== undefined)
}

/** The database, as it can be reached. */
export interface Reached {
  database: Database
  /** The role of the store's own statements. */
  servedBy: string
  isPooled: boolean
}

interface ServerState {
  version: string
  unsafe: string[]
  never_vacuums: boolean
  /** What PostgreSQL was told not to vacuum by itself. */
  unvacuumed: string[]
  connections: number
  role_limit: number | null
  database_limit: number | null
  may_create: boolean
  owns_tables: boolean
  now: Date
}

const readServerState = (queries: Queries, servedBy: string) =>
  queries.one<ServerState>(sql`
    SELECT current_setting('server_version') AS version,
      ARRAY(SELECT name FROM pg_settings WHERE setting = 'off'
        AND name IN ('fsync', 'synchronous_commit', 'full_page_writes') ORDER BY name) AS unsafe,
      EXISTS (SELECT FROM pg_settings WHERE setting = 'off' AND name IN ('autovacuum', 'track_counts')) AS never_vacuums,
      ARRAY(SELECT oid::regclass::text FROM pg_class, pg_options_to_table(reloptions) WHERE relkind = 'r'
        AND option_name = 'autovacuum_enabled' AND NOT option_value::boolean ORDER BY relname) AS unvacuumed,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true), '0')::int AS connections,
      (SELECT nullif(rolconnlimit, -1) FROM pg_roles WHERE rolname = ${servedBy}) AS role_limit,
      (SELECT nullif(datconnlimit, -1) FROM pg_database WHERE datname = current_database()) AS database_limit,
      has_database_privilege(current_database(), 'CREATE') AND has_schema_privilege('public', 'CREATE') AS may_create,
      NOT EXISTS (SELECT FROM pg_tables WHERE schemaname = 'public'
        AND NOT pg_has_role(tableowner, 'USAGE')) AS owns_tables,
      clock_timestamp() AS now`)

/** One listens, one probes, and another migrates, or waits for a write, for a moment. */
const besidePool = 3
const clockSkewMs = 2_000

/** Looks at the settings of the database, at what its roles may do, and at its clock. */
export async function lookAtServer(
  { databaseConnections, allowUnsafeDatabase }: Config,
  { database, servedBy, isPooled }: Reached,
): Promise<Finding[]> {
  const asked = Date.now()
  const state = await readServerState(database, servedBy)
  const skewMs = state.now.getTime() - (asked + Date.now()) / 2
  const findings = [fine(`PostgreSQL ${state.version}${isPooled ? ', behind a pooler' : ''}`)]

  const names = state.unsafe.join(', ')
  if (names !== '' && allowUnsafeDatabase)
    findings.push(mend(`${names} must be on: ALLOW_UNSAFE_DATABASE is for tests, a power cut takes paid orders away.`))
  else if (names !== '') findings.push(mend(`The database may forget paid orders in a power cut: ${names} must be on.`))
  else findings.push(fine('fsync, synchronous_commit and full_page_writes are on'))

  findings.push(...toVacuumFindings(state))

  if (!state.may_create)
    findings.push(
      mend('The role that migrates needs CREATE on the database and on its schema public (docs/operations.md).'),
    )
  else if (!state.owns_tables)
    findings.push(mend('Tables belong to another role: migrate as their owner (DATABASE_DIRECT_URL).'))
  else findings.push(fine('the role that migrates has the rights it needs'))

  const needed = databaseConnections + besidePool
  const limit = Math.min(state.connections, state.role_limit ?? Infinity, state.database_limit ?? Infinity)
  const nodes = Math.floor(limit / needed)
  if (isPooled)
    findings.push(note("The connections are the pooler's: compare its limit with DATABASE_CONNECTIONS of all nodes."))
  else if (nodes === 0)
    findings.push(
      mend(
        `A node takes ${needed} connections and the database allows ${limit}: lower DATABASE_CONNECTIONS, or raise its limit.`,
      ),
    )
  else findings.push(fine(`${limit} connections, enough for ${nodes} nodes of ${needed}`))

  const seconds = (Math.abs(skewMs) / 1_000).toFixed(1)
  if (Math.abs(skewMs) > clockSkewMs)
    findings.push(
      mend(`The clocks of this machine and of the database differ by ${seconds} s: let both keep time (NTP).`),
    )
  else findings.push(fine('this machine and the database have the same time'))
  return findings
}

/** A sale walks past all that was sold before it until a vacuum takes that away, and plans are made for tables as they were. */
function toVacuumFindings({ never_vacuums, unvacuumed }: ServerState): Finding[] {
  if (never_vacuums)
    return [
      mend(
        'PostgreSQL never vacuums by itself, and sales get slower each day: autovacuum and track_counts must be on.',
      ),
    ]
  if (unvacuumed.length === 0) return [fine('autovacuum is on')]
  return unvacuumed.map((table) =>
    mend(
      `PostgreSQL does not vacuum ${table} by itself: as the owner of the database run ALTER TABLE ${table} RESET (autovacuum_enabled).`,
    ),
  )
}

/** Looks for indexes that were cut short while they were built; PostgreSQL keeps them up to date, and reads none of them. */
export async function lookAtIndexes(database: Database): Promise<Finding[]> {
  const indexes = await database.rows<{ name: string }>(sql`
    SELECT indexrelid::regclass::text AS name FROM pg_index
    WHERE NOT indisvalid
      AND NOT EXISTS (SELECT FROM pg_stat_progress_create_index WHERE index_relid = indexrelid)
    ORDER BY name`)
  return indexes.map(({ name }) => {
    // What REINDEX itself has left stands beside the index that is to be read.
    const statement = `${/_cc(?:new|old)\d*"?$/.test(name) ? 'DROP' : 'REINDEX'} INDEX CONCURRENTLY ${name}`
    return mend(
      `The index ${name} was cut short while it was built, and serves nothing: as the owner of the database run ${statement}.`,
    )
  })
}

/** Looks whether the newest copy in the bucket is one that can be relied on. */
async function lookAtCopies(bucket: BucketSettings): Promise<Finding> {
  try {
    const newest = (await new Copies(bucket, { waitMs: askMs }).listBackups()).at(-1)
    const hours = newest === undefined ? undefined : Math.round((Date.now() - toTime(newest).getTime()) / 3_600_000)
    if (hours !== undefined && hours <= 26) return fine(`the newest copy in the bucket is ${hours} hours old`)
    return mend(
      `${hours === undefined ? 'There is no copy in the bucket' : `The newest copy in the bucket is ${hours} hours old`}: run olmos backup.`,
    )
  } catch (error) {
    if (error instanceof StartupError) return mend(error.message)
    return mend(`The bucket at BACKUP_S3_URL can't be read (${toReason(toCause(error))}).`)
  }
}

/** Puts an object into the bucket of the pictures, reads it and removes it, and reads the newest picture there. */
export async function lookAtPictures({ pictureBucket }: Config, database: Database): Promise<Finding[]> {
  const { pictures } = await database.one<{ pictures: number }>(
    sql`SELECT count(*)::int AS pictures FROM picture WHERE object IS NOT NULL`,
  )
  if (!pictureBucket) {
    if (pictures === 0) return []
    return [mend(`${pictures} pictures lie in a bucket and PICTURES_S3_URL is not set: nobody sees them.`)]
  }
  const bucket = new Bucket(pictureBucket, { waitMs: askMs })
  const newest = await database.maybe<{ object: string; large_bytes: number }>(
    sql`SELECT object, large_bytes FROM picture WHERE object IS NOT NULL AND large_bytes IS NOT NULL ORDER BY id DESC LIMIT 1`,
  )
  const probe = { name: `doctor-${randomBytes(8).toString('hex')}`, content: randomBytes(16) }
  const steps = {
    'be written': () => bucket.put(probe.name, probe.content),
    'be read': () => bucket.read(probe.name, probe.content.length),
    'be removed from': () => bucket.remove(probe.name),
    'show the newest picture': async () => newest && (await bucket.read(newest.object, newest.large_bytes)),
  }
  for (const [step, run] of Object.entries(steps)) {
    try {
      await run()
    } catch (error) {
      return [mend(`The bucket at PICTURES_S3_URL can't ${step} (${toReason(toCause(error))}).`)]
    }
  }
  return [fine(`the bucket of the pictures can be written, read and removed from; ${pictures} pictures lie there`)]
}

/** Reads what is known of the backups: what is in BACKUP_DIR, or else what was reported by whoever takes them elsewhere. */
async function readKnownBackups({ backupDir, backupWal }: Config, database: Database) {
  const { has_table } = await database.one<{ has_table: boolean }>(sql`
    SELECT to_regclass('backup_report') IS NOT NULL AS has_table`)
  const report = has_table ? await readBackupReport(database) : undefined
  if (backupDir === undefined) return report
  const [newest] = await listBackups(backupDir)
  return {
    ...(report ?? { verified_at: null, fault: null }),
    newest_at: newest === undefined ? null : toTime(newest),
    keeps_wal: backupWal || report?.keeps_wal === true,
    wal_until: (await readWalMark(backupDir))?.until ?? null,
  }
}

/** Looks at what is kept for a restore: how old it is, and whether keeping it may fill a disk. */
export async function lookAtBackups(config: Config, database: Database): Promise<Finding[]> {
  const { backupDir, backupBucket, isProduction } = config
  const known = await readKnownBackups(config, database)
  const findings: Finding[] = []
  if (known?.newest_at) {
    const hours = Math.round(secondsSince(known.newest_at) / 3_600)
    const line = `he newest backup is ${hours} hours old`
    findings.push(
      isBackupOld(known)
        ? mend(`T${line}: run olmos backup, and see why the one of each night is missing.`)
        : fine(`t${line}`),
    )
  } else if (backupDir !== undefined || known) findings.push(mend('There is no backup: run olmos backup.'))
  else {
    const text = 'Nobody ever took a backup of this store'
    findings.push(
      isProduction
        ? mend(`${text}: set BACKUP_DIR and BACKUP_KEY, or run olmos backup each night where they shall lie.`)
        : note(`${text}; one that sells needs them (docs/backup.md).`),
    )
  }
  if (known?.fault)
    findings.push(mend(`The newest backup that was looked at can't be restored (${known.fault}): take another one.`))
  else if (known?.newest_at && isLookLate(known))
    findings.push(
      note(
        `No backup was restored for a look ${known.verified_at ? 'for two days' : 'yet'}: run olmos backup --verify.`,
      ),
    )
  if (backupBucket)
    findings.push(
      backupDir === undefined
        ? note('BACKUP_S3_URL is set and BACKUP_DIR is not: nothing is copied from here.')
        : await lookAtCopies(backupBucket),
    )
  if (backupDir !== undefined) findings.push(...(await lookAtBackupDisks(backupDir, database)))
  return known ? [...findings, ...(await lookAtKeptWal(known, database))] : findings
}

/** Looks whether another backup has room, and where it is restored for a look. */
async function lookAtBackupDisks(backupDir: string, database: Database): Promise<Finding[]> {
  const { bytes } = await database.one<{ bytes: number }>(sql`
    SELECT pg_database_size(current_database()) AS bytes`)
  const [newest] = await listBackups(backupDir)
  const newestBytes = newest === undefined ? 0 : (await stat(join(backupDir, newest))).size
  // An old one is removed when the new one is complete, and the WAL of a day lies beside it.
  const next = { bytes: Math.max(gigabyte, 2 * newestBytes), or: 'the next backup fails' }
  const findings = [
    await lookAtSpace('BACKUP_DIR', backupDir, next),
    await lookAtSpace('TMPDIR', tmpdir(), { bytes: 1.2 * bytes, or: 'no backup can be restored for a look' }),
  ]
  return findings.filter((finding) => finding !== undefined)
}

async function lookAtKeptWal(
  known: { keeps_wal: boolean; wal_until: Date | null },
  database: Database,
): Promise<Finding[]> {
  if (!known.keeps_wal) return [note('BACKUP_WAL is off: what is sold after the nightly backup is not in it.')]
  const { slot_bound } = await database.one<{ slot_bound: string }>(sql`
    SELECT current_setting('max_slot_wal_keep_size') AS slot_bound`)
  const bound =
    slot_bound === '-1'
      ? note('max_slot_wal_keep_size is not set: WAL may be lost between two starts of the store; 2GB keeps it.')
      : fine(`the database keeps up to ${slot_bound} of WAL for the backups`)
  const seconds = known.wal_until && secondsSince(known.wal_until)
  if (seconds !== null && !isWalLate(known)) return [bound, fine(`the WAL is kept up to ${Math.round(seconds)} s ago`)]
  const since = seconds === null ? '' : ` since ${Math.round(seconds / 60)} minutes`
  return [bound, mend(`The WAL is not kept${since}: see the log of the store, or of olmos keep-wal.`)]
}

/** What is sold now is in the log within seconds. */
const logLateSeconds = 60

/** Looks whether what leaves the shop is in the log of sales. */
export async function lookAtSalesLog({ salesLogDir }: Config, database: Database): Promise<Finding[]> {
  if (salesLogDir === undefined) return []
  const isWritable = await access(salesLogDir, constants.W_OK).then(
    () => true,
    () => false,
  )
  if (!isWritable) return [mend(`SALES_LOG_DIR ${salesLogDir} is not there, or can't be written to.`)]
  const until = await readLogEnd(salesLogDir).catch((error) => toReason(error))
  if (typeof until === 'string') return [mend(until)]
  if (!until) return [note('The log of sales is empty; the next start of the store begins it.')]
  const { left_at } = await database.one<{ left_at: Date | null }>(sql`
    SELECT greatest((SELECT max(created_at) FROM code_sale), (SELECT max(created_at) FROM transfer),
      (SELECT max(created_at) FROM supplier_order)) AS left_at`)
  if (left_at && left_at.getTime() - until.getTime() > logLateSeconds * 1_000)
    return [mend(`What was sold since ${until.toISOString()} is not in the log of sales: see the log of the store.`)]
  return [fine('everything that was sold is in the log of sales')]
}
