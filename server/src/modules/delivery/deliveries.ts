import type { Currency } from '@olmos/contract/money'
import type { OrderStatus } from '@olmos/contract/orders'
import type { AccountValues, SteamCurrency } from '@olmos/contract/topup-data'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Resources } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { sql, type Tx } from '../../platform/database/queries.ts'
import { raiseAlert } from '../../platform/live/alert.ts'
import { currentTrace } from '../../platform/live/tracing.ts'
import { settleCosts } from '../codes/purchases.ts'
import { refundFee, takeDueFee } from '../orders/order-money.ts'
import { type LockedOrder, moveItems, moveOrder, readItemStates } from '../orders/order-states.ts'
import { settleOutside } from '../orders/refunds.ts'
import type { Wanted } from '../topups/supplier.ts'
import type { Suppliers } from '../topups/suppliers.ts'
import { accountValues } from '../topups/topups.ts'
import { toItemStatus, toOrderStatus } from './delivery.rules.ts'

/** Returns how many units are newly under way. The first units of codes came from stock. */
const insertDeliveries = (tx: Tx, orderId: string, traceparent: string | null) =>
  tx.run(sql`
    INSERT INTO delivery (order_item_id, unit, promised_minutes, traceparent)
    SELECT order_item.id, unit, product.promised_minutes, ${traceparent}::text FROM order_item
    LEFT JOIN offer ON offer.id = order_item.offer_id
    JOIN product ON product.id = coalesce(order_item.product_id, offer.product_id)
    CROSS JOIN LATERAL generate_series(1 + CASE item_type WHEN 'code'
      THEN (SELECT count(*)::int FROM code_sale WHERE order_item_id = order_item.id) ELSE 0 END, quantity) AS unit
    WHERE order_id = ${orderId} AND order_item.status = 'pending'
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
  /** What it was asked for: the name there that the offer had when it was ordered, or that of one of its sources. */
  item: string | null
  /** What it buys, for an order by a source of the offer. */
  supplier_product_id: number | null
  /** The source's own limit for what one unit may cost, a decimal of USD. */
  cost_at_most: string | null
  supplier_order_id: string | null
  /** At which account it was sent (`accountMark` of its supplier); null where nobody knows. */
  account_mark: string | null
  age_seconds: number
}

/** What was bought, as a supplier has to be told. */
export interface Ordered {
  wanted: Wanted
  /** The slug of a top-up's product; null for codes. */
  service: string | null
  /** What was filled in; null for codes. */
  account_fields: AccountValues | null
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
  /** When it was due, in PostgreSQL's words, which are more exact than a Date. */
  due_at: string
  state: 'queued' | 'sent' | 'unknown'
  look_ups: number
  is_late: boolean
  is_operators: boolean
  /** Whether an operator wants it sent although its buyer is frozen. */
  sent_though_held: boolean
  /** Whether codes of its offer are spent on players, as far as there are any. */
  has_pool: boolean
  /** Within how many minutes it is promised. */
  promised_minutes: number
  unit: number
  item_id: number
  order_id: string
  offer_id: number | null
  unit_price: number
  /** The price without what a coupon took off. */
  full_price: number
  /** The currency of both. */
  currency: Currency
  /** The most a code may cost at a supplier, in percent of its price. */
  code_cost_percent: number
  open_order: OpenOrder | null
  /** The trace of its purchase; null where none was recorded. */
  traceparent: string | null
}

/**
 * What a supplier has to know about an order beside its key. Needs `order_item`, `topup_target` and `offer_price` in
 * scope.
 */
export const orderedColumns = sql`
  offer_price.price_usd, CASE WHEN topup_target.service IS NULL THEN 'code'
    WHEN topup_target.steam_amount IS NULL THEN 'topup' ELSE 'amount' END AS wanted, topup_target.service,
  CASE WHEN topup_target.service IS NOT NULL THEN ${accountValues({
    values: sql`topup_target.account_fields`,
    text: sql`topup_target.account`,
    isAmount: sql`topup_target.steam_amount IS NOT NULL`,
  })} END AS account_fields, order_item.supplier_item AS item, topup_target.steam_amount,
  topup_target.steam_currency`

export const orderedJoins = sql`
  LEFT JOIN topup_target ON topup_target.order_item_id = order_item.id
  LEFT JOIN offer_price ON offer_price.offer_id = order_item.offer_id
    AND offer_price.version = order_item.price_version`

/** Ends the lease and sets when the delivery is due: at once, where it became due again after `wasDueAt`. */
export const setWaiting = (
  tx: Tx,
  id: number,
  to: {
    state: 'queued' | 'sent' | 'unknown'
    seconds: number
    wasDueAt?: string
    lookUps: number
    reason: string | null
  },
) =>
  tx.run(sql`
    UPDATE delivery SET state = ${to.state}, held_until = NULL, look_ups = ${to.lookUps}, reason = ${to.reason},
      next_at = CASE WHEN next_at > ${to.wasDueAt}::timestamptz THEN now()
        ELSE now() + make_interval(secs => ${to.seconds}) END
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

/** Resumes all stopped deliveries of the customer. Returns how many there are. */
const resumeStopped = (tx: Tx, userId: number) =>
  tx.run(sql`
    UPDATE delivery SET operator_since = NULL, next_at = now(), tried_since = now(), reason = NULL
    FROM order_item JOIN orders ON orders.id = order_item.order_id
    WHERE order_item.id = order_item_id AND orders.user_id = ${userId} AND state IN ('queued', 'unknown')
      AND next_at IS NULL AND reason IN ('buyer_held', 'disputed', 'charged_back')`)

/**
 * Queues every unit of the order's pending top-ups, once the transaction is committed, and every code that was out of
 * stock; an order without any is left alone, and so is what is under way already. It may be sent together with other
 * statements of the transaction, after those that sell codes. Their worker resumes the trace that is under way; where none is,
 * the one in which the order was placed.
 */
export async function queueDeliveries(tx: Tx, orderId: string, placedIn: string | null = null): Promise<void> {
  if ((await insertDeliveries(tx, orderId, currentTrace() ?? placedIn)) > 0) tx.notify('delivery', 'due')
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
  if ((await resumeStopped(tx, userId)) > 0) tx.notify('delivery', 'due')
}

/** Everything delivering depends on. */
export type DeliveryShop = Pick<Resources, 'database' | 'vault' | 'clock' | 'log' | 'telemetry'> & {
  suppliers: Suppliers
}

/** Puts overdue deliveries into the operator's queue. Those locked by a transaction are left to the next time. */
const takeOverdue = (tx: Tx) =>
  tx.rows<{ id: number; order_id: string; reason: string | null; promised_minutes: number }>(sql`
    WITH overdue AS (
      SELECT id FROM delivery
      WHERE operator_since IS NULL AND decided_at IS NULL
        AND tried_since <= now() - make_interval(mins => promised_minutes)
      ORDER BY tried_since LIMIT ${SERVER_LIMITS.overdueAtOnce} FOR UPDATE SKIP LOCKED)
    UPDATE delivery SET operator_since = now() FROM overdue, order_item
    WHERE delivery.id = overdue.id AND order_item.id = delivery.order_item_id
    RETURNING delivery.id, order_item.order_id, delivery.reason, delivery.promised_minutes`)

interface UnitCount {
  item_id: number
  waiting: number
  unknown: number
  done: number
  rejected: number
}

/** Counts what came from stock, and so did not have to be delivered, as done. */
const countUnits = (tx: Tx, orderId: string) =>
  tx.rows<UnitCount>(sql`
    SELECT order_item.id AS item_id, count(*) FILTER (WHERE state IN ('queued', 'sent'))::int AS waiting,
      count(*) FILTER (WHERE state = 'unknown')::int AS unknown,
      (quantity - count(*) FILTER (WHERE state <> 'done'))::int AS done,
      count(*) FILTER (WHERE state = 'rejected')::int AS rejected
    FROM order_item LEFT JOIN delivery ON delivery.order_item_id = order_item.id
    WHERE order_item.order_id = ${orderId} GROUP BY order_item.id`)

/**
 * Moves the items of a locked order, and the order once all are decided, to the status their units result in. Returns
 * the order's.
 */
export async function settleOrder(tx: Tx, order: LockedOrder): Promise<OrderStatus> {
  const items = await readItemStates(tx, order.id)
  await settleCosts(
    tx,
    items.map(({ id }) => id),
  )
  for (const units of await countUnits(tx, order.id)) {
    const item = items.find(({ id }) => id === units.item_id)
    const status = toItemStatus(units)
    // What an admin has refunded meanwhile stays refunded.
    if (!item || item.status === status || item.status === 'refunded') continue
    await moveItems(tx, order, [item], status)
    item.status = status
  }
  const status = (await settleOutside(tx, order, items)) ?? toOrderStatus(items)
  if (status === undefined || status === order.status) return order.status
  await moveOrder(tx, order, status)
  const why = { reason: 'not_delivered', madeBy: null }
  if (status === 'refunded') await refundFee(tx, order, await takeDueFee(tx, order), why)
  return status
}

/**
 * Puts what was not delivered within the promised time into the operator's queue, whenever its next look-up is: waiting
 * for that may take ten minutes longer. Look-ups continue as well.
 */
export const handOverOverdue = (database: Database): Promise<void> =>
  database.transaction(async (tx) => {
    for (const { id, order_id, reason, promised_minutes: minutes } of await takeOverdue(tx)) {
      await raiseAlert(tx, {
        kind: 'delivery.stuck',
        subject: `delivery:${id}`,
        details: { order: order_id, why: reason ?? 'not_done_yet', minutes },
      })
    }
  })
