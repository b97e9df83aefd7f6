import type { Queries, Tx } from '../../platform/database.ts'
import type { ProviderName } from './payment-settings.ts'
import {
  adoptPayment,
  attachToProvider,
  cancelUnopened,
  findPaidPayments,
  findPayment,
  insertEvent,
  lockPayment,
  noteCanceled,
  noteSucceeded,
  type PaymentRow,
  readPaymentRow,
} from './payments.store.ts'
import type { PaymentName, PaymentSnapshot } from './provider.ts'

/** Those of an order's payments that were made. */
export const paidPaymentsOf = (queries: Queries, orderId: string) => findPaidPayments(queries, orderId)

/** The payment a provider speaks of, and whose it is; none when the shop knows nothing of it. */
export const paymentOf = (queries: Queries, provider: ProviderName, snapshot: PaymentName) =>
  findPayment(queries, provider, snapshot)

/** The payment with this id, which there is. */
export const paymentById = (queries: Queries, paymentId: number): Promise<PaymentRow> =>
  readPaymentRow(queries, paymentId)

/**
 * The same, held until the transaction ends; the caller holds its order. A notice that is quicker than the answer to
 * our own call names a payment whose provider id is not known yet, and a provider that opened two for one key names
 * the second: both are ours.
 */
export async function holdPayment(
  tx: Tx,
  provider: ProviderName,
  snapshot: PaymentSnapshot,
): Promise<PaymentRow | undefined> {
  const found = await findPayment(tx, provider, snapshot)
  if (!found) return undefined
  const payment = await lockPayment(tx, found.id)
  if (payment.provider_payment_id === snapshot.providerPaymentId) return payment
  if (payment.provider_payment_id === null) return attachToProvider(tx, payment.id, snapshot.providerPaymentId)
  return adoptPayment(tx, payment, snapshot.providerPaymentId)
}

/** Writes an event down; answers false when it was told before. */
export const noteEvent = (tx: Tx, payment: PaymentRow, key: string, status: PaymentSnapshot['status']) =>
  insertEvent(tx, { provider: payment.provider, key, paymentId: payment.id, status })

export const cancelPayment = (tx: Tx, payment: PaymentRow) => noteCanceled(tx, payment.id)

/** The money is here, and this is where it went. */
export const closePayment = (
  tx: Tx,
  payment: PaymentRow,
  snapshot: PaymentSnapshot,
  settledTo: 'order' | 'wallet' | 'operator',
) => noteSucceeded(tx, payment.id, snapshot, settledTo)

/** Gives up what no customer can have seen the pay page of. */
export const cancelUnopenedPayments = (tx: Tx, orderId: string) => cancelUnopened(tx, orderId)
