import { one, parseDecimal } from '@olmos/contract/decimal'
import { firstNumbers } from '@olmos/contract/shop-numbers'
import type { SteamCurrency } from '@olmos/contract/topup-data'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSteamAmount, steamRange, steamSum } from './price-steam.ts'

const toRates = (rub: string, kzt: string) =>
  new Map([
    ['USD', one],
    ['RUB', parseDecimal(rub) ?? 0n],
    ['KZT', parseDecimal(kzt) ?? 0n],
  ])
const fixed = toRates('80', '520')
const three = { hundredths: 3_00, leastUsd: 0, leastRub: 0 }

/** Amount and currency, what arrives in USD, the price in USD and in RUB, the commission in USD; all in minor units. */
const sums: [number, SteamCurrency, number, number, number, number][] = [
  [10_00, 'usd', 10_00, 10_30, 824_00, 30],
  [1, 'usd', 1, 2, 83, 1],
  [100, 'usd', 100, 103, 82_40, 3],
  [33, 'usd', 33, 34, 27_20, 1],
  [100_00, 'rub', 1_25, 1_29, 103_00, 4],
  // Three percent of one rouble are three kopecks, not sixty-five.
  [1_00, 'rub', 2, 2, 1_03, 1],
  [3_00, 'rub', 4, 4, 3_09, 1],
  [10_00, 'rub', 13, 13, 10_30, 1],
  [15_00, 'rub', 19, 20, 15_45, 1],
  [80_00, 'rub', 100, 103, 82_40, 3],
  [80_01, 'rub', 101, 104, 82_42, 4],
  [5_000_00, 'kzt', 9_62, 9_91, 792_31, 29],
  [5_200_00, 'kzt', 10_00, 10_30, 824_00, 30],
  [1_00, 'kzt', 1, 1, 16, 1],
  [1, 'kzt', 1, 1, 1, 1],
]

test.each(sums)(
  '%i minor units of %s arrive as %i cents for %i cents or %i kopecks, of which %i cents are commission',
  (amount, currency, usd, priceUsd, priceRub, commissionUsd) => {
    expect(steamSum({ amount, currency }, fixed, three)).toEqual({ usd, priceUsd, priceRub, commissionUsd })
  },
)

test('a rate with eight decimals is reckoned with exactly', () => {
  // 1,000.00 at 78.12345678 is 12.800250... dollars, 13.184258... with the commission, and 1030.00 roubles again.
  expect(steamSum({ amount: 100_000, currency: 'rub' }, toRates('78.12345678', '520'), three)).toEqual({
    usd: 12_81,
    priceUsd: 13_19,
    priceRub: 1_030_00,
    commissionUsd: 39,
  })
})

test('roubles that the supplier counts at another rate cost three percent more than that is worth', () => {
  // 100 at 81.25 are 1.230769... dollars, 1.267692... with the commission, at 80 roubles each.
  expect(steamSum({ amount: 100_00, currency: 'rub' }, fixed, three, parseDecimal('81.25'))).toMatchObject({
    priceUsd: 1_27,
    priceRub: 101_42,
  })
})

test.each([
  ['below the least commission it is the least', 1_00, { usd: 2, priceUsd: 12, priceRub: 11_00, commissionUsd: 10 }],
  [
    'above it, the percentage',
    100_000_00,
    { usd: 1_250_00, priceUsd: 1_275_00, priceRub: 102_000_00, commissionUsd: 25_00 },
  ],
])('%s', (_what, amount, sum) => {
  const commission = { hundredths: 2_00, leastUsd: 10, leastRub: 10_00 }
  expect(steamSum({ amount, currency: 'rub' }, fixed, commission)).toEqual(sum)
})

test('a rate that is missing is an error and no free lunch', () => {
  expect(() => steamSum({ amount: 100, currency: 'kzt' }, new Map([['USD', one]]), three)).toThrow('no rate of KZT')
})

test('whatever the rates, the price is what is wanted and three percent, and less than one unit more', () => {
  const rate = fc.integer({ min: 1_000_000, max: 2_000_000_000_000 }).map((value) => BigInt(value))
  const roundedUp = (price: number, exact: bigint, divisor: bigint) => {
    expect(BigInt(price) * divisor >= exact).toBe(true)
    expect(BigInt(price - 1) * divisor < exact).toBe(true)
  }
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000_000_000 }),
      fc.constantFrom<SteamCurrency>('usd', 'rub', 'kzt'),
      rate,
      rate,
      fc.option(rate, { nil: undefined }),
      (amount, currency, rub, kzt, steamRate) => {
        const rates = new Map([
          ['USD', one],
          ['RUB', rub],
          ['KZT', kzt],
        ])
        const input = steamRate ?? rates.get(currency.toUpperCase()) ?? 0n
        const { usd, priceUsd, priceRub, commissionUsd } = steamSum({ amount, currency }, rates, three, steamRate)
        const wanted = BigInt(amount)
        roundedUp(usd, wanted * one, input)
        roundedUp(priceUsd, wanted * 103n * one, 100n * input)
        roundedUp(priceRub, wanted * 103n * rub, 100n * input)
        roundedUp(commissionUsd, wanted * 3n * one, 100n * input)
        if (currency === 'rub' && steamRate === undefined) roundedUp(priceRub, wanted * 103n, 100n)
      },
    ),
  )
})

const bounds: [SteamCurrency, number, number][] = [
  ['usd', 1_00, 500_00],
  ['rub', 1_00, 40_000_00],
  ['kzt', 1_00, 260_000_00],
]

test.each(bounds)('of %s from %i to %i minor units are sold, and nothing beyond', (currency, least, most) => {
  const range = steamRange(currency, fixed, firstNumbers)
  expect(range).toEqual({ least, most })
  for (const [amount, isSold] of [
    [least - 1, false],
    [least, true],
    [most, true],
    [most + 1, false],
  ] as const) {
    expect(isSteamAmount({ amount, currency }, range)).toBe(isSold)
  }
})

test('the most follows from the rate that is reckoned with, rounded down to what arrives as no more than 500 dollars', () => {
  const rate = parseDecimal('81.23456789')
  const { most } = steamRange('rub', fixed, firstNumbers, rate)
  expect(most).toBe(40_617_28)
  expect(steamSum({ amount: most, currency: 'rub' }, fixed, three, rate).usd).toBe(500_00)
  expect(steamSum({ amount: most + 1, currency: 'rub' }, fixed, three, rate).usd).toBe(500_01)
})
