import { randomInt } from 'node:crypto'
import type { ItemType } from '@olmos/contract/cart'
import type { Currency } from '@olmos/contract/money'
import type { ItemStatus, OrderPurpose, OrderStatus, PaymentMethod } from '@olmos/contract/orders'
import { join, type Sql, sql, type Tx } from '../../platform/database/queries.ts'
import type { KeptNames } from '../catalogue/availability.ts'
import { numberInForce } from '../shop/shop.ts'
import { insertTargets, type ToppedUp, type TopupTarget } from '../topups/topups.ts'
import { countOrder, isUnpaid } from './order-states.ts'

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const idLength = 10

/** Ten characters that nobody can guess or confuse. */
export function newOrderId(): string {
  return Array.from({ length: idLength }, () => crockford[randomInt(crockford.length)]).join('')
}

export interface NewOrder {
  id: string
  /** `balance` for a filling, which has no items; goods by default. */
  purpose?: OrderPurpose
  userId: number
  /** Set when a cart became the order. */
  cartVersion?: number | null
  /** Set when it was bought without a cart: identifies an equal top-up. */
  topupKey?: string
  currency: Currency
  /** In minor units. */
  total: number
  /** How much of it the buyer's balance pays while a card pays the rest: see `reservePart`. */
  walletAmount?: number
  /** What a coupon took off, in minor units: the total is without it. */
  coupon?: { id: number; discount: number } | undefined
  status: OrderStatus
  paymentMethod: PaymentMethod
  /** Set when it waits for its payment. */
  expiresInMinutes?: number
}

export interface NewItem {
  position: number
  itemType: ItemType
  offerId: number | null
  priceVersion: number | null
  /** Set for items without an offer. */
  productId: number | null
  /** In minor units, per unit. */
  unitPrice: number
  /** What a coupon took off each, and what each costs the shop, where that is known. */
  unitDiscount?: number | undefined
  unitFloor?: number | null | undefined
  quantity: number
  gameCurrency: string
  status: ItemStatus
  /** For codes: whether those missing from stock can be bought. */
  isOnDemand?: boolean | undefined
  /** The recipient of a top-up. */
  target: TopupTarget | null
  /** Where it was read already: for a sale of codes. A trigger looks for it otherwise. */
  kept?: KeptNames | undefined
}

/** The version of the shop's terms that is published; null for none. */
const termsInForce = sql`(
  SELECT CASE WHEN is_published THEN version END FROM shop_setting WHERE section = 'terms' ORDER BY version DESC LIMIT 1)`

const insertOrder = (order: NewOrder): Sql => sql`
    INSERT INTO orders
      (id, purpose, user_id, cart_version, topup_key, currency, total, wallet_amount, coupon_id, discount, status,
        payment_method, expires_at, terms_version)
    VALUES (${order.id}, ${order.purpose ?? 'goods'}, ${order.userId}, ${order.cartVersion}, ${order.topupKey},
      ${order.currency}, ${order.total}, ${order.walletAmount ?? 0}, ${order.coupon?.id}, ${order.coupon?.discount ?? 0},
      ${order.status}, ${order.paymentMethod}, now() + make_interval(mins => ${order.expiresInMinutes}),
      ${termsInForce})`

/** As plain values: a row that comes out of `unnest` costs PostgreSQL half as much again. */
const insertItems = (orderId: string, items: readonly NewItem[]): Sql => sql`
    INSERT INTO order_item
      (order_id, position, item_type, offer_id, price_version, product_id, unit_price, quantity, game_currency, status,
        is_on_demand, unit_discount, unit_floor)
    VALUES ${join(
      items.map(
        (item) => sql`
      (${orderId}, ${item.position}, ${item.itemType}, ${item.offerId}, ${item.priceVersion}, ${item.productId},
        ${item.unitPrice}, ${item.quantity}, ${item.gameCurrency}, ${item.status}, ${item.isOnDemand ?? false},
        ${item.unitDiscount ?? 0}, ${item.unitFloor})`,
      ),
    )}`

function countPlaced(tx: Tx, { purpose = 'goods', paymentMethod: payment_method, status: to }: NewOrder): void {
  countOrder(tx, { purpose, payment_method }, { from: undefined, to })
}

/**
 * Writes an order, its items and their recipients. It may be sent together with other statements of the transaction.
 */
export async function placeOrder(tx: Tx, order: NewOrder, items: readonly NewItem[]): Promise<void> {
  const targets = items.flatMap(({ position, target }) => (target ? [{ ...target, position }] : []))
  countPlaced(tx, order)
  await tx.pipeline({
    order: (tx) => tx.run(insertOrder(order)),
    ...(items.length > 0 && { items: (tx: Tx) => tx.run(insertItems(order.id, items)) }),
    ...(targets.length > 0 && { recipients: (tx: Tx) => insertTargets(tx, order.id, targets) }),
  })
}

/** Writes an order with COMMIT; its items are written after it. */
export function placeAtCommit(tx: Tx, order: NewOrder): void {
  countPlaced(tx, order)
  tx.atCommit(insertOrder(order))
}

const cartOrderColumns = sql`
  orders.id, orders.status, orders.currency, orders.total, orders.wallet_amount, orders.coupon_id,
  orders.cart_version = cart.version AS is_of_cart, coalesce(orders.expires_at < now(), false) AS is_overdue`

export interface CartOrder {
  id: string
  status: OrderStatus
  currency: Currency
  total: number
  wallet_amount: number
  coupon_id: number | null
  /** Whether it belongs to the present version of the cart. */
  is_of_cart: boolean
  is_overdue: boolean
}

/**
 * Finds the order that the present version of the customer's cart already became, whatever its status, and all of the
 * cart's orders that wait for their payment. The caller has locked the cart.
 */
export const findCartOrders = (tx: Tx, userId: number) =>
  tx.rows<CartOrder>(sql`
    SELECT ${cartOrderColumns} FROM cart JOIN orders ON orders.user_id = cart.user_id
      AND orders.status = 'awaiting_payment' AND orders.cart_version IS NOT NULL
    WHERE cart.user_id = ${userId}
    UNION ALL
    SELECT ${cartOrderColumns} FROM cart JOIN orders ON orders.user_id = cart.user_id
      AND orders.cart_version = cart.version AND orders.status <> 'awaiting_payment'
    WHERE cart.user_id = ${userId}`)

/** Splits the orders of a cart into the one that was paid for its present version, if any, and the unpaid ones. */
export const splitCartOrders = (orders: readonly CartOrder[]) => ({
  paid: orders.find(({ status }) => !isUnpaid(status)),
  unpaid: orders.filter(({ status }) => isUnpaid(status)),
})

export interface TopupOrder extends Omit<CartOrder, 'is_of_cart'> {
  topup_key: string | null
  is_recent: boolean
  topups: ToppedUp[]
}

/**
 * Finds the customer's orders with top-ups for one of these accounts that are unpaid, or were made or paid within
 * `repeat_seconds`. Superseded orders and deliveries for a code are left out. The caller has locked the cart.
 */
export const topupOrders = (tx: Tx, userId: number, accounts: readonly string[]) =>
  tx.rows<TopupOrder>(sql`
    SELECT id, status, currency, total, wallet_amount, coupon_id, topup_key, coalesce(expires_at < now(), false) AS is_overdue, is_recent, topups
    FROM (
      SELECT *, greatest(created_at, (
          SELECT max(status_change.created_at) FROM status_change
          WHERE order_id = orders.id AND order_item_id IS NULL AND was IN ('awaiting_payment', 'expired'))
        ) > now() - make_interval(secs => ${numberInForce('repeat_seconds')}) AS is_recent,
        (SELECT json_agg(json_build_object('offer_id', offer_id, 'quantity', quantity, 'target',
            json_build_object('service', service, 'account', account, 'steam', CASE WHEN steam_amount IS NOT NULL
              THEN json_build_object('amount', steam_amount, 'currency', steam_currency) END)))
          FROM order_item JOIN topup_target ON order_item_id = order_item.id WHERE order_id = orders.id) AS topups
      FROM orders WHERE user_id = ${userId} AND payment_method <> 'code' AND id IN (
        SELECT order_id FROM topup_target JOIN order_item ON order_item.id = order_item_id
        WHERE lower(account) = ANY (${accounts.map((account) => account.toLowerCase())}::text[]))) AS alike
    WHERE CASE WHEN status IN ('awaiting_payment', 'expired') THEN num_nonnulls(cart_version, topup_key) > 0
      ELSE is_recent END
    ORDER BY created_at`)
