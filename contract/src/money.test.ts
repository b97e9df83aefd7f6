import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as LIMITS from './limits.ts'
import { splitSum, toMajor, toMinor } from './minor-units.ts'
import { amountSchema, currencySchema } from './money.ts'

const minorUnits = fc.integer({ min: 0, max: LIMITS.amountMax })

test('every amount in cents goes out and comes back as it was', () => {
  fc.assert(
    fc.property(minorUnits, (minor) => {
      const wire = JSON.parse(JSON.stringify(toMajor(minor)))
      expect(amountSchema.parse(wire)).toBe(wire)
      expect(toMinor(wire)).toBe(minor)
    }),
  )
})

test('an amount with a third decimal is refused, however small', () => {
  fc.assert(
    fc.property(minorUnits, fc.integer({ min: 1, max: 999 }), (minor, rest) => {
      const wire = Number(
        `${Math.trunc(minor / 100)}.${String(minor % 100).padStart(2, '0')}${String(rest).padStart(3, '0')}`,
      )
      expect(amountSchema.safeParse(wire).success).toBe(false)
    }),
  )
})

test.each([0, 0.01, 0.1, 0.29, 1.15, 4.35, 1_234.5, 9_999_999.99, 10_000_000])('%d is an amount', (amount) => {
  expect(amountSchema.parse(amount)).toBe(amount)
})

test.each([
  -0.01,
  -1,
  0.001,
  0.005,
  1e-7,
  5.000_000_1,
  10_000_000.01,
  1e300,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  '1',
  null,
  undefined,
  [1],
  true,
  1n,
])('%s is none', (amount) => {
  const result = amountSchema.safeParse(amount)
  expect(result.error?.issues.map((issue) => issue.message)).toEqual(['invalid_amount'])
})

test.each([
  ['usd', 'USD'],
  ['RUB', 'RUB'],
  ['rub', 'RUB'],
])('%s is the currency %s', (text, currency) => {
  expect(currencySchema.parse(text)).toBe(currency)
})

test.each(['Usd', 'UZS', 'kzt', '', ' usd', null, 1])('%j is no currency of a wallet', (text) => {
  expect(currencySchema.safeParse(text).success).toBe(false)
})

test.each([
  [600, [500, 500], [300, 300]],
  [1, [1, 1, 1], [0, 0, 1]],
  [2, [1, 1, 1], [0, 1, 1]],
  [0, [7], [0]],
  [10, [7, 3], [7, 3]],
  [1_000, [1, 0, 1], [500, 0, 500]],
  [5, [0, 0], [2, 3]],
  [0, [], []],
])('%i is split by %j into %j', (sum, weights, parts) => expect(splitSum(sum, weights)).toEqual(parts))

test('the parts of a sum add up to it, and none exceeds its weight unless the sum exceeds them all', () => {
  fc.assert(
    fc.property(fc.array(minorUnits, { minLength: 1, maxLength: 9 }), minorUnits, (weights, sum) => {
      const parts = splitSum(sum, weights)
      expect(parts.reduce((total, part) => total + part, 0)).toBe(sum)
      const isCovered = sum <= weights.reduce((total, weight) => total + weight, 0)
      expect(parts.every((part, index) => part >= 0 && (!isCovered || part <= (weights[index] ?? 0)))).toBe(true)
    }),
  )
})
