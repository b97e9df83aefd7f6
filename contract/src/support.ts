import { z } from 'zod'
import { adminEndpoint, endpoint, endpointsFor } from './endpoint.ts'
import {
  bigId,
  byId,
  id,
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
  wholeNumber,
} from './fields.ts'
import * as LIMITS from './limits.ts'
import { shownAmountSchema } from './money.ts'
import { orderStatuses } from './orders.ts'

/** `open`: the shop has to answer. `waiting`: the customer has. Whatever the customer writes opens it again. */
export const conversationStates = ['open', 'waiting', 'closed'] as const
export type ConversationState = (typeof conversationStates)[number]

/** Questions, and customers who can't log in and ask for a new password. */
const conversationKinds = ['question', 'recovery'] as const
export type ConversationKind = (typeof conversationKinds)[number]

/** The sender's own words; a number is read as if it were typed. */
const userId = z.union([z.int().transform(String), z.string()], 'required').pipe(text(1, 50))
const messageText = plainText(1, LIMITS.messageLengthMax)
const namedOrder = text(0, 64).nullish()

const newSupportMessage = z.strictObject({
  nickname: text(1, 100),
  userId,
  message: messageText,
  contact: text(0, 200).nullish(),
  /** The number of the order that it is about, as it was typed. */
  order: namedOrder,
})
export type NewSupportMessage = z.infer<typeof newSupportMessage>

const newRecovery = z.strictObject({
  nickname: text(1, 100),
  /** The number of any order of that account, as it stands in a message of the bank or in the browser's history. */
  order: namedOrder,
  /** Where the new password is sent. */
  contact: text(1, 200),
  message: plainText(0, LIMITS.messageLengthMax).nullish(),
})
export type NewRecovery = z.infer<typeof newRecovery>

/** What the customer wrote, and what the shop did. */
const talkAuthors = ['customer', 'shop'] as const
export type TalkAuthor = (typeof talkAuthors)[number]

const talkMessage = z.object({ id: bigId, author: z.enum(talkAuthors), text: z.string(), created_at: time })
export type TalkMessage = z.infer<typeof talkMessage>

/** A conversation as its customer sees it. */
export const talk = z.object({
  id,
  state: z.enum(conversationStates),
  /** The number of the order that it is about; blank for none. */
  order: z.string(),
  /** Its last message, cut short. */
  last: talkMessage,
  /** Whether the shop has answered since the customer looked. */
  is_unread: z.boolean(),
  created_at: time,
})
export type Talk = z.infer<typeof talk>

/** Its newest messages, oldest first, and how many more there are before them. */
export const openedTalk = talk.extend({ messages: z.array(talkMessage), earlier: z.int() })
export type OpenedTalk = z.infer<typeof openedTalk>

/** How many of the newest messages are wanted. */
const shownMessages = wholeNumber(4, 'invalid_page', 1, LIMITS.talkMessagesMax).default(LIMITS.talkMessages)
const shownCount = z.int().min(1).max(LIMITS.talkMessagesMax).default(LIMITS.talkMessages)

/** What the link of a visitor ends with: a secret, which no address may have that a server sees. */
const token = text(1, 100)
/** The last message that was seen. */
const upTo = bigId

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

const visitorEndpoint = endpointsFor({ access: 'visitor', tag: 'support' })
const customerEndpoint = endpointsFor({ access: 'customer', tag: 'support' })

/** What a stream says: something is new in this conversation. */
const conversationEvent = z.object({ id })

export const supportApi = {
  send: endpoint('POST /support', {
    operationId: 'sendSupportMessage',
    refusals: ['RATE_LIMITED'],
    access: 'visitor',
    tag: 'support',
    knowsCaller: true,
    summary:
      'Opens a conversation with the operator; with a session it is signed by who is logged in, whatever the body says. A visitor is told the link to it, this once',
    body: newSupportMessage,
    answer: z.object({ success: z.literal(true), id, link: z.string().nullable() }),
    status: 201,
  }),
  recover: visitorEndpoint('POST /support/recovery', {
    operationId: 'askForNewPassword',
    refusals: ['RATE_LIMITED'],
    summary: 'Asks the operator for a new password, without being logged in; tells nothing about the account',
    body: newRecovery,
    answer: z.object({ success: z.literal(true), link: z.string() }),
    status: 201,
  }),

  openLinked: visitorEndpoint('POST /support/linked', {
    operationId: 'openLinkedConversation',
    refusals: ['NOT_FOUND', 'RATE_LIMITED'],
    summary: 'A visitor’s conversation, by what its link ends with; what is answered counts as seen',
    body: z.strictObject({ token, shown: shownCount }),
    answer: openedTalk,
  }),
  writeLinked: visitorEndpoint('POST /support/linked/messages', {
    operationId: 'writeInLinkedConversation',
    refusals: ['NOT_FOUND', 'RATE_LIMITED'],
    summary: 'Writes in a visitor’s conversation; a closed one is open again',
    body: z.strictObject({ token, message: messageText }),
    answer: openedTalk,
    status: 201,
  }),
  followLinked: visitorEndpoint('POST /support/linked/events', {
    operationId: 'followLinkedConversation',
    refusals: ['NOT_FOUND', 'RATE_LIMITED'],
    stream: true,
    summary: 'Server-sent events: something is new in a visitor’s conversation. Ends now and then; read it again then',
    body: z.strictObject({ token }),
    answer: conversationEvent,
  }),

  own: customerEndpoint('GET /support/conversations', {
    operationId: 'listOwnConversations',
    summary: 'Own conversations with the shop, the latest first',
    answer: toData(z.array(talk)),
  }),
  follow: customerEndpoint('GET /support/conversations/events', {
    operationId: 'followOwnConversations',
    refusals: ['RATE_LIMITED'],
    stream: true,
    summary: 'Server-sent events: own conversations in which something is new. Ends now and then; read them again then',
    answer: conversationEvent,
  }),
  open: customerEndpoint('GET /support/conversations/:id', {
    operationId: 'readOwnConversation',
    summary: 'One own conversation with its newest messages',
    params: byId,
    query: z.strictObject({ shown: shownMessages }),
    answer: openedTalk,
  }),
  write: customerEndpoint('POST /support/conversations/:id/messages', {
    operationId: 'writeInOwnConversation',
    refusals: ['RATE_LIMITED'],
    summary: 'Writes in an own conversation; a closed one is open again',
    params: byId,
    body: z.strictObject({ message: messageText }),
    answer: openedTalk,
    status: 201,
  }),
  read: customerEndpoint('PUT /support/conversations/:id/read', {
    operationId: 'markOwnConversationRead',
    summary: 'Marks what the shop answered as seen, up to a message',
    params: byId,
    body: z.strictObject({ upTo }),
    answer: nothing,
    status: 204,
  }),
}

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
  removeTemplate: adminEndpoint('DELETE /admin/answer-templates/:id', {
    operationId: 'removeAnswerTemplate',
    permission: 'support.write',
    summary: 'Deletes an answer that is written often; what was answered with it stays',
    params: byId,
    answer: toData(z.object({ id })),
    confirmed: true,
  }),
}
