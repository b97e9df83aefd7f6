import { expect, test } from 'vitest'
import { toClock, toLeft } from './promise.ts'

const since = '2026-01-01T12:00:00.000Z'
const minutes = (count: number) => Date.parse(since) + count * 60_000

test.each([
  [minutes(0), '15:00'],
  [minutes(0) + 1_500, '14:59'],
  [minutes(14) + 55_001, '0:05'],
  [minutes(15), '0:00'],
  [minutes(90), '0:00'],
  // A customer's clock that is slow.
  [minutes(-30), '15:00'],
])('at %i there is %s left', (now, left) => {
  expect(toClock(toLeft(since, now))).toBe(left)
})
