import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { signTbank, startTbank, tbankRefusals } from '../../../../test/doubles/tbank.ts'
import { home, now } from '../../../../test/provider-benches.ts'
import { createVendorFetch } from '../../../platform/vendor/vendor.ts'
import { makeReceipt, makeRefundReceipt } from '../fiscal-receipt.rules.ts'
import type { PaymentRequest, PaymentSnapshot, ProviderRefundRequest } from '../provider.ts'
import {
  type BookedPayment,
  type BookedRefund,
  listTbankRefunds,
  toTbankSnapshot,
  toTbankToken,
} from './tbank.rules.ts'
import { createTbank } from './tbank.ts'

describe('tokens', () => {
  test('are those of the documents, for a request', () => {
    const body = {
      TerminalKey: 'MerchantTerminalKey',
      Amount: 19_200,
      OrderId: '21090',
      Description: 'Подарочная карта на 1000 рублей',
      Token: 'is not part of itself',
      DATA: { Phone: '+71234567890' },
      Receipt: { Items: [] },
    }
    const expected = '0024a00af7c350a3a67ca168ce06502aa72772456662e38696d48b56ee9c97d9'
    expect(toTbankToken(body, 'usaf8fw8fsw21g')).toBe(expected)
    expect(signTbank(body, 'usaf8fw8fsw21g')).toBe(expected)
  })

  test('are those of the documents, for a notification', () => {
    const told = {
      TerminalKey: '1321054611234DEMO',
      OrderId: '201709',
      Success: true,
      Status: 'AUTHORIZED',
      PaymentId: 8_742_591,
      ErrorCode: '0',
      Amount: 9_855,
      CardId: 322_264,
      Pan: '430000******0777',
      ExpDate: '1122',
      RebillId: 101_709,
    }
    const expected = 'b906d28e76c6428e37b25fcf86c0adc52c63d503013fdd632e300593d165766b'
    expect(toTbankToken(told, 'Dfsfh56dgKl')).toBe(expected)
  })
})

const state = (Status: string, Amount = 1_999) => ({
  TerminalKey: 'a',
  PaymentId: '7',
  OrderId: 'key',
  Status,
  Amount,
})

test.each([
  ['NEW', 'pending'],
  ['FORM_SHOWED', 'pending'],
  ['AUTHORIZING', 'pending'],
  ['3DS_CHECKING', 'pending'],
  ['AUTHORIZED', 'pending'],
  ['CONFIRMING', 'pending'],
  ['PARTIAL_REVERSED', 'pending'],
  ['SOMETHING_NEW', 'pending'],
  ['', 'pending'],
  ['CONFIRMED', 'succeeded'],
  ['REFUNDING', 'succeeded'],
  ['ASYNC_REFUNDING', 'succeeded'],
  ['PARTIAL_REFUNDED', 'succeeded'],
  ['REFUNDED', 'succeeded'],
  ['CANCELED', 'canceled'],
  ['REVERSED', 'canceled'],
  ['REJECTED', 'canceled'],
  ['AUTH_FAIL', 'canceled'],
  ['DEADLINE_EXPIRED', 'canceled'],
  ['ATTEMPTS_EXPIRED', 'canceled'],
] satisfies [string, PaymentSnapshot['status']][])('%s is %s', (status, expected) => {
  expect(toTbankSnapshot(state(status), undefined).status).toBe(expected)
})

test('a payment that was refunded in part was paid in full', () => {
  expect(toTbankSnapshot(state('PARTIAL_REFUNDED', 999), 1_999).amount).toBe(1_999)
  expect(toTbankSnapshot(state('REFUNDED', 0), 1_999).amount).toBe(1_999)
  // What was not asked for is not made to fit.
  expect(toTbankSnapshot(state('CONFIRMED', 1_998), 1_999).amount).toBe(1_998)
})

describe('the refunds of a payment', () => {
  const refund = fc.record({
    key: fc.uuid(),
    amount: fc.integer({ min: 1, max: 500 }),
    what: fc.constantFrom('noted', 'lost', 'not made', 'failed', 'unsent'),
  })
  const history = fc.record({ refunds: fc.array(refund, { maxLength: 4 }), outside: fc.integer({ min: 0, max: 500 }) })

  test('account for all that has gone back, and no more', () => {
    fc.assert(
      fc.property(history, ({ refunds, outside }) => {
        const made = refunds.filter(({ what }) => what === 'noted' || what === 'lost')
        const gone = made.reduce((sum, { amount }) => sum + amount, outside)
        const booked: BookedPayment = {
          charged: 5_000,
          isSbp: false,
          refunds: refunds.map(({ key, amount, what }): BookedRefund => {
            const provider_refund_id = what === 'noted' ? `7:${amount}:${key}` : null
            const status = what === 'noted' ? 'succeeded' : what === 'failed' ? 'failed' : 'sending'
            return { key, amount, provider_refund_id, status, attempts: what === 'unsent' ? 0 : 1 }
          }),
        }
        const told = gone === 0 ? state('CONFIRMED', 5_000) : state('PARTIAL_REFUNDED', 5_000 - gone)
        const listed = listTbankRefunds(told, booked)
        const sentUnsure = refunds.filter(({ what }) => what === 'lost' || what === 'not made')
        if (!listed) {
          expect(sentUnsure.length).toBeGreaterThan(1)
          return
        }
        expect(listed.reduce((sum, { amount }) => sum + amount, 0)).toBe(gone)
        expect(new Set(listed.map(({ providerRefundId }) => providerRefundId)).size).toBe(listed.length)
        for (const { key } of refunds.filter(({ what }) => what === 'noted'))
          expect(listed.map(({ reference }) => reference)).toContain(key)
        for (const { key } of refunds.filter(({ what }) => what === 'unsent' || what === 'failed'))
          expect(listed.map(({ reference }) => reference)).not.toContain(key)
      }),
    )
  })

  test('that nobody can count yet are not guessed', () => {
    const booked: BookedPayment = {
      charged: 1_999,
      isSbp: false,
      refunds: [{ key: randomUUID(), amount: 1_000, provider_refund_id: null, status: 'sending', attempts: 1 }],
    }
    expect(listTbankRefunds(state('ASYNC_REFUNDING', 999), booked)).toEqual([])
  })
})

describe('at the bank', async () => {
  const vendor = await startTbank()
  afterAll(() => vendor.close())
  let books: BookedRefund[] = []
  beforeEach(() => {
    books = []
    Object.assign(vendor, { isOrderIdOnce: false, needsReceipts: false, isRefundSlow: false, refusal: undefined })
  })

  const open = (ffd: '1.05' | '1.2' = '1.05') =>
    createTbank(
      {
        TBANK_TERMINAL_KEY: vendor.terminalKey,
        TBANK_PASSWORD: vendor.password,
        TBANK_BASE_URL: vendor.url,
        TBANK_FFD: ffd,
      },
      {
        fetchVendor: createVendorFetch(),
        publicUrl: 'https://shop.example',
        readBooked: async ({ paymentId }) => {
          const payment = vendor.payments.get(paymentId)
          return payment && { charged: payment.initial, isSbp: payment.isSbp, refunds: books }
        },
      },
    )
  const provider = open()
  const request = (changes: Partial<PaymentRequest> = {}): PaymentRequest => ({
    key: randomUUID(),
    orderId: 'ABCDEF1234',
    method: 'tbank_card',
    language: 'uz',
    amount: 1_999,
    currency: 'RUB',
    description: 'Olmos ABCDEF1234',
    returnUrl: 'https://shop.example/orders/ABCDEF1234',
    expiresAt: new Date(Date.now() + 15 * 60_000),
    ...changes,
  })
  const opened = async (changes: Partial<PaymentRequest> = {}) => {
    const outcome = await provider.createPayment(request(changes))
    if (outcome.kind !== 'done') throw new Error(`not opened: ${JSON.stringify(outcome)}`)
    return outcome.value
  }
  const sent = (method: string) => {
    const last = vendor.requests.filter(({ path }) => path === `/${method}`).at(-1)
    return JSON.parse(last?.body ?? 'null')
  }
  const read = (body: Buffer | string) =>
    provider.readWebhook({ body: Buffer.from(body), headers: {}, address: home, now: now() })

  test('an opening says all that it must', async () => {
    const wanted = request({ expiresAt: new Date('2099-01-01T12:00:00.123Z') })
    await provider.createPayment(wanted)
    expect(sent('Init')).toMatchObject({
      Amount: 1_999,
      OrderId: wanted.key,
      PayType: 'O',
      Language: 'ru',
      NotificationURL: 'https://shop.example/api/payment/webhook/tbank',
      SuccessURL: wanted.returnUrl,
      FailURL: wanted.returnUrl,
      RedirectDueDate: '2099-01-01T12:01:30+00:00',
      DATA: { OperationInitiatorType: '0', order_id: 'ABCDEF1234' },
    })
    expect((await provider.createPayment(request({ language: 'en' }))).kind).toBe('done')
    expect(sent('Init').Language).toBe('en')
  })

  test('an order of the last second can still be opened', async () => {
    expect((await provider.createPayment(request({ expiresAt: new Date() }))).kind).toBe('done')
  })

  test('SBP is opened by its own link, and paid like any other', async () => {
    const { providerPaymentId, payUrl } = await opened({ method: 'tbank_sbp' })
    expect(payUrl).toMatch(/^https:\/\/qr\.nspk\.example\//)
    vendor.pay(providerPaymentId)
    expect(await provider.readPayment(providerPaymentId)).toMatchObject({ value: { status: 'succeeded' } })
  })

  describe('where an order may be opened once', () => {
    beforeEach(() => {
      vendor.isOrderIdOnce = true
    })

    test('a lost link of SBP is had again', async () => {
      const wanted = request({ method: 'tbank_sbp' })
      vendor.fault = 'hang-up'
      expect((await provider.createPayment(wanted)).kind).toBe('unknown')
      vendor.fault = undefined
      const found = await provider.createPayment(wanted)
      expect(found.kind).toBe('done')
      expect(await provider.createPayment(wanted)).toEqual(found)
      expect([...vendor.payments.values()].filter(({ orderId }) => orderId === wanted.key)).toHaveLength(1)
    })

    test('a lost link of the form is lost, and a payment that was made is found', async () => {
      const wanted = request()
      const first = await provider.createPayment(wanted)
      expect(await provider.createPayment(wanted)).toEqual({ kind: 'rejected', code: 'pay_page_lost' })
      vendor.pay(first.kind === 'done' ? first.value.providerPaymentId : '')
      const value = first.kind === 'done' && { ...first.value, payUrl: wanted.returnUrl }
      expect(await provider.createPayment(wanted)).toEqual({ kind: 'done', value })
    })
  })

  test.each([
    ['202', 'rejected'],
    ['204', 'rejected'],
    ['501', 'rejected'],
  ])('error %s says that the shop may not ask', async (code, kind) => {
    vendor.refusal = { status: 200, body: { Success: false, ErrorCode: code, Message: 'a' } }
    expect(await provider.createPayment(request())).toEqual({ kind, code: 'not_allowed' })
  })

  test.each(['3', '21', '99', '401', '9999'])('after error %s nobody knows', async (code) => {
    vendor.refusal = { status: 200, body: { Success: false, ErrorCode: Number(code), Message: 'a' } }
    expect((await provider.createPayment(request())).kind).toBe('unknown')
  })

  describe('receipts', () => {
    const contact = { email: 'buyer@example.com' }
    const defaults = { taxSystem: 'usn_income', tax: 'vat22', subject: 'service', mode: 'full_payment' } as const
    const items = [
      { name: '60 UC', quantity: 3, amount: 1_000 },
      { name: 'Code', quantity: 1, amount: 999 },
    ]
    const receipt = makeReceipt({ contact, items, charged: 1_999, defaults })

    test('that are missing are named by the refusal', async () => {
      vendor.needsReceipts = true
      const refused = { kind: 'rejected', code: '309', parameter: 'expected.receipt' }
      expect(await provider.createPayment(request())).toEqual(refused)
    })

    test('add up to the payment, line by line', async () => {
      vendor.needsReceipts = true
      await opened({ receipt })
      expect(sent('Init').Receipt).toEqual({
        FfdVersion: '1.05',
        Email: 'buyer@example.com',
        Taxation: 'usn_income',
        Items: [
          ['60 UC', 333, 2, 666],
          ['60 UC', 334, 1, 334],
          ['Code', 999, 1, 999],
        ].map(([Name, Price, Quantity, Amount]) => ({
          Name,
          Price,
          Quantity,
          Amount,
          Tax: 'vat22',
          PaymentMethod: 'full_payment',
          PaymentObject: 'service',
        })),
      })
    })

    test('of format 1.2 have a unit, and a phone is written as it must be', async () => {
      vendor.needsReceipts = true
      const byPhone = { ...receipt, contact: { phone: '7 903 123-45-67' } }
      expect((await open('1.2').createPayment(request({ receipt: byPhone }))).kind).toBe('done')
      const { Receipt } = sent('Init')
      expect(Receipt).toMatchObject({ FfdVersion: '1.2', Phone: '+79031234567' })
      expect(Receipt.Items[0].MeasurementUnit).toBe('шт')
    })

    test('of a partial refund add up to it; a whole one repeats none', async () => {
      vendor.needsReceipts = true
      const { providerPaymentId } = await opened({ receipt })
      vendor.pay(providerPaymentId)
      const parts = [
        { item: 0, quantity: 1, amount: 333 },
        { item: 1, amount: 101 },
      ]
      const refunded = makeRefundReceipt({ contact, items, parts, charged: 434, defaults })
      const part = { providerPaymentId, amount: 434, currency: 'RUB', key: randomUUID(), receipt: refunded } as const
      expect(await provider.refund(part)).toMatchObject({ kind: 'done', value: { status: 'succeeded', amount: 434 } })
      expect(vendor.refundReceipts.at(-1)?.Items.map(({ Amount }) => Amount)).toEqual([333, 101])
      const { providerPaymentId: other } = await opened({ receipt })
      vendor.pay(other)
      const whole = { providerPaymentId: other, amount: 1_999, currency: 'RUB', key: randomUUID(), receipt } as const
      expect((await provider.refund(whole)).kind).toBe('done')
      expect(sent('Cancel').Receipt).toBeUndefined()
    })

    test('that are off by a kopeck are refused by the bank, and said so', async () => {
      const wrong = makeReceipt({ contact, items, charged: 1_998, defaults })
      expect(await provider.createPayment(request({ receipt: wrong }))).toMatchObject({ kind: 'rejected', code: '334' })
    })
  })

  describe('notifications', () => {
    const paid = async () => {
      const payment = await opened()
      vendor.pay(payment.providerPaymentId)
      return payment.providerPaymentId
    }
    const signed = (told: Record<string, unknown>) =>
      JSON.stringify({ ...told, Token: signTbank(told, vendor.password) })

    test('are answered OK, and nothing else', async () => {
      expect(await read(vendor.notification(await paid()))).toMatchObject({ reply: { status: 200, body: 'OK' } })
    })

    test('of another password, another terminal, or changed by a kopeck are refused', async () => {
      const id = await paid()
      const told = JSON.parse(vendor.notification(id).toString())
      const wrong = [
        vendor.notification(id, { password: 'wrong' }),
        vendor.notification(id, { changes: { TerminalKey: 'another' } }),
        ...[
          { Amount: 2_000 },
          { Status: 'REFUNDED' },
          { Token: undefined },
          { Token: 7 },
          { Token: 'a'.repeat(64) },
        ].map((change) => JSON.stringify({ ...told, ...change })),
        '',
        '{',
        '[]',
        'null',
        `{"a":"${'x'.repeat(10 * 1024 * 1024)}"}`,
      ]
      for (const body of wrong) expect(await read(body)).toMatchObject({ verified: false, reply: { status: 400 } })
    })

    test('name their payment by a number or a text, and are one event however often they come', async () => {
      const id = await paid()
      const first = await read(vendor.notification(id))
      expect(await read(vendor.notification(id))).toEqual(first)
      const asText = await read(vendor.notification(id, { changes: { PaymentId: id, Amount: '1999' } }))
      expect(asText).toEqual(first)
      expect(first).toMatchObject({
        events: [{ providerPaymentId: id, proven: { key: `${id}:CONFIRMED`, snapshot: { amount: 1_999 } } }],
      })
    })

    test('with numbers that no double can say are taken as they are written', async () => {
      const id = '12345678901234567890'
      const text = {
        TerminalKey: vendor.terminalKey,
        OrderId: randomUUID(),
        Status: 'CONFIRMED',
        PaymentId: id,
        Amount: '1999',
      }
      const body = signed(text).replace(`"${id}"`, id)
      expect(await read(body)).toMatchObject({ events: [{ providerPaymentId: id }] })
    })

    test('with an amount that is no number of kopecks move nothing', async () => {
      const id = await paid()
      for (const Amount of ['1000.0', '-1', '', '1e3', null, [], '9999999999999'])
        expect(await read(vendor.notification(id, { changes: { Amount } }))).toMatchObject({ events: [], refunds: [] })
    })

    test('about fiscal documents, cards and statuses that are not known yet move nothing', async () => {
      const id = await paid()
      const receipt = await read(vendor.notification(id, { changes: { Status: 'RECEIPT', Receipt: {} } }))
      const registered = { providerPaymentId: id, isRefund: false, told: { state: 'registered' } }
      const quiet = { verified: true, events: [], refunds: [], reply: { body: 'OK' } }
      expect(receipt).toMatchObject({ ...quiet, receipts: [registered] })
      const card = signed({
        TerminalKey: vendor.terminalKey,
        RequestKey: randomUUID(),
        Status: 'ACTIVE',
        Success: true,
      })
      expect(await read(card)).toMatchObject({ verified: true, events: [], reply: { body: 'OK' } })
      const unheard = await read(vendor.notification(id, { changes: { Status: 'SOMETHING_NEW' } }))
      expect(unheard).toMatchObject({ events: [{ proven: { snapshot: { status: 'pending' } } }] })
    })

    test.each([
      [
        { Success: false, ErrorCode: '3015', ErrorMessage: 'Неизвестная организация' },
        '3015',
        'Неизвестная организация',
      ],
      [{ Success: true, ErrorCode: '9999', ErrorMessage: '' }, '9999', undefined],
      [{ Success: 'false', ErrorCode: '0' }, 'failed', undefined],
    ])('about a fiscal document with %j say that it failed', async (changes, why, parameter) => {
      const id = await paid()
      const told = await read(
        vendor.notification(id, { changes: { ...changes, Status: 'RECEIPT', Type: 'IncomeReturn' } }),
      )
      expect(told).toMatchObject({
        events: [],
        refunds: [],
        receipts: [{ providerPaymentId: id, isRefund: true, told: { state: 'failed', why, parameter } }],
        reply: { body: 'OK' },
      })
    })

    test('of two refunds in the cabinet name each, in whatever order they come', async () => {
      const id = await paid()
      vendor.refundByHand(id, 500)
      const first = vendor.notification(id)
      vendor.refundByHand(id, 300)
      const second = vendor.notification(id)
      expect(await read(second)).toMatchObject({ refunds: [`${id}:800:left-1199`] })
      books = [
        { key: randomUUID(), amount: 800, provider_refund_id: `${id}:800:left-1199`, status: 'succeeded', attempts: 0 },
      ]
      expect(await read(first)).toMatchObject({ refunds: [] })
      expect(await provider.readRefund(`${id}:800:left-1199`)).toMatchObject({
        value: { status: 'succeeded', amount: 800 },
      })
    })
  })

  describe('refunds by card whose answers were lost', () => {
    const row = (key: string, attempts: number): BookedRefund => ({
      key,
      amount: 700,
      attempts,
      provider_refund_id: null,
      status: 'sending',
    })
    /** Only the second of the two was made. */
    const aPair = async () => {
      const { providerPaymentId: id } = await opened()
      vendor.pay(id)
      const wanted = [randomUUID(), randomUUID()].map(
        (key): ProviderRefundRequest => ({ providerPaymentId: id, amount: 700, currency: 'RUB', key }),
      )
      const [first, second] = wanted as [ProviderRefundRequest, ProviderRefundRequest]
      books = [row(first.key, 1)]
      vendor.fault = 'broken-before'
      await provider.refund(first)
      books = [row(first.key, 1), row(second.key, 1)]
      vendor.fault = 'hang-up'
      await provider.refund(second)
      vendor.fault = undefined
      return { id, first, second }
    }

    test('are each made once', async () => {
      const { id, first, second } = await aPair()
      books = [row(first.key, 2), row(second.key, 2)]
      const made = await provider.refund(first)
      expect(made).toMatchObject({ kind: 'done', value: { status: 'succeeded' } })
      const name = made.kind === 'done' ? made.value.providerRefundId : ''
      books = [{ ...row(first.key, 2), status: 'succeeded', provider_refund_id: name }, row(second.key, 2)]
      expect(await provider.refund(second)).toMatchObject({ kind: 'done', value: { status: 'succeeded' } })
      expect(vendor.payments.get(id)?.amount).toBe(1_999 - 1_400)
    })

    test('are not told from each other by a notification, which comes again', async () => {
      const { id, first, second } = await aPair()
      books = [row(first.key, 2), row(second.key, 1)]
      expect(await read(vendor.notification(id))).toMatchObject({ refunds: [], reply: { status: 503 } })
      const name = `${id}:700:${second.key}`
      books = [row(first.key, 2), { ...row(second.key, 1), status: 'sent', provider_refund_id: name }]
      expect(await read(vendor.notification(id))).toMatchObject({ refunds: [name], reply: { status: 200 } })
    })
  })

  describe('refunds by SBP, which knows no keys', () => {
    const paidBySbp = async () => {
      const { providerPaymentId: id } = await opened({ method: 'tbank_sbp' })
      vendor.pay(id)
      return id
    }
    const row = (key: string, amount: number, attempts: number): BookedRefund => ({
      key,
      amount,
      attempts,
      provider_refund_id: null,
      status: 'sending',
    })

    test('happen once when the answer was lost', async () => {
      const id = await paidBySbp()
      const wanted = { providerPaymentId: id, amount: 700, currency: 'RUB', key: randomUUID() } as const
      books = [row(wanted.key, 700, 1)]
      vendor.fault = 'hang-up'
      expect((await provider.refund(wanted)).kind).toBe('unknown')
      vendor.fault = undefined
      books = [row(wanted.key, 700, 2)]
      expect(await provider.refund(wanted)).toMatchObject({ kind: 'done', value: { status: 'succeeded' } })
      expect(vendor.payments.get(id)?.amount).toBe(1_299)
    })

    test('are sent again when the first was not carried out', async () => {
      const id = await paidBySbp()
      const wanted = { providerPaymentId: id, amount: 700, currency: 'RUB', key: randomUUID() } as const
      vendor.fault = 'broken-before'
      books = [row(wanted.key, 700, 1)]
      expect((await provider.refund(wanted)).kind).toBe('unknown')
      vendor.fault = undefined
      books = [row(wanted.key, 700, 2)]
      expect((await provider.refund(wanted)).kind).toBe('done')
      expect(vendor.payments.get(id)?.amount).toBe(1_299)
    })

    test('whose answers were both lost are left to a person where only one of them was made', async () => {
      const id = await paidBySbp()
      const wanted = { providerPaymentId: id, currency: 'RUB' } as const
      const [first, second] = [randomUUID(), randomUUID()]
      books = [row(first, 300, 1)]
      vendor.fault = 'broken-before'
      await provider.refund({ ...wanted, amount: 300, key: first })
      books = [row(first, 300, 1), row(second, 400, 1)]
      vendor.fault = 'hang-up'
      await provider.refund({ ...wanted, amount: 400, key: second })
      vendor.fault = undefined
      books = [row(first, 300, 2), row(second, 400, 2)]
      const unclear = { kind: 'rejected', code: 'unclear_which' }
      expect(await provider.refund({ ...wanted, amount: 300, key: first })).toEqual(unclear)
      expect(await provider.refund({ ...wanted, amount: 400, key: second })).toEqual(unclear)
      expect(await provider.listRefunds(id)).toEqual({ kind: 'unknown', why: 'unclear_which' })
      // An operator who looks into the cabinet says which.
      books = [row(first, 300, 2), { ...row(second, 400, 2), status: 'failed' }]
      expect(await provider.refund({ ...wanted, amount: 300, key: first })).toMatchObject({ kind: 'done' })
      expect(vendor.payments.get(id)?.amount).toBe(1_999 - 400)
    })

    test('wait for each other while nobody can tell whose money goes back', async () => {
      const id = await paidBySbp()
      vendor.isRefundSlow = true
      const [first, second] = [randomUUID(), randomUUID()]
      const wanted = { providerPaymentId: id, amount: 700, currency: 'RUB' } as const
      books = [row(first, 700, 1)]
      await provider.refund({ ...wanted, key: first })
      books = [row(first, 700, 2), row(second, 400, 2)]
      const underWay = { kind: 'unknown', why: 'refund_under_way', isUnsent: true }
      expect(await provider.refund({ ...wanted, amount: 400, key: second })).toEqual(underWay)
      expect(await provider.refund({ ...wanted, key: first })).toEqual(underWay)
      vendor.endRefund(id, 'failed')
      // The bank took it and gave it up: until that is read, the other's money is not sent again.
      books = [{ ...row(first, 700, 1), status: 'sent', provider_refund_id: `${id}:700:${first}` }, row(second, 400, 2)]
      expect(await provider.refund({ ...wanted, amount: 400, key: second })).toEqual(underWay)
    })

    test('that the bank of the customer declines say why', async () => {
      const id = await paidBySbp()
      vendor.isRefundSlow = true
      const key = randomUUID()
      const made = await provider.refund({ providerPaymentId: id, amount: 700, currency: 'RUB', key })
      expect(made).toMatchObject({ kind: 'done', value: { status: 'pending' } })
      const other = { providerPaymentId: id, amount: 100, currency: 'RUB', key: randomUUID() } as const
      expect(await provider.refund(other)).toEqual({ kind: 'unknown', why: 'refund_under_way', isUnsent: true })
      vendor.endRefund(id, 'failed')
      const name = made.kind === 'done' ? made.value.providerRefundId : ''
      expect(await provider.readRefund(name)).toMatchObject({
        value: { status: 'failed', why: 'У клиента нет расчетного счета в этом банке' },
      })
    })
  })

  test('a payment that was not made is not closed by a refund of it', async () => {
    const { providerPaymentId } = await opened()
    const wanted = { providerPaymentId, amount: 1, currency: 'RUB', key: randomUUID() } as const
    expect(await provider.refund(wanted)).toEqual({ kind: 'rejected', code: 'not_paid' })
    expect(vendor.payments.get(providerPaymentId)?.status).toBe('NEW')
  })

  test.each(['', '7', '7:1', '7:1:left-', '7:1:left-x', `7:1:${'a'.repeat(36)}`, 'x:1:left-0', '7:1:left-0:0'])(
    '%j is the name of no refund',
    async (name) => expect((await provider.readRefund(name)).kind).toBe('rejected'),
  )

  test('what it answers for another payment is not believed', async () => {
    const [{ providerPaymentId: asked }, { providerPaymentId: other }] = [await opened(), await opened()]
    vendor.pay(other)
    vendor.distort = (body) => ({ ...(body as object), PaymentId: other })
    expect(await provider.readPayment(asked)).toEqual({ kind: 'rejected', code: 'other_terminal' })
    vendor.distort = undefined
    expect(tbankRefusals.all.status).toBe(200)
  })
})
