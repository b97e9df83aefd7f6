import { Failure } from '@olmos/contract/failure'
import { sql, type Tx } from '../../platform/database/database.ts'
import { findActivated, requireUnspent } from './spend-codes.ts'

interface SoldUnit {
  code_id: number
  sale_number: number
  order_item_id: number
}

/** The codes that are sold by these items, not those spent on a player. Nobody is shown one of them until the transaction ends. */
export const lockSoldCodes = (tx: Tx, itemIds: number[]) =>
  tx.rows<SoldUnit>(sql`
    SELECT code.id AS code_id, code.sale_number, code_sale.order_item_id FROM code_sale
    JOIN code ON code.id = code_sale.code_id AND code.sale_number = code_sale.sale_number
    JOIN order_item ON order_item.id = code_sale.order_item_id AND item_type = 'code'
    WHERE code_sale.order_item_id = ANY (${itemIds}) AND code.status = 'used'
    ORDER BY code.id FOR UPDATE OF code`)

/** Those of the codes that somebody has seen. Nobody sees another of them meanwhile if they are locked. */
const findSeen = (tx: Tx, codeIds: number[]) =>
  tx.rows<{ code_id: number }>(
    sql`SELECT DISTINCT code_id FROM code_reveal WHERE code_id = ANY (${codeIds}::bigint[]) ORDER BY code_id`,
  )

/**
 * A code that somebody has seen is never sold again, nor is one of a batch that was recalled, which a trigger sees to;
 * the others may be, by a sale of the next number.
 */
const returnSales = (tx: Tx, codeIds: number[]) =>
  tx.run(sql`
    WITH returned AS (
      UPDATE code SET sale_number = sale_number + 1,
        status = CASE WHEN EXISTS (SELECT FROM code_reveal WHERE code_id = code.id) THEN 'quarantined' ELSE 'available' END
      WHERE id = ANY (${codeIds}) RETURNING id, sale_number, status)
    INSERT INTO code_return (code_id, sale_number, is_quarantined)
    SELECT id, sale_number - 1, status = 'quarantined' FROM returned`)

/** A code that does not work: whether it was seen or not, it is never sold again. */
export const quarantineSale = (tx: Tx, codeId: number) =>
  tx.run(sql`
    WITH returned AS (
      INSERT INTO code_return (code_id, sale_number, is_quarantined)
      SELECT id, sale_number, true FROM code WHERE id = ${codeId})
    UPDATE code SET status = 'quarantined', sale_number = sale_number + 1 WHERE id = ${codeId}`)

/** One more code off the shelf for an item, at a place after all it ever had. */
export const sellReplacement = (tx: Tx, itemId: number, offerId: number) =>
  tx.maybe<{ code_id: number }>(sql`
    WITH taken AS (
      SELECT id, sale_number FROM code WHERE offer_id = ${offerId} AND status = 'available'
      ORDER BY shelf LIMIT 1 FOR UPDATE SKIP LOCKED),
    used AS (UPDATE code SET status = 'used' FROM taken WHERE code.id = taken.id)
    INSERT INTO code_sale (code_id, sale_number, order_item_id, position)
    SELECT id, sale_number, ${itemId}, (SELECT max(position) + 1 FROM code_sale WHERE order_item_id = ${itemId})
    FROM taken RETURNING code_id`)

/**
 * Takes back the codes of these items: those nobody has seen go on the shelf again, the others into quarantine. Refuses
 * with STATE_CONFLICT when one was activated.
 */
export async function returnCodes(tx: Tx, itemIds: number[]): Promise<void> {
  // Locked first, looked at for reveals afterwards: a receipt that is just being shown has written its reveals by then.
  const sold = await lockSoldCodes(tx, itemIds)
  const ids = sold.map((code) => code.code_id)
  await requireUnspent(tx, ids)
  await returnSales(tx, ids)
}

interface WantedCodes {
  itemId: number
  quantity: number
  /** Which ones; without them those nobody has seen come first, and none that was activated. */
  codeIds?: readonly number[] | undefined
}

/**
 * Takes so many codes of an item back, as above, and answers them. Refuses with CODE_NOT_FOUND those that are not the
 * item's, with STATE_CONFLICT those that were activated, or when too few are left that were not.
 */
export async function returnSomeCodes(tx: Tx, { itemId, quantity, codeIds }: WantedCodes): Promise<number[]> {
  const sold = (await lockSoldCodes(tx, [itemId])).map((code) => code.code_id)
  const chosen = codeIds ? [...codeIds] : (await findUnspent(tx, sold)).slice(0, quantity)
  const unknown = chosen.filter((id) => !sold.includes(id))
  if (unknown.length > 0) throw new Failure('CODE_NOT_FOUND', { ids: unknown })
  await requireUnspent(tx, chosen.length < quantity ? sold : chosen)
  if (chosen.length < quantity) throw new Error(`item ${itemId} has fewer codes than units`)
  await returnSales(tx, chosen)
  return chosen
}

/** Those of the locked codes that were not activated, those nobody has seen first. */
async function findUnspent(tx: Tx, codeIds: number[]): Promise<number[]> {
  const spent = new Set((await findActivated(tx, codeIds)).map(({ id }) => id))
  const seen = new Set((await findSeen(tx, codeIds)).map(({ code_id }) => code_id))
  const unspent = codeIds.filter((id) => !spent.has(id))
  return [...unspent.filter((id) => !seen.has(id)), ...unspent.filter((id) => seen.has(id))]
}

/** Those of the items none of whose codes was activated; nobody activates one until the transaction ends. */
export async function returnableItems(tx: Tx, itemIds: number[]): Promise<number[]> {
  const sold = await lockSoldCodes(tx, itemIds)
  const activated = await findActivated(
    tx,
    sold.map((code) => code.code_id),
  )
  const spent = new Set(
    sold.filter(({ code_id }) => activated.some(({ id }) => id === code_id)).map((code) => code.order_item_id),
  )
  return itemIds.filter((id) => !spent.has(id))
}
