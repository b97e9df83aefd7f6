import { BUSINESS } from '@olmos/contract/business'
import type { Sql } from 'sql-template-tag'
import { z } from 'zod'
import { type Queries, sql, type Tx } from '../../platform/database/database.ts'
import { announce } from '../../platform/database/notify.ts'
import { raiseAlert, resolveAlert } from '../../platform/live/alert.ts'
import { isCustomerFrozen } from '../accounts/change-user.ts'
import { openPoolCode, takePoolCode } from '../codes/spend-codes.ts'
import { type LockedOrder, lockOrder } from '../orders/order-states.ts'
import { refundUnit } from '../orders/refund-items.ts'
import { refundBarrier } from '../payments/disputes.ts'
import type { SupplierEvent } from '../topups/supplier.ts'
import {
  type Claim,
  type DeliveryShop,
  giveToOperator,
  lockClaim,
  type OpenOrder,
  type Ordered,
  orderedColumns,
  orderedJoins,
  type StopReason,
  setDecided,
  setSent,
  setWaiting,
  stopDelivery,
} from './deliveries.store.ts'
import { nextRoute, type Tried } from './delivery.rules.ts'
import { settleOrder } from './settle-order.ts'
import { admitCall, readQuiet, suppliersOut } from './supplier-health.ts'

interface NewSupplierOrder {
  deliveryId: number
  supplier: string
  codeId: number | null
  /** The item it is asked for. */
  item: string | null
}

export const insertOrder = (tx: Tx, order: NewSupplierOrder) =>
  tx.one<OpenOrder>(sql`
    INSERT INTO supplier_order (delivery_id, supplier, code_id, item)
    VALUES (${order.deliveryId}, ${order.supplier}, ${order.codeId}, ${order.item})
    RETURNING id, supplier, key, code_id, supplier_order_id, 0 AS age_seconds`)

/** Reads the orders that came to nothing since the delivery last began. */
const readTried = (tx: Tx, deliveryId: number) =>
  tx.rows<Tried>(sql`
    SELECT supplier, code_id IS NOT NULL AS "isPool", supplier_order.reason AS why
    FROM supplier_order JOIN delivery ON delivery.id = delivery_id
    WHERE delivery_id = ${deliveryId} AND supplier_order.state = 'rejected'
      AND supplier_order.created_at >= delivery.tried_since
    ORDER BY supplier_order.id`)

export const setOrder = (
  tx: Tx,
  id: number,
  to: {
    state: 'sent' | 'done' | 'rejected' | 'unknown' | 'given_up'
    supplierOrderId?: string | undefined
    reason?: string | undefined
  },
) =>
  tx.run(sql`
    UPDATE supplier_order SET state = ${to.state}, reason = ${to.reason},
      supplier_order_id = coalesce(supplier_order_id, ${to.supplierOrderId})
    WHERE id = ${id}`)

const noteResent = (tx: Tx, id: number) => tx.run(sql`UPDATE supplier_order SET sent_at = now() WHERE id = ${id}`)

/** Whether the supplier gave this name to another order before. */
export const isNameTaken = async (tx: Tx, { id, supplier }: OpenOrder, supplierOrderId: string): Promise<boolean> =>
  (await tx.maybe(sql`
    SELECT FROM supplier_order
    WHERE supplier = ${supplier} AND supplier_order_id = ${supplierOrderId} AND id <> ${id}`)) !== undefined

type CallKind = 'submit' | 'look_up'

const insertCall = async (tx: Tx, orderId: number, kind: CallKind): Promise<number> => {
  const { id } = await tx.one<{ id: number }>(
    sql`INSERT INTO supplier_call (supplier_order_id, kind) VALUES (${orderId}, ${kind}) RETURNING id`,
  )
  return id
}

/** Whether a worker waits for a supplier's answer about the delivery. The lease of a dead worker expires. */
export const isCallUnderWay = async (tx: Tx, deliveryId: number): Promise<boolean> =>
  (await tx.maybe(sql`
    SELECT FROM delivery JOIN supplier_order ON supplier_order.delivery_id = delivery.id
    JOIN supplier_call ON supplier_call.supplier_order_id = supplier_order.id
    WHERE delivery.id = ${deliveryId} AND held_until > now() AND outcome IS NULL LIMIT 1`)) !== undefined

export const endCall = (tx: Tx, id: number, outcome: string, reason: string | null) =>
  tx.run(sql`UPDATE supplier_call SET outcome = ${outcome}, reason = ${reason}, ended_at = now() WHERE id = ${id}`)

/** Returns whether the supplier sends it for the first time. */
export const insertEvent = async (tx: Tx, supplier: string, eventKey: string): Promise<boolean> =>
  (await tx.run(sql`
    INSERT INTO supplier_event (supplier, event_key) VALUES (${supplier}, ${eventKey}) ON CONFLICT DO NOTHING`)) === 1

/**
 * Matches what a webhook is about: by the supplier's name for it, or by the shop's key, which may be no key of this
 * shop.
 */
const isAbout = (about: SupplierEvent['about']): Sql =>
  'key' in about
    ? sql`key = ${z.uuid().safeParse(about.key).data ?? null}`
    : sql`supplier_order_id = ${about.supplierOrderId}`

/** Makes the delivery a webhook names due now. */
export const makeDue = (tx: Tx, supplier: string, about: SupplierEvent['about']) =>
  tx.run(sql`
    UPDATE delivery SET next_at = now() FROM supplier_order
    WHERE supplier_order.delivery_id = delivery.id AND supplier = ${supplier} AND ${isAbout(about)}
      AND supplier_order.state IN ('sent', 'unknown') AND delivery.next_at IS NOT NULL`)

/** An order that was refunded while its outcome was unknown, with everything its supplier has to be told. */
export interface GivenUpOrder extends OpenOrder, Ordered {
  delivery_id: number
  order_id: string
}

export const findGivenUp = (queries: Queries, supplier: string, about: SupplierEvent['about']) =>
  queries.rows<GivenUpOrder>(sql`
    SELECT supplier_order.id, supplier, key, code_id, supplier_order_id, delivery_id, order_item.order_id,
      extract(epoch FROM now() - sent_at)::float AS age_seconds, ${orderedColumns}
    FROM supplier_order JOIN delivery ON delivery.id = delivery_id
    JOIN order_item ON order_item.id = delivery.order_item_id ${orderedJoins}
    WHERE supplier = ${supplier} AND ${isAbout(about)} AND supplier_order.state = 'given_up'`)

export const lockOpenOrder = (tx: Tx, deliveryId: number) =>
  tx.maybe<Pick<OpenOrder, 'id' | 'supplier' | 'code_id'>>(sql`
    SELECT id, supplier, code_id FROM supplier_order
    WHERE delivery_id = ${deliveryId} AND state IN ('sent', 'unknown') FOR UPDATE`)

/** A question to a supplier that is stored, and has to be asked now. */
export interface OpenCall {
  id: number
  kind: CallKind
  order: OpenOrder
  /** A code of the pool in plain text, for the supplier alone. */
  code: string | undefined
}

const waitSeconds = 5

/**
 * Locks the order and the delivery for this worker until the transaction ends; undefined when it has lost its lease.
 */
export async function lockClaimed(tx: Tx, claim: Claim): Promise<LockedOrder | undefined> {
  const order = await lockOrder(tx, claim.order_id)
  return order && (await lockClaim(tx, claim)) ? order : undefined
}

/**
 * Stores what is to be asked next about a delivery, before it is asked: an order that may have been carried out is
 * looked up, anything else is sent by the next route. Undefined when there is nothing to ask now.
 */
export const openCall = (shop: DeliveryShop, claim: Claim): Promise<OpenCall | undefined> =>
  shop.database.transaction(async (tx) => {
    const order = await lockClaimed(tx, claim)
    if (!order) return undefined
    const { open_order: open } = claim
    if (!open) return sendByNextRoute(tx, shop, claim, order)
    const seconds = await readQuiet(tx, open.supplier)
    return seconds > 0 ? leaveAlone(tx, claim, seconds) : writeCall(tx, shop, 'look_up', open)
  })

/**
 * Sends the order once more, under its key, after the supplier certainly did not get it; undefined while its buyer is
 * frozen.
 */
export async function openResend(
  tx: Tx,
  shop: DeliveryShop,
  claim: Claim,
  { sent, order }: { sent: OpenOrder; order: LockedOrder },
): Promise<OpenCall | undefined> {
  if (await isBuyerFrozen(tx, claim, order)) return stop(tx, claim, 'unknown', 'buyer_held')
  await noteResent(tx, sent.id)
  await setSent(tx, claim.id)
  return writeCall(tx, shop, 'submit', { ...sent, age_seconds: 0 })
}

async function writeCall(tx: Tx, shop: DeliveryShop, kind: CallKind, order: OpenOrder): Promise<OpenCall> {
  const id = await insertCall(tx, order.id, kind)
  const code = order.code_id === null ? undefined : await openPoolCode(tx, shop.vault, order.code_id)
  return { id, kind, order, code }
}

/** Nothing more is sent for a customer whose payments are disputed, unless an operator wants it sent all the same. */
const isBuyerFrozen = async (tx: Tx, claim: Claim, { user_id }: LockedOrder): Promise<boolean> =>
  !claim.sent_though_held && isCustomerFrozen(tx, user_id)

async function stop(tx: Tx, claim: Claim, state: 'queued' | 'unknown', why: StopReason): Promise<undefined> {
  await stopDelivery(tx, claim.id, state, why)
}

async function sendByNextRoute(tx: Tx, shop: DeliveryShop, claim: Claim, order: LockedOrder) {
  if (await isBuyerFrozen(tx, claim, order)) return stop(tx, claim, 'queued', 'buyer_held')
  const way = await findWay(tx, shop, claim)
  if (way.to === 'wait') return wait(tx, claim)
  if (way.to === 'nobody') return giveUp(tx, claim, order)
  const { supplier, codeId } = way
  const sent = await insertOrder(tx, { deliveryId: claim.id, supplier, codeId, item: claim.item })
  await setSent(tx, claim.id)
  await announce(tx, 'order', `${order.user_id} ${order.id}`)
  return writeCall(tx, shop, 'submit', sent)
}

type Way = { to: 'supplier'; supplier: string; codeId: number | null } | { to: 'wait' } | { to: 'nobody' }

/** Finds the next route that is open at this moment, with a code of the pool if it needs one. */
async function findWay(tx: Tx, { suppliers }: DeliveryShop, claim: Claim): Promise<Way> {
  const { tried, out } = await tx.pipeline({ tried: (tx) => readTried(tx, claim.id), out: suppliersOut })
  const ways = { wanted: claim.wanted, suppliers: suppliers.configured, tried, out }
  for (let hasPool = claim.wanted === 'pubg'; ; ) {
    const route = nextRoute({ ...ways, hasPool })
    if (route.to === 'wait' || route.to === 'nobody') return route
    const { supplier } = route
    if (!(await admitCall(tx, supplier))) {
      out.add(supplier)
      continue
    }
    if (route.to === 'supplier') return { to: 'supplier', supplier, codeId: null }
    const codeId = await takePoolCode(tx, { itemId: claim.item_id, offerId: claim.offer_id as number })
    if (codeId !== undefined) return { to: 'supplier', supplier, codeId }
    hasPool = false
  }
}

async function wait(tx: Tx, claim: Claim): Promise<undefined> {
  const reason = 'suppliers_out'
  await setWaiting(tx, claim.id, { state: 'queued', seconds: waitSeconds, lookUps: claim.look_ups, reason })
  if (claim.is_late && !claim.is_operators) await leaveToOperator(tx, claim, reason)
}

/** The supplier asked to be left alone: the order stays with it until then. */
async function leaveAlone(tx: Tx, claim: Claim, seconds: number): Promise<undefined> {
  const { id, state, look_ups: lookUps } = claim
  const reason = 'retry_after'
  await setWaiting(tx, id, { state, seconds, lookUps, reason })
  if (claim.is_late && !claim.is_operators) await leaveToOperator(tx, claim, reason)
}

/**
 * Nobody delivers the unit, so its price is refunded; an activated code, which was paid for before, may be spent again.
 */
async function giveUp(tx: Tx, claim: Claim, order: LockedOrder): Promise<undefined> {
  const barrier = await refundBarrier(tx, order, claim.unit_price)
  if (barrier) return stop(tx, claim, 'queued', barrier)
  await setDecided(tx, claim.id, 'rejected', 'nobody_delivers')
  const unit = { itemId: claim.item_id, deliveryId: claim.id, amount: claim.unit_price }
  await refundUnit(tx, order, unit, { reason: 'not_delivered', madeBy: null })
  await resolveAlert(tx, 'delivery.stuck', `delivery:${claim.id}`)
  await settleOrder(tx, order)
}

/** Raises an alert; the operator finds the delivery in the queue. */
export async function leaveToOperator(tx: Tx, claim: Claim, why: string): Promise<undefined> {
  await giveToOperator(tx, claim.id, { isAlone: false })
  await raiseAlert(tx, {
    kind: 'delivery.stuck',
    subject: `delivery:${claim.id}`,
    details: { order: claim.order_id, why, minutes: BUSINESS.topupMinutes },
    whenChanged: 'refresh',
  })
}
