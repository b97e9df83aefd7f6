import { pastTheCart } from '@olmos/contract/failure-codes'
import type { RefusalDetails } from '@olmos/contract/refusal-details'
import { expect, test } from 'vitest'
import { ApiError, toApiError } from '../../api/api-error.ts'
import { serverI18n } from '../../i18n/server.ts'
import { paymentRefusalText, toldFee } from './refusal.ts'

const toT = (language: 'ru' | 'en' | 'uz') => serverI18n(language).current().t

const told = <Code extends keyof RefusalDetails>(code: Code, details: RefusalDetails[Code]) =>
  paymentRefusalText(toT('en'), 'en', toApiError(409, { error: { code, message: code, details } }), 'It failed')

const line = { item_id: 3, offer_id: 7, product_title: 'Roblox', game_amount: 400, game_currency: 'Robux' }
const prices = { price_usd: 5, price_rub: 450 }

test('a payment that was refused says of what, and how much is missing', () => {
  expect(told('INSUFFICIENT_BALANCE', { required: 5, available: 1.5, currency: 'USD' })).toMatch(/5\.00.*1\.50.*3\.50/s)
  expect(told('BELOW_LEAST_AMOUNT', { least: 50, currency: 'RUB' })).toContain('50')
  expect(told('PRICE_CHANGED', { items: [{ ...line, ...prices }] })).toContain('Roblox')
  expect(told('PRICE_CHANGED', { currency: 'USD', total: 5 })).not.toContain('Roblox')
  expect(told('PRICE_CHANGED', { currency: 'USD', fee: 0.45 })).toMatch(/fee .*0\.45.*No money was taken/)
  expect(told('OUT_OF_STOCK', { ...line, requested: 3, available_count: 2 })).toMatch(/Roblox.*2|2.*Roblox/s)
  expect(told('OUT_OF_STOCK', { ...line, item_id: pastTheCart, available_count: 0 })).toContain('Roblox')
  expect(told('INVALID_AMOUNT', { amount: 'invalid_amount', least: 1, most: 450, currency: 'KZT' })).toContain('450')
  const gone = told('METHOD_UNAVAILABLE', { method: 'payme', reason: 'not_offered' })
  expect(gone).toMatch(/Choose another one and press again\. No money was taken\.$/)
})

test('what is no refusal of the store is told as what failed, and by which request', () => {
  expect(paymentRefusalText(toT('en'), 'en', new Error('anything'), 'It failed')).toBe('It failed')
  const fault = toApiError(500, undefined, 'a1-b2')
  expect(paymentRefusalText(toT('en'), 'en', fault, 'It failed')).toBe('It failed. Request number: a1-b2')
})

const reserved = { reason: 'shelf_reserved', product_title: 'Roblox', requested: 5, minutes: 15 }
const tooMany = { reason: 'too_many_codes', requested: 30 }

test.each([
  ['en', { ...reserved, available_count: 2 }, /^Roblox: .* take 2 now\. No money was taken\. .*fewer.*balance.*15 min/],
  ['en', { ...reserved, available_count: 0 }, /^Roblox: .*No money was taken\. Pay from the balance, .*15 min/],
  ['ru', { ...reserved, available_count: 2 }, /^Roblox: .* взять 2\. Деньги не списаны\. .*меньше.*баланса.*15 мин/],
  ['ru', { ...reserved, available_count: 0 }, /^Roblox: .*Деньги не списаны\. Оплатите с баланса.*15 мин/],
  ['uz', { ...reserved, available_count: 2 }, /^Roblox: .*2 tasini.*Pul yechilmadi\. .*Kamroq.*balansdan.*15 daqiqa/],
  ['uz', { ...reserved, available_count: 0 }, /^Roblox: .*Pul yechilmadi\. Balansdan.*15 daqiqa/],
  ['en', { ...tooMany, limit: 20, is_new: false }, /at most 20 codes\. .*fewer.*balance/],
  ['en', { ...tooMany, limit: 3, is_new: true }, /first order by card has at most 3 codes; later .*balance/],
  ['ru', { ...tooMany, limit: 20, is_new: false }, /не больше 20 кодов\. .*меньше.*баланса/],
  ['ru', { ...tooMany, limit: 3, is_new: true }, /первом заказе .* не больше 3 кодов, .*баланса/],
  ['uz', { ...tooMany, limit: 20, is_new: false }, /20 ta kod.*Kamroq.*balansdan/],
  ['uz', { ...tooMany, limit: 3, is_new: true }, /birinchi .* 3 ta kod.*balansdan/],
] as const)('in %s a refusal of %j says what can be done', (language, details, text) => {
  const error = new ApiError('STATE_CONFLICT', 'STATE_CONFLICT', details, 409)
  expect(paymentRefusalText(toT(language), language, error, 'failed')).toMatch(text)
})

test('the fee that a refusal tells is what the next press agrees to', () => {
  const told = new ApiError('PRICE_CHANGED', 'PRICE_CHANGED', { fee: 0.3, currency: 'USD' }, 409)
  expect(toldFee(told)).toBe(0.3)
  for (const error of [null, new Error('else'), new ApiError('PRICE_CHANGED', 'PRICE_CHANGED', {}, 409)])
    expect(toldFee(error)).toBeUndefined()
})
