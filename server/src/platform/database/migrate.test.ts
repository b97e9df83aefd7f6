import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { cloneDatabase, emptyDatabase, type TestDatabase } from '../../../test/database.ts'
import { StartupError } from '../process.ts'
import { migrate } from './migrate.ts'

const files = readdirSync(new URL('../../../migrations/', import.meta.url)).filter((name) => name.endsWith('.sql'))

/** Runs the work on a database of its own and drops it. */
async function on(own: Promise<TestDatabase>, work: (url: string, client: pg.Client) => Promise<void>): Promise<void> {
  const { url, drop } = await own
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await work(url, client)
  } finally {
    await client.end()
    await drop()
  }
}

const appliedIn = async (client: pg.Client) =>
  (await client.query<{ name: string }>('SELECT name FROM schema_migration ORDER BY name')).rows.map(({ name }) => name)

/** Copies this build's migrations and one more into a temporary folder. */
async function migrationsAnd(name: string, text: string): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'olmos-migrations-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await cp(new URL('../../../migrations/', import.meta.url), folder, { recursive: true })
  await writeFile(join(folder, name), text)
  return pathToFileURL(`${folder}/`)
}

test('four nodes that start at once on an empty database bring it to the schema, once', () =>
  on(emptyDatabase(), async (url, client) => {
    await Promise.all(Array.from({ length: 4 }, () => migrate(url)))
    expect(await appliedIn(client)).toEqual(files)
    expect((await client.query('SELECT FROM account')).rowCount).toBe(12)
    await migrate(url)
    expect(await appliedIn(client)).toEqual(files)
  }))

test('a database of a newer build is refused if its change needs newer programs, and left as it is', () =>
  on(cloneDatabase(), async (url, client) => {
    await client.query(
      "INSERT INTO schema_migration (name, digest, needs) VALUES ('999-future.sql', 'x', '998-future.sql')",
    )
    await expect(migrate(url)).rejects.toThrow(StartupError)
    await expect(migrate(url)).rejects.toThrow(
      'The database is of a newer Olmos (it has the migration 999-future.sql); install that one.',
    )
    expect(await appliedIn(client)).toEqual([...files, '999-future.sql'])
  }))

test('the release before starts again on a database that the next one has migrated', () =>
  on(cloneDatabase(), async (url, client) => {
    const added = await migrationsAnd('999-next.sql', 'CREATE TABLE next ()')
    expect(await migrate(url, { folder: added })).toEqual(['999-next.sql'])
    expect(await migrate(url)).toEqual([])

    const last = files.at(-1)
    const taken = await migrationsAnd('999-next.sql', 'CREATE TABLE next ()')
    const header = `-- Runs beside programs that know ${last}\n`
    await writeFile(new URL('9991-taken.sql', taken), `${header}DROP TABLE next`)
    expect(await migrate(url, { folder: taken })).toEqual(['9991-taken.sql'])
    expect(await migrate(url)).toEqual([])
    expect(await appliedIn(client)).toEqual([...files, '999-next.sql', '9991-taken.sql'])

    await writeFile(new URL('9992-taken.sql', taken), '-- Runs beside programs that know 9991-taken.sql\nSELECT 1')
    await migrate(url, { folder: taken })
    await expect(migrate(url)).rejects.toThrow('it has the migration 9992-taken.sql')
  }))

test('a migration that takes away what programs may read says which of them go on beside it', async () => {
  const takes = /\b(DROP (TABLE|COLUMN|VIEW|FUNCTION)|RENAME|SET NOT NULL|ALTER COLUMN \S+ TYPE)\b/i
  // Before this one nobody but the running program was asked.
  const landed = files.filter((name) => name > '190-sales-log.sql')
  const texts = landed.map((name) => [
    name,
    readFileSync(new URL(`../../../migrations/${name}`, import.meta.url), 'utf8'),
  ])
  const silent = texts.filter(
    ([, text = '']) => takes.test(text) && !text.includes('-- Runs beside programs that know '),
  )
  expect(silent.map(([name]) => name)).toEqual([])
})

test('an index is built beside sales, once, however many nodes start and though it was cut short before', () =>
  on(cloneDatabase(), async (url, client) => {
    const folder = await migrationsAnd(
      '999-index.sql',
      `-- Outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS orders_by_total;
-- With a remark; and another.
CREATE INDEX CONCURRENTLY orders_by_total ON orders (total);
`,
    )
    await client.query('CREATE INDEX orders_by_total ON orders (total)')
    const seller = new pg.Client({ connectionString: url })
    await seller.connect()
    await seller.query('BEGIN; UPDATE orders SET total = total')

    const migrating = Promise.all(Array.from({ length: 3 }, () => migrate(url, { folder })))
    const isBuilding =
      "SELECT FROM pg_stat_activity WHERE query LIKE '%CONCURRENTLY%' AND wait_event_type = 'Lock' AND datname = current_database() AND pid <> pg_backend_pid()"
    await expect.poll(async () => (await client.query(isBuilding)).rowCount).toBe(1)
    await client.query("SET statement_timeout = '1s'")
    await client.query('UPDATE orders SET total = total')
    await seller.query('COMMIT')
    await seller.end()

    expect((await migrating).flat()).toEqual(['999-index.sql'])
    const { rows } = await client.query(
      "SELECT indisvalid FROM pg_index WHERE indexrelid = 'orders_by_total'::regclass",
    )
    expect(rows).toEqual([{ indisvalid: true }])
  }))

test.each(['message_failed', 'users_by_contact'])(
  'the index %s is built anew when its first build was cut short, and one that is whole is left',
  (name) =>
    on(cloneDatabase(), async (url, client) => {
      const file = files.find((one) =>
        readFileSync(new URL(`../../../migrations/${one}`, import.meta.url), 'utf8').includes(`EXISTS ${name} ON`),
      )
      const again = async (isValid: boolean) => {
        await client.query('DELETE FROM schema_migration WHERE name = $1', [file])
        const change = 'UPDATE pg_index SET indisvalid = $2 WHERE indexrelid = $1::text::regclass RETURNING indexrelid'
        const { rows } = await client.query(change, [name, isValid])
        expect(await migrate(url)).toEqual([file])
        const now = await client.query(
          'SELECT indexrelid FROM pg_index WHERE indexrelid = $1::text::regclass AND indisvalid',
          [name],
        )
        return { before: rows, after: now.rows }
      }
      const whole = await again(true)
      expect(whole.after).toEqual(whole.before)
      expect((await again(false)).after).toHaveLength(1)
    }),
)

test('a migration takes as long as it takes, also where the role ends statements after a moment', () =>
  on(cloneDatabase(), async (url, client) => {
    await client.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET statement_timeout = '100ms'`)
    const folder = await migrationsAnd('999-slow.sql', 'SELECT pg_sleep(0.3)')
    expect(await migrate(url, { folder })).toEqual(['999-slow.sql'])
  }))

test('a migration that was edited since is refused by name', () =>
  on(cloneDatabase(), async (url, client) => {
    await client.query("UPDATE schema_migration SET digest = 'other' WHERE name = '001-accounts.sql'")
    await expect(migrate(url)).rejects.toThrow('The migration 001-accounts.sql was edited after it was applied.')
  }))

test('a migration that fails leaves nothing of itself, and the next start goes on', () =>
  on(cloneDatabase(), async (url, client) => {
    const folder = await migrationsAnd('998-half.sql', 'CREATE TABLE half (); SELECT 1 / 0')
    await expect(migrate(url, { folder })).rejects.toThrow(/division by zero/)
    expect(await appliedIn(client)).toEqual(files)
    await writeFile(new URL('998-half.sql', folder), 'CREATE TABLE half ()')
    await migrate(url, { folder })
    expect(await appliedIn(client)).toEqual([...files, '998-half.sql'])
  }))

test("another role's table, which the role that migrates may not grant, is named with what to do", () =>
  on(emptyDatabase(), async (url, client) => {
    const [owner, server] = ['owner', 'server'].map((name) => `${name}_${randomBytes(6).toString('hex')}`)
    await client.query(`CREATE ROLE ${owner} LOGIN PASSWORD 'owns'; CREATE ROLE ${server}`)
    await client.query(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I OWNER TO ${owner}', current_database()); END $$`)
    await client.query('CREATE TABLE "Of a superuser" ()')
    const ownerUrl = new URL(url)
    ownerUrl.username = owner as string
    ownerUrl.password = 'owns'
    const migrated = () => migrate(ownerUrl.href, { servedBy: server as string })
    try {
      await expect(migrated()).rejects.toThrow(
        new StartupError(
          `The role ${owner} may not give ${server} its rights: permission denied for table Of a superuser. It belongs to another role: as that one or a superuser, ALTER its OWNER TO ${owner}, or move it out of the schema public.`,
        ),
      )
      await client.query(`ALTER TABLE "Of a superuser" OWNER TO ${owner}`)
      expect(await migrated()).toEqual([])
    } finally {
      await client.query(`REASSIGN OWNED BY ${owner} TO current_user; DROP OWNED BY ${owner}, ${server}`)
      await client.query(`DROP ROLE ${owner}, ${server}`)
    }
  }))

test('a database that does not answer is one sentence', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  const { port } = await new Promise<AddressInfo>((listening) =>
    server.on('listening', () => listening(server.address() as AddressInfo)),
  )
  await new Promise((closed) => server.close(closed))
  const failure = migrate(`postgresql://nobody:secret-word@127.0.0.1:${port}/olmos`)
  await expect(failure).rejects.toThrow(/^The database does not answer \(DATABASE_URL\): .*ECONNREFUSED.*\.$/)
  await expect(failure).rejects.not.toThrow(/secret-word/)
})

test('a migration whose table is in use waits without a lock in the queue, which would stop every sale', () =>
  on(cloneDatabase(), async (url, client) => {
    const folder = await migrationsAnd('999-next.sql', 'ALTER TABLE orders ADD COLUMN next int')
    const dump = new pg.Client({ connectionString: url })
    await dump.connect()
    await dump.query('BEGIN; LOCK TABLE orders IN ACCESS SHARE MODE')

    let migrating: Promise<string[]> | undefined
    const waits = new Promise<string>((resolve) => {
      migrating = migrate(url, { folder, log: resolve })
    })
    const queued = "SELECT FROM pg_locks WHERE relation = 'orders'::regclass AND NOT granted"
    await expect.poll(async () => (await client.query(queued)).rowCount, { interval: 5 }).toBe(1)
    // Behind it in the queue, as a sale would be, for which nobody waits longer.
    await client.query("SET statement_timeout = '1s'")
    expect((await client.query('SELECT FROM orders')).rowCount).toBe(0)
    expect(await waits).toContain('migration 999-next.sql waits for a table that is in use')
    expect((await client.query('SELECT FROM orders')).rowCount).toBe(0)

    await dump.end()
    expect(await migrating).toEqual(['999-next.sql'])
    expect((await client.query('SELECT next FROM orders')).rowCount).toBe(0)
  }))

test('a migration that PostgreSQL ended for a deadlock is tried again', () =>
  on(cloneDatabase(), async (url, client) => {
    await client.query('CREATE SEQUENCE tries')
    const deadlock =
      "DO $$ BEGIN IF nextval('tries') = 1 THEN RAISE 'met a sale' USING ERRCODE = '40P01'; END IF; END $$"
    const folder = await migrationsAnd('999-next.sql', deadlock)
    expect(await migrate(url, { folder })).toEqual(['999-next.sql'])
    expect((await client.query('SELECT last_value::int AS tries FROM tries')).rows).toEqual([{ tries: 2 }])
  }))

test('a database that ends while it waits for another node fails the migration, and nothing else', () =>
  on(cloneDatabase(), async (url, client) => {
    await client.query("SELECT pg_advisory_lock(hashtext('olmos migrations'))")
    const waiting = migrate(url).then(
      () => 'migrated',
      () => 'failed',
    )
    const endOthers = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'idle' AND query LIKE '%olmos migrations%'`
    await expect.poll(async () => (await client.query(endOthers)).rowCount).toBe(1)
    expect(await waiting).toBe('failed')
  }))
