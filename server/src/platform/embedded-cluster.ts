import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { access, chown, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Binaries } from './embedded-binaries.ts'
import type { DatabaseLog } from './embedded-log.ts'
import type { Place } from './embedded-place.ts'
import { StartupError } from './startup-error.ts'

export const superuser = 'olmos'

export interface Cluster {
  place: Place
  binaries: Binaries
  log: DatabaseLog
  password: string
}

/** What the programs of PostgreSQL run with: their user, and none of this process's environment. */
export const runAs = ({ folder, user }: Place) => ({
  ...user,
  cwd: folder,
  env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
})

export const clusterFolder = (place: Place): string => join(place.folder, 'cluster')

/** The database's own password: made once, readable by this user only. */
export async function keepPassword(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    const password = randomBytes(24).toString('base64url')
    await writeFile(path, password, { mode: 0o600, flag: 'wx', flush: true })
    return password
  }
}

/** Makes the data files unless they exist. They get their name when they are whole, so a start cut short leaves none. */
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

  // PostgreSQL's own C.UTF-8 knows the case of Cyrillic letters and sorts alike on every machine.
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
