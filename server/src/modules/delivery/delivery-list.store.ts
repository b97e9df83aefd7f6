import type { DeliveryState } from '@olmos/contract/deliveries'
import type { Currency } from '@olmos/contract/money'
import type { Sql } from 'sql-template-tag'
import { type Queries, sql, type Tx } from '../../platform/database/database.ts'
import { allOf, countOf, direction, type ListPage, pageOf } from '../../platform/database/lists.ts'
import type { Wanted } from '../topups/supplier.ts'

export interface DeliveryRow {
  id: number
  order_id: string
  item_id: number
  offer_id: number | null
  /** What the supplier called it when it was ordered. */
  supplier_item: string | null
  nickname: string
  service: Wanted
  account: string
  player_name: string | null
  product_title: string
  item: string
  unit: number
  quantity: number
  /** Minor units. */
  unit_price: number
  currency: Currency
  state: DeliveryState
  operator_since: Date | null
  reason: string | null
  supplier: string | null
  supplier_order_id: string | null
  next_at: Date | null
  created_at: Date
  decided_at: Date | null
  version: number
}

interface DeliveryList extends ListPage {
  sort: 'id' | 'operator_since'
  search: string
  /** Whose nickname the search is a part of, if they are few. */
  users: number[] | undefined
  state?: DeliveryState | 'operator' | undefined
}

const columns = sql`
  delivery.id, order_item.order_id, order_item.id AS item_id, order_item.offer_id, order_item.supplier_item,
  users.nickname,
  coalesce(topup_target.service, 'code') AS service, coalesce(topup_target.account, '') AS account,
  topup_target.player_name, texts.title AS product_title,
  coalesce((topup_target.steam_amount / 100.0)::numeric(20, 2) || ' ' || upper(topup_target.steam_currency),
    order_item.offer_name, offer.name, offer.game_amount || ' ' || order_item.game_currency) AS item,
  delivery.unit, order_item.quantity, order_item.unit_price, orders.currency, delivery.state, delivery.operator_since,
  delivery.reason, latest.supplier, latest.supplier_order_id, delivery.next_at, delivery.created_at,
  delivery.decided_at, delivery.version`

const around = sql`
  JOIN order_item ON order_item.id = delivery.order_item_id
  JOIN orders ON orders.id = order_item.order_id
  JOIN users ON users.id = orders.user_id
  LEFT JOIN topup_target ON topup_target.order_item_id = order_item.id
  LEFT JOIN offer ON offer.id = order_item.offer_id
  JOIN product_text AS texts ON texts.product_id = coalesce(order_item.product_id, offer.product_id)
    AND texts.language = 'ru'
  LEFT JOIN LATERAL (
    SELECT supplier, supplier_order_id FROM supplier_order WHERE delivery_id = delivery.id ORDER BY id DESC LIMIT 1)
    AS latest ON true`

/** Of many users one delivery after the other is looked at, until there are enough. */
const isOfFound = ({ search, users }: DeliveryList): Sql =>
  users
    ? sql`delivery.order_item_id IN (
        SELECT order_item.id FROM orders JOIN order_item ON order_id = orders.id WHERE user_id = ANY (${users}))`
    : sql`strpos((
        SELECT nickname_key FROM order_item JOIN orders ON orders.id = order_id JOIN users ON users.id = user_id
        WHERE order_item.id = delivery.order_item_id), ${search.toLowerCase()}) > 0`

const isListed = ({ state, search, ...list }: DeliveryList) =>
  allOf(
    state === 'operator' ? sql`delivery.operator_since IS NOT NULL` : undefined,
    state && state !== 'operator' ? sql`delivery.state = ${state}` : undefined,
    search
      ? sql`(${isOfFound({ search, ...list })} OR delivery.order_item_id IN (
          SELECT id FROM order_item WHERE order_id = ${search.toUpperCase()}
          UNION ALL SELECT order_item_id FROM topup_target WHERE account = ${search}))`
      : undefined,
  )

const byId = (list: DeliveryList) => sql`delivery.id ${direction(list.order)}`
/** An id is never missing. To say where it would go costs the way along its index, and every delivery is looked at. */
const orderOf = (list: DeliveryList) =>
  list.sort === 'id' ? byId(list) : sql`delivery.operator_since ${direction(list.order)} NULLS LAST, ${byId(list)}`

export const listDeliveries = (queries: Queries, list: DeliveryList) =>
  queries.rows<DeliveryRow>(sql`
    SELECT ${columns} FROM (
      SELECT * FROM delivery WHERE ${isListed(list)} ORDER BY ${orderOf(list)} ${pageOf(list)}) AS delivery
    ${around} ORDER BY ${orderOf(list)}`)

export const countDeliveries = (queries: Queries, list: DeliveryList) =>
  countOf(queries, sql`SELECT FROM delivery WHERE ${isListed(list)}`, list.search)

export const findDelivery = (queries: Queries, id: number) =>
  queries.maybe<DeliveryRow>(sql`SELECT ${columns} FROM delivery ${around} WHERE delivery.id = ${id}`)

/** The same, held until the transaction ends. The caller holds the order. */
export const lockDelivery = (tx: Tx, id: number) =>
  tx.one<DeliveryRow>(sql`SELECT ${columns} FROM delivery ${around} WHERE delivery.id = ${id} FOR UPDATE OF delivery`)

/**
 * It goes back to the machines: `isNew`, with all routes open again. Whoever works on it comes too late then. Until
 * something is certain it stays the operator's as well.
 */
export const beginAgain = (tx: Tx, id: number, { isNew }: { isNew: boolean }) =>
  tx.run(sql`
    UPDATE delivery SET tried_since = now(), next_at = now(), look_ups = 0,
      sent_though_held = sent_though_held OR coalesce(reason = 'buyer_held', false),
      state = CASE WHEN ${isNew} THEN 'queued' ELSE state END,
      attempt = attempt + CASE WHEN ${isNew} THEN 1 ELSE 0 END
    WHERE id = ${id}`)
