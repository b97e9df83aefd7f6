import type { AlertDetails, AlertKind } from '@olmos/contract/alerts'
import type { Sql } from 'sql-template-tag'
import { type Queries, sql } from '../database/database.ts'

interface Alert {
  kind: AlertKind
  /** What it is about; while an alert of a kind about a subject is open, there is no second one. */
  subject: string
  details: AlertDetails
  /**
   * What new details mean to an operator who has taken the alert on. `ring`: something else has happened, and the alert is
   * open again; `refresh`: the same trouble is told more precisely. Details that stay as they are mean nothing.
   */
  whenChanged?: 'ring' | 'refresh'
}

/** Calls the operator. Never put a secret or a plain code in it. */
export async function raiseAlert(
  queries: Queries,
  { kind, subject, details, whenChanged = 'ring' }: Alert,
): Promise<void> {
  const told = JSON.stringify(details)
  const taken = (column: Sql) => (whenChanged === 'ring' ? sql`NULL` : column)
  // What is raised again and again with the same details locks no row, so callers don't wait for each other.
  await queries.run(sql`
    WITH raised AS (
      INSERT INTO alert (kind, subject, details) VALUES (${kind}, ${subject}, ${told}) ON CONFLICT DO NOTHING RETURNING id)
    UPDATE alert SET details = ${told}, acknowledged_at = ${taken(sql`acknowledged_at`)},
      acknowledged_by = ${taken(sql`acknowledged_by`)}
    WHERE kind = ${kind} AND subject = ${subject} AND resolved_at IS NULL
      AND details IS DISTINCT FROM ${told}::jsonb AND NOT EXISTS (SELECT FROM raised)`)
}

/** What was called for is over by itself; without a subject, whatever the kind is about. */
export const resolveAlert = (queries: Queries, kind: AlertKind, subject?: string): Promise<number> =>
  queries.run(sql`
    UPDATE alert SET resolved_at = now()
    WHERE kind = ${kind} AND resolved_at IS NULL AND ${subject === undefined ? sql`true` : sql`subject = ${subject}`}`)
