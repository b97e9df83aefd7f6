import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EmbeddedRuns, toUrl } from '../test/embedded.ts'
import { anOffer, aUser, toCart } from '../test/factories.ts'
import { anApp } from '../test/second-factor.ts'
import { startShop, type TestShop } from '../test/shop.ts'
import { migrate } from './platform/database/migrate.ts'
import { sql } from './platform/database/queries.ts'

interface Ending {
  code: number | null
  out: string
  err: string
}

/** Runs a program of the server with exactly these settings. */
function run(program: 'cli.ts' | 'main.ts', args: string[], settings: Record<string, string>): Promise<Ending> {
  const path = fileURLToPath(new URL(program, import.meta.url))
  const child = spawn(process.execPath, [path, ...args], { env: { PATH: process.env.PATH, ...settings } })
  const ending: Ending = { code: null, out: '', err: '' }
  child.stdout.on('data', (text) => {
    ending.out += text
  })
  child.stderr.on('data', (text) => {
    ending.err += text
  })
  return new Promise((resolve) => child.on('close', (code) => resolve({ ...ending, code })))
}

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
    expect(await reconcile('--day', 'today')).toMatchObject({ code: 1, err: '--day is a date such as 2026-11-20.\n' })
    expect(await reconcile('--day', '2999-01-01')).toMatchObject({ code: 1, err: '2999-01-01 is a day to come.\n' })
    expect((await reconcile('--week')).code).toBe(2)
    expect((await run('cli.ts', ['verify', '--json'], readSettings(shop))).code).toBe(2)
  })

  test('a command that is not there shows the ones that are', async () => {
    const { code, err } = await run('cli.ts', ['repair'], readSettings(shop))
    expect(code).toBe(2)
    expect(err).toMatch(/^Usage: npm run olmos -- COMMAND\n {2}verify/)
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
