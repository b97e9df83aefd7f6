import type { Alert } from '@olmos/contract/alerts'
import { Failure } from '@olmos/contract/failure'
import { recordChange } from '../../platform/audit.ts'
import type { Tx } from '../../platform/database.ts'
import { type AlertRow, lockAlert, setAcknowledged, setResolved } from './alerts.store.ts'

export const shownAlert = (row: AlertRow): Alert => ({
  ...row,
  created_at: row.created_at.toISOString(),
  acknowledged_at: row.acknowledged_at?.toISOString() ?? null,
  resolved_at: row.resolved_at?.toISOString() ?? null,
})

const answers = { acknowledged: setAcknowledged, resolved: setResolved }

/** Takes an alert on, or ends it. Refuses one that is over: STATE_CONFLICT with what it is now. */
export async function answerAlert(
  tx: Tx,
  adminId: number,
  alertId: number,
  state: keyof typeof answers,
): Promise<Alert> {
  const row = await lockAlert(tx, alertId)
  if (!row) throw new Failure('NOT_FOUND')
  const before = shownAlert(row)
  if (before.state === 'resolved') throw new Failure('STATE_CONFLICT', { current: before })
  const after = shownAlert(await answers[state](tx, alertId, adminId))
  await recordChange(tx, { actorId: adminId, action: `alert.${state}`, subject: `alert:${alertId}` }, before, after)
  return after
}
