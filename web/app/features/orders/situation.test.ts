import type { OrderStatus, Receipt } from '@olmos/contract/orders'
import { expect, test } from 'vitest'
import { toSituation } from './situation.ts'

const payment = (status: string, settled_to: string | null = null, is_paid_twice = false) =>
  ({ status, settled_to, pay_url: null, expires_at: null, is_paid_twice }) as Receipt['payment']

test.each<[OrderStatus, Receipt['payment'], string | undefined]>([
  ['completed', null, undefined],
  ['completed', payment('succeeded', 'order'), undefined],
  ['completed', payment('succeeded', 'order', true), 'paidTwice'],
  ['pending', null, 'pending'],
  ['awaiting_payment', payment('open'), 'awaiting'],
  ['awaiting_payment', payment('canceled'), 'declined'],
  ['awaiting_payment', null, 'awaiting'],
  ['expired', payment('open'), 'expired'],
  ['expired', payment('succeeded', 'wallet'), 'paidLate'],
  ['expired', payment('succeeded', 'operator'), 'atOperator'],
  ['refunded', null, 'refunded'],
  ['partially_refunded', null, 'partlyRefunded'],
])('%s with %j is told as %s', (status, paid, situation) => {
  expect(toSituation({ status, payment: paid })).toBe(situation)
})
