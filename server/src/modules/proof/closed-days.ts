import { setTimeout as sleep } from 'node:timers/promises'
import type { InvariantName } from '@olmos/contract/operations'
import type { Database } from '../../platform/database/database.ts'
import { join, type Queries, raw, type Sql, sql, type Tx } from '../../platform/database/queries.ts'
import type { Vault } from '../../platform/security/vault.ts'

/** Something that is always true of the database, whatever was killed in between. */
export interface Invariant {
  /** As in docs/reliability.md. */
  number: number
  name: InvariantName
  sentence: string
  /** Selects a `subject` for everything that violates it, from the names below. */
  offenders: Sql
  /** Selects the violations among what changed lately, where those names are not enough for that. */
  lately?: Sql
}

/**
 * The invariants select from these names where they walk through a table, and from the tables themselves where they look
 * something up by a key. So they can be run over every row, and over what changed lately.
 */
const checkedTables = {
  checked_order: 'orders',
  checked_item: 'order_item',
  checked_transfer: 'transfer',
  checked_code: 'code',
  checked_sale: 'code_sale',
  checked_activation: 'code_activation',
  checked_delivery: 'delivery',
  checked_supplier_order: 'supplier_order',
  checked_call: 'supplier_call',
  checked_unit: 'sold_unit',
  checked_payment: 'payment',
  checked_card_refund: 'card_refund',
  checked_refund: 'refund',
  checked_part: 'refund_part',
  checked_dispute: 'dispute',
  checked_change: 'status_change',
  checked_user: 'users',
} as const

/** Defines the names as all rows there are; it goes behind WITH. */
export const everyRow: Sql = join(
  Object.entries(checkedTables).map(
    ([name, table]) => sql`${raw(name)} AS NOT MATERIALIZED (SELECT * FROM ${raw(table)})`,
  ),
)

/** The last ids that had been given away in tables whose rows only come, when a day was closed. */
interface Marks {
  status_change: number
  payment: number
  card_refund: number
  dispute_change: number
  supplier_call: number
}

/** The time that no day was closed of yet. */
export interface OpenSpan {
  since: Date
  /** Transfers with higher ids are in the books of no closed day. */
  lastTransfer: number
  marks: Marks
}

/** What has to be looked at again: ids, as text. */
interface Touched {
  orders: string[]
  items: string[]
  codes: string[]
}

/**
 * Reads which orders came, moved or are not over yet in the open span, and which codes they have to do with. Whatever
 * the store does to an older order leaves a transfer, a change of status, a refund, a dispute or a call to a supplier.
 */
const readTouched = (queries: Queries, { since, lastTransfer, marks }: OpenSpan): Promise<Touched> =>
  queries.one<Touched>(sql`
    WITH touched_order AS MATERIALIZED (
      SELECT id FROM orders WHERE created_at >= ${since}
      UNION SELECT id FROM orders WHERE status = 'awaiting_payment'
      UNION SELECT order_id FROM order_item WHERE status IN ('pending', 'unknown')
      UNION SELECT order_id FROM transfer WHERE id > ${lastTransfer} AND order_id IS NOT NULL
      UNION SELECT order_id FROM status_change WHERE id > ${marks.status_change}
      UNION SELECT order_id FROM refund WHERE created_at >= ${since}
      UNION SELECT order_id FROM payment WHERE id > ${marks.payment}
      UNION SELECT order_id FROM card_refund JOIN payment ON payment.id = payment_id
        WHERE card_refund.id > ${marks.card_refund} OR card_refund.status IN ('sending', 'sent')
      UNION SELECT order_id FROM dispute
        WHERE status IN ('inquiry', 'open', 'lost') AND released_at IS NULL
          OR id IN (SELECT dispute_id FROM dispute_change WHERE dispute_change.id > ${marks.dispute_change})
      UNION SELECT order_id FROM supplier_call
        JOIN supplier_order ON supplier_order.id = supplier_call.supplier_order_id JOIN delivery ON delivery.id = delivery_id
        JOIN order_item ON order_item.id = order_item_id
        WHERE supplier_call.id > ${marks.supplier_call}),
    touched_item AS MATERIALIZED (SELECT order_item.id FROM touched_order JOIN order_item ON order_id = touched_order.id),
    touched_code AS (
      SELECT code_id FROM touched_item JOIN code_sale ON order_item_id = touched_item.id
      UNION SELECT code_id FROM touched_item JOIN code_activation ON order_item_id = touched_item.id
      UNION SELECT code_id FROM touched_item JOIN delivery ON order_item_id = touched_item.id
        JOIN supplier_order ON delivery_id = delivery.id WHERE code_id IS NOT NULL
      UNION SELECT code_id FROM code_hold
      UNION SELECT reserved.id FROM offer CROSS JOIN LATERAL (
        SELECT id FROM code WHERE offer_id = offer.id AND status = 'reserved') AS reserved)
    SELECT ARRAY(SELECT id FROM touched_order) AS orders, ARRAY(SELECT id::text FROM touched_item) AS items,
      ARRAY(SELECT code_id::text FROM touched_code) AS codes`)

/**
 * Defines the names as what changed in the open span, with all that belongs to it, so that no invariant sees half of an
 * order; it goes behind WITH. `open_transfer` are the transfers of no closed day.
 */
export async function rowsOfSpan(queries: Queries, span: OpenSpan): Promise<Sql> {
  const { orders, items, codes } = await readTouched(queries, span)
  return sql`
    touched_order AS MATERIALIZED (SELECT unnest(${orders}::text[]) AS id),
    touched_item AS MATERIALIZED (SELECT unnest(${items}::bigint[]) AS id),
    touched_code AS MATERIALIZED (SELECT unnest(${codes}::bigint[]) AS id),
    closed AS MATERIALIZED (SELECT ${span.lastTransfer}::bigint AS last_transfer),
    open_transfer AS (SELECT * FROM transfer WHERE id > ${span.lastTransfer}),
    checked_order AS (SELECT * FROM orders WHERE id IN (SELECT id FROM touched_order)),
    checked_item AS (SELECT * FROM order_item WHERE id IN (SELECT id FROM touched_item)),
    checked_transfer AS (
      SELECT * FROM open_transfer
      UNION ALL SELECT * FROM transfer WHERE id <= ${span.lastTransfer} AND order_id IN (SELECT id FROM touched_order)),
    checked_code AS (SELECT * FROM code WHERE id IN (SELECT id FROM touched_code)),
    checked_sale AS (SELECT * FROM code_sale WHERE code_id IN (SELECT id FROM touched_code)),
    checked_activation AS (SELECT * FROM code_activation WHERE code_id IN (SELECT id FROM touched_code)),
    checked_delivery AS (SELECT * FROM delivery WHERE order_item_id IN (SELECT id FROM touched_item)),
    checked_supplier_order AS (SELECT * FROM supplier_order WHERE delivery_id IN (SELECT id FROM checked_delivery)),
    checked_call AS (SELECT * FROM supplier_call WHERE supplier_order_id IN (SELECT id FROM checked_supplier_order)),
    checked_unit AS (
      SELECT unit.* FROM touched_item
      -- OFFSET 0: looked up item by item, where a join would read every sale there ever was.
      CROSS JOIN LATERAL (SELECT * FROM sold_unit WHERE order_item_id = touched_item.id OFFSET 0) AS unit),
    checked_payment AS (SELECT * FROM payment WHERE order_id IN (SELECT id FROM touched_order)),
    checked_card_refund AS (SELECT * FROM card_refund WHERE payment_id IN (SELECT id FROM checked_payment)),
    checked_refund AS (SELECT * FROM refund WHERE order_id IN (SELECT id FROM touched_order)),
    checked_part AS (SELECT * FROM refund_part WHERE order_id IN (SELECT id FROM touched_order)),
    checked_dispute AS (SELECT * FROM dispute WHERE order_id IN (SELECT id FROM touched_order)),
    checked_change AS (SELECT * FROM status_change WHERE order_id IN (SELECT id FROM touched_order)),
    checked_user AS (
      SELECT * FROM users WHERE held_since IS NOT NULL OR id IN (SELECT user_id FROM checked_order))`
}

/** Its seals need the key, which no query has. Its number is not among those that queries check. */
export const closedDays: { number: number; name: InvariantName; sentence: string } = {
  number: 32,
  name: 'closed-days',
  sentence: 'The transfers of each closed day are those that it was closed with, and so are the balances at its end',
}

/** A moment and the last ids that were given away before it; every earlier transaction has ended. */
interface Watermark {
  /** The day of the moment, in UTC: all days before it can be closed. */
  today: string
  lastTransfer: number
  marks: Marks
}

const waitMs = 60_000
const pauseMs = 500

/**
 * Waits until every transaction that runs at this moment has ended, a minute at most, so that no transfer can come with
 * an id that had been given away before. Resolves to undefined when no day is to be closed, or when one still runs. What
 * is read afterwards has everything that happened before the watermark.
 */
export async function passWatermark(database: Database): Promise<Watermark | undefined> {
  const { isDue, running, ...mark } = await database.one<Watermark & { isDue: boolean; running: string[] }>(sql`
    SELECT (now() AT TIME ZONE 'UTC')::date::text AS today,
      coalesce((SELECT max(day) FROM closed_day), '-infinity') < (now() AT TIME ZONE 'UTC')::date - 1 AS "isDue",
      coalesce((SELECT max(id) FROM transfer), 0) AS "lastTransfer",
      jsonb_build_object(
        'status_change', coalesce((SELECT max(id) FROM status_change), 0),
        'payment', coalesce((SELECT max(id) FROM payment), 0),
        'card_refund', coalesce((SELECT max(id) FROM card_refund), 0),
        'dispute_change', coalesce((SELECT max(id) FROM dispute_change), 0),
        'supplier_call', coalesce((SELECT max(id) FROM supplier_call), 0)) AS marks,
      ARRAY(
        SELECT virtualtransaction FROM pg_locks JOIN pg_stat_activity USING (pid)
        WHERE locktype = 'virtualxid' AND pg_locks.granted AND pid <> pg_backend_pid()
          -- Those without a user are PostgreSQL's own, which clean up and write no transfers.
          AND datname = current_database() AND usename IS NOT NULL) AS running`)
  if (!isDue) return undefined
  const deadline = performance.now() + waitMs
  while (await isOneRunning(database, running)) {
    if (performance.now() > deadline) return undefined
    await sleep(pauseMs)
  }
  return mark
}

const isOneRunning = async (queries: Queries, transactions: readonly string[]): Promise<boolean> =>
  (
    await queries.rows(sql`
    SELECT FROM pg_locks WHERE locktype = 'virtualxid' AND virtualtransaction = ANY (${transactions}::text[]) LIMIT 1`)
  ).length > 0

/** A proof that reads the whole ledger is due when days were not closed for so long. */
const openDaysAtMost = 3

/** Reads since when no day was closed; undefined when that is too long ago to look at what changed since alone. */
export const readOpenSpan = (queries: Queries): Promise<OpenSpan | undefined> =>
  queries.maybe<OpenSpan>(sql`
    SELECT (day + 1)::timestamp AT TIME ZONE 'UTC' AS since, last_transfer AS "lastTransfer", marks
    FROM closed_day WHERE day >= (now() AT TIME ZONE 'UTC')::date - ${openDaysAtMost}::int
    ORDER BY day DESC LIMIT 1`)

/** What is kept of transfers: by kind of account, currency and kind of transfer. */
interface DaySum {
  account: string
  currency: string
  kind: string
  entries: number
  change: number
}

interface ClosedDay {
  day: string
  lastTransfer: number
  transfers: number
  sums: DaySum[]
  digest: Buffer
  marks: Marks
}

const sealOver = (vault: Vault, { digest, ...closed }: ClosedDay, before: Buffer | undefined): Buffer => {
  const { day, lastTransfer, transfers, sums, marks } = closed
  const hexes = [digest, before].map((bytes) => bytes?.toString('hex') ?? '')
  return vault.sealAudit(JSON.stringify(['closed day', day, lastTransfer, transfers, sums, marks, ...hexes]))
}

/** Digests the transfers it is selected from, in their order. It names each column, so that added ones don't change it. */
const digest = sql`sha256(convert_to(coalesce(string_agg(jsonb_build_array(
  id, kind, currency, amount, debit_account, credit_account, debit_balance, credit_balance, order_id, key, reason, made_by,
  extract(epoch FROM created_at))::text, E'\n' ORDER BY id), ''), 'UTF8'))`

const statementMs = 120_000

/**
 * Closes every day before the watermark's that is still open, each in a transaction: adds its transfers up, keeps what
 * each account has at its end, and seals it. Call it once a proof has looked at what came before the watermark. Returns
 * the days it closed. The books of a day end at the id of its last transfer.
 */
export async function closeDays(
  { database, vault }: { database: Database; vault: Vault },
  mark: Watermark,
): Promise<string[]> {
  const closed: string[] = []
  for (;;) {
    const day = await database.transaction((tx) => closeNextDay(tx, vault, mark), { statementMs })
    if (day === undefined) return closed
    closed.push(day)
  }
}

async function closeNextDay(tx: Tx, vault: Vault, mark: Watermark): Promise<string | undefined> {
  // A statement of its own, before the last day is read: another node may be closing the next one.
  await tx.run(sql`SELECT pg_advisory_xact_lock(hashtext('closed_day'))`)
  const next = await tx.maybe<{ day: string; after: number; seal: Buffer | null }>(sql`
    SELECT day::text, after, seal FROM (
      (SELECT day + 1 AS day, last_transfer AS after, seal FROM closed_day ORDER BY closed_day.day DESC LIMIT 1)
      UNION ALL (
        SELECT (min(created_at) AT TIME ZONE 'UTC')::date, 0, NULL FROM transfer
        WHERE NOT EXISTS (SELECT FROM closed_day))) AS next
    WHERE day < ${mark.today}::date`)
  if (!next) return undefined
  const { day, after } = next
  const { lastTransfer } = await tx.one<{ lastTransfer: number }>(sql`
    SELECT coalesce(max(id), ${after}::bigint) AS "lastTransfer" FROM transfer
    WHERE created_at >= ${day}::timestamp AT TIME ZONE 'UTC' - interval '1 day'
      AND created_at < (${day}::date + 1)::timestamp AT TIME ZONE 'UTC' AND id > ${after} AND id <= ${mark.lastTransfer}`)
  const books = await tx.one<Pick<ClosedDay, 'transfers' | 'sums' | 'digest'>>(sql`
    WITH moved AS MATERIALIZED (SELECT * FROM transfer WHERE id > ${after} AND id <= ${lastTransfer}),
    entry AS (
      SELECT debit_account AS account_id, kind, currency, -amount AS change FROM moved
      UNION ALL SELECT credit_account, kind, currency, amount FROM moved),
    balance AS (
      INSERT INTO closed_balance (account_id, balance) SELECT account_id, sum(change) FROM entry GROUP BY account_id
      ON CONFLICT (account_id) DO UPDATE SET balance = closed_balance.balance + excluded.balance),
    total AS (
      SELECT account.kind AS account, entry.currency, entry.kind, count(*) AS entries, sum(change) AS change
      FROM entry JOIN account ON account.id = account_id GROUP BY account.kind, entry.currency, entry.kind)
    SELECT (SELECT count(*) FROM moved) AS transfers, (SELECT ${digest} FROM moved) AS digest,
      (SELECT coalesce(jsonb_agg(to_jsonb(total) ORDER BY account, currency, kind), '[]') FROM total) AS sums`)
  const closed: ClosedDay = { day, lastTransfer, ...books, marks: mark.marks }
  await tx.run(sql`
    INSERT INTO closed_day (day, last_transfer, transfers, sums, digest, marks, seal)
    VALUES (${day}, ${lastTransfer}, ${closed.transfers}, ${JSON.stringify(closed.sums)}, ${closed.digest},
      ${JSON.stringify(closed.marks)}, ${sealOver(vault, closed, next.seal ?? undefined)})`)
  return day
}

const sampleSize = 5

/**
 * Checks every seal, and that the transfers are those that each day was closed with: of all days, with the balances kept
 * at their end, or of the last one only (`lately`). Call it in `database.snapshot`.
 */
export async function checkClosedDays(queries: Queries, vault: Vault, walk: 'whole' | 'lately' = 'whole') {
  const days = await queries.rows<ClosedDay & { seal: Buffer }>(sql`
    SELECT day::text, last_transfer AS "lastTransfer", transfers, sums, digest, marks, seal FROM closed_day ORDER BY closed_day.day`)
  const badSeals = days.filter(({ seal, ...day }, index) => !sealOver(vault, day, days[index - 1]?.seal).equals(seal))
  const from = walk === 'whole' ? '-infinity' : (days.at(-1)?.day ?? '-infinity')
  const changed = await queries.rows<{ day: string }>(sql`
    SELECT day::text FROM (
      SELECT *, coalesce(lag(last_transfer) OVER (ORDER BY day), 0) AS after FROM closed_day) AS closed
    CROSS JOIN LATERAL (
      SELECT count(*) AS transfers, ${digest} AS digest FROM transfer WHERE id > after AND id <= last_transfer) AS present
    WHERE day >= ${from}::date AND (present.transfers, present.digest) IS DISTINCT FROM (closed.transfers, closed.digest)
    ORDER BY closed.day`)
  const wrongBalances = walk === 'whole' ? await findWrongBalances(queries) : []
  const subjects = [
    ...new Set([...badSeals, ...changed].map(({ day }) => `day ${day}`)),
    ...wrongBalances.map(({ account_id }) => `balance of account ${account_id}`),
  ]
  return { ...closedDays, offenders: subjects.length, sample: subjects.slice(0, sampleSize) }
}

const findWrongBalances = (queries: Queries) =>
  queries.rows<{ account_id: number }>(sql`
    WITH closed AS MATERIALIZED (
      SELECT * FROM transfer WHERE id <= (SELECT coalesce(max(last_transfer), 0) FROM closed_day))
    SELECT account_id FROM closed_balance FULL JOIN (
      SELECT account_id, sum(change) AS moved FROM (
        SELECT debit_account::bigint AS account_id, -amount AS change FROM closed
        UNION ALL SELECT credit_account, amount FROM closed) AS entry GROUP BY account_id) AS entry USING (account_id)
    WHERE balance IS DISTINCT FROM moved ORDER BY account_id`)
