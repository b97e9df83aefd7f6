import { expect, test } from 'vitest'
import { toHttpOutcome, vendorDecimal, vendorPrice } from './vendor.ts'

test.each([
  ['0.8800', '0.8800'],
  [9.5, '9.5'],
  [100, '100'],
  [0, '0'],
  [0.1 + 0.2, '0.3'],
  [0.00000001, '0.00000001'],
  [123_456_789.12, '123456789.12'],
])('a vendor who tells %j means %s', (told, meant) => {
  expect(vendorDecimal.safeParse(told).data).toBe(meant)
})

test.each([
  [401, 'rejected', 'not_allowed'],
  [403, 'rejected', 'not_allowed'],
  [400, 'rejected', 'its_own'],
  [404, 'rejected', 'its_own'],
  [499, 'rejected', 'its_own'],
  [204, 'unknown', 'http_204'],
  [302, 'unknown', 'http_302'],
  [408, 'unknown', 'http_408'],
  [409, 'unknown', 'http_409'],
  [429, 'unknown', 'http_429'],
  [500, 'unknown', 'http_500'],
])('an answer with status %i is %s: %s', (status, kind, reason) => {
  const outcome = toHttpOutcome({ status, retryAfterSeconds: 7 }, 'its_own')
  expect(outcome).toEqual(kind === 'unknown' ? { kind, why: reason, retryAfterSeconds: 7 } : { kind, code: reason })
  if (reason === 'its_own')
    expect(toHttpOutcome({ status, retryAfterSeconds: 7 })).toMatchObject({ code: `http_${status}` })
})

test.each(['', 'soon', '-1', -1, '1e3', 1e21, '0.123456789', 0.123456789, 1e-9, Number.NaN, '1,5', null, {}])(
  'a vendor who tells %j tells no amount',
  (told) => expect(vendorDecimal.safeParse(told).success).toBe(false),
)

test.each(['0', '0.00', 0, '000.0000'])('nothing costs %j', (told) => {
  expect(vendorPrice.safeParse(told).success).toBe(false)
  expect(vendorDecimal.safeParse(told).success).toBe(true)
})
