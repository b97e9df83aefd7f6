import type { ListedPayment } from '@olmos/contract/admin-payments'
import { Failure } from '@olmos/contract/failure'
import type { Tx } from '../../platform/database/queries.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { lockCartVersion } from '../cart/cart.ts'
import { readPayment } from '../payments/admin-payments.ts'
import { readPaymentRow } from '../payments/payments.ts'
import { settlePayment } from './settle-payment.ts'

interface PaymentByHand {
  paymentId: number
  reason: string
  /** The provider's id of the payment. */
  reference: string | undefined
  adminId: number
}

/**
 * Settles a payment that an admin saw at the provider, exactly as a webhook would: the order is delivered, or its money
 * goes to the wallet or waits for a decision. The webhook itself changes nothing if it comes later.
 */
export async function confirmPayment(
  tx: Tx,
  { paymentId, reason, reference, adminId }: PaymentByHand,
): Promise<ListedPayment> {
  const found = await readPayment(tx, paymentId)
  // Locked first, as by every settlement: the payment is as it is read from here on.
  await lockCartVersion(tx, found.user_id)
  const before = await readPayment(tx, paymentId)
  if (before.status === 'succeeded')
    throw new Failure('STATE_CONFLICT', { reason: 'payment_succeeded', status: before.status })
  const providerPaymentId = before.provider_payment_id ?? reference
  if (!providerPaymentId) throw new Failure('VALIDATION_FAILED', { reference: 'required' })

  const { provider, key, charge_amount, charge_currency } = await readPaymentRow(tx, paymentId)
  await settlePayment(tx, provider, {
    key: `by-hand:${paymentId}`,
    snapshot: {
      providerPaymentId,
      reference: key,
      status: 'succeeded',
      amount: charge_amount,
      currency: charge_currency,
    },
  })
  const after = await readPayment(tx, paymentId)
  // The reference belongs to another payment, which was settled instead: undo it.
  if (after.status !== 'succeeded')
    throw new Failure('STATE_CONFLICT', { reason: 'reference_of_another_payment', reference: 'of_another_payment' })
  await writeAudit(tx, {
    actorId: adminId,
    action: 'payment.confirm',
    subject: `order:${after.order_id}`,
    before: { payment_id: paymentId, status: before.status, order_status: before.order_status },
    after: {
      payment_id: paymentId,
      status: after.status,
      order_status: after.order_status,
      settled_to: after.settled_to,
      provider_payment_id: providerPaymentId,
      reason,
    },
  })
  return after
}
