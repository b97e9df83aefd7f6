import type { ExportName } from '@olmos/contract/exports'
import type { Language } from '@olmos/contract/fields'
import type { Currency } from '@olmos/contract/money'
import type { Sql } from 'sql-template-tag'
import { type Queries, sql } from '../../platform/database/queries.ts'
import type { OrderCondition } from '../orders/order-filters.ts'
import { isPaid, itemProfit, itemRefunds, type ProfitFigures } from '../orders/order-money.ts'

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

const isWithin = (time: Sql, { from, to, timeZone }: ExportedDays): Sql => sql`
  (${from ?? null}::timestamp IS NULL OR ${time} >= ${from ?? null}::timestamp AT TIME ZONE ${timeZone})
  AND (${to ?? null}::timestamp IS NULL OR ${time} < (${to ?? null}::timestamp + interval '1 day') AT TIME ZONE ${timeZone})`

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
  purpose: string
  status: string
  payment_method: string
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
  status: string
  item_status: string
  product_title: string
  region_name: string
  game_amount: number
  game_currency: string
  quantity: number
  currency: Currency
  payment_method: string
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
      WHERE ${isWithin(sql`orders.created_at`, days)} AND ${isPaid}
        AND orders.created_at >= ${last?.at ?? '-infinity'}::timestamptz
        AND (orders.created_at, orders.id, order_item.id)
          > (${last?.at ?? '-infinity'}::timestamptz, ${last?.order_id ?? ''}, ${last?.id ?? 0}::bigint)
      ORDER BY orders.created_at, orders.id, order_item.id LIMIT ${pageRows}`),
  )

export interface ExportedCustomer {
  id: number
  created_at: Date
  nickname: string
  role: string
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
  kind: string
  from: string
  from_user: number | null
  to: string
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
      WHERE transfer.id > ${last?.id ?? 0} AND ${isWithin(sql`transfer.created_at`, days)}
      ORDER BY transfer.id LIMIT ${pageRows}`),
  )

export interface ExportedCode {
  id: number
  created_at: Date
  product_title: string
  region_name: string
  game_amount: number
  game_currency: string
  status: string
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

/** What the columns of exported files are called. A time says its zone besides. */
const en = {
  accounts: 'Player IDs and logins',
  amount: 'Amount',
  balance_rub: 'Balance, RUB',
  balance_usd: 'Balance, USD',
  batch: 'Import',
  blocked_at: 'Blocked',
  contact: 'Contact',
  cost: 'Cost',
  cost_currency: 'Currency of the cost',
  created_at: 'Created',
  currency: 'Currency',
  customer: 'Customer ID',
  expires_on: 'Expires on',
  from: 'From account',
  from_balance: 'Paid from the balance',
  coupon: 'Coupon',
  discount: 'Discount',
  from_customer: 'From customer ID',
  id: 'Number',
  invoice: 'Invoice',
  items: 'Items',
  item_status: 'Status of the item',
  known_units: 'Units with a known cost',
  kind: 'Kind',
  made_by: 'Made by',
  margin: 'Margin',
  nickname: 'Nickname',
  order: 'Order',
  payment_method: 'Paid by',
  product: 'Product',
  purpose: 'Purpose',
  quantity: 'Quantity',
  reason: 'Reason',
  refunded: 'Refunded',
  region: 'Region',
  revenue: 'Revenue',
  role: 'Role',
  seller: 'Bought from',
  status: 'Status',
  to: 'To account',
  to_customer: 'To customer ID',
  total: 'Total',
  unit: 'Unit',
  units: 'Units',
  unknown_revenue: 'Revenue with an unknown cost',
}
export type Heading = keyof typeof en

const ru: Record<Heading, string> = {
  accounts: 'ID игроков и логины',
  amount: 'Сумма',
  balance_rub: 'Баланс, RUB',
  balance_usd: 'Баланс, USD',
  batch: 'Импорт',
  blocked_at: 'Заблокирован',
  contact: 'Контакт',
  cost: 'Себестоимость',
  cost_currency: 'Валюта себестоимости',
  created_at: 'Создан',
  currency: 'Валюта',
  customer: 'ID покупателя',
  expires_on: 'Годен до',
  from: 'Со счёта',
  from_balance: 'Оплачено с баланса',
  coupon: 'Купон',
  discount: 'Скидка',
  from_customer: 'От покупателя, ID',
  id: 'Номер',
  invoice: 'Накладная',
  items: 'Позиции',
  item_status: 'Статус позиции',
  known_units: 'Штук с известной себестоимостью',
  kind: 'Вид',
  made_by: 'Кто провёл',
  margin: 'Маржа',
  nickname: 'Никнейм',
  order: 'Заказ',
  payment_method: 'Оплата',
  product: 'Товар',
  purpose: 'Назначение',
  quantity: 'Количество',
  reason: 'Причина',
  refunded: 'Возвращено',
  region: 'Регион',
  revenue: 'Выручка',
  role: 'Роль',
  seller: 'У кого куплен',
  status: 'Статус',
  to: 'На счёт',
  to_customer: 'Покупателю, ID',
  total: 'Итого',
  unit: 'Единица',
  units: 'Штук',
  unknown_revenue: 'Выручка с неизвестной себестоимостью',
}

const uz: Record<Heading, string> = {
  accounts: 'Oʻyinchi ID raqamlari va loginlar',
  amount: 'Summa',
  balance_rub: 'Balans, RUB',
  balance_usd: 'Balans, USD',
  batch: 'Import',
  blocked_at: 'Bloklangan',
  contact: 'Aloqa',
  cost: 'Tannarx',
  cost_currency: 'Tannarx valyutasi',
  created_at: 'Yaratilgan',
  currency: 'Valyuta',
  customer: 'Xaridor ID raqami',
  expires_on: 'Yaroqlilik muddati',
  from: 'Qaysi hisobdan',
  from_balance: 'Balansdan toʻlangan',
  coupon: 'Kupon',
  discount: 'Chegirma',
  from_customer: 'Qaysi xaridordan, ID',
  id: 'Raqam',
  invoice: 'Yuk xati',
  items: 'Tarkibi',
  item_status: 'Pozitsiya holati',
  known_units: 'Tannarxi maʼlum dona',
  kind: 'Turi',
  made_by: 'Kim oʻtkazgan',
  margin: 'Marja',
  nickname: 'Nik',
  order: 'Buyurtma',
  payment_method: 'Toʻlov',
  product: 'Mahsulot',
  purpose: 'Maqsadi',
  quantity: 'Miqdor',
  reason: 'Sabab',
  refunded: 'Qaytarilgan',
  region: 'Mintaqa',
  revenue: 'Tushum',
  role: 'Rol',
  seller: 'Kimdan olingan',
  status: 'Holat',
  to: 'Qaysi hisobga',
  to_customer: 'Qaysi xaridorga, ID',
  total: 'Jami',
  unit: 'Birlik',
  units: 'Dona',
  unknown_revenue: 'Tannarxi nomaʼlum tushum',
}

export const headings: Record<Language, Record<Heading, string>> = { en, ru, uz }

/** What sheets are called. */
export const sheetTitles: Record<Language, Record<ExportName, string>> = {
  en: { orders: 'Orders', sales: 'Sales', customers: 'Customers', ledger: 'Ledger', stock: 'Stock' },
  ru: { orders: 'Заказы', sales: 'Продажи', customers: 'Покупатели', ledger: 'Проводки', stock: 'Склад' },
  uz: { orders: 'Buyurtmalar', sales: 'Savdo', customers: 'Xaridorlar', ledger: 'Oʻtkazmalar', stock: 'Ombor' },
}
