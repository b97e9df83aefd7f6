import { formatDecimal, parseDecimal } from '@olmos/contract/decimal'
import { Failure } from '@olmos/contract/failure'
import { chargeCurrencies } from '@olmos/contract/money'
import {
  type CurrencyRate,
  type CurrencySettings,
  type RateJump,
  ratesApi,
  type ShownCurrencyRate,
} from '@olmos/contract/rates'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Context } from '../../platform/context.ts'
import { requireVersion } from '../../platform/database/lists.ts'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { type Fresh, keepFresh } from '../../platform/http/shared-answers.ts'
import { resolveAlert } from '../../platform/live/alert.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { repriceOffers } from '../pricing/reprice.ts'
import { requireKnownZone } from '../shop/shop.ts'
import { inHundredths, isJump, type RateKeeping } from './rate-sources.ts'
import {
  dollarRates,
  listRates,
  lockRate,
  lockSettings,
  putInForce,
  type RateRow,
  readSettings,
  type SettingsRow,
  updateRates,
} from './rates.ts'

/** Reads the rates that prices are shown by, exactly those that a payment opened now would be charged by. */
async function readShownRates(queries: Queries): Promise<ShownCurrencyRate[]> {
  const rates = await dollarRates(queries)
  return chargeCurrencies.flatMap((currency) => {
    const rate = rates.get(currency)
    return rate === undefined ? [] : { currency, rate: formatDecimal(rate) }
  })
}

export function ratesRoutes({ serve, database }: Context): void {
  serve(ratesApi.shown, async () => ({ data: await readShownRates(database) }))
}

/** Caches the rates that pages are rendered with, so that no page costs a read of them. */
export const cacheRates = (queries: Queries, now?: () => number): Fresh<readonly ShownCurrencyRate[]> =>
  keepFresh(() => readShownRates(queries), { first: [], freshMs: SERVER_LIMITS.ratesFreshMs, ...(now && { now }) })

const setAutoUpdate = (tx: Tx, rateId: number, isOn: boolean) =>
  tx.run(sql`UPDATE currency_rate SET auto_update = ${isOn} WHERE id = ${rateId}`)

const listHistory = (queries: Queries, rateId: number) =>
  queries.rows<{ rate: string; source: string; created_at: Date }>(sql`
    SELECT rate, source, created_at FROM currency_rate_history WHERE rate_id = ${rateId} ORDER BY id DESC LIMIT 100`)

/** A time zone that is the shop's is not kept, so that the rates go on by the shop's when another one is chosen. */
const writeSettings = (
  tx: Tx,
  settings: Pick<SettingsRow, 'auto_update' | 'update_time' | 'timezone' | 'source'> & {
    max_jump_percent: number | string
    markup_percent: number | string
  },
  { timezone }: RateKeeping['defaults'],
) =>
  tx.run(sql`
    UPDATE currency_settings SET auto_update = ${settings.auto_update}, update_time = ${settings.update_time},
      timezone = nullif(${settings.timezone}, ${timezone}), source = ${settings.source},
      max_jump_percent = ${settings.max_jump_percent}, markup_percent = ${settings.markup_percent}`)

/** The failures were another source's: the newly chosen one is read without a pause. */
const forgetFailures = (tx: Tx) => tx.run(sql`UPDATE currency_settings SET failures = 0`)

const shownRate = ({ updated_at, held_at, ...row }: RateRow): CurrencyRate => ({
  ...row,
  rate: Number(row.rate),
  last_updated: updated_at.toISOString(),
  held_rate: row.held_rate === null ? null : Number(row.held_rate),
  held_at: held_at?.toISOString() ?? null,
})

const shownSettings = ({ is_due: _, ...row }: SettingsRow): CurrencySettings => ({
  ...row,
  max_jump_percent: Number(row.max_jump_percent),
  markup_percent: Number(row.markup_percent),
  last_run_at: row.last_run_at?.toISOString() ?? null,
  last_success_at: row.last_success_at?.toISOString() ?? null,
})

/** Refuses a rate that differs from the one in force by more than a source's may: RATE_JUMP. */
function requireNoJump({ rate: inForce }: RateRow, rate: number, { max_jump_percent }: SettingsRow): void {
  const [before, after] = [parseDecimal(inForce), parseDecimal(rate.toFixed(8))]
  if (!before || !after || !isJump(before, after, inHundredths(max_jump_percent))) return
  const details: RateJump = { was: Number(inForce), rate, max_jump_percent: Number(max_jump_percent) }
  throw new Failure('RATE_JUMP', details)
}

export function ratesAdmin({ serve, database }: Context, keeping: RateKeeping): void {
  const shownRates = async () => ({ data: (await listRates(database)).map(shownRate) })

  serve(ratesApi.list, shownRates)

  serve(ratesApi.change, ({ user, params, body }) =>
    database.transaction(
      async (tx) => {
        const before = await lockRate(tx, params.id)
        if (!before) throw new Failure('NOT_FOUND')
        requireVersion(shownRate(before), body.version)
        if (body.auto_update !== undefined) await setAutoUpdate(tx, before.id, body.auto_update)
        if (body.auto_update === false) await resolveAlert(tx, 'rate.missing', `rate:${before.id}`)
        if (body.rate !== undefined) {
          const settings = await readSettings(tx, keeping.defaults)
          if (!body.confirmJump) requireNoJump(before, body.rate, settings)
          await putInForce(tx, before.id, { rate: body.rate.toFixed(8), source: 'admin', madeBy: user.id })
          await resolveAlert(tx, 'rate.held', `rate:${before.id}`)
          await repriceOffers(tx, 'all', { adminId: user.id, because: 'rates' })
        }
        const after = await lockRate(tx, before.id)
        await writeAudit(tx, {
          actorId: user.id,
          action: 'rate.change',
          subject: `rate:${before.id}`,
          before,
          after: after as RateRow,
        })
        return { data: shownRate(after as RateRow) }
      },
      { statementMs: SERVER_LIMITS.repricingMs },
    ),
  )

  serve(ratesApi.refresh, async ({ user }) => {
    try {
      await updateRates(database, keeping, user.id)
    } catch (error) {
      throw new Failure('SUPPLIER_UNAVAILABLE', undefined, error instanceof Error ? error.message : undefined)
    }
    return shownRates()
  })

  serve(ratesApi.history, async ({ params }) => {
    const rows = await listHistory(database, params.id)
    if (rows.length === 0) throw new Failure('NOT_FOUND')
    return {
      data: rows.map((row) => ({
        rate: Number(row.rate),
        source: row.source,
        created_at: row.created_at.toISOString(),
      })),
    }
  })

  serve(ratesApi.settings, async () => ({ data: shownSettings(await readSettings(database, keeping.defaults)) }))

  serve(ratesApi.changeSettings, ({ user, body: { version, ...change } }) =>
    database.transaction(async (tx) => {
      const before = await lockSettings(tx, keeping.defaults)
      requireVersion(shownSettings(before), version)
      if (change.timezone) await requireKnownZone(tx, change.timezone, 'timezone')
      await writeSettings(tx, { ...before, ...change }, keeping.defaults)
      const after = await lockSettings(tx, keeping.defaults)
      if (after.source !== before.source) await forgetFailures(tx)
      await writeAudit(tx, { actorId: user.id, action: 'rates.settings', subject: 'currency_settings', before, after })
      return { data: shownSettings(after) }
    }),
  )
}
