import { firstNumbers } from '@olmos/contract/shop-numbers'
import { expect, test } from 'vitest'
import { decideSettlement, type SettlementCase } from '../payments/charge.rules.ts'
import { isSoldAsOrdered, whyNotSold } from './order-terms.ts'

const payment = {
  status: 'open',
  amount: 100,
  currency: 'USD',
  charge_amount: 100,
  charge_currency: 'USD',
  charge_rate: null,
} as const
const order = {
  purpose: 'goods',
  status: 'awaiting_payment',
  cart_version: 7,
  topup_key: null,
  is_overtime: false,
} as const
const filling = { ...order, purpose: 'balance', cart_version: null } as const
const topup = { ...order, status: 'expired', cart_version: null, topup_key: 'steam:gabe:usd1000' } as const
const told = { status: 'succeeded', amount: 100, currency: 'USD' } as const
const paid = { ...payment, status: 'succeeded' } as const
const gone = { ...order, status: 'expired' } as const
const given = (changes: Partial<SettlementCase>): SettlementCase => ({
  payment,
  order,
  isBuyerBlocked: false,
  told,
  ...changes,
})

test.each<[string, Partial<SettlementCase>, ReturnType<typeof decideSettlement>]>([
  ['paid', {}, { do: 'deliver' }],
  ['paid before we knew of the page', { payment: { ...payment, status: 'opening' } }, { do: 'deliver' }],
  ['paid though declined before', { payment: { ...payment, status: 'canceled' } }, { do: 'deliver' }],
  ['paid again', { payment: paid }, { do: 'nothing' }],
  ['pending', { told: { ...told, status: 'pending' } }, { do: 'nothing' }],
  ['pending after paid', { payment: paid, told: { ...told, status: 'pending' } }, { do: 'nothing' }],
  ['declined', { told: { ...told, status: 'canceled' } }, { do: 'cancel' }],
  [
    'declined again',
    { payment: { ...payment, status: 'canceled' }, told: { ...told, status: 'canceled' } },
    { do: 'nothing' },
  ],
  [
    'declined after paid',
    { payment: paid, told: { ...told, status: 'canceled' } },
    { do: 'alert', why: 'canceled_after_success' },
  ],
  ['paid late', { order: gone }, { do: 'deliver_late' }],
  ['paid late for a top-up', { order: topup }, { do: 'deliver_late' }],
  ['paid when it waited longer than any order may', { order: { ...order, is_overtime: true } }, { do: 'deliver_late' }],
  ['paid by a blocked buyer', { isBuyerBlocked: true }, { do: 'end', why: 'buyer_blocked' }],
  ['paid late by a blocked buyer', { order: gone, isBuyerBlocked: true }, { do: 'end', why: 'buyer_blocked' }],
  ['paid for a filling', { order: filling }, { do: 'fill', why: undefined }],
  ['paid late for a filling', { order: { ...filling, status: 'expired' } }, { do: 'fill', why: undefined }],
  [
    'paid very late for a filling',
    { order: { ...filling, status: 'expired', is_overtime: true } },
    { do: 'fill', why: undefined },
  ],
  ['paid twice for a filling', { order: { ...filling, status: 'completed' } }, { do: 'wallet', why: 'paid_before' }],
  [
    'paid for a filling with less',
    { order: filling, told: { ...told, amount: 99 } },
    { do: 'fill', why: 'wrong_amount' },
  ],
  [
    'paid twice for a filling, with less',
    { order: { ...filling, status: 'completed' }, told: { ...told, amount: 99 } },
    { do: 'wallet', why: 'wrong_amount' },
  ],
  [
    'paid for a filling in a currency that no wallet has',
    { order: filling, told: { ...told, currency: 'KZT' } },
    { do: 'operator', why: 'wrong_currency' },
  ],
  [
    'paid for a filling by a blocked buyer',
    { order: filling, isBuyerBlocked: true },
    { do: 'fill', why: 'buyer_blocked' },
  ],
  ['declined for a filling', { order: filling, told: { ...told, status: 'canceled' } }, { do: 'cancel' }],
  [
    'paid by a blocked buyer for what was superseded',
    { order: { ...gone, cart_version: null }, isBuyerBlocked: true },
    { do: 'wallet', why: 'superseded' },
  ],
  [
    'paid for a top-up that another order took the place of',
    { order: { ...topup, topup_key: null } },
    { do: 'wallet', why: 'superseded' },
  ],
  [
    'paid for a cart that became another order',
    { order: { ...gone, cart_version: null } },
    { do: 'wallet', why: 'superseded' },
  ],
  ['a second payment', { order: { ...order, status: 'completed' } }, { do: 'wallet', why: 'paid_before' }],
  ['a second payment of a top-up', { order: { ...order, status: 'pending' } }, { do: 'wallet', why: 'paid_before' }],
  [
    'a second payment of what was refunded',
    { order: { ...order, status: 'refunded' } },
    { do: 'wallet', why: 'paid_before' },
  ],
  ['too little', { told: { ...told, amount: 99 } }, { do: 'wallet', why: 'wrong_amount' }],
  ['too little, late', { order: gone, told: { ...told, amount: 99 } }, { do: 'wallet', why: 'wrong_amount' }],
  ['roubles for dollars', { told: { ...told, currency: 'RUB' } }, { do: 'wallet', why: 'wrong_amount' }],
  ['euros', { told: { ...told, currency: 'EUR' } }, { do: 'operator', why: 'wrong_currency' }],
  ['nothing', { told: { ...told, amount: 0 } }, { do: 'operator', why: 'wrong_currency' }],
])('%s', (_what, changes, verdict) => {
  expect(decideSettlement(given(changes))).toEqual(verdict)
})

const same = { is_on_sale: true, unit_price: 1_000, price_now: 1_000, quantity: 1, is_steam: false }
const steam = { ...same, is_steam: true }

test.each([
  ['as ordered', [same, steam], undefined, true],
  ['cheaper', [{ ...same, price_now: 999 }], undefined, false],
  ['dearer by the least there is', [same, { ...same, price_now: 1_001 }], 'price_changed', false],
  [
    'one dearer, one as much cheaper',
    [
      { ...same, price_now: 900 },
      { ...same, price_now: 1_100 },
    ],
    'price_changed',
    false,
  ],
  ['not on sale', [same, { ...same, is_on_sale: false }], 'not_on_sale', false],
  ['not on sale and dearer', [{ ...same, is_on_sale: false, price_now: 2_000 }], 'not_on_sale', false],
  ['Steam, one per cent dearer', [{ ...steam, price_now: 1_010 }], undefined, false],
  ['Steam, more than one per cent dearer', [{ ...steam, price_now: 1_011 }], 'price_changed', false],
] as const)('paid late: %s', (_what, items, why, isSame) => {
  expect([whyNotSold(items, firstNumbers.late_loss_percent), isSoldAsOrdered(items)]).toEqual([why, isSame])
})
