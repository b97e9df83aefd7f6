import type { DeliveryState } from '@olmos/contract/deliveries'
import { Failure } from '@olmos/contract/failure'
import { SERVER_LIMITS } from '../../limits.ts'
import { sql, type Tx } from '../../platform/database/queries.ts'
import { raiseAlert, resolveAlert } from '../../platform/live/alert.ts'
import { isCustomerFrozen } from '../accounts/change-user.ts'
import type { UnitCost } from '../codes/purchases.ts'
import { openPoolCode, spendPoolCode, takePoolCode } from '../codes/spend-codes.ts'
import { type LockedOrder, lockOrder, notifyOrder } from '../orders/order-states.ts'
import { refundUnit } from '../orders/refunds.ts'
import { refundBarrier } from '../payments/disputes.ts'
import { isOpenSource, sourcesOfOffers } from '../pricing/delivered.ts'
import { inCurrency } from '../rates/rates.ts'
import { supplierNamed } from '../topups/suppliers.ts'
import {
  type Claim,
  type DeliveryShop,
  giveToOperator,
  type OpenOrder,
  setDecided,
  settleOrder,
  setWaiting,
} from './deliveries.ts'
import { nextRoute, readUnitCost, type Source, type Tried } from './delivery.rules.ts'
import { admitCall, readQuiet, suppliersOut } from './supplier-health.ts'

/**
 * Locks the delivery until the transaction ends, if this worker still has its lease. The caller has locked the order.
 */
const lockClaim = async (tx: Tx, { id, attempt }: Pick<Claim, 'id' | 'attempt'>): Promise<boolean> =>
  (await tx.maybe(sql`SELECT FROM delivery WHERE id = ${id} AND attempt = ${attempt} FOR UPDATE`)) !== undefined

/** Records that it is with a supplier now; the lease continues. */
const setSent = (tx: Tx, id: number) =>
  tx.run(sql`
    UPDATE delivery SET state = 'sent', look_ups = 0,
      held_until = now() + make_interval(secs => ${SERVER_LIMITS.deliveryLeaseSeconds})
    WHERE id = ${id}`)

/** Why a delivery is stopped: its buyer is frozen, or its price can't be refunded. */
type StopReason = 'buyer_held' | 'disputed' | 'charged_back'

/** Stops it until the operator decides, or until the reason is gone. One that a supplier may have stays `unknown`. */
const stopDelivery = (tx: Tx, id: number, state: 'queued' | 'unknown', reason: StopReason) =>
  tx.run(sql`
    UPDATE delivery SET state = ${state}, reason = ${reason}, operator_since = coalesce(operator_since, now()),
      next_at = NULL, held_until = NULL
    WHERE id = ${id}`)

interface NewSupplierOrder {
  deliveryId: number
  supplier: string
  codeId: number | null
  /** The item it is asked for. */
  item: string | null
  /** The source of the offer by which it is asked. */
  source?: OwnSource | undefined
  accountMark?: string | undefined
}

const insertOrder = (tx: Tx, order: NewSupplierOrder) =>
  tx.one<OpenOrder>(sql`
    INSERT INTO supplier_order (delivery_id, supplier, code_id, item, supplier_product_id, cost_at_most, account_mark)
    VALUES (${order.deliveryId}, ${order.supplier}, ${order.codeId}, ${order.item},
      ${order.source?.supplier_product_id ?? null},
      ${order.source?.cost_at_most ?? null}, decode(${order.accountMark ?? null}, 'hex'))
    RETURNING id, supplier, key, code_id, item, supplier_product_id, cost_at_most::text AS cost_at_most, supplier_order_id,
      encode(account_mark, 'hex') AS account_mark, 0 AS age_seconds`)

/** One of an offer's own sources, with what an order by it has to say. */
interface OwnSource extends Source {
  supplier_product_id: number | null
  cost_at_most: string | null
}

/** Reads who delivers an offer by its own list, in their order. */
const readSources = (tx: Tx, offerId: number | null) =>
  tx.rows<OwnSource>(sql`
    SELECT source.kind, bought.supplier, bought.reference AS item, ${isOpenSource} AS "isOpen",
      source.supplier_product_id,
      source.cost_at_most::text AS cost_at_most
    FROM ${sourcesOfOffers} WHERE source.offer_id = ${offerId} ORDER BY source.rank, source.id`)

/** Reads the orders that came to nothing since the delivery last began, without those that were never sent. */
const readTried = (tx: Tx, deliveryId: number) =>
  tx.rows<Tried>(sql`
    SELECT supplier, item, code_id IS NOT NULL AS "isPool", supplier_order.reason AS why
    FROM supplier_order JOIN delivery ON delivery.id = delivery_id
    WHERE delivery_id = ${deliveryId} AND supplier_order.state = 'rejected' AND NOT is_unsent
      AND supplier_order.created_at >= delivery.tried_since
    ORDER BY supplier_order.id`)

interface Unsent {
  supplier: string
  /** Why, the last time. */
  reason: string | null
  /** Whether it is too early to try again: the pause is longer every time. */
  isResting: boolean
}

/** Reads the suppliers to which the delivery could not be sent since it last began, the last one first. */
const readUnsent = (tx: Tx, deliveryId: number) =>
  tx.rows<Unsent>(sql`
    SELECT supplier, (array_agg(reason ORDER BY id DESC))[1] AS reason,
      max(created_at) > now() - make_interval(secs => least(
        ${SERVER_LIMITS.breakerSeconds} * 2 ^ least(count(*) - 1, 10), ${SERVER_LIMITS.lookUpSecondsMax})) AS "isResting"
    FROM supplier_order WHERE delivery_id = ${deliveryId} AND is_unsent
      AND created_at >= (SELECT tried_since FROM delivery WHERE id = ${deliveryId})
    GROUP BY supplier ORDER BY max(id) DESC`)

interface OrderChange {
  state: 'sent' | 'done' | 'rejected' | 'unknown' | 'given_up'
  supplierOrderId?: string | undefined
  reason?: string | undefined
  /** It certainly never left the shop. */
  isUnsent?: boolean | undefined
  /** What the supplier took for the unit; a cost that was told before stays. */
  cost?: UnitCost | undefined
}

/** Stores what became of an order; what it cost is converted once it is done, at the rates of that moment. */
export function setOrder(
  tx: Tx,
  id: number,
  { state, supplierOrderId, reason, isUnsent = false, cost }: OrderChange,
): Promise<number> {
  const amount = sql`coalesce(${cost?.amount}::numeric, cost)`
  const currency = sql`coalesce(${cost?.currency}::text, cost_currency)`
  const ofOrder = sql`(
    SELECT currency FROM orders JOIN order_item ON order_item.order_id = orders.id
    JOIN delivery ON delivery.order_item_id = order_item.id WHERE delivery.id = supplier_order.delivery_id)`
  return tx.run(sql`
    UPDATE supplier_order SET state = ${state}, reason = ${reason}, is_unsent = ${isUnsent},
      supplier_order_id = coalesce(supplier_order_id, ${supplierOrderId}), cost = ${amount}, cost_currency = ${currency},
      cost_in_order = ${state === 'done' ? inCurrency(amount, currency, ofOrder) : sql`NULL`}
    WHERE id = ${id}`)
}

const noteResent = (tx: Tx, id: number) => tx.run(sql`UPDATE supplier_order SET sent_at = now() WHERE id = ${id}`)

type CallKind = 'submit' | 'look_up'

const insertCall = async (tx: Tx, orderId: number, kind: CallKind): Promise<number> => {
  const { id } = await tx.one<{ id: number }>(
    sql`INSERT INTO supplier_call (supplier_order_id, kind) VALUES (${orderId}, ${kind}) RETURNING id`,
  )
  return id
}

/** A question to a supplier that is stored, and has to be asked now. */
export interface OpenCall {
  id: number
  kind: CallKind
  order: OpenOrder
  /** Whether the order may have been sent before. */
  isRepeat: boolean
  /** Whether no clear answer counts against the supplier: not where it may be the fault of this order. */
  isCounted: boolean
  /** Whether nothing may be sent for the buyer, who is frozen. */
  isFrozen: boolean
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
    if (seconds > 0) return leaveAlone(tx, claim, seconds)
    const isFrozen = await isBuyerFrozen(tx, claim, order)
    return writeCall(tx, shop, { kind: 'look_up', order: open, isRepeat: true, isCounted: false, isFrozen })
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
  return writeCall(tx, shop, {
    kind: 'submit',
    order: { ...sent, age_seconds: 0 },
    isRepeat: true,
    isCounted: true,
    isFrozen: false,
  })
}

async function writeCall(tx: Tx, shop: DeliveryShop, call: Omit<OpenCall, 'id' | 'code'>): Promise<OpenCall> {
  const { kind, order } = call
  const id = await insertCall(tx, order.id, kind)
  const code = order.code_id === null ? undefined : await openPoolCode(tx, shop.vault, order.code_id)
  return { ...call, id, code }
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
  if (way.to === 'wait') return wait(tx, claim, way.why)
  if (way.to === 'nobody') return giveUp(tx, claim, order)
  const { supplier, codeId, source, isFirst } = way
  const item = source?.item ?? claim.item
  const { accountMark } = supplierNamed(shop.suppliers, supplier) ?? {}
  const sent = await insertOrder(tx, { deliveryId: claim.id, supplier, codeId, item, source, accountMark })
  await setSent(tx, claim.id)
  notifyOrder(tx, order)
  return writeCall(tx, shop, { kind: 'submit', order: sent, isRepeat: false, isCounted: isFirst, isFrozen: false })
}

type Way =
  | {
      to: 'supplier'
      supplier: string
      codeId: number | null
      source: OwnSource | undefined
      /** Whether it is the first try to send the delivery there. */
      isFirst: boolean
    }
  | { to: 'wait'; why: string }
  | { to: 'nobody' }

/** Finds the next route that is open at this moment, with a code of the pool if it needs one. */
async function findWay(tx: Tx, { suppliers }: DeliveryShop, claim: Claim): Promise<Way> {
  const { tried, unsent, out, sources } = await tx.pipeline({
    tried: (tx) => readTried(tx, claim.id),
    unsent: (tx) => readUnsent(tx, claim.id),
    out: suppliersOut,
    sources: (tx) => readSources(tx, claim.offer_id),
  })
  const resting = unsent.filter(({ isResting }) => isResting)
  for (const { supplier } of resting) out.add(supplier)
  const ways = { wanted: claim.wanted, suppliers: suppliers.configured, tried, out, sources }
  for (let hasPool = claim.wanted === 'topup' && (claim.has_pool || sources.length > 0); ; ) {
    const route = nextRoute({ ...ways, hasPool })
    if (route.to === 'wait') return { to: 'wait', why: resting[0]?.reason ?? 'suppliers_out' }
    if (route.to === 'nobody') return route
    const { supplier, source } = route
    const isFirst = !unsent.some((one) => one.supplier === supplier)
    if (!(await admitCall(tx, supplier))) {
      out.add(supplier)
      continue
    }
    if (route.to === 'supplier') return { to: 'supplier', supplier, codeId: null, source, isFirst }
    const codeId = await takePoolCode(tx, { itemId: claim.item_id, offerId: claim.offer_id as number })
    if (codeId !== undefined) return { to: 'supplier', supplier, codeId, source, isFirst }
    hasPool = false
  }
}

async function wait(tx: Tx, claim: Claim, reason: string): Promise<undefined> {
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
    details: { order: claim.order_id, why, minutes: claim.promised_minutes },
    whenChanged: 'refresh',
  })
}

/** A unit that nobody has delivered or given up yet. */
interface UndecidedUnit {
  id: number
  item_id: number
  unit: number
  is_code: boolean
  /** What a supplier would be asked for. */
  supplier_item: string | null
  state: DeliveryState
  operator_since: Date | null
}

/** Locks the undecided units of a locked order. */
export const lockUndecided = (tx: Tx, orderId: string) =>
  tx.rows<UndecidedUnit>(sql`
    SELECT delivery.id, order_item.id AS item_id, delivery.unit, order_item.item_type = 'code' AS is_code,
      order_item.supplier_item, delivery.state, delivery.operator_since
    FROM order_item JOIN delivery ON delivery.order_item_id = order_item.id
    WHERE order_item.order_id = ${orderId} AND delivery.decided_at IS NULL ORDER BY delivery.id FOR UPDATE OF delivery`)

/** Whether a worker waits for a supplier's answer about the delivery. The lease of a dead worker expires. */
const isCallUnderWay = async (tx: Tx, deliveryId: number): Promise<boolean> =>
  (await tx.maybe(sql`
    SELECT FROM delivery JOIN supplier_order ON supplier_order.delivery_id = delivery.id
    JOIN supplier_call ON supplier_call.supplier_order_id = supplier_order.id
    WHERE delivery.id = ${deliveryId} AND held_until > now() AND outcome IS NULL LIMIT 1`)) !== undefined

/**
 * Only deliveries in the operator's queue are the operator's to decide, and not while a supplier is just being asked
 * about them: 409 STATE_CONFLICT. The caller has locked the delivery.
 */
export async function requireOperators(
  tx: Tx,
  { id, state, operator_since }: { id: number; state: DeliveryState; operator_since: Date | null },
): Promise<void> {
  if (operator_since === null) throw new Failure('STATE_CONFLICT', { reason: 'not_in_operators_queue', state })
  if (await isCallUnderWay(tx, id))
    throw new Failure('STATE_CONFLICT', { reason: 'call_under_way', delivery: 'call_under_way' })
}

/** Locks the order of a delivery that may have been carried out. */
export const lockOpenOrder = (tx: Tx, deliveryId: number) =>
  tx.maybe<Pick<OpenOrder, 'id' | 'supplier' | 'code_id'> & { cost: string | null; cost_currency: string | null }>(sql`
    SELECT id, supplier, code_id, cost, cost_currency FROM supplier_order
    WHERE delivery_id = ${deliveryId} AND state IN ('sent', 'unknown') FOR UPDATE`)

/**
 * Ends a unit that an operator delivered, or saw to be delivered. Returns who delivered it and what it cost. The caller has
 * locked it, gives its buyer the code of a unit of codes, and settles the order.
 */
export async function deliverByHand(
  tx: Tx,
  { id, unit, supplier_item: item }: Pick<UndecidedUnit, 'id' | 'unit' | 'supplier_item'>,
  { reference = '', cost: told }: { reference?: string; cost?: UnitCost | undefined } = {},
): Promise<{ supplier: string; cost: UnitCost | undefined }> {
  const sent = await lockOpenOrder(tx, id)
  const open = sent ?? (await insertOrder(tx, { deliveryId: id, supplier: 'manual', codeId: null, item }))
  const cost = told ?? readUnitCost({ amount: sent?.cost ?? '', currency: sent?.cost_currency ?? '' })
  await setOrder(tx, open.id, { state: 'done', reason: reference || undefined, cost })
  if (open.code_id !== null) await spendPoolCode(tx, open.code_id, unit)
  await setDecided(tx, id, 'done', null)
  await resolveAlert(tx, 'delivery.stuck', `delivery:${id}`)
  return { supplier: open.supplier, cost }
}
