import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type CardOrder,
  expectSound,
  fillCart,
  openedBy,
  passTime,
  pressPay,
  readAlerts,
  readState,
  startVendorShop,
} from '../../../test/card-orders.ts'
import { anOffer, aUser } from '../../../test/factories.ts'
import { sql } from '../../platform/database/queries.ts'
import { createProviders } from '../payments/providers.ts'
import { expireUnpaidOrders, watchPayments } from './receive-webhook.ts'

let shop: Awaited<ReturnType<typeof startVendorShop>>
beforeAll(async () => {
  shop = await startVendorShop()
})
afterAll(async () => {
  await expectSound(shop)
  await shop.close()
})
beforeEach(() => {
  shop.yookassa.fault = undefined
  shop.stripe.fault = undefined
})

const watched = () => shop
const askNow = async () => {
  await shop.database.run(sql`UPDATE payment SET asked_at = NULL`)
  await watchPayments(watched())
}

const sides = [
  { currency: 'RUB', price: 8_000, vendor: () => shop.yookassa, name: 'yookassa' },
  { currency: 'USD', price: 100, vendor: () => shop.stripe, name: 'stripe' },
] as const

describe.each(sides)('by $name', ({ currency, price, vendor, name }) => {
  const aCart = async () => {
    const offer = await anOffer(shop, { stock: 2 })
    const buyer = await aUser(shop)
    await fillCart(shop, buyer, offer)
    return { offer, buyer, amount: price }
  }
  const anOrder = async (): Promise<CardOrder> => {
    const cart = await aCart()
    const opened = await openedBy(shop, await pressPay(shop, cart.buyer, price, { currency }))
    return { ...cart, ...opened, paymentId: await toId(opened.orderId) }
  }
  const toId = async (orderId: string) => {
    const { id } = await shop.database.one<{ id: string }>(
      sql`SELECT provider_payment_id AS id FROM payment WHERE order_id = ${orderId} ORDER BY payment.id DESC LIMIT 1`,
    )
    return id
  }
  const notify = (id: string) => {
    const webhook = name === 'stripe' ? shop.stripe.webhook(id) : { body: shop.yookassa.webhook(id), headers: {} }
    return shop.app.inject({
      method: 'POST',
      url: `/api/payment/webhook/${name}`,
      payload: webhook.body,
      headers: webhook.headers,
    })
  }

  test('the notice of a payment delivers, once however often it comes', async () => {
    const order = await anOrder()
    vendor().pay(order.paymentId)
    for (let times = 0; times < 3; times++) expect((await notify(order.paymentId)).statusCode).toBe(200)
    expect(await readState(shop, order)).toMatchObject({ status: 'completed', codes: 1, usd: 0, available: 1 })
  })

  test('a notice that never comes delays and nothing more', async () => {
    const order = await anOrder()
    await askNow()
    expect((await readState(shop, order)).status).toBe('awaiting_payment')
    vendor().pay(order.paymentId)
    await askNow()
    await notify(order.paymentId)
    await askNow()
    expect(await readState(shop, order)).toMatchObject({ status: 'completed', codes: 1 })
  })

  test('an order that was paid in its last second is not expired', async () => {
    const order = await anOrder()
    vendor().pay(order.paymentId)
    await passTime(shop, order.orderId)
    await expireUnpaidOrders(watched())
    expect(await readState(shop, order)).toMatchObject({ status: 'completed', codes: 1 })
  })

  test('a declined payment lets the order wait for another', async () => {
    const order = await anOrder()
    vendor().decline(order.paymentId)
    await notify(order.paymentId)
    expect(await readState(shop, order)).toMatchObject({ status: 'awaiting_payment', reserved: 1 })
    await pressPay(shop, order.buyer, price, { currency })
    const second = await toId(order.orderId)
    expect(second).not.toBe(order.paymentId)
    vendor().pay(second)
    await notify(second)
    expect(await readState(shop, order)).toMatchObject({ status: 'completed', codes: 1 })
  })

  test('a wrong amount at the provider is in the wallet, and the operator knows', async () => {
    const order = await anOrder()
    const session = shop.stripe.sessions.get(order.paymentId)
    if (session) session.amount_total = 99
    const payment = shop.yookassa.payments.get(order.paymentId)
    if (payment) payment.amount.value = '0.99'
    vendor().pay(order.paymentId)
    await notify(order.paymentId)
    const { body } = await shop.call('GET', '/balance', { token: order.buyer.token })
    expect(body).toContainEqual({ currency: currency.toLowerCase(), amount: 0.99 })
    expect(await readAlerts(shop, order.orderId)).toEqual(['payment.wrong_amount'])
  })

  test.each(['broken-before', 'too-many', 'hang-up'] as const)(
    'when the provider fails (%s) the press is 502, holds the codes, and the next press goes on with the same key',
    async (fault) => {
      const { buyer, offer } = await aCart()
      const known = vendor().requests.length
      const key = randomUUID()
      vendor().fault = fault
      const refused = await pressPay(shop, buyer, price, { currency, key })
      expect([refused.status, refused.body.error.code]).toEqual([502, 'PAYMENT_PROVIDER_UNAVAILABLE'])
      vendor().fault = undefined
      const opened = await pressPay(shop, buyer, price, { currency, key })
      expect(opened.status).toBe(201)
      const posts = vendor()
        .requests.slice(known)
        .filter((sent) => sent.method === 'POST')
      const keys = posts.map(({ headers }) => headers['idempotency-key'] ?? headers['idempotence-key'])
      expect(new Set(keys).size).toBe(1)
      const { orders } = await shop.database.one<{ orders: number }>(
        sql`SELECT count(*)::int AS orders FROM orders WHERE user_id = ${buyer.id}`,
      )
      expect(orders).toBe(1)
      const { reserved } = await shop.database.one<{ reserved: number }>(
        sql`SELECT count(*)::int AS reserved FROM code WHERE offer_id = ${offer.id} AND status = 'reserved'`,
      )
      expect(reserved).toBe(1)
    },
  )

  test('of ten presses at once one asks the provider, and all get its page', async () => {
    const { buyer } = await aCart()
    const known = vendor().requests.length
    const answers = await Promise.all(Array.from({ length: 10 }, () => pressPay(shop, buyer, price, { currency })))
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1)
    expect(answers[0]?.status).toBe(201)
    expect(vendor().requests.length).toBe(known + 1)
  })

  test('what nobody came back for is opened by the job, and so ready for the next press', async () => {
    const { buyer } = await aCart()
    vendor().fault = 'broken-before'
    expect((await pressPay(shop, buyer, price, { currency })).status).toBe(502)
    vendor().fault = undefined
    await shop.database.run(
      sql`UPDATE payment SET created_at = created_at - interval '1 minute' WHERE status = 'opening'`,
    )
    await askNow()
    const known = vendor().requests.length
    expect((await pressPay(shop, buyer, price, { currency })).status).toBe(201)
    expect(vendor().requests.length).toBe(known)
  })

  test('what the provider rejects gives the codes back, and the cart can be paid again', async () => {
    const { buyer, offer } = await aCart()
    const { secretKey } = vendor()
    vendor().secretKey = 'changed at the provider'
    const refused = await pressPay(shop, buyer, price, { currency })
    vendor().secretKey = secretKey
    expect(refused.body.error).toMatchObject({ code: 'PAYMENT_PROVIDER_UNAVAILABLE', details: { reason: 'rejected' } })
    const { reserved } = await shop.database.one<{ reserved: number }>(
      sql`SELECT count(*)::int AS reserved FROM code WHERE offer_id = ${offer.id} AND status = 'reserved'`,
    )
    expect(reserved).toBe(0)
    expect((await pressPay(shop, buyer, price, { currency })).status).toBe(201)
  })
})

describe('a currency nobody takes', () => {
  const pressAt = async (names: readonly string[], wish: { method?: string } = {}) => {
    const offer = await anOffer(shop, { stock: 1 })
    const buyer = await aUser(shop)
    await fillCart(shop, buyer, offer)
    const chosen = shop.config.payments.filter(({ name }) => names.includes(name))
    const providers = createProviders({ chosen, given: {} }, { ...shop, publicUrl: shop.config.publicUrl })
    const { startCardPayment } = await import('./start-card-payment.ts')
    const wanted = { userId: buyer.id, currency: 'RUB', amount: 8_000, language: 'ru', confirmRepeat: false } as const
    return shop.database.transaction((tx) => startCardPayment(tx, providers, { ...wanted, ...wish }))
  }

  test('is converted to one that somebody takes', async () => {
    const orderId = await pressAt(['stripe'])
    expect(
      await shop.database.one<{ charge_amount: number; charge_currency: string }>(
        sql`SELECT charge_amount, charge_currency FROM payment WHERE order_id = ${orderId}`,
      ),
    ).toMatchObject({ charge_currency: 'USD', charge_amount: expect.any(Number) })
  })

  test('is refused where there is no provider at all, and a method by its name', async () => {
    await expect(pressAt([])).rejects.toMatchObject({
      code: 'PAYMENT_PROVIDER_UNAVAILABLE',
      details: { reason: 'not_configured', currency: 'RUB' },
    })
    await expect(pressAt(['stripe'], { method: 'yookassa' })).rejects.toMatchObject({
      code: 'METHOD_UNAVAILABLE',
      details: { method: 'yookassa', reason: 'not_offered' },
    })
  })
})
