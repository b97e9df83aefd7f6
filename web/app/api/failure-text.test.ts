import { expect, test } from 'vitest'
import { serverI18n } from '../i18n/server.ts'
import { toApiError } from './api-error.ts'
import { failureText } from './failure-text.ts'

const toT = (language: 'ru' | 'en' | 'uz') => serverI18n(language).current().t

test.each([
  ['en', /cart is full/],
  ['ru', /Корзина заполнена/],
  ['uz', /Savat toʻldi/],
] as const)('a full cart is told as a full cart, in %s', (language, text) => {
  const details = { reason: 'cart_full', cart: 'full' }
  const error = toApiError(409, { error: { code: 'STATE_CONFLICT', message: 'full', details } })
  expect(failureText(toT(language), error)).toMatch(text)
})

test('a fault of the store is told with the request, which its log knows', () => {
  const fault = { error: { code: 'UNEXPECTED_ERROR', message: 'Internal Server Error' } }
  expect(failureText(toT('en'), toApiError(500, fault, 'a1-b2'))).toMatch(/Try again\. Request number: a1-b2$/)
  const busy = { error: { code: 'OVERLOADED', message: 'busy' } }
  expect(failureText(toT('en'), toApiError(503, busy, 'a1-b2'))).not.toContain('a1-b2')
})
