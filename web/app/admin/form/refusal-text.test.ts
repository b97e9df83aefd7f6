import { expect, test } from 'vitest'
import { ApiError } from '../../api/api-error.ts'
import { ru as storeTexts } from '../../i18n/ru.ts'
import { createTranslate } from '../../i18n/translate.ts'
import { ru } from '../i18n/ru.ts'
import { refusalText } from './refusal-text.ts'

const language = 'ru'
const t = createTranslate(language, [ru, storeTexts])

test.each([
  ['the reason the store names', 'STATE_CONFLICT', { reason: 'last_admin', user: 'last_admin' }, /последний владелец/],
  [
    'one that is about codes',
    'STATE_CONFLICT',
    { reason: 'code_activated', code: 'activated', ids: [7] },
    /уже активирован/,
  ],
  [
    'somebody else, where the state alone is told',
    'STATE_CONFLICT',
    { reason: 'refund_not_stuck', status: 'failed' },
    /кто-то другой/,
  ],
  [
    'somebody else, where the reason is newer than the page',
    'STATE_CONFLICT',
    { reason: 'full_moon' },
    /кто-то другой/,
  ],
  ['what is wrong with the amount', 'INVALID_AMOUNT', { amount: 'above_paid' }, /больше, чем было оплачено/],
  [
    'the limit as sums are written everywhere',
    'STATE_CONFLICT',
    { reason: 'above_limit', limit: 'rub_once', most: 500, left: 500, amount: 640, currency: 'RUB', approval: 7 },
    /\(500,00\s₽\)/,
  ],
  ['what an operator can do about it', 'OUT_OF_STOCK', { available_count: 0 }, /Добавьте коды/],
  ['that less can be sent at once', 'BODY_TOO_LARGE', {}, /меньшими частями/],
  ['that the first press was accepted', 'IDEMPOTENCY_KEY_REUSED', {}, /^Первое нажатие принято/],
  ['what nobody with limits gives', 'FORBIDDEN', { limited: 'codes.replace' }, /есть лимиты.+«Заменять/],
  ['how long to wait', 'RATE_LIMITED', { code: 'many_reveals', most: 20, retryAfterSeconds: 301 }, /20 кодов.+6 мин/],
  ['how many passwords', 'RATE_LIMITED', { code: 'many_resets', most: 20, retryAfterSeconds: 61 }, /20 паролей.+2 мин/],
  ['that nothing was done without the second factor', 'SECOND_FACTOR_REQUIRED', {}, /ничего не изменено/],
  ['the text of everybody where there is no other', 'RATE_LIMITED', { retryAfterSeconds: 9 }, /Слишком много запросов/],
  ['the text of everybody', 'USER_NOT_FOUND', {}, /Такого пользователя нет/],
])('tells %s', (_name, code, details, text) => {
  expect(refusalText({ t, language }, new ApiError(code, code, details, 409))).toMatch(text)
})
