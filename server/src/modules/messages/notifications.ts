import { Failure } from '@olmos/contract/failure'
import { emailAddress } from '@olmos/contract/fiscal-settings'
import type { MessageChannel, MessageFault, MessagePayload } from '@olmos/contract/messages'
import {
  fillNotification,
  fillPlaceholders,
  type NotificationSettings,
  type NotificationTextName,
  notificationTextsApi,
  type OperatorTextSettings,
  ownNotificationTexts,
  ownOperatorTexts,
  type TextSection,
} from '@olmos/contract/notification-texts'
import {
  type NotificationKind,
  type Notifications,
  notificationKinds,
  notificationsApi,
} from '@olmos/contract/notifications'
import type { z } from 'zod'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Context, Resources } from '../../platform/context.ts'
import { requireVersion } from '../../platform/database/lists.ts'
import { type Queries, type Sql, sql, type Tx } from '../../platform/database/queries.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { isSecret, newToken, toDigest } from '../../platform/security/tokens.ts'
import type { Vault } from '../../platform/security/vault.ts'
import { lockPassword, type User } from '../accounts/accounts.store.ts'
import { type Passwords, requirePassword } from '../accounts/accounts.ts'
import { addVersion, lockSection, readNewest, type SettingRow } from '../shop/versions.ts'
import { openChannel } from './channels.ts'

type CustomersPayload = Extract<MessagePayload, { kind: `notification.${NotificationKind}` }>
export type NotificationPayload = CustomersPayload | Extract<MessagePayload, { kind: 'notification.visitor' }>

export const isNotification = (payload: MessagePayload): payload is NotificationPayload =>
  payload.kind.startsWith('notification.')

const toKind = (payload: CustomersPayload): NotificationKind =>
  payload.kind.slice('notification.'.length) as NotificationKind

/**
 * Queues a notification to every contact of a customer that wants it, in the transaction of what it tells: it is sent if that is
 * committed, and once. Nothing is queued where the shop has nothing that carries it.
 */
export const queueNotifications = (userId: number, payload: CustomersPayload): Sql => sql`
  INSERT INTO message (contact_id, channel, language, payload, is_urgent)
  SELECT contact.id, contact.channel, coalesce(users.language, 'ru'), ${JSON.stringify(payload)}::jsonb, true
  FROM customer_contact AS contact JOIN users ON users.id = contact.user_id
  JOIN message_channel ON message_channel.name = contact.channel
    AND (message_channel.ciphertext IS NOT NULL OR message_channel.is_in_environment)
  WHERE contact.user_id = ${userId} AND contact.fault IS NULL AND users.blocked_at IS NULL
    AND NOT ${toKind(payload)} = ANY (declined)`

/**
 * Queues the mail that tells a visitor that an answer waits, if that is committed. Of the link to the conversation only a digest
 * is kept, so the mail has none. Nothing is queued where the shop has no mailbox, or the visitor left no address.
 */
export const queueForVisitor = (conversationId: number, contact: string): Sql | undefined =>
  emailAddress.safeParse(contact).success
    ? sql`
      INSERT INTO message (conversation_id, channel, language, payload, is_urgent)
      SELECT conversation.id, 'email', language, '{"kind": "notification.visitor"}'::jsonb, true
      FROM conversation JOIN message_channel ON message_channel.name = 'email'
        AND (message_channel.ciphertext IS NOT NULL OR message_channel.is_in_environment)
      WHERE conversation.id = ${conversationId}`
    : undefined

/**
 * Sends nothing more to a contact that can't be reached, until the customer gives another or starts the bot again. One that was
 * given while the message was on its way is another one already.
 */
export async function stopNotifications(
  tx: Tx,
  { id, address }: { id: number; address: string },
  fault: MessageFault,
): Promise<void> {
  const isSame = await tx.run(sql`
    UPDATE customer_contact SET fault = ${fault} WHERE id = ${id} AND address = ${address}`)
  if (isSame === 0) return
  await tx.run(
    sql`UPDATE message SET state = 'failed', fault = ${fault} WHERE contact_id = ${id} AND state = 'waiting'`,
  )
}

/** Signs what the link in a notification does: no more of one kind to one contact. */
function toDeclineToken(vault: Vault, contactId: number, kind: NotificationKind): string {
  const signed = vault.fingerprint(`decline notifications:${contactId}:${kind}`).toString('base64url')
  return `${contactId}.${kind}.${signed}`
}

// Behind the # of the address, which nobody's log or preview has.
export const toDeclineLink = (
  { vault, config }: Pick<Resources, 'vault' | 'config'>,
  contactId: number,
  payload: CustomersPayload,
): string => `${config.publicUrl}/notifications#${toDeclineToken(vault, contactId, toKind(payload))}`

function readDeclineToken(vault: Vault, token: string): { contactId: number; kind: NotificationKind } | undefined {
  const [id = '', wanted] = token.split('.')
  const kind = notificationKinds.find((known) => known === wanted)
  if (!/^\d{1,9}$/.test(id) || !kind) return undefined
  return isSecret(toDeclineToken(vault, Number(id), kind), token) ? { contactId: Number(id), kind } : undefined
}

/** Needs `customer_contact` in scope. */
const turned = (kind: NotificationKind, isOn: boolean): Sql =>
  isOn ? sql`array_remove(declined, ${kind})` : sql`array_append(array_remove(declined, ${kind}), ${kind})`

interface ContactRow {
  channel: MessageChannel
  address: string
  is_proved: boolean
  declined: string[]
  fault: MessageFault | null
}

interface NotificationShop extends Pick<Resources, 'database' | 'vault' | 'config'> {}

/** Asks the channel itself how customers find the bot; undefined without one. */
const findBot = async (shop: NotificationShop): Promise<string | undefined> =>
  (await openChannel(shop, 'telegram'))?.starts?.findName()

/** Reads where a customer is told what, by what the shop has: an address that nothing is sent to is none. */
async function readNotifications(shop: NotificationShop, userId: number): Promise<Notifications> {
  const rows = await shop.database.rows<ContactRow>(sql`
    SELECT channel, address, coalesce(address = proved_address, false) AS is_proved, declined, fault
    FROM customer_contact WHERE user_id = ${userId} ORDER BY channel`)
  const isSetUp = {
    telegram: (await openChannel(shop, 'telegram')) !== undefined,
    email: (await openChannel(shop, 'email')) !== undefined,
  }
  const ways = rows.filter(({ channel }) => isSetUp[channel])
  return {
    ways: ways.map(({ channel, address, is_proved, declined, fault }) => ({
      channel,
      address: channel === 'email' ? address : null,
      recovers: channel === 'email' || is_proved,
      kinds: notificationKinds.filter((kind) => !declined.includes(kind)),
      fault,
    })),
    has_bot: isSetUp.telegram,
    has_mail: isSetUp.email,
  }
}

/**
 * Makes a link by which one chat is connected with the customer, who gave the password and presses "start" in it. Refuses it
 * when the password has changed since.
 */
async function linkTelegram(shop: NotificationShop, { id, password_hash: checkedHash }: User): Promise<string> {
  const bot = await findBot(shop)
  if (!bot) throw new Failure('NOT_FOUND')
  const token = newToken()
  await shop.database.transaction(async (tx) => {
    if (!(await lockPassword(tx, id, checkedHash)))
      throw new Failure('VALIDATION_FAILED', { currentPassword: 'invalid_credentials' })
    await tx.run(sql`
      INSERT INTO telegram_start (user_id, link_digest, expires_at, is_proved)
      VALUES (${id}, ${toDigest(token)}, now() + make_interval(mins => ${SERVER_LIMITS.telegramStartMinutes}), true)
      ON CONFLICT (user_id) DO UPDATE SET link_digest = excluded.link_digest, expires_at = excluded.expires_at,
        is_proved = true`)
  })
  return `https://t.me/${bot}?start=${token}`
}

/** Connects the chat in which a link was used, which is over by that. Answers whether it was one. */
async function connectChat(tx: Tx, { chatId, token }: { chatId: string; token: string }): Promise<boolean> {
  const start = await tx.maybe<{ user_id: number; is_proved: boolean }>(sql`
    DELETE FROM telegram_start WHERE link_digest = ${toDigest(token)} AND expires_at > now()
    RETURNING user_id, is_proved`)
  if (!start) return false
  await tx.run(sql`
    INSERT INTO customer_contact (user_id, channel, address, proved_address)
    VALUES (${start.user_id}, 'telegram', ${chatId}, ${start.is_proved ? chatId : null})
    ON CONFLICT (user_id, channel) DO UPDATE SET address = excluded.address, proved_address = excluded.proved_address,
      fault = NULL`)
  return true
}

const isAnyAwaited = async (queries: Queries): Promise<boolean> =>
  (await queries.maybe(sql`SELECT FROM telegram_start WHERE expires_at > now() LIMIT 1`)) !== undefined

/**
 * Asks the bot in which chats it was started, while somebody has a link that was not used. It runs on one node at a time:
 * Telegram gives each update to the first that asks.
 */
export async function readTelegramStarts(shop: NotificationShop & Pick<Resources, 'log'>): Promise<void> {
  const end = Date.now() + SERVER_LIMITS.telegramPollMs
  let next: number | undefined
  while (Date.now() < end && (await isAnyAwaited(shop.database))) {
    const starts = (await openChannel(shop, 'telegram'))?.starts
    if (!starts) return
    const read = await starts.read(next, SERVER_LIMITS.telegramPollSeconds)
    if (!read) {
      shop.log.warn('the bot can not be asked who started it')
      return
    }
    for (const start of read.starts) await shop.database.transaction((tx) => connectChat(tx, start))
    next = read.next ?? next
  }
  // What was read is not given again.
  if (next !== undefined) await (await openChannel(shop, 'telegram'))?.starts?.read(next, 0)
}

/** The calls by which customers choose what they are told by Telegram and e-mail. */
export function notificationsRoutes(context: Context, passwords: Passwords): void {
  const { serve, database, vault, rateLimiter } = context
  const linksPerUser = rateLimiter('telegramLinksPerUser')

  serve(notificationsApi.read, async ({ user }) => ({ data: await readNotifications(context, user.id) }))

  serve(notificationsApi.change, async ({ user, body: { channel, kind, is_on } }) => {
    const changed = await database.run(sql`
      UPDATE customer_contact SET declined = ${turned(kind, is_on)} WHERE user_id = ${user.id} AND channel = ${channel}`)
    if (changed === 0) throw new Failure('NOT_FOUND')
    return { data: await readNotifications(context, user.id) }
  })

  serve(notificationsApi.startTelegram, async ({ user, body }) => {
    await linksPerUser.count(String(user.id))
    const checked = await requirePassword(database, passwords, user, body.currentPassword)
    return { data: { link: await linkTelegram(context, checked) } }
  })

  serve(notificationsApi.endTelegram, async ({ user }) => {
    await database.run(sql`DELETE FROM customer_contact WHERE user_id = ${user.id} AND channel = 'telegram'`)
  })

  serve(notificationsApi.decline, async ({ body: { token } }) => {
    const read = readDeclineToken(vault, token)
    if (!read) throw new Failure('NOT_FOUND')
    const { contactId, kind } = read
    const changed = await database.run(
      sql`UPDATE customer_contact SET declined = ${turned(kind, false)} WHERE id = ${contactId}`,
    )
    if (changed === 0) throw new Failure('NOT_FOUND')
    return { kind }
  })
}

const shownTexts = <Texts>(schema: z.ZodType<Texts>, { value, version, changed_at, changed_by }: SettingRow) => ({
  texts: schema.parse(value),
  version,
  changed_at: changed_at.toISOString(),
  changed_by,
})

/** Reads the owner's own texts of what customers are told. */
export const readOwnTexts = async (queries: Queries): Promise<NotificationSettings> =>
  shownTexts(ownNotificationTexts, await readNewest(queries, 'notifications'))

/** Reads the owner's own texts of what operators are told. */
export const readOperatorTexts = async (queries: Queries): Promise<OperatorTextSettings> =>
  shownTexts(ownOperatorTexts, await readNewest(queries, 'operators'))

interface ChangedTexts<Texts> {
  section: TextSection
  schema: z.ZodType<Texts>
  body: { texts: Texts & object; version?: number | undefined }
}

async function changeTexts<Texts>(tx: Tx, adminId: number, { section, schema, body }: ChangedTexts<Texts>) {
  const row = await lockSection(tx, section)
  const before = shownTexts(schema, row)
  requireVersion(before, body.version)
  const after = shownTexts(schema, await addVersion(tx, { section, value: body.texts, after: row }, adminId))
  await writeAudit(tx, {
    actorId: adminId,
    action: `shop.${section}`,
    subject: 'shop',
    before: { texts: before.texts },
    after: { texts: after.texts },
  })
  return { data: after }
}

/** The calls by which an owner puts what customers and operators are told in own words. */
export function notificationsAdmin({ serve, database }: Context): void {
  serve(notificationTextsApi.read, async () => ({ data: await readOwnTexts(database) }))

  serve(notificationTextsApi.change, ({ user, body }) =>
    database.transaction((tx) =>
      changeTexts(tx, user.id, { section: 'notifications', schema: ownNotificationTexts, body }),
    ),
  )

  serve(notificationTextsApi.readForOperators, async () => ({ data: await readOperatorTexts(database) }))

  serve(notificationTextsApi.changeForOperators, ({ user, body }) =>
    database.transaction((tx) => changeTexts(tx, user.id, { section: 'operators', schema: ownOperatorTexts, body })),
  )
}

interface Writing {
  /** Those of the recipient's language. */
  texts: Readonly<Record<NotificationTextName, string>>
  shopName: string
  publicUrl: string
  /** Makes the link that ends notifications of one kind. */
  toDecline(payload: CustomersPayload): string
}

/** Writes a notification: what happened, and the page of the shop that has the rest for who logs in. Never a code, and no sum. */
export function writeNotification(
  payload: NotificationPayload,
  { texts, shopName: shop, publicUrl, toDecline }: Writing,
): { subject: string; text: string } {
  if (payload.kind === 'notification.visitor')
    return fillNotification(texts.visitor, { shop, order: '', link: `${publicUrl}/support` })
  const isAnswer = payload.kind === 'notification.answered'
  const order = isAnswer ? '' : payload.order
  const link = `${publicUrl}/${isAnswer ? `support/${payload.conversation}` : `orders/${order}`}`
  const { subject, text } = fillNotification(texts[toKind(payload)], { shop, order, link })
  return { subject, text: `${text}\n\n${fillPlaceholders(texts.decline, { shop, link: toDecline(payload) })}` }
}
