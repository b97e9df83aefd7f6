import type { Role } from '@olmos/contract/accounts'
import type { CodeStatus } from '@olmos/contract/codes'
import type { Language } from '@olmos/contract/fields'
import type { Currency } from '@olmos/contract/money'
import type { ItemStatus, OrderPurpose, OrderStatus, PaymentMethod } from '@olmos/contract/orders'
import type { TransferKind } from '@olmos/contract/wallet'
import { isOn } from '../../platform/database/lists.ts'
import { type Queries, type Sql, sql } from '../../platform/database/queries.ts'
import type { OrderCondition } from '../orders/order-filters.ts'
import { isPaid, itemProfit, itemRefunds, type ProfitFigures } from '../orders/order-money.ts'
import type { AccountKind } from './export-texts.ts'

const pageRows = 2_000

/** Reads page after page, each from where the one before ended. The same snapshot has to be behind all of them. */
async function* inPages<Row>(read: (last: Row | undefined) => Promise<Row[]>): AsyncGenerator<readonly Row[]> {
  for (let last: Row | undefined; ; ) {
    const rows = await read(last)
    if (rows.length > 0) yield rows
    if (rows.length < pageRows) return
    last = rows.at(-1)
  }
}

/** The days that are exported, both included, in the shop's time zone. */
interface ExportedDays {
  from?: string | undefined
  to?: string | undefined
  timeZone: string
}

/** Joins the title of a product in the admin's language, as `texts`. */
const withTitle = (productId: Sql, language: Language): Sql => sql`
  JOIN LATERAL (
    SELECT title FROM product_text WHERE product_id = ${productId} AND language IN (${language}, 'ru')
    ORDER BY language = ${language} DESC LIMIT 1) AS texts ON true`

export interface ExportedOrder {
  id: string
  created_at: Date
  /** To the microsecond, for the page that begins after it. */
  at: string
  user_id: number
  nickname: string
  purpose: OrderPurpose
  status: OrderStatus
  payment_method: PaymentMethod
  currency: Currency
  total: number
  wallet_amount: number
  /** Blank for an order without one. */
  coupon: string
  discount: number
  refunded: number
  items: string
  accounts: string
}

/** Reads orders by time. */
export const readOrders = (queries: Queries, { page }: OrderCondition, language: Language) =>
  inPages<ExportedOrder>((last) =>
    queries.rows(sql`
      SELECT orders.id, orders.created_at, orders.created_at::text AS at, orders.user_id, users.nickname, orders.purpose,
        orders.status, orders.payment_method, orders.currency, orders.total, orders.wallet_amount,
        coalesce((SELECT code FROM coupon WHERE coupon.id = orders.coupon_id), '') AS coupon, orders.discount,
        (SELECT coalesce(sum(amount), 0)::bigint FROM refund WHERE refund.order_id = orders.id) AS refunded,
        bought.items, bought.accounts
      FROM (
        SELECT id FROM orders
        WHERE ${page} AND (orders.created_at, orders.id) > (${last?.at ?? '-infinity'}::timestamptz, ${last?.id ?? ''})
        ORDER BY orders.created_at, orders.id LIMIT ${pageRows}) AS found
      JOIN orders USING (id)
      JOIN users ON users.id = orders.user_id
      CROSS JOIN LATERAL (
        SELECT coalesce(string_agg(texts.title || coalesce(', ' || trim_scale(
              coalesce(offer.game_amount, target.steam_amount / 100.0)::numeric) || ' ' || order_item.game_currency, '')
            || CASE WHEN order_item.quantity > 1 THEN ' × ' || order_item.quantity ELSE '' END,
            '; ' ORDER BY order_item.position), '') AS items,
          coalesce(string_agg(target.account, '; ' ORDER BY order_item.position), '') AS accounts
        FROM order_item
        LEFT JOIN offer ON offer.id = order_item.offer_id
        LEFT JOIN topup_target AS target ON target.order_item_id = order_item.id
        ${withTitle(sql`coalesce(order_item.product_id, offer.product_id)`, language)}
        WHERE order_item.order_id = orders.id) AS bought
      ORDER BY orders.created_at, orders.id`),
  )

export interface ExportedSale extends ProfitFigures {
  id: number
  created_at: Date
  at: string
  order_id: string
  status: OrderStatus
  item_status: ItemStatus
  product_title: string
  region_name: string
  game_amount: number
  game_currency: string
  quantity: number
  currency: Currency
  payment_method: PaymentMethod
  /** How much the balance paid of the whole order, in minor units. */
  wallet_amount: number
  /** What a coupon took off the line, in minor units. */
  discount: number
}

/** Reads the lines of paid orders by time. */
export const readSales = (queries: Queries, days: ExportedDays, language: Language) =>
  inPages<ExportedSale>((last) =>
    queries.rows(sql`
      SELECT order_item.id, orders.created_at, orders.created_at::text AS at, orders.id AS order_id, orders.status,
        order_item.status AS item_status, texts.title AS product_title, coalesce(region.name, '') AS region_name,
        coalesce(offer.game_amount, target.steam_amount / 100.0)::float8 AS game_amount, order_item.game_currency,
        order_item.quantity, orders.currency, orders.payment_method, orders.wallet_amount,
        order_item.unit_discount * order_item.quantity AS discount, earned.*
      FROM orders JOIN order_item ON order_item.order_id = orders.id
      LEFT JOIN offer ON offer.id = order_item.offer_id
      LEFT JOIN region ON region.id = offer.region_id
      LEFT JOIN topup_target AS target ON target.order_item_id = order_item.id
      ${withTitle(sql`coalesce(order_item.product_id, offer.product_id)`, language)} ${itemProfit(itemRefunds)}
      WHERE ${isOn(sql`orders.created_at`, days)} AND ${isPaid}
        AND orders.created_at >= ${last?.at ?? '-infinity'}::timestamptz
        AND (orders.created_at, orders.id, order_item.id)
          > (${last?.at ?? '-infinity'}::timestamptz, ${last?.order_id ?? ''}, ${last?.id ?? 0}::bigint)
      ORDER BY orders.created_at, orders.id, order_item.id LIMIT ${pageRows}`),
  )

export interface ExportedCustomer {
  id: number
  created_at: Date
  nickname: string
  role: Role
  contact: string
  blocked_at: Date | null
  balance_usd: number | null
  balance_rub: number | null
}

/** Reads users by the order in which they came. */
export const readCustomers = (queries: Queries) =>
  inPages<ExportedCustomer>((last) =>
    queries.rows(sql`
      SELECT users.id, users.created_at, users.nickname, users.role, users.contact, users.blocked_at,
        (SELECT balance FROM account WHERE user_id = users.id AND currency = 'USD') AS balance_usd,
        (SELECT balance FROM account WHERE user_id = users.id AND currency = 'RUB') AS balance_rub
      FROM users WHERE users.id > ${last?.id ?? 0} ORDER BY users.id LIMIT ${pageRows}`),
  )

export interface ExportedTransfer {
  id: number
  created_at: Date
  kind: TransferKind
  from: AccountKind
  from_user: number | null
  to: AccountKind
  to_user: number | null
  currency: Currency
  amount: number
  order_id: string | null
  reason: string | null
  made_by: string | null
}

/** Reads the ledger in its order. */
export const readTransfers = (queries: Queries, days: ExportedDays) =>
  inPages<ExportedTransfer>((last) =>
    queries.rows(sql`
      SELECT transfer.id, transfer.created_at, transfer.kind, debit.kind AS from, debit.user_id AS from_user,
        credit.kind AS to, credit.user_id AS to_user, transfer.currency, transfer.amount, transfer.order_id,
        transfer.reason, users.nickname AS made_by
      FROM transfer
      JOIN account AS debit ON debit.id = transfer.debit_account
      JOIN account AS credit ON credit.id = transfer.credit_account
      LEFT JOIN users ON users.id = transfer.made_by
      WHERE transfer.id > ${last?.id ?? 0} AND ${isOn(sql`transfer.created_at`, days)}
      ORDER BY transfer.id LIMIT ${pageRows}`),
  )

export interface ExportedCode {
  id: number
  created_at: Date
  product_title: string
  region_name: string
  game_amount: number
  game_currency: string
  status: CodeStatus
  batch_id: number
  seller: string
  invoice: string
  /** A decimal with up to eight places. */
  cost: string | null
  cost_currency: string | null
  expires_on: string | null
  order_id: string | null
}

/** Reads every code without what is secret of it. */
export const readStock = (queries: Queries, language: Language) =>
  inPages<ExportedCode>((last) =>
    queries.rows(sql`
      SELECT code.id, code.created_at, texts.title AS product_title, coalesce(region.name, '') AS region_name,
        offer.game_amount, coalesce(nullif(product_region.game_currency, ''), product.game_currency) AS game_currency,
        code.status, code.batch_id, coalesce(nullif(batch.seller, ''), batch.supplier, '') AS seller, batch.invoice,
        trim_scale(coalesce(code.cost, batch.cost))::text AS cost,
        coalesce(code.cost_currency, batch.cost_currency) AS cost_currency, batch.expires_on::text AS expires_on,
        (SELECT order_item.order_id FROM code_sale JOIN order_item ON order_item.id = code_sale.order_item_id
          WHERE code_sale.code_id = code.id AND code_sale.sale_number = code.sale_number AND code.status = 'used') AS order_id
      FROM (SELECT * FROM code WHERE id > ${last?.id ?? 0} ORDER BY id LIMIT ${pageRows}) AS code
      JOIN code_batch AS batch ON batch.id = code.batch_id
      JOIN offer ON offer.id = code.offer_id
      JOIN product ON product.id = offer.product_id
      LEFT JOIN region ON region.id = offer.region_id
      LEFT JOIN product_region ON product_region.product_id = product.id AND product_region.region_id = offer.region_id
      ${withTitle(sql`product.id`, language)}
      ORDER BY code.id`),
  )
