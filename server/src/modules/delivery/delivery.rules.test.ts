import { describe, expect, test } from 'vitest'
import { done, type Outcome, rejected, unknown } from '../../platform/vendor/vendor.ts'
import type { SupplierOrder } from '../topups/supplier.ts'
import { lookUpBackoff, nextRoute, type Tried, toItemStatus, toOrderStatus, toVerdict } from './delivery.rules.ts'

const order = (status: SupplierOrder['status']) => done({ supplierOrderId: 'o1', status })

describe('what an answer means', () => {
  test.each<[string, 'submit' | 'look_up', Outcome<SupplierOrder>, number, string]>([
    ['a delivered order is done', 'submit', order('done'), 0, 'done'],
    ['one that is looked up as delivered, too', 'look_up', order('done'), 90, 'done'],
    ['one under way is pending', 'submit', order('pending'), 0, 'pending'],
    ['a failed one is rejected', 'look_up', order('failed'), 90, 'rejected'],
    ['a no is a no', 'submit', rejected('player_not_found'), 0, 'rejected'],
    ['silence is unknown', 'submit', unknown('timeout'), 0, 'unknown'],
    ['silence on a look-up is unknown', 'look_up', unknown('timeout'), 900, 'unknown'],
    ['not to be found after a while means that it never arrived', 'look_up', rejected('not_found'), 60, 'not_found'],
    ['not to be found right away means nothing', 'look_up', rejected('not_found'), 59, 'unknown'],
    ['any other no to a look-up means nothing', 'look_up', rejected('forbidden'), 900, 'unknown'],
    ['an order is not rejected by not being found', 'submit', rejected('not_found'), 900, 'rejected'],
  ])('%s', (_, kind, answer, ageSeconds, verdict) => {
    expect(toVerdict(answer, { kind, ageSeconds, settlesWithinSeconds: 60 }).is).toBe(verdict)
  })
})

test.each([
  [0, 5],
  [1, 10],
  [5, 160],
  [6, 320],
  [7, 600],
  [5_000, 600],
])('after %i look-ups the next is in %i s', (lookUps, seconds) => expect(lookUpBackoff(lookUps)).toBe(seconds))

describe('the next route', () => {
  const machine = (name: 'sandbox' | 'fazercards' | 'kinguin', redeemsCodes = false) =>
    ({ name, sells: ['pubg', 'freefire'], redeemsCodes }) as const
  const manual = { name: 'manual', sells: ['pubg', 'freefire', 'steam'], redeemsCodes: false } as const
  const all = [machine('sandbox', true), machine('fazercards'), manual]
  const no = (supplier: string): Tried => ({ supplier, isPool: false, why: 'refused' })
  const badCode: Tried = { supplier: 'sandbox', isPool: true, why: 'code_refused' }
  const ways = { wanted: 'pubg', suppliers: all, tried: [], out: new Set<string>(), hasPool: false } as const

  test.each([
    ['the first supplier', {}, 'supplier sandbox'],
    ['the pool before all suppliers', { hasPool: true }, 'pool sandbox'],
    ['the next code after one that was refused', { hasPool: true, tried: [badCode] }, 'pool sandbox'],
    ['a supplier after ten of them', { hasPool: true, tried: Array(10).fill(badCode) }, 'supplier sandbox'],
    [
      'a supplier when the pool has no use for the player',
      { hasPool: true, tried: [{ ...badCode, why: 'player_not_found' }] },
      'supplier sandbox',
    ],
    ['a supplier when nobody redeems', { hasPool: true, suppliers: all.slice(1) }, 'supplier fazercards'],
    ['the second after the first', { tried: [no('sandbox')] }, 'supplier fazercards'],
    ['the second while the first is out', { out: new Set(['sandbox']) }, 'supplier fazercards'],
    ['the second while the redeemer is out', { hasPool: true, out: new Set(['sandbox']) }, 'supplier fazercards'],
    ['nobody yet while all are out', { out: new Set(['sandbox', 'fazercards']) }, 'wait'],
    ['the first again once it is back', { tried: [no('fazercards')] }, 'supplier sandbox'],
    ['the operator at the end', { tried: [no('sandbox'), no('fazercards')] }, 'supplier manual'],
    ['nobody after the operator', { tried: [no('sandbox'), no('fazercards'), no('manual')] }, 'nobody'],
    ['nobody without an operator', { tried: [no('sandbox'), no('fazercards')], suppliers: all.slice(0, 2) }, 'nobody'],
    ['who sells it', { wanted: 'steam' }, 'supplier manual'],
    ['nobody when nobody sells it', { wanted: 'code' }, 'nobody'],
  ] as const)('is %s', (_, change, expected) => {
    const route = nextRoute({ ...ways, ...change })
    expect('supplier' in route ? `${route.to} ${route.supplier}` : route.to).toBe(expected)
  })
})

test.each([
  [{ waiting: 1, unknown: 0, done: 2, rejected: 0 }, 'pending'],
  [{ waiting: 1, unknown: 1, done: 2, rejected: 0 }, 'unknown'],
  [{ waiting: 0, unknown: 0, done: 3, rejected: 0 }, 'delivered'],
  [{ waiting: 0, unknown: 0, done: 1, rejected: 2 }, 'delivered'],
  [{ waiting: 0, unknown: 0, done: 0, rejected: 3 }, 'refunded'],
])('an item with %j is %s', (units, status) => expect(toItemStatus(units)).toBe(status))

const item = (status: 'pending' | 'unknown' | 'delivered' | 'refunded', refunded_amount = 0) => ({
  status,
  refunded_amount,
})
test.each([
  [[item('delivered'), item('pending')], undefined],
  [[item('refunded'), item('unknown')], undefined],
  [[item('delivered'), item('delivered')], 'completed'],
  [[item('delivered'), item('delivered', 1)], 'partially_refunded'],
  [[item('delivered'), item('refunded', 1)], 'partially_refunded'],
  [[item('refunded', 1), item('refunded', 2)], 'refunded'],
])('an order of %j is %s', (items, status) => expect(toOrderStatus(items)).toBe(status))
