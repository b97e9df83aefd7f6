import type { AuditAction } from '@olmos/contract/audit'
import type { AuditField } from '@olmos/contract/audit-fields'
import type { FastifyBaseLogger } from 'fastify'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Database } from '../database/database.ts'
import { sql, type Tx } from '../database/queries.ts'
import { raiseAlert } from '../live/alert.ts'

/** Fields that the admin area has words for. What only the run knows, such as the keys of texts, is shown by its name. */
type Named<Fields> = Fields & (string extends keyof Fields ? unknown : Record<Exclude<keyof Fields, AuditField>, never>)

interface AuditEntry<Before extends object = object, After extends object = object> {
  /** Who did it: an admin, or a customer with the own account; null when it was done with direct access to the database. */
  actorId: number | null
  action: AuditAction
  /** What was changed, such as 'user:17'. */
  subject: string
  before?: Named<Before>
  after?: Named<After>
}

/** Writes an audit entry in the transaction of the change. Never put a secret or a plain code in it. */
export async function writeAudit<Before extends object, After extends object>(
  tx: Tx,
  { actorId, action, subject, before, after }: AuditEntry<Before, After>,
): Promise<void> {
  await tx.run(sql`
    INSERT INTO audit_entry (actor_id, action, subject, before, after)
    VALUES (${actorId}, ${action}, ${subject}, ${before ? JSON.stringify(before) : null},
      ${after ? JSON.stringify(after) : null})`)
}

type Fields = Readonly<Record<string, unknown>>

/** Writes an audit entry with only the fields that differ before and after. Writes nothing when none does. */
export async function writeAuditChange<After extends Fields>(
  tx: Tx,
  entry: Pick<AuditEntry, 'actorId' | 'action' | 'subject'>,
  before: Fields,
  after: Named<After>,
): Promise<void> {
  const changed = Object.keys(after).filter(
    (field) => field !== 'version' && JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  )
  if (changed.length === 0) return
  const only = (fields: Fields) => Object.fromEntries(changed.map((field) => [field, fields[field]]))
  await writeAudit(tx, { ...entry, before: only(before), after: only(after) })
}

/** Events that matter to somebody who watches for break-ins. */
const securityEvents = [
  'login',
  'login_refused',
  'login_limited',
  'second_factor_refused',
  'second_factor_confirmed',
  'password_changed',
  'password_recovered',
  'call_refused',
] as const
type SecurityEvent = (typeof securityEvents)[number]

/** Who and from where; never a nickname, a password, a code or a whole address. */
interface SecurityDetails {
  user?: number | undefined
  network?: string | undefined
  reason?: string | undefined
  call?: string | undefined
}

export interface SecurityLog {
  /** Writes a line into the log and counts it for the metrics; many refused logins within minutes raise an alert. */
  note(event: SecurityEvent, details: SecurityDetails): void
  /** How often each event has happened in this process. */
  counts(): Record<SecurityEvent, number>
}

const warned: readonly SecurityEvent[] = ['login_refused', 'login_limited', 'second_factor_refused']

export function createSecurityLog(database: Database, log: FastifyBaseLogger): SecurityLog {
  const counted = Object.fromEntries(securityEvents.map((event) => [event, 0])) as Record<SecurityEvent, number>
  const { refusals, seconds } = SERVER_LIMITS.guessingAlert
  let windowEnds = 0
  let inWindow = 0

  const watch = () => {
    const now = Date.now()
    if (now >= windowEnds) {
      windowEnds = now + seconds * 1_000
      inWindow = 0
    }
    inWindow++
    if (inWindow !== refusals) return
    // Another time, though an operator has taken on the last one, it is news.
    const since = new Date(windowEnds - seconds * 1_000).toISOString()
    const details = { refused: refusals, minutes: seconds / 60, since }
    raiseAlert(database, { kind: 'security.guessing', subject: 'logins', details }).catch((error) =>
      log.error({ err: error }, 'alert not raised'),
    )
  }

  return {
    note(event, details) {
      counted[event]++
      const isWarning = warned.includes(event)
      log[isWarning ? 'warn' : 'info']({ security: event, ...details }, 'security')
      if (isWarning) watch()
    },
    counts: () => ({ ...counted }),
  }
}
