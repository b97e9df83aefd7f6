import { expect, test } from 'vitest'
import { productErrors, productValues, sentProduct } from './product-values.ts'

const texts = { name: 'Roblox', description: '', activationInstructions: '' }

test('a text in a language without a name would be lost, so it is refused', () => {
  const blank = productValues(undefined)
  expect(productErrors(blank)).toEqual({})
  const translations = { ...blank.translations, uz: { ...texts, name: ' ', description: 'Sovgʻa kartasi' } }
  expect(productErrors({ ...blank, translations })).toEqual({ 'translations.uz.name': 'required' })
})

test('what has calls of its own is not sent with the product', () => {
  const sent = sentProduct({ ...productValues(undefined), ...texts, regionIds: ['1'], currencies: { 1: 'TL' } })
  expect(Object.keys(sent)).not.toEqual(expect.arrayContaining(['regionIds']))
  expect(sent).not.toHaveProperty('currencies')
  expect(sent).not.toHaveProperty('kind')
  expect(sent).toMatchObject(texts)
})

test('what belongs to the other kind is not sent', () => {
  const values = { ...productValues(undefined), ...texts, pricing: 'combination' as const, presets: '60; 325, 660' }
  expect(sentProduct({ ...values, kind: 'topup' })).toMatchObject({ presets: [60, 325, 660], promisedMinutes: 15 })
  expect(sentProduct({ ...values, kind: 'topup' })).not.toHaveProperty('codeGame')
  expect(sentProduct({ ...values, kind: 'topup', pricing: 'offers' })).toMatchObject({ presets: [] })
  expect(sentProduct({ ...values, kind: 'code' })).not.toHaveProperty('pricing')
  expect(sentProduct({ ...values, kind: 'code' })).toMatchObject({ codeGame: null, buysOnDemand: false })
})

test('an amount that is no number is found before it is sent', () => {
  const values = { ...productValues(undefined), ...texts, kind: 'topup' as const }
  expect(productErrors({ ...values, presets: '60, 3x5' })).toEqual({ presets: 'invalid_amount' })
  expect(productErrors({ ...values, presets: '60, 325' })).toEqual({})
})
