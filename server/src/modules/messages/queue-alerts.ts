import type { Language } from '@olmos/contract/fields'
import { type MessageChannel, type MessagePayload, urgentAlertKinds } from '@olmos/contract/messages'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Resources } from '../../platform/context.ts'
import { type Queries, type Sql, sql, type Tx } from '../../platform/database/queries.ts'

/** What messages need of the store. */
export type MessageShop = Pick<Resources, 'database' | 'vault' | 'clock' | 'log' | 'config'>

/** Whether it is quiet for the recipient in scope, by the clock on the wall where the shop is. */
export function isQuiet({ clock, config }: Pick<MessageShop, 'clock' | 'config'>): Sql {
  const time = sql`(${clock.now()}::timestamptz AT TIME ZONE ${config.timeZone}::text)::time`
  return sql`coalesce(CASE WHEN quiet_from < quiet_to THEN ${time} >= quiet_from AND ${time} < quiet_to
    ELSE ${time} >= quiet_from OR ${time} < quiet_to END, false)`
}

type Topic = 'raised' | 'reminder' | 'resolved'

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
 * day; so is its end, to those who were told. Alerts of one kind that follow each other closely, and one that comes and goes,
 * wait for each other, and so does what is not urgent in quiet hours: it is told afterwards, unless it is over by then.
 */
const findNews = (queries: Queries, shop: MessageShop, isTo: Sql = sql`true`) => {
  const { messagePauseMinutes, messageFlapMinutes, messageReminderHours } = SERVER_LIMITS
  return queries.rows<News>(sql`
    SELECT recipient.id AS recipient_id, recipient.channel, recipient.language, alert.id AS alert_id,
      alert.kind AS alert_kind, CASE WHEN queued_at IS NULL THEN 'raised' ELSE 'reminder' END AS topic, true AS is_known
    FROM message_recipient AS recipient
    JOIN alert ON alert.resolved_at IS NULL AND alert.acknowledged_at IS NULL AND alert.created_at >= recipient.created_at
      AND (alert_kinds IS NULL OR alert.kind = ANY (alert_kinds))
    LEFT JOIN message_alert AS known ON known.recipient_id = recipient.id AND known.alert_id = alert.id
    WHERE ${isTo} AND recipient.is_on
      AND (alert.kind = ANY (${urgentAlertKinds as string[]}::text[]) OR NOT ${isQuiet(shop)})
      AND (queued_at IS NULL OR queued_at < now() - make_interval(hours => ${messageReminderHours}))
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
