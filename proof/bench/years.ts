import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { SERVER_LIMITS } from '../../server/src/limits.ts'
import { archiveCalls } from '../../server/src/modules/operations/archive.ts'
import { checkClosedDays, closeDays, type OpenSpan, passWatermark } from '../../server/src/modules/proof/closed-days.ts'
import { checkInvariants, lookLately, proveLedger, toSums } from '../../server/src/modules/proof/ledger-proof.ts'
import type { Database } from '../../server/src/platform/database/database.ts'
import { removeInBatches } from '../../server/src/platform/database/jobs.ts'
import { migrate } from '../../server/src/platform/database/migrate.ts'
import { type Sql, sql } from '../../server/src/platform/database/queries.ts'
import { Vault } from '../../server/src/platform/security/vault.ts'
import { type DatabaseServer, startDatabaseServer } from '../database-server.ts'
import { beginPast } from '../past.ts'
import { progressBar } from '../progress-bar.ts'
import { count, judge, type Line } from '../verdict.ts'
import { median, printCells } from './table.ts'

const ordersADay = 10_000
const dayMs = 86_400_000
/** How often the hourly proof and the clean-up are measured. */
const everyDays = 30

/** What may not be exceeded, whatever the factor. */
const goals = {
  hourlyMs: 10_000,
  /** The hourly proof of the last third beside that of the first, where anything is to be measured. */
  hourlyGrowth: 2,
  hourlyNoiseMs: 500,
  closeMs: 10_000,
  cleanUpMs: 30_000,
  wholeMsPerMillion: 90_000,
  bytesAnOrder: 3_000,
  archiveMs: 120_000,
}

/**
 * Lets a store grow for years: fills day after day, closes each day's books, and every thirty days proves what changed
 * lately and removes what is needed no longer, as its jobs do. Prints what every table takes, and what each job took.
 * Resolves to whether all of it stays within the goals and every invariant holds.
 */
export async function measureYears({ days, factor }: { days: number; factor: number }): Promise<boolean> {
  const perDay = Math.max(1, Math.round(ordersADay / factor))
  console.log(`${days} days of ${count(perDay)} orders: ${count(ordersADay)} a day divided by ${factor} ...`)
  const postgres = await startDatabaseServer()
  try {
    await migrate(postgres.url)
    const lines = await growFor(postgres, { days, perDay })
    const { table, isBroken } = judge(lines)
    console.log(table)
    return !isBroken
  } finally {
    await postgres.stop()
  }
}

async function growFor(
  { database, folder, runLong }: DatabaseServer,
  { days, perDay }: { days: number; perDay: number },
) {
  const secretKey = randomBytes(32)
  const midnight = Math.floor(Date.now() / dayMs) * dayMs
  const since = new Date(midnight - days * dayMs)
  // What tables take while they are empty is no order's.
  const empty = await readWhole(database)
  const past = await beginPast(database, { secretKey, buyers: Math.max(50, 10 * perDay), since })
  const vault = await Vault.open(database, secretKey)
  const [hourly, closing, cleaning]: number[][] = [[], [], []]
  const bar = progressBar('days')
  for (let day = 0; day < days; day++) {
    const [begins, ends] = [day, day + 1].map((number) => new Date(since.getTime() + number * dayMs)) as [Date, Date]
    await past.sell(perDay, begins)
    const isMeasured = day > 0 && (day % everyDays === 0 || day === days - 1)
    if (isMeasured) {
      await runLong('ANALYZE')
      hourly?.push(await timed(() => proveDay(database, vault)))
      cleaning?.push(await timed(() => cleanUp(database, ends)))
      // In a store autovacuum has a month for what is done here within seconds.
      await runLong('VACUUM idempotent_call, session, rate_limit, supplier_event')
    }
    const mark = await passWatermark(database)
    if (mark) closing?.push(await timed(() => closeDays({ database, vault }, { ...mark, today: isoDay(ends) })))
    bar.show(day / days, day)
  }
  bar.end()
  past.end()
  const month = new Date(midnight - 19 * 30.5 * dayMs).toISOString().slice(0, 7)
  let archived = 0
  const archiveMs = await timed(async () => {
    archived = (await archiveCalls(database, { month, into: join(folder, 'archive'), key: secretKey })).calls
  })
  await runLong('VACUUM (ANALYZE)')
  let broken: string[] = []
  const wholeMs = await timed(async () => {
    broken = await findBroken(database, vault)
  })
  const orders = days * perDay
  await printSizes(database, orders)
  const bytes = (await readWhole(database)) - empty
  const growth = compareThirds(hourly ?? [])
  const most = (text: string, ms: number, goal: number): Line => ({
    text,
    value: `${seconds(ms)} (goal ${seconds(goal)})`,
    broken: ms > goal ? ['it takes too long'] : [],
  })
  return [
    { text: 'orders, days', value: `${count(orders)}, ${count(days)}` },
    most('hourly proof of a full day, slowest', Math.max(...(hourly ?? [])), goals.hourlyMs),
    {
      text: 'hourly proof, first third and last',
      value: `${seconds(growth.first)}, ${seconds(growth.last)}`,
      broken: growth.last > goals.hourlyGrowth * growth.first + goals.hourlyNoiseMs ? ['it grows with the store'] : [],
    },
    most('closing a day, slowest', Math.max(...(closing ?? [])), goals.closeMs),
    most(`clean-up after ${everyDays} days, slowest`, Math.max(...(cleaning ?? [])), goals.cleanUpMs),
    most('archiving calls to suppliers', archiveMs, goals.archiveMs),
    { text: 'calls archived', value: count(archived) },
    most('proof of everything', wholeMs, Math.max(10_000, (goals.wholeMsPerMillion * orders) / 1_000_000)),
    {
      text: 'bytes an order, all tables and indexes',
      value: `${count(Math.round(bytes / orders))} (goal ${count(goals.bytesAnOrder)}); ${(((bytes / orders) * ordersADay * 365) / 1e9).toFixed(1)} GB a year at ${count(ordersADay)} a day`,
      broken: bytes / orders > goals.bytesAnOrder ? ['something grew'] : [],
    },
    { text: 'invariants broken', value: count(broken.length), broken },
  ]
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`
const isoDay = (date: Date) => date.toISOString().slice(0, 10)

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** What the hourly job does at the end of a day: whose books are still open. */
const proveDay = (database: Database, vault: Vault) =>
  database.snapshot(async (queries) => {
    const span = await queries.one<OpenSpan>(sql`
      SELECT (day + 1)::timestamp AT TIME ZONE 'UTC' AS since, last_transfer AS "lastTransfer", marks
      FROM closed_day ORDER BY day DESC LIMIT 1`)
    const lately = await lookLately(queries, span)
    const results = await checkInvariants(queries, lately)
    const sums = Object.values(toSums((await proveLedger(queries, lately)).accounts))
    const { offenders } = await checkClosedDays(queries, vault, 'lately')
    const broken = results.filter((result) => result.offenders > 0)
    if (broken.length > 0 || offenders > 0 || sums.some((sum) => sum !== 0))
      throw new Error(`The hourly proof finds faults: ${JSON.stringify(broken)}`)
  })

/** What the nightly job does, as if it were that moment. */
async function cleanUp(database: Database, now: Date): Promise<void> {
  const before = (days: number): Sql => sql`${now}::timestamptz - make_interval(days => ${days}::int)`
  await removeInBatches(database, 'idempotent_call', sql`created_at < ${before(SERVER_LIMITS.idempotencyKeyDays)}`)
  await removeInBatches(database, 'session', sql`expires_at < ${now}`)
  await removeInBatches(database, 'rate_limit', sql`expire < extract(epoch FROM ${now}::timestamptz) * 1000`)
  await removeInBatches(database, 'supplier_event', sql`created_at < ${before(SERVER_LIMITS.supplierEventDays)}`)
}

const findBroken = (database: Database, vault: Vault): Promise<string[]> =>
  database.snapshot(async (queries) => {
    const results = [...(await checkInvariants(queries)), await checkClosedDays(queries, vault)]
    const sums = Object.entries(toSums((await proveLedger(queries)).accounts)).filter(([, sum]) => sum !== 0)
    return [
      ...results
        .filter(({ offenders }) => offenders > 0)
        .map(({ number, name, sample }) => `${number} ${name}: ${sample.join(', ')}`),
      ...sums.map(([currency, sum]) => `the accounts in ${currency} sum to ${sum}`),
    ]
  })

function compareThirds(times: readonly number[]): { first: number; last: number } {
  const third = Math.max(1, Math.floor(times.length / 3))
  return { first: median(times.slice(0, third)), last: median(times.slice(-third)) }
}

/** Reads what all tables take together with their indexes, in bytes. */
const readWhole = async (database: Database): Promise<number> =>
  (
    await database.one<{ bytes: number }>(sql`
      SELECT sum(pg_total_relation_size(oid))::bigint AS bytes FROM pg_class
      WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`)
  ).bytes

/** Prints the largest tables. */
async function printSizes(database: Database, orders: number): Promise<void> {
  const tables = await database.rows<{ name: string; rows: number; bytes: number }>(sql`
    SELECT relname AS name, reltuples::bigint AS rows, pg_total_relation_size(oid) AS bytes FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY pg_total_relation_size(oid) DESC`)
  const whole = tables.reduce((sum, { bytes }) => sum + bytes, 0)
  const rows = tables
    .filter(({ bytes }) => bytes > whole / 100)
    .map(({ name, rows, bytes }) => [
      name,
      count(rows),
      (bytes / 1e6).toFixed(1),
      rows > 0 ? count(Math.round(bytes / rows)) : '',
      count(Math.round(bytes / orders)),
    ])
  printCells([['table', 'rows', 'MB with indexes', 'bytes a row', 'bytes an order'], ...rows])
}
