import { Cron } from 'croner'
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from './database.ts'
import { raw, type Sql, sql, type Tx } from './queries.ts'

/** Timed work. It runs on one node at a time, however many there are, once for each time of its schedule. */
export interface Job {
  name: string
  /** Minute, hour, day of month, month, day of week. */
  cron: string
  /** The IANA name of the time zone the cron expression is read in, or what reads it where it may change. */
  timeZone: string | (() => Promise<string>)
  run(leave: Leave): Promise<void>
}

/**
 * Lets work go on when the run that started it has ended, so that the job's next time need not wait for it. That work needs
 * a lease of its own. An error of it is reported as one of the run, and the node waits for it at its end.
 */
export type Leave = (work: Promise<void>) => void

interface JobNode {
  database: Database
  log: FastifyBaseLogger
  /** What runs have left under way. */
  left: Set<Promise<void>>
}

interface Jobs {
  isRunning(): boolean
  /** Starts nothing more, and waits for what is under way. */
  stop(): Promise<void>
}

const leaseSeconds = 60
const renewLeaseMs = 20_000
/** A job that failed so often is left alone until its next time. */
export const jobTriesAtMost = 5

/**
 * Looks every minute which jobs are due by the clock of the database. Which node runs one is decided by a row of the table
 * `job`, so it needs neither a session nor a queue. A time that was missed while no node ran is made up for by one run.
 */
export function startJobs(database: Database, jobs: readonly Job[], log: FastifyBaseLogger): Jobs {
  for (const job of jobs) database.meters.jobInterval.set({ name: job.name }, toInterval(job))
  const node: JobNode = { database, log, left: new Set() }
  const underWay = new Map<string, Promise<void>>()
  const look = () => {
    const idle = jobs.filter(({ name }) => !underWay.has(name))
    if (idle.length === 0) return
    // By its own clock, a node that is hours ahead would take each job for a time at which no other node runs it.
    const clock = readClock(database)
    for (const job of idle) {
      const run = clock
        .then((now) => runIfDue(node, job, now))
        .catch((error) => log.error({ err: error, job: job.name }, 'job not started'))
        .finally(() => underWay.delete(job.name))
      underWay.set(job.name, run)
    }
  }
  const clock = new Cron('* * * * *', { timezone: 'UTC' }, look)
  return {
    isRunning: () => clock.isRunning(),
    async stop() {
      clock.stop()
      await Promise.all(underWay.values())
      await Promise.all(node.left)
    },
  }
}

/**
 * Runs a job that is due at this moment by the clock of the database, unless another node does or did. An error is logged,
 * and retried a few minutes later.
 */
export async function runIfDue({ database, log, left }: JobNode, job: Job, now: Date): Promise<void> {
  const due = latestTime(job.cron, typeof job.timeZone === 'string' ? job.timeZone : await job.timeZone(), now)
  if (!(await claim(database, job.name, { due, now }))) return
  const lease = setInterval(() => {
    renewLease(database, job.name, due).catch((error) => log.warn({ err: error, job: job.name }, 'lease not renewed'))
  }, renewLeaseMs)
  const report = (error: unknown) => {
    database.meters.jobFailures.inc({ name: job.name })
    log.error({ err: error, job: job.name }, 'job failed')
  }
  const leave: Leave = (work) => {
    const reported = work.catch(report).finally(() => left.delete(reported))
    left.add(reported)
  }
  try {
    await job.run(leave)
    await end(database, job.name, due)
    database.meters.jobSuccess.set({ name: job.name }, Date.now() / 1000)
    log.info({ job: job.name }, 'job done')
  } catch (error) {
    report(error)
    await postpone(database, job.name, due)
  } finally {
    clearInterval(lease)
  }
}

/** Returns the last time of the job's schedule that is not in the future. */
function latestTime(cron: string, timeZone: string, now: Date): Date {
  const [latest] = new Cron(cron, { timezone: timeZone }).previousRuns(1, new Date(now.getTime() + 1))
  if (!latest) throw new Error(`nothing is ever due by ${cron}`)
  return latest
}

/** How many seconds lie between two times of the job's schedule, which is the same in every time zone. */
function toInterval({ cron }: Job): number {
  const [first, second] = new Cron(cron, { timezone: 'UTC' }).nextRuns(2)
  return first && second ? (second.getTime() - first.getTime()) / 1000 : 0
}

const readClock = async (database: Database): Promise<Date> =>
  (await database.one<{ now: Date }>(sql`SELECT now()`)).now

/**
 * Takes the job for this node. A node that died left a lease behind, which ends by itself. A time that has not come yet is of
 * a node that went by a wrong clock of its own, and keeps nobody waiting.
 */
const claim = async (database: Database, name: string, { due, now }: { due: Date; now: Date }): Promise<boolean> =>
  (await database.run(sql`
    INSERT INTO job AS known (name, due, leased_until) VALUES (${name}, ${due}, now() + make_interval(secs => ${leaseSeconds}))
    ON CONFLICT (name) DO UPDATE SET due = EXCLUDED.due, leased_until = EXCLUDED.leased_until, is_done = false,
      tries = CASE WHEN known.due = EXCLUDED.due THEN known.tries + 1 ELSE 1 END
    WHERE known.leased_until < now() AND (known.due < EXCLUDED.due OR known.due = EXCLUDED.due AND NOT known.is_done
      OR known.due > greatest(now(), ${now}::timestamptz))`)) === 1

const renewLease = (database: Database, name: string, due: Date) =>
  database.run(sql`
    UPDATE job SET leased_until = now() + make_interval(secs => ${leaseSeconds}) WHERE name = ${name} AND due = ${due}`)

const end = (database: Database, name: string, due: Date) =>
  database.run(sql`UPDATE job SET leased_until = now(), is_done = true WHERE name = ${name} AND due = ${due}`)

/** Postpones a failed job by some minutes, or to its next time once it has failed too often. */
const postpone = (database: Database, name: string, due: Date) =>
  database.run(sql`
    UPDATE job SET leased_until = now() + make_interval(mins => tries - 1), is_done = tries >= ${jobTriesAtMost}
    WHERE name = ${name} AND due = ${due}`)

/** 2 MB of a table: at most some ten thousand rows, which are deleted within a fraction of a second. */
const blocksAtOnce = 256

/**
 * Deletes the rows of a table that `isOld` selects, one part of the table after the other, each in a transaction of its
 * own: a night's rows or those of a year, no statement takes long, locks much, or keeps vacuum from what others left. What
 * comes meanwhile is left for the next time. Returns how many rows went.
 */
export async function removeInBatches(database: Database, table: string, isOld: Sql): Promise<number> {
  const { blocks } = await database.one<{ blocks: number }>(sql`
    SELECT ceil(pg_relation_size(${table}::regclass) / current_setting('block_size')::numeric)::int AS blocks`)
  let removed = 0
  for (let block = 0; block < blocks; block += blocksAtOnce) {
    const [from, to] = [block, block + blocksAtOnce].map((number) => `(${number},0)`)
    removed += await database.run(
      sql`DELETE FROM ${raw(table)} WHERE ctid >= ${from}::tid AND ctid < ${to}::tid AND ${isOld}`,
    )
  }
  return removed
}

interface OneByOne<Row, Id> {
  /** Locks the next row that is due, other than these. */
  lockNext(tx: Tx, except: readonly Id[]): Promise<Row | undefined>
  work(tx: Tx, row: Row): Promise<unknown>
}

/**
 * Works on every row that is due, each in a transaction of its own, and returns how many there were. A row that fails keeps
 * no other waiting: it is named in the error that fails the job once all others are done, and is tried again the next time.
 */
export async function doOneByOne<Id extends string | number, Row extends { id: Id }>(
  database: Database,
  /** What an error calls the rows that failed. */
  failedRows: string,
  { lockNext, work }: OneByOne<Row, Id>,
): Promise<number> {
  const failed = new Map<Id, unknown>()
  for (let done = 0; ; done++) {
    let row: Row | undefined
    try {
      await database.transaction(async (tx) => {
        row = await lockNext(tx, [...failed.keys()])
        if (row) await work(tx, row)
      })
    } catch (error) {
      if (!row) throw error
      failed.set(row.id, error)
    }
    if (row) continue
    if (failed.size === 0) return done
    throw new AggregateError(failed.values(), `${failedRows}: ${[...failed.keys()].join(', ')}`)
  }
}
