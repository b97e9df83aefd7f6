import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../../server/src/platform/database/queries.ts'
import type { Closers } from '../../server/src/platform/process.ts'
import type { DatabaseServer } from '../database-server.ts'
import type { Pooler } from '../pooler.ts'
import { type Chance, rollChance } from '../random.ts'
import type { ServerProcess } from '../server-process.ts'
import type { Progress } from './crowd.ts'
import type { Options } from './options.ts'
import { readSums } from './sum-readers.ts'
import type { Kills, Ordeal } from './verdict.ts'
import { shuffled } from './ways.ts'

interface Run {
  options: Options
  closers: Closers
  servers: readonly ServerProcess[]
  postgres: DatabaseServer
  pooler?: Pooler | undefined
  progress: Progress
  /** How many carts or calls the work is of. */
  all: number
  /** Sets to work, and resolves when all is done. */
  work(): Promise<unknown>
  /** Called after each kill, once what was killed is back. */
  afterKill(): Promise<void>
  /** Told how far the run is, from 0 to 1. */
  watch(howFar: number, done: number): void
}

interface Mayhem extends Pick<Run, 'servers' | 'postgres' | 'progress' | 'afterKill'> {
  chance: Chance
  wantedKills: Kills
  /** How much of the run is over, from 0 to 1: the kills are spread over it. */
  howFar(): number
  /**
   * Lets the crowd go on up to that share of the run, so that it can't be through before the kills are, and for that many
   * carts at least.
   */
  allow(share: number, carts?: number): void
}

const reportEveryMs = 250

/** After this share of the run nothing is killed any more: there must be work left to be caught in. */
const lastKill = 0.8
/** So many carts, about, are bought between the moment that a kill is due and the kill. */
const cartsBetween = 10
/** Longer than a call is insisted on, and shorter than the tests wait for a run, which could not say what it hangs on. */
const standstillMs = 150_000

/**
 * Kills servers and PostgreSQL under work until it is done, while the ledger is read. A ledger run lasts for its time, the
 * others for their work.
 */
export async function runUnderKills(
  run: Run,
): Promise<Pick<Ordeal, 'kills' | 'wantedKills' | 'sums' | 'servers' | 'seconds'>> {
  const { options, servers, postgres, progress, all } = run
  const isTimed = options.mode === 'ledger'
  const began = Date.now()
  const toSeconds = () => (Date.now() - began) / 1_000
  const howFar = () => Math.max(progress.cartsDone / all, isTimed ? toSeconds() / options.seconds : 0)
  const allow = (share: number, carts = 0) => {
    if (!isTimed) progress.limit = Math.max(Math.ceil(share * all), progress.cartsDone + carts)
  }
  const reporting = setInterval(() => run.watch(howFar(), progress.cartsDone), reportEveryMs)
  run.closers.push(() => clearInterval(reporting))
  const wantedKills = { server: options.kills, postgres: Math.ceil(options.kills / 4) }
  const [kills, sums] = await Promise.all([
    wreakHavoc({ ...run, chance: rollChance(options.seed + 1), wantedKills, howFar, allow }).catch(
      async (error: Error) => {
        throw new Error(`${error.message}\n${await describe(run)}`, { cause: error })
      },
    ),
    readSums(postgres.database, progress, isTimed ? 4 : 1),
    run.work(),
  ])
  clearInterval(reporting)
  return { kills, wantedKills, sums, servers, seconds: toSeconds() }
}

/** Says what everybody was at, for the error of a run that is stuck. */
async function describe({ servers, pooler, postgres }: Run): Promise<string> {
  const sessions = await postgres.database
    .rows<Record<string, string>>(sql`
      SELECT state, wait_event_type, wait_event, now() - xact_start AS since, left(query, 200) AS query
      FROM pg_stat_activity WHERE backend_type = 'client backend' AND state <> 'idle'`)
    .then(
      (rows) => rows.map((row) => JSON.stringify(row)),
      (error: Error) => [`PostgreSQL does not answer: ${error.message}`],
    )
  const logs = servers.map(({ port, lastWords }) => `The server on port ${port}: ${lastWords()}`)
  return [...sessions, ...logs, ...(pooler ? [`The pooler: ${pooler.lastWords()}`] : [])].join('\n')
}

/** Kills servers and PostgreSQL in the midst of the work, spread over the run in an order that chance makes. */
async function wreakHavoc(mayhem: Mayhem): Promise<Kills> {
  const { servers, postgres, progress, chance, wantedKills } = mayhem
  const kills: Kills = { server: 0, postgres: 0 }
  const victims = pickVictims(wantedKills, chance)
  const moments = victims.map((_, index) => (lastKill * (index + 0.5 + 0.5 * chance.next())) / victims.length)
  mayhem.allow(moments[0] ?? 1)
  for (const [index, victim] of victims.entries()) {
    await untilBought(progress, () => mayhem.howFar() >= (moments[index] as number))
    const carts = chance.between(cartsBetween - 2, cartsBetween + 2)
    mayhem.allow(moments[index + 1] ?? 1, carts)
    // While the last victim came back the crowd may have stood still; caught like that it could lose nothing.
    const wanted = progress.cartsDone + carts
    await untilBought(progress, () => progress.cartsDone >= wanted)
    await sleep(chance.between(0, 40))
    // With nobody at work a kill proves nothing, so it is not counted.
    if (progress.isOver) return kills
    if (victim === 'postgres') await soon('PostgreSQL comes back', postgres.crash())
    else await soon('a server comes back', chance.pick(servers).kill(chance.between(0, 300)))
    kills[victim]++
    await soon(`a look after the kill of ${victim}`, mayhem.afterKill())
  }
  return kills
}

/** PostgreSQL first: a server that starts makes it write down what it still owes the disk, and hides a lost commit. */
function pickVictims({ server, postgres }: Kills, chance: Chance): (keyof Kills)[] {
  const first: 'postgres'[] = postgres > 0 ? ['postgres'] : []
  const others = [
    ...Array<'server'>(server).fill('server'),
    ...Array<'postgres'>(postgres - first.length).fill('postgres'),
  ]
  return [...first, ...shuffled(others, chance)]
}

/** Waits for the crowd. Fails when it stands still, since it would do so for ever. */
async function untilBought(progress: Progress, isReached: () => boolean): Promise<void> {
  let [latest, since] = [progress.cartsDone, Date.now()]
  while (!isReached() && !progress.isOver) {
    if (progress.cartsDone !== latest) [latest, since] = [progress.cartsDone, Date.now()]
    if (Date.now() - since > standstillMs) throw new Error(`The crowd stands still after ${latest} carts`)
    await sleep(2)
  }
}

/** What hangs fails under its name, before the run is given up. */
async function soon(step: string, work: Promise<void>): Promise<void> {
  const late = new AbortController()
  const tooLate = sleep(standstillMs, undefined, { signal: late.signal }).then(() => {
    throw new Error(`Waited ${standstillMs / 1_000} s until ${step}`)
  })
  tooLate.catch(() => {})
  await Promise.race([work, tooLate]).finally(() => late.abort())
}
