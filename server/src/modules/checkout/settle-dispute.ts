import { raiseAlert } from '../../platform/alert.ts'
import type { Tx } from '../../platform/database.ts'
import { isCustomerHeld } from '../accounts/customer-hold.ts'
import { holdCartVersion } from '../cart/hold-cart.ts'
import { resumeDeliveries } from '../delivery/queue-deliveries.ts'
import { holdOrder } from '../orders/hold-order.ts'
import { paymentOf } from '../payments/hold-payment.ts'
import { noteDispute, paidPayment } from '../payments/note-dispute.ts'
import type { PaymentShop } from '../payments/open-payment.ts'
import type { ProviderName } from '../payments/payment-settings.ts'
import type { PaymentProvider, ToldDispute } from '../payments/provider.ts'
import { settlePayment } from './settle-payment.ts'

/**
 * Reads a dispute again where that can be done, and settles it; answers false when the provider could not say which
 * payment it is about, and has to tell it once more. Money that the store has not heard of yet is asked for first.
 */
export async function receiveDispute(
  shop: PaymentShop,
  provider: PaymentProvider,
  told: ToldDispute,
  now: Date,
): Promise<boolean> {
  const read = await (provider.readDispute?.(told, now) ?? { kind: 'done' as const, value: told })
  if (read.kind === 'unknown') return false
  const dispute = read.kind === 'done' ? read.value : told
  const found = dispute.payment && (await paymentOf(shop.database, provider.name, dispute.payment))
  if (found && found.status !== 'succeeded' && dispute.payment) {
    const { providerPaymentId } = dispute.payment
    const asked = await provider.readPayment(providerPaymentId)
    if (asked.kind === 'unknown') return false
    if (asked.kind === 'done') {
      const word = { key: `${asked.value.status}:${providerPaymentId}`, snapshot: asked.value }
      await shop.database.transaction((tx) => settlePayment(tx, provider.name, word))
    }
  }
  await shop.database.transaction((tx) => settleDispute(tx, provider.name, dispute))
  return true
}

/**
 * Does what a provider's word about a dispute or a fraud warning asks for, once, whatever came before it. The customer's
 * cart and the order are held, in this order, as by every settlement. What is about no payment that the shop took money
 * for is told to the operator.
 */
async function settleDispute(tx: Tx, provider: ProviderName, told: ToldDispute): Promise<void> {
  const found = told.payment && (await paymentOf(tx, provider, told.payment))
  if (!found) return tellOfStranger(tx, provider, told)
  await holdCartVersion(tx, found.user_id)
  await holdOrder(tx, found.order_id)
  const paid = await paidPayment(tx, found.id)
  if (!paid) return tellOfStranger(tx, provider, told)
  await noteDispute(tx, paid, told, null)
  await resumeUnheld(tx, found.user_id)
}

/** What was stopped for a customer who is not held any more goes on. */
export async function resumeUnheld(tx: Tx, userId: number): Promise<void> {
  if (!(await isCustomerHeld(tx, userId))) await resumeDeliveries(tx, userId)
}

const tellOfStranger = (tx: Tx, provider: ProviderName, told: ToldDispute) =>
  raiseAlert(tx, {
    kind: 'payment.dispute_unknown',
    subject: `${provider}:${told.providerDisputeId}`,
    details: { provider, amount: told.amount, currency: told.currency, reason: told.reason, status: told.status },
  })
