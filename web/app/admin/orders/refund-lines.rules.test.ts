import { expect, test } from 'vitest'
import {
  isPossible,
  isRefundable,
  seenLines,
  shownLines,
  toSum,
  wantedLine,
  wholeLine,
  withLeft,
} from './refund-lines.rules.ts'

/** Three units at 19.99, one of which went back before. */
const line = { id: 7, amount: 59.97, quantity: 3, left_amount: 39.98, left_quantity: 2 }

test.each([
  ['all that is left', {}, 39.98, true, 7],
  ['one unit', { share: 'quantity' }, 19.99, true, { id: 7, quantity: 1 }],
  ['both units left', { share: 'quantity', quantity: 2 }, 39.98, true, { id: 7, quantity: 2 }],
  ['a named code', { share: 'quantity', codeIds: ['5'] }, 19.99, true, { id: 7, quantity: 1, codeIds: [5] }],
  ['more codes than units', { share: 'quantity', codeIds: ['5', '6'] }, 19.99, false, expect.anything()],
  ['more units than are left', { share: 'quantity', quantity: 3 }, 59.97, false, expect.anything()],
  ['a field that is empty', { share: 'quantity', quantity: '' }, 0, false, expect.anything()],
  ['half a unit', { share: 'quantity', quantity: 0.5 }, 9.995, false, expect.anything()],
  ['a sum', { share: 'amount', amount: 5.5 }, 5.5, true, { id: 7, amount: 5.5 }],
  ['a sum above what is left', { share: 'amount', amount: 39.99 }, 39.99, false, expect.anything()],
  ['no sum yet', { share: 'amount' }, 0, false, expect.anything()],
] as const)('%s', (_what, choice, sum, possible, wanted) => {
  const chosen = { ...wholeLine, ...choice }
  expect(toSum(line, chosen)).toBeCloseTo(sum, 5)
  expect(isPossible(line, chosen)).toBe(possible)
  expect(wantedLine(line, chosen)).toEqual(wanted)
})

test.each([
  ['delivered', 19.99, true],
  ['delivered', 0, false],
  ['pending', 19.99, false],
  ['refunded', 0, false],
] as const)('a line that is %s with %d left can be refunded: %s', (status, left_amount, expected) => {
  expect(isRefundable({ status, left_amount })).toBe(expected)
})

test('a part is sent with what was left of its line, a whole line is not', () => {
  const part = { ...wholeLine, share: 'amount', amount: 5 } as const
  expect(seenLines([{ item: line, choice: wholeLine }])).toEqual([])
  const chosen = [
    { item: line, choice: part },
    { item: { ...line, id: 8 }, choice: wholeLine },
  ]
  expect(seenLines(chosen)).toEqual([{ id: 7, left_amount: 39.98, left_quantity: 2 }])
})

test('what a colleague has left of a line takes the place of what was seen', () => {
  const left = { id: 7, left_amount: 34.98, left_quantity: 1 }
  expect(withLeft([line, { ...line, id: 8 }], [left])).toEqual([
    { ...line, ...left },
    { ...line, id: 8 },
  ])
})

test('a line of which a part is wanted is shown as it was seen, any other as it is now', () => {
  const seen = [line, { ...line, id: 8 }, { ...line, id: 9 }]
  const now = seen.map((one) => ({ ...one, left_amount: 0 }))
  const choices = { 7: { ...wholeLine, share: 'amount', amount: 5 }, 8: wholeLine, 9: undefined } as const
  expect(shownLines(now, seen, choices)).toEqual([seen[0], now[1], now[2]])
})
