import { expect, test } from 'vitest'
import { toOpenCurrencies } from './open-currencies.ts'

const empty = { USD: 0, RUB: 0, reserved: { USD: 0, RUB: 0 } }

test.each([
  [['RUB', 'USD', 'UZS'], undefined, ['RUB', 'USD']],
  [['USD', 'RUB'], empty, ['RUB', 'USD']],
  [['USD', 'UZS'], undefined, ['USD']],
  [['USD', 'UZS'], empty, ['USD']],
  [['USD'], { ...empty, RUB: 0.01 }, ['RUB', 'USD']],
  [['RUB'], { ...empty, reserved: { USD: 5, RUB: 0 } }, ['RUB', 'USD']],
] as const)('where %j are offered, with the balance %j, one can pay in %j', (offered, balances, open) => {
  expect(toOpenCurrencies(offered, balances)).toEqual(open)
})
