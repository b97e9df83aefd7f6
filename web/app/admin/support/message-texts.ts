import type { SupportStatus } from '@olmos/contract/support'
import type { Tone } from '../../features/orders/order.rules.ts'

export const messageTexts = {
  open: 'admin.support.open',
  answered: 'admin.support.answered',
} as const satisfies Record<SupportStatus, string>

export const messageTones: Record<SupportStatus, Tone> = { open: 'wait', answered: 'good' }
