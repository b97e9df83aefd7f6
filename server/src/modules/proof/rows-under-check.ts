import type { InvariantName } from '@olmos/contract/operations'
import { join, raw, type Sql } from 'sql-template-tag'
import { type Queries, sql } from '../../platform/database/queries.ts'

/** Something that is always true of the database, whatever was killed in between. */
export interface Invariant {
  /** As in docs/reliability.md. */
  number: number
  name: InvariantName
  sentence: string
  /** Selects a `subject` for everything that violates it, from the names below. */
  offenders: Sql
  /** Selects the violations among what changed lately, where those names are not enough for that. */
  lately?: Sql
}

/**
 * The invariants select from these names where they walk through a table, and from the tables themselves where they look
 * something up by a key. So they can be run over every row, and over what changed lately.
 */
const checkedTables = {
  checked_order: 'orders',
  checked_item: 'order_item',
  checked_transfer: 'transfer',
  checked_code: 'code',
  checked_sale: 'code_sale',
  checked_activation: 'code_activation',
  checked_delivery: 'delivery',
  checked_supplier_order: 'supplier_order',
  checked_call: 'supplier_call',
  checked_unit: 'sold_unit',
  checked_payment: 'payment',
  checked_card_refund: 'card_refund',
  checked_refund: 'refund',
  checked_part: 'refund_part',
  checked_dispute: 'dispute',
  checked_change: 'status_change',
  checked_user: 'users',
} as const

/** Defines the names as all rows there are; it goes behind WITH. */
export const everyRow: Sql = join(
  Object.entries(checkedTables).map(
    ([name, table]) => sql`${raw(name)} AS NOT MATERIALIZED (SELECT * FROM ${raw(table)})`,
  ),
)

/** The last ids that had been given away in tables whose rows only come, when a day was closed. */
export interface Marks {
  status_change: number
  payment: number
  card_refund: number
  dispute_change: number
  supplier_call: number
}

/** The time that no day was closed of yet. */
export interface OpenSpan {
  since: Date
  /** Transfers with higher ids are in the books of no closed day. */
  lastTransfer: number
  marks: Marks
}

/** What has to be looked at again: ids, as text. */
interface Touched {
  orders: string[]
  items: string[]
  codes: string[]
}

/**
 * Reads which orders came, moved or are not over yet in the open span, and which codes they have to do with. Whatever
 * the store does to an older order leaves a transfer, a change of status, a refund, a dispute or a call to a supplier.
 */
const readTouched = (queries: Queries, { since, lastTransfer, marks }: OpenSpan): Promise<Touched> =>
  queries.one<Touched>(sql`
    WITH touched_order AS MATERIALIZED (
      SELECT id FROM orders WHERE created_at >= ${since}
      UNION SELECT id FROM orders WHERE status = 'awaiting_payment'
      UNION SELECT order_id FROM order_item WHERE status IN ('pending', 'unknown')
      UNION SELECT order_id FROM transfer WHERE id > ${lastTransfer} AND order_id IS NOT NULL
      UNION SELECT order_id FROM status_change WHERE id > ${marks.status_change}
      UNION SELECT order_id FROM refund WHERE created_at >= ${since}
      UNION SELECT order_id FROM payment WHERE id > ${marks.payment}
      UNION SELECT order_id FROM card_refund JOIN payment ON payment.id = payment_id
        WHERE card_refund.id > ${marks.card_refund} OR card_refund.status IN ('sending', 'sent')
      UNION SELECT order_id FROM dispute
        WHERE status IN ('inquiry', 'open', 'lost') AND released_at IS NULL
          OR id IN (SELECT dispute_id FROM dispute_change WHERE dispute_change.id > ${marks.dispute_change})
      UNION SELECT order_id FROM supplier_call
        JOIN supplier_order ON supplier_order.id = supplier_call.supplier_order_id JOIN delivery ON delivery.id = delivery_id
        JOIN order_item ON order_item.id = order_item_id
        WHERE supplier_call.id > ${marks.supplier_call}),
    touched_item AS MATERIALIZED (SELECT order_item.id FROM touched_order JOIN order_item ON order_id = touched_order.id),
    touched_code AS (
      SELECT code_id FROM touched_item JOIN code_sale ON order_item_id = touched_item.id
      UNION SELECT code_id FROM touched_item JOIN code_activation ON order_item_id = touched_item.id
      UNION SELECT code_id FROM touched_item JOIN delivery ON order_item_id = touched_item.id
        JOIN supplier_order ON delivery_id = delivery.id WHERE code_id IS NOT NULL
      UNION SELECT code_id FROM code_hold
      UNION SELECT reserved.id FROM offer CROSS JOIN LATERAL (
        SELECT id FROM code WHERE offer_id = offer.id AND status = 'reserved') AS reserved)
    SELECT ARRAY(SELECT id FROM touched_order) AS orders, ARRAY(SELECT id::text FROM touched_item) AS items,
      ARRAY(SELECT code_id::text FROM touched_code) AS codes`)

/**
 * Defines the names as what changed in the open span, with all that belongs to it, so that no invariant sees half of an
 * order; it goes behind WITH. `open_transfer` are the transfers of no closed day.
 */
export async function rowsOfSpan(queries: Queries, span: OpenSpan): Promise<Sql> {
  const { orders, items, codes } = await readTouched(queries, span)
  return sql`
    touched_order AS MATERIALIZED (SELECT unnest(${orders}::text[]) AS id),
    touched_item AS MATERIALIZED (SELECT unnest(${items}::bigint[]) AS id),
    touched_code AS MATERIALIZED (SELECT unnest(${codes}::bigint[]) AS id),
    closed AS MATERIALIZED (SELECT ${span.lastTransfer}::bigint AS last_transfer),
    open_transfer AS (SELECT * FROM transfer WHERE id > ${span.lastTransfer}),
    checked_order AS (SELECT * FROM orders WHERE id IN (SELECT id FROM touched_order)),
    checked_item AS (SELECT * FROM order_item WHERE id IN (SELECT id FROM touched_item)),
    checked_transfer AS (
      SELECT * FROM open_transfer
      UNION ALL SELECT * FROM transfer WHERE id <= ${span.lastTransfer} AND order_id IN (SELECT id FROM touched_order)),
    checked_code AS (SELECT * FROM code WHERE id IN (SELECT id FROM touched_code)),
    checked_sale AS (SELECT * FROM code_sale WHERE code_id IN (SELECT id FROM touched_code)),
    checked_activation AS (SELECT * FROM code_activation WHERE code_id IN (SELECT id FROM touched_code)),
    checked_delivery AS (SELECT * FROM delivery WHERE order_item_id IN (SELECT id FROM touched_item)),
    checked_supplier_order AS (SELECT * FROM supplier_order WHERE delivery_id IN (SELECT id FROM checked_delivery)),
    checked_call AS (SELECT * FROM supplier_call WHERE supplier_order_id IN (SELECT id FROM checked_supplier_order)),
    checked_unit AS (
      SELECT unit.* FROM touched_item
      CROSS JOIN LATERAL (SELECT * FROM sold_unit WHERE order_item_id = touched_item.id) AS unit),
    checked_payment AS (SELECT * FROM payment WHERE order_id IN (SELECT id FROM touched_order)),
    checked_card_refund AS (SELECT * FROM card_refund WHERE payment_id IN (SELECT id FROM checked_payment)),
    checked_refund AS (SELECT * FROM refund WHERE order_id IN (SELECT id FROM touched_order)),
    checked_part AS (SELECT * FROM refund_part WHERE order_id IN (SELECT id FROM touched_order)),
    checked_dispute AS (SELECT * FROM dispute WHERE order_id IN (SELECT id FROM touched_order)),
    checked_change AS (SELECT * FROM status_change WHERE order_id IN (SELECT id FROM touched_order)),
    checked_user AS (
      SELECT * FROM users WHERE held_since IS NOT NULL OR id IN (SELECT user_id FROM checked_order))`
}
