import { z } from 'zod'
import { adminEndpoint } from './endpoint.ts'
import { bigId, byBigId, time, toData } from './fields.ts'
import { currencies, shownAmountSchema } from './money.ts'

/** The calls that wait for a colleague's yes when they are above their caller's limit, by their operationId. */
export const approvedCalls = ['refundOrder', 'setOrderStatus', 'refundFilling', 'setBalanceOfUser'] as const
export type ApprovedCall = (typeof approvedCalls)[number]

const approvalDecisions = ['yes', 'no'] as const
export type ApprovalDecision = (typeof approvalDecisions)[number]

export const approval = z.object({
  id: bigId,
  call: z.enum(approvedCalls),
  /** What it is about: `order:7ZK3M9Q2XB`, or `user:17`. */
  subject: z.string(),
  /** Who owns the balance that is to be changed; null for an order. */
  nickname: z.string().nullable(),
  /** What it came to when it was asked for. */
  amount: shownAmountSchema,
  currency: z.enum(currencies),
  /** What was sent. */
  body: z.record(z.string(), z.unknown()),
  asked_by: z.string(),
  asked_at: time,
  /** Null while it waits. */
  decision: z.enum(approvalDecisions).nullable(),
  decided_by: z.string().nullable(),
  decided_at: time.nullable(),
})
export type Approval = z.infer<typeof approval>

export const approvalsApi = {
  one: adminEndpoint('GET /admin/approvals/:id', {
    operationId: 'readApproval',
    permission: 'alerts.write',
    summary: 'A refund or a change of a balance that was above the limit of who wanted it, and what was decided',
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
}
