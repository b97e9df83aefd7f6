import { z } from 'zod'
import { endpoint, endpointsFor } from './endpoint.ts'
import { bigId, byId, id, nothing, plainText, text, time, toData, wholeNumber } from './fields.ts'
import * as LIMITS from './limits.ts'

/** `open`: the shop has to answer. `waiting`: the customer has. Whatever the customer writes opens it again. */
export const conversationStates = ['open', 'waiting', 'closed'] as const
export type ConversationState = (typeof conversationStates)[number]

/** The sender's own words; a number is read as if it were typed. */
const userId = z.union([z.int().transform(String), z.string()], 'required').pipe(text(1, 50))
export const messageText = plainText(1, LIMITS.messageLengthMax)
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
export const talkAuthors = ['customer', 'shop'] as const
export type TalkAuthor = (typeof talkAuthors)[number]

export const talkMessage = z.object({ id: bigId, author: z.enum(talkAuthors), text: z.string(), created_at: time })
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
export const shownMessages = wholeNumber(4, 'invalid_page', 1, LIMITS.talkMessagesMax).default(LIMITS.talkMessages)
const shownCount = z.int().min(1).max(LIMITS.talkMessagesMax).default(LIMITS.talkMessages)

/** What the link of a visitor ends with: a secret, which no address may have that a server sees. */
const token = text(1, 100)
/** The last message that was seen. */
export const upTo = bigId

const visitorEndpoint = endpointsFor({ access: 'visitor', tag: 'support' })
const customerEndpoint = endpointsFor({ access: 'customer', tag: 'support' })

/** What a stream says: something is new in this conversation. */
export const conversationEvent = z.object({ id })

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
