import { join, type Sql } from 'sql-template-tag'
import { type Queries, sql } from '../../platform/database.ts'

export interface EventRow {
  at: Date
  kind: string
  actor: string | null
  details: Record<string, unknown>
}

const saleOfOrder = sql`
  code_sale JOIN order_item ON order_item.id = code_sale.order_item_id
  LEFT JOIN code_return ON code_return.code_id = code_sale.code_id AND code_return.sale_number = code_sale.sale_number`

/** Each source of events: when, what, who and details, money in major units. One more is one more entry. */
const sources = (orderId: string): Sql[] => [
  sql`SELECT created_at, 'placed', user_id, jsonb_build_object('total_amount', total / 100.0, 'currency', currency)
    FROM orders WHERE id = ${orderId}`,
  sql`SELECT created_at, 'transfer', made_by, jsonb_build_object('transfer', kind, 'amount', amount / 100.0,
      'currency', currency, 'reason', reason)
    FROM transfer WHERE order_id = ${orderId}`,
  sql`SELECT created_at, 'payment_opened', NULL, jsonb_build_object('provider', provider, 'amount', amount / 100.0,
      'currency', currency, 'payment_id', id)
    FROM payment WHERE order_id = ${orderId}`,
  sql`SELECT settled_at, 'payment_settled', NULL, jsonb_build_object('provider', provider, 'status', status,
      'settled_to', settled_to, 'payment_id', id)
    FROM payment WHERE order_id = ${orderId} AND settled_at IS NOT NULL`,
  sql`SELECT code_sale.created_at, 'codes_sold', NULL::int,
      jsonb_build_object('item_id', order_item.id, 'codes', count(*))
    FROM ${saleOfOrder} WHERE order_item.order_id = ${orderId} GROUP BY code_sale.created_at, order_item.id`,
  sql`SELECT code_reveal.created_at, 'codes_revealed', code_reveal.user_id,
      jsonb_build_object('place', place, 'codes', count(*))
    FROM ${saleOfOrder} JOIN code_reveal ON code_reveal.code_id = code_sale.code_id
      AND code_reveal.created_at BETWEEN code_sale.created_at AND coalesce(code_return.created_at, 'infinity')
    WHERE order_item.order_id = ${orderId} GROUP BY code_reveal.created_at, code_reveal.user_id, place`,
  sql`SELECT code_return.created_at, 'codes_returned', NULL::int, jsonb_build_object('item_id', order_item.id,
      'codes', count(*), 'quarantined', count(*) FILTER (WHERE code_return.is_quarantined))
    FROM ${saleOfOrder} WHERE order_item.order_id = ${orderId} AND code_return.code_id IS NOT NULL
    GROUP BY code_return.created_at, order_item.id`,
  sql`SELECT created_at, 'refund', made_by, jsonb_build_object('item_id', order_item_id, 'amount', amount / 100.0,
      'destination', CASE WHEN by_chargeback THEN 'bank' ELSE destination END, 'reason', reason)
    FROM refund WHERE order_id = ${orderId}`,
  sql`SELECT dispute_change.created_at, dispute.kind, dispute_change.made_by, jsonb_build_object(
      'provider', provider, 'dispute', dispute_change.status, 'amount', amount / 100.0, 'currency', currency,
      'reason', reason)
    FROM dispute JOIN dispute_change ON dispute_change.dispute_id = dispute.id WHERE order_id = ${orderId}`,
  sql`SELECT created_at, action, actor_id, jsonb_build_object('before', before, 'after', after)
    FROM audit_entry WHERE subject = ${`order:${orderId}`}`,
  sql`SELECT audit_entry.created_at, action, actor_id, jsonb_build_object('before', before, 'after', after)
    FROM order_item JOIN delivery ON delivery.order_item_id = order_item.id
    JOIN audit_entry ON audit_entry.subject = 'delivery:' || delivery.id WHERE order_item.order_id = ${orderId}`,
  sql`SELECT created_at, 'status', NULL::int, jsonb_build_object('was', was, 'became', became)
    FROM status_change WHERE order_id = ${orderId} AND order_item_id IS NULL`,
]

/** Everything that happened to an order, from the beginning. */
export const readTimeline = (queries: Queries, orderId: string) =>
  queries.rows<EventRow>(sql`
    SELECT event.at, event.kind, users.nickname AS actor, event.details
    FROM (${join(sources(orderId), ' UNION ALL ')}) AS event (at, kind, actor_id, details)
    LEFT JOIN users ON users.id = event.actor_id
    ORDER BY event.at, event.kind = 'placed' DESC, event.kind`)
