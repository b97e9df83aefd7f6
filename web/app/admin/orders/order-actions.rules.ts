import { isTakenBack } from '../disputes/DisputeBadge.tsx'
import type { OrderDetail, OrderDetailItem } from './orders.queries.ts'
import { isRefundable } from './refund-lines.rules.ts'

/** Why nothing of an order can be refunded; undefined where something can. */
export function whyNoRefund({
  status,
  items,
}: {
  status: OrderDetail['status']
  items: readonly Pick<OrderDetailItem, 'status' | 'left_amount'>[]
}): 'unpaid' | 'expired' | 'under_way' | 'nothing_left' | undefined {
  if (items.some(isRefundable)) return undefined
  if (status === 'awaiting_payment') return 'unpaid'
  if (status === 'expired') return 'expired'
  return items.some((item) => isUnderWay(item.status)) ? 'under_way' : 'nothing_left'
}

const isUnderWay = (status: OrderDetailItem['status']) => status === 'pending' || status === 'unknown'

/** Why an order can't be cancelled; undefined while it is unpaid. */
export function whyNoEnd({ status }: Pick<OrderDetail, 'status'>): 'paid' | 'expired' | undefined {
  if (status === 'awaiting_payment') return undefined
  return status === 'expired' ? 'expired' : 'paid'
}

/** Why no chargeback can be recorded against an order; undefined where one can. */
export function whyNoCharge({
  payment_method,
  status,
  disputes,
}: Pick<OrderDetail, 'payment_method' | 'status' | 'disputes'>): 'no_card' | 'unpaid' | 'charged_back' | undefined {
  if (payment_method !== 'card') return 'no_card'
  if (status === 'awaiting_payment' || status === 'expired') return 'unpaid'
  const isCharged = disputes.some(({ kind, status: state }) => kind === 'dispute' && isTakenBack(state))
  return isCharged ? 'charged_back' : undefined
}

type Code = Pick<OrderDetailItem['codes'][number], 'status' | 'returned_at'>

export const isReplaceable = ({ status, returned_at }: Code): boolean => status === 'used' && returned_at === null

/** Why no code of a line can be replaced; undefined where one can, and for a top-up, which has none. */
export function whyNoReplace({
  item_type,
  status,
  codes,
}: Pick<OrderDetailItem, 'item_type' | 'status'> & { codes: readonly Code[] }):
  | 'unpaid'
  | 'expired'
  | 'under_way'
  | 'refunded'
  | 'returned'
  | undefined {
  if (item_type !== 'code') return undefined
  if (status === 'awaiting_payment') return 'unpaid'
  if (status === 'expired' || status === 'refunded') return status
  if (isUnderWay(status)) return 'under_way'
  return codes.some(isReplaceable) ? undefined : 'returned'
}

interface Unit {
  service: string
  operator_since: string | null
  decided_at: string | null
}

/** Why nothing of an order's deliveries can be decided; undefined where something can. */
export function whyNoDecision(units: readonly Unit[]): 'not_begun' | 'decided' | 'under_way' | undefined {
  if (units.some(({ operator_since }) => operator_since !== null)) return undefined
  if (units.length === 0) return 'not_begun'
  return units.every(({ decided_at }) => decided_at !== null) ? 'decided' : 'under_way'
}

/**
 * Why an order can't be completed at once although something of it waits: what is still under way may yet be delivered by
 * itself, and a code is given with its own delivery.
 */
export function whyNotAllByHand(units: readonly Unit[]): 'under_way' | 'codes' | undefined {
  const undecided = units.filter(({ decided_at }) => decided_at === null)
  if (undecided.some(({ operator_since }) => operator_since === null)) return 'under_way'
  return undecided.some(({ service }) => service === 'code') ? 'codes' : undefined
}
