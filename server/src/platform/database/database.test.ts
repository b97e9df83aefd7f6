import { createHash } from 'node:crypto'
import { Failure } from '@olmos/contract/failure'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../test/database.ts'
import { openLink } from '../../../test/link.ts'
import { Database } from './database.ts'
import { isOn } from './lists.ts'
import { containing, raw, sql, type Tx } from './queries.ts'

let own: TestDatabase
let database: Database
beforeAll(async () => {
  own = await cloneDatabase()
  database = new Database({ url: own.url, connections: 8, onIdleError: () => {} })
  await database.run(sql`CREATE TABLE box (id int PRIMARY KEY, amount bigint NOT NULL DEFAULT 0 CHECK (amount >= 0))`)
  await database.run(sql`INSERT INTO box (id) VALUES (1), (2)`)
  await database.run(sql`
    CREATE FUNCTION raise_error(code text) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'as asked' USING ERRCODE = code; END $$`)
})
afterAll(async () => {
  await database.close()
  await own.drop()
})

const toAmount = async (id: number) =>
  (await database.one<{ amount: number }>(sql`SELECT amount FROM box WHERE id = ${id}`)).amount
const put = (tx: Tx, id: number, amount: number) =>
  tx.run(sql`UPDATE box SET amount = amount + ${amount} WHERE id = ${id}`)
/** Fails with this SQLSTATE. */
const raise = (tx: Tx, code: string) => tx.run(sql`SELECT raise_error(${code})`)
const overloaded = { name: 'Failure', code: 'OVERLOADED', status: 503 }

describe('a statement', () => {
  test('gives bigint as a number, timestamps as dates, and a missing row as undefined', async () => {
    const row = await database.one(sql`SELECT 9007199254740991::bigint AS big, 'epoch'::timestamptz AS begun`)
    expect(row).toEqual({ big: Number.MAX_SAFE_INTEGER, begun: new Date(0) })
    expect(await database.maybe(sql`SELECT FROM box WHERE id = 0`)).toBeUndefined()
    await expect(database.one(sql`SELECT FROM box WHERE id = 0`)).rejects.toThrow('no row')
    expect(await database.run(sql`UPDATE box SET amount = 0`)).toBe(2)
  })

  test.each(['50%', 'a_b', 'back\\slash', "quote'", '%', '', '🦊'])('LIKE finds %j as it stands', async (needle) => {
    const found = (text: string) =>
      database.one<{ found: boolean }>(sql`SELECT ${text} LIKE ${containing(needle)} AS found`)
    expect(await found(`before ${needle} after`)).toEqual({ found: true })
    expect(await found('nothing of it')).toEqual({ found: needle === '' })
  })

  test('that takes too long is 503 OVERLOADED', async () => {
    const slow = database.transaction(async (tx) => {
      await tx.run(sql`SET LOCAL statement_timeout = 50`)
      await tx.run(sql`SELECT pg_sleep(5)`)
    })
    await expect(slow).rejects.toMatchObject(overloaded)
  })

  test('may take 8 seconds at most', async () => {
    const { limit } = await database.one<{ limit: string }>(sql`SELECT current_setting('statement_timeout') AS limit`)
    expect(limit).toBe('8s')
  })
})

describe('what a transaction takes for granted', () => {
  test('is committed with it, and looked at in a second run where something was missing', async () => {
    const runs: boolean[] = []
    const move = (amount: number) =>
      database.transaction(async (tx) => {
        runs.push(tx.isOptimistic)
        if (!tx.isOptimistic) return (await put(tx, 2, 1)) === 1
        tx.atCommit(sql`UPDATE box SET amount = amount + ${amount} WHERE id = 1`)
        tx.atCommit(
          sql`SELECT CASE WHEN amount >= 0 AND ${amount} < 100 THEN 1 ELSE refuse_sale('room') END FROM box WHERE id = 1`,
        )
        return undefined
      })
    expect(await move(50)).toBeUndefined()
    expect([await toAmount(1), runs]).toEqual([50, [true]])
    expect(await move(100)).toBe(true)
    expect([await toAmount(1), await toAmount(2), runs]).toEqual([50, 1, [true, true, false]])
  })

  test('is refused by the name it has, without a second run', async () => {
    const runs = vi.fn(async (tx: Tx) => {
      tx.whenLacking(({ what, place, had }) =>
        what === 'codes' ? new Failure('FORBIDDEN', undefined, `${place} ${had}`) : undefined,
      )
      tx.atCommit(sql`UPDATE box SET amount = amount + 1 WHERE id = 1`)
      tx.atCommit(sql`SELECT refuse_sale('codes', 2, 7)`)
      // After it, to fail because of it.
      tx.atCommit(sql`UPDATE box SET amount = amount + 1 WHERE id = 2`)
    })
    const before = [await toAmount(1), await toAmount(2)]
    await expect(database.transaction(runs)).rejects.toMatchObject({ code: 'FORBIDDEN', message: '2 7' })
    expect(runs).toHaveBeenCalledOnce()
    expect([await toAmount(1), await toAmount(2)]).toEqual(before)
  })

  test('is not committed without a statement that could not be sent', async () => {
    const before = await toAmount(1)
    const unsendable = {
      toPostgres() {
        throw new Error('no such value')
      },
    }
    const work = database.transaction(async (tx) => {
      tx.atCommit(sql`UPDATE box SET amount = amount + 1 WHERE id = 1`)
      tx.atCommit(sql`SELECT ${unsendable}::text`)
    })
    await expect(work).rejects.toThrow('no such value')
    expect(await toAmount(1)).toBe(before)
  })

  test('takes no try from a run that looks at its answers', async () => {
    const runs: boolean[] = []
    const work = database.transaction(async (tx) => {
      runs.push(tx.isOptimistic)
      if (tx.isOptimistic) await tx.run(sql`SELECT refuse_sale('codes')`)
      if (runs.length < 4) await raise(tx, '40P01')
      return 'sold'
    })
    expect(await work).toBe('sold')
    expect(runs).toEqual([true, false, false, false])
  })

  test('is not looked at a third time', async () => {
    const run = vi.fn((tx: Tx) => tx.run(sql`SELECT refuse_sale('codes')`))
    const error = await database.transaction(run).catch((error: unknown) => error)
    expect(error).toMatchObject({ message: 'a sale lacks codes', lack: { what: 'codes', place: null, had: null } })
    // What has a code marks a span as failed, and nothing has.
    expect(error).not.toHaveProperty('code')
    expect(run).toHaveBeenCalledTimes(2)
  })

  test('is taken for granted in each try of two transactions that blocked each other', async () => {
    const runs: boolean[] = []
    const work = database.transaction(async (tx) => {
      runs.push(tx.isOptimistic)
      if (runs.length < 3) await raise(tx, '40P01')
      return runs.length
    })
    expect(await work).toBe(3)
    expect(runs).toEqual([true, true, true])
  })
})

describe('a database that falls silent', () => {
  test('is 503 within ten seconds, for the probe within three, and serves again when it comes back', {
    timeout: 60_000,
  }, async () => {
    const link = await openLink(own.url)
    const far = new Database({ url: link.url, connections: 2, onIdleError: () => {} })
    await far.prove()
    await far.run(sql`SELECT 1`)
    const began = performance.now()
    const seconds = () => (performance.now() - began) / 1_000
    link.freeze()
    const calls = Promise.allSettled([
      far.run(sql`SELECT 1`),
      far.transaction((tx) => put(tx, 1, 1)),
      // There is no connection left for these, or a new one has to be opened.
      far.run(sql`SELECT 2`),
      far.run(sql`SELECT 3`),
    ])
    await expect(far.prove()).rejects.toMatchObject(overloaded)
    expect(seconds()).toBeLessThan(3)
    for (const call of await calls) expect(call).toMatchObject({ status: 'rejected', reason: overloaded })
    expect(seconds()).toBeLessThan(10)

    link.thaw()
    await expect
      .poll(
        () =>
          far.prove().then(
            () => 'ready',
            () => 'silent',
          ),
        { timeout: 10_000 },
      )
      .toBe('ready')
    await far.transaction((tx) => put(tx, 1, 1))
    await far.close()
    await link.cut()
  })
})

describe('the probe', () => {
  let probed: Database
  let nowMs: number
  beforeEach(async () => {
    nowMs = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now: nowMs })
    probed = new Database({ url: own.url, connections: 1, onIdleError: () => {} })
    onTestFinished(async () => {
      vi.useRealTimers()
      await probed.close()
    })
    await probed.prove()
  })
  const pass = (ms: number) => {
    nowMs += ms
    vi.setSystemTime(nowMs)
  }
  /** Lets time pass, and asks until the write that was begun has come to something. */
  const proveAfter = async (ms: number, state: 'ok' | 'waiting' | 'refused') => {
    pass(ms)
    const ask = () =>
      probed.prove().catch((error) => {
        expect(error).toMatchObject(overloaded)
        return 'refused'
      })
    await expect.poll(ask, { timeout: 30_000 }).toBe(state)
  }
  /** Whether no try is under way. */
  const isWritten = async () =>
    (
      await database.one<{ count: number }>(sql`
        SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE query LIKE '%UPDATE write_try%' AND state <> 'idle' AND pid <> pg_backend_pid()`)
    ).count === 0
  const version = async () =>
    (await database.one<{ version: string }>(sql`SELECT xmin::text AS version FROM write_try`)).version
  /** Has every try to write do this first. */
  const beforeTries = async (body: string) => {
    const client = new pg.Client({ connectionString: own.url })
    await client.connect()
    onTestFinished(async () => {
      await client.query('DROP FUNCTION before_try CASCADE')
      await client.end()
    })
    await client.query(`CREATE FUNCTION before_try() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body}; RETURN NEW; END $$;
      CREATE TRIGGER before_try BEFORE UPDATE ON write_try FOR EACH ROW EXECUTE FUNCTION before_try()`)
    return () => client.query('ALTER TABLE write_try DISABLE TRIGGER before_try')
  }

  test('asks the database a few times for all who ask at once', async () => {
    await expect.poll(isWritten, { timeout: 30_000 }).toBe(true)
    const sent = vi.spyOn(pg.Client.prototype, 'query')
    onTestFinished(() => sent.mockRestore())
    await Promise.all(Array.from({ length: 500 }, () => probed.prove()))
    expect(sent.mock.calls.length).toBeLessThan(4)
  })

  test('writes once in five seconds, however often it is asked', async () => {
    await expect.poll(isWritten, { timeout: 30_000 }).toBe(true)
    const first = await version()
    await Promise.all(Array.from({ length: 20 }, () => probed.prove()))
    pass(4_999)
    await probed.prove()
    expect(await version()).toBe(first)
    await proveAfter(1, 'ok')
    await expect.poll(version, { timeout: 30_000 }).not.toBe(first)
  })

  test.each(['25006', '53100'])('is 503 while a write is refused with %s, and well a second after', async (code) => {
    const mend = await beforeTries(`RAISE EXCEPTION 'as asked' USING ERRCODE = '${code}'`)
    await proveAfter(5_000, 'refused')
    await mend()
    await proveAfter(1_000, 'ok')
  })

  test('is 503 when there is no room for what a row that replaces another one does without', async () => {
    const client = new pg.Client({ connectionString: own.url })
    await client.connect()
    onTestFinished(() => client.end())
    const name = client.escapeIdentifier(new URL(own.url).pathname.slice(1))
    const full = new Database({ url: own.url, connections: 1, onIdleError: () => {} })
    onTestFinished(async () => {
      await client.query(`ALTER DATABASE ${name} RESET temp_file_limit`)
      await full.close()
    })
    await client.query(`ALTER DATABASE ${name} SET temp_file_limit = '32kB'`)
    await expect(full.prove()).rejects.toMatchObject(overloaded)
  })

  test('waits for no write that hangs, says so, and is well once it has ended', { timeout: 60_000 }, async () => {
    const mend = await beforeTries('PERFORM pg_sleep(600)')
    pass(5_000)
    const began = performance.now()
    expect(await probed.prove()).toBe('ok')
    expect(performance.now() - began).toBeLessThan(1_900)
    await proveAfter(0, 'waiting')
    // Nobody begins another one that would hang.
    const hanging = () =>
      database.one<{ count: number }>(sql`
        SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE query LIKE '%UPDATE write_try%' AND state = 'active' AND pid <> pg_backend_pid()`)
    await proveAfter(1_000, 'waiting')
    await proveAfter(5_000, 'waiting')
    expect(await hanging()).toEqual({ count: 1 })
    await database.run(sql`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE query LIKE '%UPDATE write_try%' AND state = 'active' AND pid <> pg_backend_pid()`)
    await mend()
    await proveAfter(5_000, 'ok')
  })

  test("says that writes wait when another node's has been under way for ten seconds", async () => {
    const other = new pg.Client({ connectionString: own.url })
    await other.connect()
    onTestFinished(() => other.end())
    await other.query('BEGIN; SELECT FROM write_try FOR UPDATE')
    await proveAfter(5_000, 'ok')
    await proveAfter(5_000, 'ok')
    await proveAfter(5_000, 'waiting')
    await other.query('COMMIT')
    await proveAfter(5_000, 'ok')
  })
})

test('a statement is prepared under a name made of its text, so that no other can ever run in its place', async () => {
  const prepared = await database.transaction(async (tx) => {
    await tx.run(sql`SELECT ${1}::int AS one`)
    await tx.run(sql`SELECT ${1}::int AS other`)
    return tx.rows<{ name: string; statement: string }>(sql`SELECT name, statement FROM pg_prepared_statements`)
  })
  expect(prepared.length).toBeGreaterThanOrEqual(2)
  for (const { name, statement } of prepared)
    expect(name).toBe(createHash('sha256').update(statement).digest('base64url').slice(0, 16))
})

test('a search and days are planned for each value', async () => {
  const within = (days: { from?: string; to?: string }) => isOn(sql`day`, { ...days, timeZone: 'Asia/Tashkent' })
  const day = '2026-11-01'
  const asked = {
    neither: sql`true`,
    from: within({ from: day }),
    to: within({ to: day }),
    both: within({ from: day, to: day }),
    search: sql`day::text LIKE ${containing('2026')}`,
  }
  const kept = await database.transaction(async (tx) => {
    for (const [name, condition] of Object.entries(asked))
      await tx.rows(sql`SELECT ${raw(`'${name}'`)} FROM unnest(${[day]}::timestamptz[]) AS day WHERE ${condition}`)
    return tx.rows<{ statement: string }>(sql`
      SELECT statement FROM pg_prepared_statements WHERE statement LIKE ${containing('unnest')}`)
  })
  expect(kept.map(({ statement }) => /'(.*?)'/.exec(statement)?.[1])).toEqual(['neither'])
})

test('behind a pooler nothing is kept in a session, and every transaction brings its time-outs along', async () => {
  const pooled = new Database({ url: own.url, connections: 1, isPooled: true, onIdleError: () => {} })
  const settings = sql`SELECT current_setting('statement_timeout') AS statement,
    current_setting('idle_in_transaction_session_timeout') AS idle`
  expect(await pooled.one(settings)).toEqual({ statement: '0', idle: '0' })
  expect(await pooled.transaction((tx) => tx.one(settings))).toEqual({ statement: '8s', idle: '16s' })
  expect(await pooled.rows(sql`SELECT name FROM pg_prepared_statements`)).toEqual([])
  await pooled.close()
})

describe('a transaction', () => {
  test.each([
    ['53100', 'the disk of the database is full'],
    ['57014', 'the database does not answer'],
  ])('that fails with %s is told to operators as: %s', async (code, message) => {
    await expect(database.transaction((tx) => raise(tx, code))).rejects.toMatchObject({ ...overloaded, message })
  })

  test.each(['53100', '57014', '55P03', '40P01'])(
    'is 503 when a statement of several fails with %s, whichever of them is heard of first',
    async (code) => {
      const deep = async (tx: Tx) => (await Promise.all([raise(tx, code)]))[0]
      const work = database.transaction((tx) => Promise.all([deep(tx), put(tx, 1, 1), put(tx, 2, 1)]))
      await expect(work).rejects.toMatchObject(overloaded)
    },
  )

  test('is all or nothing', async () => {
    const before = await toAmount(1)
    const work = database.transaction(async (tx) => {
      await put(tx, 1, 5)
      throw new Failure('CART_EMPTY')
    })
    await expect(work).rejects.toMatchObject({ code: 'CART_EMPTY' })
    expect(await toAmount(1)).toBe(before)
    await database.transaction((tx) => put(tx, 1, 5))
    expect(await toAmount(1)).toBe(before + 5)
  })

  test('whose error was swallowed is not taken for done', async () => {
    const before = await toAmount(1)
    const work = database.transaction(async (tx) => {
      await put(tx, 1, 5)
      await tx.run(sql`SELECT 1 / 0`).catch(() => {})
    })
    await expect(work).rejects.toThrow('rolled back by the database')
    expect(await toAmount(1)).toBe(before)
  })

  test('is run again after a deadlock, and nothing is counted twice', async () => {
    const before = [await toAmount(1), await toAmount(2)]
    const bothLock = Promise.withResolvers<void>()
    let locked = 0
    let runs = 0
    const move = (first: number, second: number) =>
      database.transaction(async (tx) => {
        runs++
        await put(tx, first, 1)
        if (++locked === 2) bothLock.resolve()
        await bothLock.promise
        await put(tx, second, 1)
      })
    await Promise.all([move(1, 2), move(2, 1)])
    expect(runs).toBe(3)
    expect([await toAmount(1), await toAmount(2)]).toEqual(before.map((amount) => amount + 2))
  })

  test.each(['40001', '40P01'])('that meets %s is tried three times, then 503 OVERLOADED', async (code) => {
    let runs = 0
    const work = database.transaction(async (tx) => {
      runs++
      await raise(tx, code)
    })
    await expect(work).rejects.toMatchObject(overloaded)
    expect(runs).toBe(3)
  })

  test('sends the steps of a pipeline in the order they are written, and names their results', async () => {
    const mark = (tx: Tx) => tx.one<{ at: number }>(sql`SELECT nextval('pipeline_order')::int AS at`)
    await database.run(sql`CREATE SEQUENCE pipeline_order`)
    const order = await database.transaction((tx) =>
      tx.pipeline({
        first: mark,
        second: (tx) => tx.pipeline({ a: mark, b: mark }),
        third: async (tx) => (await mark(tx)).at,
        nothing: () => undefined,
      }),
    )
    expect(order).toEqual({ first: { at: 1 }, second: { a: { at: 2 }, b: { at: 3 } }, third: 4, nothing: undefined })
  })

  test('refuses a step of a pipeline that waits before it sends anything: its order would be left to chance', async () => {
    const before = await toAmount(1)
    const late = async (tx: Tx) => {
      await Promise.resolve()
      await put(tx, 1, 1)
    }
    const work = database.transaction((tx) => tx.pipeline({ early: (tx) => put(tx, 1, 5), late }))
    await expect(work).rejects.toThrow('the step late waits before it sends its first statement')
    expect(await toAmount(1)).toBe(before)
  })

  test('is undone when any step of a pipeline fails, with that failure', async () => {
    const before = [await toAmount(1), await toAmount(2)]
    const work = database.transaction((tx) =>
      tx.pipeline({
        put: (tx) => put(tx, 1, 5),
        thrown: () => {
          throw new Error('before anything was sent')
        },
      }),
    )
    await expect(work).rejects.toThrow('before anything was sent')
    const broken = database.transaction((tx) =>
      tx.pipeline({ put: (tx) => put(tx, 1, 5), broken: (tx) => raise(tx, '22012'), after: (tx) => put(tx, 2, 5) }),
    )
    await expect(broken).rejects.toMatchObject({ code: '22012' })
    expect([await toAmount(1), await toAmount(2)]).toEqual(before)
  })

  test('that meets anything else is tried once', async () => {
    let runs = 0
    const work = database.transaction(async (tx) => {
      runs++
      await raise(tx, '23514')
    })
    await expect(work).rejects.toMatchObject({ code: '23514' })
    expect(runs).toBe(1)
  })

  test('gives its connection back, whatever happened in it', async () => {
    for (let round = 0; round < 30; round++) {
      await database.transaction((tx) => tx.run(sql`SELECT 1 / 0`)).catch(() => {})
    }
    expect([database.pool.idleCount, database.pool.waitingCount]).toEqual([database.pool.totalCount, 0])
    await database.transaction((tx) => put(tx, 1, 1))
  })

  test('whose connection is killed is 503, and the next one works', async () => {
    const before = await toAmount(1)
    const work = database.transaction(async (tx) => {
      await put(tx, 1, 5)
      await tx.run(sql`SELECT pg_terminate_backend(pg_backend_pid())`)
      await put(tx, 1, 5)
    })
    await expect(work).rejects.toMatchObject(overloaded)
    expect(await toAmount(1)).toBe(before)
  })

  test('sees in a snapshot one moment, and may not write there', async () => {
    const seen = await database.snapshot(async (queries) => {
      const first = await queries.one<{ amount: number }>(sql`SELECT amount FROM box WHERE id = 1`)
      await database.transaction((tx) => put(tx, 1, 7))
      const second = await queries.one<{ amount: number }>(sql`SELECT amount FROM box WHERE id = 1`)
      return [first.amount, second.amount]
    })
    expect(seen[1]).toBe(seen[0])
    const write = database.snapshot((queries) => queries.run(sql`UPDATE box SET amount = 1`))
    await expect(write).rejects.toMatchObject({ code: '25006' })
  })
})
