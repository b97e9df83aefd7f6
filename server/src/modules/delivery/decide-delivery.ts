import type { AuditAction } from '@olmos/contract/audit'
import type { Delivery } from '@olmos/contract/deliveries'
import { Failure } from '@olmos/contract/failure'
import { toMajor } from '@olmos/contract/money'
import type { Tx } from '../../platform/database/database.ts'
import { requireVersion } from '../../platform/database/lists.ts'
import { announce } from '../../platform/database/notify.ts'
import { resolveAlert } from '../../platform/live/alert.ts'
import { record } from '../../platform/security/audit.ts'
import type { Vault } from '../../platform/security/vault.ts'
import { sellBoughtCode } from '../codes/sell-codes.ts'
import { returnPoolCode, spendPoolCode } from '../codes/spend-codes.ts'
import { type HeldOrder, lockOrder } from '../orders/order-states.ts'
import { giveBackUnit, noteChargedBackUnit } from '../orders/refund-items.ts'
import { refundBarrier } from '../payments/disputes.ts'
import { setDecided } from './deliveries.store.ts'
import { beginAgain, type DeliveryRow, findDelivery, lockDelivery } from './delivery-list.store.ts'
import { settleOrder } from './settle-order.ts'
import { insertOrder, isCallUnderWay, lockOpenOrder, setOrder } from './supplier-orders.store.ts'

interface Decision {
  adminId: number
  reason: string
  reference: string
  version?: number | undefined
}

export const shownDelivery = ({
  item_id: _,
  offer_id: __,
  supplier_item: ___,
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
 * An operator delivered it by hand, or saw with the supplier that it was delivered. Of codes the buyer gets the one the
 * operator has: DUPLICATE when the shop has had it before.
 */
export async function completeDelivery(
  tx: Tx,
  vault: Vault,
  id: number,
  { code, ...decision }: Decision & { code?: string | undefined },
): Promise<Delivery> {
  const { delivery, order } = await holdForOperator(tx, id, decision)
  const byHand = { deliveryId: id, supplier: 'manual', codeId: null, item: delivery.supplier_item }
  const open = (await lockOpenOrder(tx, id)) ?? (await insertOrder(tx, byHand))
  await setOrder(tx, open.id, { state: 'done', reason: decision.reference || undefined })
  if (open.code_id !== null) await spendPoolCode(tx, open.code_id, delivery.unit)
  if (delivery.service === 'code') await giveCode(tx, vault, delivery, { code, supplier: open.supplier })
  await setDecided(tx, id, 'done', null)
  await settleOrder(tx, order)
  return conclude(tx, 'delivery.complete', delivery, decision)
}

async function giveCode(
  tx: Tx,
  vault: Vault,
  { item_id: itemId, offer_id: offerId, unit }: DeliveryRow,
  { code, supplier }: { code: string | undefined; supplier: string },
): Promise<void> {
  if (code === undefined || offerId === null) throw new Failure('VALIDATION_FAILED', { code: 'required' })
  const isNew = await sellBoughtCode(tx, vault, { itemId, offerId, unit, supplier, code })
  if (!isNew) throw new Failure('DUPLICATE', { code: 'duplicate' })
}

/**
 * Has it tried once more. Where nobody can have delivered it, all routes are open again; an order whose end is unknown
 * is only looked up, for it must not be sent to anybody else. It stays in the operator's queue until something is certain.
 */
export async function retryDelivery(tx: Tx, id: number, decision: Decision): Promise<Delivery> {
  const { delivery } = await holdForOperator(tx, id, decision)
  const open = await lockOpenOrder(tx, id)
  if (open?.supplier === 'manual') await setOrder(tx, open.id, { state: 'rejected', reason: 'operator' })
  await beginAgain(tx, id, { isNew: !open || open.supplier === 'manual' })
  await announce(tx, 'delivery', delivery.order_id)
  return conclude(tx, 'delivery.retry', delivery, decision)
}

/**
 * Gives the price of the unit back, or has an activated code spent again. Of an order whose end is unknown the operator answers for that.
 * What a bank has taken back ends the unit without money; while it is disputed nothing is given back: STATE_CONFLICT.
 */
export async function refundDelivery(tx: Tx, id: number, decision: Decision): Promise<Delivery> {
  const { delivery, order } = await holdForOperator(tx, id, decision)
  const barrier = await refundBarrier(tx, order, delivery.unit_price)
  if (barrier === 'disputed') throw new Failure('STATE_CONFLICT', { reason: barrier })
  const open = await lockOpenOrder(tx, id)
  if (open) await setOrder(tx, open.id, { state: open.supplier === 'manual' ? 'rejected' : 'given_up' })
  if (open?.code_id) await returnPoolCode(tx, open.code_id, 'quarantined')
  await setDecided(tx, id, 'rejected', 'operator')
  const unit = { itemId: delivery.item_id, deliveryId: id, amount: delivery.unit_price }
  const why = { reason: decision.reason, madeBy: decision.adminId }
  if (barrier === 'charged_back') await noteChargedBackUnit(tx, order, unit, why)
  else await giveBackUnit(tx, order, unit, why)
  await settleOrder(tx, order)
  return conclude(tx, 'delivery.refund', delivery, decision)
}

/**
 * What is in the operator's queue, and nothing else, is the operator's to decide, and not while a supplier is just being
 * asked about it: 409 STATE_CONFLICT.
 */
async function holdForOperator(tx: Tx, id: number, { version }: Decision) {
  const found = await findDelivery(tx, id)
  const order = found && (await lockOrder(tx, found.order_id))
  if (!order) throw new Failure('NOT_FOUND')
  const delivery = await lockDelivery(tx, id)
  requireVersion(shownDelivery(delivery), version)
  if (delivery.operator_since === null) throw new Failure('STATE_CONFLICT', { state: delivery.state })
  if (await isCallUnderWay(tx, id)) throw new Failure('STATE_CONFLICT', { delivery: 'call_under_way' })
  return { delivery, order: order satisfies HeldOrder }
}

async function conclude(tx: Tx, action: AuditAction, before: DeliveryRow, { adminId, reason, reference }: Decision) {
  const after = await findDelivery(tx, before.id)
  if (!after) throw new Error(`delivery ${before.id} is gone`)
  if (after.decided_at) await resolveAlert(tx, 'delivery.stuck', `delivery:${before.id}`)
  await record(tx, {
    actorId: adminId,
    action,
    subject: `delivery:${before.id}`,
    before: { state: before.state },
    after: { state: after.state, order: before.order_id, reason, reference },
  })
  return shownDelivery(after)
}
