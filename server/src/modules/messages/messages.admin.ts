import type { QueryParams } from '@olmos/contract/endpoint'
import { Failure } from '@olmos/contract/failure'
import { type ListedMessage, type MessageState, messagePayload, messagesApi } from '@olmos/contract/messages'
import type { Context } from '../../platform/context.ts'
import { allConditions, countAll, direction, toPage, withTotal } from '../../platform/database/lists.ts'
import { containing, type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { requireTypable } from '../../platform/vendor/adapters.ts'
import type { ChannelAdapter } from './channel.ts'
import { changeChannel, channelAdapters, isInEnvironment, makeChannel, readChannel } from './channels.ts'
import { addRecipient, changeRecipient, listRecipients, lockRecipient, removeRecipient } from './recipients.ts'
import { insertMessage, sendLeased } from './send-messages.ts'

interface MessageRow extends Omit<ListedMessage, 'payload' | 'created_at' | 'next_attempt_at' | 'sent_at'> {
  payload: unknown
  created_at: Date
  next_attempt_at: Date
  sent_at: Date | null
}

/** Joins somebody of the shop, the customer, or the visitor. */
const receiver = sql`
  LEFT JOIN message_recipient AS recipient ON recipient.id = recipient_id
  LEFT JOIN customer_contact AS contact ON contact.id = contact_id
  LEFT JOIN users ON users.id = coalesce(contact.user_id, former_user_id)
  LEFT JOIN conversation ON conversation.id = conversation_id`

const receiverName = sql`coalesce(recipient.name, users.nickname, conversation.nickname)`

const selectMessages = sql`
  SELECT message.id, recipient_id, ${receiverName} AS recipient, message.channel, payload, message.state,
    attempts, message.fault, message.words, message.created_at, next_attempt_at, sent_at
  FROM message ${receiver}`

type MessageList = QueryParams<typeof messagesApi.list>

const isListed = ({ search, state }: MessageList) =>
  allConditions(
    state && sql`message.state = ${state}`,
    search ? sql`${receiverName} ILIKE ${containing(search)}` : undefined,
  )

const listMessages = (queries: Queries, list: MessageList) =>
  queries.rows<MessageRow>(sql`
    ${selectMessages} WHERE ${isListed(list)} ORDER BY message.id ${direction(list.order)} ${toPage(list)}`)

const countMessages = (queries: Queries, list: MessageList) =>
  countAll(queries, sql`SELECT FROM message ${receiver} WHERE ${isListed(list)}`, list.search)

const shownMessage = (row: MessageRow): ListedMessage => ({
  ...row,
  payload: messagePayload.safeParse(row.payload).data ?? null,
  created_at: row.created_at.toISOString(),
  next_attempt_at: row.state === 'waiting' ? row.next_attempt_at.toISOString() : null,
  sent_at: row.sent_at?.toISOString() ?? null,
})

const readMessage = async (queries: Queries, id: number): Promise<ListedMessage> =>
  shownMessage(await queries.one<MessageRow>(sql`${selectMessages} WHERE message.id = ${id}`))

/** Queues a test message that is leased to the caller, who sends it once the transaction is over. */
async function queueTest(tx: Tx, adminId: number, recipientId: number): Promise<number> {
  const { id, channel, language } = await lockRecipient(tx, recipientId)
  const to = { recipient_id: id, channel, language }
  const messageId = await insertMessage(tx, to, { payload: { kind: 'test' }, isUrgent: true, isLeased: true })
  await writeAudit(tx, { actorId: adminId, action: 'message.test', subject: `message_recipient:${id}` })
  return messageId
}

/** Gives a message that was given up another day. */
async function retryMessage(tx: Tx, adminId: number, id: number): Promise<ListedMessage> {
  const row = await tx.maybe<{ state: MessageState }>(sql`SELECT state FROM message WHERE id = ${id} FOR UPDATE`)
  if (!row) throw new Failure('NOT_FOUND')
  if (row.state !== 'failed') throw new Failure('STATE_CONFLICT', { reason: 'message_not_failed', state: row.state })
  await tx.run(sql`
    UPDATE message SET state = 'waiting', next_attempt_at = now(), tried_since = now(), leased_until = NULL WHERE id = ${id}`)
  await writeAudit(tx, { actorId: adminId, action: 'message.retry', subject: `message:${id}` })
  return readMessage(tx, id)
}

function requireAdapter(name: string): ChannelAdapter {
  const adapter = channelAdapters.find((one) => one.name === name)
  if (!adapter) throw new Failure('NOT_FOUND')
  return adapter
}

/** The calls by which operators say who gets messages about alerts, and how. */
export function messagesAdmin(context: Context): void {
  const { serve, database, vault, config } = context
  const given = config.messageSettings

  serve(messagesApi.channels, async () => ({
    data: await Promise.all(channelAdapters.map((adapter) => readChannel(context, adapter))),
  }))

  serve(messagesApi.setChannel, async ({ user, params, body: { settings, version } }) => {
    if (!user.permissions.has('messages.write')) throw new Failure('FORBIDDEN', { permission: 'messages.write' })
    const adapter = requireAdapter(params.channel)
    if (isInEnvironment(adapter, given))
      throw new Failure('STATE_CONFLICT', { reason: 'channel_in_environment', channel: adapter.name })
    if (settings) requireTypable(adapter.settings, given, settings)
    const isChanged = await database.transaction((tx) =>
      changeChannel(tx, vault, user.id, {
        adapter,
        typed: settings,
        version,
        check(typed) {
          const made = makeChannel(adapter, { given, typed })
          if ('wrong' in made) throw new Failure('VALIDATION_FAILED', made.wrong)
        },
      }),
    )
    const current = await readChannel(context, adapter)
    if (!isChanged) throw new Failure('STATE_CONFLICT', { reason: 'changed_meanwhile', current })
    return { data: current }
  })

  serve(messagesApi.recipients, ({ query }) => listRecipients(database, { ...query, sort: query.sort ?? 'id' }))

  serve(messagesApi.addRecipient, async ({ user, body }) => ({
    data: await database.transaction((tx) => addRecipient(tx, user.id, body)),
  }))

  serve(messagesApi.changeRecipient, async ({ user, params, body }) => ({
    data: await database.transaction((tx) => changeRecipient(tx, user.id, params.id, body)),
  }))

  serve(messagesApi.removeRecipient, async ({ user, params: { id } }) => {
    await database.transaction((tx) => removeRecipient(tx, user.id, id))
    return { data: { id } }
  })

  serve(messagesApi.test, async ({ user, params }) => {
    const id = await database.transaction((tx) => queueTest(tx, user.id, params.id))
    await sendLeased(context, id)
    return { data: await readMessage(database, id) }
  })

  serve(messagesApi.list, async ({ query }) => {
    const { rows, total } = await withTotal(query, listMessages(database, query), () => countMessages(database, query))
    return { data: rows.map(shownMessage), total }
  })

  serve(messagesApi.retry, async ({ user, params }) => ({
    data: await database.transaction((tx) => retryMessage(tx, user.id, params.id)),
  }))
}
