import type { AuditAction } from '@olmos/contract/audit'
import { type Delivery, deliveriesApi } from '@olmos/contract/deliveries'
import { Failure } from '@olmos/contract/failure'
import { toMajor } from '@olmos/contract/minor-units'
import type { Context } from '../../platform/context.ts'
import {
  allConditions,
  countAll,
  direction,
  isOn,
  requireVersion,
  type SortedList,
  toPage,
  withTotal,
} from '../../platform/database/lists.ts'
import { type Queries, type Sql, sql, type Tx } from '../../platform/database/queries.ts'
import { resolveAlert } from '../../platform/live/alert.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import type { Vault } from '../../platform/security/vault.ts'
import { findFewUsers } from '../accounts/accounts.store.ts'
import { requireOthers, type Spender, spendLimit } from '../accounts/staff.ts'
import { sellBoughtCode } from '../codes/codes.store.ts'
import { requireRate, type UnitCost } from '../codes/purchases.ts'
import { returnPoolCode } from '../codes/spend-codes.ts'
import { type LockedOrder, lockOrder } from '../orders/order-states.ts'
import { insertUnitRefund, refundUnit } from '../orders/refunds.ts'
import { refundBarrier } from '../payments/disputes.ts'
import { readTimeZone } from '../shop/shop.ts'
import { type DeliveryShop, setDecided, settleOrder } from './deliveries.ts'
import { receiveSupplierWebhook } from './run-deliveries.ts'
import { readSuppliers } from './supplier-health.ts'
import { deliverByHand, lockOpenOrder, requireOperators, setOrder } from './supplier-orders.ts'

interface DeliveryRow extends Omit<Delivery, 'amount' | 'operator_since' | 'next_at' | 'created_at' | 'decided_at'> {
  item_id: number
  offer_id: number | null
  /** The supplier's name for it when it was ordered. */
  supplier_item: string | null
  is_code: boolean
  /** In minor units. */
  unit_price: number
  operator_since: Date | null
  next_at: Date | null
  created_at: Date
  decided_at: Date | null
}

interface DeliveryList extends SortedList<typeof deliveriesApi.list> {
  /** Ids of the users whose nickname contains the search, if they are few. */
  users: number[] | undefined
  /** That of the days. */
  timeZone: string
}

const columns = sql`
  delivery.id, order_item.order_id, order_item.id AS item_id, order_item.offer_id, order_item.supplier_item,
  users.nickname,
  coalesce(topup_target.service, 'code') AS service, topup_target.service IS NULL AS is_code, coalesce(topup_target.account, '') AS account,
  topup_target.player_name, texts.title AS product_title,
  coalesce((topup_target.steam_amount / 100.0)::numeric(20, 2) || ' ' || upper(topup_target.steam_currency),
    order_item.offer_name, offer.name, offer.game_amount || ' ' || order_item.game_currency) AS item,
  delivery.unit, order_item.quantity, order_item.unit_price, orders.currency, delivery.state, delivery.operator_since,
  delivery.reason, latest.supplier, latest.supplier_order_id, trim_scale(latest.cost)::text AS cost,
  latest.cost_currency, delivery.next_at, delivery.created_at,
  delivery.decided_at, delivery.version`

const joins = sql`
  JOIN order_item ON order_item.id = delivery.order_item_id
  JOIN orders ON orders.id = order_item.order_id
  JOIN users ON users.id = orders.user_id
  LEFT JOIN topup_target ON topup_target.order_item_id = order_item.id
  LEFT JOIN offer ON offer.id = order_item.offer_id
  JOIN product_text AS texts ON texts.product_id = coalesce(order_item.product_id, offer.product_id)
    AND texts.language = 'ru'
  LEFT JOIN LATERAL (
    SELECT supplier, supplier_order_id, cost, cost_currency FROM supplier_order WHERE delivery_id = delivery.id ORDER BY id DESC LIMIT 1)
    AS latest ON true`

/** With many users the deliveries are checked one by one, until there are enough. */
const isInFound = ({ search, users }: Pick<DeliveryList, 'search' | 'users'>): Sql =>
  users
    ? sql`delivery.order_item_id IN (
        SELECT order_item.id FROM orders JOIN order_item ON order_id = orders.id WHERE user_id = ANY (${users}))`
    : sql`strpos((
        SELECT nickname_key FROM order_item JOIN orders ON orders.id = order_id JOIN users ON users.id = user_id
        WHERE order_item.id = delivery.order_item_id), ${search.toLowerCase()}) > 0`

/** Whether this supplier delivered it; by hand is what none of them did but the operator, who is called `manual`. */
const isDeliveredBy = (supplier: string): Sql => {
  const done = sql`SELECT FROM supplier_order WHERE delivery_id = delivery.id AND supplier_order.state = 'done'`
  return sql`delivery.state = 'done' AND ${
    supplier === 'by_hand'
      ? sql`NOT EXISTS (${done} AND supplier <> 'manual')`
      : sql`EXISTS (${done} AND supplier = ${supplier})`
  }`
}

const isListed = ({ state, search, delivered_by: supplier, from, to, timeZone, ...list }: DeliveryList) =>
  allConditions(
    supplier ? isDeliveredBy(supplier) : undefined,
    isOn(sql`delivery.created_at`, { from, to, timeZone }),
    state === 'operator' ? sql`delivery.operator_since IS NOT NULL` : undefined,
    state && state !== 'operator' ? sql`delivery.state = ${state}` : undefined,
    search
      ? sql`(${isInFound({ search, ...list })} OR delivery.order_item_id IN (
          SELECT id FROM order_item WHERE order_id = ${search.toUpperCase()}
          UNION ALL SELECT order_item_id FROM topup_target WHERE account = ${search}))`
      : undefined,
  )

const byId = (list: DeliveryList) => sql`delivery.id ${direction(list.order)}`
/** An id is never null. NULLS LAST would prevent the use of its index, and every delivery would be read. */
const toOrderBy = (list: DeliveryList) =>
  list.sort === 'id' ? byId(list) : sql`delivery.operator_since ${direction(list.order)} NULLS LAST, ${byId(list)}`

/** Reads a page of deliveries as the admin area shows them, and how many there are in all. */
async function listDeliveries(queries: Queries, list: DeliveryList): Promise<{ data: Delivery[]; total: number }> {
  const read = queries.rows<DeliveryRow>(sql`
    SELECT ${columns} FROM (
      SELECT * FROM delivery WHERE ${isListed(list)} ORDER BY ${toOrderBy(list)} ${toPage(list)}) AS delivery
    ${joins} ORDER BY ${toOrderBy(list)}`)
  const count = () => countAll(queries, sql`SELECT FROM delivery WHERE ${isListed(list)}`, list.search)
  const { rows, total } = await withTotal(list, read, count)
  return { data: rows.map(shownDelivery), total }
}

const countOperators = (queries: Queries) =>
  queries.one<{ with_operator: number }>(
    sql`SELECT count(*)::int AS with_operator FROM delivery WHERE operator_since IS NOT NULL`,
  )

const findDelivery = (queries: Queries, id: number) =>
  queries.maybe<DeliveryRow>(sql`SELECT ${columns} FROM delivery ${joins} WHERE delivery.id = ${id}`)

/** Reads a delivery and locks it until the transaction ends. The caller has locked the order. */
const lockDelivery = (tx: Tx, id: number) =>
  tx.one<DeliveryRow>(sql`SELECT ${columns} FROM delivery ${joins} WHERE delivery.id = ${id} FOR UPDATE OF delivery`)

/**
 * Hands it back to the workers; `isNew` opens all routes again. A worker that still has it is too late then. Until
 * something is certain it also stays in the operator's queue.
 */
const beginAgain = (tx: Tx, id: number, { isNew }: { isNew: boolean }) =>
  tx.run(sql`
    UPDATE delivery SET tried_since = now(), next_at = now(), look_ups = 0,
      sent_though_held = sent_though_held OR coalesce(reason = 'buyer_held', false),
      state = CASE WHEN ${isNew} THEN 'queued' ELSE state END,
      attempt = attempt + CASE WHEN ${isNew} THEN 1 ELSE 0 END
    WHERE id = ${id}`)

interface Decision extends Spender {
  reason: string
  reference: string
  version?: number | undefined
}

const shownDelivery = ({
  item_id: _,
  offer_id: __,
  supplier_item: ___,
  is_code: ____,
  unit_price,
  ...row
}: DeliveryRow): Delivery => ({
  ...row,
  amount: toMajor(unit_price),
  operator_since: row.operator_since?.toISOString() ?? null,
  next_at: row.next_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  decided_at: row.decided_at?.toISOString() ?? null,
})

/**
 * An operator delivered it by hand, or saw at the supplier that it was delivered. For codes the buyer gets the
 * operator's code: DUPLICATE when the shop has had it before.
 */
async function completeDelivery(
  tx: Tx,
  vault: Vault,
  id: number,
  { code, cost: told, ...decision }: Decision & { code?: string | undefined; cost?: UnitCost | undefined },
): Promise<Delivery> {
  await requireRate(tx, told?.currency, 'cost.currency')
  const { delivery, order } = await lockForOperator(tx, id, decision)
  const bought = await deliverByHand(tx, delivery, { reference: decision.reference, cost: told })
  if (delivery.is_code) await giveCode(tx, vault, delivery, { code, ...bought })
  await settleOrder(tx, order)
  return conclude(tx, 'delivery.complete', delivery, decision)
}

async function giveCode(
  tx: Tx,
  vault: Vault,
  { item_id: itemId, offer_id: offerId, unit }: DeliveryRow,
  { code, ...bought }: { code: string | undefined; supplier: string; cost: UnitCost | undefined },
): Promise<void> {
  if (code === undefined || offerId === null) throw new Failure('VALIDATION_FAILED', { code: 'required' })
  const isNew = await sellBoughtCode(tx, vault, { itemId, offerId, unit, code, ...bought })
  if (!isNew) throw new Failure('DUPLICATE', { code: 'duplicate' })
}

/**
 * Has it tried once more. If certainly nobody delivered it, all routes are open again; an order whose outcome is
 * unknown is only looked up, because it must not be sent to anybody else. It stays in the operator's queue until
 * something is certain. What was stopped because its buyer is held goes out on the operator's word, who is not that buyer.
 */
async function retryDelivery(tx: Tx, id: number, decision: Decision): Promise<Delivery> {
  const { delivery, order } = await lockForOperator(tx, id, decision)
  if (delivery.reason === 'buyer_held') await requireOthers(tx, decision, order.user_id)
  const open = await lockOpenOrder(tx, id)
  if (open?.supplier === 'manual') await setOrder(tx, open.id, { state: 'rejected', reason: 'operator' })
  await beginAgain(tx, id, { isNew: !open || open.supplier === 'manual' })
  tx.notify('delivery', 'due')
  return conclude(tx, 'delivery.retry', delivery, decision)
}

/**
 * Reads the list price, in cents, that the package of an activated code had at its activation: no money moves, but the code
 * is worth that much again.
 */
const readActivatedPrice = (tx: Tx, itemId: number) =>
  tx.one<{ price_usd: number }>(sql`
    SELECT offer_price.price_usd FROM order_item JOIN offer_price ON offer_price.offer_id = order_item.offer_id
      AND offer_price.version = order_item.price_version
    WHERE order_item.id = ${itemId}`)

/**
 * Refunds the price of the unit, or lets an activated code be spent again, which nobody does for oneself and which takes the
 * code's list price from the limit. If the outcome of an order is unknown, that is the operator's responsibility. A
 * chargeback ends the unit without money; while it is disputed nothing is refunded: STATE_CONFLICT.
 */
export async function refundDelivery(tx: Tx, id: number, decision: Decision): Promise<Delivery> {
  const { delivery, order } = await lockForOperator(tx, id, decision)
  const isActivation = delivery.unit_price === 0
  if (isActivation) await requireOthers(tx, decision, order.user_id)
  const barrier = await refundBarrier(tx, order, delivery.unit_price)
  if (barrier === 'disputed') throw new Failure('STATE_CONFLICT', { reason: barrier })
  const open = await lockOpenOrder(tx, id)
  if (open) await setOrder(tx, open.id, { state: open.supplier === 'manual' ? 'rejected' : 'given_up' })
  if (open?.code_id) await returnPoolCode(tx, open.code_id, 'quarantined')
  await setDecided(tx, id, 'rejected', 'operator')
  const unit = { itemId: delivery.item_id, deliveryId: id, amount: delivery.unit_price }
  const why = { reason: decision.reason, madeBy: decision.adminId }
  if (barrier === 'charged_back') await insertUnitRefund(tx, order, unit, { ...why, byChargeback: true })
  else await refundUnit(tx, order, unit, why)
  await settleOrder(tx, order)
  if (isActivation) {
    const { price_usd } = await readActivatedPrice(tx, delivery.item_id)
    await spendLimit(tx, decision, { amount: price_usd, currency: 'USD' })
  } else if (barrier !== 'charged_back') {
    await spendLimit(tx, decision, { amount: delivery.unit_price, currency: delivery.currency })
  }
  return conclude(tx, 'delivery.refund', delivery, decision)
}

/** Locks a delivery that is the operator's to decide, and its order. */
async function lockForOperator(tx: Tx, id: number, { version }: Decision) {
  const found = await findDelivery(tx, id)
  const order = found && (await lockOrder(tx, found.order_id))
  if (!order) throw new Failure('NOT_FOUND')
  const delivery = await lockDelivery(tx, id)
  requireVersion(shownDelivery(delivery), version)
  await requireOperators(tx, delivery)
  return { delivery, order: order satisfies LockedOrder }
}

async function conclude(tx: Tx, action: AuditAction, before: DeliveryRow, { adminId, reason, reference }: Decision) {
  const after = await findDelivery(tx, before.id)
  if (!after) throw new Error(`delivery ${before.id} is gone`)
  if (after.decided_at) await resolveAlert(tx, 'delivery.stuck', `delivery:${before.id}`)
  await writeAudit(tx, {
    actorId: adminId,
    action,
    subject: `delivery:${before.id}`,
    before: { state: before.state },
    after: { state: after.state, order: before.order_id, reason, reference },
  })
  return shownDelivery(after)
}

export function deliveryRoutes(context: Context & DeliveryShop): void {
  const { serve, database, vault, suppliers, config } = context

  serve.raw(deliveriesApi.webhook, ({ params, body, headers, address }) =>
    receiveSupplierWebhook(context, params.supplier, { body, headers, address, now: context.clock.now() }),
  )

  serve(deliveriesApi.list, async ({ query }) => {
    const users = query.search ? await findFewUsers(database, query.search) : undefined
    const timeZone = await readTimeZone(database, config)
    return listDeliveries(database, { ...query, sort: query.sort ?? 'id', users, timeZone })
  })

  serve(deliveriesApi.count, async () => ({ data: await countOperators(database) }))

  serve(deliveriesApi.complete, async ({ user, params, body }) => ({
    data: await database.transaction((tx) => completeDelivery(tx, vault, params.id, { ...body, adminId: user.id })),
  }))

  serve(deliveriesApi.retry, async ({ user, params, body }) => ({
    data: await database.transaction((tx) => retryDelivery(tx, params.id, { ...body, adminId: user.id })),
  }))

  serve.once(deliveriesApi.refund, async ({ user, params, body }, tx) => ({
    data: await refundDelivery(tx, params.id, { ...body, adminId: user.id }),
  }))

  serve(deliveriesApi.suppliers, async () => ({ data: await readSuppliers(database, suppliers) }))
}
