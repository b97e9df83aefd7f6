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
