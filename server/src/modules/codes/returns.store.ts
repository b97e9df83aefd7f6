import { sql, type Tx } from '../../platform/database.ts'

export interface SoldUnit {
  code_id: number
  sale_number: number
}

/** The codes that are sold by these items. Nobody is shown one of them until the transaction ends. */
export const lockSoldCodes = (tx: Tx, itemIds: number[]) =>
  tx.rows<SoldUnit>(sql`
    SELECT code.id AS code_id, code.sale_number FROM code_sale
    JOIN code ON code.id = code_sale.code_id AND code.sale_number = code_sale.sale_number
    WHERE code_sale.order_item_id = ANY (${itemIds}) AND code.status = 'used'
    ORDER BY code.id FOR UPDATE OF code`)

/** A code that somebody has seen is never sold again; the others may be, by a sale of the next number. */
export const returnSales = (tx: Tx, codeIds: number[]) =>
  tx.run(sql`
    WITH sold AS (
      SELECT id, sale_number, EXISTS (SELECT FROM code_reveal WHERE code_id = code.id) AS is_seen
      FROM code WHERE id = ANY (${codeIds})),
    returned AS (
      INSERT INTO code_return (code_id, sale_number, is_quarantined) SELECT id, sale_number, is_seen FROM sold)
    UPDATE code SET status = CASE WHEN is_seen THEN 'quarantined' ELSE 'available' END,
      sale_number = code.sale_number + 1
    FROM sold WHERE code.id = sold.id`)
