import { SERVER_BUSINESS } from '../../business.ts'
import { sql, type Tx } from '../../platform/database/database.ts'

export interface CodeReservation {
  orderId: string
  /** Of the item within its order. */
  position: number
  offerId: number
  quantity: number
}

/** One customer after the other counts and takes the holds of an offer. */
const lockReservations = (tx: Tx, offerId: number) =>
  tx.run(sql`SELECT pg_advisory_xact_lock(hashtext('code_hold'), ${offerId}::int)`)

/** How many of an offer unpaid orders may have in reserve together: the smaller of the two. */
interface ReserveCap {
  codes: number
  /** Of what is on the shelf, with what is reserved of it; rounded up. */
  sharePercent: number
}

export interface ReservedCodes {
  reserved: number
  /** How many there were on the shelf, counted no further than the cap can matter. */
  on_shelf: number
  /** Fewer than wanted, because of the cap. */
  is_capped: boolean
}

/**
 * Reserves what the item still lacks of its quantity, so far as there are codes on the shelf and, with a cap, no more
 * of the offer are in reserve than it allows. With a cap the caller has locked the offer's holds, in a statement before.
 */
const insertReservation = (
  tx: Tx,
  { orderId, position, offerId, quantity }: CodeReservation,
  cap: ReserveCap | null,
): Promise<ReservedCodes> => {
  const counted = cap && Math.ceil((cap.codes * 100) / cap.sharePercent)
  return tx.one<ReservedCodes>(sql`
    WITH item AS (
      SELECT id, ${quantity} - (SELECT count(*) FROM code_hold WHERE order_item_id = order_item.id) AS lacks
      FROM order_item WHERE order_id = ${orderId} AND position = ${position}),
    stock AS (
      SELECT (SELECT count(*) FROM (
          SELECT FROM code WHERE offer_id = ${offerId} AND status = 'available' LIMIT ${counted}::bigint) AS first)
          AS on_shelf,
        (SELECT count(*) FROM code WHERE offer_id = ${offerId} AND status = 'reserved') AS reserved),
    room AS (
      SELECT lacks, on_shelf, greatest(0, least(lacks, ${cap?.codes ?? null}::bigint - reserved,
        ceil((on_shelf + reserved) * ${cap?.sharePercent ?? null}::numeric / 100)::bigint - reserved)) AS size
      FROM item, stock),
    taken AS (
      SELECT code.id FROM code WHERE offer_id = ${offerId} AND status = 'available'
      ORDER BY shelf LIMIT (SELECT size FROM room) FOR UPDATE SKIP LOCKED),
    changed AS (UPDATE code SET status = 'reserved' FROM taken WHERE code.id = taken.id),
    held AS (
      INSERT INTO code_hold (code_id, order_item_id) SELECT taken.id, item.id FROM taken, item RETURNING code_id)
    SELECT (SELECT count(*) FROM held)::int AS reserved, on_shelf::int, size < lacks AS is_capped FROM room`)
}

/** The batches of what the order has in reserve are not recalled until the transaction ends. */
const lockReservedBatches = (tx: Tx, orderId: string) =>
  tx.run(sql`
    SELECT FROM code_batch WHERE id IN (
      SELECT batch_id FROM order_item JOIN code_hold ON code_hold.order_item_id = order_item.id
      JOIN code ON code.id = code_hold.code_id WHERE order_item.order_id = ${orderId})
    ORDER BY id FOR SHARE`)

/** Takes codes of recalled batches out of the order's reserve. The caller has locked the batches. */
const quarantineReserved = (tx: Tx, orderId: string) =>
  tx.run(sql`
    WITH released AS (
      DELETE FROM code_hold USING order_item, code, code_batch
      WHERE order_item.id = code_hold.order_item_id AND order_item.order_id = ${orderId}
        AND code.id = code_hold.code_id AND code_batch.id = code.batch_id AND code_batch.recalled_at IS NOT NULL
      RETURNING code_hold.code_id)
    UPDATE code SET status = 'quarantined' FROM released WHERE code.id = released.code_id AND code.status = 'reserved'`)

/** How many codes each item of the order has in reserve, if it has any. */
const countReservedCodes = (tx: Tx, orderId: string) =>
  tx.rows<{ position: number; held: number }>(sql`
    SELECT order_item.position, count(*)::int AS held
    FROM order_item JOIN code_hold ON code_hold.order_item_id = order_item.id
    WHERE order_item.order_id = ${orderId} GROUP BY order_item.position`)

/** Ends the order's holds; the codes are on the shelf again. */
export const releaseCodes = (tx: Tx, orderId: string) =>
  tx.run(sql`
    WITH released AS (
      DELETE FROM code_hold USING order_item
      WHERE order_item.id = code_hold.order_item_id AND order_item.order_id = ${orderId} RETURNING code_id)
    UPDATE code SET status = 'available' FROM released WHERE code.id = released.code_id AND code.status = 'reserved'`)

/** Sells what the order has in reserve, each code by one row; answers how many there were. */
export const sellReservedCodes = (tx: Tx, orderId: string) =>
  tx.run(sql`
    WITH released AS (
      DELETE FROM code_hold USING order_item
      WHERE order_item.id = code_hold.order_item_id AND order_item.order_id = ${orderId}
      RETURNING code_id, order_item_id),
    used AS (
      UPDATE code SET status = 'used' FROM released WHERE code.id = released.code_id AND code.status = 'reserved'
      RETURNING code.id, code.sale_number, released.order_item_id)
    INSERT INTO code_sale (code_id, sale_number, order_item_id, position)
    SELECT id, sale_number, order_item_id, row_number() OVER (PARTITION BY order_item_id ORDER BY id) FROM used`)

/** Whoever pays at once, from the balance, finds the rest of the shelf, however many orders wait for their money. */
const unpaidCap = { codes: SERVER_BUSINESS.reservedCodesPerOffer, sharePercent: SERVER_BUSINESS.reservedSharePercent }

/**
 * Reserves codes for the items of an unpaid order, in the order of their offers, and answers how many each got: fewer
 * than wanted when the shelf is empty or unpaid orders have their share of the offer already. The caller refuses then,
 * which gives all of them back. What is paid for at once may leave less on the shelf than is in reserve; that is no
 * more than was allowed when it was reserved.
 */
export const reserveCodes = (tx: Tx, wanted: readonly CodeReservation[]): Promise<ReservedCodes[]> =>
  Promise.all(
    wanted.map(async (line) => {
      const { reserved } = await tx.pipeline({
        lock: (tx) => lockReservations(tx, line.offerId),
        reserved: (tx) => insertReservation(tx, line, unpaidCap),
      })
      return reserved
    }),
  )

/**
 * Reserves what a paid order lacks: all of it when its time was over and its codes went back, and another code for each
 * that was recalled since. No cap holds back who has paid. Answers those that still lack codes; what they have stays
 * reserved until it is sold or released.
 */
export async function reserveMissingCodes(tx: Tx, wanted: readonly CodeReservation[]): Promise<CodeReservation[]> {
  const [first] = wanted
  if (first === undefined) return []
  // Locked first, looked at afterwards: a recall at this moment is over by then, or waits.
  await lockReservedBatches(tx, first.orderId)
  await quarantineReserved(tx, first.orderId)
  for (const line of wanted) await insertReservation(tx, line, null)
  const reserved = await countReservedCodes(tx, first.orderId)
  return wanted.filter(
    ({ position, quantity }) => reserved.find((item) => item.position === position)?.held !== quantity,
  )
}
