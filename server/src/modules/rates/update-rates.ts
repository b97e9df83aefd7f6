import { LIMITS } from '@olmos/contract/limits'
import type { RateSourceName } from '@olmos/contract/rates'
import { raiseAlert, resolveAlert } from '../../platform/alert.ts'
import { record } from '../../platform/audit.ts'
import type { Database } from '../../platform/database.ts'
import {
  crossRate,
  type DayQuotes,
  formatDecimal,
  inHundredths,
  isJump,
  isStale,
  parseDecimal,
  withMarkup,
} from './rate.rules.ts'
import type { RateSource } from './rate-source.ts'
import {
  holdRate,
  lockRates,
  noteRun,
  putInForce,
  type RateDefaults,
  type RateRow,
  readSettings,
  type SettingsRow,
} from './rates.store.ts'

export interface RateKeeping {
  /** None for `fixed`: rates are what an admin set. */
  sources: Readonly<Record<RateSourceName, RateSource | undefined>>
  defaults: RateDefaults
}

export interface RateUpdate {
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
    // A fixed source knows no rates, and so is never too old.
    const day = source ? await source.read() : { quotes: new Map(), asOf: new Date() }
    return await apply(database, day, settings, adminId)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    await noteRun(database, reason)
    await raiseAlert(database, { kind: 'rates.failed', subject: settings.source, details: { reason } })
    throw error
  }
}

/** The daily update, once it is due; also the one that was missed while nothing ran. */
export async function updateDueRates(database: Database, keeping: RateKeeping): Promise<RateUpdate | undefined> {
  const { is_due } = await readSettings(database, keeping.defaults)
  return is_due ? updateRates(database, keeping) : undefined
}

/** The markup is what the shop earns on customers' money. With it a supplier would be paid more than it is worth. */
const isSupplierMoney = (currency: string): boolean => currency === 'EUR'

function apply(
  database: Database,
  { quotes, asOf }: DayQuotes,
  settings: SettingsRow,
  adminId: number | undefined,
): Promise<RateUpdate> {
  const isOld = isStale(asOf, new Date(), LIMITS.rateStaleDays)
  const maxJump = inHundredths(settings.max_jump_percent)
  const markup = inHundredths(settings.markup_percent)
  return database.transaction(async (tx) => {
    const result: RateUpdate = { updated: 0, held: [] }
    for (const row of await lockRates(tx)) {
      const quote = crossRate(quotes, row.from_currency, row.to_currency)
      const now = parseDecimal(row.rate)
      if (!row.auto_update || quote === undefined || now === undefined) continue
      const shopRate = withMarkup(quote, isSupplierMoney(row.to_currency) ? 0 : markup)
      const rate = formatDecimal(shopRate)
      if (isOld || isJump(now, shopRate, maxJump)) {
        await holdRate(tx, row.id, rate)
        await raiseAlert(tx, {
          kind: 'rate.held',
          subject: `rate:${row.id}`,
          details: { in_force: row.rate, held: rate, as_of: asOf.toISOString().slice(0, 10) },
        })
        result.held.push({ ...row, held_rate: rate })
        continue
      }
      await putInForce(tx, row.id, { rate, source: settings.source, madeBy: null })
      result.updated++
    }
    await noteRun(tx, null)
    await resolveAlert(tx, 'rates.failed', settings.source)
    if (adminId !== undefined) {
      const after = { source: settings.source, updated: result.updated, held: result.held.map(({ id }) => id) }
      await record(tx, { actorId: adminId, action: 'rates.refresh', subject: 'currency_rates', after })
    }
    return result
  })
}
