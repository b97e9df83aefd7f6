import type { Receipt } from '@olmos/contract/orders'
import { expect, test } from 'vitest'
import { serverI18n } from '../../i18n/server.ts'
import {
  allCodes,
  copiedCode,
  copiedCodes,
  isOnlyTopups,
  oneOrMore,
  readDelivery,
  redeemAddress,
  redeemLink,
  toLabel,
} from './order.rules.ts'

const order = (...items: { item_type: 'code' | 'topup'; codes: string[] }[]) => ({ items }) as Receipt

test('all codes stand in the order of the items', () => {
  const receipt = order(
    { item_type: 'code', codes: ['A', 'B\nPIN: 1'] },
    { item_type: 'topup', codes: [] },
    { item_type: 'code', codes: ['C'] },
  )
  expect(allCodes(receipt)).toEqual(['A', 'B\nPIN: 1', 'C'])
})

test('an order is one of top-ups only when nothing else is in it', () => {
  expect(isOnlyTopups(order({ item_type: 'topup', codes: [] }))).toBe(true)
  expect(isOnlyTopups(order({ item_type: 'topup', codes: [] }, { item_type: 'code', codes: ['C'] }))).toBe(false)
  expect(isOnlyTopups(order())).toBe(false)
})

test.each([
  ['pending', ['pending'], 'completed', 'pending'],
  ['pending', ['delivered', 'unknown'], 'completed', 'unknown'],
  ['completed', ['delivered'], 'completed', undefined],
  ['awaiting_payment', ['awaiting_payment'], 'awaiting_payment', undefined],
  ['refunded', ['refunded'], 'refunded', undefined],
])('an order of only top-ups that is %s with %j is labelled %s, its delivery %s', (status, items, label, delivery) => {
  const topups = { status, items: items.map((one) => ({ item_type: 'topup', status: one })) } as Receipt
  expect([toLabel(topups), readDelivery(topups)]).toEqual([label, delivery])
  const mixed = { status, items: [...topups.items, { item_type: 'code', status: 'delivered' }] } as Receipt
  expect([toLabel(mixed), readDelivery(mixed)]).toEqual([status, undefined])
})

const codeItem = (codes: string[], region: { id: number; name: string; flag: string } | null) =>
  ({ item_type: 'code', codes, region, product: { title: 'Fortnite' } }) as Receipt['items'][number]
const turkey = { id: 1, name: 'Турция', flag: '🇹🇷' }
const europe = { id: 2, name: 'Европа', flag: '/art/eu.svg' }
const amount = () => '1 000 V-Bucks'

test('a copied code carries its region below it, and is bare where it works everywhere', () => {
  expect(copiedCode(codeItem(['A-1'], turkey), 'A-1', amount())).toBe('A-1\nFortnite, 1 000 V-Bucks, 🇹🇷 Турция')
  expect(copiedCode(codeItem(['A-1'], null), 'A-1', amount())).toBe('A-1')
})

test('all codes are copied with what they are for, unless they are all alike and work everywhere', () => {
  const receipt = { items: [codeItem(['A', 'B'], turkey), codeItem(['C'], europe)] } as Receipt
  expect(copiedCodes(receipt, amount)).toBe(
    'Fortnite, 1 000 V-Bucks, 🇹🇷 Турция\nA\nB\n\nFortnite, 1 000 V-Bucks, Европа\nC',
  )
  expect(copiedCodes({ items: [codeItem(['A', 'B'], null)] } as Receipt, amount)).toBe('A\nB')
  expect(copiedCodes({ items: [codeItem(['A\n1', 'B\n2'], null)] } as Receipt, amount)).toBe('A\n1\n\nB\n2')
})

test.each([
  ['Откройте в браузере roblox.com/redeem и войдите в свой аккаунт.', 'roblox.com/redeem'],
  ['1. Open m.mobilelegends.com/en/codexchange in a browser.', 'm.mobilelegends.com/en/codexchange'],
  ['Open the store (store.playstation.com) and log in.', 'store.playstation.com'],
  ['Add the code to the end of this link: t.me/giftcode/', 't.me/giftcode/'],
  ['See https://fortnite.com/vbuckscard.', 'fortnite.com/vbuckscard'],
  ['Open the game, e.g. on a phone. Version 2.0 is enough.', undefined],
  ['', undefined],
])('in %j codes are redeemed at %j', (instructions, address) => {
  expect(redeemAddress(instructions)).toBe(address)
})

test('an address that ends with a slash takes the code, once it is shown', () => {
  expect(redeemLink('t.me/giftcode/', 'A/1')).toBe('https://t.me/giftcode/A%2F1')
  expect(redeemLink('t.me/giftcode/', undefined)).toBe('https://t.me/giftcode/')
  expect(redeemLink('roblox.com/redeem', 'A')).toBe('https://roblox.com/redeem')
})

test('a text that tells one from several and names no number is of several for 21 codes', () => {
  const { t } = serverI18n('ru').current()
  expect([1, 2, 21].map((count) => t('receipt.ready', { count: oneOrMore(count) }))).toEqual([
    'Код готов',
    'Коды готовы',
    'Коды готовы',
  ])
})
