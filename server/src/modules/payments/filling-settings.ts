import { Failure } from '@olmos/contract/failure'
import { type FillingSettings, fillingsApi } from '@olmos/contract/fillings'
import { toMajor, toMinor } from '@olmos/contract/minor-units'
import { type Currency, currencies } from '@olmos/contract/money'
import type { Context } from '../../platform/context.ts'
import { requireVersion } from '../../platform/database/lists.ts'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { writeAudit } from '../../platform/security/audit.ts'

/** Amounts are in minor units. */
interface SettingsRow {
  is_on: boolean
  least_usd: number
  least_rub: number
  most_usd: number
  most_rub: number
  version: number
}

const columns = sql`is_on, least_usd, least_rub, most_usd, most_rub, version`

const readSettings = (queries: Queries) => queries.one<SettingsRow>(sql`SELECT ${columns} FROM filling_settings`)

const lockSettings = (tx: Tx) => tx.one<SettingsRow>(sql`SELECT ${columns} FROM filling_settings FOR UPDATE`)

const writeSettings = (tx: Tx, settings: Omit<SettingsRow, 'version'>) =>
  tx.one<SettingsRow>(sql`
    UPDATE filling_settings SET is_on = ${settings.is_on}, least_usd = ${settings.least_usd},
      least_rub = ${settings.least_rub}, most_usd = ${settings.most_usd}, most_rub = ${settings.most_rub}
    RETURNING ${columns}`)

const toBounds = (row: SettingsRow, currency: Currency) =>
  currency === 'USD' ? { least: row.least_usd, most: row.most_usd } : { least: row.least_rub, most: row.most_rub }

/**
 * Refuses to fill a balance where the shop does not allow it (STATE_CONFLICT), or with less or more than it allows, in minor
 * units: BELOW_LEAST_AMOUNT, ABOVE_MOST_AMOUNT.
 */
export async function requireFillable(
  queries: Queries,
  { amount, currency }: { amount: number; currency: Currency },
): Promise<void> {
  const settings = await readSettings(queries)
  if (!settings.is_on) throw new Failure('STATE_CONFLICT', { reason: 'filling_off' })
  const { least, most } = toBounds(settings, currency)
  if (amount < least) throw new Failure('BELOW_LEAST_AMOUNT', { least: toMajor(least), currency })
  if (amount > most) throw new Failure('ABOVE_MOST_AMOUNT', { most: toMajor(most), currency })
}

const amounts = ['least_usd', 'least_rub', 'most_usd', 'most_rub'] as const

const shownSettings = (row: SettingsRow): FillingSettings => ({
  ...row,
  ...(Object.fromEntries(amounts.map((name) => [name, toMajor(row[name])])) as Record<
    (typeof amounts)[number],
    number
  >),
})

/** Refuses a most that is under its least: VALIDATION_FAILED. */
function requireInOrder(row: Omit<SettingsRow, 'version'>): void {
  if (row.least_usd > row.most_usd) throw new Failure('VALIDATION_FAILED', { most_usd: 'invalid_range' })
  if (row.least_rub > row.most_rub) throw new Failure('VALIDATION_FAILED', { most_rub: 'invalid_range' })
}

export function fillingSettingsRoutes({ serve, database }: Context): void {
  serve(fillingsApi.terms, async () => {
    const row = await readSettings(database)
    return {
      is_on: row.is_on,
      bounds: currencies.map((currency) => {
        const { least, most } = toBounds(row, currency)
        return { currency, least: toMajor(least), most: toMajor(most) }
      }),
    }
  })

  serve(fillingsApi.settings, async () => ({ data: shownSettings(await readSettings(database)) }))

  serve(fillingsApi.change, ({ user, body: { version, is_on, ...change } }) =>
    database.transaction(async (tx) => {
      const before = await lockSettings(tx)
      requireVersion(shownSettings(before), version)
      const typed = Object.entries(change).filter(([, amount]) => amount !== undefined)
      const changed = Object.fromEntries(typed.map(([name, amount]) => [name, toMinor(amount)]))
      const wanted: SettingsRow = { ...before, ...(is_on !== undefined && { is_on }), ...changed }
      requireInOrder(wanted)
      const after = await writeSettings(tx, wanted)
      await writeAudit(tx, {
        actorId: user.id,
        action: 'filling.settings',
        subject: 'filling_settings',
        before: shownSettings(before),
        after: shownSettings(after),
      })
      return { data: shownSettings(after) }
    }),
  )
}
