import { Failure } from '@olmos/contract/failure'
import type { Currency } from '@olmos/contract/money'
import type { ItemStatus, OrderPurpose, OrderStatus, PaymentMethod } from '@olmos/contract/orders'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { lockCartVersion } from '../cart/cart.ts'
import { queueNotifications } from '../messages/notifications.ts'
import { numberAt } from '../shop/shop.ts'

/** Which status may follow which. Money may arrive late, so an expired order is not final. */
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

/** Refuses every move that is not in the table with STATE_CONFLICT. */
export function requireMove<Status extends string>(
  moves: Readonly<Record<Status, readonly Status[]>>,
  from: Status,
  to: Status,
): void {
  if (!moves[from].includes(to))
    throw new Failure('STATE_CONFLICT', { reason: 'move_not_allowed', status: from, wanted: to })
}

/** Whether the order waits for money, or has expired without. */
export const isUnpaid = (status: OrderStatus): boolean => status === 'awaiting_payment' || status === 'expired'

export interface LockedOrder {
  id: string
  purpose: OrderPurpose
  user_id: number
  /** Null once another order, or the wallet, superseded this one. */
  cart_version: number | null
  /** The key of a top-up bought without a cart, null once it was superseded. */
  topup_key: string | null
  currency: Currency
  total: number
  /** How much of the total the buyer's balance pays; reserved while the order waits. */
  wallet_amount: number
  /** Set for an order that was placed with a coupon. */
  coupon_id: number | null
  status: OrderStatus
  payment_method: PaymentMethod
  /** Whether it was placed longer ago than any order may wait for its payment. */
  is_overtime: boolean
}

export interface LockedItem {
  id: number
  position: number
  item_type: 'code' | 'topup'
  offer_id: number | null
  /** In minor units, per unit. */
  unit_price: number
  quantity: number
  /** Units that could not be delivered or were returned. */
  refunded_units: number
  /** In minor units: everything refunded of its price. */
  refunded_amount: number
  status: ItemStatus
}

/** For how many minutes an order may wait, by what was in force when it was placed. */
const minutesToWait = numberAt('order_minutes', sql`orders.created_at`)

const columns = sql`
  id, purpose, user_id, cart_version, topup_key, currency, total, wallet_amount, coupon_id, status, payment_method,
  orders.created_at < now() - make_interval(mins => ${minutesToWait}) AS is_overtime`

/** Locks the order: nobody settles, expires or refunds it until the transaction ends. */
export const lockOrder = (tx: Tx, orderId: string) =>
  tx.maybe<LockedOrder>(sql`SELECT ${columns} FROM orders WHERE id = ${orderId} FOR UPDATE`)

/** Locks the order as `lockOrder` does, and refuses with NOT_FOUND where there is none. */
export async function requireOrder(tx: Tx, orderId: string): Promise<LockedOrder> {
  const order = await lockOrder(tx, orderId)
  if (!order) throw new Failure('NOT_FOUND')
  return order
}

/** Locks one overdue unpaid order by the database's clock, unless it is just being paid. */
export const lockNextOverdue = (tx: Tx, except: readonly string[]) =>
  tx.maybe<LockedOrder>(sql`
    SELECT ${columns} FROM orders WHERE status = 'awaiting_payment' AND expires_at < now()
      AND id <> ALL (${except}::text[])
    ORDER BY expires_at LIMIT 1 FOR UPDATE SKIP LOCKED`)

/** The states are only stable when the caller has locked the order. */
export const readItemStates = (queries: Queries, orderId: string) =>
  queries.rows<LockedItem>(sql`
    SELECT id, position, item_type, offer_id, unit_price, quantity, status,
      (SELECT count(DISTINCT delivery_id)::int FROM refund WHERE order_item_id = order_item.id)
        + (SELECT coalesce(sum(quantity), 0)::int FROM refund_part WHERE order_item_id = order_item.id) AS refunded_units,
      (SELECT coalesce(sum(amount), 0)::bigint FROM refund WHERE order_item_id = order_item.id) AS refunded_amount
    FROM order_item
    WHERE order_id = ${orderId} ORDER BY position`)

const toExactly = async (changed: Promise<number>, wanted: number): Promise<void> => {
  if ((await changed) !== wanted) throw new Error('the order changed although it was locked')
}

/** Lets the cart, or the top-up, become another order. */
export const supersedeUnpaidOrder = (tx: Tx, { id }: LockedOrder) =>
  tx.run(sql`UPDATE orders SET cart_version = NULL, topup_key = NULL WHERE id = ${id}`)

/** Extends the order by minutes from now, up to the longest time that it may wait. */
export const extendOrder = (tx: Tx, orderId: string, minutes: number | 'most') =>
  tx.run(sql`
    UPDATE orders SET expires_at = least(
      ${minutes === 'most' ? null : sql`now() + make_interval(mins => ${minutes})`},
      created_at + make_interval(mins => ${minutesToWait}))
    WHERE id = ${orderId}`)

export const readStatus = (queries: Queries, orderId: string) =>
  queries.maybe<{ user_id: number; status: OrderStatus }>(sql`SELECT user_id, status FROM orders WHERE id = ${orderId}`)

/** Locks the buyer's cart and then the order, so that nothing the customer presses comes in between. */
export async function lockCartAndOrder(tx: Tx, orderId: string): Promise<LockedOrder | undefined> {
  const order = await readStatus(tx, orderId)
  if (!order) return undefined
  await lockCartVersion(tx, order.user_id)
  return lockOrder(tx, orderId)
}

/** Locks both as `lockCartAndOrder` does, and refuses with NOT_FOUND where there is no such order. */
export async function requireCartAndOrder(tx: Tx, orderId: string): Promise<LockedOrder> {
  const order = await lockCartAndOrder(tx, orderId)
  if (!order) throw new Failure('NOT_FOUND')
  return order
}

/** Reads how an order that is there stands at this moment. */
export const readOrderStatus = async (queries: Queries, orderId: string): Promise<OrderStatus> =>
  (await queries.one<{ status: OrderStatus }>(sql`SELECT status FROM orders WHERE id = ${orderId}`)).status

/** Whether an order was paid, whatever became of it since. */
export const isOrderPaid = async (queries: Queries, orderId: string): Promise<boolean> =>
  !isUnpaid(await readOrderStatus(queries, orderId))

/** Whether the customer ever paid for goods with money, whatever became of them; a delivery for a code does not count. */
export const hasPaidOrder = async (tx: Tx, userId: number): Promise<boolean> =>
  (await tx.maybe(sql`
    SELECT FROM orders
    WHERE user_id = ${userId} AND purpose = 'goods' AND payment_method <> 'code'
      AND status NOT IN ('awaiting_payment', 'expired') LIMIT 1`)) !== undefined

/** Counts for the metrics how an order was placed, or moved on. */
export function countOrder(
  tx: Tx,
  { purpose, payment_method: method }: Pick<LockedOrder, 'purpose' | 'payment_method'>,
  { from, to }: { from: OrderStatus | undefined; to: OrderStatus },
): void {
  const isPaid = !isUnpaid(to) && (from === undefined || isUnpaid(from))
  const changes = [...(from ? [] : ['placed']), ...(isPaid ? ['paid'] : []), to]
  tx.count(({ orders }) => {
    for (const change of changes) orders.inc({ change, method, purpose })
  })
}

/** Notifies every node that the order or one of its items moved, for those who look at it: `announceOrders` reads it. */
export const notifyOrder = (tx: Tx, { id, user_id }: Pick<LockedOrder, 'id' | 'user_id'>): void =>
  tx.notify('order', `${user_id} ${id}`)

/**
 * The states that a customer is notified of by Telegram or e-mail. An order that is delivered by the press that buys it never
 * moves, so nothing is sent of it.
 */
const notified: Partial<Record<OrderStatus, 'notification.delivered' | 'notification.refunded'>> = {
  completed: 'notification.delivered',
  partially_refunded: 'notification.refunded',
  refunded: 'notification.refunded',
}

/** Moves a locked order to a next status, or refuses with STATE_CONFLICT. */
export async function moveOrder(tx: Tx, order: LockedOrder, to: OrderStatus): Promise<void> {
  requireMove(orderMoves, order.status, to)
  notifyOrder(tx, order)
  countOrder(tx, order, { from: order.status, to })
  await toExactly(tx.run(sql`UPDATE orders SET status = ${to} WHERE id = ${order.id} AND status = ${order.status}`), 1)
  notifyCustomer(tx, order, to)
}

/** Notifies the customer of what an order in this state tells them, if that is committed. */
export function notifyCustomer(tx: Tx, order: LockedOrder, status: OrderStatus): void {
  const kind = notified[status]
  if (kind && order.purpose === 'goods') tx.atCommit(queueNotifications(order.user_id, { kind, order: order.id }))
}

/** Moves items of a locked order to a next status, or refuses with STATE_CONFLICT. */
export async function moveItems(
  tx: Tx,
  order: LockedOrder,
  items: readonly LockedItem[],
  to: ItemStatus,
): Promise<void> {
  for (const item of items) requireMove(itemMoves, item.status, to)
  notifyOrder(tx, order)
  const ids = items.map(({ id }) => id)
  await toExactly(tx.run(sql`UPDATE order_item SET status = ${to} WHERE id = ANY (${ids})`), ids.length)
}
