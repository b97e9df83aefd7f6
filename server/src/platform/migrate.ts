import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { StartupError } from './startup-error.ts'

const folder = new URL('../../migrations/', import.meta.url)
const oldestServer = 15

/**
 * Brings a database to the schema of this build: every file of server/migrations in the order of its number, each in a
 * transaction, once. Safe to call from several nodes at the same time. Migrations only go forward: a database that has
 * one this build does not know, or one that was edited since, is refused.
 */
export async function migrate(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 })
  try {
    await client.connect()
  } catch (error) {
    throw new StartupError(`The database does not answer (DATABASE_URL): ${reasonOf(error)}.`)
  }
  try {
    await refuseOldServer(client)
    await client.query("SELECT pg_advisory_lock(hashtext('olmos migrations'))")
    await apply(client)
  } finally {
    await client.end()
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}

async function refuseOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version')
  const version = rows[0]?.server_version ?? ''
  if (Number.parseInt(version, 10) >= oldestServer) return
  throw new StartupError(`The database is PostgreSQL ${version}; Olmos needs ${oldestServer} or newer.`)
}

async function apply(client: pg.Client): Promise<void> {
  await client.query(`CREATE TABLE IF NOT EXISTS schema_migration (
    name text PRIMARY KEY, digest text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`)
  const { rows } = await client.query<{ name: string; digest: string }>('SELECT name, digest FROM schema_migration')
  const applied = new Map(rows.map((row) => [row.name, row.digest]))
  const files = await migrationFiles()

  for (const name of applied.keys()) {
    if (files.some((file) => file.name === name)) continue
    throw new StartupError(`The database is of a newer Olmos (it has the migration ${name}); install that one.`)
  }
  for (const file of files) {
    const digest = applied.get(file.name)
    if (digest === file.digest) continue
    if (digest !== undefined) throw new StartupError(`The migration ${file.name} was edited after it was applied.`)
    await client.query('BEGIN')
    await client.query(file.text)
    await client.query('INSERT INTO schema_migration (name, digest) VALUES ($1, $2)', [file.name, file.digest])
    await client.query('COMMIT')
  }
}

async function migrationFiles(): Promise<{ name: string; text: string; digest: string }[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8')
      return { name, text, digest: createHash('sha256').update(text).digest('hex') }
    }),
  )
}
