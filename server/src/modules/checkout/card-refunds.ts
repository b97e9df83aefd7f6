import type { AlertDetails, AlertKind } from '@olmos/contract/alerts'
import { Failure } from '@olmos/contract/failure'
import type { Tx } from '../../platform/database/queries.ts'
import { raiseAlert } from '../../platform/live/alert.ts'
import { type LockedOrder, lockOrder } from '../orders/order-states.ts'
import { chargeFeeOutside, coverRefund, outsideLeft } from '../orders/refunds.ts'
import { askForRefund, findMade, type NotOwed, releaseUnsent, unbookedRefunds } from '../payments/ask-for-refund.ts'
import {
  type CardRefundRow,
  failCardRefund,
  findCardRefund,
  findNamelessRefunds,
  findRefundedPayment,
  insertOutsideRefund,
  lockCardRefund,
  markRefundStuck,
  noteProviderRefund,
  readCardRefund,
  setRefundedFee,
  sumNamedRefunds,
} from '../payments/card-refunds.ts'
import { cardBarrier } from '../payments/disputes.ts'
import type { PaymentShop } from '../payments/open-payment.ts'
import type { PaymentRow } from '../payments/payments.ts'
import type { ProviderName, ProviderRefund } from '../payments/provider.ts'
import { type Providers, providerNamed } from '../payments/providers.ts'
import { credit, moveBetween } from '../wallet/wallet.ts'
import { bookOutside, makeLossGood, redirectRefunds, shownCharge, unbookOutside } from './book-outside.ts'

type Shop = Pick<PaymentShop, 'database'>

export interface LockedRefund {
  order: LockedOrder
  refund: CardRefundRow
}

/** Runs `work` with a refund and its order locked, in the order in which every settlement locks them. */
const withRefund = <T>(
  { database }: Shop,
  id: number,
  work: (tx: Tx, locked: LockedRefund) => Promise<T>,
): Promise<T> => database.transaction(async (tx) => work(tx, await lockRefund(tx, id)))

export async function lockRefund(tx: Tx, id: number): Promise<LockedRefund> {
  const found = await readCardRefund(tx, id)
  const order = found && (await lockOrder(tx, found.order_id))
  if (!order) throw new Error(`refund ${id} has lost its order`)
  return { order, refund: await lockCardRefund(tx, id) }
}

/** Refuses a provider that the shop no longer has, or that takes no refunds from the store. */
export function requireRefundsAt(providers: Providers, name: ProviderName): void {
  const provider = providerNamed(providers, name)
  if (!provider) throw new Failure('PAYMENT_PROVIDER_UNAVAILABLE', { reason: 'not_configured', provider: name })
  if (!provider.refund) throw new Failure('STATE_CONFLICT', { reason: 'made_in_cabinet', provider: name })
}

/** Why a refund was not made: the provider's code or the store's word, and the parameter that the provider did not like. */
type RefundReason = Pick<AlertDetails, 'reason' | 'parameter'>

/** Returns whether the provider meant this refund, or gave its id to an equal refund of the store. */
type Settled = 'settled' | 'another' | 'name_taken'

/** Records what the provider reports about a refund of the store. A confirmed refund may still fail days later. */
export async function settleCardRefund(
  shop: Shop,
  { id, provider }: Pick<CardRefundRow, 'id' | 'provider'>,
  told: ProviderRefund,
): Promise<Settled> {
  const settled = await withRefund(shop, id, (tx, locked) => settle(tx, locked, told))
  // An equal refund that somebody made in the provider's cabinet was mistaken for this one.
  if (settled === 'another') await noteOutsideRefund(shop, provider, told)
  return settled
}

/** Ends a refund that the provider certainly did not make. */
const refuseCardRefund = (shop: Shop, id: number, reason: RefundReason): Promise<void> =>
  withRefund(shop, id, async (tx, locked) => {
    if (locked.refund.status === 'sending') await failWithAlert(tx, locked, reason)
  })

/**
 * Records a refund that the provider has and the store did not ask for, once however often it is reported. Returns
 * `unpaid` if the store does not know yet that the payment was made, and `undecided` while an equal refund of the store
 * (other than `except`) has been sent and has no id at the provider yet, because it may be that one, and when the books have
 * changed since they were compared with what the provider tells.
 */
export async function noteOutsideRefund(
  { database }: Shop,
  provider: ProviderName,
  told: ProviderRefund,
  except?: number,
): Promise<'noted' | 'unpaid' | 'undecided'> {
  const { providerPaymentId, providerRefundId, amount, currency } = told
  const payment =
    providerPaymentId === undefined ? undefined : await findRefundedPayment(database, provider, providerPaymentId)
  if (payment && payment.status !== 'succeeded') return 'unpaid'
  if (!payment || payment.paid_currency !== currency || amount <= 0) {
    await raiseAlert(database, {
      kind: 'refund.unknown',
      subject: `${provider}:${providerRefundId}`,
      details: { provider, amount, currency, ...(payment && { order: payment.order_id }) },
    })
    return 'noted'
  }
  return database.transaction(async (tx) => {
    await lockOrder(tx, payment.order_id)
    const known = await findCardRefund(tx, provider, providerRefundId)
    // A refund that failed before the store heard of it changes nothing.
    if (!known && told.status === 'failed') return 'noted'
    const equal = known ? [] : await findNamelessRefunds(tx, payment.id, amount)
    if (equal.some(({ id }) => id !== except)) return 'undecided'
    // Another webhook has explained a part of what went back since this one was read.
    const isExplained =
      !known &&
      told.refundedInAll !== undefined &&
      (await sumNamedRefunds(tx, payment.id)) + amount > told.refundedInAll
    if (isExplained) return 'undecided'
    const row = known ?? (await insertOutsideRefund(tx, payment.id, { providerRefundId, amount }))
    if (row) await settle(tx, await lockRefund(tx, row.id), told)
    return 'noted'
  })
}

/**
 * Books that a provider that asks took back all of a payment, as a refund made in its cabinet. The caller has locked the
 * order.
 */
export async function bookReversal(
  tx: Tx,
  payment: PaymentRow,
  { providerRefundId, amount }: Pick<ProviderRefund, 'providerRefundId' | 'amount'>,
): Promise<void> {
  const row = await insertOutsideRefund(tx, payment.id, { providerRefundId, amount })
  if (!row) return
  await settle(tx, await lockRefund(tx, row.id), {
    providerRefundId,
    providerPaymentId: payment.provider_payment_id ?? undefined,
    reference: undefined,
    status: 'succeeded',
    amount,
    currency: payment.charge_currency,
  })
}

async function settle(tx: Tx, locked: LockedRefund, told: ProviderRefund): Promise<Settled> {
  const { order, refund } = locked
  const isNamed = refund.provider_refund_id !== null
  if (isNamed && refund.provider_refund_id !== told.providerRefundId) return 'another'
  const other = isNamed ? undefined : await findCardRefund(tx, refund.provider, told.providerRefundId)
  if (other) {
    const { origin } = await lockCardRefund(tx, other.id)
    if (origin === 'store') return 'name_taken'
    // It was taken for a refund made in the cabinet before the store knew its id.
    if (refund.status === 'sending') await failWithAlert(tx, locked, { reason: 'given_back_outside' })
    return 'settled'
  }
  if (refund.status === 'failed') return isNamed ? 'settled' : 'another'
  if (told.status === 'failed') {
    await failWithAlert(tx, locked, { reason: told.why ?? 'failed' })
    return 'settled'
  }
  if (refund.status === 'succeeded') return 'settled'
  await noteProviderRefund(tx, refund.id, told)
  if (refund.origin === 'provider' && told.status === 'succeeded') await bookOutside(tx, order, refund)
  return 'settled'
}

async function failWithAlert(tx: Tx, locked: LockedRefund, reason: RefundReason): Promise<void> {
  const isInWallet = await failRefund(tx, locked)
  if (isInWallet) await raiseAlertOn(tx, 'refund.failed', locked.refund, reason)
}

/**
 * Fails a refund: the card gets nothing, and the wallet gets what the customer has not already got from the provider's
 * cabinet. Returns whether it got any.
 */
export async function failRefund(tx: Tx, { order, refund }: LockedRefund): Promise<boolean> {
  await failCardRefund(tx, refund.id)
  if (refund.origin === 'provider') return unbookOutside(tx, refund)
  const goods = await coverRefund(tx, order, refund.id)
  const fee = refund.fee_amount - (await chargeFeeOutside(tx, order, refund.fee_amount))
  const of = { currency: refund.currency, orderId: refund.order_id }
  if (goods > 0) {
    const key = `card-refund-covered:${refund.id}`
    await moveBetween(tx, { ...of, from: 'card', to: 'sales', kind: 'payout', amount: goods, key })
  }
  if (fee > 0) {
    await setRefundedFee(tx, refund.id, refund.fee_amount - fee)
    const key = `card-refund-fee-covered:${refund.id}`
    await moveBetween(tx, { ...of, from: 'card', to: 'fees', kind: 'payout', amount: fee, key })
  }
  const covered = goods + fee + (await makeLossGood(tx, refund))
  if (covered === refund.amount) return false
  await credit(tx, {
    ...of,
    userId: refund.user_id,
    amount: refund.amount - covered,
    kind: 'refund',
    shopAccount: 'card',
    key: `card-refund-failed:${refund.id}`,
  })
  await redirectRefunds(tx, refund.id)
  return true
}

const raiseAlertOn = (tx: Tx, kind: AlertKind, refund: CardRefundRow, more: AlertDetails = {}) =>
  raiseAlert(tx, {
    kind,
    subject: `card-refund:${refund.id}`,
    details: {
      order: refund.order_id,
      provider: refund.provider,
      amount: refund.amount,
      currency: refund.currency,
      ...shownCharge(refund),
      ...more,
    },
  })

/**
 * Sends one refund to the card, or asks how it stands. Without an answer it is retried, by the job or by the next
 * caller.
 */
export async function sendCardRefund(shop: PaymentShop, id: number): Promise<void> {
  const asked = await askForRefund(shop, id, (refund) => findWhyNotOwed(shop, refund))
  if (!asked) return
  const { refund, outcome, isStuck, isWithheld } = asked
  if (outcome.kind === 'done') {
    const settled = await settleCardRefund(shop, refund, outcome.value)
    // An equal refund of the store took its id: any other that is left is as good.
    return settled === 'name_taken' ? lookForStuck(shop, refund, settled) : undefined
  }
  shop.log.warn({ refund: id, provider: refund.provider, outcome }, 'refund not confirmed')
  const { parameter } = outcome
  if (outcome.kind === 'rejected')
    return settleRejected(shop, refund, { reason: outcome.code, ...(parameter && { parameter }) }, isWithheld)
  if (isStuck) return lookForStuck(shop, refund, outcome.why)
  if (outcome.why === 'not_allowed') await alertWrongKey(shop, refund)
}

/**
 * Finds why a refund must not be sent, or sent again: the customer got money for this order from the provider's cabinet, or
 * a bank has the payment's money or may take it. What was never sent goes to the wallet then, where it is frozen and can be
 * taken back; what may have been made stays undecided.
 */
const findWhyNotOwed = (shop: PaymentShop, refund: CardRefundRow): Promise<NotOwed | undefined> =>
  shop.database.transaction(async (tx) => {
    const order = await lockOrder(tx, refund.order_id)
    if (!order || (await outsideLeft(tx, order)) > 0) return 'given_back_outside'
    return cardBarrier(tx, refund.payment_id)
  })

/**
 * The provider rejected the first try of a refund: the wallet gets the money. It may have rejected it because somebody
 * refunded the payment in its cabinet, so that is checked first. A withheld one stays unsent until that is known.
 */
async function settleRejected(
  shop: PaymentShop,
  refund: CardRefundRow,
  reason: RefundReason,
  isWithheld: boolean,
): Promise<void> {
  const unbooked = await unbookedRefunds(shop, refund)
  if (unbooked.kind === 'unknown') return releaseUnsent(shop.database, refund, unbooked.retryAfterSeconds)
  if (unbooked.kind === 'rejected' && isWithheld) await releaseUnsent(shop.database, refund, undefined)
  if (unbooked.kind === 'rejected') return callForDecision(shop, refund, reason)
  for (const told of unbooked.value) {
    const noted = await noteOutsideRefund(shop, refund.provider, told, refund.id)
    if (noted !== 'noted') return releaseUnsent(shop.database, refund, undefined)
  }
  await refuseCardRefund(shop, refund.id, reason)
}

/**
 * The provider's answer does not say whether a refund that was sent before was made. If the provider has one of this
 * amount that the store does not know, that is it; otherwise an operator has to decide.
 */
async function lookForStuck(shop: PaymentShop, refund: CardRefundRow, why: string): Promise<void> {
  const made = await findMade(shop, refund)
  const settled = made.kind === 'done' && made.value ? await settleCardRefund(shop, refund, made.value) : undefined
  if (settled === undefined || settled === 'name_taken') await callForDecision(shop, refund, { reason: why })
}

const callForDecision = (shop: PaymentShop, { id }: CardRefundRow, reason: RefundReason): Promise<void> =>
  withRefund(shop, id, async (tx, { refund }) => {
    if (refund.status !== 'sending') return
    await markRefundStuck(tx, id)
    await raiseAlertOn(tx, 'refund.stuck', refund, reason)
  })

const alertWrongKey = ({ database }: PaymentShop, { provider, order_id: order, amount, currency }: CardRefundRow) =>
  raiseAlert(database, {
    kind: 'payment.not_allowed',
    subject: provider,
    details: { order, provider, amount, currency },
  })
