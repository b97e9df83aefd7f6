import { expect, test } from 'vitest'
import { toDecimal, toHundredths } from '../../../platform/vendor/vendor.ts'
import { statusTrouble, toYookassaSnapshot } from './yookassa.ts'

test.each([
  ['0.01', 1],
  ['10.00', 1_000],
  ['10.5', 1_050],
  ['10', 1_000],
  ['19.99', 1_999],
  ['1234567.89', 123_456_789],
  // What floats get wrong.
  ['1.15', 115],
  ['4.35', 435],
])('%s is %i', (value, minor) => {
  expect(toHundredths(value)).toBe(minor)
  expect(toHundredths(toDecimal(minor))).toBe(minor)
})

const payment: Parameters<typeof toYookassaSnapshot>[0] = {
  id: '1',
  status: 'succeeded',
  paid: true,
  amount: { value: '10.00', currency: 'RUB' },
  recipient: { account_id: '123' },
}

test.each([
  [{}, 'succeeded'],
  [{ paid: false }, 'pending'],
  [{ status: 'waiting_for_capture' }, 'pending'],
  [{ status: 'pending', paid: false }, 'pending'],
  [{ status: 'canceled', paid: false }, 'canceled'],
] as const)('%j is %s', (changes, status) => {
  expect(toYookassaSnapshot({ ...payment, ...changes }).status).toBe(status)
})

test.each([
  [400, 'rejected'],
  [401, 'rejected'],
  [404, 'rejected'],
  [408, 'unknown'],
  [429, 'unknown'],
  [500, 'unknown'],
  [202, 'unknown'],
])('HTTP %i is %s', (status, kind) => {
  expect(statusTrouble({ status, body: { code: 'invalid_request' }, retryAfterSeconds: undefined }).kind).toBe(kind)
})
