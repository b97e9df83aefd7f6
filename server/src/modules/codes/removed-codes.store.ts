import { sql, type Tx } from '../../platform/database.ts'

/** Codes that are sold as it, or codes that deliver it when they are spent. */
const column = { package: sql`offer_id`, denomination: sql`denomination_id` }
export type Side = keyof typeof column

const isUnsold = sql`status IN ('available', 'unpublished', 'archived')`

/** Nobody buys one of the unsold codes, or is shown one, until the transaction ends. */
export const lockUnsold = (tx: Tx, side: Side, id: number) =>
  tx.run(sql`SELECT FROM code WHERE ${column[side]} = ${id} AND ${isUnsold} ORDER BY id FOR UPDATE`)

/** Deletes those that were never sold and never shown to anybody, nor given to a supplier; answers how many. The caller has locked them. */
export const deleteUntouched = (tx: Tx, side: Side, id: number) =>
  tx.run(sql`
    DELETE FROM code WHERE ${column[side]} = ${id} AND ${isUnsold}
      AND NOT EXISTS (SELECT FROM code_sale WHERE code_id = code.id)
      AND NOT EXISTS (SELECT FROM code_reveal WHERE code_id = code.id)
      AND NOT EXISTS (SELECT FROM supplier_order WHERE code_id = code.id)`)

/** Takes off sale what is left of them; who has a generated one may still spend it. */
export const shelveTouched = (tx: Tx, side: Side, id: number) =>
  tx.run(sql`
    UPDATE code SET status = CASE WHEN denomination_id IS NULL THEN 'archived' ELSE 'unpublished' END
    WHERE ${column[side]} = ${id} AND status = 'available'`)

/** Takes what is left of a deleted product's stock off the shelf: it may be imported elsewhere. */
export const archiveStockOf = (tx: Tx, productId: number) =>
  tx.run(sql`
    UPDATE code SET status = CASE WHEN denomination_id IS NULL THEN 'archived' ELSE 'unpublished' END
    FROM offer WHERE offer.id = code.offer_id AND offer.product_id = ${productId} AND code.status = 'available'`)

export async function countLeft(tx: Tx, side: Side, id: number): Promise<number> {
  const { count } = await tx.one<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM code WHERE ${column[side]} = ${id}`,
  )
  return count
}
