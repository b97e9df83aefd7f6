import type { Database } from '../../platform/database/database.ts'
import { beforeSending, done, type Outcome, rejected, unknown } from '../../platform/vendor/vendor.ts'
import {
  type Attempt,
  type CardRefundRow,
  claimCardRefund,
  endRefundAttempt,
  findCardRefund,
  renewLease,
} from './card-refunds.ts'
import type { RefundBarrier } from './disputes.ts'
import type { PaymentShop } from './open-payment.ts'
import { type PaymentProvider, type ProviderRefund, refundUntold } from './provider.ts'
import { providerNamed } from './providers.ts'

/** A provider's answer about a refund, and what it means for the money. */
interface AskedRefund {
  refund: CardRefundRow
  outcome: Outcome<ProviderRefund>
  /** Whether it takes a person to find out if the money was refunded. */
  isStuck: boolean
  /** Whether the provider was not asked, because the refund is not owed to the card any more. */
  isWithheld: boolean
}

/** Why a refund must not be sent, for the first time or again. */
export type NotOwed = 'given_back_outside' | RefundBarrier
type AskWhyNot = (refund: CardRefundRow) => Promise<NotOwed | undefined>

/**
 * Sends a refund to its provider, or asks for the status of one that was sent. Call it outside any transaction.
 * Undefined while another caller has the lease, or nothing is left to ask. A rejected repeat says nothing about the
 * attempt before it, whose answer was lost: the refund stays unknown. `askWhyNot` is asked before every attempt and may
 * prevent it: what it says to a repeat is a rejection too, because an attempt that was cut short may have made the refund.
 */
export async function askForRefund(
  shop: PaymentShop,
  id: number,
  askWhyNot: AskWhyNot,
): Promise<AskedRefund | undefined> {
  const { database } = shop
  const refund = await claimCardRefund(database, id)
  if (!refund) return undefined
  const provider = providerNamed(shop.providers, refund.provider)
  const whyNot = provider && refund.provider_refund_id === null ? await askWhyNot(refund) : undefined
  const answer = whyNot ? rejected(whyNot) : await toAnswer(shop, provider, refund)
  if (!answer) return undefined
  const isUnsent = isFirst(refund) && (!provider || isNoAttempt(answer))
  const isNoToRepeat = answer.kind === 'rejected' && !isFirst(refund)
  const outcome = answer.kind === 'rejected' && (isUnsent || isNoToRepeat) ? unknown(answer.code) : answer
  const isLate = refund.status === 'sending' && refund.is_too_old
  const isStuck =
    isNoToRepeat || (answer.kind === 'unknown' && (isLate || [madeInCabinet, refundUntold].includes(answer.why)))
  if (outcome.kind === 'unknown') {
    await endRefundAttempt(database, refund, { retryAfterSeconds: outcome.retryAfterSeconds, isUnsent })
  }
  return { refund, outcome, isStuck, isWithheld: whyNot !== undefined }
}

/** Resets a refund the provider certainly did not get, so that the next attempt counts as the first. */
export async function releaseUnsent(database: Database, attempt: Attempt, retryAfterSeconds: number | undefined) {
  await endRefundAttempt(database, attempt, { retryAfterSeconds, isUnsent: true })
}

/** The provider takes no such call, so nobody but a person can make the refund. */
const madeInCabinet = 'made_in_cabinet'

/** Whether it is sent for the first time. */
const isFirst = ({ status, attempts }: CardRefundRow) => status === 'sending' && attempts === 1

/**
 * Whether the provider was sent nothing that could make a refund, or takes no call with a wrong key: the next call counts as
 * the first attempt.
 */
const isNoAttempt = (answer: Outcome<ProviderRefund>): boolean =>
  answer.kind === 'rejected' ? answer.code === 'not_allowed' : answer.kind === 'unknown' && answer.isUnsent === true

/** Undefined where another call took the refund over, or somebody decided it, before anything was sent. */
async function toAnswer(
  shop: PaymentShop,
  provider: PaymentProvider | undefined,
  refund: CardRefundRow,
): Promise<Outcome<ProviderRefund> | undefined> {
  if (!provider) return unknown('not_configured')
  if (refund.provider_refund_id !== null) return readAgain(provider, refund.provider_refund_id)
  if (refund.is_too_old && !isFirst(refund)) return unknown('too_old')
  if (!provider.refund) return unknown(madeInCabinet)
  // An operator was asked to find out how it stands, and may have made it in the cabinet by now.
  if (refund.is_stuck) {
    const made = await findMade(shop, refund)
    if (made.kind !== 'done') return beforeSending(made)
    if (made.value) return done(made.value)
    // The look may have taken all of the lease, and whoever decides a stuck refund must not do it while it is sent.
    if (!(await renewLease(shop.database, refund))) return undefined
  }
  const {
    provider_payment_id: providerPaymentId,
    charge_amount: amount,
    charge_currency: currency,
    key,
    receipt,
  } = refund
  return provider.refund({ providerPaymentId, amount, currency, key, ...(receipt && { receipt }) })
}

async function readAgain(provider: PaymentProvider, providerRefundId: string): Promise<Outcome<ProviderRefund>> {
  const read = await (provider.readRefund?.(providerRefundId) ?? unknown('not_readable'))
  // It accepted the refund before, so not finding it now proves nothing.
  return read.kind === 'rejected' ? unknown(read.code) : read
}

/**
 * Finds the refunds of a payment that the store's books do not have by the provider's id yet; none at a provider that does
 * not list them, because its own calls report each.
 */
export async function unbookedRefunds(
  { database, providers }: PaymentShop,
  { provider: name, provider_payment_id }: Pick<CardRefundRow, 'provider' | 'provider_payment_id'>,
): Promise<Outcome<ProviderRefund[]>> {
  const provider = providerNamed(providers, name)
  if (!provider) return unknown('not_configured')
  const listed = await (provider.listRefunds?.(provider_payment_id) ?? done([]))
  if (listed.kind !== 'done') return listed
  const unbooked: ProviderRefund[] = []
  for (const refund of listed.value) {
    if (!(await findCardRefund(database, name, refund.providerRefundId))) unbooked.push(refund)
  }
  return done(unbooked)
}

/**
 * Finds the refund at the provider that is probably this one, of those that the books do not have yet: with its key or, where
 * the provider keeps none, of its amount.
 */
export async function findMade(shop: PaymentShop, refund: CardRefundRow): Promise<Outcome<ProviderRefund | undefined>> {
  const unbooked = await unbookedRefunds(shop, refund)
  return unbooked.kind === 'done' ? done(unbooked.value.find((told) => isProbably(refund, told))) : unbooked
}

const isProbably = (refund: CardRefundRow, told: ProviderRefund): boolean =>
  told.reference === undefined
    ? told.amount === refund.charge_amount && told.currency === refund.charge_currency && told.status !== 'failed'
    : told.reference === refund.key
