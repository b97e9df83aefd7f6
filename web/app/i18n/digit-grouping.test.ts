import { expect, test } from 'vitest'
import { gameNumber, groupDigits } from './digit-grouping.ts'

test.each([
  0, 5, 12, 999, 1_000, 12_345, 999_999, 1_234_567, 1_000_000_000, -4, -999, -1_000, 4.5, 4.25, 1_234.5678, 0.1,
])('%s is grouped as Intl does it', (amount) => {
  expect(gameNumber(amount)).toBe(amount.toLocaleString('en-US').replaceAll(',', '\u00A0'))
})

test('a number that names something is left as it is, as is what is no whole number', () => {
  expect([groupDigits('order', 12_345), groupDigits('count', 12_345)]).toEqual([12_345, '12\u00A0345'])
  expect([groupDigits('rate', 12_345.5), groupDigits('name', '12345')]).toEqual([12_345.5, '12345'])
})
