import type { CartItem } from '@olmos/contract/cart'
import { expect, test } from 'vitest'
import { countAll, isAvailable } from './cart.rules.ts'

const line = (quantity: number, available_count: number) => ({ quantity, available_count }) as CartItem

test('pieces are counted, not lines', () => {
  expect(countAll([line(2, 9), line(3, 9)])).toBe(5)
  expect(countAll([])).toBe(0)
})

test.each([
  [1, 1, true],
  [2, 1, false],
  [1, 0, false],
])('%i wanted of %i there', (quantity, available, expected) => {
  expect(isAvailable(line(quantity, available))).toBe(expected)
})
