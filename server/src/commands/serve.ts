import { readConfig } from '../config.ts'
import { build } from '../platform/build.ts'
import { migrate } from '../platform/database/migrate.ts'
import { reachDatabase, roleIn } from '../platform/embedded/database-server.ts'
import { connectEmbeddedPostgres } from '../platform/embedded/embedded-postgres.ts'
import type { Command } from './command.ts'

/** Long enough for a database that recovers from a crash, and an end for an address with a slip in it. */
const patienceMs = 10 * 60_000

/** Starts the store as it lies there: nothing is installed, compared or built first. */
export const serveCommand: Command = {
  summary: 'starts the store without installing or building anything, until SIGTERM or Ctrl-C',
  details: [
    'A database at DATABASE_URL that is not there yet is waited for, up to ten minutes; a wrong setting ends it at once.',
    'It serves the pages of the last build, and only the calls under /api where there is none.',
  ],
  async runAlone({ closers }) {
    // It loads the whole store, which the other commands do without.
    const { startStore } = await import('../main.ts')
    await startStore(closers, { patienceMs })
    // A signal ends the process.
    return new Promise<never>(() => {})
  },
}

/** Brings the database up to date without starting a store on it, so that a release can do it once before its nodes. */
export const migrateCommand: Command = {
  summary: 'brings the database up to date and ends; says which migrations it applied',
  details: [
    'Every start does it too. By itself it suits a job that runs once before the nodes of a release.',
    'Nodes of the version before may go on selling meanwhile. Migrations only go forward: have a backup.',
  ],
  async runAlone({ print, environment, closers }) {
    const config = readConfig(environment)
    const embedded = config.databaseUrl ? undefined : await connectEmbeddedPostgres(config.dataDir)
    if (embedded) closers.push(() => embedded.stop())
    const url = config.databaseUrl ?? (embedded?.serverUrl as string)
    const { directUrl } = await reachDatabase({
      url,
      directUrl: embedded?.url ?? config.databaseDirectUrl,
      allowUnsafe: config.allowUnsafeDatabase,
      patienceMs,
      log: print,
    })
    const applied = await migrate(directUrl, { servedBy: roleIn(url), log: print })
    for (const name of applied) print(name)
    print(applied.length === 0 ? 'The database is up to date.' : `${applied.length} migrations applied.`)
    return 0
  },
}

export const versionCommand: Command = {
  summary: 'says which Olmos this is, of which commit, and on which Node.js',
  async runAlone({ print }) {
    print(`Olmos ${build.version}, commit ${build.commit}, Node.js ${process.versions.node}`)
    return 0
  },
}
