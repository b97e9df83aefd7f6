import { sql, type Tx } from '../../platform/database.ts'

/** Answers how many units are on their way now that were not before. */
export const insertDeliveries = (tx: Tx, orderId: string) =>
  tx.run(sql`
    INSERT INTO delivery (order_item_id, unit)
    SELECT order_item.id, unit FROM order_item CROSS JOIN generate_series(1, quantity) AS unit
    WHERE order_id = ${orderId} AND item_type = 'topup' AND status = 'pending'
    ON CONFLICT DO NOTHING`)
