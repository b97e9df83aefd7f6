import { alertTitles } from '@olmos/contract/alert-titles'
import type { Language } from '@olmos/contract/fields'
import { type MessageChannel, type MessagePayload, messageChannels, messagePayload } from '@olmos/contract/messages'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Database } from '../../platform/database/database.ts'
import { removeInBatches } from '../../platform/database/jobs.ts'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { readShopName } from '../shop/shop.ts'
import { type SendOutcome, type SendVerdict, toSendVerdict } from './channel.ts'
import { openChannel } from './channels.ts'
import { isQuiet, type MessageShop, queueAlerts } from './queue-alerts.ts'
import { switchOff } from './recipients.ts'

/** A message that is leased to this worker. */
interface Claim {
  id: number
  recipient_id: number
  channel: MessageChannel
  address: string
  language: Language
  payload: unknown
  /** Counts the workers that have claimed it: one that was overtaken stores nothing. */
  attempts: number
  age_seconds: number
}

const claimed = sql`
  message.id, recipient_id, message.channel, address, message.language, payload, attempts,
  extract(epoch FROM now() - tried_since)::float8 AS age_seconds`

/** Leases the message of a channel that has been due longest; undefined while none is. */
const claimDue = (queries: Queries, shop: MessageShop, channel: MessageChannel) =>
  queries.maybe<Claim>(sql`
    WITH due AS (
      SELECT message.id FROM message JOIN message_recipient AS recipient ON recipient.id = recipient_id
      WHERE state = 'waiting' AND message.channel = ${channel} AND next_attempt_at <= now()
        AND (leased_until IS NULL OR leased_until < now()) AND (is_urgent OR NOT ${isQuiet(shop)})
      ORDER BY next_attempt_at, message.id LIMIT 1 FOR UPDATE OF message SKIP LOCKED)
    UPDATE message SET attempts = attempts + 1,
      leased_until = now() + make_interval(secs => ${SERVER_LIMITS.messageLeaseSeconds})
    FROM due, message_recipient AS recipient
    WHERE message.id = due.id AND recipient.id = recipient_id RETURNING ${claimed}`)

/** Reads a message that was leased when it was queued. */
const readClaim = (queries: Queries, id: number) =>
  queries.one<Claim>(sql`
    SELECT ${claimed} FROM message JOIN message_recipient AS recipient ON recipient.id = recipient_id
    WHERE message.id = ${id}`)

/** Sends it, outside any transaction. */
async function send(shop: MessageShop, claim: Claim, payload: MessagePayload): Promise<SendOutcome> {
  const channel = await openChannel(shop, claim.channel)
  if (!channel) return { kind: 'rejected', fault: 'not_set_up' }
  const shopName = await readShopName(shop.database)
  const { subject, text } = writeMessage(payload, claim.language, { shopName, publicUrl: shop.config.publicUrl })
  return channel.send({ id: claim.id, address: claim.address, from: shopName, subject, text })
}

/** Stores what became of a message, unless another worker has claimed it since. */
async function settle(tx: Tx, { id, attempts, recipient_id }: Claim, outcome: SendOutcome, verdict: SendVerdict) {
  const failed = outcome.kind === 'done' ? { fault: null, words: null } : { words: null, ...outcome }
  const afterSeconds = verdict.is === 'retry' ? verdict.afterSeconds : 0
  const state = verdict.is === 'retry' ? 'waiting' : verdict.is
  const isOurs = await tx.run(sql`
    UPDATE message SET state = ${state}, leased_until = NULL, fault = ${failed.fault}, words = ${failed.words},
      next_attempt_at = now() + make_interval(secs => ${afterSeconds}),
      sent_at = CASE WHEN ${state} = 'sent' THEN now() END
    WHERE id = ${id} AND attempts = ${attempts} AND state = 'waiting'`)
  if (isOurs === 0 || outcome.kind === 'done') return
  if (verdict.is === 'failed' && verdict.isRecipientGone) await switchOff(tx, recipient_id, outcome.fault, failed.words)
  // What one message has to wait for, the others to this recipient have to as well.
  if (outcome.retryAfterSeconds !== undefined && verdict.is === 'retry') {
    await tx.run(sql`
      UPDATE message SET next_attempt_at = greatest(next_attempt_at, now() + make_interval(secs => ${afterSeconds}))
      WHERE recipient_id = ${recipient_id} AND state = 'waiting'`)
  }
}

async function sendClaimed(shop: MessageShop, claim: Claim): Promise<void> {
  const payload = messagePayload.parse(claim.payload)
  const outcome = await send(shop, claim, payload)
  const { attempts, age_seconds: ageSeconds, id, channel } = claim
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
  let isStopped = false

  const workOff = async () => {
    await queueAlerts(shop)
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

/** What messages say in each language, besides the titles of alerts. */
const texts = {
  ru: {
    raised: '{title}',
    reminder: 'Всё ещё не решено: {title}',
    resolved: 'Решено: {title}',
    count: 'Проблем: {count}',
    test: 'Проверка связи',
    testText: 'Сюда будут приходить уведомления магазина.',
  },
  en: {
    raised: '{title}',
    reminder: 'Still not resolved: {title}',
    resolved: 'Resolved: {title}',
    count: 'Alerts: {count}',
    test: 'Test message',
    testText: 'The store’s messages will arrive here.',
  },
  uz: {
    raised: '{title}',
    reminder: 'Hali hal boʻlmadi: {title}',
    resolved: 'Hal boʻldi: {title}',
    count: 'Ogohlantirishlar: {count}',
    test: 'Sinov xabari',
    testText: 'Doʻkon xabarlari shu yerga keladi.',
  },
} as const satisfies Record<Language, Record<string, string>>

const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)

const topics = { 'alert.raised': 'raised', 'alert.reminder': 'reminder', 'alert.resolved': 'resolved' } as const

interface Sender {
  shopName: string
  publicUrl: string
}

/** Writes a message: what happened, how often, and the page where the rest is seen by who is let in. */
function writeMessage(
  payload: MessagePayload,
  language: Language,
  { shopName, publicUrl }: Sender,
): { subject: string; text: string } {
  const own = texts[language]
  if (payload.kind === 'test') {
    return {
      subject: `${shopName}: ${own.test}`,
      text: [`${shopName}: ${own.test}`, own.testText, `${publicUrl}/admin/messages`].join('\n'),
    }
  }
  const { alert_kind, count } = payload
  const titles: Readonly<Record<string, string>> = alertTitles[language]
  const headline = fill(own[topics[payload.kind]], { title: titles[alert_kind] ?? alert_kind })
  const state = payload.kind === 'alert.resolved' ? 'resolved' : 'open'
  const link = `${publicUrl}/admin/alerts?${new URLSearchParams({ state, search: alert_kind })}`
  return {
    subject: `${shopName}: ${headline}`,
    text: [`${shopName}: ${headline}`, ...(count > 1 ? [fill(own.count, { count: String(count) })] : []), link].join(
      '\n',
    ),
  }
}
