import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { emptyDatabase } from '../../test/database.ts'
import { type S3Double, startS3 } from '../../test/doubles/s3.ts'
import { aUser } from '../../test/factories.ts'
import { startShop, type TestShop } from '../../test/shop.ts'
import { Copies, copyBackups, reportBackup, reportFolder, reportLook } from '../modules/operations/backup-copies.ts'
import { sql } from '../platform/database/queries.ts'
import { startEmbeddedPostgres } from '../platform/embedded/embedded-postgres.ts'
import { freePort } from '../platform/embedded/supervisor.ts'
import { build, type Closers } from '../platform/process.ts'
import { doctor } from './doctor.ts'

/** Runs the doctor in this process with exactly these settings. */
async function examine(environment: Record<string, string>) {
  if (!('runAlone' in doctor)) throw new Error('the doctor opens the database by itself')
  const lines: string[] = []
  const closers: Closers = []
  const print = (line: string) => void lines.push(line)
  const code = await doctor.runAlone({ print, progress: print, environment, closers }, '', {})
  for (const close of closers.toReversed()) await close()
  const marked = (mark: string) => lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(2))
  return { code, lines, fine: marked('✓'), notes: marked('!'), toMend: marked('✗') }
}

const forget = 'fsync, full_page_writes, synchronous_commit'

let shop: TestShop
let address: string
const settings = () => ({
  DATABASE_URL: shop.config.databaseUrl as string,
  SECRET_KEY: (shop.config.secretKey as Buffer).toString('hex'),
  PUBLIC_URL: address,
})
beforeAll(async () => {
  shop = await startShop({ TRUST_PROXY: 'on' })
  address = await shop.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => shop.close())

test('what is well is said, and only what the tests switched off in PostgreSQL is to be mended', async () => {
  const { code, lines, fine, toMend } = await examine(settings())
  expect(toMend.filter((line) => !line.startsWith('Callers can'))).toEqual([
    `The database may forget paid orders in a power cut: ${forget} must be on.`,
  ])
  expect(code).toBe(1)
  expect(lines.at(-1)).toBe('2 to mend.')
  expect(fine).toEqual([
    expect.stringMatching(/^Olmos .*, commit .*, on Node\.js \d/),
    'SECRET_KEY is in the environment; have a copy of it apart from the database.',
    expect.stringMatching(/^PostgreSQL \d+/),
    'autovacuum is on',
    'the role that migrates has the rights it needs',
    expect.stringMatching(/^\d+ connections, enough for \d+ nodes of 19$/),
    'this machine and the database have the same time',
    'the database has every migration of this version',
    'the secret key opens the vault',
    'payment providers: sandbox',
    'suppliers: sandbox',
    `${address} answers as this version`,
  ])
})

test('it changes nothing: an empty database stays empty', async () => {
  const empty = await emptyDatabase()
  const { notes } = await examine({ ...settings(), DATABASE_URL: empty.url })
  expect(notes).toContain('The database is empty; `olmos migrate`, or the first start, fills it.')
  const client = new pg.Client({ connectionString: empty.url })
  await client.connect()
  const { rows } = await client.query("SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname = 'public'")
  await client.end()
  await empty.drop()
  expect(rows).toEqual([{ tables: 0 }])
})

test('migrations that are missing are named', async () => {
  const { name, digest } = await shop.database.one<{ name: string; digest: string }>(
    sql`DELETE FROM schema_migration WHERE name = (SELECT max(name) FROM schema_migration) RETURNING name, digest`,
  )
  const { toMend } = await examine(settings())
  await shop.database.run(sql`INSERT INTO schema_migration (name, digest) VALUES (${name}, ${digest})`)
  expect(toMend).toContain(`1 migrations are not applied, from ${name}: run olmos migrate.`)
})

test('a table that PostgreSQL does not vacuum by itself is named with the statement that mends it', async () => {
  await shop.database.run(sql`ALTER TABLE orders SET (autovacuum_enabled = off)`)
  const { toMend, fine } = await examine(settings())
  await shop.database.run(sql`ALTER TABLE orders RESET (autovacuum_enabled)`)
  const run = 'as the owner of the database run ALTER TABLE orders RESET (autovacuum_enabled).'
  expect(toMend).toContain(`PostgreSQL does not vacuum orders by itself: ${run}`)
  expect(fine).not.toContain('autovacuum is on')
})

test('a PostgreSQL that never vacuums is to be mended', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'olmos-doctor-'))
  await chmod(dataDir, 0o711)
  const postgres = await startEmbeddedPostgres({ dataDir, settings: { autovacuum: 'off' } })
  onTestFinished(async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
  const { toMend } = await examine({ ...settings(), DATABASE_URL: postgres.url })
  expect(toMend).toContain(
    'PostgreSQL never vacuums by itself, and sales get slower each day: autovacuum and track_counts must be on.',
  )
})

test('an index that was cut short while it was built is named with the statement that mends it', async () => {
  const cut = (isValid: boolean) =>
    shop.database.run(sql`
      UPDATE pg_index SET indisvalid = ${isValid} WHERE indexrelid = 'message_failed'::regclass`)
  await shop.database.run(sql`CREATE INDEX orders_pkey_ccnew ON orders (id)`)
  await shop.database.run(sql`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'orders_pkey_ccnew'::regclass`)
  await cut(false)
  const { toMend } = await examine(settings())
  await cut(true)
  await shop.database.run(sql`DROP INDEX orders_pkey_ccnew`)
  const sentence = 'was cut short while it was built, and serves nothing: as the owner of the database run'
  expect(toMend).toContain(`The index message_failed ${sentence} REINDEX INDEX CONCURRENTLY message_failed.`)
  expect(toMend).toContain(`The index orders_pkey_ccnew ${sentence} DROP INDEX CONCURRENTLY orders_pkey_ccnew.`)
})

test('a database of a newer version is told', async () => {
  await shop.database.run(
    sql`INSERT INTO schema_migration (name, digest, needs) VALUES ('999-later.sql', 'x', '998-later.sql')`,
  )
  const { toMend } = await examine(settings())
  await shop.database.run(sql`DELETE FROM schema_migration WHERE name = '999-later.sql'`)
  expect(toMend).toContain('The database is of a newer Olmos (it has the migration 999-later.sql); install that one.')
})

test.each([
  ['a setting', { DATABASE_CONNECTIONS: '1' }, /^The setting DATABASE_CONNECTIONS is wrong: it must be/],
  ['a key that opens nothing', { SECRET_KEY: '11'.repeat(32) }, /^SECRET_KEY does not open the codes/],
  [
    'too many connections',
    { DATABASE_CONNECTIONS: '200' },
    /^A node takes 203 connections and the database allows \d+/,
  ],
  ['a database nobody answers at', { DATABASE_URL: 'postgresql://o@127.0.0.1:1/o' }, /^The database does not answer/],
  ['an unsafe database, allowed', { ALLOW_UNSAFE_DATABASE: '1' }, new RegExp(`^${forget} must be on: ALLOW_UNSAFE`)],
])('%s is to be mended', async (_what, wrong, sentence) => {
  const { code, toMend } = await examine({ ...settings(), ...wrong })
  expect(code).toBe(1)
  expect(toMend).toContainEqual(expect.stringMatching(sentence))
})

describe('a role of the database', () => {
  const role = `doctor_${randomBytes(6).toString('hex')}`
  const asRole = () => {
    const url = new URL(settings().DATABASE_URL)
    url.username = role
    url.password = 'doctor'
    return { ...settings(), DATABASE_URL: url.href }
  }
  const asOwner = async (statement: string) => {
    const client = new pg.Client({ connectionString: settings().DATABASE_URL })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  beforeAll(() =>
    asOwner(`CREATE ROLE ${role} LOGIN PASSWORD 'doctor'; GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`),
  )
  afterAll(() => asOwner(`DROP OWNED BY ${role}; DROP ROLE ${role}`))

  test('without CREATE is to be mended', async () => {
    expect((await examine(asRole())).toMend).toContainEqual(
      expect.stringMatching(/^The role that migrates needs CREATE/),
    )
  })

  test('that owns no table is to be mended', async () => {
    const name = new URL(settings().DATABASE_URL).pathname.slice(1)
    await asOwner(`GRANT CREATE ON DATABASE ${name} TO ${role}; GRANT CREATE ON SCHEMA public TO ${role}`)
    expect((await examine(asRole())).toMend).toContainEqual(expect.stringMatching(/^Tables belong to another role/))
  })

  test('with a limit counts by its limit', async () => {
    await asOwner(`ALTER ROLE ${role} CONNECTION LIMIT 12`)
    const { toMend } = await examine(asRole())
    expect(toMend).toContainEqual(expect.stringMatching(/^A node takes 19 connections and the database allows 12:/))
  })

  test('that is read-only is to be mended', async () => {
    await asOwner(`ALTER ROLE ${role} SET default_transaction_read_only = on`)
    expect((await examine(asRole())).toMend).toContainEqual(expect.stringMatching(/^The database is read-only:/))
  })
})

describe('the public address', () => {
  const real = { PAYMENT_PROVIDERS: 'none', SUPPLIERS: 'manual', NODE_ENV: 'production' }

  test('without TLS, outside production, and unanswered is to be mended', async () => {
    const { toMend } = await examine({ ...settings(), ...real, NODE_ENV: '', PUBLIC_URL: 'http://shop.invalid' })
    expect(toMend).toContainEqual('PUBLIC_URL is http://shop.invalid: put a proxy with TLS in front and make it https.')
    expect(toMend).toContainEqual(expect.stringMatching(/^NODE_ENV is not production/))
    expect(toMend).toContainEqual(expect.stringMatching(/^http:\/\/shop\.invalid does not answer \(.+\): see DNS/))
  })

  test('on this machine is noted when the store does not run', async () => {
    const { notes } = await examine({ ...settings(), PUBLIC_URL: `http://127.0.0.1:${await freePort()}` })
    expect(notes).toContainEqual(expect.stringMatching(/does not answer \(.+\): the store is not running\.$/))
  })

  test('that leads to something else is to be mended', async () => {
    const other = await aProxy((_headers, _remote) => undefined)
    const { toMend } = await examine({ ...settings(), PUBLIC_URL: other })
    expect(toMend).toContainEqual(expect.stringMatching(/answers 404 and is no Olmos/))
  })

  test('tells a proxy that replaces X-Forwarded-For from one that lets callers write it', async () => {
    const honest = await aProxy((headers) => ({ ...headers, 'x-forwarded-for': '198.51.100.9' }))
    const open = await aProxy((headers) => headers)
    expect((await examine({ ...settings(), PUBLIC_URL: honest })).fine).toContain(
      'the store takes this caller for 198.51.100.9',
    )
    expect((await examine({ ...settings(), PUBLIC_URL: open })).toMend).toContainEqual(
      expect.stringMatching(/^Callers can make their address up/),
    )
  })

  test('tells a proxy that nobody trusts', async () => {
    const distrustful = await startShop({ TRUST_PROXY: 'off' })
    const direct = await distrustful.app.listen({ port: 0, host: '127.0.0.1' })
    const proxy = await aProxy((headers) => ({ ...headers, 'x-forwarded-for': '198.51.100.9' }), direct)
    const own = {
      DATABASE_URL: distrustful.config.databaseUrl as string,
      SECRET_KEY: (distrustful.config.secretKey as Buffer).toString('hex'),
    }
    const { toMend } = await examine({ ...own, PUBLIC_URL: proxy })
    const { fine } = await examine({ ...own, PUBLIC_URL: direct })
    await distrustful.close()
    expect(toMend).toContainEqual(expect.stringMatching(/^A proxy is in front and is not believed: .* 127\.0\.0\.1;/))
    expect(fine).toContain('the store takes this caller for 127.0.0.1')
  })

  test('says nothing of callers to those who have not got the secret key', async () => {
    const path = '/.well-known/olmos-caller'
    for (const header of ['', 'x', `${Date.now()}.00`, `${Date.now()}.${'é'.repeat(32)}`]) {
      const answer = await shop.app.inject({ method: 'GET', url: path, headers: { 'x-olmos-probe': header } })
      expect(answer.statusCode).toBe(404)
    }
    const late = Date.now() - 61_000
    const signed = `${late}.${shop.vault.fingerprint(`caller probe ${late}`).toString('hex')}`
    const answer = await shop.app.inject({ method: 'GET', url: path, headers: { 'x-olmos-probe': signed } })
    expect(answer.statusCode).toBe(404)
  })

  /** Starts a proxy in front of the shop that changes headers; one whose headers are undefined answers 404 by itself. */
  async function aProxy(
    change: (headers: NodeJS.Dict<string | string[]>, remote: string) => NodeJS.Dict<string | string[]> | undefined,
    to = address,
  ): Promise<string> {
    const proxy: Server = createServer((incoming, answer) => {
      const headers = change(incoming.headers, incoming.socket.remoteAddress ?? '')
      if (headers === undefined) return void answer.writeHead(404).end('nothing')
      const sent = request(new URL(incoming.url ?? '/', to), { headers }, (far) => {
        answer.writeHead(far.statusCode ?? 502, far.headers)
        far.pipe(answer)
      })
      sent.end()
    }).listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    onTestFinished(() => {
      proxy.closeAllConnections()
      proxy.close()
    })
    return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  }
})

test('a store of its own is looked at in its folder, and what others can read there is to be mended', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'olmos-doctor-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const own = { DATA_DIR: dataDir, PUBLIC_URL: 'http://127.0.0.1:1' }
  const fresh = await examine(own)
  expect(fresh.notes).toContainEqual(expect.stringMatching(/^There is no secret key yet; the first start makes /))
  expect(fresh.toMend).toContainEqual(expect.stringMatching(/^There is no store in DATA_DIR /))
  expect(fresh.lines).toContainEqual(expect.stringMatching(/ GB free in DATA_DIR /))
  const path = join(dataDir, 'secret-key')
  await writeFile(path, 'ab'.repeat(32), { mode: 0o600 })
  expect((await examine(own)).notes).toContainEqual(expect.stringMatching(/^The secret key is .*secret-key, beside/))
  await chmod(path, 0o644)
  expect((await examine(own)).toMend).toContain(`Others can read ${path}: chmod 600 it.`)
})

test('an account that was typed and can not be used is to be mended', async () => {
  await shop.database.run(sql`
    INSERT INTO provider_account (provider, key_id, ciphertext)
    SELECT 'stripe', id, '\\x00'::bytea FROM vault_key WHERE purpose = 'encryption'`)
  await shop.database.run(sql`
    INSERT INTO supplier_account (supplier, key_id, ciphertext)
    SELECT 'seagm', id, '\\x00'::bytea FROM vault_key WHERE purpose = 'encryption'`)
  const { toMend } = await examine(settings())
  await shop.database.run(sql`DELETE FROM provider_account WHERE provider = 'stripe'`)
  await shop.database.run(sql`DELETE FROM supplier_account WHERE supplier = 'seagm'`)
  for (const name of ['stripe', 'seagm'])
    expect(toMend).toContain(`The account at ${name} is not complete; type it in the admin area again.`)
})

test.each([
  ['version', { version: '0.0.1' }, 'Olmos 0.0.1, commit unknown'],
  ['build', { version: build.version, build: '3fbacd5d1e2f' }, `Olmos ${build.version}, commit 3fbacd5d1e2f`],
])('another %s at the public address is noted', async (_what, health, name) => {
  const other = createServer((_request, answer) => void answer.end(JSON.stringify({ status: 'ok', ...health })))
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  const { notes } = await examine({ ...settings(), PUBLIC_URL: url })
  expect(notes).toContain(`${url} answers as ${name}; this is Olmos ${build.version}, commit unknown.`)
})

test('a folder without a backup is to be mended, and so is WAL that nobody keeps', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'olmos-doctor-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const { toMend } = await examine({
    ...settings(),
    BACKUP_DIR: folder,
    BACKUP_KEY: randomBytes(32).toString('hex'),
    BACKUP_WAL: 'on',
  })
  expect(toMend).toContain('There is no backup: run olmos backup.')
  expect(toMend).toContain('The WAL is not kept: see the log of the store, or of olmos keep-wal.')
})

describe('backups that are taken elsewhere', () => {
  const live = { PAYMENT_PROVIDERS: 'none', SUPPLIERS: 'manual', NODE_ENV: 'production', METRICS_TOKEN: 'm'.repeat(32) }
  const nameAt = (hoursAgo: number) =>
    `olmos-${new Date(Date.now() - hoursAgo * 3_600_000).toISOString().replaceAll(/[-:]|\.\d+/g, '')}.backup`
  const examineBackups = async (more: Record<string, string> = live) =>
    (await examine({ ...settings(), ...more })).lines.filter((line) => /backup|WAL/.test(line))
  afterEach(() => shop.database.run(sql`DELETE FROM backup_report`))

  test('there never was one: to be mended where a store is live, and noted where it is tried out', async () => {
    expect(await examineBackups()).toEqual([
      '✗ Nobody ever took a backup of this store: set BACKUP_DIR and BACKUP_KEY, or run olmos backup each night where they shall lie.',
    ])
    expect(await examineBackups({})).toEqual([
      '! Nobody ever took a backup of this store; one that sells needs them (docs/backup.md).',
    ])
  })

  test('an old one is to be mended, and one of today that was restored for a look is fine', async () => {
    await reportBackup(shop.database, nameAt(30), { keepsWal: false })
    expect(await examineBackups()).toEqual([
      '✗ The newest backup is 30 hours old: run olmos backup, and see why the one of each night is missing.',
      '! No backup was restored for a look yet: run olmos backup --verify.',
      '! BACKUP_WAL is off: what is sold after the nightly backup is not in it.',
    ])
    await reportBackup(shop.database, nameAt(2), { keepsWal: false })
    await reportLook(shop.database, undefined)
    expect((await examineBackups()).slice(0, 1)).toEqual(['✓ the newest backup is 2 hours old'])
    await reportLook(shop.database, 'a code does not open')
    expect(await examineBackups()).toContain(
      "✗ The newest backup that was looked at can't be restored (a code does not open): take another one.",
    )
  })

  test('WAL that is kept elsewhere is fine, and late WAL is to be mended', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'olmos-doctor-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await mkdir(join(folder, 'wal'))
    const keptUntil = async (secondsAgo: number) => {
      const until = new Date(Date.now() - secondsAgo * 1_000).toISOString()
      await writeFile(join(folder, 'wal/kept.json'), JSON.stringify({ system: '7301', until }))
      await reportFolder({ database: shop.database, backupDir: folder, keepsWal: true, copiesWal: false })
      return examineBackups()
    }
    expect(await keptUntil(5)).toContainEqual(expect.stringMatching(/^✓ the WAL is kept up to \d+ s ago$/))
    expect(await keptUntil(3_600)).toContain(
      '✗ The WAL is not kept since 60 minutes: see the log of the store, or of olmos keep-wal.',
    )
  })

  test('where they are taken here, room for the next one and for a look at it is measured', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'olmos-doctor-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const { lines } = await examine({ ...settings(), BACKUP_DIR: folder, BACKUP_KEY: randomBytes(32).toString('hex') })
    for (const setting of ['BACKUP_DIR', 'TMPDIR'])
      expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^[✓✗] \\d+\\.\\d GB free in ${setting} /`)))
  })
})

describe('the log of sales', () => {
  let dir: string
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'olmos-doctor-'))
  })
  afterEach(() => rm(dir, { recursive: true, force: true }))
  const examineLog = async () => {
    const log = { SALES_LOG_DIR: dir, BACKUP_KEY: randomBytes(32).toString('hex') }
    return (await examine({ ...settings(), ...log })).lines.filter((line) =>
      /log of sales|SALES_LOG_DIR|mark\.json/.test(line),
    )
  }
  const free = expect.stringMatching(/^[✓✗] \d+\.\d GB free in SALES_LOG_DIR /)
  const endsAt = (moment: Date) => writeFile(join(dir, 'mark.json'), JSON.stringify({ until: moment.toISOString() }))

  test('that is not there is to be mended, and an empty one is begun by the next start', async () => {
    expect(await examineLog()).toEqual([free, '! The log of sales is empty; the next start of the store begins it.'])
    await rm(dir, { recursive: true })
    expect(await examineLog()).toEqual([`✗ SALES_LOG_DIR ${dir} is not there, or can't be written to.`])
  })

  test('is fine while it has what was sold, and to be mended once it lacks a sale', async () => {
    await aUser(shop, { usd: 100 })
    const { last } = await shop.database.one<{ last: Date }>(sql`SELECT max(created_at) AS last FROM transfer`)
    await endsAt(new Date(last.getTime() - 59_000))
    expect(await examineLog()).toEqual([free, '✓ everything that was sold is in the log of sales'])
    const end = new Date(last.getTime() - 61_000)
    await endsAt(end)
    expect(await examineLog()).toEqual([
      free,
      `✗ What was sold since ${end.toISOString()} is not in the log of sales: see the log of the store.`,
    ])
    await writeFile(join(dir, 'mark.json'), 'no JSON')
    expect(await examineLog()).toEqual([free, `✗ The file ${join(dir, 'mark.json')} is damaged; delete it.`])
  })
})

describe('the bucket', () => {
  const key = randomBytes(32).toString('hex')
  let s3: S3Double
  let folder: string
  beforeEach(async () => {
    s3 = await startS3()
    folder = await mkdtemp(join(tmpdir(), 'olmos-doctor-'))
  })
  afterEach(async () => {
    await s3.close()
    await rm(folder, { recursive: true })
  })

  /** Returns what is said of the bucket; no line may have anything in it that opens something. */
  async function examineBucket(more: Record<string, string> = {}, { url, keyId, secret, region } = s3) {
    const bucket = { BACKUP_S3_URL: `${url}/shop`, BACKUP_S3_KEY_ID: keyId, BACKUP_S3_SECRET: secret }
    const backups = { BACKUP_DIR: folder, BACKUP_KEY: key, BACKUP_S3_REGION: region }
    const environment = { ...settings(), ...bucket, ...backups, ...more }
    const { code, lines } = await examine(environment)
    const output = lines.join('\n')
    expect(output).not.toContain(environment.BACKUP_S3_SECRET)
    // Keys, and signatures that a bucket quotes when it refuses them.
    expect(output).not.toMatch(/[\da-f]{64}/i)
    return { code, said: lines.filter((line) => /bucket|BACKUP_S3/.test(line)) }
  }
  const at = (hoursAgo: number) =>
    new Date(Date.now() - hoursAgo * 3_600_000).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const putBackup = (hoursAgo: number) =>
    s3.objects.set(`shop/olmos-${at(hoursAgo)}.backup`, { body: Buffer.from('sealed'), changedAt: new Date() })

  test('is fine once a backup of today was copied to it, and nothing is written there to find out', async () => {
    expect((await examineBucket()).said).toEqual(['✗ There is no copy in the bucket: run olmos backup.'])
    await writeFile(join(folder, `olmos-${at(0)}.backup`), 'sealed')
    await copyBackups({ copies: new Copies({ ...s3, url: `${s3.url}/shop` }), backupDir: folder })
    s3.asked.length = 0
    expect((await examineBucket()).said).toEqual(['✓ the newest copy in the bucket is 0 hours old'])
    expect(s3.asked.filter((line) => !line.startsWith('GET '))).toEqual([])
  })

  test('with an old copy is to be mended, whatever else lies there', async () => {
    for (const hoursAgo of [30, 54]) putBackup(hoursAgo)
    s3.objects.set('shop/olmos-latest.backup', { body: Buffer.from('strange'), changedAt: new Date() })
    const { code, said } = await examineBucket()
    expect([code, said]).toEqual([1, ['✗ The newest copy in the bucket is 30 hours old: run olmos backup.']])
  })

  test('that takes nothing has no copy, and the backup says why', async () => {
    s3.isReadOnly = true
    await writeFile(join(folder, `olmos-${at(0)}.backup`), 'sealed')
    const copying = copyBackups({ copies: new Copies({ ...s3, url: `${s3.url}/shop` }), backupDir: folder })
    await expect(copying).rejects.toThrow('S3 returned 403 – AccessDenied')
    expect((await examineBucket()).said).toEqual(['✗ There is no copy in the bucket: run olmos backup.'])
  })

  const unread = (why: string) => new RegExp(`^✗ The bucket at BACKUP_S3_URL can't be read \\(${why}\\)\\.$`)
  test.each<[string, () => Record<string, string> | Promise<Record<string, string>>, RegExp]>([
    [
      'a wrong secret',
      () => ({ BACKUP_S3_SECRET: 'a-secret-of-another' }),
      unread('S3 returned 403 – SignatureDoesNotMatch'),
    ],
    ['an unknown key', () => ({ BACKUP_S3_KEY_ID: 'nobody' }), unread('S3 returned 403 – InvalidAccessKeyId')],
    ['another region', () => ({ BACKUP_S3_REGION: 'x' }), unread('S3 returned 400 – AuthorizationHeaderMalformed')],
    [
      'no bucket',
      () => ({ BACKUP_S3_URL: s3.url.replace(/bucket$/, 'other') }),
      /^✗ There is no bucket at BACKUP_S3_URL\.$/,
    ],
    [
      'nobody there',
      async () => ({ BACKUP_S3_URL: `http://127.0.0.1:${await freePort()}/bucket` }),
      unread('connect ECONNREFUSED \\S+'),
    ],
    [
      'a key in its address',
      () => ({ BACKUP_S3_URL: `http://${s3.keyId}:${s3.secret}@127.0.0.1:1/bucket` }),
      /^✗ The setting BACKUP_S3_URL is wrong: its key is given in BACKUP_S3_KEY_ID and BACKUP_S3_SECRET\.$/,
    ],
  ])('with %s is to be mended', async (_what, wrong, sentence) => {
    putBackup(0)
    const { code, said } = await examineBucket(await wrong())
    expect([code, said]).toEqual([1, [expect.stringMatching(sentence)]])
  })

  test('that is silent, and one whose answer does not end, are waited for a few seconds', async () => {
    const endless = await startS3()
    onTestFinished(() => endless.close())
    s3.trouble = 'silent'
    endless.trouble = 'endless'
    const began = performance.now()
    for (const { code, said } of await Promise.all([examineBucket(), examineBucket({}, endless)]))
      expect([code, said]).toEqual([1, [expect.stringMatching(unread('The operation was aborted due to timeout'))]])
    expect(performance.now() - began).toBeLessThan(30_000)
  })

  test('of a node that takes no backups is noted', async () => {
    const bucket = { BACKUP_S3_URL: s3.url, BACKUP_S3_KEY_ID: s3.keyId, BACKUP_S3_SECRET: s3.secret }
    expect((await examine({ ...settings(), ...bucket })).notes).toContain(
      'BACKUP_S3_URL is set and BACKUP_DIR is not: nothing is copied from here.',
    )
  })
})

describe('the bucket of the pictures', () => {
  let s3: S3Double
  beforeEach(async () => {
    s3 = await startS3()
    s3.removing = 'done'
  })
  afterEach(() => s3.close())

  async function examinePictures(more: Record<string, string> = {}) {
    const bucket = { PICTURES_S3_URL: s3.url, PICTURES_S3_KEY_ID: s3.keyId, PICTURES_S3_SECRET: s3.secret }
    const environment = { ...settings(), ...bucket, PICTURES_S3_REGION: s3.region, ...more }
    const { lines } = await examine(environment)
    const output = lines.join('\n')
    expect(output).not.toContain(environment.PICTURES_S3_SECRET)
    expect(output).not.toMatch(/[\da-f]{64}/i)
    return lines.filter((line) => /pictures|PICTURES_S3/.test(line))
  }
  const hash = 'a'.repeat(32)
  const file = { body: Buffer.from('a picture'), changedAt: new Date() }
  async function keepPicture() {
    const object = `${hash}-00000000.webp`
    s3.objects.set(object, file)
    await shop.database.run(sql`INSERT INTO picture_object (name) VALUES (${object})`)
    await shop.database.run(sql`
      INSERT INTO picture (hash, use, type, width, height, object, large_bytes, small_bytes)
      VALUES (${hash}, 'product', 'webp', 9, 9, ${object}, ${file.body.length}, 1)`)
    onTestFinished(async () => {
      await shop.database.run(sql`DELETE FROM picture WHERE hash = ${hash}`)
      await shop.database.run(sql`DELETE FROM picture_object WHERE name = ${object}`)
    })
  }

  test('is fine once it takes, gives and removes an object, of which nothing stays', async () => {
    expect(await examinePictures()).toEqual([
      '✓ the bucket of the pictures can be written, read and removed from; 0 pictures lie there',
    ])
    expect(s3.asked.map((line) => line.slice(0, line.indexOf(' ')))).toEqual(['PUT', 'GET', 'DELETE'])
    expect(s3.objects.size).toBe(0)
  })

  test('that has the newest picture is fine, and one that has it not is another one', async () => {
    await keepPicture()
    expect(await examinePictures()).toEqual([expect.stringMatching(/^✓ .*; 1 pictures lie there$/)])
    s3.objects.clear()
    expect(await examinePictures()).toEqual([
      "✗ The bucket at PICTURES_S3_URL can't show the newest picture (S3 returned 404 – NoSuchKey).",
    ])
  })

  test('may not be forgotten while pictures lie there', async () => {
    expect((await examine(settings())).lines.filter((line) => line.includes('pictures'))).toEqual([])
    await keepPicture()
    expect((await examine(settings())).toMend).toContain(
      '1 pictures lie in a bucket and PICTURES_S3_URL is not set: nobody sees them.',
    )
  })

  test.each<[what: string, wrong: () => Record<string, string>, sentence: RegExp]>([
    [
      'a wrong secret',
      () => ({ PICTURES_S3_SECRET: 'a-secret-of-another' }),
      /^✗ The bucket at PICTURES_S3_URL can't be written \(S3 returned 403 – SignatureDoesNotMatch\)\.$/,
    ],
    [
      'a key that may not write',
      () => {
        s3.isReadOnly = true
        return {}
      },
      /^✗ The bucket at PICTURES_S3_URL can't be written \(S3 returned 403 – AccessDenied\)\.$/,
    ],
    [
      'a key that may not read',
      () => {
        s3.failing = { method: 'GET', times: 1 }
        return {}
      },
      /^✗ The bucket at PICTURES_S3_URL can't be read \(S3 returned 503 – SlowDown\)\.$/,
    ],
    [
      'a key that may not remove',
      () => {
        s3.removing = 'refused'
        return {}
      },
      /^✗ The bucket at PICTURES_S3_URL can't be removed from \(S3 returned 403 – AccessDenied\)\.$/,
    ],
    [
      'a bucket over the open network without TLS',
      () => ({ PICTURES_S3_URL: 'http://s3.example/bucket' }),
      /^✗ The setting PICTURES_S3_URL is wrong: it must begin with https\.$/,
    ],
    [
      'no id of a key',
      () => ({ PICTURES_S3_KEY_ID: '' }),
      /^✗ The setting PICTURES_S3_KEY_ID is missing: with PICTURES_S3_URL it must be given\.$/,
    ],
  ])('with %s is to be mended', async (_what, wrong, sentence) => {
    expect(await examinePictures(wrong())).toEqual([expect.stringMatching(sentence)])
  })
})
