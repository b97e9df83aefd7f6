import { expect, test } from 'vitest'
import type { PaymentSnapshot, ProviderRefund } from './provider.ts'
import { type BookedCardRefund, comparePayment, compareRefunds, type StoredPayment } from './reconciliation.ts'

const there = (change: Partial<PaymentSnapshot> = {}): PaymentSnapshot => ({
  providerPaymentId: 'P1',
  reference: 'K1',
  status: 'succeeded',
  amount: 1_999,
  currency: 'RUB',
  ...change,
})
const here = (change: Partial<StoredPayment> = {}): StoredPayment => ({
  id: 7,
  order_id: 'ORDER00001',
  key: 'K1',
  provider_payment_id: 'P1',
  status: 'succeeded',
  charge_amount: 1_999,
  charge_currency: 'RUB',
  paid_amount: 1_999,
  paid_currency: 'RUB',
  ...change,
})
const unpaid = { paid_amount: null, paid_currency: null } as const

test.each([
  ['both have it', there(), here(), undefined],
  ['nobody has its money', there({ status: 'pending' }), here({ status: 'open', ...unpaid }), undefined],
  ['the store knows nothing of it', there(), undefined, 'only_there'],
  ['it is canceled here', there(), here({ status: 'canceled', ...unpaid }), 'canceled_here'],
  ['it still waits here', there(), here({ status: 'open', ...unpaid }), 'unpaid_here'],
  ['the provider knows nothing of it', undefined, here(), 'only_here'],
  ['it is canceled there', there({ status: 'canceled' }), here(), 'only_here'],
  ['it is one unit less there', there({ amount: 1_998 }), here(), 'amount'],
  ['it is in another currency there', there({ currency: 'UZS' }), here(), 'amount'],
])('%s', (_what, provider, books, kind) => {
  expect(comparePayment(provider, books)?.kind).toBe(kind)
})

test('a second charge for one bill names its order', () => {
  const second = comparePayment(there({ providerPaymentId: 'P2' }), undefined, here())
  expect(second).toMatchObject({
    kind: 'only_there',
    provider_payment_id: 'P2',
    payment_id: null,
    order_id: 'ORDER00001',
  })
})

const refunded = (change: Partial<ProviderRefund> = {}): ProviderRefund => ({
  providerRefundId: 'R1',
  providerPaymentId: 'P1',
  reference: undefined,
  status: 'succeeded',
  amount: 500,
  currency: 'RUB',
  ...change,
})
const booked = (change: Partial<BookedCardRefund> = {}): BookedCardRefund => ({
  payment_id: 7,
  key: 'RK1',
  provider_refund_id: 'R1',
  status: 'succeeded',
  amount: 500,
  currency: 'RUB',
  ...change,
})
const nameless = { provider_refund_id: null, status: 'sending' } as const

test.each([
  ['both have it', [refunded()], [booked()], []],
  ['it is on its way in both', [refunded({ status: 'pending' })], [booked({ status: 'sent' })], []],
  ['it was made in the cabinet', [refunded()], [], ['refund_only_there']],
  ['it was made, and failed in the books', [refunded()], [booked({ status: 'failed' })], ['refund_only_there']],
  ['only the books have it', [], [booked()], ['refund_only_here']],
  ['it failed there, and the books have it', [refunded({ status: 'failed' })], [booked()], ['refund_only_here']],
  ['it failed there, as somebody tried it in the cabinet', [refunded({ status: 'failed' })], [], []],
  ['it is about to be sent', [], [booked(nameless)], []],
  ['its answer was lost', [refunded()], [booked(nameless)], []],
  ['it is told by its key', [refunded({ reference: 'RK1' })], [booked(nameless)], []],
  ['it is one unit more there', [refunded({ amount: 501 })], [booked()], ['refund_amount']],
  [
    'two of one sum, one of them made in the cabinet',
    [refunded(), refunded({ providerRefundId: 'R2' })],
    [booked({ provider_refund_id: 'R2' })],
    ['refund_only_there'],
  ],
])('a refund: %s', (_what, provider, books, kinds) => {
  expect(compareRefunds(here(), provider, books).map(({ kind }) => kind)).toEqual(kinds)
})
