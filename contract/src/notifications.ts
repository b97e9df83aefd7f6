import { z } from 'zod'
import { ownPassword } from './accounts.ts'
import { endpoint, endpointsFor } from './endpoint.ts'
import { nothing, text, toData } from './fields.ts'
import { messageChannels, messageFaults } from './messages.ts'

/** What customers are told by Telegram and e-mail: that support answered, and that an order was delivered or refunded. */
export const notificationKinds = ['answered', 'delivered', 'refunded'] as const
export type NotificationKind = (typeof notificationKinds)[number]

const kind = z.enum(notificationKinds)
const channel = z.enum(messageChannels)

const notificationWay = z.object({
  channel,
  /** The address of e-mail; null for a chat, whose id means nothing to its owner. */
  address: z.string().nullable(),
  /** Whether a link for a new password goes there: not to a chat that was connected with a password before the present one. */
  recovers: z.boolean(),
  /** The kinds that are sent there. */
  kinds: z.array(kind),
  /** Why nothing can be sent there; null while it can. */
  fault: z.enum(messageFaults).nullable(),
})
export type NotificationWay = z.infer<typeof notificationWay>

export const notifications = z.object({
  /** Those that the shop has the channel for. */
  ways: z.array(notificationWay),
  /** Whether the shop has a bot that a customer can start. */
  has_bot: z.boolean(),
  /** Whether the shop has a mailbox to write from. */
  has_mail: z.boolean(),
})
export type Notifications = z.infer<typeof notifications>

const ownEndpoint = endpointsFor({ access: 'customer', tag: 'accounts' })

export const notificationsApi = {
  read: ownEndpoint('GET /profile/notifications', {
    operationId: 'readOwnNotifications',
    summary: 'Where the customer is told what, past the store',
    answer: toData(notifications),
  }),
  change: ownEndpoint('PUT /profile/notifications', {
    operationId: 'changeOwnNotifications',
    refusals: ['NOT_FOUND'],
    summary: 'Has one kind of notifications sent to an own contact, or no longer',
    body: z.strictObject({ channel, kind, is_on: z.boolean() }),
    answer: toData(notifications),
  }),
  startTelegram: ownEndpoint('POST /profile/telegram', {
    operationId: 'linkTelegram',
    refusals: ['NOT_FOUND', 'RATE_LIMITED'],
    summary:
      'A link to the shop’s bot, which connects one chat within half an hour; ends an earlier link. The chat can get a link for a new password, so the present one is asked for',
    body: z.strictObject({ currentPassword: ownPassword }),
    answer: toData(z.object({ link: z.string() })),
    status: 201,
  }),
  endTelegram: ownEndpoint('DELETE /profile/telegram', {
    operationId: 'unlinkTelegram',
    summary: 'Sends nothing more to the chat that was connected',
    answer: nothing,
    status: 204,
  }),
  decline: endpoint('POST /notifications/decline', {
    operationId: 'declineNotifications',
    refusals: ['NOT_FOUND'],
    access: 'visitor',
    tag: 'accounts',
    summary: 'Sends no more notifications of one kind, by what the link in a notification ends with',
    body: z.strictObject({ token: text(1, 200) }),
    answer: z.object({ kind }),
  }),
}
