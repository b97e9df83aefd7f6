import { raiseAlert } from '../../platform/alert.ts'
import { holdOrder } from '../orders/hold-order.ts'
import { outsideLeft } from '../orders/outside-money.ts'
import { askForRefund, releaseUnsent, unbookedRefunds } from '../payments/card-refund.ts'
import { type CardRefundRow, markRefundStuck } from '../payments/card-refunds.store.ts'
import type { PaymentShop } from '../payments/open-payment.ts'
import type { ProviderRefund } from '../payments/provider.ts'
import {
  noteOutsideRefund,
  refuseCardRefund,
  settleCardRefund,
  tellOperator,
  withRefund,
} from './settle-card-refund.ts'

/** Sends one refund to the card, or asks how it stands. Without an answer it is tried again, by the job or by anyone. */
export async function sendCardRefund(shop: PaymentShop, id: number): Promise<void> {
  const asked = await askForRefund(shop, id, (refund) => isStillOwed(shop, refund))
  if (!asked) return
  const { refund, outcome, isStuck } = asked
  if (outcome.kind === 'done') {
    const settled = await settleCardRefund(shop, refund, outcome.value)
    // An equal refund of the store has its name: by now any other that is left is as good.
    return settled === 'name_taken' ? lookForStuck(shop, refund, settled) : undefined
  }
  shop.log.warn({ refund: id, provider: refund.provider, outcome }, 'refund not confirmed')
  if (outcome.kind === 'rejected') return takeNo(shop, refund, outcome.code)
  if (isStuck) return lookForStuck(shop, refund, outcome.why)
  if (outcome.why === 'not_allowed') await tellOfWrongKey(shop, refund)
}

/** A refund the store has not sent yet is not sent when the customer got money of the order past the store. */
const isStillOwed = (shop: PaymentShop, refund: CardRefundRow): Promise<boolean> =>
  shop.database.transaction(async (tx) => {
    const order = await holdOrder(tx, refund.order_id)
    return order !== undefined && (await outsideLeft(tx, order)) === 0
  })

/**
 * The provider will not have a refund that it was asked for the first time: the wallet gets it. It may refuse because
 * somebody has given the money back there, which is learnt before.
 */
async function takeNo(shop: PaymentShop, refund: CardRefundRow, why: string): Promise<void> {
  const unbooked = await unbookedRefunds(shop, refund)
  if (unbooked.kind === 'unknown') return releaseUnsent(shop.database, refund.id, unbooked.retryAfterSeconds)
  if (unbooked.kind === 'rejected') return callForDecision(shop, refund, why)
  for (const told of unbooked.value) {
    const noted = await noteOutsideRefund(shop, refund.provider, told, refund.id)
    if (noted !== 'noted') return releaseUnsent(shop.database, refund.id, undefined)
  }
  await refuseCardRefund(shop, refund.id, why)
}

/**
 * The provider's answer does not say whether a refund that was sent before was made. If one of its amount is among
 * those the provider has and the store has not, that is it; else an operator has to decide.
 */
async function lookForStuck(shop: PaymentShop, refund: CardRefundRow, why: string): Promise<void> {
  const unbooked = await unbookedRefunds(shop, refund)
  const made = unbooked.kind === 'done' ? unbooked.value.find((told) => isProbably(refund, told)) : undefined
  const settled = made && (await settleCardRefund(shop, refund, made))
  if (settled === undefined || settled === 'name_taken') await callForDecision(shop, refund, why)
}

const isProbably = (refund: CardRefundRow, told: ProviderRefund): boolean =>
  told.reference === undefined
    ? told.amount === refund.amount && told.currency === refund.currency && told.status !== 'failed'
    : told.reference === refund.key

const callForDecision = (shop: PaymentShop, { id }: CardRefundRow, why: string): Promise<void> =>
  withRefund(shop, id, async (tx, { refund }) => {
    if (refund.status !== 'sending') return
    await markRefundStuck(tx, id)
    await tellOperator(tx, 'refund.stuck', refund, { reason: why })
  })

const tellOfWrongKey = ({ database }: PaymentShop, { provider, order_id: order, amount, currency }: CardRefundRow) =>
  raiseAlert(database, {
    kind: 'payment.not_allowed',
    subject: provider,
    details: { order, provider, amount, currency },
  })
