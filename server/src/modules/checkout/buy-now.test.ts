import { randomUUID } from 'node:crypto'
import { firstNumbers } from '@olmos/contract/shop-numbers'
import pg from 'pg'
import { describe, expect, test, vi } from 'vitest'
import { aCardOrder, fillCart, payFromBalance, useCardShop } from '../../../test/card-orders.ts'
import { anOffer, aUser, type TestOffer, type TestUser } from '../../../test/factories.ts'
import { raceRounds } from '../../../test/race-rounds.ts'
import { Sender } from '../../platform/database/batch.ts'
import { sql } from '../../platform/database/queries.ts'
import { credit } from '../wallet/wallet.ts'

const shop = useCardShop({ soumRate: 12_650.37 })

interface Press {
  quantity?: number
  currency?: 'USD' | 'RUB'
  /** The total that is seen, in minor units; the offer's own by default. */
  amount?: number
  key?: string
}

const buyNow = (buyer: TestUser, offer: TestOffer, press: Press = {}) => {
  const { quantity = 1, currency = 'USD', key = randomUUID() } = press
  const amount = press.amount ?? quantity * (currency === 'USD' ? offer.priceUsd : offer.priceRub)
  return shop.call('POST', '/payment/buy-now', {
    token: buyer.token,
    body: { offerId: offer.id, quantity, currency, amount: amount / 100 },
    headers: { 'idempotency-key': key },
  })
}

async function readState(buyer: TestUser, offer: TestOffer) {
  const state = await shop.database.one<{ usd: number; orders: number; sold: number }>(sql`
    SELECT (SELECT balance FROM account WHERE user_id = ${buyer.id} AND currency = 'USD' AND kind = 'wallet') AS usd,
      (SELECT count(*)::int FROM orders WHERE user_id = ${buyer.id}) AS orders,
      (SELECT count(*)::int FROM code_sale JOIN code ON code.id = code_id WHERE offer_id = ${offer.id}) AS sold`)
  return state
}

const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))
const readCart = async (buyer: TestUser) => (await shop.call('GET', '/cart', { token: buyer.token })).body.data

describe('one press buys one offer', () => {
  test('sells the codes and takes the money, and leaves the cart as it is', async () => {
    const [offer, other] = [await anOffer(shop, { stock: 3, priceUsd: 250 }), await anOffer(shop, { stock: 2 })]
    const buyer = await aUser(shop, { usd: 1_000 })
    await fillCart(shop, buyer, other, 2)
    await fillCart(shop, buyer, offer)
    const cart = await readCart(buyer)

    const bought = await buyNow(buyer, offer, { quantity: 2 })
    expect([bought.status, bought.body]).toEqual([
      201,
      { success: true, order: { id: expect.stringMatching(/^[0-9A-Z]{10}$/), status: 'completed' } },
    ])
    const receipt = await shop.call('GET', `/orders/${bought.body.order.id}`, { token: buyer.token })
    expect(receipt.body).toMatchObject({
      total_amount: 5,
      currency: 'USD',
      status: 'completed',
      payment_method: 'balance',
      items: [{ quantity: 2, code: offer.codes.slice(0, 2).join('\n') }],
    })
    const history = await shop.call('GET', '/balance/history', { token: buyer.token })
    expect(history.body.data[0]).toMatchObject({ kind: 'purchase', amount: -5, balance_after: 5 })
    expect(await readCart(buyer)).toEqual(
      cart.map((item: object) => ({ ...item, available_count: expect.any(Number) })),
    )
    // The cart is an order of its own.
    const paid = await payFromBalance(shop, buyer)
    expect(paid.status).toBe(201)
    expect(paid.body.order.id).not.toBe(bought.body.order.id)
  })

  test('charges the rouble price in roubles, of an offer of a region too', async () => {
    const offer = await anOffer(shop, { stock: 1, priceRub: 19_950, region: 'TR' })
    const buyer = await aUser(shop, { rub: 20_000 })
    expect((await buyNow(buyer, offer, { currency: 'RUB' })).status).toBe(201)
    const { body } = await shop.call('GET', '/balance', { token: buyer.token })
    expect(body).toMatchObject([{ amount: 0 }, { currency: 'rub', amount: 0.5 }])
  })

  test('an unpaid card order of the cart still waits, with its codes reserved', async () => {
    const order = await aCardOrder(shop, { priceUsd: 300 })
    const offer = await anOffer(shop, { stock: 1, priceUsd: 100 })
    const money = { userId: order.buyer.id, currency: 'USD', amount: 100, kind: 'adjustment' } as const
    await shop.database.transaction((tx) => credit(tx, { ...money, shopAccount: 'adjustments' }))
    expect((await buyNow(order.buyer, offer)).status).toBe(201)
    const statuses = await shop.database.rows<{ status: string; reserved: number }>(sql`
      SELECT orders.status, (SELECT count(*)::int FROM code WHERE offer_id = ${order.offer.id} AND status = 'reserved') AS reserved
      FROM orders WHERE id = ${order.orderId}`)
    expect(statuses).toEqual([{ status: 'awaiting_payment', reserved: 1 }])
  })

  test('it is three packets and eleven statements, with the look at the session', async () => {
    const offer = await anOffer(shop, { stock: 2 })
    const buyer = await aUser(shop, { usd: 1_000 })
    await buyNow(buyer, offer)
    const packets = vi.spyOn(pg.Client.prototype, 'query')
    const statements = vi.spyOn(Sender.prototype, 'send')
    expect((await buyNow(buyer, offer)).status).toBe(201)
    const sent = { packets: packets.mock.calls.length, statements: statements.mock.calls.length }
    packets.mockRestore()
    statements.mockRestore()
    expect(sent).toEqual({ packets: 3, statements: 11 })
  })
})

describe('what is refused', () => {
  const expectRefused = async (buyer: TestUser, offer: TestOffer, press: Press, status: number, error: object) => {
    const before = await readState(buyer, offer)
    const answer = await buyNow(buyer, offer, press)
    expect([answer.status, answer.body.error]).toEqual([status, expect.objectContaining(error)])
    expect(await readState(buyer, offer)).toEqual(before)
  }

  test('too little money, with both amounts', async () => {
    const offer = await anOffer(shop, { stock: 2, priceUsd: 300 })
    const buyer = await aUser(shop, { usd: 299 })
    const details = { required: 3, available: 2.99, currency: 'USD' }
    await expectRefused(buyer, offer, {}, 402, { code: 'INSUFFICIENT_BALANCE', details })
  })

  test('more than is in stock, by name and number', async () => {
    const offer = await anOffer(shop, { stock: 2 })
    const buyer = await aUser(shop, { usd: 1_000 })
    const details = { item_id: -1, offer_id: offer.id, requested: 3, available_count: 2, game_amount: 100 }
    const error = { code: 'OUT_OF_STOCK', details: expect.objectContaining(details) }
    await expectRefused(buyer, offer, { quantity: 3 }, 409, error)
  })

  test('a price that changed since it was shown, with the total now', async () => {
    const offer = await anOffer(shop, { stock: 2, priceUsd: 100 })
    const buyer = await aUser(shop, { usd: 1_000 })
    await shop.database.run(sql`UPDATE offer SET price_usd = 150 WHERE id = ${offer.id}`)
    const error = { code: 'PRICE_CHANGED', details: { currency: 'USD', total: 3 } }
    await expectRefused(buyer, offer, { quantity: 2 }, 409, error)
    expect((await buyNow(buyer, offer, { quantity: 2, amount: 300 })).status).toBe(201)
  })

  test('what is not on sale: an offer, a product or a region that was switched off, a top-up, none at all', async () => {
    const buyer = await aUser(shop, { usd: 10_000 })
    const gone = { code: 'OFFER_NOT_FOUND' }
    const offers = await times(4, () => anOffer(shop, { stock: 1, region: 'TR' }))
    const [off, hidden, elsewhere, topup] = offers as [TestOffer, TestOffer, TestOffer, TestOffer]
    await shop.database.run(sql`UPDATE offer SET is_active = false WHERE id = ${off.id}`)
    await shop.database.run(sql`UPDATE product SET is_active = false WHERE id = ${hidden.productId}`)
    await shop.database.run(sql`UPDATE region SET is_active = false WHERE id = ${elsewhere.regionId}`)
    for (const offer of [off, hidden, elsewhere]) await expectRefused(buyer, offer, {}, 404, gone)
    await expectRefused(buyer, { ...topup, id: 2_000_000_000 }, {}, 404, gone)
  })

  test('while a dispute about the payments of the customer is open', async () => {
    const offer = await anOffer(shop, { stock: 1 })
    const buyer = await aUser(shop, { usd: 1_000 })
    await shop.database.run(sql`UPDATE users SET held_since = now() WHERE id = ${buyer.id}`)
    await expectRefused(buyer, offer, {}, 409, { code: 'BALANCE_ON_HOLD' })
    await shop.database.run(sql`UPDATE users SET held_since = NULL WHERE id = ${buyer.id}`)
  })

  test('without a key, by which alone a repetition is known', async () => {
    const offer = await anOffer(shop, { stock: 1 })
    const { token } = await aUser(shop, { usd: 1_000 })
    const body = { offerId: offer.id, quantity: 1, currency: 'USD', amount: 1 }
    const answer = await shop.call('POST', '/payment/buy-now', { token, body })
    expect([answer.status, answer.body.error.details]).toEqual([400, { 'idempotency-key': 'required' }])
  })

  test.each([
    { quantity: 0 },
    { quantity: 11 ** 4 },
    { quantity: 1.5 },
    { amount: undefined },
    { amount: -1 },
    { total: 1 },
  ])('a body with %j', async (wrong) => {
    const { token } = await aUser(shop, { usd: 1_000 })
    const body = { offerId: 1, quantity: 1, currency: 'USD', amount: 1, ...wrong }
    const headers = { 'idempotency-key': randomUUID() }
    expect((await shop.call('POST', '/payment/buy-now', { token, body, headers })).status).toBe(400)
  })
})

describe('codes that are bought at a supplier', () => {
  async function onDemand(stock: number) {
    const offer = await anOffer(shop, { stock })
    await shop.database.run(sql`UPDATE product SET buys_on_demand = true WHERE id = ${offer.productId}`)
    await shop.database.run(sql`UPDATE offer SET item_id = 'sandbox-1' WHERE id = ${offer.id}`)
    return offer
  }
  const toMissing = async (orderId: string) =>
    shop.database.rows<{ unit: number }>(sql`
      SELECT unit FROM delivery JOIN order_item ON order_item.id = order_item_id WHERE order_id = ${orderId} ORDER BY unit`)

  test('what the shelf lacks is queued, and the rest is sold at once', async () => {
    const offer = await onDemand(1)
    const buyer = await aUser(shop, { usd: 1_000 })
    const answer = await buyNow(buyer, offer, { quantity: 3 })
    expect(answer.body.order.status).toBe('pending')
    expect(await toMissing(answer.body.order.id)).toEqual([{ unit: 2 }, { unit: 3 }])
    expect(await readState(buyer, offer)).toEqual({ usd: 700, orders: 1, sold: 1 })
  })

  test('an order that stock could serve is completed at once', async () => {
    const offer = await onDemand(2)
    const buyer = await aUser(shop, { usd: 1_000 })
    const answer = await buyNow(buyer, offer, { quantity: 2 })
    expect(answer.body.order.status).toBe('completed')
    expect(await toMissing(answer.body.order.id)).toEqual([])
  })

  test('of 40 at once, from the cart and without it, no more are on order than are allowed', async () => {
    const offer = await onDemand(0)
    const buyers = await times(40, () => aUser(shop, { usd: 100 }))
    await Promise.all(buyers.map((buyer, index) => index % 2 && fillCart(shop, buyer, offer)))
    const answers = await times(40, (index) => {
      const buyer = buyers[index] as TestUser
      return index % 2 ? payFromBalance(shop, buyer) : buyNow(buyer, offer)
    })
    const done = answers.filter(({ status }) => status === 201)
    expect(done).toHaveLength(Math.min(40, firstNumbers.on_demand_units))
    expect(answers.every(({ status, body }) => status === 201 || body.error.code === 'OUT_OF_STOCK')).toBe(true)
  })
})

describe('races', () => {
  const timeout = 600_000

  test(`of 64 who want the last code, half of them by a cart, one gets it, ${raceRounds(3)} times`, {
    timeout,
  }, async () => {
    const buyers = await times(64, () => aUser(shop, { usd: 1_000_000 }))
    for (let round = 0; round < raceRounds(3); round++) {
      const offer = await anOffer(shop, { stock: 1 })
      await Promise.all(buyers.map((buyer, index) => index % 2 && fillCart(shop, buyer, offer)))
      const answers = await Promise.all(
        buyers.map((buyer, index) => (index % 2 ? payFromBalance(shop, buyer) : buyNow(buyer, offer))),
      )
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
      expect(answers.filter(({ body }) => body.error?.code === 'OUT_OF_STOCK')).toHaveLength(63)
      await Promise.all(buyers.map(({ token }) => shop.call('POST', '/cart/clear', { token, body: {} })))
    }
  })

  test('20 at once under one key are one order, and all answers are the first, byte for byte', async () => {
    const offer = await anOffer(shop, { stock: 40 })
    const buyer = await aUser(shop, { usd: 10_000 })
    const key = randomUUID()
    const answers = await times(20, () => buyNow(buyer, offer, { quantity: 2, key }))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(201)
    expect(await readState(buyer, offer)).toEqual({ usd: 9_800, orders: 1, sold: 2 })
  })

  test('a repetition gets the first answer, though the price has changed and the offer is gone by then', async () => {
    const offer = await anOffer(shop, { stock: 2 })
    const buyer = await aUser(shop, { usd: 10_000 })
    const key = randomUUID()
    const first = await buyNow(buyer, offer, { key })
    await shop.database.run(sql`UPDATE offer SET price_usd = 900 WHERE id = ${offer.id}`)
    expect((await buyNow(buyer, offer, { key })).text).toBe(first.text)
    await shop.database.run(sql`UPDATE offer SET is_active = false WHERE id = ${offer.id}`)
    expect((await buyNow(buyer, offer, { key })).text).toBe(first.text)
    const other = await buyNow(buyer, offer, { key, quantity: 2 })
    expect([other.status, other.body.error.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED'])
    expect(await readState(buyer, offer)).toEqual({ usd: 9_900, orders: 1, sold: 1 })
  })

  test('a balance that is enough for one of two is spent once, 20 times', async () => {
    for (let round = 0; round < 20; round++) {
      const [offer, other] = [await anOffer(shop, { stock: 1 }), await anOffer(shop, { stock: 1 })]
      const buyer = await aUser(shop, { usd: 100 })
      await fillCart(shop, buyer, other)
      const answers = await Promise.all([buyNow(buyer, offer), payFromBalance(shop, buyer)])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 402])
      expect(await readState(buyer, offer)).toMatchObject({ usd: 0, orders: 1 })
    }
  })

  test('32 presses with keys of their own never spend more than there is', async () => {
    const offer = await anOffer(shop, { stock: 40 })
    const buyer = await aUser(shop, { usd: 500 })
    const answers = await times(32, () => buyNow(buyer, offer))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(27)
    expect(await readState(buyer, offer)).toEqual({ usd: 0, orders: 5, sold: 5 })
  })

  test('prices that change while 24 buy: nobody is charged another total than they saw', { timeout }, async () => {
    const offer = await anOffer(shop, { stock: 30, priceUsd: 100 })
    const buyers = await times(24, () => aUser(shop, { usd: 1_000 }))
    const flip = async (price: number) =>
      shop.database.run(sql`UPDATE offer SET price_usd = ${price} WHERE id = ${offer.id}`)
    const [, ...answers] = await Promise.all([
      (async () => {
        for (const price of [150, 100, 150, 100, 150]) await flip(price)
      })(),
      ...buyers.map((buyer) => buyNow(buyer, offer, { amount: 100 })),
    ])
    expect(answers.every(({ status, body }) => status === 201 || body.error.code === 'PRICE_CHANGED')).toBe(true)
    for (const [index, buyer] of buyers.entries()) {
      const isBought = answers[index]?.status === 201
      expect((await readState(buyer, offer)).usd).toBe(isBought ? 900 : 1_000)
    }
  })
})

describe('a connection that breaks', () => {
  /** Breaks the connection at a packet: before it is sent, or once PostgreSQL has answered it and nobody read that. */
  function breakAt(packet: number, when: 'before' | 'after') {
    const { query } = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown }
    let sent = 0
    return vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function breaking(
      this: unknown,
      ...args: unknown[]
    ) {
      const { stream } = (this as { connection: { stream: import('node:net').Socket } }).connection
      const isHere = ++sent === packet
      if (isHere && when === 'before') stream.destroy()
      if (isHere && when === 'after') stream.removeAllListeners('data').once('data', () => stream.destroy())
      return query.apply(this, args)
    } as never)
  }
  const packets = [1, 2, 3].flatMap((packet) => [[packet, 'before'] as const, [packet, 'after'] as const])

  test.each(packets)('at packet %i, %s it: the next press under the key buys once', async (packet, when) => {
    const offer = await anOffer(shop, { stock: 3 })
    const buyer = await aUser(shop, { usd: 1_000 })
    const key = randomUUID()
    const spy = breakAt(packet, when)
    const lost = await buyNow(buyer, offer, { key })
    spy.mockRestore()
    expect(lost.status).toBe(503)
    const happened = packet === 3 && when === 'after'
    expect((await readState(buyer, offer)).orders).toBe(happened ? 1 : 0)
    const again = await buyNow(buyer, offer, { key })
    expect(again.status).toBe(201)
    expect((await buyNow(buyer, offer, { key })).text).toBe(again.text)
    expect(await readState(buyer, offer)).toEqual({ usd: 900, orders: 1, sold: 1 })
  })
})
