import { setTimeout as sleep } from 'node:timers/promises'
import type { CancelReason } from '@olmos/contract/admin-payments'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Resources } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Queries, sql } from '../../platform/database/queries.ts'
import { raiseAlert, resolveAlert } from '../../platform/live/alert.ts'
import { type Outcome, unknown } from '../../platform/vendor/vendor.ts'
import { shopNameAt } from '../shop/shop.ts'
import { makeReceipt } from './fiscal-receipt.rules.ts'
import { latestPayment, type PaymentRow, paymentColumns } from './payments.ts'
import { type PayPage, type ProviderName, payPageLost } from './provider.ts'
import { type Providers, providerNamed } from './providers.ts'

export interface OpenPayment {
  id: number
  provider: ProviderName
  provider_payment_id: string
}

/**
 * Marks the open payments that are due for a status check, and returns them: every minute while the customer may be at
 * the pay page, every ten minutes afterwards.
 */
const takeDuePayments = (queries: Queries, providers: ProviderName[], limit: number) =>
  queries.rows<OpenPayment>(sql`
    UPDATE payment SET asked_at = now() WHERE id IN (
      SELECT id FROM payment WHERE status = 'open' AND provider = ANY (${providers}) AND (next_at IS NULL OR next_at < now())
        AND (asked_at IS NULL OR asked_at < now() -
          CASE WHEN created_at > now() - interval '1 hour' THEN interval '50 seconds' ELSE interval '10 minutes' END)
      ORDER BY asked_at NULLS FIRST LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    RETURNING id, provider, provider_payment_id`)

/** Reads the open payments of overdue orders: the last chance to learn that one was paid. */
const overduePayments = (queries: Queries, providers: ProviderName[], limit: number) =>
  queries.rows<OpenPayment>(sql`
    SELECT payment.id, provider, provider_payment_id FROM orders JOIN payment ON payment.order_id = orders.id
    WHERE orders.status = 'awaiting_payment' AND orders.expires_at < now() AND payment.status = 'open'
      AND provider = ANY (${providers})
    ORDER BY orders.expires_at LIMIT ${limit}`)

/** Reads orders whose payment was not opened and is not being opened. */
const unopenedPayments = (queries: Queries, limit: number) =>
  queries.rows<{ id: number; order_id: string }>(sql`
    SELECT payment.id, payment.order_id FROM payment JOIN orders ON orders.id = payment.order_id
    WHERE payment.status = 'opening' AND (attempt_until IS NULL OR attempt_until < now())
      AND (next_at IS NULL OR next_at < now())
      AND payment.created_at < now() - make_interval(secs => ${SERVER_LIMITS.attemptSeconds})
      AND orders.status = 'awaiting_payment' AND orders.expires_at > now()
    ORDER BY payment.id LIMIT ${limit}`)

/**
 * Cancels payments that the customer never made, or had no page to make at. If one is made after all, it is still accepted
 * when its provider reports it.
 */
export const giveUpOldPayments = (queries: Queries) =>
  queries.run(sql`
    UPDATE payment SET status = 'canceled', canceled_why = CASE status
      WHEN 'open' THEN ${'not_paid' satisfies CancelReason} ELSE ${'not_opened' satisfies CancelReason} END
    WHERE status IN ('opening', 'open') AND created_at < now() - make_interval(hours => ${SERVER_LIMITS.openPaymentHours})`)

interface AttemptRow extends PaymentRow {
  user_id: number
  expires_at: Date
  shop_name: string
}

/**
 * Leases the opening of the payment to the caller, so that nobody else asks the provider. Every attempt sends the name that
 * the shop had a minute before the payment was created, because a provider refuses a key that comes with another text: by
 * then no transaction is still under way that began earlier and gives the shop another name.
 */
const claimOpening = (queries: Queries, paymentId: number) =>
  queries.maybe<AttemptRow>(sql`
    WITH claimed AS (
      UPDATE payment SET attempt_until = now() + make_interval(secs => ${SERVER_LIMITS.attemptSeconds})
      WHERE id = ${paymentId} AND status = 'opening' AND (attempt_until IS NULL OR attempt_until < now())
        AND (next_at IS NULL OR next_at < now())
      RETURNING ${paymentColumns}, ${shopNameAt(sql`payment.created_at - interval '1 minute'`)} AS shop_name)
    SELECT claimed.*, orders.user_id, orders.expires_at FROM claimed JOIN orders ON orders.id = claimed.order_id`)

const readOpening = (queries: Queries, paymentId: number) =>
  queries.one<PaymentRow & { is_attempted: boolean }>(sql`
    SELECT ${paymentColumns}, coalesce(attempt_until > now(), false) AS is_attempted FROM payment WHERE id = ${paymentId}`)

/**
 * A webhook may have been quicker, and the customer may have changed the cart meanwhile: neither is undone. The
 * provider may even have opened a second payment for the first key: the known one stays.
 */
const noteOpened = (queries: Queries, paymentId: number, opened: { providerPaymentId: string; payUrl: string }) =>
  queries.maybe<PaymentRow>(sql`
    UPDATE payment SET attempt_until = NULL, provider_payment_id = ${opened.providerPaymentId},
      pay_url = ${opened.payUrl}, status = CASE status WHEN 'opening' THEN 'open' ELSE status END
    WHERE id = ${paymentId} AND coalesce(provider_payment_id, ${opened.providerPaymentId}) = ${opened.providerPaymentId}
    RETURNING ${paymentColumns}`)

/** Ends the lease, after the pause the provider asked for. */
const endAttempt = (queries: Queries, paymentId: number, retryAfterSeconds: number | undefined) =>
  queries.run(sql`
    UPDATE payment SET attempt_until = NULL, next_at = now() + make_interval(secs => ${retryAfterSeconds ?? null}::float8)
    WHERE id = ${paymentId}`)

const atOnce = 500

type ReadingShop = Pick<PaymentShop, 'database' | 'providers'>

/** Names the providers that can be asked about a payment; of the others only their own calls tell. */
const readableProviders = ({ configured }: Providers): ProviderName[] =>
  configured.filter(({ readPayment }) => readPayment !== undefined).map(({ name }) => name)

/** Lists the open payments whose status should be checked now. Two nodes never get the same one. */
export const paymentsToAskAbout = ({ database, providers }: ReadingShop): Promise<OpenPayment[]> =>
  takeDuePayments(database, readableProviders(providers), atOnce)

/** Lists the open payments of orders that are about to expire. */
export const paymentsAboutToExpire = ({ database, providers }: ReadingShop): Promise<OpenPayment[]> =>
  overduePayments(database, readableProviders(providers), atOnce)

/** Lists payments that could not be opened so far, with their orders. */
export const paymentsToOpen = (database: Database) => unopenedPayments(database, atOnce)

export type PaymentShop = Pick<Resources, 'database' | 'config' | 'log'> & { providers: Providers }

export type Opening =
  | { kind: 'open'; payUrl: string }
  /** The provider rejects it for good; or its page is lost, and another payment takes its place. */
  | { kind: 'rejected'; paymentId: number; userId: number; isPageLost: boolean }
  /** It may be open at the provider; the attempt may be repeated. */
  | { kind: 'unknown' }
  /** Paid, declined, or abandoned by the customer meanwhile. */
  | { kind: 'over'; status: 'succeeded' | 'canceled' }

const lookEveryMs = 100

/**
 * Opens a payment of an order at its provider, the latest one unless another is named; undefined when the order has none. Call
 * it outside any transaction. Of several simultaneous calls one asks the provider and the others wait for its answer.
 */
export async function openPayment(shop: PaymentShop, orderId: string, id?: number): Promise<Opening | undefined> {
  const { database } = shop
  const payment = await (id === undefined ? latestPayment(database, orderId) : readOpening(database, id))
  if (payment?.status !== 'opening') return payment && toOpening(payment)
  const claimed = await claimOpening(shop.database, payment.id)
  return claimed ? attempt(shop, claimed) : waitForOther(shop, payment.id)
}

async function attempt(shop: PaymentShop, payment: AttemptRow): Promise<Opening> {
  const { database, log } = shop
  const outcome = await askToOpen(shop, payment)
  if (outcome.kind !== 'done')
    log.warn({ payment: payment.id, provider: payment.provider, outcome }, 'payment not opened')
  if (outcome.kind === 'rejected') {
    const isPageLost = outcome.code === payPageLost
    if (!isPageLost) await alertRefusal(shop, payment, outcome)
    return { kind: 'rejected', paymentId: payment.id, userId: payment.user_id, isPageLost }
  }
  if (outcome.kind === 'done') await endRefusals(shop, payment.provider)
  const opened = outcome.kind === 'done' ? await noteOpened(database, payment.id, outcome.value) : undefined
  if (opened) return toOpening(opened)
  await endAttempt(database, payment.id, outcome.kind === 'unknown' ? outcome.retryAfterSeconds : undefined)
  return { kind: 'unknown' }
}

/** A provider that rejects one payment may reject all: nobody can pay until an operator does something. */
async function alertRefusal(
  { database }: PaymentShop,
  { provider, order_id: order, charge_amount: amount, charge_currency: currency }: AttemptRow,
  { code, parameter }: Outcome<never> & { kind: 'rejected' },
): Promise<void> {
  const isKey = code === 'not_allowed'
  await raiseAlert(database, {
    kind: isKey ? 'payment.not_allowed' : 'payment.refused',
    subject: provider,
    details: { order, provider, amount, currency, ...(!isKey && { reason: code, ...(parameter && { parameter }) }) },
  })
}

async function endRefusals({ database }: PaymentShop, provider: string): Promise<void> {
  await resolveAlert(database, 'payment.not_allowed', provider)
  await resolveAlert(database, 'payment.refused', provider)
}

async function askToOpen({ providers, config }: PaymentShop, payment: AttemptRow): Promise<Outcome<PayPage>> {
  const provider = providerNamed(providers, payment.provider)
  if (!provider) return unknown('not_configured')
  return provider.createPayment({
    key: payment.key,
    orderId: payment.order_id,
    method: payment.method,
    amount: payment.charge_amount,
    currency: payment.charge_currency,
    description: `${payment.shop_name} ${payment.order_id}`,
    language: payment.language,
    returnUrl: `${config.publicUrl}/orders/${payment.order_id}`,
    expiresAt: payment.expires_at,
    ...(payment.receipt && { receipt: makeReceipt({ ...payment.receipt, charged: payment.charge_amount }) }),
  })
}

async function waitForOther({ database }: PaymentShop, paymentId: number): Promise<Opening> {
  for (let waited = 0; waited < SERVER_LIMITS.attemptWaitMs; waited += lookEveryMs) {
    const payment = await readOpening(database, paymentId)
    if (payment.status !== 'opening') return toOpening(payment)
    if (!payment.is_attempted) break
    await sleep(lookEveryMs)
  }
  return { kind: 'unknown' }
}

function toOpening({ status, pay_url }: PaymentRow): Opening {
  if (status === 'succeeded' || status === 'canceled') return { kind: 'over', status }
  return pay_url === null ? { kind: 'unknown' } : { kind: 'open', payUrl: pay_url }
}
