import { sql, type Tx } from '../../platform/database.ts'

export interface SoldUnit {
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
export const findSeen = (tx: Tx, codeIds: number[]) =>
  tx.rows<{ code_id: number }>(
    sql`SELECT DISTINCT code_id FROM code_reveal WHERE code_id = ANY (${codeIds}::bigint[]) ORDER BY code_id`,
  )

/**
 * A code that somebody has seen is never sold again, nor is one of a batch that was recalled, which a trigger sees to;
 * the others may be, by a sale of the next number.
 */
export const returnSales = (tx: Tx, codeIds: number[]) =>
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
