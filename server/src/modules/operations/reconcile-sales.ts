import type { Currency } from '@olmos/contract/money'
import type { Database } from '../../platform/database/database.ts'
import { sql, type Tx } from '../../platform/database/queries.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { expireOrder } from '../checkout/expire-order.ts'
import { type CodeReservation, reserveMissingCodes } from '../codes/take-codes.ts'
import { requireOrder } from '../orders/order-states.ts'
import type { SupplierOrder } from '../topups/supplier.ts'
import { type Suppliers, supplierNamed } from '../topups/suppliers.ts'
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
  /** Codes among the taken ones that were reserved for the order whose buyer has them: the database has it unpaid. */
  awaited: { code_id: number; order_id: string }[]
  /** Codes that the database sold to another order: sold twice. */
  sold_again: { code_id: number; order_id: string }[]
  /** Codes that the database does not have: not to be imported again. */
  unknown: number
  orders: { order_id: string; at: Date; codes: number; money: { currency: Currency; amount: number }[] }[]
  money: MovedMoney[]
  deliveries: LostDelivery[]
}

/** What a supplier was sent that the database does not know of. */
interface LostDelivery extends SentDelivery {
  /**
   * `looked_up`: the store looks it up under the key it was sent with. `with_operator`: it waits for the operator. `replaced`:
   * another was sent for the unit after it, so it had come to nothing. `decided`: the unit came to an end here before. `lost`:
   * the database does not have its order.
   */
  became: 'looked_up' | 'with_operator' | 'replaced' | 'decided' | 'lost'
}

/**
 * Compares the log with a restored database. Codes that had left are quarantined, also those that an order has reserved,
 * which would put them on the shelf when it expires; it gets others, or expires at once. Deliveries that a supplier had been
 * sent are looked up there before anything is sent again; orders and money that are missing are only listed. Run it before
 * the store is started; it may be run again. `margin`: so many more codes of each shelf that was selling in the log's last
 * minute.
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
      const deliveries = await bringBackDeliveries(tx, sent)
      const gone = [...lostCodes.flatMap(({ code_id }) => code_id ?? []), ...(await findSpentCodes(tx, deliveries))]
      const unpaid = await findReservations(tx, gone)
      const taken = await takeOff(tx, gone)
      const lost = [...lostCodes, ...lostMoney, ...deliveries].map((one) => one.at.getTime()).sort((a, b) => a - b)
      const lastAt = entries.at(-1)?.at.getTime() ?? 0
      const selling = new Set(codes.filter((one) => one.at.getTime() > lastAt - 60_000).map((one) => one.offer_id))
      const besides = margin > 0 ? await takeNext(tx, [...selling], margin) : 0
      // After the margin is taken, so that no order gets a code that may have been sold.
      for (const [orderId, lines] of unpaid) await reserveOthers(tx, orderId, lines)
      const span: LostSpan = {
        from: lost.length > 0 ? new Date(lost[0] as number) : undefined,
        until: lost.length > 0 ? new Date(lost.at(-1) as number) : undefined,
        unreadable,
        taken,
        margin: besides,
        awaited: lostCodes.flatMap(({ code_id, order_id, is_awaited }) =>
          code_id !== null && is_awaited ? [{ code_id, order_id }] : [],
        ),
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
    LEFT JOIN code_fingerprint AS known ON known.fingerprint = decode(gone.fingerprint, 'hex')
    LEFT JOIN code ON code.id = known.code_id
    WHERE NOT EXISTS (
      SELECT FROM code_sale JOIN order_item ON order_item.id = code_sale.order_item_id
      WHERE code_sale.code_id = code.id AND order_item.order_id = gone.order_id)
    ORDER BY gone.at`)

interface Reservation extends CodeReservation {
  /** Whether a supplier is asked for what the shelf lacks. */
  isOnDemand: boolean
}

/**
 * Finds the code items of unpaid orders that have one of these reserved, by order: all of them, because what expired or was
 * recalled of the others is taken from the order too.
 */
async function findReservations(tx: Tx, codeIds: readonly number[]): Promise<Map<string, Reservation[]>> {
  const lines = await tx.rows<Reservation>(sql`
    SELECT order_id AS "orderId", position, offer_id AS "offerId", quantity, is_on_demand AS "isOnDemand" FROM order_item
    WHERE status = 'awaiting_payment' AND item_type = 'code' AND order_id IN (
      SELECT item.order_id FROM code_hold JOIN order_item AS item ON item.id = order_item_id
      WHERE code_id = ANY (${codeIds}::bigint[]))
    ORDER BY order_id, offer_id`)
  return Map.groupBy(lines, ({ orderId }) => orderId)
}

/** Reserves other codes for an unpaid order; it expires where the shelf lacks them, as it could not be delivered. */
async function reserveOthers(tx: Tx, orderId: string, lines: readonly Reservation[]): Promise<void> {
  const order = await requireOrder(tx, orderId)
  const lacking = await reserveMissingCodes(tx, lines)
  const isOnDemand = lacking.every(({ position }) => lines.some((one) => one.position === position && one.isOnDemand))
  if (!isOnDemand) await expireOrder(tx, order)
}

/** Takes these off sale, whatever keeps them in stock. */
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

/**
 * Takes up what a supplier had been sent after the restored moment: sent again it would be bought twice. A delivery gets its
 * order back under the key it was sent with, as after the death of a worker, so it is looked up; what can't be asked for
 * again waits for the operator.
 */
async function bringBackDeliveries(tx: Tx, sent: readonly SentDelivery[]): Promise<LostDelivery[]> {
  const rows = await tx.rows<{
    nth: number
    delivery_id: number | null
    is_open: boolean
    is_last: boolean
    can_be_asked: boolean
  }>(sql`
    SELECT gone.nth, delivery.id AS delivery_id, coalesce(delivery.decided_at IS NULL, false) AS is_open,
      row_number() OVER (PARTITION BY gone.order_id, gone.position, gone.unit ORDER BY gone.nth DESC) = 1 AS is_last,
      (gone.supplier_product_id IS NULL OR EXISTS (
        SELECT FROM supplier_product WHERE supplier_product.id = gone.supplier_product_id))
      AND NOT EXISTS (SELECT FROM supplier_order
        WHERE delivery_id = delivery.id AND code_id IS NOT NULL AND state IN ('sent', 'unknown')) AS can_be_asked
    FROM unnest(${sent.map((one) => one.order_id)}::text[], ${sent.map((one) => one.position)}::int[],
      ${sent.map((one) => one.unit)}::int[], ${sent.map((one) => one.key)}::uuid[],
      ${sent.map((one) => one.supplier_product_id ?? null)}::bigint[])
      WITH ORDINALITY AS gone (order_id, position, unit, key, supplier_product_id, nth)
    LEFT JOIN order_item ON order_item.order_id = gone.order_id AND order_item.position = gone.position
    LEFT JOIN delivery ON delivery.order_item_id = order_item.id AND delivery.unit = gone.unit
    WHERE NOT EXISTS (SELECT FROM supplier_order WHERE supplier_order.key = gone.key) ORDER BY gone.nth`)
  const lost: LostDelivery[] = []
  for (const { nth, delivery_id: id, is_open, is_last, can_be_asked } of rows) {
    const one = sent[nth - 1] as SentDelivery
    const isAskable = can_be_asked && one.item !== undefined && !one.fingerprint
    if (id !== null && is_open && isAskable) await insertAgain(tx, id, one, { isLast: is_last })
    if (id !== null && is_open && is_last && !isAskable) await stopDelivery(tx, id)
    const became = isAskable ? 'looked_up' : 'with_operator'
    if (id === null) lost.push({ ...one, became: 'lost' })
    else if (!is_open) lost.push({ ...one, became: 'decided' })
    else lost.push({ ...one, became: is_last ? became : 'replaced' })
  }
  return lost
}

async function insertAgain(tx: Tx, id: number, sent: SentDelivery, { isLast }: { isLast: boolean }): Promise<void> {
  const { at, supplier, key, item = null, supplier_product_id = null, cost_at_most = null } = sent
  await tx.run(sql`
    UPDATE supplier_order SET state = 'rejected', reason = 'restored'
    WHERE delivery_id = ${id} AND state IN ('sent', 'unknown')`)
  await tx.run(sql`
    INSERT INTO supplier_order (delivery_id, supplier, key, item, supplier_product_id, cost_at_most, state, reason,
      sent_at, created_at)
    VALUES (${id}, ${supplier}, ${key}, ${item}, ${supplier_product_id}, ${cost_at_most},
      ${isLast ? 'sent' : 'rejected'}, ${isLast ? null : 'restored'}, ${at}, ${at})`)
  if (!isLast) return
  await tx.run(sql`
    UPDATE delivery SET state = CASE WHEN state = 'queued' THEN 'sent' ELSE state END, look_ups = 0, next_at = now(),
      held_until = NULL, reason = 'restored'
    WHERE id = ${id}`)
}

const stopDelivery = (tx: Tx, id: number) =>
  tx.run(sql`
    UPDATE delivery SET operator_since = coalesce(operator_since, now()), next_at = NULL, held_until = NULL,
      reason = 'restored'
    WHERE id = ${id}`)

/** Finds the codes of the shop's own that a supplier was sent to be spent on players. */
async function findSpentCodes(tx: Tx, deliveries: readonly LostDelivery[]): Promise<number[]> {
  const fingerprints = deliveries.flatMap(({ fingerprint }) => fingerprint ?? [])
  const rows = await tx.rows<{ id: number }>(sql`
    SELECT code_id AS id FROM unnest(${fingerprints}::text[]) AS sent (fingerprint)
    JOIN code_fingerprint AS known ON known.fingerprint = decode(sent.fingerprint, 'hex')`)
  return rows.map(({ id }) => id)
}

/** What a supplier says became of an order; `unknown` where nobody can say. */
type SupplierWord = SupplierOrder['status'] | 'not_found' | 'unknown'

/**
 * Asks suppliers what became of deliveries whose orders are lost, by the keys they were sent with. Nothing is bought by
 * asking: an order this old is not repeated, and nothing may cost anything.
 */
export async function askSuppliers(
  suppliers: Pick<Suppliers, 'configured' | 'off'>,
  lost: readonly LostDelivery[],
): Promise<Map<string, SupplierWord>> {
  const words = new Map<string, SupplierWord>()
  for (const { key, at, item = null, supplier: name } of lost.filter(({ became }) => became === 'lost')) {
    const supplier = supplierNamed(suppliers, name)
    const request = { key, wanted: 'topup' as const, account: {}, item, costAtMost: 0n }
    const answer = await supplier?.lookUp(request, { supplierOrderId: null, ageSeconds: Number.POSITIVE_INFINITY })
    const isSettled = supplier && Date.now() - at.getTime() >= supplier.settlesWithinSeconds * 1_000
    if (answer?.kind === 'done') words.set(key, answer.value.status)
    else
      words.set(key, isSettled && answer?.kind === 'rejected' && answer.code === 'not_found' ? 'not_found' : 'unknown')
  }
  return words
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
