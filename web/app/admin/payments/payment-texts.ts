import type { PaymentStatus } from '@olmos/contract/orders'
import type { Tone } from '../../features/orders/order.rules.ts'

export const paymentTexts = {
  opening: 'admin.payments.opening',
  open: 'admin.payments.open',
  succeeded: 'admin.payments.succeeded',
  canceled: 'admin.payments.canceled',
} as const satisfies Record<PaymentStatus, string>

export const paymentTones: Record<PaymentStatus, Tone> = {
  opening: 'wait',
  open: 'wait',
  succeeded: 'good',
  canceled: 'bad',
}

export const settledTexts = {
  order: 'admin.payments.toOrder',
  wallet: 'admin.payments.toWallet',
  operator: 'admin.payments.toOperator',
} as const
