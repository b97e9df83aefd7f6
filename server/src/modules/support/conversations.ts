import type { ConversationKind, DeskAuthor, DeskMessage } from '@olmos/contract/desk'
import { Failure } from '@olmos/contract/failure'
import type { Language } from '@olmos/contract/fields'
import type { ConversationState, OpenedTalk, Talk, TalkAuthor, TalkMessage } from '@olmos/contract/support'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Resources } from '../../platform/context.ts'
import { type Queries, type Sql, sql, type Tx } from '../../platform/database/queries.ts'
import { raiseAlert, resolveAlert } from '../../platform/live/alert.ts'
import { toDigest } from '../../platform/security/tokens.ts'
import { queueForVisitor, queueNotifications } from '../messages/notifications.ts'

/** The last message that is no note. Needs `conversation` in scope. */
export const lastMessage = sql`
  JOIN conversation_message AS last ON last.id = greatest(conversation.last_customer_id, conversation.last_answer_id)`

export const lastColumns = sql`
  last.id AS last_id, last.author AS last_author, left(last.text, ${SERVER_LIMITS.excerptLength}) AS last_text,
  last.created_at AS last_written_at`

export interface LastRow {
  last_id: number
  last_author: TalkAuthor
  last_text: string
  last_written_at: Date
}

export const shownLast = ({ last_id, last_author, last_text, last_written_at }: LastRow): TalkMessage => ({
  id: last_id,
  author: last_author,
  text: last_text,
  created_at: last_written_at.toISOString(),
})

interface TalkRow extends LastRow {
  id: number
  state: ConversationState
  named_order: string
  is_unread: boolean
  created_at: Date
}

const selectTalks = sql`
  SELECT conversation.id, conversation.state, conversation.named_order, conversation.last_answer_id > customer_read AS is_unread,
    conversation.created_at, ${lastColumns}
  FROM conversation ${lastMessage}`

const shownTalk = ({ id, state, named_order, is_unread, created_at, ...row }: TalkRow): Talk => ({
  id,
  state,
  order: named_order,
  last: shownLast(row),
  is_unread,
  created_at: created_at.toISOString(),
})

/** Lists the latest conversations that a customer opened while logged in. */
export async function listTalks(queries: Queries, userId: number): Promise<Talk[]> {
  const rows = await queries.rows<TalkRow>(sql`
    ${selectTalks} WHERE user_id = ${userId} ORDER BY last_at DESC LIMIT ${SERVER_LIMITS.ownConversationsShown}`)
  return rows.map(shownTalk)
}

interface MessageRow {
  id: number
  author: DeskAuthor
  by: string | null
  text: string
  created_at: Date
  total: number
}

/** Reads the newest messages of a conversation, oldest first, and how many there are before them. */
export async function readMessages(
  queries: Queries,
  id: number,
  { shown, isToldNotes }: { shown: number; isToldNotes: boolean },
): Promise<{ messages: DeskMessage[]; earlier: number }> {
  const rows = await queries.rows<MessageRow>(sql`
    SELECT message.id, author, users.nickname AS by, text, message.created_at, (count(*) OVER ())::int AS total
    FROM conversation_message AS message LEFT JOIN users ON users.id = admin_id
    WHERE conversation_id = ${id} AND (author <> 'note' OR ${isToldNotes})
    ORDER BY message.id DESC LIMIT ${shown}`)
  const messages = rows
    .toReversed()
    .map(({ total: _, ...row }) => ({ ...row, created_at: row.created_at.toISOString() }))
  return { messages, earlier: (rows[0]?.total ?? 0) - rows.length }
}

/** Reads a conversation as its customer sees it: no notes, and not who of the shop wrote. */
export async function readTalk(queries: Queries, id: number, shown: number): Promise<OpenedTalk> {
  const row = await queries.one<TalkRow>(sql`${selectTalks} WHERE conversation.id = ${id}`)
  const { messages, earlier } = await readMessages(queries, id, { shown, isToldNotes: false })
  return {
    ...shownTalk(row),
    messages: messages.map(({ by: _, author, ...message }) => ({ ...message, author: author as TalkAuthor })),
    earlier,
  }
}

const linkEnd = sql`now() + make_interval(days => ${SERVER_LIMITS.conversationLinkDays})`

/** Finds the conversation that a visitor's link opens. */
export async function requireLinked(queries: Queries, token: string): Promise<number> {
  const row = await queries.maybe<{ id: number }>(
    sql`SELECT id FROM conversation WHERE link_digest = ${toDigest(token)} AND link_expires_at > now()`,
  )
  if (!row) throw new Failure('NOT_FOUND')
  return row.id
}

/** Refuses the conversation of somebody else. */
export async function requireOwn(queries: Queries, userId: number, id: number): Promise<void> {
  const row = await queries.maybe(sql`SELECT FROM conversation WHERE id = ${id} AND user_id = ${userId}`)
  if (!row) throw new Failure('NOT_FOUND')
}

/** Notifies both sides of what is new in a conversation, or the operators alone. */
export const announce = (
  tx: Tx,
  { id, user_id }: { id: number; user_id: number | null },
  to: 'everybody' | 'desk' = 'everybody',
): void => tx.notify('conversation', `${id} ${user_id ?? 0} ${to}`)

/** Numbers who reads the conversation: a customer by the user's id, a visitor by a number below zero, which no user has. */
export const toReader = ({ id, user_id }: { id: number; user_id: number | null }): number => user_id ?? -id

/** Forwards the notification that something is new in a conversation to the readers at this node. */
export const announceConversations =
  ({ live }: Pick<Resources, 'live'>) =>
  (payload?: string): void => {
    // Notifications sent while this node was disconnected are lost.
    if (payload === undefined) {
      live.endAll()
      return
    }
    const [id, user, to] = payload.split(' ')
    const event = { id: Number(id) }
    live.send('desk', event)
    if (to === 'everybody') live.send('conversations', event, toReader({ ...event, user_id: Number(user) || null }))
  }

interface NewConversation {
  kind: ConversationKind
  /** Who is logged in. */
  userId: number | null
  nickname: string
  claimedId: string
  contact: string
  language: Language
  /** The account that who asks for a new password names. */
  accountId: number | null
  order: string
  message: string
  /** What the link of a visitor ends with. */
  token: string | null
}

/** Opens a conversation with what its customer wrote. */
export async function openConversation(tx: Tx, wanted: NewConversation): Promise<number> {
  const { kind, userId, nickname, claimedId, contact, language, accountId, order, message, token } = wanted
  const { id } = await tx.one<{ id: number }>(sql`
    INSERT INTO conversation (kind, user_id, nickname, claimed_id, contact, language, account_id, named_order, link_digest,
      link_expires_at)
    VALUES (${kind}, ${userId}, ${nickname}, ${claimedId}, ${contact}, ${language}, ${accountId}, ${order},
      ${token === null ? null : toDigest(token)}::bytea, ${token === null ? sql`NULL` : linkEnd})
    RETURNING id`)
  await writeAsCustomer(tx, id, message)
  return id
}

/** Makes the statement that stores a message and changes its conversation; `change` may use the message's row as `written`. */
const write = (id: number, message: { author: DeskAuthor; adminId: number | null; text: string }, change: Sql) => sql`
  WITH written AS (
    INSERT INTO conversation_message (conversation_id, author, admin_id, text, created_at)
    VALUES (${id}, ${message.author}, ${message.adminId}, ${message.text}, clock_timestamp()) RETURNING id, created_at)
  UPDATE conversation SET ${change} FROM written WHERE conversation.id = ${id} RETURNING conversation.id, user_id`

/** Raises the alert that is open until the conversation is answered or closed. */
export const alertWaiting = (tx: Tx, id: number) =>
  raiseAlert(tx, { kind: 'support.waiting', subject: `conversation:${id}`, details: {} })

export const resolveWaiting = (tx: Tx, id: number) => resolveAlert(tx, 'support.waiting', `conversation:${id}`)

/** Locks a conversation until the transaction ends, so that its messages are counted in the order of their ids. */
export async function lockConversation(tx: Tx, id: number): Promise<void> {
  const row = await tx.maybe(sql`SELECT FROM conversation WHERE id = ${id} FOR UPDATE`)
  if (!row) throw new Failure('NOT_FOUND')
}

/** Writes a message of the customer's, which opens the conversation again and keeps the link to it. */
export async function writeAsCustomer(tx: Tx, id: number, text: string): Promise<void> {
  await lockConversation(tx, id)
  const row = await tx.one<{ id: number; user_id: number | null }>(
    write(
      id,
      { author: 'customer', adminId: null, text },
      sql`state = 'open', closed_at = NULL, last_customer_id = written.id, last_customer_at = written.created_at,
        link_expires_at = CASE WHEN link_digest IS NOT NULL THEN ${linkEnd} END`,
    ),
  )
  await alertWaiting(tx, id)
  announce(tx, row)
}

/** Answers the customer. Who answers first has the conversation, unless somebody has it. */
export async function writeAnswer(
  tx: Tx,
  id: number,
  { adminId, text, close }: { adminId: number; text: string; close: boolean },
): Promise<void> {
  const { is_unread, contact } = await tx.one<{ is_unread: boolean; contact: string }>(
    sql`SELECT last_answer_id > customer_read AS is_unread, contact FROM conversation WHERE id = ${id}`,
  )
  const row = await tx.one<{ id: number; user_id: number | null }>(
    write(
      id,
      { author: 'shop', adminId, text },
      sql`state = ${close ? 'closed' : 'waiting'}, closed_at = ${close ? sql`written.created_at` : sql`NULL`},
        assignee_id = coalesce(assignee_id, ${adminId}), last_answer_id = written.id, last_answer_at = written.created_at,
        first_answered_at = coalesce(first_answered_at, written.created_at), operators_read = last_customer_id,
        link_expires_at = CASE WHEN link_digest IS NOT NULL THEN ${linkEnd} END`,
    ),
  )
  await resolveWaiting(tx, id)
  announce(tx, row)
  // Somebody who has not read the previous answer was notified of that one.
  if (is_unread) return
  const notification =
    row.user_id === null
      ? queueForVisitor(id, contact)
      : queueNotifications(row.user_id, { kind: 'notification.answered', conversation: id })
  if (notification) tx.atCommit(notification)
}

/** Writes a note for colleagues: nothing that its customer could see changes. */
export async function writeNote(
  tx: Tx,
  id: number,
  { adminId, text }: { adminId: number; text: string },
): Promise<void> {
  const row = await tx.one<{ id: number; user_id: number | null }>(
    write(id, { author: 'note', adminId, text }, sql`operators_read = last_customer_id`),
  )
  announce(tx, row, 'desk')
}

const readMarks = { customer: sql`customer_read`, operators: sql`operators_read` }
const latest = { customer: sql`last_answer_id`, operators: sql`last_customer_id` }

/** Marks what the other side wrote as read, up to a message; what came since stays unread. */
export async function markRead(tx: Tx, id: number, by: keyof typeof readMarks, upTo: number): Promise<void> {
  const until = sql`least(${upTo}::bigint, ${latest[by]})`
  const row = await tx.maybe<{ id: number; user_id: number | null }>(sql`
    UPDATE conversation SET ${readMarks[by]} = ${until} WHERE id = ${id} AND ${readMarks[by]} < ${until} RETURNING id, user_id`)
  if (row) announce(tx, row, by === 'customer' ? 'everybody' : 'desk')
}
