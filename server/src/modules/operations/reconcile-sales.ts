import type { Currency } from '@olmos/contract/money'
import type { Database } from '../../platform/database/database.ts'
import { sql, type Tx } from '../../platform/database/queries.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import {
  type Entry,
  type MovedMoney,
  readSalesLog,
  type SalesLog,
  type SentDelivery,
  type SoldCode,
} from './sales-log.ts'

interface LostSpan {
  /** The moments of the first and the last entry that the database does not have. */
  from: Date | undefined
  until: Date | undefined
  unreadable: number
  /** Codes that were taken off the shelf now. */
  taken: number
  /** Codes taken off besides, because they may have been sold in the last moment. */
  margin: number
  /** Codes that a buyer's unpaid order has reserved; its provider says that it is paid. */
  awaited: number
  /** Codes that the database sold to another order: sold twice. */
  sold_again: { code_id: number; order_id: string }[]
  /** Codes that the database does not have: not to be imported again. */
  unknown: number
  orders: { order_id: string; at: Date; codes: number; money: { currency: Currency; amount: number }[] }[]
  money: MovedMoney[]
  deliveries: (SentDelivery & { is_stopped: boolean })[]
}

/**
 * Compares the log with a restored database. Codes that had left are quarantined, deliveries that a supplier had been
 * sent wait for the operator; orders and money that are missing are only listed. Run it before the store is started; it
 * may be run again. `margin`: so many more codes of each shelf that was selling in the log's last minute.
 */
export async function reconcileSales(
  database: Database,
  { margin, ...log }: SalesLog & { margin: number },
): Promise<LostSpan> {
  const { entries, unreadable } = await readSalesLog(log)
  const codes = entries.filter((one) => one.what === 'code')
  const money = entries.filter((one) => one.what === 'money')
  const sent = entries.filter((one) => one.what === 'delivery')
  return database.transaction(
    async (tx) => {
      const lostCodes = await findLostCodes(tx, codes)
      const lostMoney = await findLostMoney(tx, money)
      const deliveries = await stopDeliveries(tx, sent)
      const taken = await takeOff(
        tx,
        lostCodes.filter(({ is_awaited }) => !is_awaited).flatMap(({ code_id }) => code_id ?? []),
      )
      const lost = [...lostCodes, ...lostMoney, ...deliveries].map((one) => one.at.getTime()).sort((a, b) => a - b)
      const lastAt = entries.at(-1)?.at.getTime() ?? 0
      const selling = new Set(codes.filter((one) => one.at.getTime() > lastAt - 60_000).map((one) => one.offer_id))
      const besides = margin > 0 ? await takeNext(tx, [...selling], margin) : 0
      const span: LostSpan = {
        from: lost.length > 0 ? new Date(lost[0] as number) : undefined,
        until: lost.length > 0 ? new Date(lost.at(-1) as number) : undefined,
        unreadable,
        taken,
        margin: besides,
        awaited: lostCodes.filter(({ is_awaited }) => is_awaited).length,
        sold_again: lostCodes.flatMap(({ code_id, status, order_id }) =>
          code_id !== null && status === 'used' ? [{ code_id, order_id }] : [],
        ),
        unknown: lostCodes.filter(({ code_id }) => code_id === null).length,
        orders: toOrders(await findLostOrders(tx, entries), lostCodes, lostMoney),
        money: lostMoney,
        deliveries,
      }
      if (taken + besides > 0) {
        const after = { taken, margin: besides, from: span.from, until: span.until }
        await writeAudit(tx, { actorId: null, action: 'codes.reconcile', subject: 'shop', after })
      }
      return span
    },
    { statementMs: 10 * 60_000 },
  )
}

interface LostCode extends Pick<SoldCode, 'at' | 'order_id'> {
  /** Null when the database does not have it. */
  code_id: number | null
  status: string | null
  is_awaited: boolean
}

/** Finds the logged sales that the database does not have. */
const findLostCodes = (tx: Tx, codes: readonly SoldCode[]) =>
  tx.rows<LostCode>(sql`
    SELECT gone.at, gone.order_id, code.id AS code_id, code.status, EXISTS (
      SELECT FROM code_hold JOIN order_item ON order_item.id = code_hold.order_item_id
      WHERE code_hold.code_id = code.id AND order_item.order_id = gone.order_id) AS is_awaited
    FROM unnest(${codes.map((one) => one.at)}::timestamptz[], ${codes.map((one) => one.order_id)}::text[],
      ${codes.map((one) => one.fingerprint)}::text[]) AS gone (at, order_id, fingerprint)
    LEFT JOIN code ON code.fingerprint = decode(gone.fingerprint, 'hex')
    WHERE NOT EXISTS (
      SELECT FROM code_sale JOIN order_item ON order_item.id = code_sale.order_item_id
      WHERE code_sale.code_id = code.id AND order_item.order_id = gone.order_id)
    ORDER BY gone.at`)

/** Takes these off sale, whatever keeps them in stock; an unpaid order that had one reserved gets another when it is paid. */
const takeOff = (tx: Tx, codeIds: readonly number[]) =>
  tx.run(sql`
    WITH gone AS (
      SELECT id FROM code WHERE id = ANY (${codeIds}::bigint[]) AND status NOT IN ('used', 'quarantined')
      ORDER BY id FOR UPDATE),
    released AS (DELETE FROM code_hold USING gone WHERE code_id = gone.id)
    UPDATE code SET status = 'quarantined' FROM gone WHERE code.id = gone.id`)

/** Takes the next codes of each shelf off sale, in the order in which they would be sold. */
const takeNext = (tx: Tx, offerIds: readonly number[], count: number) =>
  tx.run(sql`
    UPDATE code SET status = 'quarantined' FROM (
      SELECT next.id FROM unnest(${offerIds}::int[]) AS offer (id) CROSS JOIN LATERAL (
        SELECT code.id FROM code WHERE code.offer_id = offer.id AND status = 'available'
        ORDER BY shelf LIMIT ${count} FOR UPDATE) AS next) AS doubtful
    WHERE code.id = doubtful.id`)

/** Ids are given out again after a restore, so a row counts only with its time and amount. */
async function findLostMoney(tx: Tx, money: readonly MovedMoney[]): Promise<MovedMoney[]> {
  const rows = await tx.rows<{ nth: number }>(sql`
    SELECT gone.nth FROM unnest(${money.map((one) => one.id)}::bigint[], ${money.map((one) => one.at)}::timestamptz[],
      ${money.map((one) => one.amount)}::bigint[]) WITH ORDINALITY AS gone (id, at, amount, nth)
    WHERE NOT EXISTS (
      SELECT FROM transfer WHERE transfer.id = gone.id AND transfer.amount = gone.amount
        AND abs(extract(epoch FROM transfer.created_at - gone.at)) < 1)
    ORDER BY gone.nth`)
  return rows.map(({ nth }) => money[nth - 1] as MovedMoney)
}

/** Gives to the operator what a supplier had been sent after the restored moment: sent again it would be bought twice. */
async function stopDeliveries(tx: Tx, sent: readonly SentDelivery[]): Promise<LostSpan['deliveries']> {
  const rows = await tx.rows<{ nth: number; is_stopped: boolean }>(sql`
    WITH gone AS (
      SELECT * FROM unnest(${sent.map((one) => one.order_id)}::text[], ${sent.map((one) => one.position)}::int[],
        ${sent.map((one) => one.unit)}::int[], ${sent.map((one) => one.key)}::uuid[])
        WITH ORDINALITY AS gone (order_id, position, unit, key, nth)
      WHERE NOT EXISTS (SELECT FROM supplier_order WHERE supplier_order.key = gone.key)),
    stopped AS (
      UPDATE delivery SET operator_since = coalesce(operator_since, now()), next_at = NULL, held_until = NULL,
        reason = 'restored'
      FROM gone JOIN order_item ON order_item.order_id = gone.order_id AND order_item.position = gone.position
      WHERE delivery.order_item_id = order_item.id AND delivery.unit = gone.unit AND delivery.decided_at IS NULL
      RETURNING gone.nth)
    SELECT gone.nth, EXISTS (SELECT FROM stopped WHERE stopped.nth = gone.nth) AS is_stopped FROM gone ORDER BY nth`)
  return rows.map(({ nth, is_stopped }) => ({ ...(sent[nth - 1] as SentDelivery), is_stopped }))
}

async function findLostOrders(tx: Tx, entries: readonly Entry[]): Promise<{ order_id: string; at: Date }[]> {
  const firsts = new Map<string, Date>()
  for (const { order_id, at } of entries) if (order_id !== null && !firsts.has(order_id)) firsts.set(order_id, at)
  const rows = await tx.rows<{ order_id: string }>(sql`
    SELECT gone.order_id FROM unnest(${[...firsts.keys()]}::text[]) AS gone (order_id)
    WHERE NOT EXISTS (SELECT FROM orders WHERE orders.id = gone.order_id)`)
  const lost = new Set(rows.map((row) => row.order_id))
  return [...firsts].filter(([order_id]) => lost.has(order_id)).map(([order_id, at]) => ({ order_id, at }))
}

function toOrders(
  orders: readonly { order_id: string; at: Date }[],
  codes: readonly LostCode[],
  money: readonly MovedMoney[],
): LostSpan['orders'] {
  return orders.map((order) => ({
    ...order,
    codes: codes.filter(({ order_id }) => order_id === order.order_id).length,
    money: money
      .filter(({ order_id }) => order_id === order.order_id)
      .map(({ currency, amount }) => ({ currency, amount })),
  }))
}
