import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { PrimaryClient, splitHosts } from '../database/primary-client.ts'
import { StartupError, toReason } from '../process.ts'

interface DatabaseUrls {
  /** The address for the store's statements, possibly a pooler's. */
  url: string
  /**
   * The database itself, for what needs a session of its own: migrations, the job queue, the listener. Defaults to
   * `url`.
   */
  directUrl?: string | undefined
  /** Accepts a database that may lose an acknowledged order in a power cut, for tests of exactly that. */
  allowUnsafe?: boolean
  /** Waits this long, in milliseconds, for a database that is not there yet, or is still starting. By default not at all. */
  databaseWaitMs?: number
  /** Called with warnings about what works but could be safer, and while it waits. */
  log?: (line: string) => void
}

interface ReachedDatabase {
  directUrl: string
  isPooled: boolean
}

const oldestServer = 15
const durable = ['fsync', 'synchronous_commit', 'full_page_writes']

/**
 * Checks the database before anything is started on it. What the operator has to fix is a StartupError of one sentence:
 * nobody answers, an old server, a standby, a pooler without a direct address, or settings under which a paid order may
 * be lost.
 */
export async function reachDatabase(urls: DatabaseUrls): Promise<ReachedDatabase> {
  const { databaseWaitMs = 0, log = () => {} } = urls
  const deadline = Date.now() + databaseWaitMs
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await reachOnce(urls)
    } catch (error) {
      if (!isPassing(error) || Date.now() + pauseMs > deadline) throw error
      log(`${toReason(error)} Trying again in ${pauseMs / 1_000} s.`)
      await sleep(pauseMs)
    }
  }
}

const firstPauseMs = 500
const longestPauseMs = 8_000

/** How the operating system and PostgreSQL say that a database may be there in a moment. */
const passingCodes = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  '57P03',
  '53300',
  // None of several hosts takes writes yet.
  '25006',
]

function isPassing(error: unknown): boolean {
  if (!(error instanceof StartupError)) return false
  const cause = error.cause instanceof AggregateError ? error.cause.errors[0] : error.cause
  if (!(cause instanceof Error)) return false
  // The driver gives its own time-out no code.
  return passingCodes.includes(String('code' in cause && cause.code)) || /timeout|terminated/i.test(cause.message)
}

async function reachOnce(urls: DatabaseUrls): Promise<ReachedDatabase> {
  const { url, directUrl, allowUnsafe, log = () => {} } = urls
  const isPooled = await ask(url, 'DATABASE_URL', async (client) => {
    await refuseOldServer(client)
    if (await isSuperuser(client))
      log(
        'DATABASE_URL connects as a superuser, for whom the rules of the database do not hold: see docs/operations.md',
      )
    return leadsToPooler(client)
  })
  if (isPooled && directUrl === undefined) {
    throw new StartupError(
      'DATABASE_URL leads to a pooler; set DATABASE_DIRECT_URL to the database itself as well, for migrations, jobs and notifications.',
    )
  }
  await ask(directUrl ?? url, directUrl ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL', async (client, setting) => {
    if (directUrl && (await leadsToPooler(client)))
      throw new StartupError(`${setting} leads to a pooler; it must be the address of the database itself.`)
    await refuseReadOnly(client, setting)
    if (!allowUnsafe) await refuseForgetful(client)
  })
  return { directUrl: directUrl ?? url, isPooled }
}

/** Reads the role from an address. */
export const roleIn = (url: string): string => decodeURIComponent(new URL(splitHosts(url)[0] ?? url).username)

async function isSuperuser(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ is_superuser: string }>('SHOW is_superuser')
  return rows[0]?.is_superuser === 'on'
}

async function ask<T>(
  url: string,
  setting: string,
  look: (client: pg.Client, setting: string) => Promise<T>,
): Promise<T> {
  const client = new PrimaryClient({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    throw new StartupError(`The database does not answer (${setting}): ${toReason(error)}.`, { cause: error })
  }
  try {
    return await look(client, setting)
  } finally {
    await client.end()
  }
}

/** A pooler makes up its own backend key, so the process it names is not the one that runs the statement. */
async function leadsToPooler(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return rows[0]?.pid !== (client as pg.Client & { processID: number | null }).processID
}

async function refuseOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version')
  const version = rows[0]?.server_version ?? ''
  if (Number.parseInt(version, 10) >= oldestServer) return
  throw new StartupError(`The database is PostgreSQL ${version}; Olmos needs ${oldestServer} or newer.`)
}

async function refuseReadOnly(client: pg.Client, setting: string): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>('SHOW transaction_read_only')
  if (rows[0]?.transaction_read_only === 'off') return
  throw new StartupError(
    `The database is read-only: ${setting} must lead to the primary, with default_transaction_read_only off.`,
  )
}

async function refuseForgetful(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT name FROM pg_settings WHERE name = ANY ($1) AND setting = 'off' ORDER BY name",
    [durable],
  )
  if (rows.length === 0) return
  const names = rows.map((row) => row.name).join(', ')
  throw new StartupError(`The database may forget paid orders in a power cut: ${names} must be on.`)
}
