import { sql } from '../../platform/database.ts'
import type { Invariant } from './invariant.ts'

/** What suppliers say they have done for each unit. */
const units = sql`(
  SELECT delivery.id, delivery.order_item_id, delivery.state, order_item.unit_price,
    (SELECT count(*) FROM supplier_order WHERE delivery_id = delivery.id AND state = 'done') AS done,
    EXISTS (SELECT FROM refund WHERE delivery_id = delivery.id) AS is_refunded
  FROM delivery JOIN order_item ON order_item.id = order_item_id)`

export const invariantsOfDeliveries: readonly Invariant[] = [
  {
    number: 7,
    name: 'delivered-once-or-refunded',
    sentence:
      "Each unit of a delivered top-up has one supplier's `done`, or was given back and has none; nothing else has one, and no more units of it go back afterwards",
    offenders: sql`
      SELECT 'delivery ' || id AS subject FROM ${units} AS unit
      WHERE done <> (state = 'done')::int OR is_refunded <> (state = 'rejected' AND unit_price > 0)
      UNION ALL
      SELECT 'order ' || order_id FROM order_item
      WHERE item_type = 'topup' AND status IN ('delivered', 'refunded')
        AND (status = 'delivered' OR NOT EXISTS (
          SELECT FROM refund WHERE order_item_id = order_item.id AND delivery_id IS NULL AND (made_by IS NOT NULL OR is_outside)))
        AND (quantity <> (SELECT count(*) FROM delivery
            WHERE order_item_id = order_item.id AND state IN ('done', 'rejected'))
          OR (status = 'delivered') <> EXISTS (
            SELECT FROM delivery WHERE order_item_id = order_item.id AND state = 'done'))
      UNION ALL
      SELECT 'order ' || order_id FROM order_item
      WHERE item_type = 'topup' AND (SELECT sum(quantity) FROM refund_part WHERE order_item_id = order_item.id)
        > (SELECT count(*) FROM delivery WHERE order_item_id = order_item.id AND state = 'done')`,
  },
  {
    number: 17,
    name: 'nothing-is-sent-blindly',
    sentence: 'A second submit to a supplier follows only a `not found`, and a second supplier only a no of the first',
    offenders: sql`
      SELECT 'supplier order ' || supplier_order_id AS subject FROM (
        SELECT supplier_order_id, kind, lag(kind) OVER in_order AS kind_before, lag(outcome) OVER in_order AS before
        FROM supplier_call WINDOW in_order AS (PARTITION BY supplier_order_id ORDER BY id)) AS call
      WHERE kind = 'submit' AND kind_before IS NOT NULL
        AND (kind_before, before) IS DISTINCT FROM ('look_up', 'not_found')
      UNION ALL
      SELECT 'delivery ' || delivery_id FROM (
        SELECT delivery_id, lag(state) OVER (PARTITION BY delivery_id ORDER BY id) AS before
        FROM supplier_order) AS attempt
      WHERE before <> 'rejected'`,
  },
  {
    number: 22,
    name: 'delivered-is-what-was-bought',
    sentence:
      'A supplier is asked for the item that was ordered, and that is the one its offer was when it was ordered',
    // Of what was decided before items were frozen on orders, and of what was sent before it was written down, nobody knows.
    offenders: sql`
      SELECT 'supplier order ' || supplier_order.id AS subject FROM supplier_order
      JOIN delivery ON delivery.id = delivery_id JOIN order_item ON order_item.id = order_item_id
      WHERE item IS NOT NULL AND item IS DISTINCT FROM supplier_item
      UNION ALL
      SELECT 'order ' || order_id FROM order_item
      JOIN offer_price AS bought ON bought.offer_id = order_item.offer_id AND bought.version = price_version
      WHERE supplier_item IS DISTINCT FROM bought.item_id
        AND (supplier_item IS NOT NULL OR status IN ('awaiting_payment', 'pending', 'unknown'))`,
  },
]
