import { z } from 'zod'
import { type AlertKind, alertKinds } from './alerts.ts'
import { adminEndpoint } from './endpoint.ts'
import {
  bigId,
  byBigId,
  byId,
  emptyBody,
  id,
  languageSchema,
  listQuery,
  orderId,
  text,
  time,
  timeOfDay,
  toData,
  toList,
  version,
} from './fields.ts'
import { emailAddress } from './fiscal-settings.ts'
import * as LIMITS from './limits.ts'
import { providerSetting, settingsByName } from './payment-setup.ts'

/** What carries messages to operators. */
export const messageChannels = ['telegram', 'email'] as const
export type MessageChannel = (typeof messageChannels)[number]

/** Nobody may sleep through these: they come in quiet hours too, because money, codes or all sales are at stake. */
export const urgentAlertKinds: readonly AlertKind[] = [
  'backup.failed',
  'delivery.stuck',
  'invariant',
  'payment.not_allowed',
  'payment.refused',
  'security.copies',
  'security.guessing',
  'security.resets',
  'security.reveals',
  'supplier.not_allowed',
  'supplier.out',
  'supplier.refuses',
]

/** What a message says of alerts of one kind: how many, and nothing that is in them. The rest is behind a link. */
const ofAlerts = {
  /** One of `alertKinds`, or its name in an earlier version of the store. */
  alert_kind: z.string(),
  count: z.int().min(1),
}

/** What a message is about. Its text is made of this when it is sent, in the recipient's language. */
export const messagePayload = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('alert.raised'), ...ofAlerts }),
  /** Nobody has taken them on for a day. */
  z.strictObject({ kind: z.literal('alert.reminder'), ...ofAlerts }),
  z.strictObject({ kind: z.literal('alert.resolved'), ...ofAlerts }),
  z.strictObject({ kind: z.literal('test') }),
  /** To customers. */
  z.strictObject({ kind: z.literal('notification.answered'), conversation: id }),
  z.strictObject({ kind: z.literal('notification.delivered'), order: orderId }),
  z.strictObject({ kind: z.literal('notification.refunded'), order: orderId }),
  /** To a visitor, whose conversation only the link opens that was given once. */
  z.strictObject({ kind: z.literal('notification.visitor') }),
  /** A link for a new password, which is made when it is sent; and that it was used. */
  z.strictObject({ kind: z.literal('recovery.link') }),
  z.strictObject({ kind: z.literal('recovery.used') }),
  /** The staff set a new password. */
  z.strictObject({ kind: z.literal('recovery.reset') }),
  /** To the address that was a customer's contact before, which nothing more goes to. */
  z.strictObject({ kind: z.literal('recovery.moved') }),
])
export type MessagePayload = z.infer<typeof messagePayload>

/** `waiting`: it will be sent, or sent again. `failed`: it was given up. */
export const messageStates = ['waiting', 'sent', 'failed'] as const
export type MessageState = (typeof messageStates)[number]

/**
 * Why a message was not sent. `not_set_up`, `not_allowed`: the shop's account at the channel is missing, or refused.
 * `blocked`, `no_chat`, `chat_moved`, `no_mailbox`: the recipient can't be reached, and is switched off. `switched_off`: by
 * an admin. `refused`: for another lasting reason. `busy`, `broken`, `timeout`, `network`: for now, so it is tried again.
 */
export const messageFaults = [
  'not_set_up',
  'not_allowed',
  'blocked',
  'no_chat',
  'chat_moved',
  'no_mailbox',
  'switched_off',
  'refused',
  'busy',
  'broken',
  'timeout',
  'network',
] as const
export type MessageFault = (typeof messageFaults)[number]

/** `on`: it is set up. `incomplete`: a setting is missing, or what was typed does not open. */
const channelStates = ['on', 'incomplete', 'not_set_up'] as const
export type ChannelState = (typeof channelStates)[number]

const shopChannel = z.object({
  name: z.enum(messageChannels),
  state: z.enum(channelStates),
  /** Whether the environment has settings of it: what is typed does not count then, and can't be changed here. */
  is_in_environment: z.boolean(),
  settings: z.array(providerSetting),
  version,
  changed_at: time.nullable(),
  /** The admin's nickname. */
  changed_by: z.string().nullable(),
})
export type ShopChannel = z.infer<typeof shopChannel>

/** When messages wait, in the shop's time zone; it may go over midnight. */
const quietHours = z
  .strictObject({ from: timeOfDay, to: timeOfDay })
  .refine(({ from, to }) => from !== to, { path: ['to'], error: 'invalid_time' })

export const recipient = z.object({
  id,
  name: z.string(),
  channel: z.enum(messageChannels),
  /** A Telegram chat's id or @name, or an address of e-mail. */
  address: z.string(),
  language: languageSchema,
  /** Which kinds of alerts; null for all. */
  alert_kinds: z.array(z.string()).nullable(),
  quiet_hours: z.object({ from: z.string(), to: z.string() }).nullable(),
  is_on: z.boolean(),
  /** Why the store switched it off; null where it did not. */
  fault: z.enum(messageFaults).nullable(),
  /** The fault in the channel's own words. */
  words: z.string().nullable(),
  version,
  created_at: time,
})
export type Recipient = z.infer<typeof recipient>

const chat = z.string().regex(/^(?:-?\d{1,20}|@[A-Za-z]\w{3,31})$/)

/** The key of what is wrong with an address on this channel; undefined where nothing is. */
export function toAddressFault(channel: MessageChannel, address: string): string | undefined {
  if (channel === 'telegram') return chat.safeParse(address).success ? undefined : 'invalid_chat'
  return emailAddress.safeParse(address).success ? undefined : 'invalid_email'
}

const wish = z.strictObject({
  name: text(1, LIMITS.recipientNameMax),
  address: text(1, LIMITS.emailLengthMax),
  language: languageSchema,
  alert_kinds: z.array(z.enum(alertKinds)).min(1, 'required').max(alertKinds.length, 'list_too_long').nullable(),
  quiet_hours: quietHours.nullable(),
  is_on: z.boolean(),
})

const newRecipient = wish.extend({ channel: z.enum(messageChannels) })
export type NewRecipient = z.output<typeof newRecipient>

/** What is left out stays. Nobody moves to another channel. */
const recipientChange = wish.extend({ version }).partial()
export type RecipientChange = z.output<typeof recipientChange>

export const message = z.object({
  id: bigId,
  /** Null for a customer and a visitor. */
  recipient_id: id.nullable(),
  /** The recipient's name, the customer's nickname, or the name that a visitor gave. */
  recipient: z.string(),
  channel: z.enum(messageChannels),
  /** Null for one of a kind that only another version of the store knows. */
  payload: messagePayload.nullable(),
  state: z.enum(messageStates),
  attempts: z.int(),
  fault: z.enum(messageFaults).nullable(),
  words: z.string().nullable(),
  created_at: time,
  /** When it is sent at the earliest; null where it is not to be sent any more. */
  next_attempt_at: time.nullable(),
  sent_at: time.nullable(),
})
export type ListedMessage = z.infer<typeof message>

/** Calls about the messages that tell operators of alerts. */
export const messagesApi = {
  channels: adminEndpoint('GET /admin/message-channels', {
    operationId: 'listMessageChannels',
    permission: 'settings.read',
    summary: 'What can carry messages to operators, and what of each is set; never a secret',
    answer: toData(z.array(shopChannel)),
  }),
  setChannel: adminEndpoint('PUT /admin/message-channels/:channel', {
    operationId: 'setMessageChannel',
    // Links for new passwords go over it: who has them sent by way of an own server is in every customer's account.
    permission: 'payments.setup',
    refusals: ['STATE_CONFLICT'],
    summary: 'Sets the shop’s account at a channel, or clears it; in force at once. Takes `messages.write` as well',
    params: z.object({ channel: text(1, LIMITS.wordLengthMax).describe('The name of the channel.') }),
    body: z.strictObject({
      /**
       * A setting that is left out stays, a blank one is cleared; null clears the whole account. Secrets have to be typed
       * again where another setting would send them elsewhere.
       */
      settings: settingsByName.nullable(),
      version: version.optional(),
    }),
    answer: toData(shopChannel),
    confirmed: true,
  }),
  recipients: adminEndpoint('GET /admin/message-recipients', {
    operationId: 'listMessageRecipients',
    permission: 'settings.read',
    summary: 'Who gets messages about alerts',
    query: listQuery(['id', 'name']),
    answer: toList(recipient),
  }),
  addRecipient: adminEndpoint('POST /admin/message-recipients', {
    operationId: 'addMessageRecipient',
    permission: 'messages.write',
    refusals: ['DUPLICATE'],
    summary: 'Has messages about alerts sent to somebody; those that are raised from then on',
    body: newRecipient,
    answer: toData(recipient),
    status: 201,
    confirmed: true,
  }),
  changeRecipient: adminEndpoint('PUT /admin/message-recipients/:id', {
    operationId: 'changeMessageRecipient',
    permission: 'messages.write',
    refusals: ['DUPLICATE', 'STATE_CONFLICT'],
    summary: 'Changes who gets which messages, and when',
    params: byId,
    body: recipientChange,
    answer: toData(recipient),
    confirmed: true,
  }),
  removeRecipient: adminEndpoint('DELETE /admin/message-recipients/:id', {
    operationId: 'removeMessageRecipient',
    permission: 'messages.write',
    summary: 'Sends nothing more to somebody, and forgets what was sent',
    params: byId,
    answer: toData(z.object({ id })),
    confirmed: true,
  }),
  test: adminEndpoint('POST /admin/message-recipients/:id/test', {
    operationId: 'sendTestMessage',
    permission: 'messages.write',
    summary: 'Sends a test message at once, whatever the hour, and says what came of it; it is tried once',
    params: byId,
    body: emptyBody,
    answer: toData(message),
    confirmed: true,
  }),
  list: adminEndpoint('GET /admin/messages', {
    operationId: 'listMessages',
    permission: 'settings.read',
    summary: 'The messages that were or will be sent, newest first; a search is for a part of a recipient’s name',
    query: listQuery(['id']).extend({ state: z.enum(messageStates).optional() }),
    answer: toList(message),
  }),
  retry: adminEndpoint('POST /admin/messages/:id/retry', {
    operationId: 'retryMessage',
    permission: 'messages.write',
    refusals: ['STATE_CONFLICT'],
    summary: 'Has a message that was given up sent after all',
    params: byBigId,
    body: emptyBody,
    answer: toData(message),
    confirmed: true,
  }),
}
