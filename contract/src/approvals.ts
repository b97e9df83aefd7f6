import { z } from 'zod'
import { adminEndpoint } from './endpoint.ts'
import { bigId, byBigId, time, toData } from './fields.ts'
import { currencies, shownAmountSchema } from './money.ts'

/** The calls that wait for a colleague's yes when they are above their caller's limit, by their operationId. */
export const approvedCalls = [
  'refundOrder',
  'setOrderStatus',
  'refundFilling',
  'refundDelivery',
  'setBalanceOfUser',
  'topUpOwnBalance',
  'confirmPayment',
  'decideCardRefund',
  'replaceCodeOfOrder',
] as const
export type ApprovedCall = (typeof approvedCalls)[number]

const approvalDecisions = ['yes', 'no'] as const
export type ApprovalDecision = (typeof approvalDecisions)[number]

/** What became of it: a colleague's word, a change of mind of who asked, or nobody's answer in time. */
export const approvalEnds = [...approvalDecisions, 'withdrawn', 'expired'] as const
export type ApprovalEnd = (typeof approvalEnds)[number]

export const approval = z.object({
  id: bigId,
  call: z.enum(approvedCalls),
  /** What it is about: `order:7ZK3M9Q2XB`, `delivery:17`, or `user:17`. */
  subject: z.string(),
  /** Who owns the balance that is to be changed; null for an order and a delivery. */
  nickname: z.string().nullable(),
  /** What it came to when it was asked for. */
  amount: shownAmountSchema,
  currency: z.enum(currencies),
  /** What was sent. */
  body: z.record(z.string(), z.unknown()),
  asked_by: z.string(),
  /** Whether the caller asked for it. */
  is_own: z.boolean(),
  asked_at: time,
  /** Until when a colleague may say yes. */
  expires_at: time,
  /** Null while it waits. */
  decision: z.enum(approvalEnds).nullable(),
  /** Null too when time ended it. */
  decided_by: z.string().nullable(),
  decided_at: time.nullable(),
})
export type Approval = z.infer<typeof approval>

export const approvalsApi = {
  one: adminEndpoint('GET /admin/approvals/:id', {
    operationId: 'readApproval',
    permission: 'alerts.write',
    summary: 'What was above the limit of who wanted it, such as a refund, and what was decided',
    params: byBigId,
    answer: toData(approval),
  }),
  decide: adminEndpoint('POST /admin/approvals/:id/decide', {
    operationId: 'decideApproval',
    permission: 'approvals.write',
    refusals: [
      'NOT_FOUND',
      'USER_NOT_FOUND',
      'CODE_NOT_FOUND',
      'INSUFFICIENT_BALANCE',
      'OUT_OF_STOCK',
      'STATE_CONFLICT',
      'PAYMENT_PROVIDER_UNAVAILABLE',
    ],
    confirmed: true,
    summary:
      'Says no to it, or makes it happen as a call of one’s own, by somebody else whose role may do it and whose limits allow it',
    params: byBigId,
    body: z.strictObject({ decision: z.enum(approvalDecisions) }),
    answer: toData(approval),
    idempotent: true,
  }),
  withdraw: adminEndpoint('POST /admin/approvals/:id/withdraw', {
    operationId: 'withdrawApproval',
    permission: 'own',
    refusals: ['STATE_CONFLICT'],
    summary: 'Takes back what one asked for oneself, while nobody has decided it',
    params: byBigId,
    answer: toData(approval),
  }),
}
