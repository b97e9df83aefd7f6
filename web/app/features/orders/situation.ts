import type { Receipt } from '@olmos/contract/orders'
import { isOnlyTopups } from './order.rules.ts'

/** A state of an order that its receipt explains. */
export type Situation =
  | 'awaiting'
  | 'declined'
  | 'pending'
  | 'expired'
  | 'paidToBalance'
  | 'paidTwice'
  | 'atOperator'
  | 'refunded'
  | 'partlyRefunded'

/** None when the order is simply done. */
export function toSituation({
  status,
  is_declined,
  payment,
}: Pick<Receipt, 'status' | 'is_declined' | 'payment'>): Situation | undefined {
  // Money that the order could not take has come, in time or not, and the order waits on until its time is over.
  const isOpen = status === 'awaiting_payment' || status === 'expired'
  if (isOpen && payment?.settled_to === 'wallet') return 'paidToBalance'
  if (isOpen && payment?.settled_to === 'operator') return 'atOperator'
  if (status === 'awaiting_payment') return is_declined ? 'declined' : 'awaiting'
  if (status === 'completed' && payment?.is_paid_twice) return 'paidTwice'
  if (status === 'partially_refunded') return 'partlyRefunded'
  return status === 'completed' ? undefined : status
}

/** What there is to say of an order before anything else. */
export type OrderState = Exclude<Situation, 'paidTwice'> | 'unknown' | 'ready' | 'keptBack' | 'delivered'

/** An order that is paid twice is done; the second payment is a note on it. */
export function toOrderState(order: Receipt): OrderState {
  const situation = toSituation(order)
  if (situation === 'pending') return order.items.some(({ status }) => status === 'unknown') ? 'unknown' : 'pending'
  if (situation && situation !== 'paidTwice') return situation
  if (isOnlyTopups(order)) return 'delivered'
  return order.items.every(isKeptBack) ? 'keptBack' : 'ready'
}

/** Whether none of its codes may be seen for now. */
const isKeptBack = ({ quantity, held_codes, withheld_codes }: Receipt['items'][number]): boolean =>
  held_codes + withheld_codes >= quantity
