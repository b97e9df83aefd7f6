import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as LIMITS from './limits.ts'
import { combinePackages } from './uc-combination.ts'

const shop = [60, 325, 660, 1800, 3850, 8100]
const combine = (amounts: readonly number[], wanted: number) =>
  combinePackages(
    amounts.map((game_amount) => ({ game_amount })),
    wanted,
    LIMITS.ucMax,
  ).flatMap((count) => Array.from({ length: count.quantity }, () => count.package.game_amount))

test.each([
  [1, shop, [60]],
  [60, shop, [60]],
  [61, shop, [60, 60]],
  [100, shop, [60, 60]],
  [385, shop, [325, 60]],
  [385, [...shop, 385], [385]],
  [720, shop, [660, 60]],
  [1920, shop, [1800, 60, 60]],
  [650, shop, [325, 325]],
  [16_205, shop, [8100, 8100, 60]],
  [700, [325, 660], [660, 325]],
  [100, [325, 660], [325]],
  [50, [60, 60], [60]],
  [100_000, [8100], Array.from({ length: 13 }, () => 8100)],
  [0, shop, []],
  [-60, shop, []],
  [60.5, shop, []],
  [Number.NaN, shop, []],
  [100_001, shop, []],
  [385, [], []],
])('%d UC of %j is %j', (wanted, packages, expected) => {
  expect(combine(packages, wanted)).toEqual(expected)
})

test('whatever the packages, the amount is covered, with less than the smallest package to spare', () => {
  const packages = fc.uniqueArray(fc.integer({ min: 1, max: 20_000 }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(packages, fc.integer({ min: 1, max: LIMITS.ucMax }), (amounts, wanted) => {
      const total = combine(amounts, wanted).reduce((sum, amount) => sum + amount, 0)
      expect(total).toBeGreaterThanOrEqual(wanted)
      expect(total - wanted).toBeLessThan(Math.min(...amounts))
    }),
  )
})
