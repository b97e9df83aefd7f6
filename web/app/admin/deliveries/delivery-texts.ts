import type { DeliveryState } from '@olmos/contract/deliveries'
import type { Tone } from '../../features/orders/order.rules.ts'
import type { DecisionName } from './deliveries.queries.ts'

export const stateTexts = {
  queued: 'admin.deliveries.state.queued',
  sent: 'admin.deliveries.state.sent',
  done: 'admin.deliveries.state.done',
  rejected: 'admin.deliveries.state.rejected',
  unknown: 'admin.deliveries.state.unknown',
} as const satisfies Record<DeliveryState, string>

export const stateTones: Record<DeliveryState, Tone> = {
  queued: 'wait',
  sent: 'wait',
  unknown: 'wait',
  done: 'good',
  rejected: 'bad',
}

export const decisionTexts = {
  complete: {
    label: 'admin.deliveries.complete.label',
    title: 'admin.deliveries.complete.title',
    text: 'admin.deliveries.complete.text',
    done: 'admin.deliveries.complete.done',
  },
  retry: {
    label: 'admin.deliveries.retry.label',
    title: 'admin.deliveries.retry.title',
    text: 'admin.deliveries.retry.text',
    done: 'admin.deliveries.retry.done',
  },
  refund: {
    label: 'admin.deliveries.refund.label',
    title: 'admin.deliveries.refund.title',
    text: 'admin.deliveries.refund.text',
    done: 'admin.deliveries.refund.done',
  },
} as const satisfies Record<DecisionName, Record<string, string>>
