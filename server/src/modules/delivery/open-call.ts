import { LIMITS } from '@olmos/contract/limits'
import type { Tx } from '../../platform/database/database.ts'
import { announce } from '../../platform/database/notify.ts'
import { raiseAlert, resolveAlert } from '../../platform/live/alert.ts'
import { isCustomerHeld } from '../accounts/change-user.ts'
import { openPoolCode, takePoolCode } from '../codes/spend-codes.ts'
import { type HeldOrder, lockOrder } from '../orders/order-states.ts'
import { giveBackUnit } from '../orders/refund-items.ts'
import { refundBarrier } from '../payments/disputes.ts'
import {
  type Claim,
  type DeliveryShop,
  giveToOperator,
  lockClaim,
  type OpenOrder,
  type StopReason,
  setDecided,
  setSent,
  setWaiting,
  stopDelivery,
} from './deliveries.store.ts'
import { nextRoute } from './delivery.rules.ts'
import { settleOrder } from './settle-order.ts'
import { admitCall, readQuiet, suppliersOut } from './supplier-health.ts'
import { type CallKind, insertCall, insertOrder, noteResent, readTried } from './supplier-orders.store.ts'

/** A question to a supplier that is written down, and has to be asked now. */
export interface OpenCall {
  id: number
  kind: CallKind
  order: OpenOrder
  /** Of the pool, in plain text; for the supplier alone. */
  code: string | undefined
}

const waitSeconds = 5

/** The order and the delivery, for this worker alone until the transaction ends; none when it has lost the delivery. */
export async function holdClaimed(tx: Tx, claim: Claim): Promise<HeldOrder | undefined> {
  const order = await lockOrder(tx, claim.order_id)
  return order && (await lockClaim(tx, claim)) ? order : undefined
}

/**
 * Writes down what is to be asked next about a delivery, before it is asked: an order that may have been carried out is
 * looked up, whatever else is sent by the next route. None when there is nothing to ask now.
 */
export const openCall = (shop: DeliveryShop, claim: Claim): Promise<OpenCall | undefined> =>
  shop.database.transaction(async (tx) => {
    const held = await holdClaimed(tx, claim)
    if (!held) return undefined
    const { open_order: open } = claim
    if (!open) return sendByNextRoute(tx, shop, claim, held)
    const seconds = await readQuiet(tx, open.supplier)
    return seconds > 0 ? leaveAlone(tx, claim, seconds) : writeCall(tx, shop, 'look_up', open)
  })

/** The same order once more, under its key, after the supplier has certainly not got it; none while its buyer is held. */
export async function openResend(
  tx: Tx,
  shop: DeliveryShop,
  claim: Claim,
  { order, held }: { order: OpenOrder; held: HeldOrder },
): Promise<OpenCall | undefined> {
  if (await isBuyerHeld(tx, claim, held)) return stop(tx, claim, 'unknown', 'buyer_held')
  await noteResent(tx, order.id)
  await setSent(tx, claim.id)
  return writeCall(tx, shop, 'submit', { ...order, age_seconds: 0 })
}

async function writeCall(tx: Tx, shop: DeliveryShop, kind: CallKind, order: OpenOrder): Promise<OpenCall> {
  const id = await insertCall(tx, order.id, kind)
  const code = order.code_id === null ? undefined : await openPoolCode(tx, shop.vault, order.code_id)
  return { id, kind, order, code }
}

/** Nothing more is sent for a customer whose payments are disputed, unless an operator wants it sent all the same. */
const isBuyerHeld = async (tx: Tx, claim: Claim, { user_id }: HeldOrder): Promise<boolean> =>
  !claim.sent_though_held && isCustomerHeld(tx, user_id)

async function stop(tx: Tx, claim: Claim, state: 'queued' | 'unknown', why: StopReason): Promise<undefined> {
  await stopDelivery(tx, claim.id, state, why)
}

async function sendByNextRoute(tx: Tx, shop: DeliveryShop, claim: Claim, held: HeldOrder) {
  if (await isBuyerHeld(tx, claim, held)) return stop(tx, claim, 'queued', 'buyer_held')
  const way = await findWay(tx, shop, claim)
  if (way.to === 'wait') return wait(tx, claim)
  if (way.to === 'nobody') return giveUp(tx, claim, held)
  const { supplier, codeId } = way
  const order = await insertOrder(tx, { deliveryId: claim.id, supplier, codeId, item: claim.item })
  await setSent(tx, claim.id)
  await announce(tx, 'order', `${held.user_id} ${held.id}`)
  return writeCall(tx, shop, 'submit', order)
}

type Way = { to: 'supplier'; supplier: string; codeId: number | null } | { to: 'wait' } | { to: 'nobody' }

/** The next route that is open at this moment, with a code of the pool where it needs one. */
async function findWay(tx: Tx, { suppliers }: DeliveryShop, claim: Claim): Promise<Way> {
  const [tried, out] = await Promise.all([readTried(tx, claim.id), suppliersOut(tx)])
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
  if (claim.is_late && !claim.is_operators) await callOperator(tx, claim, reason)
}

/** The supplier said when it wants to be asked again: the order stays with it until then. */
async function leaveAlone(tx: Tx, claim: Claim, seconds: number): Promise<undefined> {
  const { id, state, look_ups: lookUps } = claim
  const reason = 'retry_after'
  await setWaiting(tx, id, { state, seconds, lookUps, reason })
  if (claim.is_late && !claim.is_operators) await callOperator(tx, claim, reason)
}

/** Nobody delivers the unit, so its price goes back; an activated code, which was paid for before, may be spent again. */
async function giveUp(tx: Tx, claim: Claim, held: HeldOrder): Promise<undefined> {
  const barrier = await refundBarrier(tx, held, claim.unit_price)
  if (barrier) return stop(tx, claim, 'queued', barrier)
  await setDecided(tx, claim.id, 'rejected', 'nobody_delivers')
  const unit = { itemId: claim.item_id, deliveryId: claim.id, amount: claim.unit_price }
  await giveBackUnit(tx, held, unit, { reason: 'not_delivered', madeBy: null })
  await resolveAlert(tx, 'delivery.stuck', `delivery:${claim.id}`)
  await settleOrder(tx, held)
}

/** Calls the operator, who finds the delivery in a queue. */
export async function callOperator(tx: Tx, claim: Claim, why: string): Promise<undefined> {
  await giveToOperator(tx, claim.id, { isAlone: false })
  await raiseAlert(tx, {
    kind: 'delivery.stuck',
    subject: `delivery:${claim.id}`,
    details: { order: claim.order_id, why, minutes: LIMITS.deliveryMinutes },
    whenChanged: 'refresh',
  })
}
