import type { Currency } from '@olmos/contract/money'
import type { PaymentStatus } from '@olmos/contract/orders'
import { z } from 'zod'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import type { PaymentName, PaymentProvider, PaymentSnapshot, ProviderName } from './provider.ts'

export interface PaymentRow {
  id: number
  order_id: string
  provider: ProviderName
  key: string
  amount: number
  currency: Currency
  status: PaymentStatus
  provider_payment_id: string | null
  pay_url: string | null
  settled_to: 'order' | 'wallet' | 'operator' | null
}

export const paymentColumns = sql`id, order_id, provider, key, amount, currency, status, provider_payment_id, pay_url, settled_to`

const insertPayment = (
  tx: Tx,
  payment: { orderId: string; provider: ProviderName; amount: number; currency: Currency },
) =>
  tx.run(sql`
    INSERT INTO payment (order_id, provider, amount, currency)
    VALUES (${payment.orderId}, ${payment.provider}, ${payment.amount}, ${payment.currency})`)

export const latestPayment = (queries: Queries, orderId: string) =>
  queries.maybe<PaymentRow>(sql`
    SELECT ${paymentColumns} FROM payment WHERE order_id = ${orderId} ORDER BY id DESC LIMIT 1`)

/** Finds those of an order's payments that were made. */
export const findPaidPayments = (queries: Queries, orderId: string) =>
  queries.rows<{ provider: ProviderName; provider_payment_id: string }>(sql`
    SELECT provider, provider_payment_id FROM payment WHERE order_id = ${orderId} AND status = 'succeeded' ORDER BY id`)

/** Reads the payment with this id, which must exist. */
export const readPaymentRow = (queries: Queries, paymentId: number) =>
  queries.one<PaymentRow>(sql`SELECT ${paymentColumns} FROM payment WHERE id = ${paymentId}`)

/** Postpones an open payment's status check, because the provider asked for it. */
export const putOffPayment = (queries: Queries, paymentId: number, seconds: number) =>
  queries.run(sql`UPDATE payment SET next_at = now() + make_interval(secs => ${seconds}) WHERE id = ${paymentId}`)

/** Cancels payments whose pay page nobody has the address of, so that nobody can pay them. */
export const cancelUnopenedPayments = (tx: Tx, orderId: string) =>
  tx.run(sql`UPDATE payment SET status = 'canceled' WHERE order_id = ${orderId} AND status = 'opening'`)

const isUuid = (text: string | undefined) => z.uuid().safeParse(text).success

/** Finds the payment the provider means: by its own id, else by the key that the shop gave it. */
export const findPayment = (queries: Queries, provider: ProviderName, snapshot: PaymentName) =>
  queries.maybe<PaymentRow & { user_id: number }>(sql`
    SELECT payment.*, orders.user_id FROM (
      SELECT ${paymentColumns} FROM payment
      WHERE provider = ${provider} AND provider_payment_id = ${snapshot.providerPaymentId}
      UNION ALL
      SELECT ${paymentColumns} FROM payment
      WHERE provider = ${provider} AND key = ${isUuid(snapshot.reference) ? snapshot.reference : null}) AS payment
    JOIN orders ON orders.id = payment.order_id
    ORDER BY provider_payment_id IS NOT DISTINCT FROM ${snapshot.providerPaymentId} DESC LIMIT 1`)

const lockPaymentRow = (tx: Tx, paymentId: number) =>
  tx.one<PaymentRow>(sql`SELECT ${paymentColumns} FROM payment WHERE id = ${paymentId} FOR UPDATE`)

const attachToProvider = (tx: Tx, paymentId: number, providerPaymentId: string) =>
  tx.one<PaymentRow>(sql`
    UPDATE payment SET provider_payment_id = ${providerPaymentId}, status = CASE status WHEN 'opening' THEN 'open' ELSE status END
    WHERE id = ${paymentId} RETURNING ${paymentColumns}`)

/** Stores a second payment that the provider made for one the shop asked for once. */
const adoptPayment = (tx: Tx, original: PaymentRow, providerPaymentId: string) =>
  tx.one<PaymentRow>(sql`
    INSERT INTO payment (order_id, provider, amount, currency, status, provider_payment_id)
    VALUES (${original.order_id}, ${original.provider}, ${original.amount}, ${original.currency}, 'open',
      ${providerPaymentId})
    RETURNING ${paymentColumns}`)

/** Returns whether the event is new. */
const insertEvent = async (
  tx: Tx,
  event: { provider: ProviderName; key: string; paymentId: number; status: string },
): Promise<boolean> => {
  const added = await tx.run(sql`
    INSERT INTO payment_event (provider, event_key, payment_id, status)
    VALUES (${event.provider}, ${event.key}, ${event.paymentId}, ${event.status}) ON CONFLICT DO NOTHING`)
  return added === 1
}

const noteCanceled = (tx: Tx, paymentId: number) =>
  tx.run(sql`UPDATE payment SET status = 'canceled' WHERE id = ${paymentId}`)

const noteSucceeded = (
  tx: Tx,
  paymentId: number,
  { amount, currency }: PaymentSnapshot,
  settledTo: 'order' | 'wallet' | 'operator',
) =>
  tx.run(sql`
    UPDATE payment SET status = 'succeeded', settled_at = now(), settled_to = ${settledTo}, paid_amount = ${amount},
      paid_currency = ${currency}
    WHERE id = ${paymentId}`)

interface NewPayment {
  orderId: string
  /** In minor units. */
  amount: number
  currency: Currency
}

/** Stores that the order is to be paid at the provider, with the key that every attempt to open it will send. */
export const addPayment = (tx: Tx, provider: PaymentProvider, payment: NewPayment) =>
  insertPayment(tx, { ...payment, provider: provider.name })

/** Adds a payment unless the order has one that can still be made. Returns whether a new one was needed. */
export async function renewPayment(tx: Tx, provider: PaymentProvider, payment: NewPayment): Promise<boolean> {
  const latest = await latestPayment(tx, payment.orderId)
  if (latest?.status === 'opening' || latest?.status === 'open') return false
  await addPayment(tx, provider, payment)
  return true
}

/**
 * Finds the payment the provider means and locks it until the transaction ends; the caller has locked its order. A
 * webhook that is quicker than the answer to our own call names a payment whose provider id is not known yet, and a
 * provider that opened two for one key names the second: both are ours.
 */
export async function lockPayment(
  tx: Tx,
  provider: ProviderName,
  snapshot: PaymentSnapshot,
): Promise<PaymentRow | undefined> {
  const found = await findPayment(tx, provider, snapshot)
  if (!found) return undefined
  const payment = await lockPaymentRow(tx, found.id)
  if (payment.provider_payment_id === snapshot.providerPaymentId) return payment
  if (payment.provider_payment_id === null) return attachToProvider(tx, payment.id, snapshot.providerPaymentId)
  return adoptPayment(tx, payment, snapshot.providerPaymentId)
}

/** Stores an event; returns false when it is known already. */
export const noteEvent = (tx: Tx, payment: PaymentRow, key: string, status: PaymentSnapshot['status']) =>
  insertEvent(tx, { provider: payment.provider, key, paymentId: payment.id, status })

export const cancelPayment = (tx: Tx, payment: PaymentRow) => noteCanceled(tx, payment.id)

/** Records that the money has arrived and where it went. */
export const closePayment = (
  tx: Tx,
  payment: PaymentRow,
  snapshot: PaymentSnapshot,
  settledTo: 'order' | 'wallet' | 'operator',
) => noteSucceeded(tx, payment.id, snapshot, settledTo)
