import { expect, test } from 'vitest'
import { apiErrorOf } from './api-error.ts'
import { fieldErrorsOf } from './field-texts.ts'

test.each([
  [{ error: { code: 'OUT_OF_STOCK', message: 'gone', details: { a: 1 } } }, ['OUT_OF_STOCK', 'gone', { a: 1 }]],
  [{ error: 'plain text' }, ['UNEXPECTED_ERROR', 'plain text', {}]],
  [{ errors: { field: 'required' } }, ['UNEXPECTED_ERROR', 'Unexpected error', { field: 'required' }]],
  [undefined, ['UNEXPECTED_ERROR', 'Unexpected error', {}]],
  ['<html>', ['UNEXPECTED_ERROR', 'Unexpected error', {}]],
])('%j is normalised', (body, expected) => {
  const error = apiErrorOf(409, body)
  expect([error.code, error.message, error.details]).toEqual(expected)
  expect(error.status).toBe(409)
})

test('field errors come only of a failed validation and of what is taken', () => {
  const details = { nickname: 'nickname_too_short', n: 1 }
  expect(fieldErrorsOf(apiErrorOf(409, { error: { code: 'DUPLICATE', details: { code: 'duplicate' } } }))).toEqual({
    code: 'duplicate',
  })
  expect(fieldErrorsOf(apiErrorOf(400, { error: { code: 'VALIDATION_FAILED', details } }))).toEqual({
    nickname: 'nickname_too_short',
  })
  expect(fieldErrorsOf(apiErrorOf(409, { error: { code: 'PRICE_CHANGED', details } }))).toEqual({})
})
