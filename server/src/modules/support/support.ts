import { Failure } from '@olmos/contract/failure'
import {
  type NewRecovery,
  type NewSupportMessage,
  type SupportMessage,
  type SupportMessageChange,
  type SupportStatus,
  supportApi,
} from '@olmos/contract/support'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Context } from '../../platform/context.ts'
import {
  allConditions,
  countAll,
  direction,
  requireVersion,
  type SortedList,
  toPage,
  withTotal,
} from '../../platform/database/lists.ts'
import { containing, type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { createRateLimiter } from '../../platform/http/rate-limit.ts'
import type { Caller } from '../../platform/http/route.ts'
import { writeAuditChange } from '../../platform/security/audit.ts'
import { findUserByNickname } from '../accounts/accounts.store.ts'
import { nicknameKey } from '../accounts/accounts.ts'

interface SupportRow extends Omit<SupportMessage, 'answered_at' | 'created_at' | 'proof'> {
  account_id: number | null
  named_order: string
  is_own_order: boolean
  is_own_contact: boolean
  answered_at: Date | null
  created_at: Date
}

const columns = sql`
  support_message.id, support_message.nickname, support_message.user_id AS "userId", support_message.contact,
  support_message.sender_id IS NOT NULL AS is_known, support_message.message, support_message.status, support_message.note, support_message.answered_at,
  support_message.created_at, support_message.version, support_message.kind, support_message.account_id,
  support_message.named_order,
  EXISTS (SELECT FROM orders WHERE orders.id = upper(support_message.named_order)
    AND orders.user_id = support_message.account_id) AS is_own_order,
  EXISTS (SELECT FROM users WHERE users.id = support_message.account_id AND users.contact <> ''
    AND lower(users.contact) = lower(support_message.contact)) AS is_own_contact,
  (SELECT nickname FROM users WHERE users.id = support_message.answered_by) AS answered_by`

const toColumn = {
  id: sql`support_message.id`,
  created_at: sql`support_message.created_at`,
  status: sql`support_message.status`,
  nickname: sql`lower(support_message.nickname)`,
}

type SupportList = SortedList<typeof supportApi.list>

const isListed = ({ search, status, kind }: SupportList) =>
  allConditions(
    kind && sql`support_message.kind = ${kind}`,
    status && sql`support_message.status = ${status}`,
    search ? sql`support_message.words LIKE ${containing(search.toLowerCase())}` : undefined,
  )

const listMessages = (queries: Queries, list: SupportList) =>
  queries.rows<SupportRow>(sql`
    SELECT ${columns} FROM support_message WHERE ${isListed(list)}
    ORDER BY ${toColumn[list.sort]} ${direction(list.order)}, support_message.id ${toPage(list)}`)

const countMessages = (queries: Queries, list: SupportList) =>
  countAll(queries, sql`SELECT FROM support_message WHERE ${isListed(list)}`, list.search)

async function insertMessage(
  queries: Queries,
  { nickname, userId, contact, message, senderId }: NewSupportMessage & { senderId: number | null },
): Promise<number> {
  const { id } = await queries.one<{ id: number }>(sql`
    INSERT INTO support_message (nickname, user_id, contact, message, sender_id)
    VALUES (${nickname}, ${userId}, ${contact ?? ''}, ${message}, ${senderId}) RETURNING id`)
  return id
}

/** The sender is nobody who is logged in, so there is no id either. */
const insertRecovery = (
  queries: Queries,
  { nickname, order, contact, message }: NewRecovery,
  accountId: number | null,
) =>
  queries.run(sql`
    INSERT INTO support_message (kind, nickname, user_id, contact, message, account_id, named_order)
    VALUES ('recovery', ${nickname}, '', ${contact}, ${message ?? ''}, ${accountId}, ${order ?? ''})`)

/** Reads a message and locks it until the transaction ends. */
const lockMessage = (tx: Tx, messageId: number) =>
  tx.maybe<SupportRow>(sql`SELECT ${columns} FROM support_message WHERE id = ${messageId} FOR UPDATE`)

/** Returns the message as it is then. The first answer keeps its time and its admin. */
const updateMessage = (
  tx: Tx,
  messageId: number,
  { status, note, adminId }: { status: SupportStatus; note: string; adminId: number },
) =>
  tx.one<SupportRow>(sql`
    UPDATE support_message SET status = ${status}, note = ${note},
      answered_by = CASE WHEN ${status} = 'answered' THEN coalesce(answered_by, ${adminId}) END,
      answered_at = CASE WHEN ${status} = 'answered' THEN coalesce(answered_at, now()) END
    WHERE id = ${messageId} RETURNING ${columns}`)

const shownMessage = ({
  account_id,
  named_order,
  is_own_order,
  is_own_contact,
  ...row
}: SupportRow): SupportMessage => ({
  ...row,
  proof: row.kind === 'recovery' ? { account_id, order: named_order, is_own_order, is_own_contact } : null,
  answered_at: row.answered_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
})

/**
 * Marks a message as answered or reopens it, and records how. The answer itself is sent by the channel the sender
 * named.
 */
async function answerMessage(
  tx: Tx,
  adminId: number,
  messageId: number,
  { version, ...change }: SupportMessageChange,
): Promise<SupportMessage> {
  const row = await lockMessage(tx, messageId)
  if (!row) throw new Failure('NOT_FOUND')
  const before = shownMessage(row)
  requireVersion(before, version)
  const { status, note } = { ...before, ...change }
  const after = shownMessage(await updateMessage(tx, messageId, { status, note, adminId }))
  await writeAuditChange(
    tx,
    { actorId: adminId, action: 'support.update', subject: `support:${messageId}` },
    before,
    after,
  )
  return after
}

/** Signs the message with the session's own name and id, so that nobody writes in another's name. */
const signedBy = (user: Caller | undefined, message: NewSupportMessage) =>
  user
    ? { ...message, nickname: user.nickname, userId: String(user.id), senderId: user.id }
    : { ...message, senderId: null }

export function supportRoutes({ serve, database, config }: Context): void {
  const limit = { name: 'supportMessagesPerAddress', ...SERVER_LIMITS.rates.supportMessagesPerAddress }
  const messagesPerAddress = createRateLimiter(database, limit, config.rateLimits)

  serve(supportApi.send, async ({ user, body, address }) => {
    await messagesPerAddress.count(address)
    return { success: true as const, id: await insertMessage(database, signedBy(user, body)) }
  })

  serve(supportApi.recover, async ({ body, address }) => {
    await messagesPerAddress.count(address)
    const account = await findUserByNickname(database, nicknameKey(body.nickname))
    await insertRecovery(database, body, account?.id ?? null)
    return { success: true as const }
  })

  serve(supportApi.list, async ({ query }) => {
    const list = { ...query, sort: query.sort ?? 'id' }
    const { rows, total } = await withTotal(list, listMessages(database, list), () => countMessages(database, list))
    return { data: rows.map(shownMessage), total }
  })

  serve(supportApi.change, async ({ user, params, body }) => ({
    data: await database.transaction((tx) => answerMessage(tx, user.id, params.id, body)),
  }))
}
