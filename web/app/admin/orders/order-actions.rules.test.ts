import { expect, test } from 'vitest'
import {
  whyNoCharge,
  whyNoDecision,
  whyNoEnd,
  whyNoRefund,
  whyNoReplace,
  whyNotAllByHand,
} from './order-actions.rules.ts'

const line = (status: 'awaiting_payment' | 'pending' | 'delivered' | 'unknown' | 'refunded' | 'expired', left = 0) => ({
  status,
  left_amount: left,
})

test.each([
  ['completed', [line('delivered', 5), line('pending')], undefined],
  ['awaiting_payment', [line('awaiting_payment')], 'unpaid'],
  ['expired', [line('expired')], 'expired'],
  ['pending', [line('pending', 5)], 'under_way'],
  ['pending', [line('refunded'), line('unknown', 5)], 'under_way'],
  ['completed', [line('delivered', 0)], 'nothing_left'],
  ['refunded', [line('refunded')], 'nothing_left'],
] as const)('of an order that is %s a refund of %j meets %s', (status, items, why) => {
  expect(whyNoRefund({ status, items })).toBe(why)
})

test.each([
  ['awaiting_payment', undefined],
  ['expired', 'expired'],
  ['pending', 'paid'],
  ['completed', 'paid'],
] as const)('cancelling an order that is %s meets %s', (status, why) => {
  expect(whyNoEnd({ status })).toBe(why)
})

test.each([
  ['balance', 'completed', [], 'no_card'],
  ['card', 'awaiting_payment', [], 'unpaid'],
  ['card', 'expired', [], 'unpaid'],
  ['card', 'completed', [], undefined],
  ['card', 'completed', [{ kind: 'dispute', status: 'lost' }], 'charged_back'],
  ['card', 'completed', [{ kind: 'fraud_warning', status: 'open' }], undefined],
] as const)('a chargeback of an order by %s that is %s with %j meets %s', (payment_method, status, disputes, why) => {
  expect(whyNoCharge({ payment_method, status, disputes: disputes as never })).toBe(why)
})

const sold = { status: 'used', returned_at: null } as const
const returned = { status: 'quarantined', returned_at: '2026-01-01T00:00:00.000Z' } as const
test.each([
  ['topup', 'delivered', [], undefined],
  ['code', 'awaiting_payment', [], 'unpaid'],
  ['code', 'expired', [], 'expired'],
  ['code', 'pending', [], 'under_way'],
  ['code', 'unknown', [sold], 'under_way'],
  ['code', 'refunded', [returned], 'refunded'],
  ['code', 'delivered', [returned, sold], undefined],
  ['code', 'delivered', [returned], 'returned'],
] as const)('replacing a code of a %s that is %s with %j meets %s', (item_type, status, codes, why) => {
  expect(whyNoReplace({ item_type, status, codes })).toBe(why)
})

const at = '2026-01-01T00:00:00.000Z'
const waits = { service: 'pubg', operator_since: at, decided_at: null }
const isSent = { service: 'pubg', operator_since: null, decided_at: null }
const isDecided = { service: 'pubg', operator_since: null, decided_at: at }
test.each([
  ['no unit', [], 'not_begun', undefined],
  ['one that waits', [waits, isDecided], undefined, undefined],
  ['one that waits beside one under way', [waits, isSent], undefined, 'under_way'],
  ['a code that waits', [{ ...waits, service: 'code' }], undefined, 'codes'],
  ['one under way', [isSent, isDecided], 'under_way', 'under_way'],
  ['all decided', [isDecided], 'decided', undefined],
] as const)('of %s', (_what, units, decision, all) => {
  expect(whyNoDecision(units)).toBe(decision)
  expect(whyNotAllByHand(units)).toBe(all)
})
