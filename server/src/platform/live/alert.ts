import type { AlertDetails, AlertKind } from '@olmos/contract/alerts'
import { type Queries, type Sql, sql } from '../database/queries.ts'

interface Alert {
  kind: AlertKind
  /** What it is about; while an alert of one kind about one subject is open, there is no second one. */
  subject: string
  details: AlertDetails
  /**
   * What new details mean to an operator who has acknowledged the alert. `reopen`: something else has happened, and the
   * alert is open again; `refresh`: the details of one trouble became more precise. Unchanged details mean nothing.
   */
  whenChanged?: 'reopen' | 'refresh'
}

/** Raises an alert. Never put a secret or a plain code in it. */
export async function raiseAlert(
  queries: Queries,
  { kind, subject, details, whenChanged = 'reopen' }: Alert,
): Promise<void> {
  const json = JSON.stringify(details)
  const isReopened = whenChanged === 'reopen'
  const taken = (column: Sql) => (isReopened ? sql`NULL` : column)
  // Raising an alert again with unchanged details locks no row, so callers don't wait for each other.
  await queries.run(sql`
    WITH raised AS (
      INSERT INTO alert (kind, subject, details) VALUES (${kind}, ${subject}, ${json}) ON CONFLICT DO NOTHING RETURNING id)
    UPDATE alert SET details = ${json}, acknowledged_at = ${taken(sql`acknowledged_at`)},
      acknowledged_by = ${taken(sql`acknowledged_by`)},
      reopened_at = CASE WHEN ${isReopened} AND acknowledged_at IS NOT NULL THEN clock_timestamp() ELSE reopened_at END
    WHERE kind = ${kind} AND subject = ${subject} AND resolved_at IS NULL
      AND details IS DISTINCT FROM ${json}::jsonb AND NOT EXISTS (SELECT FROM raised)`)
}

/** Closes an alert whose cause is over; without a subject, all alerts of the kind. */
export const resolveAlert = (queries: Queries, kind: AlertKind, subject?: string): Promise<number> =>
  queries.run(sql`
    UPDATE alert SET resolved_at = now()
    WHERE kind = ${kind} AND resolved_at IS NULL AND ${subject === undefined ? sql`true` : sql`subject = ${subject}`}`)
