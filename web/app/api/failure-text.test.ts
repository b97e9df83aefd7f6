import i18next from 'i18next'
import { expect, test } from 'vitest'
import { en } from '../i18n/en.ts'
import { ru } from '../i18n/ru.ts'
import { uz } from '../i18n/uz.ts'
import { toApiError } from './api-error.ts'
import { failureText } from './failure-text.ts'

const i18n = i18next.createInstance()
await i18n.init({ lng: 'en', resources: { ru: { translation: ru }, en: { translation: en }, uz: { translation: uz } } })

test.each([
  ['en', /cart is full/],
  ['ru', /Корзина заполнена/],
  ['uz', /Savat toʻldi/],
])('a full cart is told as a full cart, in %s', (language, text) => {
  const details = { reason: 'cart_full', cart: 'full' }
  const error = toApiError(409, { error: { code: 'STATE_CONFLICT', message: 'full', details } })
  expect(failureText(i18n.getFixedT(language), error)).toMatch(text)
})
