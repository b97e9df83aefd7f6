import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import {
  access,
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'
import type { Config } from '../../config.ts'
import { ByteReader, extractTar, takeBaseBackup } from '../../platform/database/base-backup.ts'
import { Database } from '../../platform/database/database.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { splitHosts } from '../../platform/database/primary-client.ts'
import { type Queries, sql } from '../../platform/database/queries.ts'
import { toLsn } from '../../platform/database/wal-stream.ts'
import { findPlace, ownPostgresUser, type Place } from '../../platform/embedded/cluster.ts'
import { startScratch } from '../../platform/embedded/embedded-postgres.ts'
import { StartupError, toReason } from '../../platform/process.ts'
import { keepSecretKey, sealFile, unsealFile, Vault } from '../../platform/security/vault.ts'
import { checkInvariants, openSomeCodes } from '../proof/ledger-proof.ts'
import { prepareRecovery, type RestoreTarget, type Rolled, rollForward } from './keep-wal.ts'
import { removeOldWal, type WalStart } from './kept-wal.ts'

const counts = z.object({ orders: z.int(), sold_codes: z.int(), transfers: z.int() })
type Counts = z.infer<typeof counts>

/** What lies beside a backup as JSON; nothing in it is secret. */
const manifest = z.object({
  /** When the backup began: everything committed before is in it. */
  taken_at: z.iso.datetime(),
  ended_at: z.iso.datetime(),
  start_lsn: z.string(),
  end_lsn: z.string(),
  /** Which WAL continues it: PostgreSQL's name of the database, and its timeline. */
  system: z.string().optional(),
  timeline: z.int().optional(),
  postgresql: z.string(),
  /** The newest migration of the database. */
  schema: z.string(),
  bytes: z.int(),
  sha256: z.string(),
  /** Counted before the backup and after it: what is restored lies between. */
  at_least: counts,
  at_most: counts,
  verified: z.object({ at: z.iso.datetime(), why_not: z.string().nullable() }).optional(),
})
type Manifest = z.infer<typeof manifest>

/** What is sealed in a backup before its files. */
const contents = z.object({
  /** It has the name that this makes; in older ones nothing says so. */
  taken_at: z.iso.datetime().optional(),
  isEmbedded: z.boolean(),
  database: z.string(),
  role: z.string(),
  /** The embedded database's, which nobody else knows. */
  password: z.string().optional(),
})

const suffix = '.backup'
const manifestPath = (path: string) => `${path.slice(0, -suffix.length)}.json`
const toName = (time: Date) => `olmos-${time.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`

/** Reads from a backup's name when it was taken. */
export const toTime = (name: string): Date =>
  new Date(name.replace(/^olmos-(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ).*$/, '$1-$2-$3:$4:$5'))

/** Only rows that nobody can delete, so that a restored database never has fewer. */
const countRows = (queries: Queries) =>
  queries.one<Counts>(sql`
    SELECT (SELECT count(*) FROM orders) AS orders, (SELECT count(*) FROM code_sale) AS sold_codes,
      (SELECT count(*) FROM transfer) AS transfers`)

const readVersions = (queries: Queries) =>
  queries.one<{ postgresql: string; schema: string }>(sql`
    SELECT current_setting('server_version') AS postgresql, max(name) AS schema FROM schema_migration`)

interface Source {
  config: Config
  database: Database
  /** The database itself, for a role that may replicate. */
  url: string
  progress?: (line: string) => void
}

const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(0)} MB`

/** Refuses settings without BACKUP_KEY. */
export function requireBackupKey({ backupKey }: Config): Buffer {
  if (backupKey) return backupKey
  throw new StartupError(
    'The setting BACKUP_KEY is missing: make one (openssl rand -hex 32) and keep it apart from the backups.',
  )
}

/**
 * Backs the database up into `folder` while it serves, sealed under BACKUP_KEY, and removes what is more than
 * BACKUP_KEEP. Cut short, it leaves no file that looks like a backup. Returns the path.
 */
export async function takeBackup({ config, database, url, progress }: Source, folder: string): Promise<string> {
  const key = requireBackupKey(config)
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error) => {
    throw new StartupError(`The folder ${folder} cannot be written: ${toReason(error)}.`)
  })
  const takenAt = new Date()
  const path = join(resolve(folder), `${toName(takenAt)}${suffix}`)
  const unfinished = join(resolve(folder), `.${toName(takenAt)}-${process.pid}.part`)
  const { username, password, pathname } = new URL(splitHosts(url)[0] ?? url)
  const sealed = contents.parse({
    taken_at: takenAt.toISOString(),
    isEmbedded: config.databaseUrl === undefined,
    database: decodeURIComponent(pathname.slice(1)),
    role: decodeURIComponent(username),
    ...(config.databaseUrl === undefined && { password: decodeURIComponent(password) }),
  })
  const head = Buffer.from(JSON.stringify(sealed))
  const size = Buffer.alloc(4)
  size.writeUInt32BE(head.length)
  const digest = createHash('sha256')
  let bytes = 0
  try {
    const versions = await readVersions(database)
    const atLeast = await database.snapshot(countRows)
    const backup = await takeBaseBackup(config.backupDatabaseUrl ?? url)
    await pipeline(
      backup.tar,
      createGzip({ level: 1 }),
      async function* (source: AsyncIterable<Buffer>) {
        yield Buffer.concat([size, head])
        yield* source
      },
      sealFile(key),
      async function* (source: AsyncIterable<Buffer>) {
        for await (const piece of source) {
          digest.update(piece)
          bytes += piece.length
          progress?.(`${megabytes(bytes)} written`)
          yield piece
        }
      },
      createWriteStream(unfinished, { mode: 0o600, flush: true }),
    )
    const { start, end, timeline } = backup.positions()
    const atMost = await database.snapshot(countRows)
    await writeManifest(path, {
      taken_at: takenAt.toISOString(),
      ended_at: new Date().toISOString(),
      start_lsn: start,
      end_lsn: end,
      system: backup.system,
      timeline,
      ...versions,
      bytes,
      sha256: digest.digest('hex'),
      at_least: atLeast,
      at_most: atMost,
    })
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    await rm(manifestPath(path), { force: true })
    throw toFolderRefusal(error, folder)
  }
  await removeOld(folder, config.backupKeep)
  return path
}

function toFolderRefusal(error: unknown, folder: string): unknown {
  const { code = '' } = error as NodeJS.ErrnoException
  if (!['ENOSPC', 'EACCES', 'EROFS', 'EDQUOT', 'EIO'].includes(code)) return error
  return new StartupError(`The folder ${folder} cannot be written: ${toReason(error)}.`)
}

async function writeManifest(path: string, content: Manifest): Promise<void> {
  const final = manifestPath(path)
  await writeFile(`${final}.part`, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600, flush: true })
  await rename(`${final}.part`, final)
}

/** Lists the names of the backups in a folder, the newest first. */
export async function listBackups(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names
    .filter((name) => name.startsWith('olmos-') && name.endsWith(suffix))
    .sort()
    .reverse()
}

/** A part that is older was left by a process that was killed. */
const partMs = 2 * 24 * 3_600_000

/** Keeps the newest backups, and the newest one that was found sound: those after it may all be worth nothing. */
async function removeOld(folder: string, keep: number): Promise<void> {
  const backups = await listBackups(folder)
  const sound = await findSound(folder, backups)
  for (const name of backups.slice(keep).filter((name) => name !== sound)) {
    await rm(join(folder, name))
    await rm(manifestPath(join(folder, name)), { force: true })
  }
  await removeOldWal(folder, await readFirstNeeded(folder))
  for (const name of (await readdir(folder)).filter((name) => name.endsWith('.part'))) {
    const path = join(folder, name)
    if (Date.now() - (await stat(path)).mtimeMs > partMs) await rm(path, { force: true })
  }
}

/** Reads what the last look at a backup has found: null when it was sound, undefined when nobody has looked. */
export async function readVerdict(path: string): Promise<string | null | undefined> {
  const text = await readFile(manifestPath(path), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : manifest.partial().parse(JSON.parse(text)).verified?.why_not
}

/** Finds the first of these backups that a look has found sound. */
async function findSound(folder: string, names: readonly string[]): Promise<string | undefined> {
  for (const name of names) if ((await readVerdict(join(folder, name))) === null) return name
  return undefined
}

/** Reads where the WAL that a backup needs begins; undefined where its JSON does not say so, or is not there. */
export async function readWalStart(folder: string, name: string): Promise<WalStart | undefined> {
  const text = await readFile(manifestPath(join(folder, name)), 'utf8').catch(() => undefined)
  const known = text === undefined ? undefined : manifest.parse(JSON.parse(text))
  if (!known?.system || !known.timeline) return undefined
  return { system: known.system, timeline: known.timeline, lsn: toLsn(known.start_lsn) }
}

/** Reads the first position in the WAL that one of the backups needs, of each database. */
async function readFirstNeeded(folder: string): Promise<Map<string, bigint>> {
  const needed = new Map<string, bigint>()
  for (const name of await listBackups(folder)) {
    const start = await readWalStart(folder, name)
    const known = start && needed.get(start.system)
    if (start && (known === undefined || start.lsn < known)) needed.set(start.system, start.lsn)
  }
  return needed
}

/** Reads when a backup had ended, or, where its JSON is not beside it, when it had begun. */
async function readEnd(path: string): Promise<Date> {
  const text = await readFile(manifestPath(path), 'utf8').catch(() => undefined)
  return text === undefined ? toTime(basename(path)) : new Date(manifest.parse(JSON.parse(text)).ended_at)
}

/** Opens a backup: what is sealed before its files, the files as tar, and the file's digest once they are read. */
async function openBackup(path: string, key: Buffer, ending?: AbortSignal) {
  await access(path).catch(() => {
    throw new StartupError(`There is no backup ${path}.`)
  })
  const digest = createHash('sha256')
  const read = async function* () {
    for await (const piece of createReadStream(path)) {
      digest.update(piece)
      yield piece as Buffer
    }
  }
  const reader = new ByteReader(unsealFile(key, path)(read()))
  const head = await reader.take((await reader.take(4))?.readUInt32BE() ?? 0)
  const sealed = contents.parse(JSON.parse(String(head)))
  requireOwnName(path, sealed.taken_at)
  const tar = createGunzip()
  // Its failure also destroys the tar, so that the reader meets it.
  pipeline(reader.pieces(), tar, { signal: ending }).catch(() => {})
  return { sealed, tar, digest: () => digest.digest('hex') }
}

/** Refuses a backup under the name of another one: what was sold between the two would be on the shelf again, and nobody told. */
function requireOwnName(path: string, takenAt: string | undefined): void {
  const name = basename(path)
  const ownName = takenAt === undefined ? name : `${toName(new Date(takenAt))}${suffix}`
  if (name === ownName || !/^olmos-\d{8}T\d{6}Z\.backup$/.test(name)) return
  throw new StartupError(`The file ${path} is the backup ${ownName} under another name; take another one.`)
}

interface Restoring {
  into: string
  /** Roll it forward by the WAL beside it; undefined: leave it as it was when the backup ended. */
  to?: RestoreTarget | undefined
  progress?: (line: string) => void
  /** Aborted, it fails. */
  ending?: AbortSignal
}

interface Restored {
  isEmbedded: boolean
  /** The folder of PostgreSQL's files. */
  folder: string
  /** Undefined when it was not rolled forward. */
  rolled: Rolled | undefined
}

/**
 * Restores a backup into a new or empty folder: of the embedded database it becomes a DATA_DIR, of any other
 * PostgreSQL's data folder. When it fails, nothing is left there.
 */
export async function restoreBackup(
  path: string,
  key: Buffer,
  { into, to, progress, ending }: Restoring,
): Promise<Restored> {
  const target = resolve(into)
  await requireEmpty(target)
  if (to instanceof Date && to < (await readEnd(path)))
    throw new StartupError(`This backup was not complete at ${to.toISOString()}; restore an older one.`)
  const { sealed, tar } = await openBackup(path, key, ending)
  await mkdir(target, { recursive: true, mode: sealed.isEmbedded ? 0o755 : 0o700 })
  const { isEmbedded } = sealed
  const wal = { backupDir: dirname(resolve(path)), key, to: to ?? ('backup' as const) }
  const extract = async (place: Place) => {
    const told = (bytes: number) => progress?.(`${megabytes(bytes)} restored`)
    await extractTar(tar, { folder: place.folder, user: place.user, progress: told })
    await own(place.folder, place.user)
    progress?.('replaying the WAL')
    return rollForward({ ...sealed, place, ending }, wal)
  }
  try {
    if (!isEmbedded) {
      await chmod(target, 0o700)
      return { isEmbedded, folder: target, rolled: await extract({ folder: target, user: ownPostgresUser() }) }
    }
    const place = await findPlace(target)
    const unfinished = await mkdtemp(join(place.folder, 'new-'))
    const rolled = await extract({ folder: unfinished, user: place.user })
    await writeFile(join(target, 'postgres-password'), sealed.password ?? '', { mode: 0o600, flag: 'wx', flush: true })
    await rename(unfinished, join(place.folder, 'cluster'))
    return { isEmbedded, folder: join(place.folder, 'cluster'), rolled }
  } catch (error) {
    const made = await realpath(join(target, 'postgres')).catch(() => undefined)
    if (sealed.isEmbedded && made) await rm(made, { recursive: true, force: true })
    for (const name of await readdir(target)) await rm(join(target, name), { recursive: true, force: true })
    ending?.throwIfAborted()
    throw toFolderRefusal(error, target)
  }
}

async function requireEmpty(folder: string): Promise<void> {
  const names = await readdir(folder).catch(({ code }) => {
    if (code === 'ENOENT') return []
    throw new StartupError(`The folder ${folder} cannot be read.`)
  })
  if (names.length > 0) throw new StartupError(`The folder ${folder} is not empty; restore into a new one.`)
}

const codesToOpen = 10

interface Look {
  known: Manifest
  config: Config
  ending: AbortSignal | undefined
}

interface Verified {
  path: string
  manifest: Manifest
  codes: number
  /** Undefined: it was restored and is sound. */
  whyNot: string | undefined
}

/**
 * Restores the newest backup of `folder` into a scratch PostgreSQL and looks at it; writes the result into its manifest.
 * `ending` cuts it short, which says nothing of the backup.
 */
export async function verifyNewest(config: Config, folder: string, ending?: AbortSignal): Promise<Verified> {
  const key = requireBackupKey(config)
  await removeOldScratch()
  const [newest] = await listBackups(folder)
  if (newest === undefined) throw new StartupError(`There is no backup in ${folder}; take one first.`)
  const path = join(resolve(folder), newest)
  const known = manifest.parse(JSON.parse(await readFile(manifestPath(path), 'utf8')))
  let codes = 0
  let whyNot: string | undefined
  try {
    codes = await requireSound(path, key, { known, config, ending })
  } catch (error) {
    ending?.throwIfAborted()
    // Whatever it is, such as a code that does not open: this backup is none to rely on, which the alert has to say.
    whyNot = toReason(error)
  }
  const result = { ...known, verified: { at: new Date().toISOString(), why_not: whyNot ?? null } }
  await writeManifest(path, result)
  return { path, manifest: result, codes, whyNot }
}

/** Removes what looks and restores that were killed have left: mostly a copy of the whole database that nothing seals. */
async function removeOldScratch(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => /^olmos-(?:verify|scratch)-\w{6}$/.test(name))
  for (const path of names.map((name) => join(tmpdir(), name))) {
    const found = await lstat(path).catch(() => undefined)
    // Anybody may put something of that name into /tmp, with a link in it to what is not to be removed.
    if (!found?.isDirectory() || found.uid !== (process.getuid?.() ?? found.uid)) continue
    if (Date.now() - found.mtimeMs > partMs) await removeScratch(path)
  }
}

/** Removes a folder with the data folder in it, which may be elsewhere, and only linked to. */
async function removeScratch(base: string): Promise<void> {
  const made = await realpath(join(base, 'postgres')).catch(() => undefined)
  if (made) await rm(made, { recursive: true, force: true })
  await rm(base, { recursive: true, force: true })
}

/** Returns how many codes it opened. */
async function requireSound(path: string, key: Buffer, { known, config, ending }: Look): Promise<number> {
  const { sealed, tar, digest } = await openBackup(path, key, ending)
  const base = await mkdtemp(join(tmpdir(), 'olmos-verify-'))
  try {
    await chmod(base, 0o711)
    const place = await findPlace(base)
    const folder = join(place.folder, 'cluster')
    await mkdir(folder, { mode: 0o700 })
    await own(folder, place.user)
    await extractTar(tar, { folder, user: place.user })
    if (digest() !== known.sha256) throw new StartupError(`The digest of ${path} is not the one of its manifest.`)
    const cluster = { ...sealed, place: { folder, user: place.user }, ending }
    const wal = config.backupWal
      ? await prepareRecovery(cluster, { backupDir: dirname(path), key, to: 'latest' })
      : undefined
    const scratch = await startScratch({ ...cluster, settings: wal?.settings ?? {} })
    try {
      await migrate(scratch.url)
      const database = new Database({ url: scratch.url, connections: 4, onIdleError: () => {} })
      try {
        return await requireSoundRows(database, { known, config, isRolled: wal !== undefined })
      } finally {
        await database.close()
      }
    } finally {
      await scratch.stop()
    }
  } finally {
    await removeScratch(base)
  }
}

interface Expected {
  known: Manifest
  config: Config
  /** By the WAL since: then there may be more than at the end of the backup. */
  isRolled: boolean
}

async function requireSoundRows(database: Database, { known, config, isRolled }: Expected): Promise<number> {
  const { at_least, at_most } = known
  const { results, found } = await database.snapshot(async (queries) => ({
    found: await countRows(queries),
    results: await checkInvariants(queries),
  }))
  for (const name of ['orders', 'sold_codes', 'transfers'] as const) {
    if (found[name] >= at_least[name] && (isRolled || found[name] <= at_most[name])) continue
    const range = at_least[name] === at_most[name] ? at_least[name] : `${at_least[name]} to ${at_most[name]}`
    throw new StartupError(
      `The restored database has ${found[name]} ${name.replace('_', ' ')}, and its manifest ${range}.`,
    )
  }
  // Nothing runs in the scratch database, so what was due since the backup is late by today's clock there.
  const broken = results.find(({ name, offenders }) => offenders > 0 && name !== 'nothing-is-stuck')
  if (broken) throw new StartupError(`An invariant of the restored database is broken: ${broken.sentence}.`)
  const vault = await Vault.open(database, config.secretKey ?? (await keepSecretKey(config.dataDir)))
  return openSomeCodes(database, vault, codesToOpen)
}

/** Hands a folder to PostgreSQL's own user, where there is one. */
async function own(path: string, user: { uid: number; gid: number } | undefined): Promise<void> {
  if (user) await chown(path, user.uid, user.gid)
}
