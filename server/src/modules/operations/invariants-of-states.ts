import { join, type Sql } from 'sql-template-tag'
import { sql } from '../../platform/database.ts'
import { itemMoves, orderMoves } from '../orders/order-states.rules.ts'
import type { Invariant } from './invariant.ts'

/** The jobs that end what is over come every minute; what is late by this is stuck. */
const patience = sql`interval '10 minutes'`

/** The table of moves as rows of (was, became). */
const movesOf = (moves: Readonly<Record<string, readonly string[]>>): Sql =>
  sql`(VALUES ${join(Object.entries(moves).flatMap(([was, next]) => next.map((became) => sql`(${was}, ${became})`)))})`

/** Every noted change, with what the change before it led to and what is so now. */
const changes = sql`(
  SELECT status_change.order_id, order_item_id, was, became, coalesce(order_item.status, orders.status) AS is_now,
    lag(became) OVER in_order AS before, lead(became) OVER in_order AS after
  FROM status_change JOIN orders ON orders.id = status_change.order_id
  LEFT JOIN order_item ON order_item.id = order_item_id
  WINDOW in_order AS (PARTITION BY status_change.order_id, order_item_id ORDER BY status_change.id))`

/** What an order with these items may be. */
const itemsOfOrder = sql`(
  SELECT order_id, count(*) AS items, count(*) FILTER (WHERE status = 'delivered') AS delivered,
    count(*) FILTER (WHERE status = 'refunded') AS refunded,
    count(*) FILTER (WHERE status = 'delivered' AND EXISTS (
      SELECT FROM refund WHERE order_item_id = order_item.id)) AS refunded_in_part, count(*) FILTER (WHERE status = 'expired') AS expired,
    count(*) FILTER (WHERE status = 'awaiting_payment') AS awaiting_payment,
    count(*) FILTER (WHERE status IN ('pending', 'unknown')) AS pending
  FROM order_item GROUP BY order_id)`

/** Money of the order went back past the store, and no item was charged with it. */
const isRefundedOutside = sql`EXISTS (
  SELECT FROM payment JOIN card_refund ON payment_id = payment.id AND origin = 'provider'
  WHERE payment.order_id = orders.id AND settled_to = 'order'
    AND coalesce((SELECT amount FROM transfer WHERE key = 'card-refund:' || card_refund.id), 0)
      > (SELECT coalesce(sum(amount), 0) FROM refund WHERE card_refund_id = card_refund.id))`

export const invariantsOfStates: readonly Invariant[] = [
  {
    number: 16,
    name: 'nothing-is-stuck',
    sentence: 'No reservation outlives its time, and no paid item waits without a next step',
    offenders: sql`
      SELECT 'order ' || id AS subject FROM orders
      WHERE status = 'awaiting_payment' AND expires_at < now() - ${patience}
      UNION ALL
      SELECT 'order ' || order_id FROM order_item
      WHERE status IN ('pending', 'unknown') AND (
        item_type = 'topup' AND quantity <> (SELECT count(*) FROM delivery WHERE order_item_id = order_item.id)
        OR NOT EXISTS (SELECT FROM delivery WHERE order_item_id = order_item.id AND decided_at IS NULL))
      UNION ALL
      SELECT 'delivery ' || id FROM delivery
      WHERE operator_since IS NULL AND greatest(next_at, held_until) < now() - ${patience}`,
  },
  {
    number: 18,
    name: 'states-follow-the-table',
    sentence:
      'Orders and items moved only along the table of states, an order is what its items say, and a line none of whose units is left is refunded',
    offenders: sql`
      SELECT 'order ' || order_id AS subject FROM ${changes} AS change
      WHERE before <> was OR (after IS NULL AND became <> is_now)
        OR order_item_id IS NULL AND (was, became) NOT IN ${movesOf(orderMoves)}
        OR order_item_id IS NOT NULL AND (was, became) NOT IN ${movesOf(itemMoves)}
      UNION ALL
      SELECT 'order ' || orders.id FROM orders LEFT JOIN ${itemsOfOrder} AS items ON items.order_id = orders.id
      WHERE NOT coalesce(CASE orders.status
        WHEN 'awaiting_payment' THEN awaiting_payment = items
        WHEN 'expired' THEN expired = items
        WHEN 'pending' THEN pending > 0
        WHEN 'completed' THEN delivered = items AND refunded_in_part = 0 AND NOT ${isRefundedOutside}
        WHEN 'refunded' THEN refunded = items
        WHEN 'partially_refunded' THEN (refunded + refunded_in_part > 0 OR ${isRefundedOutside}) AND refunded < items END, false)
      UNION ALL
      SELECT 'order ' || order_id FROM order_item
      WHERE status = 'delivered' AND quantity
        <= (SELECT coalesce(sum(quantity), 0) FROM refund_part WHERE order_item_id = order_item.id)
          + (SELECT count(DISTINCT delivery_id) FROM refund WHERE order_item_id = order_item.id)`,
  },
]
