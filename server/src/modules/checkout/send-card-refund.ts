import { raiseAlert } from '../../platform/alert.ts'
import type { Tx } from '../../platform/database.ts'
import type { Outcome } from '../../platform/outcome.ts'
import {
  askForRefund,
  type CardRefundRow,
  cardRefundNamed,
  failCardRefund,
  holdCardRefund,
  noteProviderRefund,
} from '../payments/card-refund.ts'
import type { PaymentShop } from '../payments/open-payment.ts'
import type { PaymentProvider, ProviderRefund } from '../payments/provider.ts'
import { credit } from '../wallet/move-money.ts'
import { redirectRefunds } from './refunds.store.ts'

/** Sends one refund to the card, or asks how it stands. Without an answer it is tried again, by the job or by anyone. */
export async function sendCardRefund(shop: PaymentShop, id: number): Promise<void> {
  const asked = await askForRefund(shop, id)
  if (!asked) return
  const { refund, outcome, isStuck } = asked
  if (outcome.kind !== 'done') shop.log.warn({ refund: id, provider: refund.provider, outcome }, 'refund not confirmed')
  await shop.database.transaction(async (tx) => {
    if (isStuck) await callOperator(tx, 'refund.stuck', refund)
    if (outcome.kind !== 'unknown') await settle(tx, id, outcome)
  })
}

/** The same for a refund the provider itself speaks of; one it has confirmed may still fail days later. */
export async function settleRefund(
  shop: PaymentShop,
  provider: PaymentProvider,
  providerRefundId: string,
): Promise<void> {
  const known = await cardRefundNamed(shop.database, provider.name, providerRefundId)
  if (!known) return
  const outcome = await provider.readRefund(providerRefundId)
  if (outcome.kind === 'done') await shop.database.transaction((tx) => settle(tx, known.id, outcome))
}

async function settle(
  tx: Tx,
  id: number,
  outcome: Exclude<Outcome<ProviderRefund>, { kind: 'unknown' }>,
): Promise<void> {
  const refund = await holdCardRefund(tx, id)
  if (refund.status === 'failed') return
  if (outcome.kind === 'done' && outcome.value.status !== 'failed') {
    const isStepBack = refund.status === 'succeeded' && outcome.value.status === 'pending'
    if (!isStepBack) await noteProviderRefund(tx, id, outcome.value)
    return
  }
  await failCardRefund(tx, id)
  await giveToWallet(tx, refund)
  await callOperator(tx, 'refund.failed', refund)
}

/** What the card does not take back is the customer's all the same. */
async function giveToWallet(tx: Tx, refund: CardRefundRow): Promise<void> {
  await credit(tx, {
    userId: refund.user_id,
    currency: refund.currency,
    amount: refund.amount,
    kind: 'refund',
    shopAccount: 'card',
    orderId: refund.order_id,
    key: `card-refund-failed:${refund.id}`,
  })
  await redirectRefunds(tx, refund.id)
}

const callOperator = (tx: Tx, kind: string, refund: CardRefundRow) =>
  raiseAlert(tx, {
    kind,
    subject: `card-refund:${refund.id}`,
    details: { order: refund.order_id, provider: refund.provider, amount: refund.amount, currency: refund.currency },
  })
