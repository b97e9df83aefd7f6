import { itemStatuses, orderStatuses } from '@olmos/contract/orders'
import { describe, expect, test } from 'vitest'
import { isUnpaid, itemMoves, orderMoves, requireMove } from './order-states.ts'

describe('orders', () => {
  const allowed = [
    'awaiting_payment > pending',
    'awaiting_payment > completed',
    'awaiting_payment > expired',
    'expired > pending',
    'expired > completed',
    'pending > completed',
    'pending > partially_refunded',
    'pending > refunded',
    'completed > partially_refunded',
    'completed > refunded',
    'partially_refunded > refunded',
  ]
  const all = orderStatuses.flatMap((from) => orderStatuses.map((to) => [from, to] as const))

  test.each(all)('%s to %s', (from, to) => {
    const move = () => requireMove(orderMoves, from, to)
    if (allowed.includes(`${from} > ${to}`)) expect(move).not.toThrow()
    else expect(move).toThrow('STATE_CONFLICT')
  })

  test('wait for money, or no longer do', () => {
    expect(orderStatuses.filter(isUnpaid)).toEqual(['awaiting_payment', 'expired'])
  })
})

describe('items', () => {
  test('once refunded stay refunded, and are delivered once', () => {
    for (const to of itemStatuses) expect(() => requireMove(itemMoves, 'refunded', to)).toThrow('STATE_CONFLICT')
    const afterDelivery = itemStatuses.filter((to) => itemMoves.delivered.includes(to))
    expect(afterDelivery).toEqual(['refunded'])
  })

  test('that nobody paid for are not refunded', () => {
    for (const from of ['awaiting_payment', 'expired'] as const) {
      expect(() => requireMove(itemMoves, from, 'refunded')).toThrow('STATE_CONFLICT')
    }
  })
})
