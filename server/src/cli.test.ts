import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { cloneDatabase, emptyDatabase } from '../test/database.ts'
import { EmbeddedRuns, toUrl } from '../test/embedded.ts'
import { anOffer, aUser, toCart } from '../test/factories.ts'
import { openLink } from '../test/link.ts'
import { anApp } from '../test/second-factor.ts'
import { startShop, type TestShop } from '../test/shop.ts'
import { migrate } from './platform/database/migrate.ts'
import { sql } from './platform/database/queries.ts'
import { freePort } from './platform/embedded/supervisor.ts'
import { build } from './platform/process.ts'

interface Ending {
  code: number | null
  out: string
  err: string
}

/** Starts a program of the server with exactly these settings. */
function start(program: 'cli.ts' | 'main.ts', args: string[], settings: Record<string, string>) {
  const path = fileURLToPath(new URL(program, import.meta.url))
  const child = spawn(process.execPath, [path, ...args], { env: { PATH: process.env.PATH, ...settings } })
  const ending: Ending = { code: null, out: '', err: '' }
  child.stdout.on('data', (text) => {
    ending.out += text
  })
  child.stderr.on('data', (text) => {
    ending.err += text
  })
  const end = new Promise<Ending>((resolve) => child.on('close', (code) => resolve({ ...ending, code })))
  const prints = async (text: RegExp) => {
    while (!text.test(ending.out)) {
      const ended = await Promise.race([once(child.stdout, 'data').then(() => undefined), end])
      if (ended) throw new Error(`it ended instead: ${ended.out}${ended.err}`)
    }
  }
  return { child, ending, end, prints }
}

const run = (...call: Parameters<typeof start>) => start(...call).end

const otherKey = '11'.repeat(32)
const readSettings = (shop: TestShop) => ({
  // The database of the tests skips what only a power cut needs.
  ALLOW_UNSAFE_DATABASE: '1',
  DATABASE_URL: shop.config.databaseUrl as string,
  SECRET_KEY: (shop.config.secretKey as Buffer).toString('hex'),
})

describe('beside a store with DATABASE_URL', () => {
  let shop: TestShop
  beforeAll(async () => {
    shop = await startShop()
    const offer = await anOffer(shop, { stock: 30 })
    const buyer = await aUser(shop, { usd: 1_000 })
    await shop.call('POST', '/cart/add', { token: buyer.token, body: toCart(offer) })
    await shop.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency: 'USD' } })
  })
  afterAll(() => shop.close())

  test('rotate-key seals all codes with a new key', async () => {
    const { code, out, err } = await run('cli.ts', ['rotate-key'], readSettings(shop))
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^Made key \d+; 30 codes to seal\.\n30 codes sealed; the keys before are deleted\.\n$/)
    const keys = await shop.database.rows(sql`SELECT id FROM vault_key WHERE purpose = 'encryption'`)
    expect(keys).toHaveLength(1)
  })

  test.each(['cli.ts', 'main.ts'] as const)(
    '%s with another SECRET_KEY is refused in one sentence',
    async (program) => {
      const settings = { ...readSettings(shop), SECRET_KEY: otherKey, PORT: '1' }
      const { code, err } = await run(program, program === 'cli.ts' ? ['rotate-key'] : [], settings)
      expect(code).toBe(1)
      expect(err).toBe('SECRET_KEY does not open the codes in this database; start with the key they were made with.\n')
    },
  )

  test('change-secret-key puts the keys under another key, says what it lacks, and may be run again', async () => {
    const settings = readSettings(shop)
    const there = { ...settings, SECRET_KEY: otherKey, OLD_SECRET_KEY: settings.SECRET_KEY }
    const back = { ...settings, OLD_SECRET_KEY: otherKey }
    expect((await run('cli.ts', ['change-secret-key'], settings)).err).toMatch(/^Give both: OLD_SECRET_KEY, .*\n$/)
    expect(await run('cli.ts', ['change-secret-key'], there)).toMatchObject({
      code: 0,
      out: '2 keys are under the new SECRET_KEY.\n',
    })
    expect(await run('cli.ts', ['change-secret-key'], there)).toMatchObject({
      code: 0,
      out: 'All keys were under the new SECRET_KEY already.\n',
    })
    expect((await run('cli.ts', ['rotate-key'], settings)).err).toMatch(/^SECRET_KEY does not open/)
    expect(await run('cli.ts', ['change-secret-key'], back)).toMatchObject({
      code: 0,
      out: '2 keys are under the new SECRET_KEY.\n',
    })
  })

  test('verify shows every invariant and the ledger, and tells by its exit code', async () => {
    const sound = await run('cli.ts', ['verify'], readSettings(shop))
    expect([sound.code, sound.err]).toEqual([0, ''])
    expect(sound.out).toMatch(/^✓ {2}1 {2}Every transfer has two ends/)
    expect(sound.out).toMatch(/^wallet +9\.00 +0\.00$/m)
    expect(sound.out).toMatch(/^(\d+) of \1 invariants hold/m)

    await shop.database.run(sql`UPDATE account SET balance = balance + 1 WHERE balance > 0`)
    const broken = await run('cli.ts', ['verify'], readSettings(shop))
    expect(broken.code).toBe(1)
    expect(broken.out).toMatch(/^✗ {2}3 {2}The balance of a wallet .*: broken by 1, like account \d+$/m)
    expect(broken.out).toMatch(/^sum +0\.01 +0\.00$/m)
  })

  test('reset-second-factor takes a lost one away, ends the sessions and is written down', async () => {
    const owner = await aUser(shop, { role: 'admin' })
    await anApp(shop, owner.id)
    const profile = async () => (await shop.call('GET', '/profile', { token: owner.token })).status
    expect(await profile()).toBe(200)
    const reset = (nickname: string) => run('cli.ts', ['reset-second-factor', nickname], readSettings(shop))
    const done = await reset(owner.nickname.toUpperCase())
    expect([done.code, done.err]).toEqual([0, ''])
    expect(await profile()).toBe(401)
    const subject = `user:${owner.id}`
    expect(await shop.database.rows(sql`SELECT action, actor_id FROM audit_entry WHERE subject = ${subject}`)).toEqual([
      { action: 'second_factor.reset', actor_id: null },
    ])
    expect(await reset(owner.nickname)).toMatchObject({ code: 1, out: `${owner.nickname} has no second factor.\n` })
    expect(await reset('nobody')).toMatchObject({ code: 1, out: 'There is no nobody.\n' })
  })

  test('reconcile-sales waits for the migrations of this version', async () => {
    const { name, digest } = await shop.database.one<{ name: string; digest: string }>(
      sql`DELETE FROM schema_migration WHERE name = (SELECT max(name) FROM schema_migration) RETURNING name, digest`,
    )
    const settings = { ...readSettings(shop), SALES_LOG_DIR: tmpdir(), BACKUP_KEY: '11'.repeat(32) }
    const refused = await run('cli.ts', ['reconcile-sales'], settings)
    await shop.database.run(sql`INSERT INTO schema_migration (name, digest) VALUES (${name}, ${digest})`)
    const err = 'The database lacks 1 migrations: run olmos migrate first, which sells nothing.\n'
    expect(refused).toMatchObject({ code: 1, err })
  })

  test('reconcile-payments compares a day in a table or as JSON, and tells by its exit code', async () => {
    const reconcile = (...args: string[]) => run('cli.ts', ['reconcile-payments', ...args], readSettings(shop))
    const empty = await reconcile('--day', '2026-02-01')
    expect(empty).toEqual({ code: 0, err: '', out: '2026-02-01  sandbox: equal\n' })
    await shop.database.run(sql`
      INSERT INTO sandbox_payment (key, order_id, amount, currency, description, return_url, status, paid_at, expires_at)
      VALUES (gen_random_uuid(), 'NOBODYS000', 1234, 'USD', '', '', 'succeeded', '2026-02-01T12:00:00Z', now())`)
    const differs = await reconcile('--day', '2026-02-01')
    expect([differs.code, differs.err]).toEqual([1, ''])
    expect(differs.out).toMatch(/^2026-02-01 {2}sandbox: DIFFERENT\n {2}USD +there +12\.34 \(1\) +here +0\.00 \(0\)$/m)
    expect(differs.out).toMatch(/^ {2}only_there +order - +there +12\.34 USD {2}here +- {2}[\w-]+$/m)
    const { code, out } = await reconcile('--day', '2026-02-01', '--json')
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject([
      { day: '2026-02-01', provider: 'sandbox', state: 'different', differences: [{ there: { amount: 12.34 } }] },
    ])
    expect(JSON.parse((await reconcile('--json')).out)).toMatchObject([{ state: 'equal', origin: 'command' }])
    expect(await reconcile('--day', 'today')).toMatchObject({ code: 2, err: '--day is a date such as 2026-11-20.\n' })
    expect(await reconcile('--day', '2999-01-01')).toMatchObject({ code: 2, err: '2999-01-01 is a day to come.\n' })
    expect((await reconcile('--week')).code).toBe(2)
    expect((await run('cli.ts', ['verify', '--json'], readSettings(shop))).code).toBe(2)
  })

  test('a command that is not there shows the ones that are', async () => {
    const { code, err } = await run('cli.ts', ['repair'], readSettings(shop))
    expect(code).toBe(2)
    expect(err).toMatch(/^Usage: npm run olmos -- COMMAND\n {2}serve/)
  })

  test.each([[['help', 'doctor']], [['doctor', '--help']], [['doctor', '-h']]])('%j explains one', async (args) => {
    const { code, out } = await run('cli.ts', args, {})
    expect(code).toBe(0)
    expect(out).toMatch(/^Usage: npm run olmos -- doctor\nIt looks at everything .*\nEach line begins with ✓/)
  })

  test('help lists them all, and what is called wrongly is explained with exit code 2', async () => {
    const all = await run('cli.ts', ['help'], {})
    expect(all.code).toBe(0)
    expect(all.out.match(/^ {2}[a-z-]+/gm)).toContain('  reset-password')
    const wrong = await run('cli.ts', ['reset-password'], {})
    expect(wrong.code).toBe(2)
    expect(wrong.err).toMatch(/^Usage: npm run olmos -- reset-password NICKNAME\n/)
    expect((await run('cli.ts', ['toString', '--help'], {})).code).toBe(2)
  })

  test('version needs no setting that is right', async () => {
    const { code, out } = await run('cli.ts', ['version'], { PORT: 'none' })
    expect(code).toBe(0)
    expect(out).toBe(`Olmos ${build.version}, commit unknown, Node.js ${process.versions.node}\n`)
  })

  test('doctor tells by its exit code and its last line', async () => {
    const { code, out } = await run('cli.ts', ['doctor'], { ...readSettings(shop), PUBLIC_URL: 'http://127.0.0.1:1' })
    expect(code).toBe(1)
    expect(out).toMatch(/^✗ .* must be on: ALLOW_UNSAFE_DATABASE is for tests.*$/m)
    expect(out).toMatch(/\n1 to mend\.\n$/)
  })

  test('reset-password prints a password that has to be replaced, ends the sessions and is written down', async () => {
    const owner = await aUser(shop, { role: 'admin' })
    const reset = (nickname: string) => run('cli.ts', ['reset-password', nickname], readSettings(shop))
    const { code, out, err } = await reset(owner.nickname.toUpperCase())
    expect([code, err]).toEqual([0, ''])
    const password = /^.* logs in with ([a-z2-7]{16}) \(shown this once\), and has to choose another at once\.\n$/.exec(
      out,
    )?.[1]
    expect((await shop.call('GET', '/profile', { token: owner.token })).status).toBe(401)
    const login = await shop.call('POST', '/auth/login', { body: { nickname: owner.nickname, password } })
    expect([login.status, login.body.mustChangePassword]).toEqual([200, true])
    const subject = `user:${owner.id}`
    const audit = sql`SELECT action, actor_id FROM audit_entry WHERE subject = ${subject} AND action = 'user.password'`
    expect(await shop.database.rows(audit)).toEqual([{ action: 'user.password', actor_id: null }])
    expect(await reset('nobody')).toMatchObject({ code: 1, out: 'There is no nobody.\n' })
  })

  test('reset-password says what else keeps somebody out', async () => {
    const owner = await aUser(shop, { role: 'admin' })
    await anApp(shop, owner.id)
    await shop.database.run(sql`UPDATE users SET blocked_at = now() WHERE id = ${owner.id}`)
    const { out } = await run('cli.ts', ['reset-password', owner.nickname], readSettings(shop))
    expect(out).toMatch(/^The second factor is still asked for; .*\n.* is blocked, which an admin can undo\.\n$/m)
  })
})

test('migrate fills an empty database, says what it applied, and nothing the second time', async () => {
  const empty = await emptyDatabase()
  const settings = { DATABASE_URL: empty.url, SECRET_KEY: otherKey, ALLOW_UNSAFE_DATABASE: '1' }
  const first = await run('cli.ts', ['migrate'], settings)
  const second = await run('cli.ts', ['migrate'], settings)
  const refused = await run('cli.ts', ['migrate'], { ...settings, ALLOW_UNSAFE_DATABASE: '0' })
  await empty.drop()
  const names = first.out.split('\n').filter((line) => line.endsWith('.sql'))
  expect(first.code).toBe(0)
  expect(names).toEqual(names.toSorted())
  expect(first.out).toContain(`${names.length} migrations applied.\n`)
  expect(second.code).toBe(0)
  expect(second.out).toMatch(/^The database is up to date\.\n$/m)
  expect(second.out).not.toContain('.sql')
  expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/^The database may forget paid orders/) })
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('a command that %s cuts short ends with %i, as nothing that is done', async (signal, code) => {
  const own = await cloneDatabase()
  const link = await openLink(own.url)
  await link.cut()
  const waiting = start('cli.ts', ['migrate'], { DATABASE_URL: link.url, SECRET_KEY: otherKey })
  await waiting.prints(/Trying again/)
  waiting.child.kill(signal)
  expect(await waiting.end).toMatchObject({ code, err: '' })
  await own.drop()
})

describe('serve', () => {
  test('waits for a database that is not there yet, serves, and ends with 0', { timeout: 120_000 }, async () => {
    const own = await cloneDatabase()
    const link = await openLink(own.url)
    await link.cut()
    const port = await freePort()
    const served = start('cli.ts', ['serve'], {
      ALLOW_UNSAFE_DATABASE: '1',
      DATABASE_URL: link.url,
      SECRET_KEY: otherKey,
      PORT: String(port),
    })
    await served.prints(/The database does not answer \(DATABASE_URL\): .*ECONNREFUSED.* Trying again in 0\.5 s\./)
    await link.mend()
    await served.prints(new RegExp(`^Olmos is open at http://localhost:${port}$`, 'm'))
    expect(served.ending.out).toMatch(new RegExp(`"version":"${build.version}","commit":null,.*"Olmos starts"`))
    const health = await fetch(`http://127.0.0.1:${port}/api/health`)
    expect(await health.json()).toEqual({ status: 'ok', version: build.version, build: null })
    served.child.kill('SIGTERM')
    expect(await served.end).toMatchObject({ code: 0, err: '' })
    await link.cut()
    await own.drop()
  })

  test('does not wait where waiting would mend nothing', async () => {
    const wrong = new URL(inject('adminUrl'))
    wrong.pathname = '/no_such_database'
    const { code, err } = await run('cli.ts', ['serve'], { DATABASE_URL: wrong.href, SECRET_KEY: otherKey })
    expect([code, err]).toEqual([
      1,
      'The database does not answer (DATABASE_URL): database "no_such_database" does not exist.\n',
    ])
  })
})

describe('beside a store with its own PostgreSQL', () => {
  let runs: EmbeddedRuns
  beforeAll(async () => {
    runs = await EmbeddedRuns.create()
  })
  afterAll(() => runs.end())

  test('verify asks the PostgreSQL that runs, and starts it where none does', { timeout: 60_000 }, async () => {
    const store = runs.startServer()
    await migrate(await toUrl(store))
    const pid = await runs.postmasterPid()
    const beside = await run('cli.ts', ['verify'], { DATA_DIR: runs.dataDir })
    expect([beside.code, beside.err]).toEqual([0, ''])
    expect(await runs.postmasterPid()).toBe(pid)

    store.stdin?.write('stop')
    await once(store, 'exit')
    const alone = await run('cli.ts', ['verify'], { DATA_DIR: runs.dataDir })
    expect([alone.code, alone.err]).toEqual([0, ''])
    await expect(runs.postmasterPid()).rejects.toThrow('ENOENT')
  })

  test('a DATA_DIR without a store stays without one', async () => {
    const { code, err } = await run('cli.ts', ['verify'], { DATA_DIR: runs.folder })
    expect(code).toBe(1)
    expect(err).toMatch(/^There is no store in DATA_DIR .*\n$/)
  })
})
