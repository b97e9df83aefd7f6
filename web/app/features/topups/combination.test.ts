import { expect, test } from 'vitest'
import { amountDigits, findCheaper, keptSelection, selectionFor, sumChosen, toChosen, toggled } from './combination.ts'

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

test.each([
  ['385', {}, { 2: 1, 1: 1 }],
  ['385', { 2: 2 }, { 2: 2 }],
  ['720', { 3: 1, 1: 1 }, { 2: 2, 1: 2 }],
  ['', { 1: 1 }, { 1: 1 }],
])('of %j UC, chosen as %j when other packages were there, %j are chosen', (typed, before, selection) => {
  expect(keptSelection(typed, before, offers)).toEqual(selection)
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

/** Packages at the prices of a shop: amount and roubles. */
const priced = (prices: readonly (readonly [number, number])[], available = 99) =>
  prices.map(([amount, rub], at) => ({ ...entry(at + 1, amount, available), price_rub: rub, price_usd: rub / 80 }))
const shop = priced([
  [60, 79],
  [325, 389],
  [660, 769],
  [1320, 1489],
])

test.each([
  // Five of the smallest come to 395 ₽.
  [300, 325, 6, { 2: 1 }],
  // A package and a half, and five small ones, come to 1 553 ₽.
  [1234, 1320, 64, { 4: 1 }],
])('for %i UC, %i UC are cheaper by %i ₽', (wanted, amount, saved, selection) => {
  const chosen = toChosen(selectionFor(String(wanted), shop), shop)
  expect(findCheaper(wanted, chosen, shop, 'RUB')).toMatchObject({ amount, saved, selection })
})

test.each([60, 325, 385, 660, 1320])('%i UC have no cheaper way', (wanted) => {
  const chosen = toChosen(selectionFor(String(wanted), shop), shop)
  expect(findCheaper(wanted, chosen, shop, 'RUB')).toBeUndefined()
})

test('what is not in stock, and what nobody asked for, is not advised', () => {
  const scarce = priced([
    [50, 100],
    [100, 90],
  ]).map((offer) => (offer.id === 2 ? { ...offer, available: 1 } : offer))
  const chosen = [{ package: scarce[0] as (typeof scarce)[0], quantity: 4 }]
  // Two of the larger would be cheaper, and there is one.
  expect(findCheaper(200, chosen, scarce, 'RUB')).toBeUndefined()
  expect(findCheaper(0, chosen, scarce, 'RUB')).toBeUndefined()
  expect(findCheaper(100_001, chosen, scarce, 'RUB')).toBeUndefined()
  expect(findCheaper(100, [], scarce, 'RUB')).toBeUndefined()
  expect(findCheaper(100, chosen, scarce, 'USD')).toMatchObject({ amount: 100, selection: { 2: 1 } })
})
