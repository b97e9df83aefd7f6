import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  aCardOrder,
  act,
  type CardOrder,
  expectSound,
  fillCart,
  openedBy,
  passTime,
  pressPay,
  startVendorShop,
  tell,
  useCardShop,
} from '../../../test/card-orders.ts'
import { startTbank } from '../../../test/doubles/tbank.ts'
import { yookassaRefusals } from '../../../test/doubles/yookassa.ts'
import { anOffer, aUser } from '../../../test/factories.ts'
import { aFilling, allowFillings, pressFill, type TestFilling } from '../../../test/fillings.ts'
import { startShop, type TestShop } from '../../../test/shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { rejected } from '../../platform/vendor/vendor.ts'
import type { PaymentProvider } from '../payments/provider.ts'
import { providerNamed } from '../payments/providers.ts'
import { createPaymentBooks } from './payment-books.ts'
import { expireUnpaidOrders, watchPayments } from './receive-webhook.ts'
import { settlePayment } from './settle-payment.ts'

type Unpaid = CardOrder | TestFilling

const readPayment = ({ database }: Pick<TestShop, 'database'>, orderId: string) =>
  database.one<{ status: string; why: string | null }>(sql`
    SELECT status, canceled_why AS why FROM payment WHERE order_id = ${orderId}`)

describe('at the sandbox', () => {
  const shop = useCardShop({ soumRate: 12_650.37 })
  const readNow = ({ orderId }: { orderId: string }) => readPayment(shop, orderId)
  /** Moves the payment so many hours into the past. */
  const passHours = ({ orderId }: { orderId: string }, hours: number) =>
    shop.database.run(sql`
      UPDATE payment SET created_at = created_at - make_interval(hours => ${hours}) WHERE order_id = ${orderId}`)

  test('a payment that was declined says so, and one that is paid after all has no reason', async () => {
    const order = await aCardOrder(shop)
    await act(shop, order, 'decline')
    expect(await readNow(order)).toEqual({ status: 'canceled', why: 'declined' })
    await tell(shop, order)
    expect(await readNow(order)).toEqual({ status: 'succeeded', why: null })
  })

  test.each([
    ['a word', 'insufficient_funds', 'insufficient_funds'],
    ['a number', '-5017', '-5017'],
    ['nothing', undefined, null],
    ['an empty word', '', null],
    ['a word that is too long', 'x'.repeat(300), 'x'.repeat(100)],
    ['a sentence, which may name the payer', 'Card 4111 of Ivan Petrov was declined', null],
    ['bytes that are no text', 'a\u0000b', null],
  ])('of %s a provider says, what is kept', async (_what, why, kept) => {
    const order = await aCardOrder(shop)
    const { key: reference, paymentId: providerPaymentId, amount } = order
    const snapshot = { providerPaymentId, reference, status: 'canceled', amount, currency: 'USD' } as const
    await shop.database.transaction((tx) =>
      settlePayment(tx, 'sandbox', { key: randomUUID(), snapshot: { ...snapshot, ...(why !== undefined && { why }) } }),
    )
    expect(await readNow(order)).toEqual({ status: 'canceled', why: kept })
  })

  test('a payment that nobody makes is given up after a day, and not before', async () => {
    const order = await aCardOrder(shop)
    await passHours(order, 23)
    await watchPayments(shop)
    expect(await readNow(order)).toEqual({ status: 'open', why: null })
    await passHours(order, 2)
    await watchPayments(shop)
    expect(await readNow(order)).toEqual({ status: 'canceled', why: 'not_paid' })
    // The first reason stays, whatever is told later.
    await tell(shop, order, { status: 'canceled' })
    expect((await readNow(order)).why).toBe('not_paid')
  })

  const press = (key: string, order: Unpaid) =>
    'offer' in order
      ? pressPay(shop, order.buyer, 100, { method: 'sandbox_soums', key })
      : pressFill(shop, order.buyer, { method: 'sandbox_soums', key })
  /** Begins another payment of the order by soums, whose call died before its provider was asked. */
  const dieOpening = async (key: string, order: Unpaid) => {
    expect((await press(key, order)).status).toBe(201)
    await shop.database.run(sql`UPDATE idempotent_call SET status = NULL, answer = NULL WHERE key = ${key}`)
    return unopen(order)
  }
  const unopen = ({ orderId }: Unpaid) =>
    shop.database.run(sql`
      UPDATE payment SET status = 'opening', canceled_why = NULL, provider_payment_id = NULL, pay_url = NULL
      WHERE method = 'sandbox_soums' AND order_id = ${orderId}`)
  const readSecond = ({ orderId }: Unpaid) =>
    shop.database.one<{ status: string; why: string | null }>(sql`
      SELECT status, canceled_why AS why FROM payment WHERE method = 'sandbox_soums' AND order_id = ${orderId}`)

  test.each([
    ['an order', () => aCardOrder(shop)],
    ['a filling', () => aFilling(shop)],
  ])(
    'a payment of %s that was not opened ends when another one is made, and leads to the receipt',
    async (_what, make) => {
      await allowFillings(shop)
      const [order, key] = [await make(), randomUUID()]
      await dieOpening(key, order)
      await tell(shop, order)
      expect(await readSecond(order)).toEqual({ status: 'canceled', why: 'not_opened' })
      expect((await press(key, order)).body).toMatchObject({ pay_url: expect.stringMatching(/\/orders\/\w+$/) })
      expect(await readSecond(order)).toEqual({ status: 'canceled', why: 'not_opened' })
    },
  )

  test('a payment that was left unopened of an order that is paid is not opened, and given up after a day', async () => {
    const [order, key] = [await aCardOrder(shop), randomUUID()]
    await dieOpening(key, order)
    await tell(shop, order)
    await unopen(order)
    expect((await press(key, order)).body).toMatchObject({ pay_url: expect.stringMatching(/\/orders\/\w+$/) })
    await passHours(order, 23)
    await watchPayments(shop)
    expect(await readSecond(order)).toEqual({ status: 'opening', why: null })
    await passHours(order, 2)
    await watchPayments(shop)
    expect(await readSecond(order)).toEqual({ status: 'canceled', why: 'not_opened' })
  })

  test('a provider that asks says it by the number it cancels a transaction with', async () => {
    const order = await aCardOrder(shop, { method: 'sandbox_soums' })
    const books = createPaymentBooks(shop.database, 'sandbox')
    const id = randomUUID()
    await books.begin(order.orderId, { id, amount: 1_265_100, at: new Date() })
    expect(await books.cancel(id, '4', new Date())).toMatchObject({ state: 'canceled' })
    expect(await readNow(order)).toEqual({ status: 'canceled', why: '4' })
  })
})

describe('at other providers', () => {
  let shop: Awaited<ReturnType<typeof startVendorShop>>
  beforeAll(async () => {
    shop = await startVendorShop()
  })
  afterAll(async () => {
    await expectSound(shop)
    await shop.close()
  })
  beforeEach(() => Object.assign(shop.yookassa, { fault: undefined, refusal: undefined }))

  const press = async () => {
    const buyer = await aUser(shop)
    await fillCart(shop, buyer, await anOffer(shop, { stock: 1 }))
    const pressed = await pressPay(shop, buyer, 8_000, { currency: 'RUB' })
    const { orderId } = await shop.database.one<{ orderId: string }>(
      sql`SELECT id AS "orderId" FROM orders WHERE user_id = ${buyer.id}`,
    )
    return { pressed, orderId }
  }

  test('what the bank said comes with the answer about the payment', async () => {
    const { pressed, orderId } = await press()
    expect(pressed.status).toBe(201)
    const { id } = await shop.database.one<{ id: string }>(
      sql`SELECT provider_payment_id AS id FROM payment WHERE order_id = ${orderId}`,
    )
    shop.yookassa.decline(id)
    await watchPayments(shop)
    expect(await readPayment(shop, orderId)).toEqual({ status: 'canceled', why: 'insufficient_funds' })
  })

  test('one that the provider refuses to open was refused', async () => {
    shop.yookassa.refusal = yookassaRefusals.parameter
    const { pressed, orderId } = await press()
    expect(pressed.status).toBe(502)
    expect(await readPayment(shop, orderId)).toEqual({ status: 'canceled', why: 'refused' })
  })

  test('one that is refused ends alone while the order can be paid at the page of another', async () => {
    const buyer = await aUser(shop)
    await fillCart(shop, buyer, await anOffer(shop, { stock: 1 }))
    const pressBy = (method: string) => pressPay(shop, buyer, 8_000, { currency: 'RUB', method })
    const first = await pressBy('yookassa_card')
    expect(first.status).toBe(201)
    shop.yookassa.refusal = yookassaRefusals.parameter
    expect((await pressBy('yookassa_sbp')).status).toBe(502)
    const payments = sql`
      SELECT status, canceled_why AS why, provider_payment_id AS id FROM payment WHERE order_id = ${first.body.order_id}
      ORDER BY payment.id`
    const [open, refused] = await shop.database.rows<{ status: string; why: string | null; id: string }>(payments)
    expect([open, refused]).toMatchObject([{ status: 'open' }, { status: 'canceled', why: 'refused' }])
    // The receipt leads to the page that is open, instead of to a second payment beside it.
    expect((await shop.call('GET', `/orders/${first.body.order_id}`, { token: buyer.token })).body).toMatchObject({
      status: 'awaiting_payment',
      is_declined: false,
      paid_by: { method: 'yookassa_card' },
      payment: { status: 'open', pay_url: first.body.pay_url },
    })
    shop.yookassa.refusal = undefined
    shop.yookassa.pay(open?.id ?? '')
    await watchPayments(shop)
    expect(await shop.database.one(sql`SELECT status FROM orders WHERE id = ${first.body.order_id}`)).toEqual({
      status: 'completed',
    })
  })

  test('an order that is paid while another way to pay is refused stays that of its cart', async () => {
    const buyer = await aUser(shop)
    await fillCart(shop, buyer, await anOffer(shop, { stock: 1 }))
    const pressBy = (method: string) => pressPay(shop, buyer, 8_000, { currency: 'RUB', method })
    const { orderId, paymentId } = await openedBy(shop, await pressBy('yookassa_card'))
    const readOrder = () =>
      shop.database.one<{ status: string; cart_version: number | null }>(
        sql`SELECT status, cart_version FROM orders WHERE id = ${orderId}`,
      )
    const waiting = await readOrder()
    const provider = providerNamed(shop.providers, 'yookassa') as PaymentProvider
    vi.spyOn(provider, 'createPayment').mockImplementationOnce(async () => {
      shop.yookassa.pay(paymentId)
      await watchPayments(shop)
      return rejected('invalid_request')
    })
    const receipt = { pay_url: `http://localhost:3000/orders/${orderId}`, order_id: orderId }
    expect((await pressBy('yookassa_sbp')).body).toEqual(receipt)
    expect(await readOrder()).toEqual({ ...waiting, status: 'completed' })
    // Another press, which has a key of its own.
    expect((await pressBy('yookassa_sbp')).body).toEqual(receipt)
  })

  test('what the bank declined is told, though another way to pay was refused after it was opened', async () => {
    const buyer = await aUser(shop)
    await fillCart(shop, buyer, await anOffer(shop, { stock: 1 }))
    const pressBy = (method: string) => pressPay(shop, buyer, 8_000, { currency: 'RUB', method })
    const { orderId, paymentId } = await openedBy(shop, await pressBy('yookassa_card'))
    shop.yookassa.refusal = yookassaRefusals.parameter
    expect((await pressBy('yookassa_sbp')).status).toBe(502)
    shop.yookassa.refusal = undefined
    shop.yookassa.decline(paymentId)
    await shop.database.run(sql`UPDATE payment SET asked_at = NULL`)
    await watchPayments(shop)
    expect((await shop.call('GET', `/orders/${orderId}`, { token: buyer.token })).body).toMatchObject({
      status: 'awaiting_payment',
      is_declined: true,
      paid_by: { method: 'yookassa_card' },
    })
  })

  test('one that is refused leaves alone another that is being opened, and the order waits for that', async () => {
    shop.yookassa.fault = 'hang-up'
    const buyer = await aUser(shop)
    await fillCart(shop, buyer, await anOffer(shop, { stock: 1 }))
    const pressBy = (method: string) => pressPay(shop, buyer, 8_000, { currency: 'RUB', method })
    expect((await pressBy('yookassa_card')).status).toBe(502)
    const [id = ''] = [...shop.yookassa.payments.keys()].slice(-1)
    shop.yookassa.fault = undefined
    shop.yookassa.refusal = yookassaRefusals.parameter
    expect((await pressBy('yookassa_sbp')).status).toBe(502)
    shop.yookassa.refusal = undefined
    const { orderId } = await shop.database.one<{ orderId: string }>(
      sql`SELECT id AS "orderId" FROM orders WHERE user_id = ${buyer.id}`,
    )
    const readReceipt = async () => (await shop.call('GET', `/orders/${orderId}`, { token: buyer.token })).body
    expect(await readReceipt()).toMatchObject({
      status: 'awaiting_payment',
      is_declined: false,
      payment: { status: 'opening', pay_url: null },
    })
    // It is the job that opens it, though a later one of the order was refused.
    await shop.database.run(sql`
      UPDATE payment SET created_at = created_at - interval '1 minute', attempt_until = NULL, next_at = NULL
      WHERE order_id = ${orderId} AND status = 'opening'`)
    await watchPayments(shop)
    expect((await readReceipt()).payment).toMatchObject({ status: 'open', pay_url: expect.any(String) })
    shop.yookassa.pay(id)
    await shop.app.inject({
      method: 'POST',
      url: '/api/payment/webhook/yookassa',
      payload: shop.yookassa.webhook(id),
    })
    expect((await readReceipt()).status).toBe('completed')
  })

  test('one that the provider did not open ends when the order is paid another way', async () => {
    shop.yookassa.fault = 'broken-before'
    const buyer = await aUser(shop)
    await fillCart(shop, buyer, await anOffer(shop, { stock: 1 }))
    const pressBy = (method: string) => pressPay(shop, buyer, 8_000, { currency: 'RUB', method })
    expect((await pressBy('yookassa_card')).status).toBe(502)
    shop.yookassa.fault = undefined
    const { orderId } = await openedBy(shop, await pressBy('yookassa_sbp'))
    const read = () =>
      shop.database.rows<{ status: string; name: string | null }>(sql`
        SELECT status, provider_payment_id AS name FROM payment WHERE order_id = ${orderId} ORDER BY id`)
    const [first, second] = await read()
    expect([first?.status, second?.status]).toEqual(['opening', 'open'])
    shop.yookassa.pay(String(second?.name))
    await shop.database.run(sql`UPDATE payment SET asked_at = NULL`)
    await watchPayments(shop)
    expect((await read()).map(({ status }) => status)).toEqual(['canceled', 'succeeded'])
  })

  test('one that the provider never opened was not opened', async () => {
    shop.yookassa.fault = 'broken-before'
    const { pressed, orderId } = await press()
    expect(pressed.status).toBe(502)
    expect(await readPayment(shop, orderId)).toEqual({ status: 'opening', why: null })
    await passTime(shop, orderId)
    await expireUnpaidOrders(shop)
    expect(await readPayment(shop, orderId)).toEqual({ status: 'canceled', why: 'not_opened' })
  })
})

describe('one whose page is lost at T-Bank is no refusal, and another takes its place', () => {
  let tbank: Awaited<ReturnType<typeof startTbank>>
  let shop: TestShop
  beforeAll(async () => {
    tbank = await startTbank()
    tbank.isOrderIdOnce = true
    shop = await startShop({
      PAYMENT_PROVIDERS: 'tbank',
      TBANK_TERMINAL_KEY: tbank.terminalKey,
      TBANK_PASSWORD: tbank.password,
      TBANK_BASE_URL: tbank.url,
    })
  })
  afterAll(async () => {
    expect(await shop.database.rows(sql`SELECT FROM alert WHERE kind = 'payment.refused'`)).toEqual([])
    await expectSound(shop)
    await shop.close()
    await tbank.close()
  })

  /** An order whose first payment was opened, though the answer with its page was lost. */
  const aLost = async ({ beside }: { beside?: string } = {}) => {
    const buyer = await aUser(shop)
    await fillCart(shop, buyer, await anOffer(shop, { stock: 1 }))
    const pressBy = (method: string) => pressPay(shop, buyer, 8_000, { currency: 'RUB', method })
    const press = () => pressBy('tbank_card')
    if (beside) expect((await pressBy(beside)).status).toBe(201)
    tbank.fault = 'broken-after'
    expect((await press()).status).toBe(502)
    tbank.fault = undefined
    const { orderId } = await shop.database.one<{ orderId: string }>(
      sql`SELECT id AS "orderId" FROM orders WHERE user_id = ${buyer.id}`,
    )
    const readReceipt = async () => (await shop.call('GET', `/orders/${orderId}`, { token: buyer.token })).body
    return { press, orderId, readReceipt }
  }
  const readPayments = (orderId: string) =>
    shop.database.rows(sql`
      SELECT payment.status, canceled_why AS why, orders.status AS order FROM payment JOIN orders ON orders.id = order_id
      WHERE order_id = ${orderId} ORDER BY payment.id`)
  const inTheEnd = [
    { status: 'canceled', why: 'not_opened', order: 'awaiting_payment' },
    { status: 'open', why: null, order: 'awaiting_payment' },
  ]

  test('at the next press', async () => {
    const { press, orderId, readReceipt } = await aLost()
    const { status, body } = await press()
    expect(status).toBe(201)
    expect(await readPayments(orderId)).toEqual(inTheEnd)
    expect(await readReceipt()).toMatchObject({ payment: { status: 'open', pay_url: body.pay_url } })
  })

  test('at the next press, also while the page of another way to pay is open', async () => {
    const { press, orderId, readReceipt } = await aLost({ beside: 'tbank_sbp' })
    const { status, body } = await press()
    expect(status).toBe(201)
    expect(await readPayments(orderId)).toEqual([{ ...inTheEnd[1] }, ...inTheEnd])
    expect(await readReceipt()).toMatchObject({ payment: { status: 'open', pay_url: body.pay_url } })
  })

  test('once for all presses at once, each of which leads to its page', async () => {
    const { press, orderId } = await aLost()
    const pressed = await Promise.all(Array.from({ length: 4 }, press))
    expect(pressed.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(new Set(pressed.map(({ body }) => body.pay_url)).size).toBe(1)
    expect(await readPayments(orderId)).toEqual(inTheEnd)
  })

  test('by the job, and no bank is said to have declined it', async () => {
    const { orderId, readReceipt } = await aLost()
    const watchLater = async () => {
      await shop.database.run(
        sql`UPDATE payment SET created_at = now() - interval '1 hour' WHERE order_id = ${orderId}`,
      )
      await watchPayments(shop)
    }
    await watchLater()
    expect(await readReceipt()).toMatchObject({ is_declined: false, payment: { status: 'opening' } })
    await watchLater()
    expect(await readPayments(orderId)).toEqual(inTheEnd)
    expect(await readReceipt()).toMatchObject({ payment: { status: 'open', pay_url: expect.any(String) } })
  })
})
