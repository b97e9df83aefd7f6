import { BUSINESS } from '@olmos/contract/business'
import type { DeliveryState } from '@olmos/contract/deliveries'
import type { Currency } from '@olmos/contract/money'
import type { SteamCurrency } from '@olmos/contract/topup-data'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Resources } from '../../platform/context.ts'
import { type Queries, sql, type Tx } from '../../platform/database/database.ts'
import { announce } from '../../platform/database/notify.ts'
import type { Wanted } from '../topups/supplier.ts'
import type { Suppliers } from '../topups/suppliers.ts'

/** Returns how many units are newly under way. The first units of codes came from stock. */
const insertDeliveries = (tx: Tx, orderId: string) =>
  tx.run(sql`
    INSERT INTO delivery (order_item_id, unit)
    SELECT order_item.id, unit FROM order_item CROSS JOIN LATERAL generate_series(1 + CASE item_type WHEN 'code'
      THEN (SELECT count(*)::int FROM code_sale WHERE order_item_id = order_item.id) ELSE 0 END, quantity) AS unit
    WHERE order_id = ${orderId} AND status = 'pending'
    ON CONFLICT DO NOTHING`)

const lockOffer = (tx: Tx, offerId: number) =>
  tx.run(sql`SELECT pg_advisory_xact_lock(hashtext('on_demand'), ${offerId}::int)`)

const countWaiting = (tx: Tx, offerId: number) =>
  tx.one<{ waiting: number }>(sql`
    SELECT count(*)::int AS waiting FROM order_item JOIN delivery ON delivery.order_item_id = order_item.id
    WHERE offer_id = ${offerId} AND item_type = 'code' AND status IN ('pending', 'unknown') AND decided_at IS NULL`)

/** An order at a supplier that may have been carried out. */
export interface OpenOrder {
  id: number
  supplier: string
  key: string
  code_id: number | null
  supplier_order_id: string | null
  age_seconds: number
}

/** What was bought, as a supplier has to be told. */
export interface Ordered {
  wanted: Wanted
  account: string
  /** The supplier's name for it when it was ordered. */
  item: string | null
  steam_amount: number | null
  steam_currency: SteamCurrency | null
  /** The offer's price in cents, whatever currency was paid in. */
  price_usd: number | null
}

/** A delivery leased by this worker, with everything a supplier has to be told. */
export interface Claim extends Ordered {
  id: number
  /** Counts the leases: a higher number means another worker has it. */
  attempt: number
  state: 'queued' | 'sent' | 'unknown'
  look_ups: number
  is_late: boolean
  is_operators: boolean
  /** Whether an operator wants it sent although its buyer is frozen. */
  sent_though_held: boolean
  unit: number
  item_id: number
  order_id: string
  offer_id: number | null
  unit_price: number
  /** The currency of `unit_price`. */
  currency: Currency
  open_order: OpenOrder | null
}

/**
 * What a supplier has to know about an order beside its key. Needs `order_item`, `topup_target` and `offer_price` in
 * scope.
 */
export const orderedColumns = sql`
  offer_price.price_usd, coalesce(topup_target.service, 'code') AS wanted,
  coalesce(topup_target.account, '') AS account, order_item.supplier_item AS item, topup_target.steam_amount,
  topup_target.steam_currency`

export const orderedJoins = sql`
  LEFT JOIN topup_target ON topup_target.order_item_id = order_item.id
  LEFT JOIN offer_price ON offer_price.offer_id = order_item.offer_id
    AND offer_price.version = order_item.price_version`

/** Leases the delivery that has been due longest to this worker; undefined while nothing is due. */
export const claimDue = (queries: Queries) =>
  queries.maybe<Claim>(sql`
    WITH due AS (
      SELECT id FROM delivery WHERE next_at <= now() AND (held_until IS NULL OR held_until < now())
      ORDER BY next_at LIMIT 1 FOR UPDATE SKIP LOCKED),
    claimed AS (
      UPDATE delivery SET attempt = attempt + 1,
        held_until = now() + make_interval(secs => ${SERVER_LIMITS.deliveryLeaseSeconds})
      FROM due WHERE delivery.id = due.id RETURNING delivery.*)
    SELECT claimed.id, claimed.attempt, claimed.state, claimed.look_ups, claimed.unit,
      claimed.tried_since < now() - make_interval(mins => ${BUSINESS.topupMinutes}) AS is_late,
      claimed.operator_since IS NOT NULL AS is_operators, claimed.sent_though_held,
      order_item.id AS item_id, order_item.order_id, order_item.offer_id, order_item.unit_price, ${orderedColumns},
      (SELECT currency FROM orders WHERE id = order_item.order_id) AS currency,
      (SELECT json_build_object('id', id, 'supplier', supplier, 'key', key, 'code_id', code_id,
          'supplier_order_id', supplier_order_id, 'age_seconds', extract(epoch FROM now() - sent_at))
        FROM supplier_order WHERE delivery_id = claimed.id AND state IN ('sent', 'unknown')) AS open_order
    FROM claimed
    JOIN order_item ON order_item.id = claimed.order_item_id ${orderedJoins}`)

/**
 * Locks the delivery until the transaction ends, if this worker still has its lease. The caller has locked the order.
 */
export const lockClaim = async (tx: Tx, { id, attempt }: Pick<Claim, 'id' | 'attempt'>): Promise<boolean> =>
  (await tx.maybe(sql`SELECT FROM delivery WHERE id = ${id} AND attempt = ${attempt} FOR UPDATE`)) !== undefined

export const readState = (queries: Queries, id: number) =>
  queries.one<{ state: DeliveryState }>(sql`SELECT state FROM delivery WHERE id = ${id}`)

/** Ends the lease and sets when the delivery is due. */
export const setWaiting = (
  tx: Tx,
  id: number,
  to: { state: 'queued' | 'sent' | 'unknown'; seconds: number; lookUps: number; reason: string | null },
) =>
  tx.run(sql`
    UPDATE delivery SET state = ${to.state}, held_until = NULL, look_ups = ${to.lookUps}, reason = ${to.reason},
      next_at = now() + make_interval(secs => ${to.seconds})
    WHERE id = ${id}`)

/** Records that it is with a supplier now; the lease continues. */
export const setSent = (tx: Tx, id: number) =>
  tx.run(sql`
    UPDATE delivery SET state = 'sent', look_ups = 0,
      held_until = now() + make_interval(secs => ${SERVER_LIMITS.deliveryLeaseSeconds})
    WHERE id = ${id}`)

export const setDecided = (tx: Tx, id: number, state: 'done' | 'rejected', reason: string | null) =>
  tx.run(sql`
    UPDATE delivery SET state = ${state}, reason = ${reason}, decided_at = now(), attempt = attempt + 1,
      held_until = NULL, next_at = NULL, operator_since = NULL
    WHERE id = ${id}`)

/** Puts it into the operator's queue; `isAlone`: no worker looks it up any more. */
export const giveToOperator = (tx: Tx, id: number, { isAlone }: { isAlone: boolean }) =>
  tx.run(sql`
    UPDATE delivery SET operator_since = coalesce(operator_since, now()),
      next_at = CASE WHEN ${isAlone} THEN NULL ELSE next_at END, held_until = NULL
    WHERE id = ${id}`)

/** Puts overdue deliveries into the operator's queue. Those locked by a transaction are left to the next time. */
export const takeOverdue = (tx: Tx) =>
  tx.rows<{ id: number; order_id: string; reason: string | null }>(sql`
    WITH overdue AS (
      SELECT id FROM delivery
      WHERE operator_since IS NULL AND decided_at IS NULL
        AND tried_since <= now() - make_interval(mins => ${BUSINESS.topupMinutes})
      ORDER BY tried_since LIMIT ${SERVER_LIMITS.overdueAtOnce} FOR UPDATE SKIP LOCKED)
    UPDATE delivery SET operator_since = now() FROM overdue, order_item
    WHERE delivery.id = overdue.id AND order_item.id = delivery.order_item_id
    RETURNING delivery.id, order_item.order_id, delivery.reason`)

/** Why a delivery is stopped: its buyer is frozen, or its price can't be refunded. */
export type StopReason = 'buyer_held' | 'disputed' | 'charged_back'

/** Stops it until the operator decides, or until the reason is gone. One that a supplier may have stays `unknown`. */
export const stopDelivery = (tx: Tx, id: number, state: 'queued' | 'unknown', reason: StopReason) =>
  tx.run(sql`
    UPDATE delivery SET state = ${state}, reason = ${reason}, operator_since = coalesce(operator_since, now()),
      next_at = NULL, held_until = NULL
    WHERE id = ${id}`)

/** Resumes all stopped deliveries of the customer. Returns how many there are. */
const resumeStopped = (tx: Tx, userId: number) =>
  tx.run(sql`
    UPDATE delivery SET operator_since = NULL, next_at = now(), tried_since = now(), reason = NULL
    FROM order_item JOIN orders ON orders.id = order_item.order_id
    WHERE order_item.id = order_item_id AND orders.user_id = ${userId} AND state IN ('queued', 'unknown')
      AND next_at IS NULL AND reason IN ('buyer_held', 'disputed', 'charged_back')`)

interface UnitCount {
  item_id: number
  waiting: number
  unknown: number
  done: number
  rejected: number
}

/** Counts what came from stock, and so did not have to be delivered, as done. */
export const countUnits = (tx: Tx, orderId: string) =>
  tx.rows<UnitCount>(sql`
    SELECT order_item.id AS item_id, count(*) FILTER (WHERE state IN ('queued', 'sent'))::int AS waiting,
      count(*) FILTER (WHERE state = 'unknown')::int AS unknown,
      (quantity - count(*) FILTER (WHERE state <> 'done'))::int AS done,
      count(*) FILTER (WHERE state = 'rejected')::int AS rejected
    FROM order_item LEFT JOIN delivery ON delivery.order_item_id = order_item.id
    WHERE order_item.order_id = ${orderId} GROUP BY order_item.id`)

/**
 * Queues every unit of the order's pending top-ups, once the transaction is committed, and every code that was out of
 * stock; an order without any is left alone, and so is what is under way already. It may be sent together with other
 * statements of the transaction, after those that sell codes.
 */
export async function queueDeliveries(tx: Tx, orderId: string): Promise<void> {
  if ((await insertDeliveries(tx, orderId)) > 0) await announce(tx, 'delivery', orderId)
}

/**
 * Counts the codes of an offer that are under way from suppliers; customers who count and add to them wait for each
 * other.
 */
export async function countOnTheWay(tx: Tx, offerId: number): Promise<number> {
  const { count } = await tx.pipeline({
    offer: (tx) => lockOffer(tx, offerId),
    count: (tx) => countWaiting(tx, offerId),
  })
  return count.waiting
}

/** Resumes what was stopped because its buyer was frozen, once the transaction is committed. */
export async function resumeDeliveries(tx: Tx, userId: number): Promise<void> {
  if ((await resumeStopped(tx, userId)) > 0) await announce(tx, 'delivery', `user:${userId}`)
}

/** Everything delivering depends on. */
export type DeliveryShop = Pick<Resources, 'database' | 'vault' | 'clock' | 'log'> & { suppliers: Suppliers }
