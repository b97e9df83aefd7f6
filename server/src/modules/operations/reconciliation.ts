import { toMajor } from '@olmos/contract/minor-units'
import { type PaymentDifference, type ReconciledDay, reconciliationApi } from '@olmos/contract/reconciliation'
import type { Context } from '../../platform/context.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import type { Providers } from '../payments/providers.ts'
import { listReconciliations, type Reconciliation, readReconciliation } from '../payments/reconcile.store.ts'
import { reconcileDay } from '../payments/reconcile.ts'
import { dateIn, toDays, toRange } from './summary.ts'

type StoredSum = Reconciliation['totals'][number]['here']
type StoredDifference = Reconciliation['differences'][number]

const shownSum = ({ count, amount }: StoredSum) => ({ count, amount: toMajor(amount) })

const shownMoney = (money: StoredDifference['here']) => money && { ...money, amount: toMajor(money.amount) }

const shownDifference = ({ there, here, ...difference }: StoredDifference): PaymentDifference => ({
  ...difference,
  there: shownMoney(there),
  here: shownMoney(here),
})

/** Formats what came of a day with each provider, in major units. */
const shownDay = (day: string, timezone: string, rows: readonly Reconciliation[]): ReconciledDay => ({
  day,
  timezone,
  providers: rows.map(({ day: _, totals, differences, made_at, ...row }) => ({
    ...row,
    totals: totals.map(({ currency, there, here }) => ({
      currency,
      there: there && shownSum(there),
      here: shownSum(here),
    })),
    differences: differences.map(shownDifference),
    made_at: made_at.toISOString(),
  })),
})

/** Nothing was compared before, and the database knows no year 0. */
const firstDay = '2000-01-01'
const notBefore = (day: string) => (day < firstDay ? firstDay : day)

/** The days of the shop, compared with its providers. */
export function reconciliationAdmin(context: Context & { providers: Providers }): void {
  const { serve, database, config, clock } = context
  const { timeZone } = config

  serve(reconciliationApi.list, async ({ query }) => {
    const range = { ...toRange(query, dateIn(timeZone, clock.now())), timeZone }
    const rows = await listReconciliations(database, notBefore(range.from), notBefore(range.to))
    const byDay = Map.groupBy(rows, ({ day }) => day)
    const days = toDays(range)
      .reverse()
      .map((day) => ({ day, providers: (byDay.get(day) ?? []).map(({ day: _, ...provider }) => provider) }))
    return { data: { timezone: timeZone, days } }
  })

  serve(reconciliationApi.read, async ({ params: { day } }) => ({
    data: shownDay(day, timeZone, await readReconciliation(database, day)),
  }))

  // Admins who ask for one day at once wait for one run.
  const runs = new Map<string, Promise<Reconciliation[]>>()
  serve(reconciliationApi.run, async ({ user, params: { day } }) => {
    const run =
      runs.get(day) ??
      reconcileDay(context, day, { origin: 'admin', actorId: user.id }).finally(() => void runs.delete(day))
    runs.set(day, run)
    const rows = await run
    const after = Object.fromEntries(
      rows.map(({ provider, state, difference_count }) => [provider, difference_count || state]),
    )
    await database.transaction((tx) =>
      writeAudit(tx, { actorId: user.id, action: 'payments.reconcile', subject: `day:${day}`, after }),
    )
    return { data: shownDay(day, timeZone, rows) }
  })
}
