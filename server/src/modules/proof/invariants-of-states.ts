import { firstNumbers } from '@olmos/contract/shop-numbers'
import { SERVER_BUSINESS } from '../../business.ts'
import { join, type Sql, sql } from '../../platform/database/queries.ts'
import { itemMoves, orderMoves } from '../orders/order-states.ts'
import { numberAt } from '../shop/shop.ts'
import type { Invariant } from './closed-days.ts'
import { priceChangeTakes } from './invariants-of-money.ts'

/** It needs the key, which no query has, so audit.ts checks it. Its number is not among those that queries check. */
export const auditSeals: Omit<Invariant, 'offenders' | 'lately'> = {
  number: 30,
  name: 'audit-seals',
  sentence: 'The audit trail is as it was when it was sealed with the key of this shop',
}

/** Longer than any transaction that moves money: a statement may take 8 seconds. */
const transaction = sql`interval '1 minute'`

/** The jobs that expire things run every minute; what is this late is stuck. */
const patience = sql`interval '10 minutes'`

/** Turns the table of moves into rows of (was, became). */
const toMoves = (moves: Readonly<Record<string, readonly string[]>>): Sql =>
  sql`(VALUES ${join(Object.entries(moves).flatMap(([was, next]) => next.map((became) => sql`(${was}, ${became})`)))})`

/** Every recorded change, with what the previous one led to and the present state. */
const changes = sql`(
  SELECT status_change.order_id, order_item_id, was, became, coalesce(order_item.status, orders.status) AS is_now,
    lag(became) OVER in_order AS before, lead(became) OVER in_order AS after
  FROM checked_change AS status_change JOIN orders ON orders.id = status_change.order_id
  LEFT JOIN order_item ON order_item.id = order_item_id
  WINDOW in_order AS (PARTITION BY status_change.order_id, order_item_id ORDER BY status_change.id))`

/** Which statuses an order with these items may have. */
const orderItems = sql`(
  SELECT order_id, count(*) AS items, count(*) FILTER (WHERE status = 'delivered') AS delivered,
    count(*) FILTER (WHERE status = 'refunded') AS refunded,
    count(*) FILTER (WHERE status = 'delivered' AND EXISTS (
      SELECT FROM refund WHERE order_item_id = order_item.id)) AS refunded_in_part, count(*) FILTER (WHERE status = 'expired') AS expired,
    count(*) FILTER (WHERE status = 'awaiting_payment') AS awaiting_payment,
    count(*) FILTER (WHERE status IN ('pending', 'unknown')) AS pending
  FROM checked_item AS order_item GROUP BY order_id)`

/** Money of the order was refunded outside the store, and no item was charged with it. */
const isRefundedOutside = sql`EXISTS (
  SELECT FROM payment JOIN card_refund ON payment_id = payment.id AND origin = 'provider'
  WHERE payment.order_id = orders.id AND settled_to = 'order'
    AND coalesce((SELECT amount FROM transfer WHERE key = 'card-refund:' || card_refund.id), 0)
      > (SELECT coalesce(sum(amount), 0) FROM refund WHERE card_refund_id = card_refund.id))`

/** Whether a row that is valid from `since` until a later one may have been in force when the money was accepted. */
const wasInForce = (since: Sql, later: Sql): Sql => sql`
  (${since} <= accepted_at + ${priceChangeTakes} AND NOT EXISTS (${later} < accepted_at - ${priceChangeTakes}))`

/** A store that is older than the rule sold by another one at first. */
const sinceTheRule = sql`coalesce(
  (SELECT applied_at FROM schema_migration WHERE name = '115-equal-topups.sql'), '-infinity')`

/** Payments that bought their order although its price had expired: too long after it was ordered, or expired. */
const lateMoney = sql`(
  SELECT orders.id AS order_id, orders.currency, payment.settled_at AS accepted_at
  FROM checked_payment AS payment JOIN orders ON orders.id = payment.order_id
  WHERE settled_to = 'order' AND settled_at > ${sinceTheRule} AND (
    settled_at > orders.created_at + make_interval(mins => ${numberAt('order_minutes', sql`orders.created_at`)}) + ${priceChangeTakes}
    OR EXISTS (
      SELECT FROM status_change WHERE status_change.order_id = orders.id AND order_item_id IS NULL
        AND was = 'expired' AND became IN ('pending', 'completed'))))`

/** The shop's own rates of a currency that may have been in force then. */
const ratesThen = (currency: Sql): Sql => sql`
  SELECT past.rate FROM currency_rate JOIN currency_rate_history AS past ON past.rate_id = currency_rate.id
  WHERE from_currency = 'USD' AND to_currency = ${currency} AND ${wasInForce(
    sql`past.created_at`,
    sql`SELECT FROM currency_rate_history AS later
      WHERE later.rate_id = past.rate_id AND later.id > past.id AND later.created_at`,
  )}`

/** By how much late money may have fallen short: the most that may have been in force then. */
const lossThen = sql`coalesce((
  SELECT max(coalesce((setting.value ->> 'late_loss_percent')::int, ${firstNumbers.late_loss_percent}))
  FROM shop_setting AS setting WHERE setting.section = 'numbers' AND ${wasInForce(
    sql`setting.changed_at`,
    sql`SELECT FROM shop_setting AS later
      WHERE later.section = 'numbers' AND later.version > setting.version AND later.changed_at`,
  )}), ${firstNumbers.late_loss_percent})`

/** The Steam suppliers' rates that were read within the hour before. */
const steamRatesThen = sql`
  SELECT said.rate FROM steam_rate AS said
  WHERE said.currency = upper(steam_currency)
    AND seen_at > accepted_at - ${priceChangeTakes} - make_interval(mins => ${SERVER_BUSINESS.steamRateMinutes})
    AND ${wasInForce(
      sql`said.created_at`,
      sql`SELECT FROM steam_rate AS later
        WHERE later.currency = said.currency AND later.id > said.id AND later.created_at`,
    )}`

/** What arrives of a Steam amount, in cents, and what one cent costs, at the moment's best rates for the buyer. */
const usdThen = sql`steam_amount / CASE steam_currency WHEN 'usd' THEN 1 ELSE (
  SELECT max(rate) FROM (${ratesThen(sql`upper(steam_currency)`)} UNION ALL ${steamRatesThen}) AS rates) END`
const priceOfUsdThen = sql`CASE late.currency WHEN 'USD' THEN 1 ELSE (
  SELECT min(rate) FROM (${ratesThen(sql`late.currency`)}) AS rates) END`
const usdPrice = sql`CASE late.currency WHEN 'USD' THEN 1 ELSE (target.rates ->> late.currency)::numeric END`

export const stateInvariants: readonly Invariant[] = [
  {
    number: 21,
    name: 'accepted-at-a-price-in-force',
    sentence:
      'What was paid by card was sold at the price it was ordered at while the order could wait, or at one not below the price in force when its money came; for Steam it follows from the rates of that moment',
    // Both Steam sums are rounded up, so the old one may exceed the new one by a cent without being dearer.
    offenders: sql`
      SELECT DISTINCT 'order ' || late.order_id AS subject FROM ${lateMoney} AS late
      JOIN order_item ON order_item.order_id = late.order_id
      WHERE order_item.offer_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM offer_price AS price
        WHERE price.offer_id = order_item.offer_id
          AND CASE late.currency WHEN 'USD' THEN price_usd ELSE price_rub END <= unit_price + unit_discount
          AND ${wasInForce(
            sql`price.valid_from`,
            sql`SELECT FROM offer_price AS later
              WHERE later.offer_id = price.offer_id AND later.version > price.version AND later.valid_from`,
          )})
      UNION ALL
      SELECT DISTINCT 'order ' || late.order_id FROM ${lateMoney} AS late
      JOIN order_item ON order_item.order_id = late.order_id
      JOIN topup_target AS target ON target.order_item_id = order_item.id
      WHERE order_item.offer_id IS NULL AND NOT coalesce(
        (${usdThen}) * (${priceOfUsdThen})
          <= (steam_usd + 1) * (${usdPrice}) * (1 + ${lossThen} / 100.0), false)`,
  },
  {
    number: 19,
    name: 'audit-chain',
    sentence: 'The audit trail has no gap, and each entry hashes the one before',
    offenders: sql`
      SELECT 'audit entry ' || id AS subject FROM (
        SELECT id, hash, row_number() OVER in_order AS place,
          audit_hash(coalesce(lag(hash) OVER in_order, ''::bytea), audit_entry) AS expected
        FROM audit_entry WINDOW in_order AS (ORDER BY id)) AS chain
      WHERE hash IS DISTINCT FROM expected OR id <> place`,
    // From the entry that was sealed last.
    lately: sql`
      SELECT 'audit entry ' || chain.id AS subject FROM (
        SELECT id, hash, coalesce(lag(id) OVER in_order, 0) AS before,
          audit_hash(coalesce(lag(hash) OVER in_order, ''::bytea), audit_entry) AS expected
        FROM audit_entry WHERE id >= coalesce((SELECT max(entry_id) FROM audit_seal), 0)
        WINDOW in_order AS (ORDER BY id)) AS chain
      LEFT JOIN audit_seal ON entry_id = chain.id
      WHERE CASE WHEN entry_id IS NULL THEN hash IS DISTINCT FROM expected OR chain.id <> before + 1
        ELSE hash IS DISTINCT FROM entry_hash END
      UNION ALL
      SELECT 'audit entry ' || max(entry_id) FROM audit_seal
      HAVING max(entry_id) IS NOT NULL AND NOT EXISTS (SELECT FROM audit_entry WHERE audit_entry.id = max(entry_id))`,
  },
  {
    number: 20,
    name: 'money-is-audited',
    sentence: 'Every change of money that an admin made has its entry in the audit trail',
    offenders: sql`
      SELECT 'transfer ' || transfer.id AS subject FROM checked_transfer AS transfer
      JOIN account ON account.id = CASE WHEN credit_balance IS NULL THEN debit_account ELSE credit_account END
      WHERE made_by IS NOT NULL AND transfer.kind <> 'refund' AND NOT EXISTS (
        SELECT FROM audit_entry
        WHERE subject = 'user:' || account.user_id AND actor_id = made_by AND CASE action
          WHEN 'user.balance' THEN (after ->> transfer.currency)::bigint = coalesce(credit_balance, debit_balance)
          WHEN 'user.topup' THEN after @> jsonb_build_object('currency', transfer.currency, 'amount', amount) END
          AND audit_entry.created_at BETWEEN transfer.created_at AND transfer.created_at + ${transaction})
      UNION ALL
      SELECT 'refund ' || refund.id FROM checked_refund AS refund
      WHERE made_by IS NOT NULL AND NOT EXISTS (
        SELECT FROM audit_entry
        WHERE actor_id = made_by AND CASE WHEN delivery_id IS NULL
          THEN subject = 'order:' || order_id AND action = 'order.refund'
            AND after -> 'items' @> to_jsonb(order_item_id)
            AND (part_id IS NULL OR after -> 'parts' @> jsonb_build_array(jsonb_build_object('id', part_id)))
          ELSE subject = 'delivery:' || delivery_id AND action = 'delivery.refund' END)`,
  },
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
      SELECT 'delivery ' || id FROM checked_delivery
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
        OR order_item_id IS NULL AND (was, became) NOT IN ${toMoves(orderMoves)}
        OR order_item_id IS NOT NULL AND (was, became) NOT IN ${toMoves(itemMoves)}
      UNION ALL
      SELECT 'order ' || orders.id FROM checked_order AS orders LEFT JOIN ${orderItems} AS items ON items.order_id = orders.id
      WHERE purpose = 'goods' AND NOT coalesce(CASE orders.status
        WHEN 'awaiting_payment' THEN awaiting_payment = items
        WHEN 'expired' THEN expired = items
        WHEN 'pending' THEN pending > 0
        WHEN 'completed' THEN delivered = items AND refunded_in_part = 0 AND NOT ${isRefundedOutside}
        WHEN 'refunded' THEN refunded = items
        WHEN 'partially_refunded' THEN (refunded + refunded_in_part > 0 OR ${isRefundedOutside}) AND refunded < items END, false)
      UNION ALL
      SELECT 'order ' || order_id FROM checked_item AS order_item
      WHERE status = 'delivered' AND EXISTS (SELECT FROM refund WHERE order_item_id = order_item.id) AND quantity
        <= (SELECT coalesce(sum(quantity), 0) FROM refund_part WHERE order_item_id = order_item.id)
          + (SELECT count(DISTINCT delivery_id) FROM refund WHERE order_item_id = order_item.id)`,
  },
]
