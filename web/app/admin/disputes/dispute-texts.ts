import type { DisputeFlag, DisputeFunds } from '@olmos/contract/disputes'
import type { Tone } from '../../features/orders/order.rules.ts'
import type { DisputeDecision } from './disputes.queries.ts'

export const flagTexts = {
  open: 'admin.disputes.flag.open',
  inquiry: 'admin.disputes.flag.inquiry',
  lost: 'admin.disputes.flag.lost',
  fraud_warning: 'admin.disputes.flag.fraud_warning',
  won: 'admin.disputes.flag.won',
  closed: 'admin.disputes.flag.closed',
} as const satisfies Record<DisputeFlag, string>

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

export const fundsTexts = {
  untouched: 'admin.disputes.funds.untouched',
  withdrawn: 'admin.disputes.funds.withdrawn',
  reinstated: 'admin.disputes.funds.reinstated',
} as const satisfies Record<DisputeFunds, string>

export const decisionTexts = {
  won: {
    label: 'admin.disputes.win',
    title: 'admin.disputes.winTitle',
    text: 'admin.disputes.winText',
    done: 'admin.disputes.wonDone',
  },
  lost: {
    label: 'admin.disputes.lose',
    title: 'admin.disputes.loseTitle',
    text: 'admin.disputes.loseText',
    done: 'admin.disputes.lostDone',
  },
  release: {
    label: 'admin.disputes.release',
    title: 'admin.disputes.releaseTitle',
    text: 'admin.disputes.releaseText',
    done: 'admin.disputes.releasedDone',
  },
} as const satisfies Record<DisputeDecision, Record<string, string>>
