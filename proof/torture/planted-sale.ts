import type * as real from '../../server/src/modules/codes/take-codes.ts'
import { type Sql, sql } from '../../server/src/platform/database/queries.ts'

export * from '../../server/src/modules/codes/take-codes.ts'

type Sale = Parameters<typeof real.sellItem>[1]

/** Sells the first codes on the shelf without locking them: two buyers see the same ones. */
const unlocked = (sale: Sale, quantity: Sql): Sql => sql`
    WITH taken AS (
      SELECT id, sale_number FROM code WHERE offer_id = ${sale.offerId} AND status = 'available'
      ORDER BY shelf LIMIT ${sale.quantity}),
    used AS (UPDATE code SET status = 'used' FROM taken WHERE code.id = taken.id),
    item AS (
      INSERT INTO order_item
        (order_id, position, item_type, offer_id, price_version, unit_price, quantity, game_currency, status)
      VALUES (${sale.orderId}, ${sale.position}, 'code', ${sale.offerId}, ${sale.priceVersion}, ${sale.unitPrice},
        ${quantity}, ${sale.gameCurrency}, ${sale.status}) RETURNING id)
    INSERT INTO code_sale (code_id, sale_number, order_item_id, position)
    SELECT taken.id, taken.sale_number, item.id, row_number() OVER (ORDER BY taken.id) FROM taken, item`

export const sellItem: typeof real.sellItem = (tx, sale) => tx.run(unlocked(sale, sql`${sale.quantity}`))

export const sellAtCommit: typeof real.sellAtCommit = (tx, sale) =>
  tx.atCommit(
    unlocked(
      sale,
      sql`(SELECT CASE WHEN count(*) = ${sale.quantity} THEN count(*)::int ELSE refuse_sale('codes', ${sale.position}, count(*)) END FROM taken)`,
    ),
  )
