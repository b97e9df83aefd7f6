import type { AuditAction } from '@olmos/contract/audit'
import { sql, type Tx } from '../database/queries.ts'

interface AuditEntry {
  /** The admin who did it; null when it was done with direct access to the database. */
  actorId: number | null
  action: AuditAction
  /** What was changed, such as 'user:17'. */
  subject: string
  before?: object
  after?: object
}

/** Writes an audit entry in the transaction of the change. Never put a secret or a plain code in it. */
export async function writeAudit(tx: Tx, { actorId, action, subject, before, after }: AuditEntry): Promise<void> {
  await tx.run(sql`
    INSERT INTO audit_entry (actor_id, action, subject, before, after)
    VALUES (${actorId}, ${action}, ${subject}, ${before ? JSON.stringify(before) : null},
      ${after ? JSON.stringify(after) : null})`)
}

type Fields = Readonly<Record<string, unknown>>

/** Writes an audit entry with only the fields that differ before and after. Writes nothing when none does. */
export async function writeAuditChange(
  tx: Tx,
  entry: Pick<AuditEntry, 'actorId' | 'action' | 'subject'>,
  before: Fields,
  after: Fields,
): Promise<void> {
  const changed = Object.keys(after).filter(
    (field) => field !== 'version' && JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  )
  if (changed.length === 0) return
  const only = (fields: Fields) => Object.fromEntries(changed.map((field) => [field, fields[field]]))
  await writeAudit(tx, { ...entry, before: only(before), after: only(after) })
}
