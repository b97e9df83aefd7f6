import { expect, test } from 'vitest'
import { amountDigits, selectionFor, sumChosen, toChosen, toggled } from './combination.ts'

const entry = (id: number, game_amount: number, available = 99) => ({
  id,
  name: `${game_amount} UC`,
  game_amount,
  price_usd: game_amount / 100,
  price_rub: game_amount + 0.1,
  available,
  is_popular: false,
})
const offers = [entry(1, 60), entry(2, 325), entry(3, 660, 0), entry(4, 1800)]

test('a package goes in, and out again with all that was chosen of it', () => {
  expect(toggled({}, 1)).toEqual({ 1: 1 })
  expect(toggled({ 1: 1 }, 2)).toEqual({ 1: 1, 2: 1 })
  expect(toggled({ 1: 3, 2: 1 }, 1)).toEqual({ 2: 1 })
})

test.each([
  ['', {}],
  ['0', {}],
  ['100001', {}],
  ['385', { 2: 1, 1: 1 }],
  // 660 is sold out: two of the next smaller one and one to cover the rest.
  ['660', { 2: 2, 1: 1 }],
  ['1', { 1: 1 }],
])('%j UC are the packages %j', (typed, selection) => {
  expect(selectionFor(typed, offers)).toEqual(selection)
})

test('what is gone or sold out meanwhile is not chosen', () => {
  expect(toChosen({ 1: 2, 3: 1, 9: 1 }, offers)).toEqual([{ package: offers[0], quantity: 2 }])
})

test('a total is exact in both currencies', () => {
  expect(sumChosen(toChosen({ 1: 3, 2: 1 }, offers))).toEqual({ amount: 505, usd: 5.05, rub: 505.4 })
})

test.each([
  ['1 920 UC', '1920'],
  ['007', '7'],
  ['0', '0'],
  ['12345678', '123456'],
  ['-5', '5'],
  ['', ''],
])('%j typed is %j', (typed, digits) => {
  expect(amountDigits(typed)).toBe(digits)
})
