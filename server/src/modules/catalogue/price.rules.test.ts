import { one, parseDecimal } from '@olmos/contract/decimal'
import { firstNumbers } from '@olmos/contract/shop-numbers'
import { expect, test } from 'vitest'
import { doubtsAbout, rubAtRate } from './product.rules.ts'

test.each([
  [1_00, '80', 80_00],
  [1, '78.3159', 78],
  [1, '78.5', 79],
  [10_000_000_00, '80.12345678', 801_234_567_80],
])('%i cents at %s are %i kopecks', (cents, rate, kopecks) => {
  expect(rubAtRate(cents, parseDecimal(rate) as bigint)).toBe(kopecks)
})

const was = { priceUsd: 10_50, priceRub: 840_00 }

test.each([
  ['the audit’s typo: a tenth of the price', 1_05, 80_00, ['jump']],
  ['the same in one currency', 10_50, 84_00, ['jump', 'spread']],
  ['half as high again', 15_75, 1_260_00, []],
  ['a cent more than that', 15_76, 1_260_00, ['jump']],
  ['half of it', 5_25, 420_00, []],
  ['a cent less than that', 5_24, 420_00, ['jump']],
  ['thirty per cent above the rate', 10_50, 1_092_00, []],
  ['a kopeck more than that', 10_50, 1_092_01, ['spread']],
  ['thirty per cent below it', 10_50, 588_00, []],
  ['a kopeck less than that', 10_50, 587_99, ['spread']],
])('%s: $%i and %i kopecks are doubted for %j', (_name, priceUsd, priceRub, doubts) => {
  expect(doubtsAbout({ gameAmount: 1, priceUsd, priceRub, was }, 80n * one, firstNumbers)).toEqual(doubts)
})

test('a new price has nothing to jump from, and without a rate nothing to be compared by', () => {
  const price = { gameAmount: 1, priceUsd: 1, priceRub: 799_00, was: undefined }
  expect(doubtsAbout(price, 80n * one, firstNumbers)).toEqual(['spread'])
  expect(doubtsAbout(price, undefined, firstNumbers)).toEqual([])
})
