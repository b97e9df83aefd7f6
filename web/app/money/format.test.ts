import type { Language } from '@olmos/contract/fields'
import type { ChargeCurrency } from '@olmos/contract/money'
import { expect, test } from 'vitest'
import { formatAmount } from './format.ts'

test.each<[number | null | undefined, ChargeCurrency, Language, string]>([
  [1234.5, 'RUB', 'ru', '1\u00A0234,50\u00A0₽'],
  [1234.5, 'RUB', 'uz', '1\u00A0234,50\u00A0₽'],
  [1234.5, 'RUB', 'en', '₽1,234.50'],
  [12.5, 'USD', 'ru', '$12.50'],
  [1234567.891, 'USD', 'en', '$1,234,567.89'],
  [-5, 'USD', 'en', '−$5.00'],
  [null, 'RUB', 'ru', '0,00\u00A0₽'],
  [125_000, 'UZS', 'ru', '125\u00A0000\u00A0сум'],
  [125_000, 'UZS', 'uz', '125\u00A0000\u00A0soʻm'],
  [125_000, 'UZS', 'en', 'UZS\u00A0125,000'],
  [1_234.5, 'UZS', 'ru', '1\u00A0234,50\u00A0сум'],
  [5_200, 'KZT', 'ru', '5\u00A0200\u00A0₸'],
  [5_200, 'KZT', 'en', '₸5,200'],
  [undefined, 'USD', 'uz', '$0.00'],
  [Number.NaN, 'USD', 'uz', '$0.00'],
])('%s %s in %s is %s', (amount, currency, language, shown) => {
  expect(formatAmount(amount, currency, language)).toBe(shown)
})

test('roubles without kopecks', () => {
  expect(formatAmount(1999.5, 'RUB', 'ru', { isRounded: true })).toBe('2\u00A0000\u00A0₽')
  expect(formatAmount(19.99, 'USD', 'ru', { isRounded: true })).toBe('$19.99')
})

test('amounts of whole minor units read as Intl formats them', () => {
  const intl = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  for (let minor = 1; minor < 1e13; minor = Math.ceil(minor * 1.37) + 1) {
    expect(formatAmount(minor / 100, 'USD', 'en')).toBe(`$${intl.format(minor / 100)}`)
  }
})
