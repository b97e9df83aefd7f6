import type { Database, Queries, Tx } from '../../platform/database.ts'
import { type Outcome, unknown } from '../../platform/outcome.ts'
import {
  type CardRefundRow,
  claimCardRefund,
  endRefundAttempt,
  findCardRefund,
  findOrderPayment,
  insertCardRefund,
  isTooOldToSend,
  lockCardRefund,
  setCardRefund,
  undecidedRefunds,
  undecidedRefundsOf,
} from './card-refunds.store.ts'
import type { PaymentShop } from './open-payment.ts'
import type { ProviderName } from './payment-settings.ts'
import type { PaymentProvider, ProviderRefund } from './provider.ts'
import { providerNamed } from './providers.ts'

export type { CardRefundRow }

const atOnce = 100

/** The payment that a held order was paid by, if it was paid by card. */
export const paymentOfOrder = (tx: Tx, orderId: string) => findOrderPayment(tx, orderId)

/** Writes down that this much goes back to the card, with the key that every attempt will send. */
export const addCardRefund = (tx: Tx, paymentId: number, amount: number) => insertCardRefund(tx, paymentId, amount)

const idsOf = (rows: readonly { id: number }[]) => rows.map((row) => row.id)

/** The refunds whose provider has not said its last word. */
export const cardRefundsToSend = async (database: Database) => idsOf(await undecidedRefunds(database, atOnce))
export const cardRefundsOfOrder = async (queries: Queries, orderId: string) =>
  idsOf(await undecidedRefundsOf(queries, orderId))

export const cardRefundNamed = (queries: Queries, provider: ProviderName, providerRefundId: string) =>
  findCardRefund(queries, provider, providerRefundId)

/**
 * Sends a refund to its provider, or asks how one that was sent stands. Call it outside any transaction. None while
 * somebody else is at it, or nothing is left to ask.
 */
export async function askForRefund({ database, providers }: PaymentShop, id: number) {
  const refund = await claimCardRefund(database, id)
  if (!refund) return undefined
  const provider = providerNamed(providers, refund.provider)
  const { is_too_old } = await isTooOldToSend(database, id)
  const isStuck = refund.status === 'sending' && is_too_old
  const outcome = provider && !isStuck ? await ask(provider, refund) : unknown(provider ? 'too_old' : 'not_configured')
  if (outcome.kind === 'unknown') await endRefundAttempt(database, id)
  return { refund, outcome, isStuck }
}

async function ask(provider: PaymentProvider, refund: CardRefundRow): Promise<Outcome<ProviderRefund>> {
  if (refund.provider_refund_id === null) {
    const { provider_payment_id: providerPaymentId, amount, currency, key } = refund
    return provider.refund({ providerPaymentId, amount, currency, key })
  }
  const read = await provider.readRefund(refund.provider_refund_id)
  // It has taken the refund before: that it can't find it now proves nothing.
  return read.kind === 'rejected' ? unknown(read.code) : read
}

/** The refund, held until the transaction ends. */
export const holdCardRefund = (tx: Tx, id: number) => lockCardRefund(tx, id)

const statusFor = { pending: 'sent', succeeded: 'succeeded', failed: 'failed' } as const

export const noteProviderRefund = (tx: Tx, id: number, { status, providerRefundId }: ProviderRefund) =>
  setCardRefund(tx, id, { status: statusFor[status], providerRefundId })

/** The provider will not do it. */
export const failCardRefund = (tx: Tx, id: number) =>
  setCardRefund(tx, id, { status: 'failed', providerRefundId: null })
