import { execFileSync } from 'node:child_process'
import { readFile, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Database } from '../server/src/platform/database/database.ts'
import { sql } from '../server/src/platform/database/queries.ts'
import { startEmbeddedPostgres } from '../server/src/platform/embedded/embedded-postgres.ts'
import { makeDataFolder } from './process.ts'

/** The PostgreSQL of a run, with the settings of a real store, that can be made to fall over. */
export interface DatabaseServer {
  url: string
  /** As the role that the servers have. */
  serverUrl: string
  /** This process's own connection; its queries fail while PostgreSQL is down. */
  database: Database
  /** Where logs go. */
  folder: string
  /** Ends PostgreSQL as `pg_ctl stop -m immediate` does: nothing is flushed. It comes back on the same port and data. */
  crash(): Promise<void>
  /** Loses its disk: every process of it gets SIGKILL, and its files are gone. What remains is `stop`. */
  destroy(): Promise<void>
  /** Runs a statement that may take minutes, such as VACUUM. */
  runLong(statement: string): Promise<void>
  stop(): Promise<void>
}

/** Starts it in a folder of its own, or in one that has a database. */
export async function startDatabaseServer(settings: Record<string, string> = {}, at?: string): Promise<DatabaseServer> {
  const folder = at ?? (await makeDataFolder('proof'))
  const postgres = await startEmbeddedPostgres({ dataDir: folder, settings })
  const database = new Database({ url: postgres.url, connections: 8, onIdleError: () => {} })
  let stopped: Promise<void> | undefined
  const stopPostgres = () => (stopped ??= postgres.stop())
  return {
    url: postgres.url,
    serverUrl: postgres.serverUrl,
    database,
    folder,
    crash: async () => {
      const started = await readStart(database)
      process.kill(await findPostmaster(folder), 'SIGQUIT')
      await untilRestarted(database, started)
    },
    destroy: async () => {
      const postmaster = await findPostmaster(folder)
      const children = execFileSync('pgrep', ['-P', String(postmaster)], { encoding: 'utf8' }).split('\n')
      // Told first, so that nobody starts it again; it has no time for a shutdown.
      const gone = stopPostgres()
      for (const pid of [postmaster, ...children.filter(Boolean).map(Number)]) killAtOnce(pid)
      await gone
      await rm(await realpath(join(folder, 'postgres')), { recursive: true })
    },
    runLong: async (text) => {
      const client = await database.pool.connect()
      try {
        await client.query('SET statement_timeout = 0')
        const patient = { text, query_timeout: longestMs }
        await client.query(patient)
      } finally {
        client.release(true)
      }
    },
    stop: async () => {
      await database.close()
      await stopPostgres()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function killAtOnce(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    // A child may have ended with its parent.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function findPostmaster(folder: string): Promise<number> {
  const cluster = join(await realpath(join(folder, 'postgres')), 'cluster')
  return Number.parseInt(await readFile(join(cluster, 'postmaster.pid'), 'utf8'), 10)
}

async function readStart(database: Database): Promise<number> {
  const { started } = await database.one<{ started: Date }>(sql`SELECT pg_postmaster_start_time() AS started`)
  return started.getTime()
}

const recoveryMs = 60_000
const longestMs = 1_800_000

async function untilRestarted(database: Database, before: number): Promise<void> {
  const deadline = Date.now() + recoveryMs
  while (Date.now() < deadline) {
    const started = await readStart(database).catch(() => before)
    if (started !== before) return
    await sleep(50)
  }
  throw new Error('PostgreSQL did not come back within a minute')
}
