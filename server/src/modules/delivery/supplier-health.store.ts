import { LIMITS } from '@olmos/contract/limits'
import { type Queries, sql, type Tx } from '../../platform/database.ts'

/** Suppliers that failed so often, or want to be left alone, that nothing new is sent to them for a while. */
export const readOut = (queries: Queries) =>
  queries.rows<{ supplier: string }>(sql`
    SELECT supplier FROM supplier_health
    WHERE failures >= ${LIMITS.breakerFailures} AND out_until > now() OR quiet_until > now()`)

/** For how many seconds the supplier still wants to be left alone; none or less: it may be asked. */
export const readQuiet = async (queries: Queries, supplier: string): Promise<number> => {
  const row = await queries.maybe<{ seconds: number | null }>(sql`
    SELECT ceil(extract(epoch FROM quiet_until - now()))::int AS seconds FROM supplier_health WHERE supplier = ${supplier}`)
  return row?.seconds ?? 0
}

/** Of two answers the one that asks for more time counts. */
export const setQuiet = (queries: Queries, supplier: string, seconds: number) =>
  queries.run(sql`
    INSERT INTO supplier_health AS health (supplier, quiet_until)
    VALUES (${supplier}, now() + make_interval(secs => ${seconds}))
    ON CONFLICT (supplier) DO UPDATE SET quiet_until = greatest(health.quiet_until, excluded.quiet_until)`)

/** Whether the supplier may have one more order: after it was out, one at a time until it answers. */
export const admit = async (tx: Tx, supplier: string): Promise<boolean> => {
  const { isAdmitted } = await tx.one<{ isAdmitted: boolean }>(sql`
    WITH trial AS (
      UPDATE supplier_health SET out_until = now() + make_interval(secs => ${LIMITS.breakerSeconds})
      WHERE supplier = ${supplier} AND failures >= ${LIMITS.breakerFailures} AND out_until <= now() RETURNING supplier)
    SELECT EXISTS (SELECT FROM trial) OR NOT EXISTS (
      SELECT FROM supplier_health WHERE supplier = ${supplier} AND failures >= ${LIMITS.breakerFailures})
      AS "isAdmitted"`)
  return isAdmitted
}

/** Answers how many failures in a row there were before. */
export const noteAnswered = (queries: Queries, supplier: string) =>
  queries.one<{ failures: number }>(sql`
    WITH before AS (SELECT failures FROM supplier_health WHERE supplier = ${supplier}),
    noted AS (
      INSERT INTO supplier_health (supplier, last_answer_at) VALUES (${supplier}, now())
      ON CONFLICT (supplier) DO UPDATE SET failures = 0, out_until = NULL, last_answer_at = now())
    SELECT coalesce((SELECT failures FROM before), 0) AS failures`)

/** Answers how many failures in a row there are now. */
export const noteFailed = (queries: Queries, supplier: string, why: string) =>
  queries.one<{ failures: number }>(sql`
    INSERT INTO supplier_health AS health (supplier, failures, last_error, last_error_at)
    VALUES (${supplier}, 1, ${why}, now())
    ON CONFLICT (supplier) DO UPDATE SET failures = health.failures + 1, last_error = ${why}, last_error_at = now(),
      out_until = CASE WHEN health.failures + 1 >= ${LIMITS.breakerFailures}
        THEN now() + make_interval(secs => ${LIMITS.breakerSeconds}) END
    RETURNING failures`)

export const noteBalance = (queries: Queries, supplier: string, balance: { amount: number; currency: string }) =>
  queries.run(sql`
    INSERT INTO supplier_health (supplier, balance, balance_currency, balance_at)
    VALUES (${supplier}, ${balance.amount}, ${balance.currency}, now())
    ON CONFLICT (supplier) DO UPDATE SET balance = excluded.balance, balance_currency = excluded.balance_currency,
      balance_at = now()`)

/** From now on codes can be bought at these suppliers and nowhere else. */
export const setCodeSellers = (queries: Queries, suppliers: readonly string[]) =>
  queries.run(sql`
    WITH others AS (
      UPDATE supplier_health SET sells_codes = false WHERE sells_codes AND supplier <> ALL (${suppliers}::text[]))
    INSERT INTO supplier_health (supplier, sells_codes) SELECT supplier, true FROM unnest(${suppliers}::text[]) AS supplier
    ON CONFLICT (supplier) DO UPDATE SET sells_codes = true`)

export interface HealthRow {
  supplier: string
  failures: number
  is_out: boolean
  out_until: Date | null
  last_answer_at: Date | null
  last_error: string | null
  last_error_at: Date | null
  balance: number | null
  balance_currency: string | null
  balance_at: Date | null
}

export const readHealth = (queries: Queries) =>
  queries.rows<HealthRow>(sql`
    SELECT supplier, failures, failures >= ${LIMITS.breakerFailures} AS is_out, out_until, last_answer_at, last_error,
      last_error_at, balance, balance_currency, balance_at
    FROM supplier_health`)
