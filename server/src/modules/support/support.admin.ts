import {
  type AnswerTemplate,
  type Conversation,
  type ConversationKind,
  deskApi,
  type NewTemplate,
  type OpenedConversation,
  type TemplateChange,
} from '@olmos/contract/desk'
import { Failure } from '@olmos/contract/failure'
import type { Language } from '@olmos/contract/fields'
import * as LIMITS from '@olmos/contract/limits'
import { toMajor } from '@olmos/contract/minor-units'
import type { OrderStatus } from '@olmos/contract/orders'
import type { ConversationState } from '@olmos/contract/support'
import type { RestoredVersion } from '@olmos/contract/versions'
import type { Context } from '../../platform/context.ts'
import {
  allConditions,
  countAll,
  direction,
  isOn,
  orDuplicate,
  requireVersion,
  type SortedList,
  toPage,
  withTotal,
} from '../../platform/database/lists.ts'
import { containing, type Queries, type Sql, sql, type Tx } from '../../platform/database/queries.ts'
import { writeAudit, writeAuditChange } from '../../platform/security/audit.ts'
import { readTimeZone } from '../shop/shop.ts'
import {
  findOlder,
  keepLast,
  keepVersion,
  listRemoved,
  listVersions,
  lockVersions,
  readAgain,
} from '../shop/versions.ts'
import {
  alertWaiting,
  announce,
  type LastRow,
  lastColumns,
  lastMessage,
  lockConversation,
  markRead,
  readMessages,
  resolveWaiting,
  shownLast,
  writeAnswer,
  writeNote,
} from './conversations.ts'

interface ConversationRow extends LastRow {
  id: number
  kind: ConversationKind
  state: ConversationState
  user_id: number | null
  nickname: string
  claimed_id: string
  contact: string
  language: Language
  account_id: number | null
  named_order: string
  is_own_order: boolean
  is_own_contact: boolean
  is_unread: boolean
  assignee_id: number | null
  assignee: string | null
  created_at: Date
  first_answered_at: Date | null
  last_customer_at: Date
  last_answer_at: Date | null
  closed_at: Date | null
  version: number
}

// OFFSET keeps the planner from reading all orders of the shop into a table of its own, to look up those of one page.
const selectConversations = sql`
  SELECT conversation.id, conversation.kind, conversation.state, conversation.user_id, conversation.nickname, claimed_id,
    conversation.contact, conversation.language, account_id, named_order,
    EXISTS (SELECT FROM orders WHERE orders.id = upper(named_order)
      AND orders.user_id = coalesce(conversation.user_id, account_id) OFFSET 0) AS is_own_order,
    EXISTS (SELECT FROM users WHERE users.id = account_id AND users.contact <> ''
      AND lower(users.contact) = lower(conversation.contact)) AS is_own_contact,
    last_customer_id > operators_read AS is_unread, assignee_id,
    (SELECT nickname FROM users WHERE users.id = assignee_id) AS assignee, conversation.created_at, first_answered_at,
    last_customer_at, last_answer_at, closed_at, conversation.version, ${lastColumns}
  FROM conversation ${lastMessage}`

const toColumn = {
  id: sql`conversation.id`,
  last_at: sql`conversation.last_at`,
  state: sql`conversation.state`,
  nickname: sql`lower(conversation.nickname)`,
}

interface ConversationList extends SortedList<typeof deskApi.list> {
  /** That of the days. */
  timeZone: string
}

const isFound = (search: string): Sql => {
  const pattern = containing(search.toLowerCase())
  return sql`(lower(conversation.nickname || ' ' || claimed_id || ' ' || contact || ' ' || named_order) LIKE ${pattern}
    OR conversation.id IN (SELECT conversation_id FROM conversation_message WHERE lower(text) LIKE ${pattern}))`
}

const isListed = ({ search, state, kind, assignee, customer, from, to, timeZone }: ConversationList, adminId: number) =>
  allConditions(
    isOn(sql`conversation.created_at`, { from, to, timeZone }),
    customer ? sql`(conversation.user_id = ${customer} OR account_id = ${customer})` : undefined,
    kind && sql`conversation.kind = ${kind}`,
    state && sql`conversation.state = ${state}`,
    assignee === 'mine' ? sql`assignee_id = ${adminId}` : undefined,
    assignee === 'nobody' ? sql`assignee_id IS NULL` : undefined,
    search ? isFound(search) : undefined,
  )

const toOrderBy = ({ sort, order }: ConversationList) =>
  sql`${toColumn[sort]} ${direction(order)}, conversation.id ${direction(order)}`

/** Finds the page first: what a conversation shows besides is looked up for those of it alone. */
const listConversations = (queries: Queries, list: ConversationList, adminId: number) =>
  queries.rows<ConversationRow>(sql`
    ${selectConversations} WHERE conversation.id = ANY (ARRAY(
      SELECT conversation.id FROM conversation WHERE ${isListed(list, adminId)} ORDER BY ${toOrderBy(list)} ${toPage(list)}))
    ORDER BY ${toOrderBy(list)}`)

const countConversations = (queries: Queries, list: ConversationList, adminId: number) =>
  countAll(queries, sql`SELECT FROM conversation WHERE ${isListed(list, adminId)}`, list.search)

const shownConversation = (row: ConversationRow, adminId: number): Conversation => ({
  id: row.id,
  kind: row.kind,
  state: row.state,
  nickname: row.nickname,
  userId: row.claimed_id,
  contact: row.contact,
  is_known: row.user_id !== null,
  language: row.language,
  order: row.named_order === '' ? null : { id: row.named_order, proof: row.is_own_order ? 'own' : 'claimed' },
  proof: row.kind === 'recovery' ? { account_id: row.account_id, is_own_contact: row.is_own_contact } : null,
  last: shownLast(row),
  is_unread: row.is_unread,
  assignee: row.assignee,
  is_mine: row.assignee_id === adminId,
  created_at: row.created_at.toISOString(),
  first_answered_at: row.first_answered_at?.toISOString() ?? null,
  last_customer_at: row.last_customer_at.toISOString(),
  last_answer_at: row.last_answer_at?.toISOString() ?? null,
  closed_at: row.closed_at?.toISOString() ?? null,
  version: row.version,
})

async function readConversation(queries: Queries, id: number): Promise<ConversationRow> {
  const row = await queries.maybe<ConversationRow>(sql`${selectConversations} WHERE conversation.id = ${id}`)
  if (!row) throw new Failure('NOT_FOUND')
  return row
}

type CustomerCard = NonNullable<OpenedConversation['customer']>

const findCustomer = (queries: Queries, userId: number) =>
  queries.maybe<Omit<CustomerCard, 'created_at'> & { created_at: Date }>(sql`
    SELECT id, nickname, contact, created_at, blocked_at IS NOT NULL AS is_blocked,
      (SELECT count(*)::int FROM orders WHERE orders.user_id = users.id AND purpose = 'goods') AS orders,
      (SELECT count(*)::int FROM conversation WHERE conversation.user_id = users.id) AS conversations
    FROM users WHERE id = ${userId}`)

interface NamedOrderRow {
  id: string
  status: OrderStatus
  currency: 'USD' | 'RUB'
  total: number
  created_at: Date
  nickname: string
  items: { title: string; quantity: number }[]
}

const findNamedOrder = (queries: Queries, typed: string, language: Language) =>
  queries.maybe<NamedOrderRow>(sql`
    SELECT orders.id, orders.status, orders.currency, orders.total, orders.created_at, users.nickname,
      (SELECT coalesce(json_agg(json_build_object('title', texts.title, 'quantity', order_item.quantity)
          ORDER BY order_item.position), '[]')
        FROM order_item
        LEFT JOIN offer ON offer.id = order_item.offer_id
        JOIN LATERAL (
          SELECT title FROM product_text
          WHERE product_id = coalesce(order_item.product_id, offer.product_id) AND language IN (${language}, 'ru')
          ORDER BY language = ${language} DESC LIMIT 1) AS texts ON true
        WHERE order_item.order_id = orders.id) AS items
    FROM orders JOIN users ON users.id = orders.user_id WHERE orders.id = upper(${typed}::text)`)

/** Reads a conversation with its messages and notes, and who and what it is about. */
async function readOpened(
  queries: Queries,
  id: number,
  { adminId, language, shown = LIMITS.talkMessages }: { adminId: number; language: Language; shown?: number },
): Promise<OpenedConversation> {
  const row = await readConversation(queries, id)
  const userId = row.user_id ?? row.account_id
  const customer = userId === null ? undefined : await findCustomer(queries, userId)
  const named = row.named_order === '' ? undefined : await findNamedOrder(queries, row.named_order, language)
  return {
    ...shownConversation(row, adminId),
    ...(await readMessages(queries, id, { shown, isToldNotes: true })),
    customer: customer ? { ...customer, created_at: customer.created_at.toISOString() } : null,
    named: named
      ? { ...toOrderCard(named), total_amount: toMajor(named.total), created_at: named.created_at.toISOString() }
      : null,
  }
}

const toOrderCard = ({ total: _, created_at: __, ...order }: NamedOrderRow) => order

/** Locks a conversation and refuses when it is another one by now than the admin saw. */
async function lockSeen(tx: Tx, adminId: number, id: number, seen: number | undefined): Promise<ConversationRow> {
  await lockConversation(tx, id)
  const row = await readConversation(tx, id)
  requireVersion(shownConversation(row, adminId), seen)
  return row
}

interface Answer {
  text: string
  close: boolean
  version?: number | undefined
}

async function answerConversation(tx: Tx, adminId: number, id: number, { text, close, version }: Answer) {
  await lockSeen(tx, adminId, id, version)
  await writeAnswer(tx, id, { adminId, text, close })
  await writeAudit(tx, { actorId: adminId, action: 'support.answer', subject: `support:${id}`, after: { close } })
}

interface ConversationChange {
  state?: ConversationState | undefined
  mine?: boolean | undefined
  version?: number | undefined
}

/** Closes a conversation or opens it again, takes it on or leaves it. */
async function changeConversation(
  tx: Tx,
  adminId: number,
  id: number,
  { state: wanted, mine, version }: ConversationChange,
): Promise<Conversation> {
  const row = await lockSeen(tx, adminId, id, version)
  const state = wanted ?? row.state
  const assigneeId = mine === undefined ? row.assignee_id : mine ? adminId : null
  await tx.run(sql`
    UPDATE conversation SET state = ${state}, assignee_id = ${assigneeId},
      closed_at = CASE WHEN ${state} = 'closed' THEN coalesce(closed_at, now()) END
    WHERE id = ${id}`)
  if (state !== 'open') await resolveWaiting(tx, id)
  else if (row.state !== 'open') await alertWaiting(tx, id)
  announce(tx, row, state === row.state ? 'desk' : 'everybody')
  const [before, after] = [row, await readConversation(tx, id)].map((one) => shownConversation(one, adminId)) as [
    Conversation,
    Conversation,
  ]
  const entry = { actorId: adminId, action: 'support.update', subject: `support:${id}` } as const
  await writeAuditChange(tx, entry, before, after)
  return after
}

const templateColumns = sql`id, title, texts, version`
const templateOrder = { id: sql`id`, title: sql`lower(title)` }

type TemplateList = SortedList<typeof deskApi.templates>

const isTemplateListed = ({ search }: TemplateList) =>
  search ? sql`(title ILIKE ${containing(search)} OR texts::text ILIKE ${containing(search)})` : sql`true`

async function listTemplates(queries: Queries, list: TemplateList) {
  const { rows: data, total } = await withTotal(
    list,
    queries.rows<AnswerTemplate>(sql`
      SELECT ${templateColumns} FROM answer_template WHERE ${isTemplateListed(list)}
      ORDER BY ${templateOrder[list.sort]} ${direction(list.order)}, id ${toPage(list)}`),
    () => countAll(queries, sql`SELECT FROM answer_template WHERE ${isTemplateListed(list)}`, list.search),
  )
  return { data, total }
}

/** What versions keep of a template. */
const toKept = ({ title, texts }: AnswerTemplate): object => ({ title, texts })

const refuseTakenTitle = <T>(write: Promise<T>): Promise<T> => orDuplicate(write, 'answer_template_title_key', 'title')

/** Adds a template, by the id that it had where it was removed. */
async function addTemplate(
  tx: Tx,
  adminId: number,
  wanted: NewTemplate,
  formerId: number | null,
): Promise<AnswerTemplate> {
  const { count } = await tx.one<{ count: number }>(sql`SELECT count(*)::int AS count FROM answer_template`)
  if (count >= LIMITS.templatesMax) throw new Failure('VALIDATION_FAILED', { title: 'list_too_long' })
  const row = await refuseTakenTitle(
    tx.one<AnswerTemplate>(sql`
      INSERT INTO answer_template (id, title, texts) OVERRIDING SYSTEM VALUE
      VALUES (${formerId === null ? sql`DEFAULT` : sql`${formerId}::int`}, ${wanted.title},
        ${JSON.stringify(wanted.texts)}::jsonb)
      RETURNING ${templateColumns}`),
  )
  const subject = `answer_template:${row.id}` as const
  await writeAudit(tx, { actorId: adminId, action: 'answer_template.create', subject, after: wanted })
  await keepVersion(tx, subject, { before: undefined, after: toKept(row) }, adminId)
  return row
}

const findTemplate = (tx: Tx, id: number): Promise<AnswerTemplate | undefined> =>
  tx.maybe<AnswerTemplate>(sql`SELECT ${templateColumns} FROM answer_template WHERE id = ${id} FOR UPDATE`)

async function lockTemplate(tx: Tx, id: number): Promise<AnswerTemplate> {
  const row = await findTemplate(tx, id)
  if (!row) throw new Failure('NOT_FOUND')
  return row
}

async function changeTemplate(
  tx: Tx,
  adminId: number,
  id: number,
  { version, ...change }: TemplateChange,
): Promise<AnswerTemplate> {
  const before = await lockTemplate(tx, id)
  requireVersion(before, version)
  const wanted = { ...before, ...change }
  const after = await refuseTakenTitle(
    tx.one<AnswerTemplate>(sql`
      UPDATE answer_template SET title = ${wanted.title}, texts = ${JSON.stringify(wanted.texts)}::jsonb
      WHERE id = ${id} RETURNING ${templateColumns}`),
  )
  const entry = { actorId: adminId, action: 'answer_template.update', subject: `answer_template:${id}` } as const
  await writeAuditChange(tx, entry, { ...before }, { ...after })
  await keepVersion(tx, entry.subject, { before: toKept(before), after: toKept(after) }, adminId)
  return after
}

/** Changes a template to what an older version says, or brings a removed one back, by what saving that has to pass. */
async function restoreTemplate(tx: Tx, adminId: number, id: number, wanted: RestoredVersion): Promise<AnswerTemplate> {
  const section = `answer_template:${id}` as const
  await lockVersions(tx, section)
  const isRemoved = !(await findTemplate(tx, id))
  const { older } = await findOlder(tx, section, wanted)
  return isRemoved
    ? addTemplate(tx, adminId, readAgain(deskApi.addTemplate.body, older.value), id)
    : changeTemplate(tx, adminId, id, readAgain(deskApi.changeTemplate.body, older.value))
}

async function removeTemplate(tx: Tx, adminId: number, id: number): Promise<void> {
  const before = await lockTemplate(tx, id)
  await keepLast(tx, `answer_template:${id}`, toKept(before))
  await tx.run(sql`DELETE FROM answer_template WHERE id = ${id}`)
  await writeAudit(tx, {
    ...{ actorId: adminId, action: 'answer_template.delete', subject: `answer_template:${id}` },
    before,
  })
}

/** The calls by which operators talk with customers and visitors. */
export function supportAdmin({ serve, database, live, config }: Context): void {
  serve(deskApi.list, async ({ user, query }) => {
    const list = { ...query, sort: query.sort ?? 'last_at', timeZone: await readTimeZone(database, config) }
    const read = listConversations(database, list, user.id)
    const { rows, total } = await withTotal(list, read, () => countConversations(database, list, user.id))
    return { data: rows.map((row) => shownConversation(row, user.id)), total }
  })

  serve(deskApi.count, async () => ({
    data: { open: await countAll(database, sql`SELECT FROM conversation WHERE state = 'open'`) },
  }))

  serve.stream(deskApi.follow, async ({ user }) => live.open('desk', user.id))

  serve(deskApi.open, async ({ user, params: { id }, query: { shown }, language }) => ({
    data: await readOpened(database, id, { adminId: user.id, language, shown }),
  }))

  serve(deskApi.answer, async ({ user, params: { id }, body, language }) => {
    await database.transaction((tx) => answerConversation(tx, user.id, id, body))
    return { data: await readOpened(database, id, { adminId: user.id, language }) }
  })

  serve(deskApi.note, async ({ user, params: { id }, body: { text }, language }) => {
    await database.transaction(async (tx) => {
      await lockConversation(tx, id)
      await writeNote(tx, id, { adminId: user.id, text })
      await writeAudit(tx, { actorId: user.id, action: 'support.note', subject: `support:${id}` })
    })
    return { data: await readOpened(database, id, { adminId: user.id, language }) }
  })

  serve(deskApi.change, async ({ user, params: { id }, body }) => ({
    data: await database.transaction((tx) => changeConversation(tx, user.id, id, body)),
  }))

  serve(deskApi.read, async ({ params: { id }, body: { upTo } }) => {
    await database.transaction((tx) => markRead(tx, id, 'operators', upTo))
  })

  serve(deskApi.templates, ({ query }) => listTemplates(database, { ...query, sort: query.sort ?? 'id' }))

  serve(deskApi.addTemplate, async ({ user, body }) => ({
    data: await database.transaction((tx) => addTemplate(tx, user.id, body, null)),
  }))

  serve(deskApi.changeTemplate, async ({ user, params: { id }, body }) => ({
    data: await database.transaction((tx) => changeTemplate(tx, user.id, id, body)),
  }))

  serve(deskApi.templateVersions, async ({ params: { id } }) => ({
    data: await listVersions(database, `answer_template:${id}`),
  }))

  serve(deskApi.removedTemplates, async () => ({
    data: await listRemoved(database, 'answer_template', sql`SELECT id FROM answer_template`),
  }))

  serve(deskApi.restoreTemplate, async ({ user, params: { id }, body }) => ({
    data: await database.transaction((tx) => restoreTemplate(tx, user.id, id, body)),
  }))

  serve(deskApi.removeTemplate, async ({ user, params: { id } }) => {
    await database.transaction((tx) => removeTemplate(tx, user.id, id))
    return { data: { id } }
  })
}
