import { Failure } from '@olmos/contract/failure'
import type { SandboxAction, SandboxDisputeAction } from '@olmos/contract/payments'
import { z } from 'zod'
import type { Tx } from '../../platform/database/database.ts'
import { vendorName } from '../../platform/vendor/vendor.ts'
import type { ToldDispute } from './provider.ts'
import { playSandboxDispute, type SandboxDispute, type SandboxPayment } from './sandbox.store.ts'

const moves = {
  dispute: { kind: 'dispute', from: null, to: 'open' },
  win_dispute: { kind: 'dispute', from: 'open', to: 'won' },
  lose_dispute: { kind: 'dispute', from: 'open', to: 'lost' },
  fraud_warning: { kind: 'fraud_warning', from: null, to: 'open' },
} as const satisfies Record<SandboxDisputeAction, object>

export const isDisputeAction = (action: SandboxAction): action is SandboxDisputeAction => Object.hasOwn(moves, action)

/** For so many days the sandbox takes evidence. */
const evidenceDays = 7

/** The bank of the sandbox takes the money of a paid payment at once, and gives it back when the shop wins. */
export const sandboxDispute = z.object({
  id: vendorName(128),
  dispute: z.object({
    id: z.uuid(),
    kind: z.enum(['dispute', 'fraud_warning']),
    status: z.enum(['open', 'won', 'lost']),
    payment: z.uuid(),
    key: vendorName(128),
    amount: z.int().positive(),
    currency: vendorName(8),
    at: z.iso.datetime(),
  }),
})

/** Refuses what a bank can't do now: STATE_CONFLICT. Answers what the sandbox tells of it. The caller holds the payment. */
export async function playDispute(
  tx: Tx,
  payment: SandboxPayment,
  action: SandboxDisputeAction,
  now: Date,
): Promise<object> {
  if (payment.status !== 'succeeded') throw new Failure('STATE_CONFLICT', { status: payment.status })
  const played = await playSandboxDispute(tx, payment.id, moves[action])
  if (!played) throw new Failure('STATE_CONFLICT', { dispute: payment.dispute ?? 'none' })
  return sandboxDisputeBody(played, payment, now)
}

function sandboxDisputeBody(
  { id, kind, status }: SandboxDispute,
  payment: Pick<SandboxPayment, 'id' | 'key' | 'amount' | 'currency'>,
  at: Date,
): z.input<typeof sandboxDispute> {
  const { id: paymentId, key, amount, currency } = payment
  const dispute = { id, kind, status, payment: paymentId, key, amount, currency, at: at.toISOString() }
  return { id: `${kind}:${status}:${id}`, dispute }
}

const dayMs = 24 * 3_600_000

export function toldBySandbox({ dispute }: z.output<typeof sandboxDispute>): ToldDispute {
  const at = new Date(dispute.at)
  const isDispute = dispute.kind === 'dispute'
  return {
    providerDisputeId: dispute.id,
    kind: dispute.kind,
    status: dispute.status,
    funds: isDispute ? (dispute.status === 'won' ? 'reinstated' : 'withdrawn') : 'untouched',
    amount: dispute.amount,
    currency: dispute.currency,
    reason: 'fraudulent',
    dueBy: isDispute && dispute.status === 'open' ? new Date(at.getTime() + evidenceDays * dayMs) : undefined,
    at,
    payment: { providerPaymentId: dispute.payment, reference: dispute.key },
    otherNames: [],
  }
}
