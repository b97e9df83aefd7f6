import { expect, test } from 'vitest'
import { toRatio } from './table.ts'

test('a round is held against the one beside it: the machine was half as quick in the second', () => {
  expect(toRatio([100, 45, 90], [100, 50, 100])).toBe(0.9)
  expect(toRatio([100, 50, 90], [100, 50, 100])).toBe(1)
  expect(toRatio(30, 40)).toBe(0.75)
})
