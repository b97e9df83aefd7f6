import type { DecidedRefund, RefundDecision } from '@olmos/contract/admin-payments'
import { Failure } from '@olmos/contract/failure'
import { toMajor } from '@olmos/contract/money'
import { resolveAlert } from '../../platform/alert.ts'
import { record } from '../../platform/audit.ts'
import type { Tx } from '../../platform/database.ts'
import { cardRefundNamed, noteProviderRefund } from '../payments/card-refund.ts'
import { type CardRefundRow, readCardRefund } from '../payments/card-refunds.store.ts'
import { failRefund, holdRefund } from './settle-card-refund.ts'

export interface RefundByHand {
  refundId: number
  decision: RefundDecision
  reason: string
  /** The provider's id of the refund. */
  reference?: string | undefined
  adminId: number
}

/**
 * Takes the word of an admin, who looked at the provider, about a refund to a card that is stuck: it was made, or it
 * was not and the wallet gets the money. Should the provider tell otherwise later, that is booked as made there and
 * told to the operator. Refuses with STATE_CONFLICT what is not stuck, or is being asked about just now.
 */
export async function decideRefund(tx: Tx, wanted: RefundByHand): Promise<DecidedRefund> {
  const { refundId, decision, reason, reference, adminId } = wanted
  if (!(await readCardRefund(tx, refundId))) throw new Failure('NOT_FOUND')
  const held = await holdRefund(tx, refundId)
  const { refund } = held
  if (refund.status !== 'sending' || !refund.is_stuck) throw new Failure('STATE_CONFLICT', { status: refund.status })
  if (refund.is_asked) throw new Failure('STATE_CONFLICT', { reason: 'being_asked' })
  if (decision === 'paid') await notePaid(tx, refund, reference)
  else await failRefund(tx, held)
  await resolveAlert(tx, 'refund.stuck', `card-refund:${refundId}`)
  const status = decision === 'paid' ? 'succeeded' : 'failed'
  await record(tx, {
    actorId: adminId,
    action: 'refund.decide',
    subject: `order:${refund.order_id}`,
    before: { card_refund_id: refundId, status: refund.status },
    after: { card_refund_id: refundId, status, to: decision === 'paid' ? 'card' : 'wallet', reference, reason },
  })
  return {
    id: refundId,
    order_id: refund.order_id,
    provider: refund.provider,
    amount: toMajor(refund.amount),
    currency: refund.currency,
    status,
  }
}

async function notePaid(tx: Tx, { id, provider }: CardRefundRow, providerRefundId: string | undefined): Promise<void> {
  if (!providerRefundId) throw new Failure('VALIDATION_FAILED', { reference: 'required' })
  if (await cardRefundNamed(tx, provider, providerRefundId)) {
    throw new Failure('STATE_CONFLICT', { reference: 'of_another_refund' })
  }
  await noteProviderRefund(tx, id, { status: 'succeeded', providerRefundId })
}
