import type { Language } from '@olmos/contract/fields'
import type { ChargeCurrency } from '@olmos/contract/money'
import { expect, test } from 'vitest'
import { formatAmount } from './format.ts'

test.each<[number | null | undefined, ChargeCurrency, Language, string]>([
  [1234.5, 'RUB', 'ru', '1\u202F234,50\u202F₽'],
  [1234.5, 'RUB', 'uz', '1\u202F234,50\u202F₽'],
  [1234.5, 'RUB', 'en', '₽1,234.50'],
  [12.5, 'USD', 'ru', '$12.50'],
  [1234567.891, 'USD', 'en', '$1,234,567.89'],
  [-5, 'USD', 'en', '−$5.00'],
  [null, 'RUB', 'ru', '0,00\u202F₽'],
  [125_000, 'UZS', 'ru', '125\u202F000\u202Fсум'],
  [125_000, 'UZS', 'uz', '125\u202F000\u202Fsoʻm'],
  [125_000, 'UZS', 'en', 'UZS\u202F125,000'],
  [1_234.5, 'UZS', 'ru', '1\u202F234,50\u202Fсум'],
  [5_200, 'KZT', 'ru', '5\u202F200\u202F₸'],
  [5_200, 'KZT', 'en', '₸5,200'],
  [undefined, 'USD', 'uz', '$0.00'],
  [Number.NaN, 'USD', 'uz', '$0.00'],
])('%s %s in %s is %s', (amount, currency, language, shown) => {
  expect(formatAmount(amount, currency, language)).toBe(shown)
})

test('roubles without kopecks', () => {
  expect(formatAmount(1999.5, 'RUB', 'ru', { isRounded: true })).toBe('2\u202F000\u202F₽')
  expect(formatAmount(19.99, 'USD', 'ru', { isRounded: true })).toBe('$19.99')
})
