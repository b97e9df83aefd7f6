import { expect, test } from 'vitest'
import { Failure } from './failure.ts'
import { type FailureCode, failureStatus } from './failure-codes.ts'

test('every refusal has a status and can be told from a bug', () => {
  for (const [code, status] of Object.entries(failureStatus) as [FailureCode, number][]) {
    // The compiler checks the details of a known code; this is about all of them at once.
    const failure = new (Failure as new (code: FailureCode, details: object) => Failure)(code, { a: 1 })
    expect(code).toMatch(/^[A-Z]+(_[A-Z]+)*$/)
    expect([400, 401, 402, 403, 404, 409, 413, 415, 429, 500, 502, 503]).toContain(status)
    expect(failure).toBeInstanceOf(Error)
    expect(failure).toMatchObject({ code, status, details: { a: 1 }, message: code })
  }
})

/** The statuses in the API reference: changing one breaks the clients that rely on it. */
test.each([
  [400, ['VALIDATION_FAILED', 'INVALID_AMOUNT', 'BELOW_LEAST_AMOUNT']],
  [401, ['UNAUTHENTICATED', 'INVALID_CREDENTIALS', 'SECOND_FACTOR_REQUIRED']],
  [402, ['INSUFFICIENT_BALANCE']],
  [403, ['FORBIDDEN']],
  [404, ['NOT_FOUND', 'USER_NOT_FOUND', 'OFFER_NOT_FOUND', 'PLAYER_NOT_FOUND', 'CODE_NOT_FOUND']],
  [
    409,
    [
      'NICKNAME_TAKEN',
      'PRICE_CHANGED',
      'RATE_JUMP',
      'OUT_OF_STOCK',
      'STEAM_LOGIN_REFUSED',
      'CART_EMPTY',
      'CODE_ALREADY_USED',
      'CODE_ON_HOLD',
      'BALANCE_ON_HOLD',
      'IDEMPOTENCY_KEY_REUSED',
      'STATE_CONFLICT',
      'DUPLICATE',
    ],
  ],
  [413, ['BODY_TOO_LARGE']],
  [415, ['UNSUPPORTED_MEDIA_TYPE']],
  [429, ['RATE_LIMITED']],
  [500, ['UNEXPECTED_ERROR']],
  [502, ['SUPPLIER_UNAVAILABLE', 'PAYMENT_PROVIDER_UNAVAILABLE']],
  [503, ['PICTURES_UNAVAILABLE', 'OVERLOADED', 'STARTING']],
])('%i is answered for %j', (status, codes) => {
  for (const code of codes) expect([code, failureStatus[code as FailureCode]]).toEqual([code, status])
})

test('a refusal without the details of its code, or with other ones, does not compile', () => {
  // @ts-expect-error: none at all
  new Failure('INSUFFICIENT_BALANCE')
  // @ts-expect-error: one is missing
  new Failure('INSUFFICIENT_BALANCE', { required: 5, available: 1 })
  // @ts-expect-error: one has another name
  new Failure('INSUFFICIENT_BALANCE', { needed: 5, available: 1, currency: 'USD' })
  // @ts-expect-error: a conflict nobody has described
  new Failure('STATE_CONFLICT', { reason: 'full_moon' })
  // @ts-expect-error: a conflict without its reason
  new Failure('STATE_CONFLICT', { user: 'last_admin' })
  // @ts-expect-error: a conflict with the details of another reason
  new Failure('STATE_CONFLICT', { reason: 'last_admin', user: 'self' })
  // @ts-expect-error: details of a code that has none
  new Failure('CART_EMPTY', { items: [] })
  const failure: Failure = new Failure('INSUFFICIENT_BALANCE', { required: 5, available: 1, currency: 'USD' })
  expect(failure.is('INSUFFICIENT_BALANCE') && failure.details?.required).toBe(5)
  expect(failure.is('CART_EMPTY')).toBe(false)
})
