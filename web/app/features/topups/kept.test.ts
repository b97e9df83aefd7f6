import { expect, test } from 'vitest'
import { topupIn } from './checkout-topup.ts'
import { filledFrom } from './draft.ts'
import { accountsIn } from './kept-accounts.ts'

const empty = { playerId: '', selection: {}, amount: 0 }

test.each([
  [undefined, empty],
  ['text', empty],
  [null, empty],
  [
    { playerId: '5123', selection: { 1: 2 }, amount: 3 },
    { playerId: '5123', selection: { 1: 2 }, amount: 3 },
  ],
  [{ playerId: 5123, selection: null, amount: '3' }, empty],
  [{ somethingElse: 'x' }, empty],
])('of the draft %j what fits is taken', (kept, draft) => {
  expect(filledFrom(empty, kept)).toEqual(draft)
})

test.each([
  ['', []],
  ['{broken', []],
  ['{"id":"1"}', []],
  ['[{"id":"1","name":"A"},{"id":2,"name":"B"},null]', [{ id: '1', name: 'A' }]],
])('%j holds the accounts %j', (text, accounts) => {
  expect(accountsIn(text)).toEqual(accounts)
})

const topupData = { service: 'freefire', player_id: '5123', price_usd: 1, price_rub: 80 }

test.each([
  [{ topupData, title: 'Free Fire', playerName: '' }, true],
  [undefined, false],
  [{ from: '/cart' }, false],
  [{ topupData: { ...topupData, service: 'robux' }, title: 'x', playerName: '' }, false],
  [{ topupData: { ...topupData, price_rub: '80' }, title: 'x', playerName: '' }, false],
  [{ topupData }, false],
])('the navigation state %j carries a top-up: %s', (state, carries) => {
  expect(topupIn(state) !== undefined).toBe(carries)
})
