import { LIMITS } from '@olmos/contract/limits'
import { type Outcome, unknown } from '../../platform/outcome.ts'
import { dollarRates } from '../rates/rates-in-force.ts'
import type { SupplierOrder, SupplierRequest } from '../topups/supplier.ts'
import { costAtMost } from './cost.rules.ts'
import { type Claim, claimDue, type Ordered } from './deliveries.store.ts'
import type { DeliveryShop } from './delivery-shop.ts'
import { noteAnswer } from './note-answer.ts'
import { type OpenCall, openCall } from './open-call.ts'
import { noteHealth } from './supplier-health.ts'

/** Brings the delivery that is due one step further; answers whether there was one. */
export async function deliverNext(shop: DeliveryShop): Promise<boolean> {
  const claim = await claimDue(shop.database)
  if (!claim) return false
  const claimedAt = performance.now()
  let call = await openCall(shop, claim)
  while (call && isStillHeld(claimedAt)) {
    const answer = await ask(shop, claim, call)
    await noteHealth(shop.database, call.order.supplier, call.kind, answer)
    call = await noteAnswer(shop, claim, call, answer)
  }
  return true
}

/** A worker that was held up may have lost its delivery to another: it does not call any more. */
const isStillHeld = (claimedAt: number): boolean =>
  performance.now() - claimedAt < LIMITS.deliveryHoldSeconds * 1000 - requestsOfStep * LIMITS.vendorTimeoutMs

/** The price, the order, and the codes of it. */
const requestsOfStep = 3

/** Asks the supplier, outside any transaction. Whatever goes wrong on the way leaves open what it did. */
async function ask(
  { database, suppliers, log }: DeliveryShop,
  claim: Claim,
  { kind, order, code }: OpenCall,
): Promise<Outcome<SupplierOrder>> {
  const supplier = suppliers.configured.find(({ name }) => name === order.supplier)
  if (!supplier) return unknown('not_configured')
  try {
    const rubles = claim.currency === 'RUB' ? (await dollarRates(database)).get('RUB') : undefined
    const request = { ...requestOf(claim, order.key, code), costAtMost: costAtMost(claim, rubles) }
    const sent = { supplierOrderId: order.supplier_order_id, ageSeconds: order.age_seconds }
    const answer = kind === 'submit' ? await supplier.order(request) : await supplier.lookUp(request, sent)
    if (answer.kind !== 'done') log.warn({ delivery: claim.id, supplier: supplier.name, kind, answer }, 'not delivered')
    return answer
  } catch (error) {
    log.error({ err: error, delivery: claim.id, supplier: supplier.name }, 'a supplier broke')
    return unknown('broke')
  }
}

export const requestOf = (
  claim: Ordered,
  key: string,
  code: string | undefined,
): Omit<SupplierRequest, 'costAtMost'> => ({
  key,
  wanted: claim.wanted,
  account: claim.account,
  item: claim.item,
  ...(claim.steam_amount !== null &&
    claim.steam_currency !== null && { steam: { amount: claim.steam_amount, currency: claim.steam_currency } }),
  ...(code !== undefined && { code }),
})
