import { expect, test } from 'vitest'
import { lineTotal, toTotal } from './total.ts'

const line = (price_usd: number, price_rub: number, quantity: number) => ({ price_usd, price_rub, quantity })

test('a line costs its price times its quantity', () => {
  expect(lineTotal(line(1.1, 89.01, 3), 'USD')).toBe(3.3)
  expect(lineTotal(line(1.1, 89.01, 3), 'RUB')).toBe(267.03)
})

test('an order is exact where floats are not', () => {
  const lines = [line(0.1, 9.9, 1), line(0.2, 0.1, 1)]
  expect(toTotal(lines, 'USD')).toBe(0.3)
  expect(toTotal(lines, 'RUB')).toBe(10)
})

test('nothing costs nothing', () => {
  expect(toTotal([], 'RUB')).toBe(0)
})
