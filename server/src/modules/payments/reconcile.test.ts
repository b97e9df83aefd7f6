import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aCardOrder, act, startCardShop } from '../../../test/card-orders.ts'
import paymentAnswer from '../../../test/doubles/answers/yookassa-payment.json' with { type: 'json' }
import { startTbank, type TbankDouble } from '../../../test/doubles/tbank.ts'
import { startYookassa, type YookassaDouble } from '../../../test/doubles/yookassa.ts'
import { aUser, type TestUser } from '../../../test/factories.ts'
import type { TestShop } from '../../../test/shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { createVendorFetch } from '../../platform/vendor/vendor.ts'
import type { PaymentProvider } from './provider.ts'
import { yookassa as yookassaAdapter } from './providers/yookassa.ts'
import { reconcileDay, reconcileYesterday } from './reconcile.ts'
import { readReconciliation } from './reconciliation.ts'

let shop: TestShop
let yookassa: YookassaDouble
let tbank: TbankDouble
let admin: TestUser
let orderId: string
beforeAll(async () => {
  yookassa = await startYookassa()
  tbank = await startTbank()
  shop = await startCardShop({
    TIMEZONE: 'Asia/Tashkent',
    PAYMENT_PROVIDERS: 'sandbox,yookassa,tbank,payme,click',
    YOOKASSA_SHOP_ID: yookassa.shopId,
    YOOKASSA_SECRET_KEY: yookassa.secretKey,
    YOOKASSA_BASE_URL: yookassa.url,
    TBANK_TERMINAL_KEY: tbank.terminalKey,
    TBANK_PASSWORD: tbank.password,
    TBANK_BASE_URL: tbank.url,
    PAYME_MERCHANT_ID: 'a'.repeat(24),
    PAYME_KEY: 'key',
    CLICK_SERVICE_ID: '1',
    CLICK_MERCHANT_ID: '2',
    CLICK_MERCHANT_USER_ID: '3',
    CLICK_SECRET_KEY: 'secret',
  })
  admin = await aUser(shop, { role: 'admin' })
  orderId = (await aCardOrder(shop)).orderId
})
afterAll(async () => {
  await shop.close()
  await yookassa.close()
  await tbank.close()
})

/** A payment at YooKassa that was captured at this moment. */
function atYookassa(capturedAt: string, amount: number, id: string = randomUUID()): string {
  const { metadata: _, ...answer } = structuredClone(paymentAnswer)
  const paid = { value: (amount / 100).toFixed(2), currency: 'RUB' }
  const captured = { id, status: 'succeeded', paid: true, amount: paid, captured_at: capturedAt, metadata: {} }
  const recipient = { ...answer.recipient, account_id: yookassa.shopId }
  yookassa.payments.set(id, { ...answer, ...captured, recipient } as never)
  return id
}

interface Booking {
  provider?: string
  status?: 'succeeded' | 'open' | 'canceled'
  createdAt?: string
}

/** The payment as the books have it: paid at this moment, or not at all. */
async function inBooks(settledAt: string, amount: number, id: string, booking: Booking = {}): Promise<number> {
  const { provider = 'yookassa', status = 'succeeded', createdAt = settledAt } = booking
  const isPaid = status === 'succeeded'
  const { id: paymentId } = await shop.database.one<{ id: number }>(sql`
    INSERT INTO payment (order_id, provider, amount, currency, status, provider_payment_id, created_at, settled_at,
      settled_to, paid_amount, paid_currency)
    VALUES (${orderId}, ${provider}, ${amount}, 'RUB', ${status}, ${id}, ${createdAt}, ${isPaid ? settledAt : null},
      ${isPaid ? 'operator' : null}, ${isPaid ? amount : null}, ${isPaid ? 'RUB' : null}) RETURNING id`)
  return paymentId
}

const refundInBooks = (paymentId: number, amount: number, refundId: string | null, at: string) =>
  shop.database.run(sql`
    INSERT INTO card_refund (payment_id, amount, status, provider_refund_id, created_at)
    VALUES (${paymentId}, ${amount}, ${refundId ? 'succeeded' : 'sending'}, ${refundId}, ${at})`)

const reconcile = async (day: string, provider = 'yookassa') => {
  const rows = await reconcileDay(shop, day, { origin: 'job' })
  return rows.find((row) => row.provider === provider)
}

const openAlerts = (subject: string) =>
  shop.database.rows<{ kind: string; details: object }>(
    sql`SELECT kind, details FROM alert WHERE subject = ${subject} AND resolved_at IS NULL`,
  )

test('a day of 250 payments over many pages agrees to the unit', async () => {
  for (let index = 0; index < 250; index++) {
    const id = atYookassa('2026-01-05T10:00:00.000Z', 1_000 + index)
    await inBooks('2026-01-05T10:00:05Z', 1_000 + index, id)
  }
  const sum = { count: 250, amount: 250 * 1_000 + (249 * 250) / 2 }
  expect(await reconcile('2026-01-05')).toMatchObject({
    state: 'equal',
    why: null,
    asked: 'list',
    is_over: true,
    totals: [{ currency: 'RUB', there: sum, here: sum }],
    differences: [],
    difference_count: 0,
    made_by: null,
    origin: 'job',
  })
})

test('every way to differ is found, an alert is raised, and it ends with a run that finds none', async () => {
  const at = '2026-01-10T10:00:00.000Z'
  const inCabinet = atYookassa(at, 300)
  const dropped = atYookassa(at, 400)
  await inBooks(at, 400, dropped, { status: 'open' })
  const canceled = atYookassa(at, 500)
  await inBooks(at, 500, canceled, { status: 'canceled' })
  const offByOne = atYookassa(at, 601)
  await inBooks(at, 600, offByOne)
  const ours = await inBooks(at, 700, 'nobody-knows')
  const right = atYookassa(at, 800)
  await inBooks(at, 800, right)

  const found = await reconcile('2026-01-10')
  expect(found).toMatchObject({ state: 'different', difference_count: 5 })
  const byKind = Object.fromEntries(found?.differences.map((difference) => [difference.kind, difference]) ?? [])
  expect(byKind).toMatchObject({
    only_there: { provider_payment_id: inCabinet, payment_id: null, order_id: null, here: null },
    unpaid_here: {
      provider_payment_id: dropped,
      order_id: orderId,
      there: { amount: 400, currency: 'RUB' },
      here: null,
    },
    canceled_here: { provider_payment_id: canceled, order_id: orderId },
    amount: {
      provider_payment_id: offByOne,
      there: { amount: 601, currency: 'RUB' },
      here: { amount: 600, currency: 'RUB' },
    },
    only_here: {
      provider_payment_id: 'nobody-knows',
      payment_id: ours,
      there: null,
      here: { amount: 700, currency: 'RUB' },
    },
  })
  expect(found?.totals).toEqual([
    { currency: 'RUB', there: { count: 5, amount: 2_601 }, here: { count: 3, amount: 2_100 } },
  ])
  const details = { provider: 'yookassa', day: '2026-01-10', differences: 5 }
  expect(await openAlerts('yookassa:2026-01-10')).toEqual([{ kind: 'payment.difference', details }])

  yookassa.payments.delete(inCabinet)
  yookassa.payments.delete(dropped)
  yookassa.payments.delete(canceled)
  atYookassa(at, 600, offByOne)
  atYookassa(at, 700, 'nobody-knows')
  expect(await reconcile('2026-01-10')).toMatchObject({ state: 'equal', difference_count: 0 })
  expect(await openAlerts('yookassa:2026-01-10')).toEqual([])
})

test('what is captured before midnight in Tashkent and told after it is of the first day, and missing on neither', async () => {
  // Midnight there is 19:00 in UTC.
  const late = atYookassa('2026-01-15T18:59:59.999Z', 100)
  await inBooks('2026-01-15T19:04:00Z', 100, late)
  const first = atYookassa('2026-01-15T19:00:00.000Z', 200)
  await inBooks('2026-01-15T19:00:01Z', 200, first)
  // Its webhook took two days.
  const slow = atYookassa('2026-01-14T10:00:00.000Z', 400)
  await inBooks('2026-01-16T10:00:00Z', 400, slow)
  const one = (amount: number) => [{ currency: 'RUB', there: { count: 1, amount }, here: { count: 1, amount } }]
  expect(await reconcile('2026-01-15')).toMatchObject({ state: 'equal', totals: one(100) })
  expect(await reconcile('2026-01-16')).toMatchObject({ state: 'equal', totals: one(200) })
  expect(await reconcile('2026-01-14')).toMatchObject({ state: 'equal', totals: one(400) })
})

test('refunds of the day’s payments are compared, and refunds of the day of older payments', async () => {
  const at = '2026-01-20T10:00:00.000Z'
  const byHand = atYookassa(at, 1_000)
  await inBooks(at, 1_000, byHand)
  const cabinetId = yookassa.refundByHand(byHand, 250)
  const both = atYookassa(at, 1_000)
  const bothId = yookassa.refundByHand(both, 300)
  await refundInBooks(await inBooks(at, 1_000, both), 300, bothId, at)
  const lost = atYookassa(at, 1_000)
  yookassa.refundByHand(lost, 350)
  await refundInBooks(await inBooks(at, 1_000, lost), 350, null, at)
  const older = atYookassa('2026-01-02T10:00:00.000Z', 900)
  await refundInBooks(await inBooks('2026-01-02T10:00:00Z', 900, older), 900, 'never-made', at)
  const found = await reconcile('2026-01-20')
  expect(found).toMatchObject({ state: 'different', difference_count: 2 })
  expect(found?.differences).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        kind: 'refund_only_there',
        provider_refund_id: cabinetId,
        there: { amount: 250, currency: 'RUB' },
        here: null,
      }),
      expect.objectContaining({
        kind: 'refund_only_here',
        provider_refund_id: 'never-made',
        provider_payment_id: older,
        there: null,
      }),
    ]),
  )
})

describe('a provider that does not answer', () => {
  const day = '2026-01-25'
  const at = '2026-01-25T10:00:00.000Z'
  const impatient = (): PaymentProvider =>
    yookassaAdapter.create(
      {
        YOOKASSA_SHOP_ID: yookassa.shopId,
        YOOKASSA_SECRET_KEY: yookassa.secretKey,
        YOOKASSA_BASE_URL: yookassa.url,
        YOOKASSA_ADDRESSES: [],
      },
      { fetchVendor: createVendorFetch(200) },
    )
  const run = async (provider: PaymentProvider) => {
    const providers: typeof shop.providers = Object.create(shop.providers, { configured: { value: [provider] } })
    const rows = await reconcileDay({ ...shop, providers }, day, { origin: 'command' })
    return rows.find((row) => row.provider === 'yookassa')
  }

  test('is shown as not compared, and an alert it had stays open', async () => {
    const id = atYookassa(at, 100)
    expect(await run(impatient())).toMatchObject({ state: 'different' })
    yookassa.isSilent = true
    const silent = await run(impatient())
    yookassa.isSilent = false
    expect(silent).toMatchObject({ state: 'not_compared', totals: [], difference_count: 0, origin: 'command' })
    expect(silent?.why).toBeTruthy()
    expect(await openAlerts('yookassa:2026-01-25')).toHaveLength(1)
    await inBooks(at, 100, id)
    expect(await run(impatient())).toMatchObject({ state: 'equal', why: null })
    expect(await openAlerts('yookassa:2026-01-25')).toEqual([])
  })

  test('only about refunds is not compared either, unless its payments differ', async () => {
    const noRefunds: PaymentProvider = {
      ...impatient(),
      listRefunds: async () => ({ kind: 'unknown', why: 'http_500' }),
    }
    expect(await run(noRefunds)).toMatchObject({
      state: 'not_compared',
      why: 'refunds: http_500',
      totals: [{ currency: 'RUB' }],
    })
    const cabinet = atYookassa(at, 300)
    expect(await run(noRefunds)).toMatchObject({
      state: 'different',
      why: 'refunds: http_500',
      difference_count: 1,
    })
    yookassa.payments.delete(cabinet)
  })

  test('and a wrong key', async () => {
    yookassa.refusal = { status: 401, body: { type: 'error', code: 'invalid_credentials' } }
    expect(await run(impatient())).toMatchObject({ state: 'not_compared', why: 'not_allowed' })
    yookassa.refusal = undefined
  })
})

test('a provider without a list is asked for each payment that the store knows', async () => {
  const day = '2026-02-03'
  const at = '2026-02-03T10:00:00Z'
  const provider = shop.providers.configured.find(({ name }) => name === 'tbank') as PaymentProvider
  const open = async (amount: number) => {
    const made = await provider.createPayment({
      key: randomUUID(),
      orderId,
      method: 'tbank_card',
      amount,
      currency: 'RUB',
      description: 'a test',
      language: 'ru',
      returnUrl: 'http://shop.example',
      expiresAt: new Date(Date.now() + 900_000),
    })
    if (made.kind !== 'done') throw new Error(JSON.stringify(made))
    return made.value.providerPaymentId
  }
  const [right, lost, ours, unpaid] = [await open(1_500), await open(1_600), await open(1_700), await open(1_800)]
  tbank.pay(right)
  tbank.pay(lost)
  await inBooks(at, 1_500, right, { provider: 'tbank' })
  await inBooks(at, 1_600, lost, { provider: 'tbank', status: 'canceled' })
  await inBooks(at, 1_700, ours, { provider: 'tbank' })
  await inBooks(at, 1_800, unpaid, { provider: 'tbank', status: 'open' })
  const found = await reconcile(day, 'tbank')
  expect(found).toMatchObject({ state: 'different', asked: 'each', difference_count: 2 })
  expect(found?.differences.map(({ kind, provider_payment_id: id }) => [kind, id]).sort()).toEqual([
    ['canceled_here', lost],
    ['only_here', ours],
  ])
})

test('a provider that asks has our books alone', async () => {
  await inBooks('2026-02-08T10:00:00Z', 4_000, 'payme-1', { provider: 'payme' })
  expect(await reconcile('2026-02-08', 'payme')).toMatchObject({
    state: 'cabinet_only',
    asked: 'nothing',
    totals: [{ currency: 'RUB', there: null, here: { count: 1, amount: 4_000 } }],
    difference_count: 0,
  })
  expect((await readReconciliation(shop.database, '2026-02-08')).map(({ provider }) => provider)).toEqual([
    'click',
    'payme',
    'sandbox',
    'tbank',
    'yookassa',
  ])
})

test('a day that lasts is compared so far, without an alert; the job takes the day before', async () => {
  const paid = await aCardOrder(shop)
  await act(shop, paid, 'pay')
  const { token } = admin
  const { timezone, days } = (await shop.call('GET', '/admin/reconciliation', { token })).body.data
  expect([timezone, days.length, days[0].providers]).toEqual(['Asia/Tashkent', 30, []])
  const today: string = days[0].day
  const before = Date.now()
  const ran = await shop.call('POST', `/admin/reconciliation/${today}`, { token, body: {} })
  expect(ran.status).toBe(200)
  const read = await shop.call('GET', `/admin/reconciliation/${today}`, { token })
  expect(read.body).toEqual(ran.body)
  const sandbox = ran.body.data.providers.find(({ provider }: { provider: string }) => provider === 'sandbox')
  expect(sandbox).toMatchObject({ is_over: false, asked: 'list', made_by: admin.nickname, origin: 'admin' })
  expect(Date.parse(sandbox.made_at)).toBeGreaterThan(before - 60_000)
  const amount = paid.amount / 100
  expect(sandbox.totals).toContainEqual({
    currency: 'USD',
    there: { count: 1, amount },
    here: expect.objectContaining({ count: 1, amount }),
  })
  expect(await openAlerts(`sandbox:${today}`)).toEqual([])

  await shop.database.run(
    sql`UPDATE sandbox_payment SET paid_at = paid_at - interval '1 day' WHERE id = ${paid.paymentId}`,
  )
  await shop.database.run(sql`
    UPDATE payment SET settled_at = settled_at - interval '1 day' WHERE provider_payment_id = ${paid.paymentId}`)
  const yesterday = await reconcileYesterday(shop)
  expect(yesterday[0]?.day).toBe(days[1].day)
  expect(yesterday.find(({ provider }) => provider === 'sandbox')).toMatchObject({ state: 'equal', is_over: true })
  const listed = (await shop.call('GET', '/admin/reconciliation', { token })).body.data.days[1]
  expect(listed.providers).toContainEqual({ provider: 'sandbox', state: 'equal', is_over: true, difference_count: 0 })
})

test.each(['2999-01-01', '1999-12-31', '0000-01-01', '2026-02-30', 'today'])('%s is no day to compare', async (day) => {
  const ran = await shop.call('POST', `/admin/reconciliation/${day}`, { token: admin.token, body: {} })
  expect(['VALIDATION_FAILED', 'NOT_FOUND']).toContain(ran.body.error.code)
  const listed = await shop.call('GET', '/admin/reconciliation?from=2000-01-01&to=2000-01-02', { token: admin.token })
  expect(listed.status).toBe(200)
})

test('the comparison of a day is in the audit log, and admins who ask at once wait for one run', async () => {
  const { token } = admin
  const ran = await Promise.all(
    Array.from({ length: 20 }, () => shop.call('POST', '/admin/reconciliation/2026-02-20', { token, body: {} })),
  )
  expect(new Set(ran.map(({ text }) => text)).size).toBe(1)
  const entries = await shop.database.rows<{ after: object }>(
    sql`SELECT after FROM audit_entry WHERE subject = 'day:2026-02-20' AND action = 'payments.reconcile'`,
  )
  expect(entries).toHaveLength(20)
  expect(entries[0]?.after).toMatchObject({ yookassa: 'equal', payme: 'cabinet_only' })
})
