import { chargeCurrencies } from '@olmos/contract/money'
import { expect, test } from 'vitest'
import { toConversion } from './conversion.ts'

const listed = [
  { currency: 'USD', rate: '1.00000000' },
  { currency: 'RUB', rate: '80.00000000' },
  { currency: 'UZS', rate: '12650.37000000' },
  { currency: 'KZT', rate: '520.00000000' },
] as const

test.each([
  ['RUB', { value: 99, currency: 'RUB' }],
  ['USD', { value: 1.2, currency: 'USD' }],
  // Rounded up to whole ones, as payments are charged.
  ['UZS', { value: 15_181, currency: 'UZS' }],
  ['KZT', { value: 624, currency: 'KZT' }],
] as const)('a price is shown to who chose %s', (chosen, shown) => {
  const conversion = toConversion(chosen, listed, chargeCurrencies)
  expect(conversion.showPrice({ price_usd: 1.2, price_rub: 99 })).toEqual(shown)
  expect(conversion.shown).toBe(chosen)
  expect(conversion.choices).toEqual(chargeCurrencies)
})

test('an order in roubles is shown in soums at the quotient of both rates', () => {
  const { convert } = toConversion('UZS', listed)
  expect(convert(80, 'RUB')).toEqual({ value: 12_651, currency: 'UZS' })
  expect(convert(1, 'USD')).toEqual({ value: 12_651, currency: 'UZS' })
})

test('a sum is converted as a whole: it may be less than its lines', () => {
  const { convert } = toConversion('UZS', listed)
  const lines = [0.1, 0.1, 0.1].map((line) => convert(line, 'USD').value)
  expect(lines).toEqual([1_266, 1_266, 1_266])
  expect(convert(0.3, 'USD').value).toBe(3_796)
})

test('without a rate prices stay in the currency of orders', () => {
  for (const rates of [[], [{ currency: 'RUB', rate: '80' }], [{ currency: 'UZS', rate: 'none' }]] as const) {
    const conversion = toConversion('UZS', rates, ['RUB', 'USD', 'UZS', 'KZT'])
    expect(conversion.showPrice({ price_usd: 1.2, price_rub: 99 })).toEqual({ value: 1.2, currency: 'USD' })
    expect([conversion.shown, conversion.choices]).toEqual(['USD', ['RUB', 'USD']])
  }
})

test('what the shop does not offer is no choice, and its default comes first', () => {
  expect(toConversion('USD', listed, ['USD', 'UZS']).choices).toEqual(['USD', 'UZS'])
  expect(toConversion('USD', [], ['USD', 'RUB', 'UZS', 'KZT']).choices).toEqual(['USD', 'RUB'])
})

test('nothing costs nothing in every currency', () => {
  for (const chosen of chargeCurrencies)
    expect(toConversion(chosen, listed).showPrice({ price_usd: 0, price_rub: 0 })).toEqual({
      value: 0,
      currency: chosen,
    })
})
