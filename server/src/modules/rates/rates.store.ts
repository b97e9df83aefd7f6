import { LIMITS } from '@olmos/contract/limits'
import type { RateSourceName } from '@olmos/contract/rates'
import type { Sql } from 'sql-template-tag'
import { type Queries, sql, type Tx } from '../../platform/database/database.ts'
import { type Decimal, isStale, one, parseDecimal } from './rate.rules.ts'

export interface RateRow {
  id: number
  from_currency: string
  to_currency: string
  /** Decimals are texts until a rule or the wire needs them otherwise. */
  rate: string
  source: string
  auto_update: boolean
  updated_at: Date
  held_rate: string | null
  held_at: Date | null
  version: number
}

export interface SettingsRow {
  auto_update: boolean
  /** HH:MM */
  update_time: string
  timezone: string
  source: RateSourceName
  max_jump_percent: string
  markup_percent: string
  last_run_at: Date | null
  last_error: string | null
  last_success_at: Date | null
  /** Whether the daily update of the day so far is still to be done. */
  is_due: boolean
  version: number
}

export const listRates = (queries: Queries) => queries.rows<RateRow>(sql`SELECT * FROM currency_rate ORDER BY id`)

export const lockRates = (tx: Tx) => tx.rows<RateRow>(sql`SELECT * FROM currency_rate ORDER BY id FOR UPDATE`)

export const lockRate = (tx: Tx, rateId: number) =>
  tx.maybe<RateRow>(sql`SELECT * FROM currency_rate WHERE id = ${rateId} FOR UPDATE`)

export async function putInForce(
  tx: Tx,
  rateId: number,
  { rate, source, madeBy }: { rate: string; source: string; madeBy: number | null },
): Promise<void> {
  await tx.run(sql`
    UPDATE currency_rate SET rate = ${rate}, source = ${source}, updated_at = now(), held_rate = NULL, held_at = NULL
    WHERE id = ${rateId}`)
  await tx.run(sql`
    INSERT INTO currency_rate_history (rate_id, rate, source, made_by)
    VALUES (${rateId}, ${rate}, ${source}, ${madeBy})`)
}

export const holdRate = (tx: Tx, rateId: number, rate: string) =>
  tx.run(sql`UPDATE currency_rate SET held_rate = ${rate}, held_at = now() WHERE id = ${rateId}`)

export const setAutoUpdate = (tx: Tx, rateId: number, isOn: boolean) =>
  tx.run(sql`UPDATE currency_rate SET auto_update = ${isOn} WHERE id = ${rateId}`)

export const listHistory = (queries: Queries, rateId: number) =>
  queries.rows<{ rate: string; source: string; created_at: Date }>(sql`
    SELECT rate, source, created_at FROM currency_rate_history WHERE rate_id = ${rateId} ORDER BY id DESC LIMIT 100`)

/** What holds while an admin has not chosen otherwise. */
export type RateDefaults = Pick<SettingsRow, 'timezone' | 'source'>

/**
 * Whether the day's reading is still to be done. Instants are compared, never times of day: on a day whose hour comes twice,
 * or not at all, it is done once. A success in the future was left by a clock that went wrong, and is none.
 */
const isDue = (zone: Sql, now: Sql) => {
  const planned = (day: Sql) => sql`((${day} + update_time) AT TIME ZONE ${zone})`
  const today = planned(sql`(${now} AT TIME ZONE ${zone})::date`)
  const yesterday = planned(sql`((${now} AT TIME ZONE ${zone})::date - 1)`)
  const pauses: readonly number[] = LIMITS.rateRetryMinutes
  return sql`(auto_update
    AND (failures = 0 OR last_run_at > ${now} OR last_run_at IS NULL OR ${now} >= last_run_at
      + (${pauses}::int[])[least(failures, ${pauses.length}::int)] * interval '1 minute')
    AND CASE WHEN last_success_at <= ${now}
      THEN last_success_at < CASE WHEN ${now} >= ${today} THEN ${today} ELSE ${yesterday} END
      ELSE failures > 0 OR ${now} >= ${today} END)`
}

const settingsColumns = ({ timezone, source }: RateDefaults, at?: Date) => {
  const zone = sql`coalesce(timezone, ${timezone}::text)`
  return sql`
    auto_update, to_char(update_time, 'HH24:MI') AS update_time, ${zone} AS timezone,
    coalesce(source, ${source}::text) AS source, max_jump_percent, markup_percent, last_run_at, last_error,
    last_success_at, version, ${isDue(zone, at ? sql`${at}::timestamptz` : sql`now()`)} AS is_due`
}

/** As of now, or of another moment. */
export const readSettings = (queries: Queries, defaults: RateDefaults, at?: Date) =>
  queries.one<SettingsRow>(sql`SELECT ${settingsColumns(defaults, at)} FROM currency_settings`)

export const lockSettings = (tx: Tx, defaults: RateDefaults) =>
  tx.one<SettingsRow>(sql`SELECT ${settingsColumns(defaults)} FROM currency_settings FOR UPDATE`)

export const writeSettings = (
  tx: Tx,
  settings: Pick<SettingsRow, 'auto_update' | 'update_time' | 'timezone' | 'source'> & {
    max_jump_percent: number | string
    markup_percent: number | string
  },
) =>
  tx.run(sql`
    UPDATE currency_settings SET auto_update = ${settings.auto_update}, update_time = ${settings.update_time},
      timezone = ${settings.timezone}, source = ${settings.source},
      max_jump_percent = ${settings.max_jump_percent}, markup_percent = ${settings.markup_percent}`)

export const noteSuccess = (tx: Tx) =>
  tx.run(sql`
    UPDATE currency_settings SET last_run_at = now(), last_success_at = now(), last_error = NULL, failures = 0`)

export const noteFailure = (queries: Queries, error: string) =>
  queries.run(sql`
    UPDATE currency_settings SET last_run_at = now(), last_error = ${error}, failures = failures + 1`)

/** What failed was another source: the one chosen now is not waited with. */
export const forgetFailures = (tx: Tx) => tx.run(sql`UPDATE currency_settings SET failures = 0`)

/** How much of each currency one USD is. */
export type DollarRates = ReadonlyMap<string, Decimal>

/**
 * The rates that hold now. One that jumped too far waits for an admin and is not among them: the last good one is, as
 * it is while a source does not answer.
 */
export async function dollarRates(queries: Queries): Promise<DollarRates> {
  const rates = new Map([['USD', one]])
  for (const { from_currency, to_currency, rate } of await listRates(queries)) {
    const value = parseDecimal(rate)
    if (from_currency === 'USD' && value !== undefined) rates.set(to_currency, value)
  }
  return rates
}

/**
 * How much of a currency one USD is, sure enough to buy in it: somebody has said the rate within the last
 * `LIMITS.rateStaleDays`, and no other one waits for an admin. Undefined where the shop would have to guess.
 */
export async function rateToBuyBy(queries: Queries, currency: string): Promise<Decimal | undefined> {
  const row = (await listRates(queries)).find((rate) => rate.from_currency === 'USD' && rate.to_currency === currency)
  // What the database was made with is `fixed`, and a guess.
  if (!row || row.source === 'fixed' || row.held_rate !== null) return undefined
  return isStale(row.updated_at, new Date(), LIMITS.rateStaleDays) ? undefined : parseDecimal(row.rate)
}
