import { Failure } from '@olmos/contract/failure'
import pg from 'pg'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { EmbeddedRuns } from '../../../test/embedded.ts'
import { aUser } from '../../../test/factories.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { Database } from './database.ts'
import { forgetOldCalls, once, type StoredAnswer } from './idempotency.ts'
import { migrate } from './migrate.ts'
import { sql, type Tx } from './queries.ts'

const shop = useShop()
const user = useUser(shop)

let count = 0
const newKey = () => `key-${++count}`
const answer = (body: string): StoredAnswer => ({ status: 201, body })

type Effect = (tx: Tx) => Promise<StoredAnswer>
const makeCall =
  (options?: { expectsNew: boolean }) =>
  (key: string, effect: Effect, request = 'POST /a {}', userId = user.id) =>
    once(shop.database, { userId, key, request }, effect, options)
const call = makeCall()

beforeAll(() => shop.database.run(sql`CREATE TABLE effect (number int GENERATED ALWAYS AS IDENTITY, name text UNIQUE)`))

/** Leaves a row and answers its number. */
const effect: Effect = async (tx) => {
  const { number } = await tx.one<{ number: number }>(sql`INSERT INTO effect DEFAULT VALUES RETURNING number`)
  return answer(`{"effect": ${number},  "text":"ж"}`)
}
const countEffects = async () => (await shop.database.rows(sql`SELECT FROM effect`)).length

describe.each([{ expectsNew: false }, { expectsNew: true }])(
  'where the key is thought to be new: $expectsNew',
  (options) => {
    const call = makeCall(options)

    test('the effect happens once, and its answer is given again, byte for byte', async () => {
      const [key, before] = [newKey(), await countEffects()]
      const first = await call(key, effect)
      expect(first.body).toMatch(/^{"effect": \d+, {2}"text":"ж"}$/)
      expect(await call(key, effect)).toEqual(first)
      expect((await countEffects()) - before).toBe(1)
    })

    test('of 30 at the same moment one happens, and all get its answer', async () => {
      const [key, before] = [newKey(), await countEffects()]
      const answers = await Promise.all(Array.from({ length: 30 }, () => call(key, effect)))
      expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
      expect((await countEffects()) - before).toBe(1)
    })

    test('a repetition that its own first statement would stop gets the first answer all the same', async () => {
      const key = newKey()
      const takeName: Effect = async (tx) => {
        await tx.run(sql`INSERT INTO effect (name) VALUES (${key})`)
        return answer('taken')
      }
      const answers = await Promise.all(Array.from({ length: 4 }, () => call(key, takeName)))
      expect(answers).toEqual(Array.from({ length: 4 }, () => answer('taken')))
      await expect(call(newKey(), takeName)).rejects.toThrow(/duplicate key/)
    })

    test('a repetition that ends before it sends anything gets the first answer, and harms nobody', async () => {
      const key = newKey()
      const first = await call(key, effect)
      const early: Effect = async () => {
        throw new Failure('CART_EMPTY')
      }
      expect(await call(key, early)).toEqual(first)
      await expect(call(newKey(), early)).rejects.toThrow('CART_EMPTY')
    })

    test('the first statements travel together with what claims the key', async () => {
      const packets = vi.spyOn(pg.Client.prototype, 'query')
      await call(newKey(), effect)
      const sent = packets.mock.calls.length
      packets.mockRestore()
      expect(sent).toBe(2)
    })

    test('another request under the key is refused', async () => {
      const key = newKey()
      await call(key, async () => answer('1'))
      await expect(call(key, async () => answer('2'), 'POST /a {"b":1}')).rejects.toMatchObject({
        code: 'IDEMPOTENCY_KEY_REUSED',
      })
    })

    test('the key of another user is another key', async () => {
      const key = newKey()
      const other = await aUser(shop)
      await call(key, async () => answer('mine'))
      expect(await call(key, async () => answer('theirs'), 'POST /b {}', other.id)).toEqual(answer('theirs'))
    })

    test('a refused effect leaves nothing, and the key may be tried again', async () => {
      const key = newKey()
      const refuse = () => Promise.reject(new Failure('CART_EMPTY'))
      await expect(call(key, refuse)).rejects.toMatchObject({ code: 'CART_EMPTY' })
      expect(await shop.database.rows(sql`SELECT FROM idempotent_call WHERE key = ${key}`)).toEqual([])
      expect(await call(key, async () => answer('later'))).toEqual(answer('later'))
    })

    test('who waits for a call that is refused in the end runs itself', async () => {
      const key = newKey()
      const { promise: secondWaits, resolve: letFirstRefuse } = Promise.withResolvers<void>()
      const { promise: firstRuns, resolve: tellFirstRuns } = Promise.withResolvers<void>()
      const first = call(key, async (tx) => {
        await tx.run(sql`SELECT`)
        tellFirstRuns()
        await secondWaits
        throw new Failure('CART_EMPTY')
      })
      await firstRuns
      const second = call(key, async () => answer('second'))
      await someoneWaits()
      letFirstRefuse()
      const [refused, done] = await Promise.allSettled([first, second])
      expect(done).toEqual({ status: 'fulfilled', value: answer('second') })
      // One that looks for an answer when it is refused may find that of the second already.
      if (options.expectsNew && refused.status === 'fulfilled') expect(refused.value).toEqual(answer('second'))
      else expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'CART_EMPTY' } })
    })

    test('a repetition takes nothing that others could miss', async () => {
      const key = newKey()
      await shop.database.run(sql`INSERT INTO effect (name) VALUES (${key})`)
      const take: Effect = async (tx) => {
        tx.atCommit(sql`SELECT FROM effect WHERE name = ${key} FOR UPDATE`)
        return answer('taken')
      }
      await call(key, take)
      await shop.database.transaction(async (tx) => {
        await tx.run(sql`SELECT FROM effect WHERE name = ${key} FOR UPDATE`)
        // It would wait for us for ever.
        expect(await call(key, take)).toEqual(answer('taken'))
      })
    })
  },
)

/** Resolves when the claim of a key waits for another transaction. */
async function someoneWaits(): Promise<void> {
  await expect
    .poll(() => shop.database.rows(sql`SELECT FROM pg_locks WHERE NOT granted AND locktype = 'advisory'`))
    .not.toEqual([])
}

test('keys are kept 30 days', async () => {
  const [old, young] = [newKey(), newKey()]
  for (const key of [old, young]) await call(key, async () => answer('1'))
  await shop.database.run(
    sql`UPDATE idempotent_call SET created_at = now() - interval '30 days 1 minute' WHERE key = ${old}`,
  )
  await shop.database.run(sql`UPDATE idempotent_call SET created_at = now() - interval '29 days' WHERE key = ${young}`)
  expect(await forgetOldCalls(shop.database, 30)).toBe(1)
  expect(await shop.database.rows(sql`SELECT FROM idempotent_call WHERE key = ${young}`)).toHaveLength(1)
})

test.each([
  ['', 'no sign'],
  ['k'.repeat(256), 'too long'],
])('a header of %s is refused: %s', async (key) => {
  const response = await shop.call('POST', '/payment/from-balance', {
    token: user.token,
    body: { currency: 'USD' },
    headers: { 'idempotency-key': key },
  })
  expect([response.status, response.body.error.details]).toEqual([400, { 'idempotency-key': 'invalid' }])
})

test('a commit that no standby has is not answered for by a repetition either', async () => {
  const runs = await EmbeddedRuns.create()
  onTestFinished(() => runs.end())
  const { url } = await runs.start()
  await migrate(url)
  const database = new Database({ url, connections: 4, onIdleError: () => {} })
  onTestFinished(() => database.close())
  const buyer = await aUser({ database })
  const keyed = { userId: buyer.id, key: newKey(), request: 'POST /a {}' }
  const sell = () =>
    once(database, keyed, async () => answer('sold')).then(
      ({ body }) => body,
      () => 'no answer',
    )
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  onTestFinished(() => admin.end())
  await admin.query("ALTER SYSTEM SET synchronous_standby_names = 'gone'")
  await admin.query('SELECT pg_reload_conf()')
  const waiting = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
  const oneWaits = () =>
    vi.waitFor(async () => expect((await admin.query(waiting)).rows).toHaveLength(1), { timeout: 30_000 })
  const endWaiting = () => admin.query(`SELECT pg_terminate_backend(pid) FROM (${waiting}) AS waiting`)
  // The setting is in force a moment after the reload, and nothing but a commit that waits tells when.
  const commitUntilOneWaits = async () => {
    for (;;) await database.run(sql`SELECT pg_logical_emit_message(true, 'test', '')`)
  }
  const ended = expect(commitUntilOneWaits()).rejects.toThrow('the database does not answer')
  await oneWaits()
  await endWaiting()
  await ended

  const first = sell()
  await oneWaits()
  // As a primary ends that is no longer one: its own disk has the commit.
  await endWaiting()
  expect(await first).toBe('no answer')
  expect((await admin.query('SELECT FROM idempotent_call')).rowCount).toBe(1)

  const second = sell()
  await oneWaits()
  await endWaiting()
  expect(await second).toBe('no answer')

  await admin.query('ALTER SYSTEM RESET synchronous_standby_names')
  await admin.query('SELECT pg_reload_conf()')
  expect(await sell()).toBe('sold')
})

interface Plan {
  'QUERY PLAN': [{ Plan: { 'Shared Dirtied Blocks': number } }]
}

// Each page that changes is read if it is not at hand, and written whole to the log when it is the first time since a checkpoint.
test('however many have called before, what is called now changes few pages, whoever calls', async () => {
  const users = 300
  /** So many calls of each of the users, under keys as the page makes them. */
  const calls = (day: string, each: number) => sql`
    INSERT INTO idempotent_call (user_id, key, request_hash, status, answer)
    SELECT 900000 + n % ${users}::int, ${Date.parse(day).toString(16).padStart(12, '0')} || md5(n::text), '', 200, ''
    FROM generate_series(1, ${users * each}::int) AS n ORDER BY 2`
  await shop.database.run(calls('2026-11-01', 60))
  await shop.database.run(sql`CHECKPOINT`)

  const { 'QUERY PLAN': plans } = await shop.database.one<Plan>(
    sql`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${calls('2026-11-02', 1)}`,
  )
  expect(plans[0].Plan['Shared Dirtied Blocks']).toBeLessThan(30)
})
