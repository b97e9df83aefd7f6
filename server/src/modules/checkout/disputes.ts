import type { Dispute, disputesApi } from '@olmos/contract/disputes'
import type { RequestBody } from '@olmos/contract/endpoint'
import { Failure } from '@olmos/contract/failure'
import { toMajor, toMinor } from '@olmos/contract/minor-units'
import type { Tx } from '../../platform/database/queries.ts'
import { raiseAlert } from '../../platform/live/alert.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { isCustomerFrozen } from '../accounts/change-user.ts'
import { requireOthers } from '../accounts/staff.ts'
import { lockCartVersion } from '../cart/cart.ts'
import { resumeDeliveries } from '../delivery/deliveries.ts'
import { lockOrder, requireCartAndOrder } from '../orders/order-states.ts'
import {
  type DisputeRow,
  findDispute,
  findPaidOrderPayment,
  findPaidPayment,
  shownDisputes,
} from '../payments/disputes.ts'
import { liftFreeze, noteDispute } from '../payments/note-dispute.ts'
import type { PaymentShop } from '../payments/open-payment.ts'
import { findPayment } from '../payments/payments.ts'
import type { PaymentProvider, ProviderName, ReportedDispute } from '../payments/provider.ts'
import { settleReturned } from './book-outside.ts'
import { settlePayment } from './settle-payment.ts'

/**
 * Reads a dispute at its provider again where that is possible, and settles it. Returns false if the provider could not
 * say which payment it is about, and so has to report it once more. Money that the store has not heard of yet is asked
 * for first.
 */
export async function receiveDispute(
  shop: PaymentShop,
  provider: PaymentProvider,
  told: ReportedDispute,
  now: Date,
): Promise<boolean> {
  const read = await (provider.readDispute?.(told, now) ?? { kind: 'done' as const, value: told })
  if (read.kind === 'unknown') return false
  const dispute = read.kind === 'done' ? read.value : told
  const found = dispute.payment && (await findPayment(shop.database, provider.name, dispute.payment))
  if (found && found.status !== 'succeeded' && dispute.payment && provider.readPayment) {
    const { providerPaymentId } = dispute.payment
    const asked = await provider.readPayment(providerPaymentId)
    if (asked.kind === 'unknown') return false
    if (asked.kind === 'done') {
      const word = { key: `${asked.value.status}:${providerPaymentId}`, snapshot: asked.value }
      await shop.database.transaction((tx) => settlePayment(tx, provider.name, word))
    }
  }
  await shop.database.transaction((tx) => settleDispute(tx, provider.name, dispute))
  return true
}

/**
 * Does what a provider's report about a dispute or a fraud warning requires, once, whatever was reported before. The
 * customer's cart and the order are locked, in this order, as by every settlement. A report about a payment that the
 * shop did not take raises an alert.
 */
async function settleDispute(tx: Tx, provider: ProviderName, told: ReportedDispute): Promise<void> {
  const found = told.payment && (await findPayment(tx, provider, told.payment))
  if (!found) return alertStranger(tx, provider, told)
  await lockCartVersion(tx, found.user_id)
  await lockOrder(tx, found.order_id)
  const paid = await findPaidPayment(tx, found.id)
  if (!paid) return alertStranger(tx, provider, told)
  const { dispute } = await noteDispute(tx, paid, told, null)
  await resume(tx, dispute)
}

/** Resumes what was stopped for a customer who is no longer frozen, and settles an order whose money is back. */
async function resume(tx: Tx, { user_id: userId, order_id: orderId, transfers }: DisputeRow): Promise<void> {
  if (!(await isCustomerFrozen(tx, userId))) await resumeDeliveries(tx, userId)
  const order = transfers > 0 && transfers % 2 === 0 && (await lockOrder(tx, orderId))
  if (order) await settleReturned(tx, order)
}

const alertStranger = (tx: Tx, provider: ProviderName, told: ReportedDispute) =>
  raiseAlert(tx, {
    kind: 'payment.dispute_unknown',
    subject: `${provider}:${told.providerDisputeId}`,
    details: { provider, amount: told.amount, currency: told.currency, reason: told.reason, status: told.status },
  })

interface DisputeByHand extends RequestBody<typeof disputesApi.open> {
  orderId: string
  adminId: number
  now: Date
}

/**
 * Records a dispute that no webhook reported: the bank took the money of a card order back, or is about to. It has the
 * effect of a webhook. Refuses with STATE_CONFLICT what was not paid by card or has that reference already, and with
 * INVALID_AMOUNT more than was paid.
 */
export async function openDispute(tx: Tx, { adminId, now, ...wanted }: DisputeByHand): Promise<Dispute> {
  const order = await requireCartAndOrder(tx, wanted.orderId)
  const paid = await findPaidOrderPayment(tx, order.id)
  if (!paid) throw new Failure('STATE_CONFLICT', { reason: 'not_paid_by_card', to: 'not_paid_by_card' })
  const amount = wanted.amount === undefined ? paid.booked_amount : toMinor(wanted.amount)
  if (amount <= 0 || amount > paid.booked_amount) throw new Failure('INVALID_AMOUNT', { amount: 'above_paid' })
  const told: ReportedDispute = {
    providerDisputeId: wanted.reference,
    kind: 'dispute',
    status: wanted.status,
    funds: wanted.status === 'lost' ? 'withdrawn' : 'untouched',
    amount,
    currency: paid.booked_currency,
    reason: wanted.reason,
    dueBy: wanted.due_by === undefined ? undefined : new Date(wanted.due_by),
    at: now,
    payment: { providerPaymentId: paid.provider_payment_id, reference: undefined },
    otherNames: [],
  }
  const { dispute, isNew } = await noteDispute(tx, paid, told, adminId)
  if (!isNew)
    throw new Failure('STATE_CONFLICT', { reason: 'reference_of_another_dispute', reference: 'of_another_dispute' })
  return conclude(tx, 'dispute.open', undefined, dispute, { adminId, reason: wanted.reason })
}

interface DisputeDecision {
  id: number
  adminId: number
  reason: string
}

/**
 * Records how a dispute ended, as an admin says, and books its money. A webhook that comes later overrides it. Whose own order
 * it is about does not say it, unless without any limit.
 */
export async function decideDispute(
  tx: Tx,
  { id, status, now, ...decision }: DisputeDecision & { status: 'won' | 'lost'; now: Date },
): Promise<Dispute> {
  const before = await lockDisputed(tx, id)
  await requireOthers(tx, decision, before.user_id)
  if (before.kind !== 'dispute' || before.status === status) {
    throw new Failure('STATE_CONFLICT', { reason: `dispute_${before.status}`, dispute: before.status })
  }
  const paid = await findPaidPayment(tx, before.payment_id)
  if (!paid) throw new Error(`dispute ${id} is about no payment`)
  const told: ReportedDispute = {
    providerDisputeId: before.provider_dispute_id,
    kind: before.kind,
    status,
    funds: 'untouched',
    amount: before.amount,
    currency: before.currency,
    reason: before.reason,
    dueBy: undefined,
    // An operator decides on what the provider reported last, whatever its clock says.
    at: new Date(Math.max(now.getTime(), before.told_at.getTime() + 1)),
    payment: undefined,
    otherNames: [],
  }
  const { dispute } = await noteDispute(tx, paid, told, decision.adminId)
  return conclude(tx, 'dispute.decide', before, dispute, decision)
}

/**
 * Unfreezes the buyer on another admin's word, whatever becomes of the dispute, and clears a fraud warning. Who has no limit
 * may do it for oneself.
 */
export async function releaseDispute(tx: Tx, { id, ...decision }: DisputeDecision): Promise<Dispute> {
  const before = await lockDisputed(tx, id)
  await requireOthers(tx, decision, before.user_id)
  const [{ is_holding } = { is_holding: false }] = await shownDisputes(tx, [before])
  if (!is_holding) throw new Failure('STATE_CONFLICT', { reason: 'buyer_not_frozen', dispute: 'not_holding' })
  await liftFreeze(tx, before, decision.adminId)
  const after = await findDispute(tx, id)
  return conclude(tx, 'dispute.release', before, after ?? before, decision)
}

async function lockDisputed(tx: Tx, id: number): Promise<DisputeRow> {
  const found = await findDispute(tx, id)
  if (!found) throw new Failure('NOT_FOUND')
  await lockCartVersion(tx, found.user_id)
  await lockOrder(tx, found.order_id)
  const dispute = await findDispute(tx, id)
  return dispute ?? found
}

async function conclude(
  tx: Tx,
  action: 'dispute.open' | 'dispute.decide' | 'dispute.release',
  before: DisputeRow | undefined,
  after: DisputeRow,
  { adminId, reason }: Pick<DisputeDecision, 'adminId' | 'reason'>,
): Promise<Dispute> {
  await resume(tx, after)
  await writeAudit(tx, {
    actorId: adminId,
    action,
    subject: `order:${after.order_id}`,
    ...(before && { before: { dispute_id: before.id, status: before.status } }),
    after: {
      dispute_id: after.id,
      reference: after.provider_dispute_id,
      status: after.status,
      amount: toMajor(after.amount),
      currency: after.currency,
      reason,
    },
  })
  const [shown] = await shownDisputes(tx, [after])
  if (!shown) throw new Error(`dispute ${after.id} is gone`)
  return shown
}
