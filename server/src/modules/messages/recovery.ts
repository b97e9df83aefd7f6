import type { Session } from '@olmos/contract/accounts'
import { Failure } from '@olmos/contract/failure'
import type { Language } from '@olmos/contract/fields'
import { type MessageChannel, type MessagePayload, messageChannels } from '@olmos/contract/messages'
import { recoveryApi } from '@olmos/contract/recovery'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Context, Resources } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Queries, type Sql, sql, type Tx } from '../../platform/database/queries.ts'
import { toNetwork } from '../../platform/http/rate-limit.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { newToken, toDigest } from '../../platform/security/tokens.ts'
import { replacePasswordHash, setLanguage } from '../accounts/accounts.store.ts'
import { nicknameKey, type Passwords, requireUncommonPassword } from '../accounts/accounts.ts'
import { deleteSessions, deviceToken, openSession, type SessionOrigin, toOrigin } from '../accounts/sessions.ts'

export type RecoveryPayload = Extract<MessagePayload, { kind: `recovery.${string}` }>

export const isRecovery = (payload: MessagePayload): payload is RecoveryPayload => payload.kind.startsWith('recovery.')

/** What carries messages of the shop at this moment. */
const carried: Sql = sql`
  SELECT name FROM message_channel WHERE ciphertext IS NOT NULL OR is_in_environment`

const readWays = async (queries: Queries): Promise<MessageChannel[]> => {
  const names = (await queries.rows<{ name: string }>(carried)).map(({ name }) => name)
  return messageChannels.filter((channel) => names.includes(channel))
}

/**
 * Who may have a new password by a link: customers. Admins have the operator's command, or an owner, and so has who was one
 * and is asked for a second factor still. Needs `users` in scope.
 */
const isRecoverable: Sql = sql`
  (users.role = 'customer' AND users.blocked_at IS NULL
    AND NOT EXISTS (SELECT FROM second_factor WHERE user_id = users.id AND enrolled_at IS NOT NULL))`

/**
 * By which contact they may: an address of e-mail, which is never changed without the password, or a chat that was connected with the
 * present one, or that the link for it came by. Needs `contact` in scope, too.
 */
const mayRecover: Sql = sql`
  (${isRecoverable} AND (contact.channel = 'email' OR contact.address = contact.proved_address))`

/**
 * Writes down that somebody asks. Whose account it is, is looked up after the answer: it is the same work, and takes as
 * long, for a name that nobody has.
 */
const noteRequest = (queries: Queries, nameKey: string, language: Language) =>
  queries.run(sql`INSERT INTO recovery_request (name_key, language) VALUES (${nameKey}, ${language})`)

interface Request {
  name_key: string
  language: Language
  is_fresh: boolean
}

const takeRequest = (tx: Tx) =>
  tx.maybe<Request>(sql`
    DELETE FROM recovery_request WHERE id = (SELECT id FROM recovery_request ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING name_key, language,
      asked_at > now() - make_interval(mins => ${SERVER_LIMITS.recoveryMinutes}) AS is_fresh`)

/** Locks the accounts of a nickname or an address, so that what each is sent within an hour is counted one by one. */
const lockAccounts = (tx: Tx, nameKey: string) =>
  tx.rows<{ id: number }>(sql`
    SELECT id FROM users WHERE id IN (
      SELECT id FROM users WHERE nickname_key = ${nameKey}
      UNION SELECT user_id FROM customer_contact WHERE channel = 'email' AND lower(address) = ${nameKey})
    ORDER BY id LIMIT ${SERVER_LIMITS.recoveryAccountsMax} FOR NO KEY UPDATE`)

/** Queues a link to one contact: the address that was named, else the chat, because an address may be mistyped. */
const queueLink = (tx: Tx, userId: number, { name_key, language }: Request) =>
  tx.run(sql`
    INSERT INTO message (contact_id, channel, language, payload, is_urgent)
    SELECT contact.id, contact.channel, coalesce(users.language, ${language}), '{"kind": "recovery.link"}', true
    FROM customer_contact AS contact JOIN users ON users.id = contact.user_id
    WHERE contact.user_id = ${userId} AND contact.fault IS NULL AND contact.channel IN (${carried}) AND ${mayRecover}
      AND ${SERVER_LIMITS.recoveryLinksPerHour} > (
        SELECT count(*) FROM message JOIN customer_contact AS own ON own.id = message.contact_id
        WHERE own.user_id = ${userId} AND message.payload ->> 'kind' = 'recovery.link'
          AND message.created_at > now() - interval '1 hour')
    ORDER BY lower(contact.address) = ${name_key} DESC, contact.channel = 'telegram' DESC LIMIT 1`)

/** Queues links for those who asked. Any number of nodes may do it at once. */
export async function queueLinks(database: Database): Promise<void> {
  const queueNext = (tx: Tx) =>
    takeRequest(tx).then(async (request) => {
      const accounts = request?.is_fresh ? await lockAccounts(tx, request.name_key) : []
      for (const { id } of accounts) if (request) await queueLink(tx, id, request)
      return request !== undefined
    })
  while (await database.transaction(queueNext));
}

/**
 * Makes a link's token for the account of a contact, of which only a digest is stored, and ends the link before it. It is made
 * when it is sent, so that no outbox has it. Undefined where the account may have none, where the contact is another by now, and
 * where the message is so late that nobody waits for it.
 */
export async function issueLink(
  queries: Queries,
  { contact_id, address, age_seconds }: { contact_id: number | null; address: string; age_seconds: number },
): Promise<string | undefined> {
  if (age_seconds > SERVER_LIMITS.recoveryMinutes * 60) return undefined
  const token = newToken()
  const issued = await queries.run(sql`
    INSERT INTO password_recovery (user_id, contact_id, link_digest, expires_at)
    SELECT users.id, contact.id, ${toDigest(token)}, now() + make_interval(mins => ${SERVER_LIMITS.recoveryMinutes})
    FROM customer_contact AS contact JOIN users ON users.id = contact.user_id
    WHERE contact.id = ${contact_id} AND contact.address = ${address} AND ${mayRecover}
    ON CONFLICT (user_id) DO UPDATE SET contact_id = excluded.contact_id, link_digest = excluded.link_digest,
      expires_at = excluded.expires_at`)
  return issued === 1 ? token : undefined
}

interface Recovered {
  id: number
  nickname: string
  password_hash: string
  /** Where the link went; null where an older program of the store sent it. */
  contact_id: number | null
}

const hasLink = (token: string): Sql => sql`link_digest = ${toDigest(token)} AND expires_at > now()`

/** Spends a link; undefined if it was spent before, or ended. The lock on the user is taken first, as by who changes it. */
async function spendLink(tx: Tx, token: string): Promise<Recovered | undefined> {
  const user = await tx.maybe<Recovered>(sql`
    SELECT users.id, nickname, password_hash, contact_id FROM users JOIN password_recovery ON user_id = users.id
    WHERE ${hasLink(token)} AND ${isRecoverable} FOR NO KEY UPDATE OF users`)
  const spent = user && (await tx.run(sql`DELETE FROM password_recovery WHERE ${hasLink(token)}`))
  return spent === 1 ? user : undefined
}

/** Keeps the chat that a link came by: with the old password all that it had proved was over. */
const proveAgain = (tx: Tx, { id, contact_id }: Recovered) =>
  tx.run(sql`
    UPDATE customer_contact SET proved_address = address
    WHERE id = ${contact_id} AND user_id = ${id} AND channel = 'telegram'`)

/** Tells every contact of the customer, whatever notifications it declined: a thief must not be the only one to know. */
export const tellContacts = (userId: number, kind: 'recovery.reset' | 'recovery.used'): Sql => sql`
  INSERT INTO message (contact_id, channel, language, payload, is_urgent)
  SELECT contact.id, contact.channel, coalesce(users.language, 'ru'), ${JSON.stringify({ kind })}::jsonb, true
  FROM customer_contact AS contact JOIN users ON users.id = contact.user_id
  WHERE contact.user_id = ${userId} AND contact.fault IS NULL AND contact.channel IN (${carried})`

/** Sets a new password by a link, ends every earlier session, and opens one. Refuses with NOT_FOUND. */
async function setPasswordByLink(
  { database, vault }: Pick<Resources, 'database' | 'vault'>,
  passwords: Passwords,
  { token, password }: { token: string; password: string },
  origin: SessionOrigin,
): Promise<Session> {
  await requireUncommonPassword(password)
  // Somebody who makes tokens up must not have the store hash passwords.
  const isThere = await database.maybe(sql`SELECT FROM password_recovery WHERE ${hasLink(token)}`)
  if (!isThere) throw new Failure('NOT_FOUND')
  const passwordHash = await passwords.hash(password)
  return database.transaction(async (tx) => {
    const spent = await spendLink(tx, token)
    if (!spent) throw new Failure('NOT_FOUND')
    await replacePasswordHash(tx, spent.id, spent.password_hash, passwordHash)
    await proveAgain(tx, spent)
    await deleteSessions(tx, spent.id)
    await writeAudit(tx, { actorId: spent.id, action: 'user.recover', subject: `user:${spent.id}` })
    await tx.run(tellContacts(spent.id, 'recovery.used'))
    const user = { id: spent.id, password_hash: passwordHash }
    const opened = await openSession(tx, user, origin)
    return { token: opened, nickname: spent.nickname, userId: spent.id, device: deviceToken(vault, user) }
  })
}

/** The calls by which customers get a new password by a link, without being logged in. */
export function recoveryRoutes(context: Context, passwords: Passwords): void {
  const { serve, database, security, rateLimiter } = context
  const requests = rateLimiter('recoveriesPerAddress')
  const tries = rateLimiter('recoveryTriesPerAddress')

  serve(recoveryApi.ways, async () => ({ data: { channels: await readWays(database) } }))

  serve(recoveryApi.ask, async ({ body, address, language }) => {
    await requests.count(address)
    await noteRequest(database, nicknameKey(body.name), language)
    return { success: true as const }
  })

  serve(recoveryApi.setPassword, async ({ body, address, userAgent, language }) => {
    await tries.count(address)
    const answer = await setPasswordByLink(context, passwords, body, toOrigin({ address, userAgent }))
    await setLanguage(database, answer.userId, language)
    security.note('password_recovered', { user: answer.userId, network: toNetwork(address) })
    return answer
  })
}

const texts = {
  ru: {
    link: 'Новый пароль',
    linkText: 'Задайте новый пароль по ссылке. Она работает {minutes} минут и один раз, а новая отменяет прежнюю:',
    notYou: 'Если вы этого не просили, ничего не делайте: пароль останется прежним.',
    used: 'Пароль изменён',
    usedText: 'Пароль изменён по ссылке, которую мы прислали, и все прежние входы завершены.',
    reset: 'Новый пароль от магазина',
    resetText: 'Сотрудник магазина задал вашему аккаунту новый пароль, и все входы завершены.',
    notAsked: 'Если вы об этом не просили, сразу напишите в поддержку:',
    moved: 'Контакт изменён',
    movedText:
      'Контакт вашего аккаунта изменён или удалён: сообщения и ссылки для нового пароля сюда больше не придут.',
    notYours: 'Если это сделали не вы, сразу напишите в поддержку:',
  },
  en: {
    link: 'New password',
    linkText: 'Set a new password by this link. It works for {minutes} minutes and once, and a newer one ends it:',
    notYou: 'If you did not ask for it, do nothing: the password stays as it is.',
    used: 'The password was changed',
    usedText: 'The password was changed by the link we sent, and you are logged out on all other devices.',
    reset: 'A new password from the store',
    resetText: 'Our staff set a new password for your account, and you are logged out on all devices.',
    notAsked: 'If you did not ask for it, write to support at once:',
    moved: 'The contact was changed',
    movedText:
      'The contact of your account was changed or removed: messages and links for a new password no longer come here.',
    notYours: 'If it was not you, write to support at once:',
  },
  uz: {
    link: 'Yangi parol',
    linkText:
      'Yangi parolni shu havola orqali oʻrnating. U {minutes} daqiqa va bir marta ishlaydi, yangisi esa avvalgisini bekor qiladi:',
    notYou: 'Agar buni siz soʻramagan boʻlsangiz, hech narsa qilmang: parol oʻzgarmaydi.',
    used: 'Parol oʻzgartirildi',
    usedText: 'Parol biz yuborgan havola orqali oʻzgartirildi, boshqa barcha qurilmalarda hisobdan chiqildi.',
    reset: 'Doʻkondan yangi parol',
    resetText: 'Doʻkon xodimi hisobingizga yangi parol oʻrnatdi, barcha qurilmalarda hisobdan chiqildi.',
    notAsked: 'Agar buni siz soʻramagan boʻlsangiz, darhol qoʻllab-quvvatlashga yozing:',
    moved: 'Kontakt oʻzgartirildi',
    movedText:
      'Hisobingiz kontakti oʻzgartirildi yoki oʻchirildi: xabarlar va yangi parol havolalari bu yerga boshqa kelmaydi.',
    notYours: 'Agar buni siz qilmagan boʻlsangiz, darhol qoʻllab-quvvatlashga yozing:',
  },
} as const satisfies Record<Language, Record<string, string>>

/**
 * Writes the message with a link, whose token is behind the #, where no log and no preview has it; or that it was used; that
 * the staff set a password; or that the contact is another one or none, without saying which.
 */
export function writeRecovery(
  { kind }: RecoveryPayload,
  language: Language,
  { shopName, publicUrl, token }: { shopName: string; publicUrl: string; token: string | undefined },
): { subject: string; text: string } {
  const own = texts[language]
  const linkText = own.linkText.replace('{minutes}', String(SERVER_LIMITS.recoveryMinutes))
  const support = `${publicUrl}/support`
  const written = {
    'recovery.link': { title: own.link, lines: [linkText, `${publicUrl}/new-password#${token}`, '', own.notYou] },
    'recovery.used': { title: own.used, lines: [own.usedText, '', own.notYours, support] },
    'recovery.reset': { title: own.reset, lines: [own.resetText, '', own.notAsked, support] },
    'recovery.moved': { title: own.moved, lines: [own.movedText, '', own.notYours, support] },
  }
  const { title, lines } = written[kind]
  const subject = `${shopName}: ${title}`
  return { subject, text: [subject, ...lines].join('\n') }
}
