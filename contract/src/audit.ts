import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { id, idText, listOf, listQuery, text, time } from './fields.ts'

export const auditEntry = z.object({
  id,
  created_at: time,
  actor_id: id.nullable(),
  /** Nickname of the admin; none when the shop itself did it. */
  actor: z.string().nullable(),
  /** Noun and verb: `product.update`. */
  action: z.string(),
  /** What was changed: `product:17`. */
  subject: z.string(),
  /** Only the fields that changed, of a change. */
  before: z.unknown(),
  after: z.unknown(),
})
export type AuditEntry = z.infer<typeof auditEntry>

const moment = z.iso.datetime({ offset: true, error: 'invalid_time' }).optional()

export const auditApi = {
  list: endpoint({
    method: 'GET',
    path: '/admin/audit',
    access: 'admin',
    tag: 'admin',
    summary: 'Who changed what, newest first; a search is for a part of an action, a subject or a nickname',
    query: listQuery(['id']).extend({
      actorId: idText.optional(),
      action: text(0, 100).optional(),
      subject: text(0, 100).optional(),
      from: moment,
      to: moment,
    }),
    answer: listOf(auditEntry),
  }),
}
