import * as LIMITS from '@olmos/contract/limits'
import { expect, test } from 'vitest'
import { noTicks, withTicks } from './ticks.rules.ts'

const most = LIMITS.selectedOffersMax
const ids = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index)

test.each([
  [most - 50, 50, most, 0],
  [most - 20, 50, most, 30],
  [most, 1, most, 1],
])('of %i ticked packages and %i more %i are ticked, and %i are told to be left', (before, more, ticked, left) => {
  const { ticked: first } = withTicks(noTicks.ticked, ids(1, before), true)
  const next = withTicks(first, ids(before + 1, more), true)
  expect([next.ticked.size, next.left]).toEqual([ticked, left])
})

test('those that are ticked already count once, and what is taken away makes room', () => {
  const { ticked } = withTicks(noTicks.ticked, ids(1, most), true)
  expect(withTicks(ticked, ids(1, 50), true).left).toBe(0)
  const fewer = withTicks(ticked, [1], false)
  expect([fewer.ticked.size, fewer.left]).toEqual([most - 1, 0])
  expect(withTicks(fewer.ticked, [most + 1], true).ticked.has(most + 1)).toBe(true)
})
