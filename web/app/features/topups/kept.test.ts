import type { AccountField } from '@olmos/contract/topup-data'
import { expect, test } from 'vitest'
import { toLine, topupIn } from './checkout-topup.ts'
import { draftIn } from './draft.ts'
import { accountsIn } from './kept-accounts.ts'

const empty = draftIn('')

test.each([
  ['', {}],
  ['{broken', {}],
  ['"text"', {}],
  ['null', {}],
  [
    '{"account":{"user_id":"5123"},"selection":{"1":2},"offerId":3,"isFound":true}',
    { account: { user_id: '5123' }, selection: { 1: 2 }, offerId: 3, isFound: true },
  ],
  ['{"account":{"user_id":5123,"zone_id":"1"}}', { account: { zone_id: '1' } }],
  ['{"account":"5123","selection":null,"offerId":"3"}', {}],
  ['{"playerId":"5123","typed":"60"}', {}],
])('of the draft %j what fits is taken', (text, fitting) => {
  expect(draftIn(text)).toEqual({ ...empty, ...fitting })
})

const field = (key: string): AccountField => ({
  key,
  label: key,
  hint: '',
  type: 'digits',
  required: true,
  pattern: '',
  length_min: 1,
  length_max: 32,
  options: [],
})

test.each([
  ['', []],
  ['{broken', []],
  ['{"id":"1"}', []],
  // How the accounts of games with one field were kept.
  ['[{"id":"1","name":"A"},{"id":2,"name":"B"},null,7]', [{ account: { player_id: '1' }, name: 'A' }]],
  [
    '[{"account":{"player_id":"5","old_field":"7"},"name":""},{"account":{"old_field":"7"},"name":"B"}]',
    [{ account: { player_id: '5' }, name: '' }],
  ],
  ['[{"account":{"player_id":5},"name":"A"},{"account":null,"name":"B"},{"account":{"player_id":"6"}}]', []],
])('%j holds the accounts %j', (text, accounts) => {
  expect(accountsIn(text, [field('player_id'), field('zone_id')])).toEqual(accounts)
})

const topupData = {
  service: 'mobile-legends-topup',
  account: { user_id: '5123', zone_id: '2001' },
  offers: [{ offer_id: 7, quantity: 1 }],
  price_usd: 1,
  price_rub: 80,
}
const account = [
  { key: 'user_id', label: 'User ID', value: '5123' },
  { key: 'zone_id', label: 'Zone ID', value: '2001' },
]
const state = { topupData, title: 'Mobile Legends', playerName: 'Neo', account }

test.each([
  [state, true],
  [undefined, false],
  [{ from: '/cart' }, false],
  [{ ...state, topupData: { ...topupData, price_rub: '80' } }, false],
  [{ ...state, topupData: { ...topupData, account: { user_id: 5123 } } }, false],
  [{ ...state, topupData: { ...topupData, offers: undefined } }, false],
  [{ ...state, topupData: { ...topupData, offers: undefined, amount: 500 } }, true],
  [{ ...state, account: [null] }, false],
  [{ topupData }, false],
  // How the three games of the specification handed over theirs.
  [{ topupData: { service: 'pubg', player_id: '5', price_usd: 1, price_rub: 80 }, title: 'x', playerName: '' }, false],
])('the navigation state %j carries a top-up: %s', (given, carries) => {
  expect(topupIn(given) !== undefined).toBe(carries)
})

test('a top-up at the checkout is shown with its account, and with a login where an amount arrives', () => {
  const shown = topupIn(state)
  expect(shown && toLine(shown).topup_data).toMatchObject({ account, login: '', player_name: 'Neo' })
  const amount = topupIn({
    ...state,
    topupData: { ...topupData, offers: undefined, amount: 500, currency: 'rub' },
    account: [{ key: 'login', label: 'Steam', value: 'gabe_n' }],
  })
  expect(amount && toLine(amount).topup_data).toMatchObject({ login: 'gabe_n', user_balance_currency: 'rub' })
})
