import { expect, test } from 'vitest'
import { choiceSearch, readChoice, withChoice } from './choice-in-address.ts'

test.each([
  ['region=5&amount=50&quantity=3', { region: 5, amount: 50, quantity: 3 }],
  ['region=0', { region: 0 }],
  ['region=-1&amount=0&quantity=0', {}],
  ['region=a&amount=1.5&quantity=', {}],
  ['quantity=5000', { quantity: 1000 }],
  ['', {}],
])('%s chooses %j', (address, choice) => {
  expect(readChoice(new URLSearchParams(address))).toEqual(choice)
})

test('a choice keeps what else is in the address, and one piece goes without saying', () => {
  const address = new URLSearchParams('lang=en&region=1&quantity=4')
  expect(withChoice(address, { region: 5, amount: 50, quantity: 1 }).toString()).toBe('lang=en&region=5&amount=50')
  expect(choiceSearch({ region: 0, amount: 100 })).toBe('?region=0&amount=100')
})
