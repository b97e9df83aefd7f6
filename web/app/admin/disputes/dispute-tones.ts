import type { DisputeFlag } from '@olmos/contract/disputes'
import type { Tone } from '../../features/orders/order.rules.ts'

export const flagTones: Record<DisputeFlag, Tone> = {
  open: 'bad',
  inquiry: 'wait',
  lost: 'bad',
  fraud_warning: 'bad',
  won: 'good',
  closed: 'good',
}

/** The bank has the money, or may still take it: there is nothing to write down by hand. */
export const isTakenBack = (flag: DisputeFlag | null): boolean =>
  flag === 'open' || flag === 'inquiry' || flag === 'lost'
