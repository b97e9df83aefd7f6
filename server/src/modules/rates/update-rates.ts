import { LIMITS } from '@olmos/contract/limits'
import type { RateSourceName } from '@olmos/contract/rates'
import type { Config } from '../../config.ts'
import type { Resources } from '../../platform/context.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { raiseAlert, resolveAlert } from '../../platform/live/alert.ts'
import { record } from '../../platform/security/audit.ts'
import {
  crossRate,
  type DayQuotes,
  formatDecimal,
  inHundredths,
  isAhead,
  isJump,
  isStale,
  parseDecimal,
  withMarkup,
} from './rate.rules.ts'
import type { RateSource } from './rate-source.ts'
import {
  holdRate,
  lockRates,
  noteFailure,
  noteSuccess,
  putInForce,
  type RateDefaults,
  type RateRow,
  readSettings,
  type SettingsRow,
} from './rates.store.ts'
import { cbr } from './sources/cbr.ts'
import { cbu } from './sources/cbu.ts'

export interface RateKeeping {
  /** None for `fixed`: rates are what an admin set. */
  sources: Readonly<Record<RateSourceName, RateSource | undefined>>
  defaults: RateDefaults
}

interface RateUpdate {
  updated: number
  /** Rates that jumped further than the settings allow, or are too old; those before stay in force until an admin decides. */
  held: RateRow[]
}

/**
 * Brings every rate that updates by itself to what the source says now, and writes down which admin wanted it, if one
 * did. A source that fails changes nothing and rejects.
 */
export async function updateRates(database: Database, keeping: RateKeeping, adminId?: number): Promise<RateUpdate> {
  const settings = await readSettings(database, keeping.defaults)
  const source = keeping.sources[settings.source]
  try {
    // A fixed source knows no rates.
    const day = source ? await source.read() : undefined
    const ahead = day && isAhead(day.asOf, new Date(), LIMITS.rateAheadHours)
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
        record(tx, { actorId: adminId, action: 'rates.refresh', subject: 'currency_rates', after }),
      )
    }
    throw error
  }
}

/** The daily update, once it is due; also the one that was missed while nothing ran, or failed a while ago. */
export async function updateDueRates(database: Database, keeping: RateKeeping): Promise<RateUpdate | undefined> {
  const { is_due } = await readSettings(database, keeping.defaults)
  return is_due ? updateRates(database, keeping) : undefined
}

/** The markup is what the shop earns on customers' money. With it a supplier would be paid more than it is worth. */
const isSupplierMoney = (currency: string): boolean => currency === 'EUR'

function apply(
  database: Database,
  day: DayQuotes | undefined,
  settings: SettingsRow,
  adminId: number | undefined,
): Promise<RateUpdate> {
  const maxJump = inHundredths(settings.max_jump_percent)
  const markup = inHundredths(settings.markup_percent)
  return database.transaction(async (tx) => {
    const result: RateUpdate = { updated: 0, held: [] }
    for (const row of await lockRates(tx)) {
      const quote = day && row.auto_update ? crossRate(day.quotes, row.from_currency, row.to_currency) : undefined
      await tellOfMissing(tx, row, settings.source, day !== undefined && row.auto_update && quote === undefined)
      const now = parseDecimal(row.rate)
      if (!day || quote === undefined || now === undefined) continue
      const shopRate = withMarkup(quote, isSupplierMoney(row.to_currency) ? 0 : markup)
      const rate = formatDecimal(shopRate)
      const alert = { kind: 'rate.held', subject: `rate:${row.id}` } as const
      if (isStale(day.asOf, new Date(), LIMITS.rateStaleDays) || isJump(now, shopRate, maxJump)) {
        await holdRate(tx, row.id, rate)
        const as_of = day.asOf.toISOString().slice(0, 10)
        await raiseAlert(tx, { ...alert, details: { pair: pairOf(row), in_force: row.rate, held: rate, as_of } })
        result.held.push({ ...row, held_rate: rate })
        continue
      }
      await putInForce(tx, row.id, { rate, source: settings.source, madeBy: null })
      await resolveAlert(tx, alert.kind, alert.subject)
      result.updated++
    }
    await noteSuccess(tx)
    // Also of a source that was chosen before: what counts is that the rates are kept again.
    await resolveAlert(tx, 'rates.failed')
    if (adminId !== undefined) {
      const after = { source: settings.source, updated: result.updated, held: result.held.map(({ id }) => id) }
      await record(tx, { actorId: adminId, action: 'rates.refresh', subject: 'currency_rates', after })
    }
    return result
  })
}

const pairOf = ({ from_currency, to_currency }: RateRow): string => `${from_currency} → ${to_currency}`

/** A currency that the source leaves out, or quotes at nothing, keeps its rate; nobody would notice that it grows old. */
async function tellOfMissing(tx: Tx, row: RateRow, source: RateSourceName, isMissing: boolean): Promise<void> {
  const [kind, subject] = ['rate.missing', `rate:${row.id}`] as const
  const details = { pair: pairOf(row), in_force: row.rate, source }
  if (isMissing) await raiseAlert(tx, { kind, subject, details, whenChanged: 'refresh' })
  else await resolveAlert(tx, kind, subject)
}

/** Where this installation gets its rates from. A new source is a file in sources/ and a line here. */
export const rateKeeping = (config: Config): RateKeeping => ({
  sources: { cbr: cbr(config.cbrBaseUrl), cbu: cbu(config.cbuBaseUrl), fixed: undefined },
  defaults: { source: config.ratesSource, timezone: config.timeZone },
})

/** Every minute: the daily update of the rates, when its time has come. */
export async function keepRates({ database, config, log }: Resources): Promise<void> {
  const update = await updateDueRates(database, rateKeeping(config))
  if (update) log.info({ updated: update.updated, held: update.held.length }, 'currency rates updated')
}
