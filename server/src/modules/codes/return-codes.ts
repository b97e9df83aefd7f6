import { Failure } from '@olmos/contract/failure'
import { sql, type Tx } from '../../platform/database/queries.ts'
import { orderCurrency } from './codes.store.ts'
import { codeCost, isInTime, settleCosts } from './purchases.ts'
import { findActivated, requireUnspent } from './spend-codes.ts'

interface SoldUnit {
  code_id: number
  sale_number: number
  order_item_id: number
}

/**
 * Locks the codes sold by these items, except those spent on a player. Nobody is shown one of them until the
 * transaction ends.
 */
export const lockSoldCodes = (tx: Tx, itemIds: number[]) =>
  tx.rows<SoldUnit>(sql`
    SELECT code.id AS code_id, code.sale_number, code_sale.order_item_id FROM code_sale
    JOIN code ON code.id = code_sale.code_id AND code.sale_number = code_sale.sale_number
    JOIN order_item ON order_item.id = code_sale.order_item_id AND item_type = 'code'
    WHERE code_sale.order_item_id = ANY (${itemIds}) AND code.status = 'used'
    ORDER BY code.id FOR UPDATE OF code`)

/** Finds the codes that somebody has seen, which does not change while they are locked. */
const findSeen = (tx: Tx, codeIds: number[]) =>
  tx.rows<{ code_id: number }>(
    sql`SELECT DISTINCT code_id FROM code_reveal WHERE code_id = ANY (${codeIds}::bigint[]) ORDER BY code_id`,
  )

/**
 * A code that somebody has seen, or of a recalled batch, is never sold again, which a trigger enforces; the others may
 * be, by a sale with the next number.
 */
const returnSales = (tx: Tx, codeIds: number[]) =>
  tx.run(sql`
    WITH returned AS (
      UPDATE code SET sale_number = sale_number + 1,
        status = CASE WHEN EXISTS (SELECT FROM code_reveal WHERE code_id = code.id) THEN 'quarantined' ELSE 'available' END
      WHERE id = ANY (${codeIds}) RETURNING id, sale_number, status)
    INSERT INTO code_return (code_id, sale_number, is_quarantined)
    SELECT id, sale_number - 1, status = 'quarantined' FROM returned`)

/** Quarantines a code that does not work: seen or not, it is never sold again. */
export const quarantineSale = (tx: Tx, codeId: number) =>
  tx.run(sql`
    WITH returned AS (
      INSERT INTO code_return (code_id, sale_number, is_quarantined)
      SELECT id, sale_number, true FROM code WHERE id = ${codeId})
    UPDATE code SET status = 'quarantined', sale_number = sale_number + 1 WHERE id = ${codeId}`)

/**
 * Takes one more code out of stock for an item, at a position after all it ever had. What it costs adds to what the
 * item cost.
 */
export const sellReplacement = (tx: Tx, itemId: number, offerId: number) =>
  tx.maybe<{ code_id: number }>(sql`
    WITH taken AS (
      SELECT id, sale_number, batch_id, cost, cost_currency FROM code
      WHERE offer_id = ${offerId} AND status = 'available' AND ${isInTime}
      ORDER BY shelf LIMIT 1 FOR UPDATE SKIP LOCKED),
    used AS (UPDATE code SET status = 'used' FROM taken WHERE code.id = taken.id)
    INSERT INTO code_sale (code_id, sale_number, order_item_id, position, cost)
    SELECT code.id, code.sale_number, ${itemId},
      (SELECT max(position) + 1 FROM code_sale WHERE order_item_id = ${itemId}), ${codeCost(orderCurrency(itemId))}
    FROM taken AS code JOIN code_batch ON code_batch.id = code.batch_id RETURNING code_id`)

/**
 * Returns the codes of these items: those nobody has seen go back to stock, the others into quarantine. Refuses with
 * STATE_CONFLICT when one was activated.
 */
export async function returnCodes(tx: Tx, itemIds: number[]): Promise<void> {
  // Locks before it reads reveals: a receipt that is just being shown has its reveals written by then.
  const sold = await lockSoldCodes(tx, itemIds)
  const ids = sold.map((code) => code.code_id)
  await requireUnspent(tx, ids)
  await returnSales(tx, ids)
  await settleCosts(tx, itemIds)
}

interface WantedCodes {
  itemId: number
  quantity: number
  /** Which ones; by default unseen codes come first, and activated ones are left out. */
  codeIds?: readonly number[] | undefined
}

/**
 * Returns some codes of an item, and answers their ids. Refuses with CODE_NOT_FOUND those that are not the item's, and
 * with STATE_CONFLICT those that were activated, or when too few are left that were not.
 */
export async function returnSomeCodes(tx: Tx, { itemId, quantity, codeIds }: WantedCodes): Promise<number[]> {
  const sold = (await lockSoldCodes(tx, [itemId])).map((code) => code.code_id)
  const chosen = codeIds ? [...codeIds] : (await findUnspent(tx, sold)).slice(0, quantity)
  const unknown = chosen.filter((id) => !sold.includes(id))
  if (unknown.length > 0) throw new Failure('CODE_NOT_FOUND', { ids: unknown })
  await requireUnspent(tx, chosen.length < quantity ? sold : chosen)
  if (chosen.length < quantity) throw new Error(`item ${itemId} has fewer codes than units`)
  await returnSales(tx, chosen)
  await settleCosts(tx, [itemId])
  return chosen
}

/** Finds the locked codes that were not activated, unseen ones first. */
async function findUnspent(tx: Tx, codeIds: number[]): Promise<number[]> {
  const spent = new Set((await findActivated(tx, codeIds)).map(({ id }) => id))
  const seen = new Set((await findSeen(tx, codeIds)).map(({ code_id }) => code_id))
  const unspent = codeIds.filter((id) => !spent.has(id))
  return [...unspent.filter((id) => !seen.has(id)), ...unspent.filter((id) => seen.has(id))]
}

/** Whether these items still have this many sold codes, none of them seen; nobody sees one until the transaction ends. */
export async function areCodesUnseen(tx: Tx, itemIds: number[], quantity: number): Promise<boolean> {
  const sold = await lockSoldCodes(tx, itemIds)
  const seen = await findSeen(
    tx,
    sold.map((code) => code.code_id),
  )
  return sold.length === quantity && seen.length === 0
}

/** Finds the items none of whose codes was activated; nobody activates one until the transaction ends. */
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
