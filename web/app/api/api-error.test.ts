import { expect, test } from 'vitest'
import { toApiError } from './api-error.ts'
import { toFieldErrors } from './field-texts.ts'

test.each([
  [{ error: { code: 'OUT_OF_STOCK', message: 'gone', details: { a: 1 } } }, ['OUT_OF_STOCK', 'gone', { a: 1 }]],
  [{ error: 'plain text' }, ['UNEXPECTED_ERROR', 'plain text', {}]],
  [{ errors: { field: 'required' } }, ['UNEXPECTED_ERROR', 'Unexpected error', { field: 'required' }]],
  [undefined, ['UNEXPECTED_ERROR', 'Unexpected error', {}]],
  ['<html>', ['UNEXPECTED_ERROR', 'Unexpected error', {}]],
])('%j is normalised', (body, expected) => {
  const error = toApiError(409, body)
  expect([error.code, error.message, error.details]).toEqual(expected)
  expect(error.status).toBe(409)
})

test.each([
  [500, 'a1-b2', 'a1-b2'],
  [503, null, undefined],
  [409, 'a1-b2', undefined],
])('a failure with status %i names its request if the store could not do it', (status, header, named) => {
  expect(toApiError(status, {}, header).requestId).toBe(named)
})

test('field errors come only of a failed validation and of what is taken', () => {
  const details = { nickname: 'nickname_too_short', n: 1 }
  expect(toFieldErrors(toApiError(409, { error: { code: 'DUPLICATE', details: { code: 'duplicate' } } }))).toEqual({
    code: 'duplicate',
  })
  expect(toFieldErrors(toApiError(400, { error: { code: 'VALIDATION_FAILED', details } }))).toEqual({
    nickname: 'nickname_too_short',
  })
  expect(toFieldErrors(toApiError(409, { error: { code: 'PRICE_CHANGED', details } }))).toEqual({})
})
