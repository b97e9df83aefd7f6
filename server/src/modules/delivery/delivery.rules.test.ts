import { parseDecimal } from '@olmos/contract/decimal'
import { describe, expect, test } from 'vitest'
import { done, type Outcome, rejected, unknown } from '../../platform/vendor/vendor.ts'
import type { SupplierOrder } from '../topups/supplier.ts'
import {
  capCost,
  lookUpBackoff,
  nextRoute,
  type Tried,
  toItemStatus,
  toOrderStatus,
  toVerdict,
} from './delivery.rules.ts'

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
    expect(toVerdict(answer, { kind, isRepeat: false, ageSeconds, settlesWithinSeconds: 60 }).is).toBe(verdict)
  })

  test.each([
    ['submit', false, 'rejected'],
    // What a repeat or a look-up could not read says nothing of what was sent before.
    ['submit', true, 'unknown'],
    ['look_up', true, 'unknown'],
  ] as const)(
    'a %s that never left the shop, of an order that may have been sent before: %s, is %s',
    (kind, isRepeat, is) => {
      const answer = unknown('timeout', { isUnsent: true, retryAfterSeconds: 7 })
      const asked = { kind, isRepeat, ageSeconds: 900, settlesWithinSeconds: 60 }
      expect(toVerdict(answer, asked)).toMatchObject({ is, why: 'timeout', retryAfterSeconds: 7 })
    },
  )
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
    ({ name, sells: ['topup'], redeemsCodes }) as const
  const manual = { name: 'manual', sells: ['topup', 'amount'], redeemsCodes: false } as const
  const all = [machine('sandbox', true), machine('fazercards'), manual]
  const no = (supplier: string, item: string | null = null): Tried => ({
    supplier,
    item,
    isPool: false,
    why: 'refused',
  })
  const badCode: Tried = { supplier: 'sandbox', item: null, isPool: true, why: 'code_refused' }
  const ways = {
    wanted: 'topup',
    suppliers: all,
    tried: [],
    out: new Set<string>(),
    hasPool: false,
    sources: [],
  } as const

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
    ['who sells it', { wanted: 'amount' }, 'supplier manual'],
    ['nobody when nobody sells it', { wanted: 'code' }, 'nobody'],
  ] as const)('is %s', (_, change, expected) => {
    const route = nextRoute({ ...ways, ...change })
    expect('supplier' in route ? `${route.to} ${route.supplier}` : route.to).toBe(expected)
  })

  describe('of an offer with its own sources', () => {
    const by = (supplier: string, item: string, isOpen = true) =>
      ({ kind: 'supplier', supplier, item, isOpen }) as const
    const alone = (kind: 'pool' | 'operator', isOpen = true) => ({ kind, supplier: null, item: null, isOpen }) as const
    const two = [by('fazercards', 'f60'), by('sandbox', 's60')] as const
    test.each([
      ['the first of them, whatever the shop prefers', { sources: two }, 'supplier fazercards f60'],
      ['the second after the first', { sources: two, tried: [no('fazercards', 'f60')] }, 'supplier sandbox s60'],
      ['nobody else after them', { sources: two, tried: [no('fazercards', 'f60'), no('sandbox', 's60')] }, 'nobody'],
      ['the second while the first is out', { sources: two, out: new Set(['fazercards']) }, 'supplier sandbox s60'],
      ['nobody yet while all are out', { sources: two, out: new Set(['fazercards', 'sandbox']) }, 'wait'],
      [
        'nobody yet while one is out and the other refused',
        { sources: two, out: new Set(['fazercards']), tried: [no('sandbox', 's60')] },
        'wait',
      ],
      ['none that is closed', { sources: [by('fazercards', 'f60', false), two[1]] }, 'supplier sandbox s60'],
      [
        'nobody when all are closed',
        { sources: [by('fazercards', 'f60', false), by('sandbox', 's60', false)] },
        'nobody',
      ],
      ['none of a supplier that the shop has not', { sources: [by('kinguin', 'k'), two[1]] }, 'supplier sandbox s60'],
      ['none of a supplier that does not sell it', { wanted: 'amount', sources: two }, 'nobody'],
      [
        'another thing of the supplier that refused one',
        { sources: [by('sandbox', 'a'), by('sandbox', 'b')], tried: [no('sandbox', 'a')] },
        'supplier sandbox b',
      ],
      ['the operator at the rank of the operator', { sources: [alone('operator'), ...two] }, 'supplier manual null'],
      [
        'a supplier after the operator',
        { sources: [alone('operator'), ...two], tried: [no('manual', 'x')] },
        'supplier fazercards f60',
      ],
      [
        'nobody yet while who comes before the operator is out',
        { sources: [two[0], alone('operator')], out: new Set(['fazercards']) },
        'wait',
      ],
      ['nobody where the shop has no operator', { sources: [alone('operator')], suppliers: all.slice(0, 2) }, 'nobody'],
      ['the pool at the rank of the pool', { sources: [alone('pool'), ...two], hasPool: true }, 'pool sandbox null'],
      ['a supplier before the pool', { sources: [two[0], alone('pool')], hasPool: true }, 'supplier fazercards f60'],
      [
        'the pool after the supplier',
        { sources: [two[0], alone('pool')], hasPool: true, tried: [no('fazercards', 'f60')] },
        'pool sandbox null',
      ],
      ['no pool that is not among them', { sources: two, hasPool: true }, 'supplier fazercards f60'],
      [
        'no pool that is switched off, or empty',
        { sources: [alone('pool', false), two[0]], hasPool: true },
        'supplier fazercards f60',
      ],
      [
        'a supplier while the redeemer is out',
        { sources: [alone('pool'), ...two], hasPool: true, out: new Set(['sandbox']) },
        'supplier fazercards f60',
      ],
      [
        'nobody yet while the only redeemer of the pool is out',
        { sources: [alone('pool'), alone('operator')], hasPool: true, out: new Set(['sandbox']) },
        'wait',
      ],
      [
        'the operator where the pool is empty, whoever is out',
        { sources: [alone('pool'), alone('operator')], hasPool: false, out: new Set(['sandbox']) },
        'supplier manual null',
      ],
      [
        'a supplier after a code was refused for the player',
        { sources: [alone('pool'), two[1]], hasPool: true, tried: [{ ...badCode, why: 'player_not_found' }] },
        'supplier sandbox s60',
      ],
    ] as const)('is %s', (_, change, expected) => {
      const route = nextRoute({ ...ways, ...change })
      expect('supplier' in route ? `${route.to} ${route.supplier} ${route.source?.item}` : route.to).toBe(expected)
    })
  })
})

test.each([
  ['2', null, '2'],
  ['2', '1.5', '1.5'],
  ['2', '3', '2'],
  ['2', '0.00000001', '0.00000001'],
])('a unit worth %s by a source with the limit %s may cost %s', (worth, limit, most) => {
  expect(capCost(parseDecimal(worth) ?? 0n, limit)).toBe(parseDecimal(most))
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
