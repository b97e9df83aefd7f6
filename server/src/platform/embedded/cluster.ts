import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  access,
  chown,
  copyFile,
  type FileHandle,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from '../closing.ts'
import type { Binaries, Place } from './place.ts'

/** Settings of PostgreSQL. They are passed on its command line, so that nothing in the data folder overrides them. */
export type Settings = Record<string, string>

/** Defaults for a small store on a machine that PostgreSQL shares with the server. */
export const defaultSettings: Settings = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
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
