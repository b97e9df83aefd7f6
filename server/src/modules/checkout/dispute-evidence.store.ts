import { type Queries, sql } from '../../platform/database.ts'

export interface BuyerFacts {
  id: number
  nickname: string
  registered_at: Date
  days_before: number
  orders_before: number
  last_order_before: Date | null
}

/** Who bought, and what of them was known when they did. */
export const readBuyerFacts = (queries: Queries, orderId: string) =>
  queries.one<BuyerFacts>(sql`
    SELECT users.id, users.nickname, users.created_at AS registered_at,
      extract(day FROM orders.created_at - users.created_at)::int AS days_before,
      (SELECT count(*)::int FROM orders AS other WHERE other.user_id = users.id AND other.created_at < orders.created_at
        AND other.status = 'completed') AS orders_before,
      (SELECT max(other.created_at) FROM orders AS other WHERE other.user_id = users.id
        AND other.created_at < orders.created_at AND other.status = 'completed') AS last_order_before
    FROM orders JOIN users ON users.id = orders.user_id WHERE orders.id = ${orderId}`)

export interface PaymentFacts {
  provider: string
  provider_payment_id: string | null
  key: string
  amount: number
  currency: string
  status: string
  created_at: Date
  settled_at: Date | null
}

export const readPaymentFacts = (queries: Queries, orderId: string) =>
  queries.rows<PaymentFacts>(sql`
    SELECT provider, provider_payment_id, key, coalesce(paid_amount, amount) AS amount,
      coalesce(paid_currency, currency) AS currency, status, created_at, settled_at
    FROM payment WHERE order_id = ${orderId} ORDER BY id`)

export interface RevealFacts {
  code_id: number
  at: Date
  nickname: string
}

/** When the buyer was shown a code of the order, first within each hour; not what an admin looked at. */
export const readRevealFacts = (queries: Queries, orderId: string) =>
  queries.rows<RevealFacts>(sql`
    SELECT code_reveal.code_id, code_reveal.created_at AS at, users.nickname
    FROM order_item JOIN code_sale ON code_sale.order_item_id = order_item.id
    LEFT JOIN code_return ON code_return.code_id = code_sale.code_id AND code_return.sale_number = code_sale.sale_number
    JOIN code_reveal ON code_reveal.code_id = code_sale.code_id AND place = 'receipt'
      AND code_reveal.created_at BETWEEN code_sale.created_at AND coalesce(code_return.created_at, 'infinity')
    JOIN users ON users.id = code_reveal.user_id
    WHERE order_id = ${orderId} ORDER BY code_reveal.created_at, code_reveal.id`)

export interface DeliveryFacts {
  title: string
  unit: number
  account: string | null
  player_name: string | null
  state: string
  decided_at: Date | null
  supplier: string | null
  supplier_order_id: string | null
  kind: string | null
  outcome: string | null
  asked_at: Date | null
  answered_at: Date | null
}

/** Every question to a supplier about a unit of the order, and what it answered; one row for a unit nobody was asked about. */
export const readDeliveryFacts = (queries: Queries, orderId: string) =>
  queries.rows<DeliveryFacts>(sql`
    SELECT coalesce(offer.name, order_item.game_currency) AS title, delivery.unit, topup_target.account,
      topup_target.player_name, delivery.state, delivery.decided_at, supplier_order.supplier,
      supplier_order.supplier_order_id, supplier_call.kind, supplier_call.outcome,
      supplier_call.created_at AS asked_at, supplier_call.ended_at AS answered_at
    FROM order_item JOIN delivery ON delivery.order_item_id = order_item.id
    LEFT JOIN offer ON offer.id = order_item.offer_id
    LEFT JOIN topup_target ON topup_target.order_item_id = order_item.id
    LEFT JOIN supplier_order ON supplier_order.delivery_id = delivery.id
    LEFT JOIN supplier_call ON supplier_call.supplier_order_id = supplier_order.id
    WHERE order_id = ${orderId} ORDER BY order_item.position, delivery.unit, supplier_call.id`)
