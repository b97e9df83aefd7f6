import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { StartupError, toReason } from '../process.ts'
import { PrimaryClient } from './primary-client.ts'

const ofThisBuild = new URL('../../../migrations/', import.meta.url)
/** Lock not available, and a deadlock with who sells meanwhile: both end what was tried. */
const triedAgain = new Set(['55P03', '40P01'])
const insufficientPrivilege = '42501'
// Sales queue behind a lock that somebody waits for, so the wait is short and the tries are many: ten minutes in all. A vacuum
// of PostgreSQL's own gives way to who has waited for a second, which each tenth try does.
const lockTimeoutMs = 500
const lockLongerMs = 1_500
const lockPauseMs = 1_500
const lockAttempts = 300
const turnPauseMs = 200

interface MigrateOptions {
  /** Called with progress when it takes long. */
  log?: (line: string) => void
  folder?: URL
  /** The role of the store's own statements, if it differs from the one that migrates; it may read and write rows. */
  servedBy?: string
}

/**
 * Migrates a database to the schema of this build: every file of server/migrations in numeric order, each in a
 * transaction, once. It is safe to call from several nodes at once, and beside nodes that sell: a migration that would
 * have to queue for a lock, with every sale behind it, gives up and retries. A file whose first line is
 * `-- Outside a transaction` is run one statement after the other, for indexes that are built CONCURRENTLY; each of its
 * statements ends a line and can be repeated. Migrations only go forward. A database with a migration that was edited since
 * is refused, and so is one with a migration this build does not know, if that says `-- Runs beside programs that know NAME`
 * and this build does not know NAME. Returns the names of those it applied.
 */
export async function migrate(
  databaseUrl: string,
  { log = () => {}, folder = ofThisBuild, servedBy }: MigrateOptions = {},
): Promise<string[]> {
  return connected(databaseUrl, async (client) => {
    await untilAlone(client)
    const applied = await apply(client, await migrationFiles(folder), log)
    if (servedBy !== undefined) await letServe(client, servedBy)
    return applied
  })
}

/**
 * Reads which migrations of this build the database lacks, without changing it; `isEmpty` when it never had any. A
 * database that `migrate` would refuse is refused here too.
 */
export const readPendingMigrations = (databaseUrl: string): Promise<{ names: string[]; isEmpty: boolean }> =>
  connected(databaseUrl, async (client) => {
    const { rows } = await client.query("SELECT WHERE to_regclass('schema_migration') IS NOT NULL")
    const files = await migrationFiles(ofThisBuild)
    const pending = rows.length === 0 ? files : await findPending(client, files)
    return { names: pending.map(({ name }) => name), isEmpty: rows.length === 0 }
  })

async function connected<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new PrimaryClient({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 })
  // A database that ends between two statements is told by the next one; unheard, it would end the process without a sentence.
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    throw new StartupError(`The database does not answer (DATABASE_URL): ${toReason(error)}.`)
  }
  try {
    // A role or a database may end statements after seconds, and a table may take minutes.
    await client.query('SET statement_timeout = 0')
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Grants a role that owns nothing access to the rows: it can neither disable triggers nor alter a table. */
async function letServe(client: pg.Client, role: string): Promise<void> {
  const { rows } = await client.query<{ owner: string }>(
    'SELECT current_user AS owner FROM pg_roles WHERE rolname = $1 AND rolname <> current_user',
    [role],
  )
  const [migrating] = rows
  if (migrating === undefined) return
  const name = client.escapeIdentifier(role)
  const grants = `
    GRANT USAGE ON SCHEMA public TO ${name};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${name};
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${name};
    REVOKE INSERT, UPDATE, DELETE ON schema_migration FROM ${name}`
  await client.query(grants).catch((error) => {
    if (error.code !== insufficientPrivilege) throw error
    throw new StartupError(
      `The role ${migrating.owner} may not give ${role} its rights: ${error.message}. It belongs to another role: as that one or a superuser, ALTER its OWNER TO ${migrating.owner}, or move it out of the schema public.`,
    )
  })
}

/**
 * Waits until no other node migrates. It asks again and again: whoever builds an index concurrently waits for every
 * statement that is under way, and so would wait for one that waits for its lock.
 */
async function untilAlone(client: pg.Client): Promise<void> {
  const take = "SELECT pg_try_advisory_lock(hashtext('olmos migrations')) AS is_alone"
  while (!(await client.query(take)).rows[0].is_alone) await sleep(turnPauseMs)
}

type Log = (line: string) => void

async function apply(client: pg.Client, files: readonly MigrationFile[], log: Log): Promise<string[]> {
  await client.query(`CREATE TABLE IF NOT EXISTS schema_migration (
    name text PRIMARY KEY, digest text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now(), needs text)`)
  const { rowCount } = await client.query(
    "SELECT FROM pg_attribute WHERE attrelid = 'schema_migration'::regclass AND attname = 'needs'",
  )
  if (rowCount === 0) await client.query('ALTER TABLE schema_migration ADD COLUMN needs text')
  const pending = await findPending(client, files)
  for (const file of pending) await applyOne(client, file, log)
  return pending.map(({ name }) => name)
}

/**
 * Finds the files that the database lacks. Refuses a database that is too new for this build, or that has another text of
 * one. During an update a node of the release before may start again, so a newer database is not refused as such.
 */
async function findPending(client: pg.Client, files: readonly MigrationFile[]): Promise<MigrationFile[]> {
  // A database that no build of this kind has migrated yet has no such column.
  const { rows } = await client.query<{ name: string; digest: string; needs: string | null }>(
    "SELECT name, digest, to_jsonb(schema_migration) ->> 'needs' AS needs FROM schema_migration ORDER BY name",
  )
  const applied = new Map(rows.map((row) => [row.name, row.digest]))
  const isKnown = (name: string) => files.some((file) => file.name === name)

  for (const { name, needs } of rows) {
    if (isKnown(name) || needs === null || isKnown(needs)) continue
    throw new StartupError(`The database is of a newer Olmos (it has the migration ${name}); install that one.`)
  }
  return files.filter(({ name, digest }) => {
    const known = applied.get(name)
    if (known !== undefined && known !== digest)
      throw new StartupError(`The migration ${name} was edited after it was applied.`)
    return known === undefined
  })
}

async function applyOne(client: pg.Client, file: MigrationFile, log: Log): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      for (const statement of file.alone) {
        await dropCutShort(client, statement)
        await client.query(statement)
      }
      await client.query(`BEGIN; SET LOCAL lock_timeout = ${attempt % 10 === 0 ? lockLongerMs : lockTimeoutMs}`)
      if (file.alone.length === 0) await client.query(file.text)
      const values = [file.name, file.digest, file.needs]
      await client.query('INSERT INTO schema_migration (name, digest, needs) VALUES ($1, $2, $3)', values)
      await client.query('COMMIT')
      return
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {})
      if (!triedAgain.has((error as { code?: string }).code ?? '')) throw error
      if (attempt === lockAttempts)
        throw new StartupError(
          `The migration ${file.name} could not lock its tables; end what reads them for long, such as a dump, and start again.`,
        )
      log(`migration ${file.name} waits for a table that is in use (attempt ${attempt} of ${lockAttempts})`)
      await sleep(lockPauseMs)
    }
  }
}

/** An index that was cut short while it was built is there, serves nothing, and would be passed over for good. */
async function dropCutShort(client: pg.Client, statement: string): Promise<void> {
  const [, name] = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS (\w+)/m.exec(statement) ?? []
  if (name === undefined) return
  const { rowCount } = await client.query(
    'SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid',
    [name],
  )
  if (rowCount === 1) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`)
}

interface MigrationFile {
  name: string
  text: string
  digest: string
  /** The migration that an older program must know to run beside this one; null: any program may. */
  needs: string | null
  /** Its statements, if each is run by itself and not in a transaction. */
  alone: string[]
}

async function migrationFiles(folder: URL): Promise<MigrationFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8')
      const [, needs = null] = /^-- Runs beside programs that know (\S+\.sql)$/m.exec(text) ?? []
      const alone = text.startsWith('-- Outside a transaction\n') ? text.split(/;\s*$/m).filter(hasStatement) : []
      return { name, text, digest: createHash('sha256').update(text).digest('hex'), needs, alone }
    }),
  )
}

const hasStatement = (text: string): boolean => text.replace(/--.*$/gm, '').trim() !== ''
