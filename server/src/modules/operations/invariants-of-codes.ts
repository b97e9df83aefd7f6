import { sql } from '../../platform/database.ts'
import type { Invariant } from './invariant.ts'

/** How often a code was sold, and how often it came back unsold again. */
const salesOfCode = sql`(
  SELECT code_id, count(*) AS sold, count(code_return.code_id) AS returned
  FROM code_sale LEFT JOIN code_return USING (code_id, sale_number) GROUP BY code_id)`

/** How many codes an item ever had, and how many of them came back. */
const codesOfItem = sql`(
  SELECT order_item_id, count(*) AS sold, count(code_return.code_id) AS returned,
    bool_or(code.offer_id <> order_item.offer_id AND code_return.code_id IS NULL) AS is_of_another_offer
  FROM code_sale LEFT JOIN code_return USING (code_id, sale_number)
  JOIN code ON code.id = code_id JOIN order_item ON order_item.id = order_item_id GROUP BY order_item_id)`

const codesOfRecalled = sql`(
  SELECT code.id, recall_holds_since FROM code_batch JOIN code ON code.batch_id = code_batch.id
  WHERE recall_holds_since IS NOT NULL)`

export const invariantsOfCodes: readonly Invariant[] = [
  {
    number: 5,
    name: 'used-is-sold',
    sentence:
      'A code is used if and only if it has one sale that was not returned, and reserved if and only if it is held',
    offenders: sql`
      SELECT 'code ' || code.id AS subject FROM code
      LEFT JOIN ${salesOfCode} AS sales ON sales.code_id = code.id
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
      SELECT 'order ' || order_id AS subject FROM order_item
      LEFT JOIN ${codesOfItem} AS codes ON codes.order_item_id = order_item.id
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
    sentence: 'No two codes have the same fingerprint',
    offenders: sql`
      SELECT 'code ' || min(id) AS subject FROM code GROUP BY fingerprint HAVING count(*) > 1`,
  },
  {
    number: 23,
    name: 'recall-holds',
    sentence: 'Nothing of a recalled batch was sold, spent on a player or shown for the first time after its recall',
    // A code that a supplier was asked to spend before is sold when the supplier says so.
    offenders: sql`
      SELECT 'code ' || code.id AS subject FROM ${codesOfRecalled} AS code
      JOIN code_sale ON code_sale.code_id = code.id AND code_sale.created_at > recall_holds_since
      WHERE NOT EXISTS (
        SELECT FROM supplier_order
        WHERE supplier_order.code_id = code.id AND supplier_order.sent_at <= recall_holds_since)
      UNION ALL
      SELECT 'code ' || code.id FROM ${codesOfRecalled} AS code
      JOIN supplier_order ON supplier_order.code_id = code.id AND supplier_order.sent_at > recall_holds_since
      UNION ALL
      SELECT 'code ' || code.id FROM ${codesOfRecalled} AS code
      WHERE recall_holds_since < (SELECT min(created_at) FROM code_reveal WHERE code_id = code.id AND place = 'receipt')`,
  },
]
