import { LIMITS } from '@olmos/contract/limits'
import { type Queries, sql } from '../../platform/database.ts'

const { freeFailures, pauseSecondsMax, forgetHours } = LIMITS.loginGate

/** Doubled with every failure beyond those that are free. */
const pause = (failures: ReturnType<typeof sql>) => sql`
  make_interval(secs => CASE WHEN ${failures} < ${freeFailures}::int THEN 0
    ELSE least(${pauseSecondsMax}::int, 2 ^ least(${failures} - ${freeFailures}::int, 20)) END)`

/** Counts an attempt, unless one of a moment ago has to be waited for. One statement decides between any number at once. */
export async function enterGate(
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

/** Takes an attempt back that was counted. */
export const leaveGate = (queries: Queries, userId: number) =>
  queries.run(sql`
    UPDATE login_gate SET failures = greatest(0, failures - 1), next_at = now() WHERE user_id = ${userId}`)

export const forgetGate = (queries: Queries, userId: number) =>
  queries.run(sql`DELETE FROM login_gate WHERE user_id = ${userId}`)

/** Nightly: of users whom nobody guessed at lately. */
export const forgetOldGates = (queries: Queries) =>
  queries.run(sql`DELETE FROM login_gate WHERE seen_at < now() - make_interval(hours => ${forgetHours}::int)`)
