import type { Currency } from '@olmos/contract/money'
import type { ItemStatus, OrderStatus, PaymentMethod } from '@olmos/contract/orders'
import { type Queries, sql, type Tx } from '../../platform/database.ts'

export interface HeldOrder {
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
}

export interface HeldItem {
  id: number
  position: number
  item_type: 'code' | 'topup'
  offer_id: number | null
  /** Minor units, of one. */
  unit_price: number
  quantity: number
  /** Of a top-up: those that could not be delivered. */
  refunded_units: number
  status: ItemStatus
}

const columns = sql`id, user_id, cart_version, topup_key, currency, total, status, payment_method`

/** Nobody settles, expires or refunds the order until the transaction ends. */
export const lockOrder = (tx: Tx, orderId: string) =>
  tx.maybe<HeldOrder>(sql`SELECT ${columns} FROM orders WHERE id = ${orderId} FOR UPDATE`)

/** One unpaid order whose time is over by the database's clock, if it is not just being paid. */
export const lockNextOverdue = (tx: Tx) =>
  tx.maybe<HeldOrder>(sql`
    SELECT ${columns} FROM orders WHERE status = 'awaiting_payment' AND expires_at < now()
    ORDER BY expires_at LIMIT 1 FOR UPDATE SKIP LOCKED`)

/** The caller holds the order. */
export const readHeldItems = (tx: Tx, orderId: string) =>
  tx.rows<HeldItem>(sql`
    SELECT id, position, item_type, offer_id, unit_price, quantity, status,
      (SELECT count(DISTINCT delivery_id)::int FROM refund WHERE order_item_id = order_item.id) AS refunded_units
    FROM order_item
    WHERE order_id = ${orderId} ORDER BY position`)

const toExactly = async (changed: Promise<number>, wanted: number): Promise<void> => {
  if ((await changed) !== wanted) throw new Error('the order changed though it was held')
}

/** The caller holds the order, which had the status `from`. */
export const setOrderStatus = (tx: Tx, orderId: string, from: OrderStatus, to: OrderStatus) =>
  toExactly(tx.run(sql`UPDATE orders SET status = ${to} WHERE id = ${orderId} AND status = ${from}`), 1)

export const setItemStatuses = (tx: Tx, itemIds: number[], to: ItemStatus) =>
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

export interface TopupOrder extends Omit<UnpaidOrder, 'is_of_cart'> {
  is_recent: boolean
}

/** The customer's orders of this very top-up that are unpaid, or were made or paid within the last seconds. */
export const findTopupOrders = (tx: Tx, userId: number, topupKey: string, seconds: number) =>
  tx.rows<TopupOrder>(sql`
    SELECT id, status, currency, total, coalesce(expires_at < now(), false) AS is_overdue, is_recent
    FROM (
      SELECT *, greatest(created_at, (
          SELECT max(status_change.created_at) FROM status_change
          WHERE order_id = orders.id AND order_item_id IS NULL AND was IN ('awaiting_payment', 'expired'))
        ) > now() - make_interval(secs => ${seconds}) AS is_recent
      FROM orders WHERE user_id = ${userId} AND topup_key = ${topupKey}) AS equal
    WHERE is_recent OR status IN ('awaiting_payment', 'expired') ORDER BY created_at`)

export const supersede = (tx: Tx, orderId: string) =>
  tx.run(sql`UPDATE orders SET cart_version = NULL, topup_key = NULL WHERE id = ${orderId}`)

export const setExpiry = (tx: Tx, orderId: string, minutes: number) =>
  tx.run(sql`UPDATE orders SET expires_at = now() + make_interval(mins => ${minutes}) WHERE id = ${orderId}`)

export const readStatus = (queries: Queries, orderId: string) =>
  queries.maybe<{ status: OrderStatus }>(sql`SELECT status FROM orders WHERE id = ${orderId}`)
