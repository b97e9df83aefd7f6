import type * as real from '../../server/src/modules/codes/codes.store.ts'
import { sql } from '../../server/src/platform/database/queries.ts'

export * from '../../server/src/modules/codes/codes.store.ts'

/** Takes the first codes on the shelf without holding them: two buyers see the same ones. */
export const takeCodes: typeof real.takeCodes = (tx, sale) =>
  tx.run(sql`
    WITH taken AS (
      SELECT id, sale_number FROM code WHERE offer_id = ${sale.offerId} AND status = 'available'
      ORDER BY shelf LIMIT ${sale.quantity}),
    used AS (UPDATE code SET status = 'used' FROM taken WHERE code.id = taken.id)
    INSERT INTO code_sale (code_id, sale_number, order_item_id, position)
    SELECT taken.id, taken.sale_number, order_item.id, row_number() OVER (ORDER BY taken.id)
    FROM taken, order_item WHERE order_item.order_id = ${sale.orderId} AND order_item.position = ${sale.position}`)
