import { z } from 'zod'
import { adminEndpoint, endpoint } from './endpoint.ts'
import { byId, id, listQuery, text, time, toData, toList, version } from './fields.ts'

const supportStatuses = ['open', 'answered'] as const
export type SupportStatus = (typeof supportStatuses)[number]

/** The sender's own words; a number is read as if it were typed. */
const userId = z.union([z.int().transform(String), z.string()], 'required').pipe(text(1, 50))

const newSupportMessage = z.strictObject({
  nickname: text(1, 100),
  userId,
  message: text(1, 5_000),
  contact: text(0, 200).nullish(),
})
export type NewSupportMessage = z.infer<typeof newSupportMessage>

export const supportMessage = z.object({
  id,
  nickname: z.string(),
  userId: z.string(),
  contact: z.string(),
  message: z.string(),
  status: z.enum(supportStatuses),
  note: z.string(),
  /** Whether the sender was logged in: nickname and id are then the shop's own, else what somebody typed. */
  is_known: z.boolean(),
  /** The nickname of the admin who answered. */
  answered_by: z.string().nullable(),
  answered_at: time.nullable(),
  created_at: time,
  version,
})
export type SupportMessage = z.infer<typeof supportMessage>

const supportMessageChange = z
  .strictObject({ status: z.enum(supportStatuses), note: text(0, 5_000), version })
  .partial()
export type SupportMessageChange = z.infer<typeof supportMessageChange>

export const supportApi = {
  send: endpoint('POST /support', {
    operationId: 'sendSupportMessage',
    refusals: ['RATE_LIMITED'],
    access: 'visitor',
    tag: 'support',
    knowsCaller: true,
    summary: 'Sends a message to the operator; with a session it is signed by who is logged in, whatever the body says',
    body: newSupportMessage,
    answer: z.object({ success: z.literal(true), id }),
    status: 201,
  }),
  list: adminEndpoint('GET /admin/support-messages', {
    operationId: 'listSupportMessages',
    summary: 'Messages to the operator',
    query: listQuery(['id', 'created_at', 'status', 'nickname']).extend({ status: z.enum(supportStatuses).optional() }),
    answer: toList(supportMessage),
  }),
  change: adminEndpoint('PUT /admin/support-messages/:id', {
    operationId: 'answerSupportMessage',
    refusals: ['STATE_CONFLICT'],
    summary: 'Marks a message as answered or open, with a note for colleagues',
    params: byId,
    body: supportMessageChange,
    answer: toData(supportMessage),
  }),
}
