import { type Queries, sql } from './database.ts'

export interface Alert {
  /** What kind of trouble: 'invariant'. */
  kind: string
  /** What it is about; while an alert of a kind about a subject is open, there is no second one. */
  subject: string
  details: object
}

/** Calls the operator. Never put a secret or a plain code in it. */
export async function raiseAlert(queries: Queries, { kind, subject, details }: Alert): Promise<void> {
  await queries.run(sql`
    INSERT INTO alert (kind, subject, details) VALUES (${kind}, ${subject}, ${JSON.stringify(details)})
    ON CONFLICT DO NOTHING`)
}

/** What was called for is over by itself. */
export const resolveAlert = (queries: Queries, kind: string, subject: string): Promise<number> =>
  queries.run(sql`
    UPDATE alert SET resolved_at = now() WHERE kind = ${kind} AND subject = ${subject} AND resolved_at IS NULL`)
