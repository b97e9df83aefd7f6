import type { DeliveryState } from '@olmos/contract/deliveries'
import type { Tone } from '../../features/orders/order.rules.ts'

export const deliveryStateTones: Record<DeliveryState, Tone> = {
  queued: 'wait',
  sent: 'wait',
  done: 'good',
  rejected: 'bad',
  unknown: 'wait',
}
