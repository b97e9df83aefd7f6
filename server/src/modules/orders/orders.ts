import type { CancelReason } from '@olmos/contract/admin-payments'
import type { Language } from '@olmos/contract/fields'
import { toMajor } from '@olmos/contract/minor-units'
import type { ChargeCurrency } from '@olmos/contract/money'
import type { ListedOrder, OrderShelf, OrderStatus, PaymentStatus, RefundedTo, StepName } from '@olmos/contract/orders'
import type { SeenLine } from '@olmos/contract/payments'
import type { Resources } from '../../platform/context.ts'
import { toPage } from '../../platform/database/lists.ts'
import { containing, join, type Queries, sql } from '../../platform/database/queries.ts'
import { nameInLanguage, productTexts } from '../catalogue/availability.ts'
import { regionColumn } from '../regions/regions.ts'
import type { StoredTopup } from '../topups/price-topup.ts'
import { accountValues, shownAccount } from '../topups/topups.ts'
import { type LockedItem, readStatus } from './order-states.ts'

/** What has not been refunded of an item's price, in minor units. */
export const priceLeft = (item: { unit_price: number; quantity: number; refunded_amount: number }): number =>
  item.unit_price * item.quantity - item.refunded_amount

/** What can still be refunded of an item, as operators see it. */
export function shownLeft(item: LockedItem | undefined): Omit<SeenLine, 'id'> {
  if (!item || item.status === 'refunded') return { left_amount: 0, left_quantity: 0 }
  return { left_amount: toMajor(priceLeft(item)), left_quantity: item.quantity - item.refunded_units }
}

/** Amounts are in minor units. */
export interface OwnOrderRow
  extends Omit<ListedOrder, 'created_at' | 'total_amount' | 'from_balance' | 'paid_by' | 'items'> {
  created_at: Date
  total: number
  wallet_amount: number
  paid_by: PaidByRow | null
  items: ItemRow[]
}

interface PaidByRow {
  /** Older payments have none. */
  method: string | null
  provider: string
  /** In minor units; null, as the currency is, for what is charged in the order's own. */
  charge_amount: number | null
  charge_currency: ChargeCurrency | null
  /** In minor units of the order's currency. */
  fee: number
  fee_refunded: number
}

export interface ItemRow extends Omit<ListedOrder['items'][number], 'amount' | 'topup_data'> {
  position: number
  unit_price: number
  topup: StoredTopup | null
}

const notByBank = ['not_opened', 'refused'] satisfies CancelReason[]
const isEndedByBank = sql`(payment.status = 'canceled' AND coalesce(canceled_why, '') <> ALL (${notByBank}::text[]))`

/**
 * Ranks payments that have a page, or came, above those that are being opened, both above those that a bank ended, and these
 * above those that no bank heard of.
 */
const liveRank = sql`CASE payment.status WHEN 'canceled' THEN ${isEndedByBank}::int WHEN 'opening' THEN 2 ELSE 3 END`

/** Whether its payment is awaited, a bank declined one, and no other may be paid or came. Needs `orders` in scope. */
export const isDeclined = sql`(orders.status = 'awaiting_payment' AND coalesce((
  SELECT ${isEndedByBank}
  FROM payment WHERE payment.order_id = orders.id ORDER BY ${liveRank} DESC, payment.id DESC LIMIT 1), false))`

/** The coupon an order was placed with, and what it took off in minor units; null for none. Needs `orders` in scope. */
export const orderCoupon = sql`
  CASE WHEN orders.coupon_id IS NOT NULL THEN json_build_object(
    'code', (SELECT code FROM coupon WHERE coupon.id = orders.coupon_id), 'discount', orders.discount) END`

const targetAccount = {
  values: sql`target.account_fields`,
  text: sql`target.account`,
  isAmount: sql`target.steam_amount IS NOT NULL`,
}

/**
 * Puts the payment that counts for an order first: the one that paid it, else, while it waits, one that has not ended, else
 * the latest. Needs `orders` in scope.
 */
const countsFirst = sql`
  payment.settled_to IS NOT DISTINCT FROM CASE orders.purpose WHEN 'balance' THEN 'wallet' ELSE 'order' END DESC,
  CASE orders.status WHEN 'awaiting_payment' THEN ${liveRank} ELSE 0 END DESC,
  payment.id DESC`

const withItems = (language: Language) => sql`
  SELECT orders.id, orders.purpose, orders.created_at, orders.currency, orders.total, orders.wallet_amount, orders.status,
    orders.payment_method, ${isDeclined} AS is_declined, ${orderCoupon} AS coupon,
    CASE WHEN orders.payment_method = 'card' THEN (SELECT json_build_object('method', payment.method,
        'provider', payment.provider, 'charge_amount', payment.charge_amount, 'charge_currency', payment.charge_currency,
        'fee', payment.fee_amount, 'fee_refunded',
          (SELECT coalesce(sum(card_refund.fee_amount), 0) FROM card_refund WHERE payment_id = payment.id)
          + (SELECT coalesce(sum(transfer.amount), 0) FROM transfer WHERE key = 'fee-refund:' || payment.id))
      FROM payment WHERE payment.order_id = orders.id ORDER BY ${countsFirst} LIMIT 1) END AS paid_by,
    (SELECT coalesce(json_agg(json_build_object(
        'id', order_item.id, 'position', order_item.position, 'item_type', order_item.item_type,
        'unit_price', order_item.unit_price, 'quantity', order_item.quantity,
        'game_amount', coalesce(offer.game_amount, target.steam_amount / 100.0),
        'game_currency', order_item.game_currency, 'status', order_item.status,
        'region', ${regionColumn(language)},
        'product', json_build_object('title', texts.title, 'description', texts.description,
          'image_url', product.image_url, 'color', product.color,
          'activation_instructions', texts.activation_instructions),
        'topup', CASE WHEN target.service IS NOT NULL THEN json_build_object('service', target.service,
          'account', target.account, 'shown_account', ${shownAccount(language, targetAccount)},
          'is_amount', target.steam_amount IS NOT NULL, 'player_name', target.player_name,
          'name', coalesce(order_item.offer_translations ->> ${language}::text, order_item.offer_name,
            ${nameInLanguage(language)})) END,
        'again', json_build_object('slug', product.slug, 'offer_id', order_item.offer_id,
          'account', CASE WHEN target.service IS NOT NULL THEN ${accountValues(targetAccount)} END))
        ORDER BY order_item.position), '[]')
      FROM order_item
      LEFT JOIN offer ON offer.id = order_item.offer_id
      LEFT JOIN region ON region.id = offer.region_id
      JOIN product ON product.id = coalesce(order_item.product_id, offer.product_id)
      LEFT JOIN topup_target AS target ON target.order_item_id = order_item.id ${productTexts(language)}
      WHERE order_item.order_id = orders.id) AS items
  FROM orders`

interface OrderPage {
  page: number
  pageSize: number
  search: string
  state?: OrderShelf | undefined
  product?: string | undefined
}

const shelves: Record<OrderShelf, readonly OrderStatus[]> = {
  open: ['awaiting_payment', 'pending'],
  completed: ['completed'],
  refunded: ['refunded', 'partially_refunded'],
  expired: ['expired'],
}

/** Joins the product of each item of the orders. Needs `order_item` in scope. */
const itemProduct = sql`
  LEFT JOIN offer ON offer.id = order_item.offer_id
  JOIN product ON product.id = coalesce(order_item.product_id, offer.product_id)`

const ofUser = (userId: number, { search, state, product }: Pick<OrderPage, 'search' | 'state' | 'product'>) => sql`
  orders.user_id = ${userId} AND orders.purpose = 'goods'
  AND (${search} = '' OR orders.id LIKE ${containing(search.toUpperCase())})
  ${state ? sql`AND orders.status IN (${join(shelves[state])})` : sql``}
  ${
    product
      ? sql`AND EXISTS (SELECT FROM order_item ${itemProduct}
          WHERE order_item.order_id = orders.id AND product.slug = ${product})`
      : sql``
  }`

export const listOrders = (queries: Queries, userId: number, list: OrderPage, language: Language) =>
  queries.rows<OwnOrderRow>(sql`
    ${withItems(language)} WHERE ${ofUser(userId, list)}
    ORDER BY orders.created_at DESC, orders.id
    ${toPage(list)}`)

export async function countOrders(queries: Queries, userId: number, list: OrderPage): Promise<number> {
  const { total } = await queries.one<{ total: number }>(
    sql`SELECT count(*)::int AS total FROM orders WHERE ${ofUser(userId, list)}`,
  )
  return total
}

/** Lists the products that a customer has ordered, each once. */
export const listOrderedProducts = (queries: Queries, userId: number, language: Language) =>
  queries.rows<{ slug: string; title: string }>(sql`
    SELECT DISTINCT product.slug, texts.title
    FROM orders JOIN order_item ON order_item.order_id = orders.id ${itemProduct} ${productTexts(language)}
    WHERE orders.user_id = ${userId} AND orders.purpose = 'goods'
    ORDER BY texts.title, product.slug`)

export const findOwnOrder = (queries: Queries, userId: number, orderId: string, language: Language) =>
  queries.maybe<OwnOrderRow>(sql`
    ${withItems(language)} WHERE orders.id = ${orderId} AND orders.user_id = ${userId}`)

interface PaymentRow {
  status: PaymentStatus
  pay_url: string | null
  expires_at: Date | null
  settled_to: 'order' | 'wallet' | 'operator' | null
  is_paid_twice: boolean
}

/** Finds the card payment that counts for an order. */
export const findCardPayment = (queries: Queries, orderId: string) =>
  queries.maybe<PaymentRow>(sql`
    SELECT payment.status, payment.settled_to,
      CASE WHEN orders.status = 'awaiting_payment' AND payment.status = 'open' THEN pay_url END AS pay_url,
      CASE WHEN orders.status = 'awaiting_payment' THEN orders.expires_at END AS expires_at,
      EXISTS (SELECT FROM payment AS other WHERE other.order_id = orders.id AND other.id <> payment.id
        AND other.settled_to = 'wallet') AS is_paid_twice
    FROM payment JOIN orders ON orders.id = payment.order_id WHERE order_id = ${orderId}
    ORDER BY ${countsFirst} LIMIT 1`)

/** Whether a balance and a card paid the order of a `refund`. */
const isOfBothWays = sql`EXISTS (SELECT FROM orders WHERE orders.id = refund.order_id AND wallet_amount > 0)`

export const refundedItems = (queries: Queries, orderId: string) =>
  queries.rows<{ order_item_id: number; destination: RefundedTo; is_unit: boolean }>(sql`
    SELECT DISTINCT ON (order_item_id, delivery_id) order_item_id, delivery_id IS NOT NULL AS is_unit,
      CASE WHEN ${isOfBothWays} AND min(destination) OVER whole <> max(destination) OVER whole THEN 'both'
        ELSE destination END AS destination
    FROM refund WHERE order_id = ${orderId} AND NOT by_chargeback
    WINDOW whole AS (PARTITION BY order_item_id, delivery_id, part_id IS NOT NULL)
    ORDER BY order_item_id, delivery_id, part_id IS NOT NULL, amount DESC`)

export interface PartRow {
  order_item_id: number
  quantity: number | null
  amount: number
  destination: RefundedTo
}

/** Reads partial refunds of an order's lines, oldest first, and where the money went, or most of it. */
export const readRefundParts = (queries: Queries, orderId: string) =>
  queries.rows<PartRow>(sql`
    SELECT order_item_id, quantity, amount, (
        SELECT CASE WHEN ${isOfBothWays} AND min(destination) <> max(destination) THEN 'both'
          ELSE (array_agg(destination ORDER BY refund.amount DESC, refund.id))[1] END
        FROM refund WHERE part_id = refund_part.id GROUP BY refund.order_id
      ) AS destination
    FROM refund_part WHERE order_id = ${orderId} ORDER BY id`)

interface StepRow {
  item_id: number
  name: StepName
  at: Date
  /** Null while nobody delivers any of the item. */
  promised_minutes: number | null
}

/** Reads what has happened to the items of an order that a supplier delivers, each kind of step once, oldest first. */
export const readSteps = (queries: Queries, orderId: string) =>
  queries.rows<StepRow>(sql`
    SELECT item_id, name, min(at) AS at,
      (SELECT max(promised_minutes) FROM delivery WHERE order_item_id = item_id) AS promised_minutes
    FROM (
      SELECT order_item.id AS item_id, 'paid' AS name, coalesce((
        SELECT min(created_at) FROM status_change
        WHERE order_item_id = order_item.id AND was IN ('awaiting_payment', 'expired')
          AND became IN ('pending', 'delivered')), orders.created_at) AS at
      FROM order_item JOIN orders ON orders.id = order_id
      WHERE order_id = ${orderId} AND order_item.status NOT IN ('awaiting_payment', 'expired')
      UNION ALL
      SELECT order_item.id, 'sent', supplier_order.created_at
      FROM order_item JOIN delivery ON delivery.order_item_id = order_item.id
      JOIN supplier_order ON supplier_order.delivery_id = delivery.id
      WHERE order_id = ${orderId}
      UNION ALL
      SELECT order_item_id, became, created_at FROM status_change
      WHERE order_id = ${orderId} AND order_item_id IS NOT NULL AND became IN ('delivered', 'unknown', 'refunded')
      UNION ALL
      SELECT order_item_id, 'refunded', created_at FROM refund
      WHERE order_id = ${orderId} AND part_id IS NULL) AS step
    JOIN order_item ON order_item.id = item_id AND (item_type = 'topup'
      OR EXISTS (SELECT FROM delivery WHERE delivery.order_item_id = item_id))
    GROUP BY item_id, name ORDER BY at, name = 'paid' DESC, name = 'sent' DESC`)

/** Forwards the database's notification of a changed order, '<user> <order>', to the readers at this node. */
export const announceOrders =
  ({ database, live, log }: Pick<Resources, 'database' | 'live' | 'log'>) =>
  (payload?: string): void => {
    // Notifications sent while this node was disconnected are lost.
    if (payload === undefined) {
      live.endAll()
      return
    }
    const [user = '', orderId = ''] = payload.split(' ')
    const reader = Number(user)
    if (!live.isOpen('orders', reader)) return
    readStatus(database, orderId).then(
      (order) => order && live.send('orders', { id: orderId, status: order.status }, reader),
      (error) => log.error({ err: error }, 'order not announced'),
    )
  }
