import type { PaymentStatus } from '@olmos/contract/orders'
import type { Tone } from '../../features/orders/order.rules.ts'

export const paymentTones: Record<PaymentStatus, Tone> = {
  opening: 'wait',
  open: 'wait',
  succeeded: 'good',
  canceled: 'bad',
}
