import type { Dispute, DisputeFunds } from '@olmos/contract/disputes'
import { Failure } from '@olmos/contract/failure'
import { toMajor } from '@olmos/contract/money'
import type { Queries, Tx } from '../../platform/database.ts'
import { isHolding } from './disputes.rules.ts'
import { type DisputeRow, disputesOfOrder, readDisputeChanges, readMoneyOf } from './disputes.store.ts'

/** The disputes of an order as an operator sees them. */
export const readDisputes = async (queries: Queries, orderId: string): Promise<Dispute[]> =>
  shownDisputes(queries, await disputesOfOrder(queries, orderId))

export async function shownDisputes(queries: Queries, rows: readonly DisputeRow[]): Promise<Dispute[]> {
  if (rows.length === 0) return []
  const changes = await readDisputeChanges(
    queries,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({
    id: row.id,
    order_id: row.order_id,
    payment_id: row.payment_id,
    provider: row.provider,
    provider_dispute_id: row.provider_dispute_id,
    kind: row.kind,
    status: row.status,
    funds: fundsOf(row),
    amount: toMajor(row.amount),
    currency: row.currency,
    reason: row.reason,
    due_by: row.due_by?.toISOString() ?? null,
    is_holding: row.released_at === null && isHolding(row.status),
    made_by: row.made_by,
    released_at: row.released_at?.toISOString() ?? null,
    released_by: row.released_by,
    created_at: row.created_at.toISOString(),
    history: changes
      .filter((change) => change.dispute_id === row.id)
      .map(({ dispute_id: _, at, ...change }) => ({ ...change, at: at.toISOString() })),
  }))
}

/** Where the money is by the shop's own books; what they can't tell, in a foreign currency, by the provider's word. */
const fundsOf = ({ transfers, funds }: DisputeRow): DisputeFunds =>
  transfers === 0 ? funds : transfers % 2 === 1 ? 'withdrawn' : 'reinstated'

export type RefundBarrier = 'disputed' | 'charged_back'

/**
 * Why this much of a held order, in minor units, can't be given back: its money is just being disputed, or the bank has
 * taken it back. None when it can.
 */
export async function refundBarrier(
  tx: Tx,
  order: { id: string; payment_method: string },
  amount: number,
): Promise<RefundBarrier | undefined> {
  if (order.payment_method !== 'card') return undefined
  const money = await readMoneyOf(tx, order.id)
  if (money.is_disputed) return 'disputed'
  const left = money.is_lost_unbooked ? 0 : money.paid - money.refunded - money.charged_back
  return amount > left ? 'charged_back' : undefined
}

/** Refuses a refund on top of what a bank has taken back, or is about to: STATE_CONFLICT. */
export async function requireRefundable(
  tx: Tx,
  order: { id: string; payment_method: string },
  amount: number,
): Promise<void> {
  const reason = await refundBarrier(tx, order, amount)
  if (reason) throw new Failure('STATE_CONFLICT', { reason })
}
