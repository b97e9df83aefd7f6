import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../test/database.ts'
import { Database } from './database.ts'
import { type Job, type Leave, removeInBatches, runIfDue, startJobs } from './jobs.ts'
import { sql } from './queries.ts'

const log = pino({ enabled: false })
const noon = new Date('2026-11-22T12:00:00.040Z')
const after = (minutes: number) => new Date(noon.getTime() + minutes * 60_000)

let own: TestDatabase
let database: Database
beforeAll(async () => {
  own = await cloneDatabase()
  database = new Database({ url: own.url, connections: 10, onIdleError: () => {} })
})
afterAll(async () => {
  await database.close()
  await own.drop()
})
beforeEach(() => database.run(sql`DELETE FROM job`))

const jobThat = (run: Job['run'], cron = '*/10 * * * *'): Job => ({ name: 'test', cron, timeZone: 'UTC', run })
const left = new Set<Promise<void>>()
const runAt = (job: Job, now: Date) => runIfDue({ database, log, left }, job, now)
/** As if all leases had been taken so long ago. */
const letPass = (minutes: number) =>
  database.run(
    sql`UPDATE job SET leased_until = leased_until - make_interval(mins => ${minutes}) - interval '1 second'`,
  )

test('of twenty nodes that look at once, one runs the job, and nobody runs it again for the same time', async () => {
  const run = vi.fn(() => sleep(20).then(() => {}))
  await Promise.all(Array.from({ length: 20 }, () => runAt(jobThat(run), noon)))
  await letPass(1)
  await runAt(jobThat(run), after(9))
  expect(run).toHaveBeenCalledTimes(1)
  await runAt(jobThat(run), after(10))
  expect(run).toHaveBeenCalledTimes(2)
})

test('a job that is still running is not started by another node, though its next time has come', async () => {
  let finish = () => {}
  const first = runAt(
    jobThat(() => new Promise((resolve) => (finish = resolve))),
    noon,
  )
  const second = vi.fn(async () => {})
  await vi.waitFor(async () => expect(await database.rows(sql`SELECT FROM job`)).toHaveLength(1))
  await runAt(jobThat(second), after(10))
  expect(second).not.toHaveBeenCalled()
  finish()
  await first
})

test('what a node that died left behind is run by the next one, once the lease is over', async () => {
  await database.run(
    sql`INSERT INTO job (name, due, leased_until) VALUES ('test', '2026-11-22T12:00Z', now() + interval '1 minute')`,
  )
  const run = vi.fn(async () => {})
  await runAt(jobThat(run), after(1))
  expect(run).not.toHaveBeenCalled()
  await letPass(1)
  await runAt(jobThat(run), after(2))
  expect(run).toHaveBeenCalledTimes(1)
})

test('a job that fails is retried, a minute later each time, and five times in all', async () => {
  const run = vi.fn(() => Promise.reject(new Error('the bank is closed')))
  await runAt(jobThat(run, '0 0 * * *'), noon)
  for (let failed = 1; failed < 8; failed++) {
    await letPass(failed - 1)
    await runAt(jobThat(run, '0 0 * * *'), noon)
    expect(run).toHaveBeenCalledTimes(Math.min(5, failed + 1))
  }
  await runAt(jobThat(run, '0 0 * * *'), after(24 * 60))
  expect(run).toHaveBeenCalledTimes(6)
})

test('a node whose clock is hours ahead takes no job for a time that has not come by the clock of the database', async () => {
  const hours = 5 * 3_600_000
  const aheadMs = Math.ceil((Date.now() + hours) / 60_000) * 60_000 - 500
  vi.useFakeTimers({ now: aheadMs, toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  try {
    const run = vi.fn(async () => {})
    const jobs = startJobs(database, [jobThat(run, '* * * * *')], log)
    await vi.advanceTimersByTimeAsync(1_000)
    await jobs.stop()
    expect(run).toHaveBeenCalled()
  } finally {
    vi.useRealTimers()
  }
  expect(await database.rows(sql`SELECT FROM job WHERE due > now()`)).toEqual([])
})

test('a job that such a node of an older version took runs again before that time', async () => {
  await database.run(sql`
    INSERT INTO job (name, due, leased_until, is_done, tries)
    VALUES ('test', now() + interval '5 hours', now() - interval '1 second', true, 5)`)
  const run = vi.fn(async () => {})
  await runAt(jobThat(run), new Date())
  await letPass(1)
  await runAt(jobThat(run), new Date())
  expect(run).toHaveBeenCalledTimes(1)
  expect(await database.rows(sql`SELECT tries FROM job WHERE due <= now()`)).toEqual([{ tries: 1 }])
})

test('the clock of each job is that of its time zone', async () => {
  const run = vi.fn(async () => {})
  const daily = { ...jobThat(run, '30 3 * * *'), timeZone: 'Asia/Tashkent' }
  await runAt(daily, new Date('2026-11-22T22:29:59Z'))
  await runAt(daily, new Date('2026-11-22T22:30:00Z'))
  expect(run).toHaveBeenCalledTimes(2)
})

test('a time zone that may change is read each time', async () => {
  const run = vi.fn(async () => {})
  let zone = 'Asia/Tashkent'
  const daily = { ...jobThat(run, '30 3 * * *'), timeZone: async () => zone }
  await runAt(daily, new Date('2026-11-22T22:30:00Z'))
  zone = 'UTC'
  await runAt(daily, new Date('2026-11-23T03:29:59Z'))
  expect(run).toHaveBeenCalledTimes(1)
  await runAt(daily, new Date('2026-11-23T03:30:00Z'))
  expect(run).toHaveBeenCalledTimes(2)
})

test('stop waits for what is under way, and starts nothing more', async () => {
  vi.useFakeTimers({ now: new Date('2026-11-22T11:59:59.500Z'), toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  try {
    let isDone = false
    const jobs = startJobs(
      database,
      [
        jobThat(async () => {
          isDone = true
        }, '* * * * *'),
      ],
      log,
    )
    expect(jobs.isRunning()).toBe(true)
    await vi.advanceTimersByTimeAsync(1_000)
    await jobs.stop()
    expect([isDone, jobs.isRunning()]).toEqual([true, false])
  } finally {
    vi.useRealTimers()
  }
})

test('what a run leaves under way keeps the job from no later time, and its error is one of the job', async () => {
  const work = Promise.withResolvers<void>()
  const run = vi.fn(async (leave: Leave) => leave(work.promise))
  const failures = async () =>
    (await database.meters.jobFailures.get()).values.find(({ labels }) => labels.name === 'left')
  const job = { ...jobThat(run), name: 'left' }
  await runAt(job, noon)
  await runAt(job, after(10))
  expect([run.mock.calls.length, left.size, await failures()]).toEqual([2, 2, undefined])
  work.reject(new Error('the bank is closed'))
  await Promise.all(left)
  expect([left.size, (await failures())?.value]).toEqual([0, 2])
})

test('stop waits for what runs have left under way', async () => {
  vi.useFakeTimers({ now: new Date('2026-11-22T11:59:59.500Z'), toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  try {
    const [begun, work] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const run: Job['run'] = async (leave) => {
      leave(work.promise)
      begun.resolve()
    }
    const jobs = startJobs(database, [jobThat(run, '* * * * *')], log)
    await vi.advanceTimersByTimeAsync(1_000)
    await begun.promise
    let isStopped = false
    const stopping = jobs.stop().then(() => (isStopped = true))
    await vi.waitFor(async () => expect(await database.rows(sql`SELECT FROM job WHERE is_done`)).toHaveLength(1))
    for (let look = 0; look < 20; look++) await database.rows(sql`SELECT FROM job`)
    expect(isStopped).toBe(false)
    work.resolve()
    await stopping
  } finally {
    vi.useRealTimers()
  }
})

test('a backlog of many nights goes part by part, each in a transaction of its own, and what is not old stays', async () => {
  const { pool } = database
  await pool.query('CREATE TABLE removed (transaction xid8 NOT NULL, count int NOT NULL)')
  await pool.query(`
    CREATE FUNCTION note_removed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO removed SELECT pg_current_xact_id(), count(*) FROM gone;
      RETURN NULL;
    END $$;
    CREATE TRIGGER note_removed AFTER DELETE ON rate_limit REFERENCING OLD TABLE AS gone
      FOR EACH STATEMENT EXECUTE FUNCTION note_removed()`)
  await pool.query(`
    INSERT INTO rate_limit (key, points, expire)
    SELECT 'backlog ' || n, 1, CASE WHEN n % 1000 = 0 THEN 4102444800000 ELSE 1 END FROM generate_series(1, 200000) AS n`)

  expect(await removeInBatches(database, 'rate_limit', sql`expire < extract(epoch FROM now()) * 1000`)).toBe(199_800)
  const { rows } = await pool.query('SELECT transaction, count FROM removed WHERE count > 0')
  expect(rows.length).toBeGreaterThan(2)
  expect(new Set(rows.map(({ transaction }) => transaction)).size).toBe(rows.length)
  expect(Math.max(...rows.map(({ count }) => count))).toBeLessThan(60_000)
  const left = await database.one<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM rate_limit WHERE key LIKE 'backlog %'`)
  expect(left.count).toBe(200)
  expect(await removeInBatches(database, 'rate_limit', sql`expire < extract(epoch FROM now()) * 1000`)).toBe(0)
})
