import type { ItemType } from '@olmos/contract/cart'
import type { Language, ShownRegion } from '@olmos/contract/fields'
import type { Currency } from '@olmos/contract/money'
import type { ItemStatus, OrderStatus, PaymentMethod } from '@olmos/contract/orders'
import type { TopupService } from '@olmos/contract/topup-data'
import { containing, type Queries, sql, type Tx } from '../../platform/database.ts'
import { regionColumn } from '../regions/region-column.ts'
import type { TopupTarget } from '../topups/topup-line.ts'

export interface NewOrder {
  id: string
  userId: number
  /** Of an order that a cart became. */
  cartVersion?: number | null
  /** Of one that was bought without a cart: what makes an equal one equal. */
  topupKey?: string
  currency: Currency
  /** Minor units. */
  total: number
  status: OrderStatus
  paymentMethod: PaymentMethod
  /** Of one that waits for its payment. */
  expiresInMinutes?: number
}

export interface NewItem {
  position: number
  itemType: ItemType
  offerId: number | null
  priceVersion: number | null
  /** Of what has no offer. */
  productId: number | null
  /** Minor units, of one. */
  unitPrice: number
  quantity: number
  gameCurrency: string
  status: ItemStatus
  /** Of codes: what the shelf lacks of them can be bought. */
  isOnDemand?: boolean | undefined
  /** Of a top-up: whom it goes to. */
  target: TopupTarget | null
}

export const insertOrder = (tx: Tx, order: NewOrder) =>
  tx.run(sql`
    INSERT INTO orders (id, user_id, cart_version, topup_key, currency, total, status, payment_method, expires_at)
    VALUES (${order.id}, ${order.userId}, ${order.cartVersion}, ${order.topupKey}, ${order.currency}, ${order.total},
      ${order.status}, ${order.paymentMethod}, now() + make_interval(mins => ${order.expiresInMinutes}))`)

export const insertItems = (tx: Tx, orderId: string, items: readonly NewItem[]) =>
  tx.run(sql`
    INSERT INTO order_item
      (order_id, position, item_type, offer_id, price_version, product_id, unit_price, quantity, game_currency, status,
        is_on_demand)
    SELECT ${orderId}, item.* FROM unnest(
      ${items.map((item) => item.position)}::smallint[], ${items.map((item) => item.itemType)}::text[],
      ${items.map((item) => item.offerId)}::int[], ${items.map((item) => item.priceVersion)}::int[],
      ${items.map((item) => item.productId)}::int[],
      ${items.map((item) => item.unitPrice)}::bigint[], ${items.map((item) => item.quantity)}::int[],
      ${items.map((item) => item.gameCurrency)}::text[], ${items.map((item) => item.status)}::text[],
      ${items.map((item) => item.isOnDemand ?? false)}::boolean[]) AS item`)

export const findOrderOfCart = (tx: Tx, userId: number) =>
  tx.maybe<{ id: string; status: OrderStatus }>(sql`
    SELECT orders.id, orders.status FROM cart
    JOIN orders ON orders.user_id = cart.user_id AND orders.cart_version = cart.version
    WHERE cart.user_id = ${userId}`)

export interface OrderRow {
  id: string
  created_at: Date
  currency: Currency
  total: number
  status: OrderStatus
  is_declined: boolean
  payment_method: PaymentMethod
  items: ItemRow[]
}

export interface ItemRow {
  id: number
  position: number
  item_type: ItemType
  unit_price: number
  quantity: number
  game_amount: number
  game_currency: string
  status: ItemStatus
  region: ShownRegion | null
  product: { title: string; description: string; image_url: string; activation_instructions: string }
  topup: TopupRow | null
}

interface TopupRow {
  service: TopupService
  account: string
  player_name: string | null
  /** The offer's own; none where it is called by its amount. */
  name: string | null
}

/** Its payment is still awaited, and the bank declined the latest one. Needs `orders` in scope. */
export const isDeclined = sql`(orders.status = 'awaiting_payment' AND coalesce((
  SELECT payment.status = 'canceled' FROM payment WHERE payment.order_id = orders.id
  ORDER BY payment.id DESC LIMIT 1), false))`

const withItems = (language: Language) => sql`
  SELECT orders.id, orders.created_at, orders.currency, orders.total, orders.status, orders.payment_method,
    ${isDeclined} AS is_declined,
    (SELECT json_agg(json_build_object(
        'id', order_item.id, 'position', order_item.position, 'item_type', order_item.item_type,
        'unit_price', order_item.unit_price, 'quantity', order_item.quantity,
        'game_amount', coalesce(offer.game_amount, target.steam_amount / 100.0),
        'game_currency', order_item.game_currency, 'status', order_item.status,
        'region', ${regionColumn(language)},
        'product', json_build_object('title', texts.title, 'description', texts.description,
          'image_url', product.image_url, 'activation_instructions', texts.activation_instructions),
        'topup', CASE WHEN target.service IS NOT NULL THEN json_build_object('service', target.service,
          'account', target.account, 'player_name', target.player_name,
          'name', coalesce(order_item.offer_name, offer.name)) END)
        ORDER BY order_item.position)
      FROM order_item
      LEFT JOIN offer ON offer.id = order_item.offer_id
      LEFT JOIN region ON region.id = offer.region_id
      JOIN product ON product.id = coalesce(order_item.product_id, offer.product_id)
      LEFT JOIN topup_target AS target ON target.order_item_id = order_item.id
      JOIN LATERAL (
        SELECT title, description, activation_instructions FROM product_text
        WHERE product_id = product.id AND language IN (${language}, 'ru')
        ORDER BY language = ${language} DESC LIMIT 1) AS texts ON true
      WHERE order_item.order_id = orders.id) AS items
  FROM orders`

export interface OrderPage {
  page: number
  pageSize: number
  search: string
}

const ofUser = (userId: number, search: string) =>
  sql`orders.user_id = ${userId} AND (${search} = '' OR orders.id LIKE ${containing(search.toUpperCase())})`

export const listOrders = (queries: Queries, userId: number, list: OrderPage, language: Language) =>
  queries.rows<OrderRow>(sql`
    ${withItems(language)} WHERE ${ofUser(userId, list.search)}
    ORDER BY orders.created_at DESC, orders.id
    LIMIT ${list.pageSize} OFFSET ${(list.page - 1) * list.pageSize}`)

export async function countOrders(queries: Queries, userId: number, search: string): Promise<number> {
  const { total } = await queries.one<{ total: number }>(
    sql`SELECT count(*)::int AS total FROM orders WHERE ${ofUser(userId, search)}`,
  )
  return total
}

export const findOwnOrder = (queries: Queries, userId: number, orderId: string, language: Language) =>
  queries.maybe<OrderRow>(sql`
    ${withItems(language)} WHERE orders.id = ${orderId} AND orders.user_id = ${userId}`)
