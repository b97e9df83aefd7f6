import { divide, formatDecimal, one, parseDecimal } from '@olmos/contract/decimal'
import { expect, test } from 'vitest'
import { crossRate, isJump } from './rate-sources.ts'

test.each([
  ['78,3159', '78.31590000'],
  ['11808.76', '11808.76000000'],
  ['1', '1.00000000'],
  ['0,00679347', '0.00679347'],
])('%s is read exactly', (text, shown) => {
  expect(formatDecimal(parseDecimal(text) as bigint)).toBe(shown)
})

test.each(['', '0', '-1', '1e3', 'NaN', '1.2.3', '0,00'])('%j is no rate', (text) => {
  expect(parseDecimal(text)).toBeUndefined()
})

test('a rate between two foreign currencies goes through the source’s own', () => {
  const quotes = new Map([
    ['USD', 80n * one],
    ['KZT', divide(15n * one, 100n * one)],
    ['RUB', one],
  ])
  expect(formatDecimal(crossRate(quotes, 'USD', 'KZT') as bigint)).toBe('533.33333333')
  expect(crossRate(quotes, 'USD', 'UZS')).toBeUndefined()
})

test.each([
  [100n, 110n, 1_000, false],
  [100n, 111n, 1_000, true],
  [100n, 90n, 1_000, false],
  [100n, 89n, 1_000, true],
])('from %s to %s with a bound of %s hundredths is a jump: %s', (before, after, bound, jump) => {
  expect(isJump(before * one, after * one, bound)).toBe(jump)
})
