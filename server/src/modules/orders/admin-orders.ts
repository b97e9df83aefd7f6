import { adminOrdersApi, type OrderEvent, type OrderRow } from '@olmos/contract/admin-orders'
import type { Profit } from '@olmos/contract/costs'
import type { AnswerTo } from '@olmos/contract/endpoint'
import { Failure } from '@olmos/contract/failure'
import type { Language } from '@olmos/contract/fields'
import { toMajor } from '@olmos/contract/minor-units'
import type { Currency } from '@olmos/contract/money'
import type { Context } from '../../platform/context.ts'
import { countAll, direction, type ListPage, toPage, withTotal } from '../../platform/database/lists.ts'
import { join, type Queries, type Sql, sql } from '../../platform/database/queries.ts'
import type { Vault } from '../../platform/security/vault.ts'
import { readOrderCodes } from '../codes/stock.ts'
import { findOrderPayment } from '../payments/card-refunds.ts'
import { readDisputes } from '../payments/disputes.ts'
import { findReceiptEmail } from '../payments/fiscal-receipts.ts'
import { type Providers, providerNamed } from '../payments/providers.ts'
import { regionColumn } from '../regions/regions.ts'
import { readTimeZone } from '../shop/shop.ts'
import { readFilling } from './fillings.ts'
import { lookUpCode, type OrderCondition, type OrderFilter, toCondition } from './order-filters.ts'
import { readOneProfit, readOrderProfits } from './order-money.ts'
import { readItemStates } from './order-states.ts'
import { shownCoupon, shownOrder, shownParts } from './orders.routes.ts'
import { findOwnOrder, isDeclined, orderCoupon, readRefundParts, shownLeft } from './orders.ts'

/** Amounts are in minor units. */
interface ListedOrderRow extends Omit<OrderRow, 'created_at' | 'total_amount' | 'from_balance' | 'profit'> {
  created_at: Date
  total: number
  wallet_amount: number
}

const toColumn = {
  created_at: sql`orders.created_at`,
  total_amount: sql`orders.total`,
  status: sql`orders.status`,
}

interface OrderPage extends ListPage {
  condition: OrderCondition
  search: string
  sort: keyof typeof toColumn
}

const listAllOrders = (queries: Queries, list: OrderPage, language: Language) =>
  queries.rows<ListedOrderRow>(sql`
    SELECT orders.id, orders.purpose, orders.created_at, orders.user_id, users.nickname, orders.currency, orders.total,
      orders.wallet_amount, orders.status,
      orders.payment_method, ${isDeclined} AS is_declined, ${orderCoupon} AS coupon,
      (SELECT flag FROM disputed_order WHERE disputed_order.order_id = orders.id) AS dispute,
      (SELECT coalesce(json_agg(json_build_object('item_type', order_item.item_type, 'title', texts.title,
          'game_amount', coalesce(offer.game_amount, target.steam_amount / 100.0), 'game_currency', order_item.game_currency,
          'region', ${regionColumn(language)}, 'quantity', order_item.quantity, 'status', order_item.status) ORDER BY order_item.position), '[]')
        FROM order_item
        LEFT JOIN offer ON offer.id = order_item.offer_id
        LEFT JOIN region ON region.id = offer.region_id
        LEFT JOIN topup_target AS target ON target.order_item_id = order_item.id
        JOIN LATERAL (
          SELECT title FROM product_text
          WHERE product_id = coalesce(order_item.product_id, offer.product_id) AND language IN (${language}, 'ru')
          ORDER BY language = ${language} DESC LIMIT 1) AS texts ON true
        WHERE order_item.order_id = orders.id) AS items
    FROM (
      SELECT id FROM orders WHERE ${list.sort === 'created_at' ? list.condition.page : list.condition.all}
      ORDER BY ${toColumn[list.sort]} ${direction(list.order)}, orders.id ${direction(list.order)} ${toPage(list)}
    ) AS found
    JOIN orders USING (id)
    JOIN users ON users.id = orders.user_id
    ORDER BY ${toColumn[list.sort]} ${direction(list.order)}, orders.id ${direction(list.order)}`)

const countAllOrders = (queries: Queries, { condition, search }: OrderPage) =>
  countAll(queries, sql`SELECT FROM orders WHERE ${condition.all}`, search)

const findBuyer = (queries: Queries, orderId: string) =>
  queries.maybe<{ user_id: number; nickname: string; terms_version: number | null }>(sql`
    SELECT users.id AS user_id, users.nickname, orders.terms_version FROM orders JOIN users ON users.id = orders.user_id
    WHERE orders.id = ${orderId}`)

const isUserKnown = async (queries: Queries, userId: number): Promise<boolean> =>
  (await queries.maybe(sql`SELECT FROM users WHERE id = ${userId}`)) !== undefined

interface TransferRow {
  id: number
  created_at: Date
  kind: string
  from: string
  to: string
  currency: Currency
  amount: number
  reason: string | null
  made_by: string | null
}

const readTransfers = (queries: Queries, orderId: string) =>
  queries.rows<TransferRow>(sql`
    SELECT transfer.id, transfer.created_at, transfer.kind, debit.kind AS from, credit.kind AS to, transfer.currency,
      transfer.amount, transfer.reason, users.nickname AS made_by
    FROM transfer
    JOIN account AS debit ON debit.id = transfer.debit_account
    JOIN account AS credit ON credit.id = transfer.credit_account
    LEFT JOIN users ON users.id = transfer.made_by
    WHERE transfer.order_id = ${orderId} ORDER BY transfer.id`)

interface EventRow extends Omit<OrderEvent, 'at'> {
  at: Date
}

const orderSale = sql`
  code_sale JOIN order_item ON order_item.id = code_sale.order_item_id
  LEFT JOIN code_return ON code_return.code_id = code_sale.code_id AND code_return.sale_number = code_sale.sale_number`

const orderDelivery = sql`order_item JOIN delivery ON delivery.order_item_id = order_item.id`

/** A reason in the store's own words; what a supplier said in its own may hold anything, and is left out. */
const toWord = (reason: Sql): Sql => sql`CASE WHEN ${reason} ~ '^[a-z_]{1,40}$' THEN ${reason} END`

/** Each source of events: when, what, who and details, money in major units. A new source is a new entry. */
const sources = (orderId: string): Sql[] => [
  sql`SELECT created_at, 'placed', user_id, jsonb_build_object('total_amount', total / 100.0, 'currency', currency)
      || CASE WHEN wallet_amount > 0 THEN jsonb_build_object('from_balance', wallet_amount / 100.0) ELSE '{}' END
      || CASE WHEN coupon_id IS NOT NULL THEN jsonb_build_object('discount', discount / 100.0, 'coupon',
        (SELECT code FROM coupon WHERE coupon.id = coupon_id)) ELSE '{}' END
    FROM orders WHERE id = ${orderId}`,
  sql`SELECT created_at, 'transfer', made_by, jsonb_build_object('transfer', kind, 'amount', amount / 100.0,
      'currency', currency, 'reason', reason)
    FROM transfer WHERE order_id = ${orderId}`,
  sql`SELECT created_at, 'payment_opened', NULL, jsonb_build_object('provider', provider, 'amount', amount / 100.0,
      'currency', currency, 'payment_id', id)
    FROM payment WHERE order_id = ${orderId}`,
  sql`SELECT settled_at, 'payment_settled', NULL, jsonb_build_object('provider', provider, 'status', status,
      'settled_to', settled_to, 'payment_id', id)
    FROM payment WHERE order_id = ${orderId} AND settled_at IS NOT NULL`,
  sql`SELECT code_sale.created_at, 'codes_sold', NULL::int,
      jsonb_build_object('item_id', order_item.id, 'codes', count(*))
    FROM ${orderSale} WHERE order_item.order_id = ${orderId} GROUP BY code_sale.created_at, order_item.id`,
  sql`SELECT code_reveal.created_at, 'codes_revealed', code_reveal.user_id,
      jsonb_build_object('place', place, 'codes', count(*))
    FROM ${orderSale} JOIN code_reveal ON code_reveal.code_id = code_sale.code_id
      AND code_reveal.created_at BETWEEN code_sale.created_at AND coalesce(code_return.created_at, 'infinity')
    WHERE order_item.order_id = ${orderId} GROUP BY code_reveal.created_at, code_reveal.user_id, place`,
  sql`SELECT code_return.created_at, 'codes_returned', NULL::int, jsonb_build_object('item_id', order_item.id,
      'codes', count(*), 'quarantined', count(*) FILTER (WHERE code_return.is_quarantined))
    FROM ${orderSale} WHERE order_item.order_id = ${orderId} AND code_return.code_id IS NOT NULL
    GROUP BY code_return.created_at, order_item.id`,
  sql`SELECT created_at, 'refund', made_by, jsonb_build_object('item_id', order_item_id, 'amount', amount / 100.0,
      'destination', CASE WHEN by_chargeback THEN 'bank' ELSE destination END, 'reason', reason)
    FROM refund WHERE order_id = ${orderId}`,
  sql`SELECT dispute_change.created_at, dispute.kind, dispute_change.made_by, jsonb_build_object(
      'provider', provider, 'dispute', dispute_change.status, 'amount', amount / 100.0, 'currency', currency,
      'reason', reason)
    FROM dispute JOIN dispute_change ON dispute_change.dispute_id = dispute.id WHERE order_id = ${orderId}`,
  sql`SELECT created_at, action, actor_id, jsonb_build_object('before', before, 'after', after)
    FROM audit_entry WHERE subject = ${`order:${orderId}`}`,
  sql`SELECT audit_entry.created_at, action, actor_id, jsonb_build_object('before', before, 'after', after)
    FROM order_item JOIN delivery ON delivery.order_item_id = order_item.id
    JOIN audit_entry ON audit_entry.subject = 'delivery:' || delivery.id WHERE order_item.order_id = ${orderId}`,
  sql`SELECT created_at, 'status', NULL::int, jsonb_build_object('was', was, 'became', became)
    FROM status_change WHERE order_id = ${orderId} AND order_item_id IS NULL`,
  sql`SELECT min(supplier_order.created_at), 'supplier_asked', NULL::int,
      jsonb_build_object('supplier', supplier, 'units', count(*))
    FROM ${orderDelivery} JOIN supplier_order ON supplier_order.delivery_id = delivery.id
    WHERE order_item.order_id = ${orderId} AND supplier <> 'manual'
    GROUP BY supplier, date_trunc('minute', supplier_order.created_at)`,
  // A supplier is asked again and again: only an answer that differs from the one before is an event.
  sql`SELECT min(ended_at), 'supplier_answered', NULL::int, jsonb_build_object('supplier', supplier, 'outcome', outcome,
      'why', why, 'units', count(*))
    FROM (
      SELECT supplier, outcome, ended_at, ${toWord(sql`supplier_call.reason`)} AS why,
        lag(outcome) OVER (PARTITION BY supplier_order.id ORDER BY supplier_call.id) AS before
      FROM ${orderDelivery} JOIN supplier_order ON supplier_order.delivery_id = delivery.id
      JOIN supplier_call ON supplier_call.supplier_order_id = supplier_order.id
      WHERE order_item.order_id = ${orderId} AND outcome IS NOT NULL) AS answer
    WHERE outcome IS DISTINCT FROM before GROUP BY supplier, outcome, why, date_trunc('minute', ended_at)`,
  sql`SELECT min(delivery_handover.created_at), 'operator_queue', NULL::int,
      jsonb_build_object('why', ${toWord(sql`delivery_handover.reason`)}, 'units', count(*))
    FROM ${orderDelivery} JOIN delivery_handover ON delivery_handover.delivery_id = delivery.id
    WHERE order_item.order_id = ${orderId}
    GROUP BY delivery_handover.reason, date_trunc('minute', delivery_handover.created_at)`,
  sql`SELECT coalesce(sent_at, message.created_at), 'notified', NULL::int, jsonb_build_object('channel', message.channel,
      'notification', payload ->> 'kind', 'state', state)
    FROM orders JOIN customer_contact AS contact ON contact.user_id = orders.user_id
    JOIN message ON message.contact_id = contact.id
    WHERE orders.id = ${orderId} AND payload ->> 'order' = ${orderId}`,
  sql`SELECT created_at, 'conversation', user_id, jsonb_build_object('conversation', id, 'nickname', nickname)
    FROM conversation WHERE named_order <> '' AND upper(named_order) = ${orderId}`,
]

/** Reads everything that happened to an order, oldest first. */
const readTimeline = (queries: Queries, orderId: string) =>
  queries.rows<EventRow>(sql`
    SELECT event.at, event.kind, users.nickname AS actor, event.details
    FROM (${join(sources(orderId), ' UNION ALL ')}) AS event (at, kind, actor_id, details)
    LEFT JOIN users ON users.id = event.actor_id
    ORDER BY event.at, event.kind = 'placed' DESC, event.kind`)

const shownTransfer = (row: TransferRow) => ({
  ...row,
  amount: toMajor(row.amount),
  created_at: row.created_at.toISOString(),
})

const shownEvent = (row: EventRow) => ({ ...row, at: row.at.toISOString() })

/** Whether refunds to the card are made by the store, or in the provider's cabinet; null for an order no card paid. */
async function readCardRefundPlace(
  { database, providers }: { database: Queries; providers: Providers },
  orderId: string,
): Promise<'by_store' | 'in_cabinet' | null> {
  const payment = await findOrderPayment(database, orderId)
  if (!payment) return null
  return providerNamed(providers, payment.provider)?.refund ? 'by_store' : 'in_cabinet'
}

/** Reads an order for the operator: codes masked, its ledger entries and its timeline. */
export async function readOrder(
  { database, vault, providers }: { database: Queries; vault: Vault; providers: Providers },
  id: string,
  language: Language,
): Promise<{ data: Omit<AnswerTo<typeof adminOrdersApi.one>['data'], 'card_refunds'> }> {
  const buyer = await findBuyer(database, id)
  const row = buyer && (await findOwnOrder(database, buyer.user_id, id, language))
  if (!row) throw new Failure('NOT_FOUND')
  const [codes, transfers, timeline, disputes, parts, states, profit, receiptEmail, filling] = await Promise.all([
    readOrderCodes(database, vault, id),
    readTransfers(database, id),
    readTimeline(database, id),
    readDisputes(database, id),
    readRefundParts(database, id),
    readItemStates(database, id),
    readOneProfit(database, id),
    findReceiptEmail(database, id),
    readFilling(database, id),
  ])
  const order = shownOrder(row, providers)
  return {
    data: {
      ...order,
      ...buyer,
      profit: profit.order,
      receipt_email: receiptEmail,
      filling: filling ?? null,
      items: order.items.map((item) => ({
        ...item,
        codes: codes.get(item.id) ?? [],
        profit: profit.items.get(item.id) ?? null,
        partial_refunds: shownParts(parts, item.id),
        ...shownLeft(states.find(({ id: itemId }) => itemId === item.id)),
      })),
      transfers: transfers.map(shownTransfer),
      timeline: timeline.map(shownEvent),
      disputes,
    },
  }
}

const shownRow = (
  { total, wallet_amount, coupon, created_at, ...row }: ListedOrderRow,
  profit: Profit | null,
): OrderRow => ({
  ...row,
  created_at: created_at.toISOString(),
  total_amount: toMajor(total),
  from_balance: toMajor(wallet_amount),
  coupon: shownCoupon(coupon),
  profit,
})

export function ordersAdmin(context: Context & { providers: Providers }): void {
  const { serve, database, vault, config } = context
  type Asked = ListPage & OrderFilter & { sort?: OrderPage['sort'] | undefined }
  const answer = async ({ page, pageSize, order, sort = 'created_at', ...filter }: Asked, language: Language) => {
    const condition = await toCondition(database, filter, await readTimeZone(database, config))
    const list = { page, pageSize, order, sort, condition, search: filter.search }
    const { rows, total } = await withTotal(list, listAllOrders(database, list, language), () =>
      countAllOrders(database, list),
    )
    const profits = await readOrderProfits(database, rows)
    return { data: rows.map((row) => shownRow(row, profits.get(row.id) ?? null)), total }
  }

  serve(adminOrdersApi.list, ({ query, language }) => answer(query, language))

  serve(adminOrdersApi.lookUpCode, async ({ user, body }) => ({
    data: { id: await database.transaction((tx) => lookUpCode(tx, vault, user.id, body.code)) },
  }))

  serve(adminOrdersApi.ofUser, async ({ params, query, language }) => {
    if (!(await isUserKnown(database, params.id))) throw new Failure('USER_NOT_FOUND')
    return answer({ ...query, userId: params.id }, language)
  })

  serve(adminOrdersApi.one, async ({ params, language }) => {
    const { data } = await readOrder(context, params.id, language)
    return { data: { ...data, card_refunds: await readCardRefundPlace(context, data.id) } }
  })
}
