import type { Currency } from '@olmos/contract/money'
import type { ItemStatus } from '@olmos/contract/orders'
import type { ShopNumbers } from '@olmos/contract/shop-numbers'
import { raw, type Sql, sql, type Tx } from '../../platform/database/queries.ts'
import type { KeptNames } from '../catalogue/availability.ts'
import { codeCost, costColumns, costSums, isInTime, offSale } from './purchases.ts'

export interface CodeReservation {
  orderId: string
  /** The item's position within its order. */
  position: number
  offerId: number
  quantity: number
}

/** An item of an order whose codes are taken from stock. */
interface CodeSale extends CodeReservation {
  /** The order's, in which the cost of each code is kept. */
  currency: Currency
  priceVersion: number | null
  /** In minor units. */
  unitPrice: number
  unitDiscount?: number | undefined
  unitFloor?: number | null | undefined
  gameCurrency: string
  status: ItemStatus
  isOnDemand?: boolean | undefined
  /** A trigger looks for it where it is not known. */
  kept?: KeptNames | undefined
}

const plannedAtMost = 20

/**
 * Writes a small limit into the statement. PostgreSQL plans a statement each time again when its limit is a value, which
 * takes it longer than a sale.
 */
const limitTo = (quantity: number): Sql =>
  Number.isInteger(quantity) && quantity > 0 && quantity <= plannedAtMost
    ? sql`LIMIT ${raw(String(quantity))}`
    : sql`LIMIT ${quantity}`

/**
 * Takes up to the wanted number of codes out of stock, each sold by one row with what it cost; `isDemanded`: fails where there
 * are fewer. The item is inserted here with what they cost: written before them it would have to be changed, which costs
 * each sale a second version of its row.
 */
const itemSale = (sale: CodeSale, { isDemanded }: { isDemanded: boolean }): Sql => sql`
    WITH taken AS (
      SELECT id, sale_number, batch_id, cost, cost_currency FROM code
      WHERE offer_id = ${sale.offerId} AND status = 'available' AND ${isInTime}
      ORDER BY shelf ${limitTo(sale.quantity)} FOR UPDATE SKIP LOCKED),
    used AS (UPDATE code SET status = 'used' FROM taken WHERE code.id = taken.id),
    priced AS (
      SELECT code.id, code.sale_number, ${codeCost(sql`${sale.currency}::text`)} AS cost
      FROM taken AS code JOIN code_batch ON code_batch.id = code.batch_id),
    item AS (
      INSERT INTO order_item (
        order_id, position, item_type, offer_id, price_version, unit_price, quantity, game_currency, status,
        is_on_demand, unit_discount, unit_floor, supplier_item, offer_name, offer_translations, cost, cost_units, known_units)
      SELECT ${sale.orderId}, ${sale.position}, 'code', ${sale.offerId}, ${sale.priceVersion}, ${sale.unitPrice},
        ${isDemanded ? sql`CASE WHEN sum.units = ${sale.quantity} THEN sum.units ELSE refuse_sale('codes', ${sale.position}, sum.units) END` : sale.quantity},
        ${sale.gameCurrency}, ${sale.status}, ${sale.isOnDemand ?? false},
        ${sale.unitDiscount ?? 0}, ${sale.unitFloor}, ${sale.kept?.supplier_item}, ${sale.kept?.offer_name},
        ${sale.kept?.offer_translations},
        sum.cost, sum.units, sum.known_units
      FROM (SELECT ${costSums} FROM priced) AS sum RETURNING id)
    INSERT INTO code_sale (code_id, sale_number, order_item_id, position, cost)
    SELECT priced.id, sale_number, item.id, ${sale.quantity === 1 ? sql`1` : sql`row_number() OVER (ORDER BY priced.id)`}, cost
    FROM priced, item`

/** Sells an item as far as there are codes in stock; returns how many there were. */
export const sellItem = (tx: Tx, sale: CodeSale): Promise<number> => tx.run(itemSale(sale, { isDemanded: false }))

/** Sells the whole item with COMMIT, where the transaction is optimistic. */
export const sellAtCommit = (tx: Tx, sale: CodeSale): void => tx.atCommit(itemSale(sale, { isDemanded: true }))

/** Customers who count and reserve codes of one offer wait for each other. */
const lockReservations = (tx: Tx, offerId: number) =>
  tx.run(sql`SELECT pg_advisory_xact_lock(hashtext('code_hold'), ${offerId}::int)`)

/** How many codes of an offer unpaid orders may have reserved together: the smaller of the two. */
interface ReserveCap {
  codes: number
  /** A share of the codes in stock including reserved ones, rounded up. */
  sharePercent: number
}

export interface ReservedCodes {
  reserved: number
  /** How many were in stock, counted no further than the cap can matter. */
  on_shelf: number
  /** Whether the cap made it fewer than wanted. */
  is_capped: boolean
}

/**
 * Reserves what the item lacks of its quantity, as far as codes are in stock and, with a cap, no more of the offer are
 * reserved than it allows. With a cap the caller has locked the offer's reservations in an earlier statement.
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
      SELECT code.id FROM code WHERE offer_id = ${offerId} AND status = 'available' AND ${isInTime}
      ORDER BY shelf LIMIT (SELECT size FROM room) FOR UPDATE SKIP LOCKED),
    changed AS (UPDATE code SET status = 'reserved' FROM taken WHERE code.id = taken.id),
    reserved AS (
      INSERT INTO code_hold (code_id, order_item_id) SELECT taken.id, item.id FROM taken, item RETURNING code_id)
    SELECT (SELECT count(*) FROM reserved)::int AS reserved, on_shelf::int, size < lacks AS is_capped FROM room`)
}

/** Keeps the batches of the order's reserved codes from being recalled until the transaction ends. */
const lockReservedBatches = (tx: Tx, orderId: string) =>
  tx.run(sql`
    SELECT FROM code_batch WHERE id IN (
      SELECT batch_id FROM order_item JOIN code_hold ON code_hold.order_item_id = order_item.id
      JOIN code ON code.id = code_hold.code_id WHERE order_item.order_id = ${orderId})
    ORDER BY id FOR SHARE`)

/**
 * Takes the order's reserved codes of recalled batches, and those that expired, off sale. The caller has locked the
 * batches.
 */
const withdrawReserved = (tx: Tx, orderId: string) =>
  tx.run(sql`
    WITH released AS (
      DELETE FROM code_hold USING order_item, code, code_batch
      WHERE order_item.id = code_hold.order_item_id AND order_item.order_id = ${orderId}
        AND code.id = code_hold.code_id AND code_batch.id = code.batch_id
        AND (code_batch.recalled_at IS NOT NULL OR code_batch.sold_until <= now())
      RETURNING code_hold.code_id, code_batch.recalled_at IS NOT NULL AS is_recalled)
    UPDATE code SET status = CASE WHEN is_recalled THEN 'quarantined' ELSE ${offSale} END, is_expired = NOT is_recalled
    FROM released WHERE code.id = released.code_id AND code.status = 'reserved'`)

/** Counts the reserved codes of each item of the order that has any. */
const countReservedCodes = (tx: Tx, orderId: string) =>
  tx.rows<{ position: number; quantity: number }>(sql`
    SELECT order_item.position, count(*)::int AS quantity
    FROM order_item JOIN code_hold ON code_hold.order_item_id = order_item.id
    WHERE order_item.order_id = ${orderId} GROUP BY order_item.position`)

/** Ends the order's reservations; the codes are in stock again. */
export const releaseCodes = (tx: Tx, orderId: string) =>
  tx.run(sql`
    WITH released AS (
      DELETE FROM code_hold USING order_item
      WHERE order_item.id = code_hold.order_item_id AND order_item.order_id = ${orderId} RETURNING code_id)
    UPDATE code SET status = 'available' FROM released WHERE code.id = released.code_id AND code.status = 'reserved'`)

/** Sells the order's reserved codes, each by one row with what it cost; returns how many there were. */
export const sellReservedCodes = (tx: Tx, orderId: string) =>
  tx.run(sql`
    WITH released AS (
      DELETE FROM code_hold USING order_item
      WHERE order_item.id = code_hold.order_item_id AND order_item.order_id = ${orderId}
      RETURNING code_id, order_item_id),
    used AS (
      UPDATE code SET status = 'used' FROM released WHERE code.id = released.code_id AND code.status = 'reserved'
      RETURNING code.id, code.sale_number, code.batch_id, code.cost, code.cost_currency, released.order_item_id),
    priced AS (
      SELECT code.id, sale_number, order_item_id, ${codeCost(sql`orders.currency`)} AS cost
      FROM used AS code JOIN code_batch ON code_batch.id = code.batch_id, orders WHERE orders.id = ${orderId}),
    items AS (
      UPDATE order_item SET ${costColumns}
      FROM (SELECT order_item_id, ${costSums} FROM priced GROUP BY order_item_id) AS sum
      WHERE order_item.id = order_item_id)
    INSERT INTO code_sale (code_id, sale_number, order_item_id, position, cost)
    SELECT id, sale_number, order_item_id, row_number() OVER (PARTITION BY order_item_id ORDER BY id), cost FROM priced`)

/**
 * Reserves codes for the items of an unpaid order, sorted by offer, and returns how many each got: fewer than wanted
 * when the stock is empty or unpaid orders have their share of the offer already. The caller refuses then, which rolls
 * all of them back. Sales paid at once may leave fewer in stock than are reserved; that is no more than was allowed
 * when they were reserved; buyers who pay at once, from the balance, find the rest.
 */
export const reserveCodes = (
  tx: Tx,
  wanted: readonly CodeReservation[],
  { reserved_codes_per_offer: codes, reserved_share_percent: sharePercent }: ShopNumbers,
): Promise<ReservedCodes[]> =>
  Promise.all(
    wanted.map(async (line) => {
      const { reserved } = await tx.pipeline({
        lock: (tx) => lockReservations(tx, line.offerId),
        reserved: (tx) => insertReservation(tx, line, { codes, sharePercent }),
      })
      return reserved
    }),
  )

/**
 * Reserves what a paid order lacks: everything when it had expired and its codes were released, and another code for
 * each that was recalled since. There is no cap on orders that are paid. Returns those that still lack codes; what they
 * have stays reserved until it is sold or released.
 */
export async function reserveMissingCodes(tx: Tx, wanted: readonly CodeReservation[]): Promise<CodeReservation[]> {
  const [first] = wanted
  if (first === undefined) return []
  // Locks before it reads: a simultaneous recall is over by then, or waits.
  await lockReservedBatches(tx, first.orderId)
  await withdrawReserved(tx, first.orderId)
  for (const line of wanted) await insertReservation(tx, line, null)
  const reserved = await countReservedCodes(tx, first.orderId)
  return wanted.filter(
    ({ position, quantity }) => reserved.find((item) => item.position === position)?.quantity !== quantity,
  )
}
