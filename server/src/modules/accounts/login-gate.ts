import { Failure } from '@olmos/contract/failure'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Context } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { removeInBatches } from '../../platform/database/jobs.ts'
import { type Queries, sql } from '../../platform/database/queries.ts'
import { createRateLimiter, toNetwork } from '../../platform/http/rate-limit.ts'

const { freeFailures, pauseSecondsMax, forgetHours } = SERVER_LIMITS.loginGate

/** Doubles with every failure beyond those that are free. */
const pause = (failures: ReturnType<typeof sql>) => sql`
  make_interval(secs => CASE WHEN ${failures} < ${freeFailures}::int THEN 0
    ELSE least(${pauseSecondsMax}::int, 2 ^ least(${failures} - ${freeFailures}::int, 20)) END)`

/** Counts an attempt, unless it has to wait for an earlier one. One statement decides among any number at once. */
async function enterGate(
  queries: Queries,
  userId: number,
): Promise<{ isOpen: true } | { isOpen: false; waitSeconds: number }> {
  const counted = sql`CASE WHEN login_gate.seen_at < now() - make_interval(hours => ${forgetHours}::int) THEN 1
    ELSE login_gate.failures + 1 END`
  const entered = await queries.run(sql`
    INSERT INTO login_gate (user_id, failures) VALUES (${userId}, 1)
    ON CONFLICT (user_id) DO UPDATE SET failures = ${counted}, seen_at = now(), next_at = now() + ${pause(counted)}
    WHERE login_gate.next_at <= now()`)
  if (entered === 1) return { isOpen: true }
  const row = await queries.maybe<{ wait: number }>(sql`
    SELECT greatest(1, ceil(extract(epoch FROM next_at - now())))::int AS wait FROM login_gate WHERE user_id = ${userId}`)
  return { isOpen: false, waitSeconds: row?.wait ?? 1 }
}

/** Takes back an attempt that was counted. */
const leaveGate = (queries: Queries, userId: number) =>
  queries.run(sql`
    UPDATE login_gate SET failures = greatest(0, failures - 1), next_at = now() WHERE user_id = ${userId}`)

const forgetGate = (queries: Queries, userId: number) =>
  queries.run(sql`DELETE FROM login_gate WHERE user_id = ${userId}`)

/** Runs nightly and deletes gates of users whom nobody tried lately. */
export const forgetOldGates = (database: Database): Promise<number> =>
  removeInBatches(database, 'login_gate', sql`seen_at < now() - make_interval(hours => ${forgetHours}::int)`)

interface LoginAttempt {
  userId: number
  address: string
  /** The token of a device on which this user has logged in before. */
  device: string | undefined
}

interface CountedAttempt {
  /** The password was right: deletes the failures. */
  forget(): Promise<void>
  /** The password was not checked: takes the attempt back. */
  releaseTry(): Promise<void>
}

export type LoginGate = (attempt: LoginAttempt) => Promise<CountedAttempt>

/**
 * Counts attempts to log in as a user before the password is checked, and refuses with RATE_LIMITED when there are too
 * many: strictly per network, and from all networks together with a growing pause between two attempts. A stranger's
 * guesses never keep the owner out for long, because a device that has logged in before is counted by itself.
 */
export function createLoginGate({ database, config }: Pick<Context, 'database' | 'config'>): LoginGate {
  const limited = (name: 'loginsPerNetwork' | 'loginsPerDevice') =>
    createRateLimiter(database, { name, ...SERVER_LIMITS.rates[name] }, config.rateLimits)
  const ofNetwork = limited('loginsPerNetwork')
  const ofDevice = limited('loginsPerDevice')

  return async ({ userId, address, device }) => {
    if (device !== undefined) {
      const key = `${userId} ${device}`
      await ofDevice.count(key)
      return { forget: () => ofDevice.forget(key), releaseTry: () => ofDevice.releaseTry(key) }
    }
    const key = `${userId} ${toNetwork(address)}`
    await ofNetwork.count(key)
    if (!config.rateLimits) return { forget: async () => {}, releaseTry: async () => {} }
    const gate = await enterGate(database, userId)
    if (!gate.isOpen) {
      // Others guess; that must not count against this network.
      await ofNetwork.releaseTry(key)
      throw new Failure('RATE_LIMITED', { retryAfterSeconds: gate.waitSeconds })
    }
    return {
      forget: async () => {
        await Promise.all([ofNetwork.forget(key), forgetGate(database, userId)])
      },
      releaseTry: async () => {
        await Promise.all([ofNetwork.releaseTry(key), leaveGate(database, userId)])
      },
    }
  }
}
