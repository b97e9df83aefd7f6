import { expect, test } from 'vitest'
import { minute, toClock, toLeft } from './promise.ts'

const since = '2026-01-01T12:00:00.000Z'
const minutes = (count: number) => Date.parse(since) + count * minute

test.each([
  [minutes(0), '15:00'],
  [minutes(0) + 1_500, '14:59'],
  [minutes(14) + 55_001, '0:05'],
  [minutes(15), '0:00'],
  [minutes(90), '0:00'],
  // A customer's clock that is slow.
  [minutes(-30), '15:00'],
])('at %i there is %s left', (now, left) => {
  expect(toClock(toLeft(since, 15 * minute, now))).toBe(left)
})

test.each([
  [59 * minute, '59:00'],
  [60 * minute, '1:00:00'],
  [64 * minute + 5_000, '1:04:05'],
  [36 * 60 * minute, '36:00:00'],
])('%i ms are %s', (ms, shown) => {
  expect(toClock(ms)).toBe(shown)
})
