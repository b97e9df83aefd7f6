import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { dataOf, id, idText, listOf, listQuery, time } from './fields.ts'

/** `acknowledged`: an operator has taken it on, and it is not over yet. */
export const alertStates = ['open', 'acknowledged', 'resolved'] as const
export type AlertState = (typeof alertStates)[number]

export const alert = z.object({
  id,
  /** What kind of trouble: `delivery.stuck`. */
  kind: z.string(),
  /** What it is about: `delivery:17`, or a supplier's name. */
  subject: z.string(),
  /** What is known of it, by kind; money is minor units. */
  details: z.record(z.string(), z.unknown()),
  state: z.enum(alertStates),
  created_at: time,
  acknowledged_at: time.nullable(),
  /** Nickname of the admin. */
  acknowledged_by: z.string().nullable(),
  resolved_at: time.nullable(),
  /** None when it was over by itself. */
  resolved_by: z.string().nullable(),
})
export type Alert = z.infer<typeof alert>

const tag = 'admin'

export const alertsApi = {
  list: endpoint({
    method: 'GET',
    path: '/admin/alerts',
    access: 'admin',
    tag,
    summary:
      'What went wrong and waits for an operator: what is not over first; a search is for a part of kind or subject',
    query: listQuery(['id']).extend({ state: z.enum(alertStates).optional() }),
    answer: listOf(alert),
  }),
  count: endpoint({
    method: 'GET',
    path: '/admin/alerts/count',
    access: 'admin',
    tag,
    summary: 'How many nobody has taken on yet',
    answer: dataOf(z.object({ open: z.int() })),
  }),
  change: endpoint({
    method: 'PUT',
    path: '/admin/alerts/:id',
    access: 'admin',
    tag,
    summary: 'Takes an alert on, or says that it is over; the same trouble raises a new one afterwards',
    params: z.object({ id: idText }),
    body: z.strictObject({ state: z.enum(['acknowledged', 'resolved']) }),
    answer: dataOf(alert),
  }),
}
