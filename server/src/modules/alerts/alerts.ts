import { type Alert, alertKindsWithList, alertsApi } from '@olmos/contract/alerts'
import type { QueryParams } from '@olmos/contract/endpoint'
import { Failure } from '@olmos/contract/failure'
import type { Context } from '../../platform/context.ts'
import { allConditions, countAll, direction, toPage, withTotal } from '../../platform/database/lists.ts'
import { containing, type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { writeAuditChange } from '../../platform/security/audit.ts'

interface AlertRow extends Omit<Alert, 'created_at' | 'acknowledged_at' | 'resolved_at'> {
  created_at: Date
  acknowledged_at: Date | null
  resolved_at: Date | null
}

const columns = sql`
  alert.id, alert.kind, alert.subject, alert.details, alert.created_at, alert.acknowledged_at, alert.resolved_at,
  CASE WHEN alert.resolved_at IS NOT NULL THEN 'resolved'
    WHEN alert.acknowledged_at IS NOT NULL THEN 'acknowledged' ELSE 'open' END AS state,
  (SELECT nickname FROM users WHERE users.id = alert.acknowledged_by) AS acknowledged_by,
  (SELECT nickname FROM users WHERE users.id = alert.resolved_by) AS resolved_by`

const isIn = {
  open: sql`resolved_at IS NULL AND acknowledged_at IS NULL`,
  acknowledged: sql`resolved_at IS NULL AND acknowledged_at IS NOT NULL`,
  resolved: sql`resolved_at IS NOT NULL`,
}

const waits = {
  elsewhere: sql`kind = ANY (${[...alertKindsWithList]})`,
  here: sql`kind <> ALL (${[...alertKindsWithList]})`,
}

type AlertList = QueryParams<typeof alertsApi.list>

const isListed = ({ search, state, ...list }: AlertList) =>
  allConditions(
    state && isIn[state],
    list.waits && waits[list.waits],
    search ? sql`(kind ILIKE ${containing(search)} OR subject ILIKE ${containing(search)})` : undefined,
  )

const listAlerts = (queries: Queries, list: AlertList) =>
  queries.rows<AlertRow>(sql`
    SELECT ${columns} FROM alert WHERE ${isListed(list)}
    ORDER BY (resolved_at IS NULL) DESC, id ${direction(list.order)} ${toPage(list)}`)

const countAlerts = (queries: Queries, list: AlertList) =>
  countAll(queries, sql`SELECT FROM alert WHERE ${isListed(list)}`, list.search)

const countOpenAlerts = (queries: Queries) =>
  queries.one<{ open: number; only_here: number }>(sql`
    SELECT count(*)::int AS open, (count(*) FILTER (WHERE ${waits.here}))::int AS only_here
    FROM alert WHERE ${isIn.open}`)

/** Reads an alert and locks it until the transaction ends. */
const lockAlert = (tx: Tx, alertId: number) =>
  tx.maybe<AlertRow>(sql`SELECT ${columns} FROM alert WHERE id = ${alertId} FOR UPDATE`)

/** The first admin to acknowledge it is recorded. */
const setAcknowledged = (tx: Tx, alertId: number, adminId: number) =>
  tx.one<AlertRow>(sql`
    UPDATE alert SET acknowledged_by = coalesce(acknowledged_by, ${adminId}),
      acknowledged_at = coalesce(acknowledged_at, now())
    WHERE id = ${alertId} RETURNING ${columns}`)

const setResolved = (tx: Tx, alertId: number, adminId: number) =>
  tx.one<AlertRow>(sql`
    UPDATE alert SET resolved_at = now(), resolved_by = ${adminId} WHERE id = ${alertId} RETURNING ${columns}`)

const shownAlert = (row: AlertRow): Alert => ({
  ...row,
  created_at: row.created_at.toISOString(),
  acknowledged_at: row.acknowledged_at?.toISOString() ?? null,
  resolved_at: row.resolved_at?.toISOString() ?? null,
})

const answers = { acknowledged: setAcknowledged, resolved: setResolved }

/** Acknowledges or closes an alert. Refuses one that is closed: STATE_CONFLICT with its present state. */
async function answerAlert(tx: Tx, adminId: number, alertId: number, state: keyof typeof answers): Promise<Alert> {
  const row = await lockAlert(tx, alertId)
  if (!row) throw new Failure('NOT_FOUND')
  const before = shownAlert(row)
  if (before.state === 'resolved') throw new Failure('STATE_CONFLICT', { reason: 'changed_meanwhile', current: before })
  const after = shownAlert(await answers[state](tx, alertId, adminId))
  await writeAuditChange(tx, { actorId: adminId, action: `alert.${state}`, subject: `alert:${alertId}` }, before, after)
  return after
}

export function alertsAdmin({ serve, database }: Context): void {
  serve(alertsApi.list, async ({ query }) => {
    const { rows, total } = await withTotal(query, listAlerts(database, query), () => countAlerts(database, query))
    return { data: rows.map(shownAlert), total }
  })

  serve(alertsApi.count, async () => ({ data: await countOpenAlerts(database) }))

  serve(alertsApi.change, async ({ user, params, body }) => ({
    data: await database.transaction((tx) => answerAlert(tx, user.id, params.id, body.state)),
  }))
}
