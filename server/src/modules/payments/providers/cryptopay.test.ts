import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { signCryptopay, startCryptopay } from '../../../../test/doubles/cryptopay.ts'
import { home, now } from '../../../../test/provider-benches.ts'
import { createVendorFetch } from '../../../platform/vendor/vendor.ts'
import type { PaymentRequest } from '../provider.ts'
import { cryptopay } from './cryptopay.ts'

describe('Crypto Pay', async () => {
  const vendor = await startCryptopay()
  afterAll(() => vendor.close())
  afterEach(() => {
    vendor.refusal = undefined
    vendor.distort = undefined
  })
  const provider = cryptopay.create(
    { CRYPTOPAY_TOKEN: vendor.token, CRYPTOPAY_BASE_URL: vendor.url },
    { fetchVendor: createVendorFetch() },
  )
  const request = (changes: Partial<PaymentRequest> = {}): PaymentRequest => ({
    key: randomUUID(),
    orderId: 'ABCDEF1234',
    method: 'cryptopay',
    language: 'ru',
    amount: 12_345_650,
    currency: 'UZS',
    description: 'Olmos ABCDEF1234',
    returnUrl: 'https://shop.example/orders/ABCDEF1234',
    expiresAt: new Date(Date.now() + 15 * 60_000),
    ...changes,
  })
  const paid = async (changes: Partial<PaymentRequest> = {}) => {
    const opened = await provider.createPayment(request(changes))
    if (opened.kind !== 'done') throw new Error(`not opened: ${JSON.stringify(opened)}`)
    vendor.pay(opened.value.providerPaymentId)
    return opened.value.providerPaymentId
  }
  const read = (webhook: { body: Buffer; headers: Record<string, string> }) =>
    provider.readWebhook({ ...webhook, address: home, now: now() })

  test.each([
    ['USD', 1, '0.01'],
    ['RUB', 800_050, '8000.50'],
    ['UZS', 12_345_650, '123456.50'],
    ['KZT', 500_000, '5000.00'],
  ] as const)('an invoice in %s for %i hundredths says %s', async (currency, amount, told) => {
    const wanted = request({ currency, amount })
    const opened = await provider.createPayment(wanted)
    const sent = JSON.parse(vendor.requests.at(-1)?.body ?? '{}')
    expect(sent).toMatchObject({
      currency_type: 'fiat',
      fiat: currency,
      amount: told,
      accepted_assets: 'USDT,TON',
      payload: wanted.key,
      paid_btn_url: wanted.returnUrl,
    })
    expect(sent.expires_in).toBeGreaterThan(14 * 60)
    expect(sent.expires_in).toBeLessThanOrEqual(15 * 60)
    const id = opened.kind === 'done' ? opened.value.providerPaymentId : ''
    const expected = { status: 'pending', amount, currency, reference: wanted.key }
    expect(await provider.readPayment(id)).toMatchObject({ kind: 'done', value: expected })
  })

  test('an invoice of an order of the last second lives a minute', async () => {
    await provider.createPayment(request({ expiresAt: new Date() }))
    expect(JSON.parse(vendor.requests.at(-1)?.body ?? '{}').expires_in).toBe(60)
  })

  test('an earlier invoice is found behind hundreds of others, and one that expired is a no', async () => {
    const wanted = request()
    const first = await provider.createPayment(wanted)
    const [template] = [...vendor.invoices.values()].slice(-1)
    if (!template) throw new Error('no invoice')
    const others = Array.from({ length: 250 }, (_, index) => 1_000_000 + index)
    for (const id of others) vendor.invoices.set(String(id), { ...template, invoice_id: id, payload: randomUUID() })
    expect(await provider.createPayment(wanted)).toEqual(first)
    for (const id of others) vendor.invoices.delete(String(id))
    vendor.expire(first.kind === 'done' ? first.value.providerPaymentId : '')
    expect(await provider.createPayment(wanted)).toEqual({ kind: 'rejected', code: 'expired' })
  })

  test('nothing is made while nobody can tell whether it was made before', async () => {
    const before = vendor.invoices.size
    vendor.readFault = 'broken-before'
    expect((await provider.createPayment(request())).kind).toBe('unknown')
    vendor.readFault = undefined
    expect(vendor.invoices.size).toBe(before)
  })

  test('an update proves the payment, once however often it comes', async () => {
    const id = await paid()
    const first = await read(vendor.webhook(id))
    expect(first).toMatchObject({
      verified: true,
      refunds: [],
      events: [{ providerPaymentId: id, proven: { key: `succeeded:${id}`, snapshot: { amount: 12_345_650 } } }],
    })
    expect(await read(vendor.webhook(id))).toEqual(first)
    expect(await read(vendor.webhook(id, { changes: { invoice_id: id } }))).toEqual(first)
  })

  test('an update of another token, without a signature, or changed after it was signed is refused', async () => {
    const id = await paid()
    const { body, headers } = vendor.webhook(id)
    const changed = Buffer.from(body.toString().replace('123456.50', '123456.51'))
    const wrong = [
      vendor.webhook(id, { token: '42:WRONG' }),
      { body, headers: {} },
      { body, headers: { 'crypto-pay-api-signature': 'x' } },
      { body, headers: { 'crypto-pay-api-signature': `${headers['crypto-pay-api-signature']}0` } },
      { body: changed, headers },
      { body: Buffer.concat([body, Buffer.from(' ')]), headers },
    ]
    for (const webhook of wrong) {
      expect(await read(webhook)).toMatchObject({ verified: false, reply: { status: 400, body: 'wrong signature' } })
    }
  })

  test('an update is taken for five minutes', async () => {
    const id = await paid()
    const readAfter = async (seconds: number) =>
      (await read(vendor.webhook(id, { at: new Date(Date.now() - seconds * 1000) }))).verified
    expect(await readAfter(290)).toBe(true)
    expect(await readAfter(310)).toBe(false)
    expect(await readAfter(-290)).toBe(true)
    expect(await readAfter(-310)).toBe(false)
  })

  test('updates that are not known yet are taken and move nothing', async () => {
    const id = await paid()
    expect(await read(vendor.webhook(id, { type: 'invoice_refunded' }))).toMatchObject({
      verified: true,
      events: [],
      reply: { status: 200 },
    })
  })

  test.each([
    '{',
    'null',
    '[]',
    '{"update_type":"invoice_paid","request_date":"yesterday","payload":{}}',
    `{"a":"${'x'.repeat(10 * 1024 * 1024)}"}`,
  ])('signed rubbish is refused', async (body) => {
    const reading = await read({ body: Buffer.from(body), headers: signCryptopay(body, vendor.token) })
    expect(reading).toMatchObject({ verified: false, reply: { status: 400 } })
  })

  test.each([{ amount: 'much' }, { amount: '-1' }, { status: 'lost' }, { invoice_id: 0 }, { invoice_id: 'x' }])(
    'an invoice with %j is none',
    async (changes) => expect((await read(vendor.webhook(await paid(), { changes }))).verified).toBe(false),
  )

  test('an invoice in coins is not one in money', async () => {
    const id = await paid()
    const reading = await read(vendor.webhook(id, { changes: { fiat: undefined, asset: 'ton', amount: '10.50' } }))
    expect(reading).toMatchObject({ events: [{ proven: { snapshot: { amount: 1_050, currency: 'TON' } } }] })
  })

  test.each(['', 'x', '0', '1;2', '../getMe', '9'.repeat(30)])('%j is asked about by nobody', async (id) => {
    const asked = vendor.requests.length
    expect(await provider.readPayment(id)).toEqual({ kind: 'rejected', code: 'not_found' })
    expect(vendor.requests).toHaveLength(asked)
  })

  test('what it answers for another invoice is not believed', async () => {
    const [id, other] = [await paid(), await paid()]
    vendor.distort = () => ({ ok: true, result: { items: [vendor.invoices.get(other)] } })
    expect(await provider.readPayment(id)).toEqual({ kind: 'rejected', code: 'not_found' })
  })

  test('a no under the status of a yes is a no', async () => {
    vendor.refusal = { status: 200, body: { ok: false, error: { code: 400, name: 'FIAT_INVALID' } } }
    expect(await provider.createPayment(request())).toEqual({ kind: 'rejected', code: 'FIAT_INVALID' })
    vendor.refusal = { status: 200, body: { ok: false } }
    expect(await provider.createPayment(request())).toEqual({ kind: 'unknown', why: 'bad_answer' })
  })

  test('makes no refunds', () => expect(provider.refund).toBeUndefined())
})
