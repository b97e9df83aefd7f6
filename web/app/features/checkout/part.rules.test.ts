import { expect, test } from 'vitest'
import { mostFromBalance, offeredPart, readPart, restAfter } from './part.rules.ts'

test.each([
  [10, 4, 4],
  [10, 0, 0],
  [10, 10, 9.99],
  [10, 25.5, 9.99],
  [0.01, 5, 0],
  [1.1, 0.3, 0.3],
])('of %d the balance of %d pays at most %d beside a card', (total, available, most) => {
  expect(mostFromBalance(total, available)).toBe(most)
})

test.each([
  ['4', 4],
  ['3.33', 3.33],
  ['0.01', 0.01],
  ['4.01', undefined],
  ['0', undefined],
  ['', undefined],
  ['-1', undefined],
  ['four', undefined],
])('%j typed, of at most 4, is %s', (typed, part) => {
  expect(readPart(typed, 4)).toBe(part)
})

test.each([
  [10, 4, 4],
  [10, 10, 5],
  [9.99, 25, 4.99],
])('of %d the balance of %d is offered to pay %d', (total, available, part) => {
  expect(offeredPart(total, available)).toBe(part)
})

test('what is left is exact to the cent', () => {
  expect(restAfter(10.3, 0.1)).toBe(10.2)
  expect(restAfter(1.1, 0.3)).toBe(0.8)
})
