import type { DisputeFunds, DisputeStatus } from '@olmos/contract/disputes'

interface DisputeState {
  status: DisputeStatus
  funds: DisputeFunds
  /** When it happened. */
  at: Date
}

const fundsInOrder: readonly DisputeFunds[] = ['untouched', 'withdrawn', 'reinstated']
const isOver = (status: DisputeStatus): boolean => status !== 'inquiry' && status !== 'open'

/**
 * Merges a provider's event into what is known of a dispute, in whatever order events arrive: the newest counts, and
 * within one second the one that ends it. An older event still proves that money had moved.
 */
export function mergeDispute(known: DisputeState, reported: DisputeState): DisputeState {
  const isNewer = reported.at.getTime() > known.at.getTime()
  const isOfSameTime = reported.at.getTime() === known.at.getTime()
  const isNewest = isNewer || (isOfSameTime && (isOver(reported.status) || !isOver(known.status)))
  const furthest =
    fundsInOrder.indexOf(reported.funds) > fundsInOrder.indexOf(known.funds) ? reported.funds : known.funds
  return {
    status: isNewest ? reported.status : known.status,
    funds: isNewer && reported.funds !== 'untouched' ? reported.funds : furthest,
    at: isNewer ? reported.at : known.at,
  }
}

export type DisputeTransfer = 'chargeback' | 'chargeback_reversal'

/**
 * Lists the transfers that are still missing, in their order: money goes and comes back by turns, so the number of
 * transfers made says where it is. What came back had gone before, whether an event reported it or not.
 */
export function transfersMissing(
  { status, funds }: Pick<DisputeState, 'status' | 'funds'>,
  made: number,
): DisputeTransfer[] {
  const isGone =
    status === 'lost' ||
    (status !== 'won' && status !== 'closed' && (funds === 'withdrawn' || (funds === 'untouched' && made % 2 === 1)))
  const hasMoved = status === 'lost' || funds !== 'untouched' || made > 0
  if (!hasMoved) return []
  const least = Math.max(made, 1)
  const wanted = (least % 2 === 1) === isGone ? least : least + 1
  return Array.from({ length: wanted - made }, (_, index) =>
    (made + index) % 2 === 0 ? 'chargeback' : 'chargeback_reversal',
  )
}

/**
 * Whether it freezes the buyer, as long as no operator has released it. A lost one does: its codes were not paid for.
 */
export const isFreezing = (status: DisputeStatus): boolean => status !== 'won' && status !== 'closed'
