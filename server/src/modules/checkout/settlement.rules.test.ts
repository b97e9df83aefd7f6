import { expect, test } from 'vitest'
import { judge, type SettlementCase } from './settlement.rules.ts'

const payment = { status: 'open', amount: 100, currency: 'USD' } as const
const order = { status: 'awaiting_payment', cart_version: 7, topup_key: null } as const
const topup = { status: 'expired', cart_version: null, topup_key: 'steam:gabe:usd1000' } as const
const told = { status: 'succeeded', amount: 100, currency: 'USD' } as const
const paid = { ...payment, status: 'succeeded' } as const
const gone = { ...order, status: 'expired' } as const
const given = (changes: Partial<SettlementCase>): SettlementCase => ({ payment, order, told, ...changes })

test.each<[string, Partial<SettlementCase>, ReturnType<typeof judge>]>([
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
  ['paid late', { order: gone }, { do: 'deliver' }],
  ['paid late for a top-up', { order: topup }, { do: 'deliver' }],
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
  expect(judge(given(changes))).toEqual(verdict)
})
