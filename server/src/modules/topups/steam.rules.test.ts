import type { SteamCurrency } from '@olmos/contract/topup-data'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { one, parseDecimal } from '../rates/rate.rules.ts'
import { isSteamAmount, steamSum } from './steam.rules.ts'

const ratesOf = (rub: string, kzt: string) =>
  new Map([
    ['USD', one],
    ['RUB', parseDecimal(rub) ?? 0n],
    ['KZT', parseDecimal(kzt) ?? 0n],
  ])
const fixed = ratesOf('80', '520')

/** Amount and currency, all in minor units; what arrives in USD, the price in USD, the price in RUB. */
const sums: [number, SteamCurrency, number, number, number][] = [
  [10_00, 'usd', 10_00, 10_30, 824_00],
  [1, 'usd', 1, 2, 83],
  [100, 'usd', 100, 103, 82_40],
  [33, 'usd', 33, 34, 27_20],
  [100_00, 'rub', 1_25, 1_29, 103_00],
  [1_00, 'rub', 2, 3, 1_65],
  [80_00, 'rub', 100, 103, 82_40],
  [80_01, 'rub', 101, 105, 83_23],
  [5_200_00, 'kzt', 10_00, 10_30, 824_00],
  [1_00, 'kzt', 1, 2, 83],
  [1, 'kzt', 1, 2, 83],
]

test.each(sums)(
  '%i minor units of %s arrive as %i cents for %i cents or %i kopecks',
  (amount, currency, usd, priceUsd, priceRub) => {
    expect(steamSum({ amount, currency }, fixed)).toEqual({ usd, priceUsd, priceRub })
  },
)

test('a rate with eight decimals is reckoned with exactly', () => {
  // 1,000.00 at 78.12345678 is 12.800250... dollars; 12.81 * 1.03 * 78.12345678 is 1030.7843...
  expect(steamSum({ amount: 100_000, currency: 'rub' }, ratesOf('78.12345678', '520'))).toEqual({
    usd: 12_81,
    priceUsd: 13_20,
    priceRub: 1_030_79,
  })
})

test('a rate that is missing is an error and no free lunch', () => {
  expect(() => steamSum({ amount: 100, currency: 'kzt' }, new Map([['USD', one]]))).toThrow('no rate of KZT')
})

test('whatever the rates, the price covers what arrives and the commission, by less than one unit and a cent', () => {
  const rate = fc.integer({ min: 1_000_000, max: 2_000_000_000_000 }).map((value) => BigInt(value))
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000_000_000 }),
      fc.constantFrom<SteamCurrency>('usd', 'rub', 'kzt'),
      rate,
      rate,
      (amount, currency, rub, kzt) => {
        const rates = new Map([
          ['USD', one],
          ['RUB', rub],
          ['KZT', kzt],
        ])
        const { usd, priceUsd, priceRub } = steamSum({ amount, currency }, rates)
        const input = rates.get(currency.toUpperCase()) ?? 0n
        expect(BigInt(usd) * input >= BigInt(amount) * one).toBe(true)
        expect(BigInt(usd - 1) * input < BigInt(amount) * one).toBe(true)
        expect(priceUsd * 100 - usd * 103).toBeGreaterThanOrEqual(0)
        expect(priceUsd * 100 - usd * 103).toBeLessThan(100)
        const exactRub = BigInt(usd) * 103n * rub
        expect(BigInt(priceRub) * 100n * one - exactRub).toBeGreaterThanOrEqual(0n)
        expect(BigInt(priceRub) * 100n * one - exactRub).toBeLessThan(100n * one)
      },
    ),
  )
})

test.each([
  [99, 'usd', false],
  [100, 'usd', true],
  [99, 'kzt', false],
  [100, 'kzt', true],
  [500_00, 'usd', true],
  [500_01, 'usd', false],
  [40_000_00, 'rub', true],
  [40_000_01, 'rub', false],
] as const)('%i minor units of %s are sold: %s', (amount, currency, expected) => {
  expect(isSteamAmount({ amount, currency }, steamSum({ amount, currency }, fixed))).toBe(expected)
})
