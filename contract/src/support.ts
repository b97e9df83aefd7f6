import { z } from 'zod'
import { adminEndpoint, endpoint } from './endpoint.ts'
import { byId, id, listQuery, success, text, time, toData, toList, version } from './fields.ts'

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

const newRecovery = z.strictObject({
  nickname: text(1, 100),
  /** The number of any order of that account, as it stands in a message of the bank or in the browser's history. */
  order: text(0, 64).nullish(),
  /** Where the new password is sent. */
  contact: text(1, 200),
  message: text(0, 5_000).nullish(),
})
export type NewRecovery = z.infer<typeof newRecovery>

/** Questions, and customers who can't log in and ask for a new password. */
const supportKinds = ['question', 'recovery'] as const
export type SupportKind = (typeof supportKinds)[number]

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
  kind: z.enum(supportKinds),
  /** What proves who asks for a new password; null for a question. */
  proof: z
    .object({
      /** The account with this nickname; null if there is none. */
      account_id: id.nullable(),
      /** The order number as it was typed; blank for none. */
      order: z.string(),
      is_own_order: z.boolean(),
      /** Whether the account has this contact. */
      is_own_contact: z.boolean(),
    })
    .nullable(),
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
  recover: endpoint('POST /support/recovery', {
    operationId: 'askForNewPassword',
    refusals: ['RATE_LIMITED'],
    access: 'visitor',
    tag: 'support',
    summary: 'Asks the operator for a new password, without being logged in; tells nothing about the account',
    body: newRecovery,
    answer: success,
    status: 201,
  }),
  list: adminEndpoint('GET /admin/support-messages', {
    operationId: 'listSupportMessages',
    summary: 'Messages to the operator',
    query: listQuery(['id', 'created_at', 'status', 'nickname']).extend({
      status: z.enum(supportStatuses).optional(),
      kind: z.enum(supportKinds).optional(),
    }),
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
