import { Failure } from '@olmos/contract/failure'
import type { ItemStatus, OrderStatus } from '@olmos/contract/orders'

/** Where an order may go from where it is. Money may come after its time, so an expired order is not at its end. */
export const orderMoves: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  awaiting_payment: ['pending', 'completed', 'expired'],
  expired: ['pending', 'completed'],
  pending: ['completed', 'partially_refunded', 'refunded'],
  completed: ['partially_refunded', 'refunded'],
  partially_refunded: ['refunded'],
  refunded: [],
}

export const itemMoves: Readonly<Record<ItemStatus, readonly ItemStatus[]>> = {
  awaiting_payment: ['pending', 'delivered', 'expired'],
  expired: ['pending', 'delivered'],
  pending: ['delivered', 'unknown', 'refunded'],
  unknown: ['pending', 'delivered', 'refunded'],
  delivered: ['refunded'],
  refunded: [],
}

/** Refuses every move that is not in the table: STATE_CONFLICT. */
export function requireMove<Status extends string>(
  moves: Readonly<Record<Status, readonly Status[]>>,
  from: Status,
  to: Status,
): void {
  if (!moves[from].includes(to)) throw new Failure('STATE_CONFLICT', { status: from, wanted: to })
}

/** Waits for money, or no longer does. */
export const isUnpaid = (status: OrderStatus): boolean => status === 'awaiting_payment' || status === 'expired'
