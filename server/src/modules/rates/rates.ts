import { type Decimal, divide, formatDecimal, one, parseDecimal } from '@olmos/contract/decimal'
import type { CurrencyRate, CurrencySettings, RateSourceName } from '@olmos/contract/rates'
import { SERVER_BUSINESS } from '../../business.ts'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Resources } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Queries, type Sql, sql, type Tx } from '../../platform/database/queries.ts'
import { raiseAlert, resolveAlert } from '../../platform/live/alert.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { repriceOffers } from '../pricing/reprice.ts'
import {
  crossRate,
  type DayQuotes,
  inHundredths,
  isJump,
  type RateKeeping,
  rateKeeping,
  withMarkup,
} from './rate-sources.ts'

export interface RateRow extends Omit<CurrencyRate, 'rate' | 'last_updated' | 'held_rate' | 'held_at'> {
  /** Decimals stay text until a rule or the wire needs them otherwise. */
  rate: string
  updated_at: Date
  held_rate: string | null
  held_at: Date | null
}

export interface SettingsRow
  extends Omit<CurrencySettings, 'max_jump_percent' | 'markup_percent' | 'last_run_at' | 'last_success_at'> {
  max_jump_percent: string
  markup_percent: string
  last_run_at: Date | null
  last_success_at: Date | null
  /** Whether the latest daily update is still to be done. */
  is_due: boolean
}

export const listRates = (queries: Queries) => queries.rows<RateRow>(sql`SELECT * FROM currency_rate ORDER BY id`)

const lockRates = (tx: Tx) => tx.rows<RateRow>(sql`SELECT * FROM currency_rate ORDER BY id FOR UPDATE`)

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
  tx.notify('catalogue', 'rates')
}

const keepPendingRate = (tx: Tx, rateId: number, rate: string) =>
  tx.run(sql`UPDATE currency_rate SET held_rate = ${rate}, held_at = now() WHERE id = ${rateId}`)

/**
 * Whether the day's reading is still to be done. It compares instants, never times of day: on a day whose hour comes
 * twice, or not at all, it is done once. A success in the future was left by a wrong clock, and does not count.
 */
const isDue = (zone: Sql, now: Sql) => {
  const planned = (day: Sql) => sql`((${day} + update_time) AT TIME ZONE ${zone})`
  const today = planned(sql`(${now} AT TIME ZONE ${zone})::date`)
  const yesterday = planned(sql`((${now} AT TIME ZONE ${zone})::date - 1)`)
  const pauses: readonly number[] = SERVER_LIMITS.rateRetryMinutes
  return sql`(auto_update
    AND (failures = 0 OR last_run_at > ${now} OR last_run_at IS NULL OR ${now} >= last_run_at
      + (${pauses}::int[])[least(failures, ${pauses.length}::int)] * interval '1 minute')
    AND CASE WHEN last_success_at <= ${now}
      THEN last_success_at < CASE WHEN ${now} >= ${today} THEN ${today} ELSE ${yesterday} END
      ELSE failures > 0 OR ${now} >= ${today} END)`
}

const settingsColumns = ({ timezone, source }: RateKeeping['defaults'], at?: Date) => {
  const zone = sql`coalesce(timezone, ${timezone})`
  return sql`
    auto_update, to_char(update_time, 'HH24:MI') AS update_time, ${zone} AS timezone,
    coalesce(source, ${source}::text) AS source, max_jump_percent, markup_percent, last_run_at, last_error,
    last_success_at, version, ${isDue(zone, at ? sql`${at}::timestamptz` : sql`now()`)} AS is_due`
}

/** Reads the settings as of now, or of another moment. */
export const readSettings = (queries: Queries, defaults: RateKeeping['defaults'], at?: Date) =>
  queries.one<SettingsRow>(sql`SELECT ${settingsColumns(defaults, at)} FROM currency_settings`)

export const lockSettings = (tx: Tx, defaults: RateKeeping['defaults']) =>
  tx.one<SettingsRow>(sql`SELECT ${settingsColumns(defaults)} FROM currency_settings FOR UPDATE`)

const noteSuccess = (tx: Tx) =>
  tx.run(sql`
    UPDATE currency_settings SET last_run_at = now(), last_success_at = now(), last_error = NULL, failures = 0`)

const noteFailure = (queries: Queries, error: string) =>
  queries.run(sql`
    UPDATE currency_settings SET last_run_at = now(), last_error = ${error}, failures = failures + 1`)

/** How much of each currency one USD is. */
export type DollarRates = ReadonlyMap<string, Decimal>

/**
 * Reads the rates in force. One that jumped too far is pending approval and not among them: the last good one is, and
 * also while a source does not answer.
 */
export async function dollarRates(queries: Queries): Promise<DollarRates> {
  const rates = new Map([['USD', one]])
  for (const { from_currency, to_currency, rate } of await listRates(queries)) {
    const value = parseDecimal(rate)
    if (from_currency === 'USD' && value !== undefined) rates.set(to_currency, value)
  }
  return rates
}

/** Converts a cost to a decimal of USD at the rates in force; null without a rate. */
export function toDollars({ cost, currency }: { cost: string; currency: string }, rates: DollarRates): string | null {
  const [amount, rate] = [parseDecimal(cost), rates.get(currency)]
  if (amount === undefined || rate === undefined) return null
  return formatDecimal(divide(amount, rate)).replace(/\.?0+$/, '')
}

/**
 * Reads how much of a currency one USD is, if that is certain enough to buy by: the rate was confirmed within the last
 * `SERVER_BUSINESS.rateStaleDays`, and no other is pending approval. Undefined where the shop would have to guess.
 */
export async function rateToBuyBy(queries: Queries, currency: string): Promise<Decimal | undefined> {
  const row = (await listRates(queries)).find((rate) => rate.from_currency === 'USD' && rate.to_currency === currency)
  // The rates a new database starts with are `fixed`, and a guess.
  if (!row || row.source === 'fixed' || row.held_rate !== null) return undefined
  return isStale(row.updated_at, new Date(), SERVER_BUSINESS.rateStaleDays) ? undefined : parseDecimal(row.rate)
}

/**
 * Converts a decimal at the rates in force, to eight places; null without a rate. Nothing is looked up where both
 * currencies are the same.
 */
export const inCurrency = (amount: Sql, from: Sql, to: Sql): Sql => sql`
  CASE WHEN ${from} = ${to} THEN ${amount} ELSE in_currency(${amount}, ${from}, ${to}) END`

interface RateUpdate {
  updated: number
  /**
   * Rates that jumped further than the settings allow, or are too old; the previous ones stay in force until an admin
   * decides.
   */
  pending: RateRow[]
}

/**
 * Updates every automatic exchange rate from its source, as a job does daily, and writes an audit entry when an admin asked
 * for it. A source that fails changes nothing and rejects.
 */
export async function updateRates(database: Database, keeping: RateKeeping, adminId?: number): Promise<RateUpdate> {
  const settings = await readSettings(database, keeping.defaults)
  const source = keeping.sources[settings.source]
  try {
    // A fixed source has no quotes.
    const day = source ? await source.read() : undefined
    const ahead = day && isAhead(day.asOf, new Date(), SERVER_LIMITS.rateAheadHours)
    if (ahead) throw new Error(`the list of ${settings.source} is of ${day.asOf.toISOString().slice(0, 10)}`)
    return await apply(database, day, settings, adminId)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    await noteFailure(database, reason)
    await raiseAlert(database, {
      kind: 'rates.failed',
      subject: settings.source,
      details: { reason },
      whenChanged: 'refresh',
    })
    if (adminId !== undefined) {
      const after = { source: settings.source, failed: reason }
      await database.transaction((tx) =>
        writeAudit(tx, { actorId: adminId, action: 'rates.refresh', subject: 'currency_rates', after }),
      )
    }
    throw error
  }
}

/** Runs the daily update once it is due, also one that was missed while nothing ran, or failed a while ago. */
export async function updateDueRates(database: Database, keeping: RateKeeping): Promise<RateUpdate | undefined> {
  const { is_due } = await readSettings(database, keeping.defaults)
  return is_due ? updateRates(database, keeping) : undefined
}

/** The markup is what the shop earns on customers' money. Applied here, it would overpay a supplier. */
const isSupplierMoney = (currency: string): boolean => currency === 'EUR'

function apply(
  database: Database,
  day: DayQuotes | undefined,
  settings: SettingsRow,
  adminId: number | undefined,
): Promise<RateUpdate> {
  const maxJump = inHundredths(settings.max_jump_percent)
  const markup = inHundredths(settings.markup_percent)
  return database.transaction(
    async (tx) => {
      const result: RateUpdate = { updated: 0, pending: [] }
      for (const row of await lockRates(tx)) {
        const quote = day && row.auto_update ? crossRate(day.quotes, row.from_currency, row.to_currency) : undefined
        await alertMissing(tx, row, settings.source, day !== undefined && row.auto_update && quote === undefined)
        const now = parseDecimal(row.rate)
        if (!day || quote === undefined || now === undefined) continue
        const shopRate = withMarkup(quote, isSupplierMoney(row.to_currency) ? 0 : markup)
        const rate = formatDecimal(shopRate)
        const alert = { kind: 'rate.held', subject: `rate:${row.id}` } as const
        if (isStale(day.asOf, new Date(), SERVER_BUSINESS.rateStaleDays) || isJump(now, shopRate, maxJump)) {
          await keepPendingRate(tx, row.id, rate)
          const as_of = day.asOf.toISOString().slice(0, 10)
          await raiseAlert(tx, { ...alert, details: { pair: toPair(row), in_force: row.rate, held: rate, as_of } })
          result.pending.push({ ...row, held_rate: rate })
          continue
        }
        await putInForce(tx, row.id, { rate, source: settings.source, madeBy: null })
        await resolveAlert(tx, alert.kind, alert.subject)
        result.updated++
      }
      // Prices leave a source that can't be paid while its rate is pending.
      if (result.updated + result.pending.length > 0)
        await repriceOffers(tx, 'all', { adminId: adminId ?? null, because: 'rates' })
      await noteSuccess(tx)
      // Also closes the alert of an earlier source: what counts is that rates are updated again.
      await resolveAlert(tx, 'rates.failed')
      if (adminId !== undefined) {
        const after = { source: settings.source, updated: result.updated, held: result.pending.map(({ id }) => id) }
        await writeAudit(tx, { actorId: adminId, action: 'rates.refresh', subject: 'currency_rates', after })
      }
      return result
    },
    { statementMs: SERVER_LIMITS.repricingMs },
  )
}

const toPair = ({ from_currency, to_currency }: RateRow): string => `${from_currency} → ${to_currency}`

/**
 * A currency that the source leaves out, or quotes at nothing, keeps its rate; without an alert nobody would notice
 * that it grows old.
 */
async function alertMissing(tx: Tx, row: RateRow, source: RateSourceName, isMissing: boolean): Promise<void> {
  const [kind, subject] = ['rate.missing', `rate:${row.id}`] as const
  const details = { pair: toPair(row), in_force: row.rate, source }
  if (isMissing) await raiseAlert(tx, { kind, subject, details, whenChanged: 'refresh' })
  else await resolveAlert(tx, kind, subject)
}

/** Runs every minute and updates the rates when it is time. */
export async function keepRates({ database, config, log }: Resources): Promise<void> {
  const update = await updateDueRates(database, rateKeeping(config))
  if (update) log.info({ updated: update.updated, held: update.pending.length }, 'currency rates updated')
}

/** Whether quotes are for a day further ahead than any bank sets its rates, which is a mistake of the source. */
const isAhead = (asOf: Date, now: Date, hours: number): boolean => asOf.getTime() - now.getTime() > hours * 3_600_000

/** Whether quotes are so old that the source seems to have stopped. */
const isStale = (asOf: Date, now: Date, days: number): boolean => now.getTime() - asOf.getTime() > days * 24 * 3_600_000
