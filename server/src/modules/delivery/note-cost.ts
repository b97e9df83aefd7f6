import { raiseAlert, resolveAlert } from '../../platform/alert.ts'
import type { Tx } from '../../platform/database.ts'
import { tooDear } from '../topups/supplier.ts'
import type { Claim } from './deliveries.store.ts'
import type { Verdict } from './delivery.rules.ts'
import type { OpenCall } from './open-call.ts'

/**
 * Raises an alert when a supplier wants more for something than it may cost, and ends it once the supplier takes an order of
 * the same again: whatever it takes it has a price for that the shop can pay.
 */
export async function noteCost(tx: Tx, claim: Claim, { order }: OpenCall, verdict: Verdict): Promise<void> {
  // Codes of the pool are the shop's own, and cost nothing.
  if (order.code_id !== null) return
  const subject = `${order.supplier}:${claim.item ?? claim.wanted}`
  if ('why' in verdict && verdict.why === tooDear) {
    const details = { order: claim.order_id, ...verdict.facts }
    // Every order of it meets the same price until an operator mends it.
    await raiseAlert(tx, { kind: 'offer.too_dear', subject, details, whenChanged: 'refresh' })
  }
  const isTaken = (verdict.is === 'done' || verdict.is === 'pending') && order.supplier_order_id === null
  if (!isTaken) return
  await resolveAlert(tx, 'offer.too_dear', subject)
  await resolveAlert(tx, 'supplier.no_rate', order.supplier)
}
