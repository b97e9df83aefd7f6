import type { SupportStatus } from '@olmos/contract/support'
import type { Tone } from '../../features/orders/order.rules.ts'

export const messageTones: Record<SupportStatus, Tone> = { open: 'wait', answered: 'good' }
