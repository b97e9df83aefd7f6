import { BUSINESS } from '@olmos/contract/business'
import { Failure } from '@olmos/contract/failure'
import type { Currency } from '@olmos/contract/money'
import type { ItemStatus, OrderStatus, PaymentMethod } from '@olmos/contract/orders'
import { SERVER_BUSINESS } from '../../business.ts'
import { type Queries, sql, type Tx } from '../../platform/database/database.ts'
import { lockCartVersion } from '../cart/cart.ts'
import type { ToppedUp } from '../topups/topup.rules.ts'

/** Where an order may go from where it is. Money may come after its time, so an expired order is not at its end. */
export const orderMoves: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  awaiting_payment: ['pending', 'completed', 'expired'],
  expired: ['pending', 'completed'],
  pending: ['completed', 'partially_refunded', 'refunded'],
  completed: ['partially_refunded', 'refunded'],
  partially_refunded: ['refunded'],
  refunded: [],
}

export const itemMoves: Readonly<Record<ItemStatus, readonly ItemStatus[]>> = {
  awaiting_payment: ['pending', 'delivered', 'expired'],
  expired: ['pending', 'delivered'],
  pending: ['delivered', 'unknown', 'refunded'],
  unknown: ['pending', 'delivered', 'refunded'],
  delivered: ['refunded'],
  refunded: [],
}

/** Refuses every move that is not in the table: STATE_CONFLICT. */
export function requireMove<Status extends string>(
  moves: Readonly<Record<Status, readonly Status[]>>,
  from: Status,
  to: Status,
): void {
  if (!moves[from].includes(to)) throw new Failure('STATE_CONFLICT', { status: from, wanted: to })
}

/** Waits for money, or no longer does. */
export const isUnpaid = (status: OrderStatus): boolean => status === 'awaiting_payment' || status === 'expired'

export interface LockedOrder {
  id: string
  user_id: number
  /** None once another order, or the wallet, took the place of this one. */
  cart_version: number | null
  /** The same of an order without a cart. */
  topup_key: string | null
  currency: Currency
  total: number
  status: OrderStatus
  payment_method: PaymentMethod
  /** Placed longer ago than any order waits for its payment. */
  is_overtime: boolean
}

export interface LockedItem {
  id: number
  position: number
  item_type: 'code' | 'topup'
  offer_id: number | null
  /** Minor units, of one. */
  unit_price: number
  quantity: number
  /** Those that could not be delivered, or came back. */
  refunded_units: number
  /** Minor units: all that was given back of its price. */
  refunded_amount: number
  status: ItemStatus
}

const columns = sql`
  id, user_id, cart_version, topup_key, currency, total, status, payment_method,
  created_at < now() - make_interval(mins => ${SERVER_BUSINESS.orderMinutesMax}) AS is_overtime`

/** Nobody settles, expires or refunds the order until the transaction ends. */
export const lockOrder = (tx: Tx, orderId: string) =>
  tx.maybe<LockedOrder>(sql`SELECT ${columns} FROM orders WHERE id = ${orderId} FOR UPDATE`)

/** One unpaid order whose time is over by the database's clock, if it is not just being paid. */
export const lockNextOverdue = (tx: Tx) =>
  tx.maybe<LockedOrder>(sql`
    SELECT ${columns} FROM orders WHERE status = 'awaiting_payment' AND expires_at < now()
    ORDER BY expires_at LIMIT 1 FOR UPDATE SKIP LOCKED`)

/** They stay so only where the caller holds the order. */
export const readItemStates = (queries: Queries, orderId: string) =>
  queries.rows<LockedItem>(sql`
    SELECT id, position, item_type, offer_id, unit_price, quantity, status,
      (SELECT count(DISTINCT delivery_id)::int FROM refund WHERE order_item_id = order_item.id)
        + (SELECT coalesce(sum(quantity), 0)::int FROM refund_part WHERE order_item_id = order_item.id) AS refunded_units,
      (SELECT coalesce(sum(amount), 0)::bigint FROM refund WHERE order_item_id = order_item.id) AS refunded_amount
    FROM order_item
    WHERE order_id = ${orderId} ORDER BY position`)

const toExactly = async (changed: Promise<number>, wanted: number): Promise<void> => {
  if ((await changed) !== wanted) throw new Error('the order changed though it was held')
}

/** The caller holds the order, which had the status `from`. */
const setOrderStatus = (tx: Tx, orderId: string, from: OrderStatus, to: OrderStatus) =>
  toExactly(tx.run(sql`UPDATE orders SET status = ${to} WHERE id = ${orderId} AND status = ${from}`), 1)

const setItemStatuses = (tx: Tx, itemIds: number[], to: ItemStatus) =>
  toExactly(tx.run(sql`UPDATE order_item SET status = ${to} WHERE id = ANY (${itemIds})`), itemIds.length)

const unpaidColumns = sql`
  orders.id, orders.status, orders.currency, orders.total, orders.cart_version = cart.version AS is_of_cart,
  orders.expires_at < now() AS is_overdue`

export interface UnpaidOrder {
  id: string
  status: OrderStatus
  currency: Currency
  total: number
  /** Of the cart as it is now. */
  is_of_cart: boolean
  is_overdue: boolean
}

/** What the customer's cart has become without being paid for. */
export const findUnpaidOrders = (tx: Tx, userId: number) =>
  tx.rows<UnpaidOrder>(sql`
    SELECT ${unpaidColumns} FROM cart JOIN orders ON orders.user_id = cart.user_id
      AND orders.status = 'awaiting_payment' AND orders.cart_version IS NOT NULL
    WHERE cart.user_id = ${userId}
    UNION ALL
    SELECT ${unpaidColumns} FROM cart JOIN orders ON orders.user_id = cart.user_id
      AND orders.status = 'expired' AND orders.cart_version = cart.version
    WHERE cart.user_id = ${userId}`)

/** One order that the customer has paid for with money, if there is any: what was delivered for a code is none. */
const findPaidOrder = (tx: Tx, userId: number) =>
  tx.maybe<{ id: string }>(sql`
    SELECT id FROM orders
    WHERE user_id = ${userId} AND payment_method <> 'code' AND status NOT IN ('awaiting_payment', 'expired') LIMIT 1`)

export interface TopupOrder extends Omit<UnpaidOrder, 'is_of_cart'> {
  topup_key: string | null
  is_recent: boolean
  topups: ToppedUp[]
}

/**
 * The customer's orders with top-ups for one of these accounts, in lower case, that are unpaid, or were made or paid within
 * the last seconds. Neither what another order took the place of nor what was delivered for a code is among them.
 */
const findTopupOrders = (tx: Tx, userId: number, accounts: readonly string[], seconds: number) =>
  tx.rows<TopupOrder>(sql`
    SELECT id, status, currency, total, topup_key, coalesce(expires_at < now(), false) AS is_overdue, is_recent, topups
    FROM (
      SELECT *, greatest(created_at, (
          SELECT max(status_change.created_at) FROM status_change
          WHERE order_id = orders.id AND order_item_id IS NULL AND was IN ('awaiting_payment', 'expired'))
        ) > now() - make_interval(secs => ${seconds}) AS is_recent,
        (SELECT json_agg(json_build_object('offer_id', offer_id, 'quantity', quantity, 'target',
            json_build_object('service', service, 'account', account, 'steam', CASE WHEN steam_amount IS NOT NULL
              THEN json_build_object('amount', steam_amount, 'currency', steam_currency) END)))
          FROM order_item JOIN topup_target ON order_item_id = order_item.id WHERE order_id = orders.id) AS topups
      FROM orders WHERE user_id = ${userId} AND payment_method <> 'code' AND id IN (
        SELECT order_id FROM topup_target JOIN order_item ON order_item.id = order_item_id
        WHERE lower(account) = ANY (${accounts}::text[]))) AS alike
    WHERE CASE WHEN status IN ('awaiting_payment', 'expired') THEN num_nonnulls(cart_version, topup_key) > 0
      ELSE is_recent END
    ORDER BY created_at`)

const supersede = (tx: Tx, orderId: string) =>
  tx.run(sql`UPDATE orders SET cart_version = NULL, topup_key = NULL WHERE id = ${orderId}`)

/** So many minutes from now, but no longer than an order waits at most. */
export const extendOrder = (tx: Tx, orderId: string, minutes: number) =>
  tx.run(sql`
    UPDATE orders SET expires_at = least(now() + make_interval(mins => ${minutes}),
      created_at + make_interval(mins => ${SERVER_BUSINESS.orderMinutesMax}))
    WHERE id = ${orderId}`)

export const readStatus = (queries: Queries, orderId: string) =>
  queries.maybe<{ user_id: number; status: OrderStatus }>(sql`SELECT user_id, status FROM orders WHERE id = ${orderId}`)

/** The same, with the buyer's cart locked before it: nothing that the customer presses comes in between. */
export async function lockCartAndOrder(tx: Tx, orderId: string): Promise<LockedOrder | undefined> {
  const order = await readStatus(tx, orderId)
  if (!order) return undefined
  await lockCartVersion(tx, order.user_id)
  return lockOrder(tx, orderId)
}

export const readLockedItems = (tx: Tx, order: LockedOrder): Promise<LockedItem[]> => readItemStates(tx, order.id)

/** Whether the customer ever paid for an order, whatever became of it afterwards. */
export const hasPaidOrder = async (tx: Tx, userId: number): Promise<boolean> =>
  (await findPaidOrder(tx, userId)) !== undefined

/**
 * What the customer has of top-ups for these accounts: unpaid, or made or paid within `BUSINESS.repeatSeconds`. The caller
 * holds the cart.
 */
export const topupOrders = (tx: Tx, userId: number, accounts: readonly string[]): Promise<TopupOrder[]> =>
  findTopupOrders(
    tx,
    userId,
    accounts.map((account) => account.toLowerCase()),
    BUSINESS.repeatSeconds,
  )

/** Brings a held order to a status it may have next, or refuses with STATE_CONFLICT. */
export async function moveOrder(tx: Tx, order: LockedOrder, to: OrderStatus): Promise<void> {
  requireMove(orderMoves, order.status, to)
  await setOrderStatus(tx, order.id, order.status, to)
}

/** The same for items of a held order. */
export async function moveItems(tx: Tx, items: readonly LockedItem[], to: ItemStatus): Promise<void> {
  for (const item of items) requireMove(itemMoves, item.status, to)
  await setItemStatuses(
    tx,
    items.map((item) => item.id),
    to,
  )
}

/** The cart, or the top-up, is free to become another order. */
export const supersedeUnpaidOrder = (tx: Tx, order: LockedOrder) => supersede(tx, order.id)
