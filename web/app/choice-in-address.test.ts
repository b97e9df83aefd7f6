import { expect, test } from 'vitest'
import { choiceSearch, readChoice } from './choice-in-address.ts'

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

test('one piece goes without saying, and no region is a choice', () => {
  expect(choiceSearch({ region: 5, amount: 50, quantity: 1 })).toBe('?region=5&amount=50')
  expect(choiceSearch({ region: 0, amount: 100, quantity: 2 })).toBe('?region=0&amount=100&quantity=2')
})
