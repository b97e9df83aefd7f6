import type { OrderStatus, Receipt } from '@olmos/contract/orders'
import { expect, test } from 'vitest'
import { toOrderState, toSituation } from './situation.ts'

const payment = (status: string, settled_to: string | null = null, is_paid_twice = false) =>
  ({ status, settled_to, pay_url: null, expires_at: null, is_paid_twice }) as Receipt['payment']

test.each<[OrderStatus, Receipt['payment'], string | undefined, boolean?]>([
  ['completed', null, undefined],
  ['completed', payment('succeeded', 'order'), undefined],
  ['completed', payment('succeeded', 'order', true), 'paidTwice'],
  ['pending', null, 'pending'],
  ['awaiting_payment', payment('open'), 'awaiting'],
  ['awaiting_payment', payment('canceled'), 'declined', true],
  ['awaiting_payment', payment('canceled'), 'awaiting'],
  ['awaiting_payment', null, 'awaiting'],
  ['awaiting_payment', payment('succeeded', 'wallet'), 'paidToBalance'],
  ['awaiting_payment', payment('succeeded', 'operator'), 'atOperator'],
  ['expired', payment('open'), 'expired'],
  ['expired', payment('succeeded', 'wallet'), 'paidToBalance'],
  ['expired', payment('succeeded', 'operator'), 'atOperator'],
  ['refunded', null, 'refunded'],
  ['partially_refunded', null, 'partlyRefunded'],
])('%s with %j is told as %s', (status, paid, situation, is_declined = false) => {
  expect(toSituation({ status, is_declined, payment: paid })).toBe(situation)
})

test.each([
  ['completed', 'code', ['delivered'], 'ready'],
  ['completed', 'topup', ['delivered'], 'delivered'],
  ['pending', 'topup', ['delivered', 'pending'], 'pending'],
  ['pending', 'topup', ['pending', 'unknown'], 'unknown'],
  ['pending', 'code', ['pending'], 'pending'],
  ['refunded', 'topup', ['refunded'], 'refunded'],
] as const)(
  'an order that is %s, of items of type %s that are %j, says first that it is %s',
  (status, item_type, states, said) => {
    const items = states.map((one) => ({ item_type, status: one }))
    expect(toOrderState({ status, payment: null, items } as unknown as Receipt)).toBe(said)
  },
)

test('what is paid twice is done all the same', () => {
  const order = { status: 'completed', payment: payment('succeeded', 'order', true), items: [{ item_type: 'code' }] }
  expect(toOrderState(order as Receipt)).toBe('ready')
})

test('an order whose codes are all kept back does not say that they are ready', () => {
  const toOrder = (...kept: number[]) =>
    ({
      status: 'completed',
      payment: null,
      items: kept.map((held_codes) => ({ item_type: 'code', quantity: 2, held_codes, withheld_codes: 0 })),
    }) as unknown as Receipt
  expect(toOrderState(toOrder(2, 2))).toBe('keptBack')
  expect(toOrderState(toOrder(2, 1))).toBe('ready')
})
