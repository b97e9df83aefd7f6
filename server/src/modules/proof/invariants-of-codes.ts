import { sql } from '../../platform/database/queries.ts'
import type { Invariant } from './closed-days.ts'

/** How often a code was sold, and how often it was returned to stock. */
const codeSales = sql`(
  SELECT code_id, count(*) AS sold, count(code_return.code_id) AS returned
  FROM checked_sale LEFT JOIN code_return USING (code_id, sale_number) GROUP BY code_id)`

/** How many codes an item ever had, and how many of them were returned. */
const itemCodes = sql`(
  SELECT order_item_id, count(*) AS sold, count(code_return.code_id) AS returned,
    bool_or(code.offer_id <> order_item.offer_id AND code_return.code_id IS NULL) AS is_of_another_offer
  FROM checked_sale LEFT JOIN code_return USING (code_id, sale_number)
  JOIN code ON code.id = code_id JOIN order_item ON order_item.id = order_item_id GROUP BY order_item_id)`

const recalledCodes = sql`(
  SELECT code.id, recall_holds_since FROM code_batch JOIN code ON code.batch_id = code_batch.id
  WHERE recall_holds_since IS NOT NULL)`

/** What suppliers say they have done for each unit. */
const units = sql`(
  SELECT delivery.id, delivery.order_item_id, delivery.state, order_item.unit_price,
    (SELECT count(*) FROM supplier_order WHERE delivery_id = delivery.id AND state = 'done') AS done,
    EXISTS (SELECT FROM refund WHERE delivery_id = delivery.id) AS is_refunded
  FROM checked_delivery AS delivery JOIN order_item ON order_item.id = order_item_id)`

/** What was sold of each code, by the currency it was paid in. */
const soldCodes = sql`
  checked_sale AS code_sale JOIN code ON code.id = code_id JOIN order_item ON order_item.id = order_item_id
  JOIN orders ON orders.id = order_item.order_id`

export const codeInvariants: readonly Invariant[] = [
  {
    number: 5,
    name: 'used-is-sold',
    sentence:
      'A code is used if and only if it has one sale that was not returned, and reserved if and only if it is held',
    offenders: sql`
      SELECT 'code ' || code.id AS subject FROM checked_code AS code
      LEFT JOIN ${codeSales} AS sales ON sales.code_id = code.id
      LEFT JOIN code_hold ON code_hold.code_id = code.id
      WHERE coalesce(sold - returned, 0) <> (status = 'used')::int
        OR (status = 'reserved') <> (code_hold.code_id IS NOT NULL)
        OR sale_number <> 1 + coalesce(returned, 0)`,
  },
  {
    number: 6,
    name: 'delivered-has-codes',
    sentence:
      'A paid code item has exactly its codes, of its offer, but for those on their way and those it gave back in part; an unpaid one never had any, a refunded one none that stayed',
    offenders: sql`
      SELECT 'order ' || order_id AS subject FROM checked_item AS order_item
      LEFT JOIN ${itemCodes} AS codes ON codes.order_item_id = order_item.id
      WHERE item_type = 'code' AND (is_of_another_offer
        OR status IN ('delivered', 'pending', 'unknown') AND coalesce(sold - returned, 0) <> quantity - (
          SELECT count(*) FROM delivery WHERE delivery.order_item_id = order_item.id AND state <> 'done') - (
          SELECT coalesce(sum(part.quantity), 0) FROM refund_part AS part WHERE part.order_item_id = order_item.id)
        OR status = 'refunded' AND sold > returned
        OR status IN ('awaiting_payment', 'expired') AND sold > 0)`,
  },
  {
    number: 8,
    name: 'codes-differ',
    sentence: 'No two codes have the same fingerprint, and each is known by its own',
    offenders: sql`
      SELECT 'code ' || min(id) AS subject FROM code GROUP BY fingerprint HAVING count(*) > 1
      UNION ALL
      SELECT 'code ' || coalesce(code.id, known.code_id) FROM code
      FULL JOIN code_fingerprint AS known ON known.code_id = code.id AND known.fingerprint = code.fingerprint
      WHERE code.id IS NULL OR known.code_id IS NULL`,
    lately: sql`
      SELECT 'code ' || code.id AS subject FROM checked_code AS code WHERE ARRAY[code.id] IS DISTINCT FROM ARRAY(
        SELECT code_id FROM code_fingerprint AS known WHERE known.fingerprint = code.fingerprint)`,
  },
  {
    number: 23,
    name: 'recall-holds',
    sentence: 'Nothing of a recalled batch was sold, spent on a player or shown for the first time after its recall',
    // A pool code that a supplier was asked to spend is sold once the supplier says so.
    offenders: sql`
      SELECT 'code ' || code.id AS subject FROM ${recalledCodes} AS code
      JOIN code_sale ON code_sale.code_id = code.id AND code_sale.created_at > recall_holds_since
      WHERE NOT EXISTS (
        SELECT FROM supplier_order
        WHERE supplier_order.code_id = code.id AND supplier_order.sent_at <= recall_holds_since)
      UNION ALL
      SELECT 'code ' || code.id FROM ${recalledCodes} AS code
      JOIN supplier_order ON supplier_order.code_id = code.id AND supplier_order.sent_at > recall_holds_since
      UNION ALL
      SELECT 'code ' || code.id FROM ${recalledCodes} AS code
      WHERE recall_holds_since < (SELECT min(created_at) FROM code_reveal WHERE code_id = code.id AND place <> 'admin')
      UNION ALL
      SELECT 'code ' || code.id FROM ${recalledCodes} AS code
      WHERE recall_holds_since < (SELECT min(created_at) FROM code_activation WHERE code_id = code.id) AND NOT EXISTS (
        SELECT FROM code_reveal WHERE code_id = code.id AND place <> 'admin' AND created_at <= recall_holds_since)`,
  },
  {
    number: 7,
    name: 'delivered-once-or-refunded',
    sentence:
      "Each unit of a delivered top-up has one supplier's `done`, or was given back and has none; nothing else has one, and no more units of it go back afterwards",
    offenders: sql`
      SELECT 'delivery ' || id AS subject FROM ${units} AS unit
      WHERE done <> (state = 'done')::int OR is_refunded <> (state = 'rejected' AND unit_price > 0)
      UNION ALL
      SELECT 'order ' || order_id FROM checked_item AS order_item
      WHERE item_type = 'topup' AND status IN ('delivered', 'refunded')
        AND (status = 'delivered' OR NOT EXISTS (
          SELECT FROM refund WHERE order_item_id = order_item.id AND delivery_id IS NULL AND (made_by IS NOT NULL OR is_outside)))
        AND (quantity <> (SELECT count(*) FROM delivery
            WHERE order_item_id = order_item.id AND state IN ('done', 'rejected'))
          OR (status = 'delivered') <> EXISTS (
            SELECT FROM delivery WHERE order_item_id = order_item.id AND state = 'done'))
      UNION ALL
      SELECT 'order ' || order_id FROM checked_item AS order_item
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
        FROM checked_call WINDOW in_order AS (PARTITION BY supplier_order_id ORDER BY id)) AS call
      WHERE kind = 'submit' AND kind_before IS NOT NULL
        AND (kind_before, before) IS DISTINCT FROM ('look_up', 'not_found')
      UNION ALL
      SELECT 'delivery ' || delivery_id FROM (
        SELECT delivery_id, lag(state) OVER (PARTITION BY delivery_id ORDER BY id) AS before
        FROM checked_supplier_order) AS attempt
      WHERE before <> 'rejected'`,
  },
  {
    number: 22,
    name: 'delivered-is-what-was-bought',
    sentence:
      'A supplier is asked for the item that was ordered, and that is the one its offer was when it was ordered, or for what a source of the offer buys there',
    // Nobody knows this of items that are older than the freezing of prices on orders, and of orders sent before they
    // were stored.
    offenders: sql`
      SELECT 'supplier order ' || supplier_order.id AS subject FROM checked_supplier_order AS supplier_order
      JOIN delivery ON delivery.id = delivery_id JOIN order_item ON order_item.id = order_item_id
      LEFT JOIN supplier_product AS bought ON bought.id = supplier_product_id
      WHERE item IS NOT NULL
        AND CASE WHEN bought.id IS NULL THEN item IS DISTINCT FROM supplier_item
          ELSE (bought.supplier, bought.reference) <> (supplier_order.supplier, item) END
      UNION ALL
      SELECT 'order ' || order_id FROM checked_item AS order_item
      LEFT JOIN offer_price AS bought ON bought.offer_id = order_item.offer_id AND bought.version = price_version
      WHERE order_item.offer_id IS NOT NULL AND supplier_item IS DISTINCT FROM bought.item_id
        AND (supplier_item IS NOT NULL OR status IN ('awaiting_payment', 'pending', 'unknown'))`,
  },
  {
    number: 25,
    name: 'cost-is-what-was-paid',
    sentence:
      'What an item cost is what its codes and deliveries cost: each code one of the costs that its batch was given, or its own, and each delivery what its supplier took; what was known when it was sold is not unknown',
    // Converted ones are only as right as the rates of their moment. A cost is noted with the time at which its change
    // began.
    offenders: sql`
      SELECT 'code ' || code.id AS subject FROM ${soldCodes}
      WHERE code_sale.cost IS NOT NULL AND code.cost IS NULL AND NOT EXISTS (
        SELECT FROM code_batch_cost AS paid WHERE paid.batch_id = code.batch_id AND paid.cost IS NOT NULL
          AND (paid.cost_currency <> orders.currency OR paid.cost = code_sale.cost))
      UNION ALL
      SELECT 'code ' || code.id FROM ${soldCodes}
      WHERE code_sale.cost IS NULL AND code.cost IS NULL AND EXISTS (
          SELECT FROM code_batch_cost AS paid WHERE paid.batch_id = code.batch_id
            AND paid.created_at < code_sale.created_at - interval '1 minute')
        AND NOT EXISTS (
          SELECT FROM code_batch_cost AS paid WHERE paid.batch_id = code.batch_id
            AND paid.cost_currency IS DISTINCT FROM orders.currency)
      UNION ALL
      SELECT 'code ' || code.id FROM ${soldCodes}
      WHERE code.cost_currency = orders.currency AND code_sale.cost IS DISTINCT FROM code.cost OR code_sale.cost < 0
      UNION ALL
      SELECT 'order ' || order_id FROM checked_item AS order_item LEFT JOIN (
        SELECT order_item_id, round(sum(cost) * 100)::bigint AS cost, count(*) AS units, count(cost) AS known_units
        FROM checked_unit GROUP BY order_item_id) AS took ON took.order_item_id = order_item.id
      WHERE coalesce(took.known_units, 0) <> coalesce(order_item.known_units, 0)
        OR took.cost IS DISTINCT FROM order_item.cost OR coalesce(took.units, 0) <> cost_units
      UNION ALL
      SELECT 'supplier order ' || supplier_order.id FROM checked_supplier_order AS supplier_order
      JOIN delivery ON delivery.id = delivery_id JOIN order_item ON order_item.id = order_item_id
      JOIN orders ON orders.id = order_item.order_id
      WHERE cost_in_order IS NOT NULL AND supplier_order.state <> 'done'
        OR supplier_order.state = 'done' AND cost_currency = orders.currency
          AND cost_in_order IS DISTINCT FROM supplier_order.cost`,
  },
]
