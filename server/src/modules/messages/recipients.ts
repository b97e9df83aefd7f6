import { Failure } from '@olmos/contract/failure'
import * as LIMITS from '@olmos/contract/limits'
import {
  type MessageChannel,
  type MessageFault,
  type messagesApi,
  type NewRecipient,
  type Recipient,
  type RecipientChange,
  toAddressFault,
} from '@olmos/contract/messages'
import {
  allConditions,
  countAll,
  direction,
  orDuplicate,
  requireVersion,
  type SortedList,
  toPage,
  withTotal,
} from '../../platform/database/lists.ts'
import { containing, type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { writeAudit, writeAuditChange } from '../../platform/security/audit.ts'

interface RecipientRow extends Omit<Recipient, 'quiet_hours' | 'created_at'> {
  quiet_from: string | null
  quiet_to: string | null
  created_at: Date
}

const columns = sql`
  id, name, channel, address, language, alert_kinds, to_char(quiet_from, 'HH24:MI') AS quiet_from,
  to_char(quiet_to, 'HH24:MI') AS quiet_to, is_on, fault, words, version, created_at`

const toColumn = { id: sql`id`, name: sql`lower(name)` }

type RecipientList = SortedList<typeof messagesApi.recipients>

const isListed = ({ search }: RecipientList) =>
  allConditions(search ? sql`(name ILIKE ${containing(search)} OR address ILIKE ${containing(search)})` : undefined)

/** Reads a page of those who get messages, and how many there are. */
export async function listRecipients(
  queries: Queries,
  list: RecipientList,
): Promise<{ data: Recipient[]; total: number }> {
  const { rows, total } = await withTotal(
    list,
    queries.rows<RecipientRow>(sql`
      SELECT ${columns} FROM message_recipient WHERE ${isListed(list)}
      ORDER BY ${toColumn[list.sort]} ${direction(list.order)}, id ${toPage(list)}`),
    () => countAll(queries, sql`SELECT FROM message_recipient WHERE ${isListed(list)}`, list.search),
  )
  return { data: rows.map(shownRecipient), total }
}

const shownRecipient = ({ quiet_from: from, quiet_to: to, ...row }: RecipientRow): Recipient => ({
  ...row,
  quiet_hours: from === null || to === null ? null : { from, to },
  created_at: row.created_at.toISOString(),
})

/** Reads a recipient and locks it until the transaction ends. */
export async function lockRecipient(tx: Tx, id: number): Promise<Recipient> {
  const row = await tx.maybe<RecipientRow>(sql`SELECT ${columns} FROM message_recipient WHERE id = ${id} FOR UPDATE`)
  if (!row) throw new Failure('NOT_FOUND')
  return shownRecipient(row)
}

function requireAddress(channel: MessageChannel, address: string): void {
  const fault = toAddressFault(channel, address)
  if (fault) throw new Failure('VALIDATION_FAILED', { address: fault })
}

const refuseTakenAddress = <T>(write: Promise<T>): Promise<T> =>
  orDuplicate(write, 'message_recipient_channel_address_key', 'address')

/** Adds somebody who gets messages about alerts that are raised from now on. */
export async function addRecipient(tx: Tx, adminId: number, wanted: NewRecipient): Promise<Recipient> {
  requireAddress(wanted.channel, wanted.address)
  const { name, channel, address, language, alert_kinds, quiet_hours, is_on } = wanted
  const { count } = await tx.one<{ count: number }>(sql`SELECT count(*)::int AS count FROM message_recipient`)
  if (count >= LIMITS.recipientsMax) throw new Failure('VALIDATION_FAILED', { name: 'list_too_long' })
  const row = await refuseTakenAddress(
    tx.one<RecipientRow>(sql`
      INSERT INTO message_recipient (name, channel, address, language, alert_kinds, quiet_from, quiet_to, is_on)
      VALUES (${name}, ${channel}, ${address}, ${language}, ${alert_kinds}::text[], ${quiet_hours?.from ?? null}::time,
        ${quiet_hours?.to ?? null}::time, ${is_on})
      RETURNING ${columns}`),
  )
  const subject = `message_recipient:${row.id}`
  await writeAudit(tx, { actorId: adminId, action: 'message_recipient.create', subject, after: wanted })
  return shownRecipient(row)
}

/** Changes who gets what. One that is switched on again, or has another address, is given another chance. */
export async function changeRecipient(
  tx: Tx,
  adminId: number,
  id: number,
  { version, ...change }: RecipientChange,
): Promise<Recipient> {
  const before = await lockRecipient(tx, id)
  requireVersion(before, version)
  const wanted = { ...before, ...change }
  requireAddress(wanted.channel, wanted.address)
  const isFaultKept = !wanted.is_on && wanted.address === before.address
  const row = await refuseTakenAddress(
    tx.one<RecipientRow>(sql`
      UPDATE message_recipient SET name = ${wanted.name}, address = ${wanted.address}, language = ${wanted.language},
        alert_kinds = ${wanted.alert_kinds}::text[], quiet_from = ${wanted.quiet_hours?.from ?? null}::time,
        quiet_to = ${wanted.quiet_hours?.to ?? null}::time, is_on = ${wanted.is_on},
        fault = ${isFaultKept ? before.fault : null}, words = ${isFaultKept ? before.words : null}
      WHERE id = ${id} RETURNING ${columns}`),
  )
  if (before.is_on && !wanted.is_on) await dropWaiting(tx, id, 'switched_off')
  const after = shownRecipient(row)
  const entry = { actorId: adminId, action: 'message_recipient.update', subject: `message_recipient:${id}` } as const
  await writeAuditChange(tx, entry, before, after)
  return after
}

/** Deletes a recipient with what was and will be sent to it. */
export async function removeRecipient(tx: Tx, adminId: number, id: number): Promise<void> {
  const before = await lockRecipient(tx, id)
  await tx.run(sql`DELETE FROM message_recipient WHERE id = ${id}`)
  const subject = `message_recipient:${id}`
  await writeAudit(tx, { actorId: adminId, action: 'message_recipient.delete', subject, before })
}

/** Gives up what waits to be sent to a recipient. */
const dropWaiting = (tx: Tx, id: number, fault: MessageFault) =>
  tx.run(sql`UPDATE message SET state = 'failed', fault = ${fault} WHERE recipient_id = ${id} AND state = 'waiting'`)

/**
 * Switches off a recipient that can't be reached, and gives up what waits for it; not one that was given another address while
 * the message was on its way.
 */
export async function switchOff(
  tx: Tx,
  { id, address }: Pick<Recipient, 'id' | 'address'>,
  fault: MessageFault,
  words: string | null,
): Promise<void> {
  const isSame = await tx.run(sql`
    UPDATE message_recipient SET is_on = false, fault = ${fault}, words = ${words}
    WHERE id = ${id} AND address = ${address}`)
  if (isSame > 0) await dropWaiting(tx, id, fault)
}
