import { Failure } from '@olmos/contract/failure'
import { SERVER_BUSINESS } from '../../business.ts'
import type { Tx } from '../../platform/database/queries.ts'
import { isCustomerFrozen, lockBlocked } from '../accounts/change-user.ts'
import { lockCartVersion } from '../cart/cart.ts'
import { findWaitingFillings } from '../orders/fillings.ts'
import { type NewOrder, newOrderId, placeOrder } from '../orders/orders.ts'
import { requireFillable } from '../payments/filling-settings.ts'
import { freezeReceipt, planReceipt } from '../payments/fiscal-receipts.ts'
import { chooseMethod, requireSeenFee } from '../payments/methods.ts'
import { addPayment } from '../payments/payments.ts'
import type { Providers } from '../payments/providers.ts'
import { resumePayment, type WantedPayment } from './start-card-payment.ts'

/**
 * Adds an order that fills the customer's balance, with its payment; the provider is asked afterwards. Returns the order's
 * id. An equal filling that waits for its payment is resumed. Refuses with STATE_CONFLICT where the shop has this switched
 * off, and a filling too many; with BALANCE_ON_HOLD a customer whose payments are disputed; with PRICE_CHANGED another fee of
 * the method than was seen; with BELOW_LEAST_AMOUNT, ABOVE_MOST_AMOUNT, METHOD_UNAVAILABLE, CONTACT_REQUIRED or PAYMENT_PROVIDER_UNAVAILABLE.
 */
export async function startFilling(tx: Tx, providers: Providers, wanted: WantedPayment): Promise<string> {
  const { userId, currency, amount, fee = 0, method, contact, language } = wanted
  await lockCartVersion(tx, userId)
  await requireFillable(tx, wanted)
  // The session of the call was looked at before the cart was locked.
  if (await lockBlocked(tx, userId)) throw new Failure('FORBIDDEN', { user: 'blocked' })
  if (await isCustomerFrozen(tx, userId)) throw new Failure('BALANCE_ON_HOLD')
  const waiting = await findWaitingFillings(tx, userId)
  const resumed = await resumePayment(tx, providers, waiting, wanted)
  if (resumed) return resumed
  const limit = SERVER_BUSINESS.openFillingsPerUser
  if (waiting.length >= limit) throw new Failure('STATE_CONFLICT', { reason: 'too_many_fillings', limit })
  const chosen = await chooseMethod(tx, providers, { currency, amount, method })
  requireSeenFee(chosen, { currency, seen: fee })
  const planned = await planReceipt(tx, chosen, contact)
  const order: NewOrder = {
    id: newOrderId(),
    purpose: 'balance',
    userId,
    currency,
    total: amount,
    status: 'awaiting_payment',
    paymentMethod: 'card',
    expiresInMinutes: SERVER_BUSINESS.reservationMinutes,
  }
  await tx.pipeline({
    order: (tx) => placeOrder(tx, order, []),
    payment: (tx) => addPayment(tx, chosen, { orderId: order.id, amount, currency, language }),
  })
  if (planned) await freezeReceipt(tx, order.id, planned)
  return order.id
}
