import { Failure } from '@olmos/contract/failure'
import { type CurrencyRate, type CurrencySettings, ratesApi } from '@olmos/contract/rates'
import { resolveAlert } from '../../platform/alert.ts'
import { record } from '../../platform/audit.ts'
import type { Context } from '../../platform/context.ts'
import { requireVersion } from '../../platform/edits.ts'
import {
  listHistory,
  listRates,
  lockRate,
  lockSettings,
  putInForce,
  type RateRow,
  readSettings,
  type SettingsRow,
  setAutoUpdate,
  writeSettings,
} from './rates.store.ts'
import { type RateKeeping, updateRates } from './update-rates.ts'

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
})

export function ratesAdmin({ serve, database }: Context, keeping: RateKeeping): void {
  const shownRates = async () => ({ data: (await listRates(database)).map(shownRate) })

  serve(ratesApi.list, shownRates)

  serve(ratesApi.change, ({ user, params, body }) =>
    database.transaction(async (tx) => {
      const before = await lockRate(tx, params.id)
      if (!before) throw new Failure('NOT_FOUND')
      requireVersion(shownRate(before), body.version)
      if (body.auto_update !== undefined) await setAutoUpdate(tx, before.id, body.auto_update)
      if (body.rate !== undefined) {
        await putInForce(tx, before.id, { rate: body.rate.toFixed(8), source: 'admin', madeBy: user.id })
        await resolveAlert(tx, 'rate.held', `rate:${before.id}`)
      }
      const after = await lockRate(tx, before.id)
      await record(tx, {
        actorId: user.id,
        action: 'rate.change',
        subject: `rate:${before.id}`,
        before,
        after: after as RateRow,
      })
      return { data: shownRate(after as RateRow) }
    }),
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
      await writeSettings(tx, { ...before, ...change })
      const after = await lockSettings(tx, keeping.defaults)
      await record(tx, { actorId: user.id, action: 'rates.settings', subject: 'currency_settings', before, after })
      return { data: shownSettings(after) }
    }),
  )
}
