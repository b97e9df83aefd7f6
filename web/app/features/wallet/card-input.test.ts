import { expect, test } from 'vitest'
import { asCardNumber, asExpiry, readCardType } from './card-input.ts'

test.each([
  ['4111111111111111', '4111 1111 1111 1111'],
  ['4111-1111 x1', '4111 1111 1'],
  ['', ''],
])('%j is shown as %j', (typed, shown) => {
  expect(asCardNumber(typed)).toBe(shown)
})

test.each([
  ['1', '1'],
  ['12', '12'],
  ['123', '12/3'],
  ['12/3456', '12/34'],
])('expiry %j is shown as %j', (typed, shown) => {
  expect(asExpiry(typed)).toBe(shown)
})

test.each([
  ['4', 'Visa'],
  ['51', 'Mastercard'],
  ['2221', 'Mastercard'],
  ['2720', 'Mastercard'],
  ['2200 1', 'MIR'],
  ['2204', 'MIR'],
  ['22', undefined],
  ['2205', undefined],
  ['2721', undefined],
  ['50', undefined],
  ['', undefined],
])('a card that begins with %j is %j', (number, type) => {
  expect(readCardType(number)).toBe(type)
})
