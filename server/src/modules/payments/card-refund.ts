import type { Database, Queries, Tx } from '../../platform/database.ts'
import { done, type Outcome, unknown } from '../../platform/outcome.ts'
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

/** What a provider said of a refund, and what that says of the money. */
export interface AskedRefund {
  refund: CardRefundRow
  outcome: Outcome<ProviderRefund>
  /** Nobody can tell without a person whether the money went back. */
  isStuck: boolean
}

/**
 * Sends a refund to its provider, or asks how one that was sent stands. Call it outside any transaction. None while
 * somebody else is at it, or nothing is left to ask. A no to a repeat says nothing of the attempt before it, whose
 * answer was lost: it leaves the refund unknown. `mustSend` is asked before a first attempt; where it says no, none is made.
 */
export async function askForRefund(
  { database, providers }: PaymentShop,
  id: number,
  mustSend: (refund: CardRefundRow) => Promise<boolean>,
): Promise<AskedRefund | undefined> {
  const refund = await claimCardRefund(database, id)
  if (!refund) return undefined
  const provider = providerNamed(providers, refund.provider)
  const answer = await answerOf(database, provider, refund, mustSend)
  // With a wrong key nothing was done: whoever has the right one is the first to ask.
  const isUnsent = isFirst(refund) && (!provider || (answer.kind === 'rejected' && answer.code === 'not_allowed'))
  const isNoToRepeat = answer.kind === 'rejected' && !isFirst(refund)
  const outcome = answer.kind === 'rejected' && (isUnsent || isNoToRepeat) ? unknown(answer.code) : answer
  const isStuck = isNoToRepeat || (answer.kind === 'unknown' && answer.why === tooOld)
  if (outcome.kind === 'unknown') {
    await endRefundAttempt(database, id, { retryAfterSeconds: outcome.retryAfterSeconds, isUnsent })
  }
  return { refund, outcome, isStuck }
}

/** The provider certainly did nothing, and will be asked as if for the first time. */
export async function releaseUnsent(database: Database, id: number, retryAfterSeconds: number | undefined) {
  await endRefundAttempt(database, id, { retryAfterSeconds, isUnsent: true })
}

const tooOld = 'too_old'

/** It was never sent before. */
const isFirst = ({ status, attempts }: CardRefundRow) => status === 'sending' && attempts === 1

async function answerOf(
  database: Database,
  provider: PaymentProvider | undefined,
  refund: CardRefundRow,
  mustSend: (refund: CardRefundRow) => Promise<boolean>,
): Promise<Outcome<ProviderRefund>> {
  if (!provider) return unknown('not_configured')
  if (refund.provider_refund_id !== null) return readAgain(provider, refund.provider_refund_id)
  if (isFirst(refund) && !(await mustSend(refund))) return { kind: 'rejected', code: 'given_back_outside' }
  const { is_too_old } = await isTooOldToSend(database, refund.id)
  if (is_too_old && !isFirst(refund)) return unknown(tooOld)
  const { provider_payment_id: providerPaymentId, amount, currency, key } = refund
  return provider.refund({ providerPaymentId, amount, currency, key })
}

async function readAgain(provider: PaymentProvider, providerRefundId: string): Promise<Outcome<ProviderRefund>> {
  const read = await provider.readRefund(providerRefundId)
  // It has taken the refund before: that it can't find it now proves nothing.
  return read.kind === 'rejected' ? unknown(read.code) : read
}

/** The refunds of a payment that the store's books don't have under their name yet. */
export async function unbookedRefunds(
  { database, providers }: PaymentShop,
  { provider: name, provider_payment_id }: Pick<CardRefundRow, 'provider' | 'provider_payment_id'>,
): Promise<Outcome<ProviderRefund[]>> {
  const provider = providerNamed(providers, name)
  if (!provider) return unknown('not_configured')
  const listed = await provider.listRefunds(provider_payment_id)
  if (listed.kind !== 'done') return listed
  const unbooked: ProviderRefund[] = []
  for (const refund of listed.value) {
    if (!(await findCardRefund(database, name, refund.providerRefundId))) unbooked.push(refund)
  }
  return done(unbooked)
}

/** The refund, held until the transaction ends. The caller holds its order. */
export const holdCardRefund = (tx: Tx, id: number) => lockCardRefund(tx, id)

const statusFor = { pending: 'sent', succeeded: 'succeeded', failed: 'failed' } as const

export const noteProviderRefund = (
  tx: Tx,
  id: number,
  { status, providerRefundId }: Pick<ProviderRefund, 'status' | 'providerRefundId'>,
) => setCardRefund(tx, id, { status: statusFor[status], providerRefundId })

/** The provider will not do it. */
export const failCardRefund = (tx: Tx, id: number) =>
  setCardRefund(tx, id, { status: 'failed', providerRefundId: null })
