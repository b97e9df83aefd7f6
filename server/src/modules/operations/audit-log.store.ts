import { containing, type Queries, sql } from '../../platform/database.ts'
import { allOf, countOf, direction, type ListPage, pageOf } from '../../platform/lists.ts'

export interface AuditRow {
  id: number
  created_at: Date
  actor_id: number | null
  actor: string | null
  action: string
  subject: string
  before: unknown
  after: unknown
}

export interface AuditList extends ListPage {
  search: string
  actorId?: number | undefined
  action?: string | undefined
  subject?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

const isListed = ({ search, actorId, action, subject, from, to }: AuditList) =>
  allOf(
    actorId ? sql`actor_id = ${actorId}` : undefined,
    action ? sql`action = ${action}` : undefined,
    subject ? sql`subject = ${subject}` : undefined,
    from ? sql`audit_entry.created_at >= ${from}` : undefined,
    to ? sql`audit_entry.created_at <= ${to}` : undefined,
    search
      ? sql`(action LIKE ${containing(search.toLowerCase())} OR lower(subject) LIKE ${containing(search.toLowerCase())}
          OR actor_id IN (
            SELECT id FROM users WHERE role = 'admin' AND nickname_key LIKE ${containing(search.toLowerCase())}))`
      : undefined,
  )

export const listAudit = (queries: Queries, list: AuditList) =>
  queries.rows<AuditRow>(sql`
    SELECT audit_entry.id, audit_entry.created_at, actor_id, users.nickname AS actor, action, subject, before, after
    FROM audit_entry LEFT JOIN users ON users.id = actor_id
    WHERE ${isListed(list)} ORDER BY audit_entry.id ${direction(list.order)} ${pageOf(list)}`)

export const countAudit = (queries: Queries, list: AuditList) =>
  countOf(queries, sql`SELECT FROM audit_entry WHERE ${isListed(list)}`, list.search)
