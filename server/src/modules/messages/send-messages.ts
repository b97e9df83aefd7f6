import { alertTitles } from '@olmos/contract/alert-titles'
import type { Language } from '@olmos/contract/fields'
import {
  type MessageChannel,
  type MessagePayload,
  messageChannels,
  messagePayload,
  urgentAlertKinds,
} from '@olmos/contract/messages'
import { fillOperatorText, type OperatorTextName, textsOfStore } from '@olmos/contract/notification-texts'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Resources } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { removeInBatches } from '../../platform/database/jobs.ts'
import { type Queries, type Sql, sql, type Tx } from '../../platform/database/queries.ts'
import { readShopName, shopTimeZone } from '../shop/shop.ts'
import { type SendOutcome, type SendVerdict, toSendVerdict } from './channel.ts'
import { noteEnvironment, openChannel } from './channels.ts'
import {
  isNotification,
  readOperatorTexts,
  readOwnTexts,
  stopNotifications,
  toDeclineLink,
  writeNotification,
} from './notifications.ts'
import { switchOff } from './recipients.ts'
import { isRecovery, issueLink, queueLinks, type RecoveryPayload, writeRecovery } from './recovery.ts'

/** What messages need of the store. */
export type MessageShop = Pick<Resources, 'database' | 'vault' | 'clock' | 'log' | 'config'>

/** Whether it is quiet for the recipient in scope, by the clock on the wall where the shop is. */
function isQuiet({ clock, config }: Pick<MessageShop, 'clock' | 'config'>): Sql {
  const time = sql`(${clock.now()}::timestamptz AT TIME ZONE ${shopTimeZone(config)})::time`
  return sql`coalesce(CASE WHEN quiet_from < quiet_to THEN ${time} >= quiet_from AND ${time} < quiet_to
    ELSE ${time} >= quiet_from OR ${time} < quiet_to END, false)`
}

type Topic = OperatorTextName

/** Something that a recipient has to be told about an alert. */
interface News {
  recipient_id: number
  channel: MessageChannel
  language: Language
  alert_id: number
  alert_kind: string
  topic: Topic
  /** For `resolved`: whether the recipient was told that it was raised. */
  is_known: boolean
}

/**
 * Finds what is to be told, to everybody or to one. An open alert that nobody has taken on is told once, and again after a
 * day, or when it comes again after somebody took it on; so is its end, to those who were told. Alerts of one kind that
 * follow each other closely, and one that comes and goes, wait for each other, and so does what is not urgent in quiet
 * hours: it is told afterwards, unless it is over by then.
 */
const findNews = (queries: Queries, shop: MessageShop, isTo: Sql = sql`true`) => {
  const { messagePauseMinutes, messageFlapMinutes, messageReminderHours } = SERVER_LIMITS
  return queries.rows<News>(sql`
    SELECT recipient.id AS recipient_id, recipient.channel, recipient.language, alert.id AS alert_id,
      alert.kind AS alert_kind, CASE WHEN coalesce(queued_at < alert.reopened_at, queued_at IS NULL) THEN 'raised'
        ELSE 'reminder' END AS topic, true AS is_known
    FROM message_recipient AS recipient
    JOIN alert ON alert.resolved_at IS NULL AND alert.acknowledged_at IS NULL AND coalesce(alert.reopened_at, alert.created_at) >= recipient.created_at
      AND (alert_kinds IS NULL OR alert.kind = ANY (alert_kinds))
    LEFT JOIN message_alert AS known ON known.recipient_id = recipient.id AND known.alert_id = alert.id
    WHERE ${isTo} AND recipient.is_on
      AND (alert.kind = ANY (${urgentAlertKinds as string[]}::text[]) OR NOT ${isQuiet(shop)})
      AND (queued_at IS NULL OR queued_at < alert.reopened_at OR queued_at < now() - make_interval(hours => ${messageReminderHours}))
      AND NOT EXISTS (
        SELECT FROM message_alert AS lately JOIN alert AS other ON other.id = lately.alert_id
        WHERE lately.recipient_id = recipient.id AND other.kind = alert.kind
          AND (lately.queued_at > now() - make_interval(mins => ${messagePauseMinutes})
            OR (other.subject = alert.subject AND lately.queued_at > now() - make_interval(mins => ${messageFlapMinutes}))))
    UNION ALL
    SELECT recipient.id, recipient.channel, recipient.language, alert.id, alert.kind, 'resolved',
      coalesce(message.state = 'sent', false) AND recipient.is_on
    FROM message_alert AS known JOIN alert ON alert.id = known.alert_id
    JOIN message_recipient AS recipient ON recipient.id = known.recipient_id
    LEFT JOIN message ON message.id = known.message_id
    WHERE ${isTo} AND over_at IS NULL AND alert.resolved_at IS NOT NULL
      AND coalesce(message.state <> 'waiting', true) AND NOT ${isQuiet(shop)}
      AND NOT EXISTS (
        SELECT FROM message_alert AS lately JOIN alert AS other ON other.id = lately.alert_id
        WHERE lately.recipient_id = recipient.id AND other.kind = alert.kind
          AND lately.over_at > now() - make_interval(mins => ${messagePauseMinutes}))
    ORDER BY recipient_id, alert_id`)
}

/** Queues a message; returns its id. */
export async function insertMessage(
  tx: Tx,
  to: Pick<News, 'recipient_id' | 'channel' | 'language'>,
  { payload, isUrgent, isLeased = false }: { payload: MessagePayload; isUrgent: boolean; isLeased?: boolean },
): Promise<number> {
  const lease = sql`now() + make_interval(secs => ${SERVER_LIMITS.messageLeaseSeconds})`
  const { id } = await tx.one<{ id: number }>(sql`
    INSERT INTO message (recipient_id, channel, language, payload, is_urgent, attempts, leased_until)
    VALUES (${to.recipient_id}, ${to.channel}, ${to.language}, ${JSON.stringify(payload)}::jsonb, ${isUrgent},
      ${isLeased ? 1 : 0}, ${isLeased ? lease : sql`NULL`})
    RETURNING id`)
  return id
}

const noteQueued = (tx: Tx, recipientId: number, alertIds: readonly number[], messageId: number) =>
  tx.run(sql`
    INSERT INTO message_alert (recipient_id, alert_id, message_id)
    SELECT ${recipientId}, alert_id, ${messageId} FROM unnest(${alertIds as number[]}::bigint[]) AS alert_id
    ON CONFLICT (recipient_id, alert_id) DO UPDATE SET message_id = excluded.message_id, queued_at = now()`)

const noteOver = (tx: Tx, recipientId: number, alertIds: readonly number[], at: Sql) =>
  tx.run(sql`
    UPDATE message_alert SET over_at = ${at}
    WHERE recipient_id = ${recipientId} AND alert_id = ANY (${alertIds as number[]}::bigint[])`)

/** Queues one message for all alerts of a kind that have the same to be told about them. */
async function queueTogether(tx: Tx, news: readonly [News, ...News[]]): Promise<void> {
  const [{ alert_kind, topic, recipient_id, is_known }] = news
  const alertIds = news.map(({ alert_id }) => alert_id)
  // In the past, so that what nobody has to be told does not make others wait.
  if (!is_known) return void (await noteOver(tx, recipient_id, alertIds, sql`'epoch'::timestamptz`))
  const payload = { kind: `alert.${topic}`, alert_kind, count: news.length } as const
  const isUrgent = topic !== 'resolved' && (urgentAlertKinds as readonly string[]).includes(alert_kind)
  const messageId = await insertMessage(tx, news[0], { payload, isUrgent })
  if (topic === 'resolved') await noteOver(tx, recipient_id, alertIds, sql`now()`)
  else await noteQueued(tx, recipient_id, alertIds, messageId)
}

/** Whether this transaction has the recipient to itself; false where another node is at it, or it is gone. */
const lockFree = async (tx: Tx, recipientId: number): Promise<boolean> =>
  (await tx.maybe(sql`SELECT FROM message_recipient WHERE id = ${recipientId} FOR UPDATE SKIP LOCKED`)) !== undefined

/**
 * Queues messages about what became of alerts since. It reads the alerts themselves, so it matters to nobody how and by whom
 * one was raised, and none is missed. Any number of nodes may do it at once.
 */
export async function queueAlerts(shop: MessageShop): Promise<void> {
  const everybody = await findNews(shop.database, shop)
  for (const recipientId of new Set(everybody.map(({ recipient_id }) => recipient_id))) {
    await shop.database.transaction(async (tx) => {
      if (!(await lockFree(tx, recipientId))) return
      const news = await findNews(tx, shop, sql`recipient.id = ${recipientId}`)
      const together = Object.groupBy(news, ({ topic, alert_kind, is_known }) => `${topic} ${is_known} ${alert_kind}`)
      for (const group of Object.values(together)) await queueTogether(tx, group as [News, ...News[]])
    })
  }
}

/** A message that is leased to this worker. */
interface Claim {
  id: number
  /** Who of the shop gets it, or which contact of a customer; both null for the address in a visitor's conversation. */
  recipient_id: number | null
  contact_id: number | null
  channel: MessageChannel
  address: string
  language: Language
  payload: unknown
  /** Counts the workers that have claimed it: one that was overtaken stores nothing. */
  attempts: number
  age_seconds: number
}

const claimed = sql`
  message.id, recipient_id, contact_id, message.channel, message.language, payload, attempts,
  coalesce((SELECT address FROM message_recipient WHERE message_recipient.id = recipient_id),
    (SELECT address FROM customer_contact WHERE customer_contact.id = contact_id),
    (SELECT contact FROM conversation WHERE conversation.id = conversation_id), former_address) AS address,
  extract(epoch FROM now() - tried_since)::float8 AS age_seconds`

/** Leases the message of a channel that has been due longest; undefined while none is. */
const claimDue = (queries: Queries, shop: MessageShop, channel: MessageChannel) =>
  queries.maybe<Claim>(sql`
    WITH due AS (
      SELECT message.id FROM message LEFT JOIN message_recipient AS recipient ON recipient.id = recipient_id
      WHERE state = 'waiting' AND message.channel = ${channel} AND next_attempt_at <= now()
        AND (leased_until IS NULL OR leased_until < now()) AND (is_urgent OR NOT ${isQuiet(shop)})
      ORDER BY next_attempt_at, message.id LIMIT 1 FOR UPDATE OF message SKIP LOCKED)
    UPDATE message SET attempts = attempts + 1,
      leased_until = now() + make_interval(secs => ${SERVER_LIMITS.messageLeaseSeconds})
    FROM due WHERE message.id = due.id RETURNING ${claimed}`)

/** Reads a message that was leased when it was queued. */
const readClaim = (queries: Queries, id: number) =>
  queries.one<Claim>(sql`
    SELECT ${claimed} FROM message WHERE message.id = ${id}`)

/** Sends it, outside any transaction. */
async function send(shop: MessageShop, claim: Claim, payload: MessagePayload): Promise<SendOutcome> {
  const channel = await openChannel(shop, claim.channel)
  if (!channel) return { kind: 'rejected', fault: 'not_set_up' }
  const shopName = await readShopName(shop.database)
  const sender = { shopName, publicUrl: shop.config.publicUrl }
  if (isRecovery(payload)) {
    const token = payload.kind === 'recovery.link' ? await issueLink(shop.database, claim) : undefined
    if (payload.kind === 'recovery.link' && !token) return { kind: 'rejected', fault: 'refused' }
    const written = writeRecovery(payload, claim.language, { ...sender, token })
    return channel.send({ ...toLetter(claim, shopName), ...written })
  }
  return channel.send({ ...toLetter(claim, shopName), ...(await write(shop, claim, payload, sender)) })
}

async function write(
  shop: MessageShop,
  { language, contact_id }: Claim,
  payload: Exclude<MessagePayload, RecoveryPayload>,
  sender: Sender,
): Promise<{ subject: string; text: string }> {
  if (payload.kind === 'test') return writeTest(language, sender)
  const { notifications, operators } = textsOfStore
  if (isNotification(payload)) {
    const texts = { ...notifications.texts[language], ...(await readOwnTexts(shop.database)).texts[language] }
    const toDecline = (told: Parameters<typeof toDeclineLink>[2]) => toDeclineLink(shop, contact_id ?? 0, told)
    return writeNotification(payload, { ...sender, texts, toDecline })
  }
  const texts = { ...operators.texts[language], ...(await readOperatorTexts(shop.database)).texts[language] }
  return writeAlert(payload, language, { ...sender, texts })
}

const toLetter = ({ id, address }: Claim, from: string) => ({ id, address, from })

/** Stores what became of a message, unless another worker has claimed it since. */
async function settle(
  tx: Tx,
  { id, attempts, recipient_id, contact_id, address }: Claim,
  outcome: SendOutcome,
  verdict: SendVerdict,
) {
  const failed = outcome.kind === 'done' ? { fault: null, words: null } : { words: null, ...outcome }
  const afterSeconds = verdict.is === 'retry' ? verdict.afterSeconds : 0
  const state = verdict.is === 'retry' ? 'waiting' : verdict.is
  const isOurs = await tx.run(sql`
    UPDATE message SET state = ${state}, leased_until = NULL, fault = ${failed.fault}, words = ${failed.words},
      next_attempt_at = now() + make_interval(secs => ${afterSeconds}),
      sent_at = CASE WHEN ${state} = 'sent' THEN now() END
    WHERE id = ${id} AND attempts = ${attempts} AND state = 'waiting'`)
  if (isOurs === 0 || outcome.kind === 'done') return
  if (verdict.is === 'failed' && verdict.isRecipientGone) {
    if (recipient_id !== null) await switchOff(tx, { id: recipient_id, address }, outcome.fault, failed.words)
    if (contact_id !== null) await stopNotifications(tx, { id: contact_id, address }, outcome.fault)
  }
  // What one message has to wait for, the others to this recipient have to as well.
  if (outcome.retryAfterSeconds !== undefined && verdict.is === 'retry') {
    await tx.run(sql`
      UPDATE message SET next_attempt_at = greatest(next_attempt_at, now() + make_interval(secs => ${afterSeconds}))
      WHERE (recipient_id = ${recipient_id} OR contact_id = ${contact_id}) AND state = 'waiting'`)
  }
}

const unknownPauseSeconds = 600

/** Leaves a message that a newer version of the store has queued for it, and keeps no other waiting meanwhile. */
async function leaveToNewer({ database, log }: MessageShop, { id, channel }: Claim): Promise<void> {
  log.error({ message: id, channel }, 'a message of a kind that this version of the store does not know')
  await database.run(sql`
    UPDATE message SET next_attempt_at = now() + make_interval(secs => ${unknownPauseSeconds})
    WHERE id = ${id} AND state = 'waiting'`)
}

async function sendClaimed(shop: MessageShop, claim: Claim): Promise<void> {
  const { attempts, age_seconds: ageSeconds, id, channel } = claim
  const { data: payload } = messagePayload.safeParse(claim.payload)
  if (!payload) return leaveToNewer(shop, claim)
  const outcome = await send(shop, claim, payload)
  const verdict = toSendVerdict(outcome, { attempts, ageSeconds, isTest: payload.kind === 'test' })
  if (outcome.kind !== 'done')
    shop.log.warn({ message: id, channel, fault: outcome.fault, verdict }, 'message not sent')
  await shop.database.transaction((tx) => settle(tx, claim, outcome, verdict))
}

/** Sends the next message of a channel. Returns whether there was one. */
export async function sendNext(shop: MessageShop, channel: MessageChannel): Promise<boolean> {
  const claim = await claimDue(shop.database, shop, channel)
  if (!claim) return false
  await sendClaimed(shop, claim)
  return true
}

/** Sends a message that was leased when it was queued. */
export const sendLeased = async (shop: MessageShop, id: number): Promise<void> =>
  sendClaimed(shop, await readClaim(shop.database, id))

/** Deletes messages that nobody looks for any more, and what is known of alerts that are long over. */
export async function forgetOldMessages(database: Database): Promise<void> {
  const since = sql`now() - make_interval(days => ${SERVER_LIMITS.messageDays})`
  await removeInBatches(database, 'message', sql`created_at < ${since} AND state <> 'waiting'`)
  await database.run(sql`DELETE FROM telegram_start WHERE expires_at < now()`)
  await database.run(sql`DELETE FROM password_recovery WHERE expires_at < now()`)
  await removeInBatches(database, 'message_alert', sql`over_at < ${since} AND queued_at < ${since}`)
}

interface Messages {
  /** Waits for messages under way. */
  stop(): Promise<void>
}

/**
 * Queues messages about alerts, and sends what is due: every few seconds, one at a time for each channel, so that a mail
 * server that hangs keeps no message from Telegram.
 */
export function runMessages(shop: MessageShop): Messages {
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> | undefined
  let [isStopped, isNoted] = [false, false]

  const workOff = async () => {
    if (!isNoted) await noteEnvironment(shop)
    isNoted = true
    await queueAlerts(shop)
    await queueLinks(shop.database)
    const senders = messageChannels.map(async (channel) => {
      while (!isStopped && (await sendNext(shop, channel)));
    })
    await Promise.all(senders)
  }
  const look = () => {
    working = workOff()
      // A lease that is left behind expires, and what could not be queued is found the next time.
      .catch((error) => shop.log.error({ err: error }, 'messages'))
      .finally(() => {
        if (!isStopped) timer = setTimeout(look, SERVER_LIMITS.messagePollMs)
      })
  }

  look()
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await working
    },
  }
}

/** What the message says by which a recipient is tried. */
const testTexts: Record<Language, Record<'title' | 'text', string>> = {
  ru: { title: 'Проверка связи', text: 'Сюда будут приходить уведомления магазина.' },
  en: { title: 'Test message', text: 'The store’s messages will arrive here.' },
  uz: { title: 'Sinov xabari', text: 'Doʻkon xabarlari shu yerga keladi.' },
}

interface Sender {
  shopName: string
  publicUrl: string
}

function writeTest(language: Language, { shopName, publicUrl }: Sender): { subject: string; text: string } {
  const { title, text } = testTexts[language]
  const subject = `${shopName}: ${title}`
  return { subject, text: [subject, text, `${publicUrl}/admin/messages`].join('\n') }
}

const topics = { 'alert.raised': 'raised', 'alert.reminder': 'reminder', 'alert.resolved': 'resolved' } as const

/** Writes what operators are told: what happened, how often, and the page where the rest is seen by who is let in. */
function writeAlert(
  { kind, alert_kind, count }: Extract<MessagePayload, { alert_kind: string }>,
  language: Language,
  { texts, shopName, publicUrl }: Sender & { texts: Readonly<Record<Topic, string>> },
): { subject: string; text: string } {
  const titles: Readonly<Record<string, string>> = alertTitles[language]
  const state = kind === 'alert.resolved' ? 'resolved' : 'open'
  const link = `${publicUrl}/admin/alerts?${new URLSearchParams({ state, search: alert_kind })}`
  return fillOperatorText(texts[topics[kind]], { shop: shopName, title: titles[alert_kind] ?? alert_kind, count, link })
}
