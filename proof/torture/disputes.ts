import type { SandboxDisputeAction } from '@olmos/contract/payments'
import { sql } from '../../server/src/platform/database/queries.ts'
import { sendEvent, type Telling } from './bank.ts'
import { untilAnswered } from './inspection.ts'
import { bankFor, type Report, toSandboxReport } from './tellers.ts'
import type { Payment } from './ways.ts'

const mostTimes = 3

interface DisputeAtBank {
  id: string
  kind: string
  status: string
}

/** Disputes the payment at the sandbox, which then decides; both are told often, and in any order. */
export async function disputeAtBank(
  telling: Telling,
  payment: Payment,
  ending: Extract<SandboxDisputeAction, 'win_dispute' | 'lose_dispute'>,
): Promise<void> {
  const opened = await playAtBank(telling, payment, 'dispute')
  const ended = await playAtBank(telling, payment, ending)
  const reports = [...opened, ...ended].flatMap((report) =>
    Array.from({ length: telling.chance.between(1, mostTimes) }, () => report),
  )
  await Promise.all(
    reports.map((report) => sendEvent(telling, { payment: { ...payment, habit: 'in time' }, report, isRepeat: false })),
  )
}

/** Does it in the sandbox's own books, and makes the webhook of how the dispute stands then. */
async function playAtBank({ database }: Telling, payment: Payment, action: SandboxDisputeAction) {
  const at = new Date()
  await untilAnswered(() =>
    bankFor(database)
      .act(payment.id, action, at)
      .catch((error) => {
        // It was done before the database was gone for a moment; or the payment was not made.
        if (error?.code !== 'STATE_CONFLICT') throw error
      }),
  )
  const disputes = await untilAnswered(() =>
    database.rows<DisputeAtBank>(sql`
      SELECT id::text AS id, kind, status FROM sandbox_dispute WHERE payment_id = ${payment.id} AND kind = 'dispute'`),
  )
  const { id: name, key, amount, currency } = payment
  return disputes.map(({ id, kind, status }): (() => Report) =>
    toSandboxReport({
      id: `${kind}:${status}:${id}`,
      dispute: { id, kind, status, payment: name, key, amount, currency, at: at.toISOString() },
    }),
  )
}
