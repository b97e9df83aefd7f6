import { z } from 'zod'
import { adminEndpoint } from './endpoint.ts'
import {
  byId,
  date,
  id,
  idText,
  languageSchema,
  listQuery,
  nothing,
  orderId,
  plainText,
  text,
  time,
  toData,
  toList,
  version,
} from './fields.ts'
import * as LIMITS from './limits.ts'
import { shownAmountSchema } from './money.ts'
import { orderStatuses } from './orders.ts'
import {
  conversationEvent,
  conversationStates,
  messageText,
  shownMessages,
  talkAuthors,
  talkMessage,
  upTo,
} from './support.ts'
import { keptVersion, removedThing, restoredVersion } from './versions.ts'

/** Questions, and customers who can't log in and ask for a new password. */
const conversationKinds = ['question', 'recovery'] as const
export type ConversationKind = (typeof conversationKinds)[number]

/** `claimed`: the order may be anybody's. */
const orderProofs = ['own', 'claimed'] as const

const deskAuthors = [...talkAuthors, 'note'] as const
export type DeskAuthor = (typeof deskAuthors)[number]

const deskMessage = talkMessage.extend({
  /** A note is for colleagues and never sent. */
  author: z.enum(deskAuthors),
  /** The nickname of the admin who wrote it; null for the customer's. */
  by: z.string().nullable(),
})
export type DeskMessage = z.infer<typeof deskMessage>

/** A conversation as operators see it. */
export const conversation = z.object({
  id,
  kind: z.enum(conversationKinds),
  state: z.enum(conversationStates),
  nickname: z.string(),
  /** The id that was typed, or the session's. */
  userId: z.string(),
  contact: z.string(),
  /** Whether the writer was logged in: nickname and id are then the shop's own, else what somebody typed. */
  is_known: z.boolean(),
  language: languageSchema,
  /** The order that it is about, as it was typed; null for none. */
  order: z.object({ id: z.string(), proof: z.enum(orderProofs) }).nullable(),
  /** What proves who asks for a new password; null for a question. */
  proof: z
    .object({
      /** The account with this nickname; null if there is none. */
      account_id: id.nullable(),
      /** Whether the account has this contact. */
      is_own_contact: z.boolean(),
    })
    .nullable(),
  /** What was said last, cut short; never a note. */
  last: talkMessage,
  /** Whether the customer has written since an operator looked. */
  is_unread: z.boolean(),
  /** The admin who has it. */
  assignee: z.string().nullable(),
  is_mine: z.boolean(),
  created_at: time,
  first_answered_at: time.nullable(),
  last_customer_at: time,
  last_answer_at: time.nullable(),
  closed_at: time.nullable(),
  version,
})
export type Conversation = z.infer<typeof conversation>

const customerCard = z.object({
  id,
  nickname: z.string(),
  contact: z.string(),
  created_at: time,
  is_blocked: z.boolean(),
  orders: z.int(),
  /** How many conversations there are with this customer, this one included. */
  conversations: z.int(),
})

const orderCard = z.object({
  id: orderId,
  status: z.enum(orderStatuses),
  currency: z.enum(['USD', 'RUB']),
  total_amount: shownAmountSchema,
  created_at: time,
  /** Whose it is. */
  nickname: z.string(),
  items: z.array(z.object({ title: z.string(), quantity: z.int() })),
})

export const openedConversation = conversation.extend({
  messages: z.array(deskMessage),
  earlier: z.int(),
  /** The account of who writes, or the one that who asks for a password says is theirs; null for a visitor. */
  customer: customerCard.nullable(),
  /** The order that was named, if there is one. */
  named: orderCard.nullable(),
})
export type OpenedConversation = z.infer<typeof openedConversation>

/** What stands in braces in a template, and is filled in when it is put into an answer. */
export const placeholders = ['nickname', 'order'] as const
export type Placeholder = (typeof placeholders)[number]

const braced = /\{\s*([^{}\n]{1,40}?)\s*\}/g
const isPlaceholder = (name: string) => (placeholders as readonly string[]).includes(name)
const listBraced = (value: string) => [...value.matchAll(braced)].map(([whole, name = '']) => ({ whole, name }))

const templateText = plainText(0, LIMITS.messageLengthMax).refine(
  (value) => listBraced(value).every(({ whole, name }) => isPlaceholder(name) && whole === `{${name}}`),
  'unknown_placeholder',
)

/** Nobody wants to read `{nickname}`. */
const answerText = messageText.refine(
  (value) => !listBraced(value).some(({ name }) => isPlaceholder(name)),
  'placeholder_left',
)

const texts = z.strictObject({ ru: templateText, en: templateText, uz: templateText })

export const answerTemplate = z.object({
  id,
  title: z.string(),
  /** By language; blank where there is none. */
  texts: z.object({ ru: z.string(), en: z.string(), uz: z.string() }),
  version,
})
export type AnswerTemplate = z.infer<typeof answerTemplate>

const newTemplate = z
  .strictObject({ title: text(1, LIMITS.templateTitleMax), texts })
  .refine(({ texts: by }) => Object.values(by).some((value) => value !== ''), { path: ['texts'], error: 'required' })
export type NewTemplate = z.output<typeof newTemplate>

const templateChange = z
  .strictObject({ title: text(1, LIMITS.templateTitleMax), texts, version })
  .partial()
  .refine(({ texts: by }) => !by || Object.values(by).some((value) => value !== ''), {
    path: ['texts'],
    error: 'required',
  })
export type TemplateChange = z.output<typeof templateChange>

const conversationFilters = ['mine', 'nobody'] as const

/** The calls by which operators talk with customers. */
export const deskApi = {
  list: adminEndpoint('GET /admin/conversations', {
    operationId: 'listConversations',
    permission: 'support.write',
    summary:
      'Conversations with customers and visitors; a search is for a part of what was written, of the nickname, the contact or the number of the order',
    query: listQuery(['id', 'last_at', 'state', 'nickname']).extend({
      state: z.enum(conversationStates).optional(),
      kind: z.enum(conversationKinds).optional(),
      assignee: z.enum(conversationFilters).optional(),
      /** The first and the last day on which they were opened, in the shop's time zone. */
      from: date.optional(),
      to: date.optional(),
      /** The customer who wrote, or whose account a new password is asked for. */
      customer: idText.optional(),
    }),
    answer: toList(conversation),
  }),
  count: adminEndpoint('GET /admin/conversations/count', {
    operationId: 'countOpenConversations',
    permission: 'support.write',
    summary: 'How many wait for an answer',
    answer: toData(z.object({ open: z.int() })),
  }),
  follow: adminEndpoint('GET /admin/conversations/events', {
    operationId: 'followConversations',
    permission: 'support.write',
    refusals: ['RATE_LIMITED'],
    stream: true,
    summary: 'Server-sent events: conversations that changed. Ends now and then; read them again then',
    answer: conversationEvent,
  }),
  open: adminEndpoint('GET /admin/conversations/:id', {
    operationId: 'readConversation',
    permission: 'support.write',
    summary: 'One conversation with its newest messages and notes, its customer and the order that was named',
    params: byId,
    query: z.strictObject({ shown: shownMessages }),
    answer: toData(openedConversation),
  }),
  answer: adminEndpoint('POST /admin/conversations/:id/answers', {
    operationId: 'answerConversation',
    permission: 'support.write',
    refusals: ['STATE_CONFLICT'],
    summary: 'Answers a customer, and closes the conversation if that is all',
    params: byId,
    body: z.strictObject({ text: answerText, close: z.boolean().default(false), version: version.optional() }),
    answer: toData(openedConversation),
    status: 201,
  }),
  note: adminEndpoint('POST /admin/conversations/:id/notes', {
    operationId: 'noteInConversation',
    permission: 'support.write',
    summary: 'Writes a note for colleagues, which the customer never sees',
    params: byId,
    body: z.strictObject({ text: messageText }),
    answer: toData(openedConversation),
    status: 201,
  }),
  change: adminEndpoint('PUT /admin/conversations/:id', {
    operationId: 'changeConversation',
    permission: 'support.write',
    refusals: ['STATE_CONFLICT'],
    summary: 'Closes a conversation or opens it again; takes it on, or leaves it to the others',
    params: byId,
    body: z.strictObject({ state: z.enum(conversationStates), mine: z.boolean(), version }).partial(),
    answer: toData(conversation),
  }),
  read: adminEndpoint('PUT /admin/conversations/:id/read', {
    operationId: 'markConversationRead',
    permission: 'support.write',
    summary: 'Marks what the customer wrote as seen by the operators, up to a message',
    params: byId,
    body: z.strictObject({ upTo }),
    answer: nothing,
    status: 204,
  }),

  templates: adminEndpoint('GET /admin/answer-templates', {
    operationId: 'listAnswerTemplates',
    permission: 'support.write',
    summary: 'Answers that are written often',
    query: listQuery(['id', 'title']),
    answer: toList(answerTemplate),
  }),
  addTemplate: adminEndpoint('POST /admin/answer-templates', {
    operationId: 'addAnswerTemplate',
    permission: 'support.write',
    refusals: ['DUPLICATE'],
    summary: 'Adds an answer that is written often; {nickname} and {order} are filled in when it is used',
    body: newTemplate,
    answer: toData(answerTemplate),
    status: 201,
    confirmed: true,
  }),
  changeTemplate: adminEndpoint('PUT /admin/answer-templates/:id', {
    operationId: 'changeAnswerTemplate',
    permission: 'support.write',
    refusals: ['DUPLICATE', 'STATE_CONFLICT'],
    summary: 'Changes an answer that is written often',
    params: byId,
    body: templateChange,
    answer: toData(answerTemplate),
    confirmed: true,
  }),
  templateVersions: adminEndpoint('GET /admin/answer-templates/:id/versions', {
    operationId: 'listAnswerTemplateVersions',
    permission: 'support.write',
    summary: 'The last fifty versions of an answer that is written often, newest first',
    params: byId,
    answer: toData(z.array(keptVersion)),
  }),
  removedTemplates: adminEndpoint('GET /admin/answer-templates/removed', {
    operationId: 'listRemovedAnswerTemplates',
    permission: 'support.write',
    summary: 'The last fifty of these answers that were deleted, as each was last; restoring a version brings one back',
    answer: toData(z.array(removedThing)),
  }),
  restoreTemplate: adminEndpoint('POST /admin/answer-templates/:id/restore', {
    operationId: 'restoreAnswerTemplate',
    permission: 'support.write',
    refusals: ['DUPLICATE', 'STATE_CONFLICT'],
    summary:
      'Changes an answer that is written often to an older version, or brings a deleted one back, if it could be saved today',
    params: byId,
    body: restoredVersion,
    answer: toData(answerTemplate),
    confirmed: true,
  }),
  removeTemplate: adminEndpoint('DELETE /admin/answer-templates/:id', {
    operationId: 'removeAnswerTemplate',
    permission: 'support.write',
    summary: 'Deletes an answer that is written often; what was answered with it stays',
    params: byId,
    answer: toData(z.object({ id })),
    confirmed: true,
  }),
}
