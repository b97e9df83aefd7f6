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
