import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { startYookassa } from '../../../../test/doubles/yookassa.ts'
import { requestFor } from '../../../../test/provider-benches.ts'
import { createVendorFetch, toDecimal, toHundredths } from '../../../platform/vendor/vendor.ts'
import { makeReceipt, makeRefundReceipt } from '../fiscal-receipt.rules.ts'
import type { PaymentRequest } from '../provider.ts'
import { statusTrouble, toYookassaReceipt, toYookassaSnapshot, yookassa } from './yookassa.ts'

test.each([
  ['0.01', 1],
  ['10.00', 1_000],
  ['10.5', 1_050],
  ['10', 1_000],
  ['19.99', 1_999],
  ['1234567.89', 123_456_789],
  // What floats get wrong.
  ['1.15', 115],
  ['4.35', 435],
])('%s is %i', (value, minor) => {
  expect(toHundredths(value)).toBe(minor)
  expect(toHundredths(toDecimal(minor))).toBe(minor)
})

const payment: Parameters<typeof toYookassaSnapshot>[0] = {
  id: '1',
  status: 'succeeded',
  paid: true,
  amount: { value: '10.00', currency: 'RUB' },
  recipient: { account_id: '123' },
}

test.each([
  [{}, 'succeeded'],
  [{ paid: false }, 'pending'],
  [{ status: 'waiting_for_capture' }, 'pending'],
  [{ status: 'pending', paid: false }, 'pending'],
  [{ status: 'canceled', paid: false }, 'canceled'],
] as const)('%j is %s', (changes, status) => {
  expect(toYookassaSnapshot({ ...payment, ...changes }).status).toBe(status)
})

test.each([
  [400, 'rejected'],
  [401, 'rejected'],
  [404, 'rejected'],
  [408, 'unknown'],
  [429, 'unknown'],
  [500, 'unknown'],
  [202, 'unknown'],
])('HTTP %i is %s', (status, kind) => {
  expect(statusTrouble({ status, body: { code: 'invalid_request' }, retryAfterSeconds: undefined }).kind).toBe(kind)
})

describe('at YooKassa', async () => {
  const vendor = await startYookassa()
  afterAll(() => vendor.close())
  const provider = yookassa.create(
    {
      YOOKASSA_SHOP_ID: vendor.shopId,
      YOOKASSA_SECRET_KEY: vendor.secretKey,
      YOOKASSA_BASE_URL: vendor.url,
      YOOKASSA_ADDRESSES: [],
    },
    { fetchVendor: createVendorFetch() },
  )
  const request = (changes: Partial<PaymentRequest> = {}): PaymentRequest => ({
    ...requestFor({ provider, currency: 'RUB' }),
    ...changes,
  })
  const lastSent = () => JSON.parse(vendor.requests.at(-1)?.body ?? 'null')
  const contact = { email: 'buyer@example.com' }
  const defaults = { taxSystem: 'osn', tax: 'vat22', subject: 'payment', mode: 'full_prepayment' } as const
  const items = [
    { name: '60 UC', quantity: 3, amount: 1_000 },
    { name: 'Code', quantity: 1, amount: 999, tax: 'none' as const },
  ]

  test('who chooses SBP goes there, and who chooses the card sees all that the shop has', async () => {
    expect(provider.methods.map(({ name }) => name)).toEqual(['yookassa_card', 'yookassa_sbp'])
    await provider.createPayment(request({ method: 'yookassa_sbp' }))
    expect(lastSent().payment_method_data).toEqual({ type: 'sbp' })
    await provider.createPayment(request({ method: 'yookassa_card' }))
    expect(lastSent()).not.toHaveProperty('payment_method_data')
    expect(lastSent()).not.toHaveProperty('receipt')
  })

  test('a payment and a part of its refund come with receipts that add up to them', async () => {
    vendor.needsReceipts = true
    const missing = { kind: 'rejected', code: 'invalid_request', parameter: 'receipt' }
    expect(await provider.createPayment(request())).toEqual(missing)
    const receipt = makeReceipt({ contact, items, charged: 1_999, defaults })
    const opened = await provider.createPayment(request({ receipt }))
    expect(lastSent().receipt).toEqual({
      customer: contact,
      tax_system_code: 1,
      items: [
        ['60 UC', 2, '3.33', 11],
        ['60 UC', 1, '3.34', 11],
        ['Code', 1, '9.99', 1],
      ].map(([description, quantity, value, vat_code]) => ({
        description,
        quantity,
        measure: 'piece',
        amount: { value, currency: 'RUB' },
        vat_code,
        payment_subject: 'payment',
        payment_mode: 'full_prepayment',
      })),
    })
    const id = opened.kind === 'done' ? opened.value.providerPaymentId : ''
    vendor.pay(id)
    const parts = [{ item: 0, quantity: 2, amount: 667 }]
    const back = makeRefundReceipt({ contact: { phone: '+7 903 123 45 67' }, items, parts, charged: 667, defaults })
    const refund = { providerPaymentId: id, amount: 667, currency: 'RUB', key: randomUUID() } as const
    expect(await provider.refund({ ...refund, key: randomUUID() })).toEqual(missing)
    expect((await provider.refund({ ...refund, receipt: back })).kind).toBe('done')
    expect(lastSent().receipt.customer).toEqual({ phone: '79031234567' })
    const wrong = makeRefundReceipt({ contact, items, parts, charged: 668, defaults })
    expect((await provider.refund({ ...refund, key: randomUUID(), receipt: wrong })).kind).toBe('rejected')
    vendor.needsReceipts = false
  })

  test.each([
    ['none', 1],
    ['vat0', 2],
    ['vat10', 3],
    ['vat20', 4],
    ['vat110', 5],
    ['vat120', 6],
    ['vat5', 7],
    ['vat7', 8],
    ['vat105', 9],
    ['vat107', 10],
    ['vat22', 11],
    ['vat122', 12],
  ] as const)('%s has the number %i', (tax, code) => {
    const receipt = makeReceipt({ contact, items, charged: 1_999, defaults: { ...defaults, tax } })
    expect(toYookassaReceipt(receipt).items[0]?.vat_code).toBe(code)
  })

  test.each([
    ['osn', 1],
    ['usn_income', 2],
    ['usn_income_outcome', 3],
    ['esn', 5],
    ['patent', 6],
    [null, undefined],
  ] as const)('the tax system %s has the number %s', (taxSystem, code) => {
    const receipt = makeReceipt({ contact, items, charged: 1_999, defaults: { ...defaults, taxSystem } })
    expect(toYookassaReceipt(receipt).tax_system_code).toBe(code)
  })
})
