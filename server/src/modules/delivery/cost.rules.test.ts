import { parseDecimal } from '@olmos/contract/decimal'
import { expect, test } from 'vitest'
import { costAtMost } from './delivery.rules.ts'

type PaidUnit = Parameters<typeof costAtMost>[0]

const rubles = parseDecimal('80')
const topup: PaidUnit = { wanted: 'topup', currency: 'USD', full_price: 100, price_usd: 100, code_cost_percent: 80 }
const inRoubles: PaidUnit = { ...topup, currency: 'RUB', full_price: 8_000 }
const code: PaidUnit = { ...topup, wanted: 'code', full_price: 800, price_usd: 800 }
const steam: PaidUnit = { ...topup, wanted: 'amount', price_usd: null }

test.each<[string, PaidUnit, string]>([
  ['a top-up costs no more than was paid for it', topup, '1'],
  ['also when it was sold for less than its list price', { ...topup, full_price: 90 }, '0.9'],
  ['roubles are worth what they are worth now', inRoubles, '1'],
  ['roubles that buy less than the dollar price', { ...inRoubles, full_price: 7_900 }, '0.9875'],
  ['to the hundred-millionth, rounded down', { ...inRoubles, full_price: 1 }, '0.000125'],
  ['Steam costs no more than the amount and the commission that were paid', { ...steam, full_price: 1_030 }, '10.3'],
  ['Steam in roubles', { ...steam, currency: 'RUB', full_price: 103 }, '0.012875'],
  ['a code costs a part of its price', code, '6.4'],
  ['as large as the owner says', { ...code, code_cost_percent: 95 }, '7.6'],
  ['and no more when more was paid in roubles', { ...code, currency: 'RUB', full_price: 80_000 }, '6.4'],
  ['and less when less was paid in roubles', { ...code, currency: 'RUB', full_price: 48_000 }, '4.8'],
  ['an activated code was paid for before, with the price of its package', { ...topup, full_price: 0 }, '1'],
])('%s', (_name, unit, usd) => {
  expect(costAtMost(unit, rubles)).toBe(parseDecimal(usd))
})

test.each([
  [60, '81.2346', 1_667, 135_391],
  [90, '81.2349', 1_112, 90_261],
])(
  'a code at the least price of which ten dollars are %i percent may cost ten dollars',
  (percent, rate, usd, kopecks) => {
    const unit = { ...code, currency: 'RUB' as const, full_price: kopecks, price_usd: usd, code_cost_percent: percent }
    expect(costAtMost(unit, parseDecimal(rate))).toBe(parseDecimal('10'))
    expect(costAtMost({ ...unit, full_price: kopecks - 1 }, parseDecimal(rate))).toBeLessThan(parseDecimal('10') ?? 0n)
  },
)

test('what nobody knows the worth of may cost nothing', () => {
  expect(costAtMost(inRoubles, undefined)).toBe(0n)
  expect(costAtMost({ ...steam, full_price: 0 }, rubles)).toBe(0n)
})
