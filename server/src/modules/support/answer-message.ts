import { Failure } from '@olmos/contract/failure'
import type { SupportMessage, SupportMessageChange } from '@olmos/contract/support'
import { recordChange } from '../../platform/audit.ts'
import type { Tx } from '../../platform/database.ts'
import { requireVersion } from '../../platform/edits.ts'
import { lockMessage, type SupportRow, updateMessage } from './support.store.ts'

export const shownMessage = (row: SupportRow): SupportMessage => ({
  ...row,
  answered_at: row.answered_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
})

/** Marks a message as answered or open again, and notes how. The answer itself goes the way the sender named. */
export async function answerMessage(
  tx: Tx,
  adminId: number,
  messageId: number,
  { version, ...change }: SupportMessageChange,
): Promise<SupportMessage> {
  const row = await lockMessage(tx, messageId)
  if (!row) throw new Failure('NOT_FOUND')
  const before = shownMessage(row)
  requireVersion(before, version)
  const { status, note } = { ...before, ...change }
  const after = shownMessage(await updateMessage(tx, messageId, { status, note, adminId }))
  await recordChange(tx, { actorId: adminId, action: 'support.update', subject: `support:${messageId}` }, before, after)
  return after
}
