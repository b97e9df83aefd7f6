import { setTimeout as sleep } from 'node:timers/promises'
import { LIMITS } from '@olmos/contract/limits'
import { raiseAlert, resolveAlert } from '../../platform/alert.ts'
import type { Resources } from '../../platform/context.ts'
import { type Outcome, unknown } from '../../platform/outcome.ts'
import {
  type AttemptRow,
  claimOpening,
  endAttempt,
  latestPayment,
  noteOpened,
  type PaymentRow,
  readOpening,
} from './payments.store.ts'
import type { OpenedPayment } from './provider.ts'
import { type Providers, providerNamed } from './providers.ts'

export type PaymentShop = Pick<Resources, 'database' | 'config' | 'log'> & { providers: Providers }

export type Opening =
  | { kind: 'open'; payUrl: string }
  /** The provider will not have it. */
  | { kind: 'rejected'; userId: number }
  /** It may be open at the provider; the same attempt may be made again. */
  | { kind: 'unknown' }
  /** Paid, declined, or given up by the customer meanwhile. */
  | { kind: 'over'; status: 'succeeded' | 'canceled' }

const lookEveryMs = 100

/**
 * Sees that the order's latest payment is open at the provider; none when the order has no payment. Call it outside any
 * transaction. Of several calls at once one asks the provider and the others wait for what it learns.
 */
export async function openLatestPayment(shop: PaymentShop, orderId: string): Promise<Opening | undefined> {
  const payment = await latestPayment(shop.database, orderId)
  if (payment?.status !== 'opening') return payment && openingOf(payment)
  const claimed = await claimOpening(shop.database, payment.id)
  return claimed ? attempt(shop, claimed) : waitForOther(shop, payment.id)
}

async function attempt(shop: PaymentShop, payment: AttemptRow): Promise<Opening> {
  const { database, log } = shop
  const outcome = await askToOpen(shop, payment)
  if (outcome.kind !== 'done')
    log.warn({ payment: payment.id, provider: payment.provider, outcome }, 'payment not opened')
  if (outcome.kind === 'rejected') {
    await tellOfRefusal(shop, payment, outcome)
    return { kind: 'rejected', userId: payment.user_id }
  }
  if (outcome.kind === 'done') await endRefusals(shop, payment.provider)
  const opened = outcome.kind === 'done' ? await noteOpened(database, payment.id, outcome.value) : undefined
  if (opened) return openingOf(opened)
  await endAttempt(database, payment.id, outcome.kind === 'unknown' ? outcome.retryAfterSeconds : undefined)
  return { kind: 'unknown' }
}

/** A provider that will not open a payment may open none: nobody can pay until an operator does something. */
async function tellOfRefusal(
  { database }: PaymentShop,
  { provider, order_id: order, amount, currency }: AttemptRow,
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

async function askToOpen({ providers, config }: PaymentShop, payment: AttemptRow): Promise<Outcome<OpenedPayment>> {
  const provider = providerNamed(providers, payment.provider)
  if (!provider) return unknown('not_configured')
  return provider.createPayment({
    key: payment.key,
    orderId: payment.order_id,
    amount: payment.amount,
    currency: payment.currency,
    description: `Olmos ${payment.order_id}`,
    returnUrl: `${config.publicUrl}/orders/${payment.order_id}`,
    expiresAt: payment.expires_at,
  })
}

async function waitForOther({ database }: PaymentShop, paymentId: number): Promise<Opening> {
  for (let waited = 0; waited < LIMITS.attemptWaitMs; waited += lookEveryMs) {
    const payment = await readOpening(database, paymentId)
    if (payment.status !== 'opening') return openingOf(payment)
    if (!payment.is_attempted) break
    await sleep(lookEveryMs)
  }
  return { kind: 'unknown' }
}

function openingOf({ status, pay_url }: PaymentRow): Opening {
  if (status === 'succeeded' || status === 'canceled') return { kind: 'over', status }
  return pay_url === null ? { kind: 'unknown' } : { kind: 'open', payUrl: pay_url }
}
