import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { anOffer, aUser, type TestOffer, type TestUser, toCart } from '../../../test/factories.ts'
import { useShop } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'

const shop = useShop()

const add = (user: TestUser, offer: TestOffer, quantity = 1) =>
  shop.call('POST', '/cart/add', { token: user.token, body: toCart(offer, quantity) })

const pay = (user: TestUser, currency = 'USD', key?: string, amount?: number) =>
  shop.call('POST', '/payment/from-balance', {
    token: user.token,
    body: { currency, amount },
    headers: key ? { 'idempotency-key': key } : {},
  })

const readBalance = async (user: TestUser) => {
  const { body } = await shop.call('GET', '/balance', { token: user.token })
  return Object.fromEntries(body.map((entry: { currency: string; amount: number }) => [entry.currency, entry.amount]))
}

describe('paying the cart from the balance', () => {
  test('sells the codes, takes the money and empties the cart', async () => {
    const offer = await anOffer(shop, { stock: 3, priceUsd: 250 })
    const buyer = await aUser(shop, { usd: 1_000 })
    expect((await add(buyer, offer, 2)).status).toBe(201)

    const paid = await pay(buyer)
    expect(paid.status).toBe(201)
    expect(paid.body).toEqual({
      success: true,
      order: { id: expect.stringMatching(/^[0-9A-Z]{10}$/), status: 'completed' },
    })
    expect(await readBalance(buyer)).toEqual({ usd: 5, rub: 0 })
    expect((await shop.call('GET', '/cart', { token: buyer.token })).body.data).toEqual([])

    const receipt = await shop.call('GET', `/orders/${paid.body.order.id}`, { token: buyer.token })
    expect(receipt.body).toMatchObject({
      total_amount: 5,
      currency: 'USD',
      status: 'completed',
      payment_method: 'balance',
    })
    expect(receipt.body.items[0].code.split('\n')).toEqual(offer.codes.slice(0, 2))
    const history = await shop.call('GET', '/balance/history', { token: buyer.token })
    expect(history.body.data[0]).toMatchObject({
      kind: 'purchase',
      amount: -5,
      balance_after: 5,
      order_id: paid.body.order.id,
    })
  })

  test('charges the rouble price in roubles', async () => {
    const offer = await anOffer(shop, { stock: 1, priceRub: 19_950 })
    const buyer = await aUser(shop, { rub: 20_000 })
    await add(buyer, offer)
    expect((await pay(buyer, 'rub')).status).toBe(201)
    expect(await readBalance(buyer)).toEqual({ usd: 0, rub: 0.5 })
  })

  test('an empty cart is CART_EMPTY', async () => {
    const buyer = await aUser(shop, { usd: 1_000 })
    const answer = await pay(buyer)
    expect([answer.status, answer.body.error.code]).toEqual([409, 'CART_EMPTY'])
  })

  test('too little money is refused with both amounts and nothing taken', async () => {
    const offer = await anOffer(shop, { stock: 2, priceUsd: 300 })
    const buyer = await aUser(shop, { usd: 299 })
    await add(buyer, offer)
    const answer = await pay(buyer)
    expect(answer.status).toBe(402)
    expect(answer.body.error).toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
      details: { required: 3, available: 2.99, currency: 'USD' },
    })
    expect(await readBalance(buyer)).toEqual({ usd: 2.99, rub: 0 })
    const { sold } = await shop.database.one<{ sold: number }>(
      sql`SELECT count(*)::int AS sold FROM code WHERE offer_id = ${offer.id} AND status <> 'available'`,
    )
    expect(sold).toBe(0)
  })

  test('one short line refuses the whole cart and names the line', async () => {
    const plenty = await anOffer(shop, { stock: 5 })
    const scarce = await anOffer(shop, { stock: 2 })
    const buyer = await aUser(shop, { usd: 10_000 })
    await add(buyer, plenty, 2)
    await add(buyer, scarce, 2)
    const rival = await aUser(shop, { usd: 10_000 })
    await add(rival, scarce, 1)
    expect((await pay(rival)).status).toBe(201)

    const answer = await pay(buyer)
    expect(answer.body.error).toMatchObject({
      code: 'OUT_OF_STOCK',
      details: { offer_id: scarce.id, requested: 2, available_count: 1 },
    })
    expect(await readBalance(buyer)).toEqual({ usd: 100, rub: 0 })
  })

  test('a price that changed since it was shown is refused, and accepted once it was shown', async () => {
    const offer = await anOffer(shop, { stock: 1, priceUsd: 100 })
    const buyer = await aUser(shop, { usd: 1_000 })
    await add(buyer, offer)
    await shop.database.run(sql`UPDATE offer SET price_usd = 150 WHERE id = ${offer.id}`)
    const refused = await pay(buyer)
    expect(refused.body.error).toMatchObject({
      code: 'PRICE_CHANGED',
      details: { items: [{ offer_id: offer.id, price_usd: 1.5 }] },
    })
    expect(await readBalance(buyer)).toEqual({ usd: 10, rub: 0 })

    await shop.call('GET', '/cart', { token: buyer.token })
    expect((await pay(buyer)).status).toBe(201)
    expect(await readBalance(buyer)).toEqual({ usd: 8.5, rub: 0 })
  })

  test('a cart that another tab put more into is not charged to whom saw less', async () => {
    const offer = await anOffer(shop, { stock: 3, priceUsd: 250 })
    const buyer = await aUser(shop, { usd: 1_000 })
    await add(buyer, offer, 2)
    const refused = await pay(buyer, 'USD', 'one-purchase', 2.5)
    expect([refused.status, refused.body.error]).toEqual([
      409,
      expect.objectContaining({ code: 'PRICE_CHANGED', details: { currency: 'USD', total: 5 } }),
    ])
    expect(await readBalance(buyer)).toEqual({ usd: 10, rub: 0 })
    const paid = await pay(buyer, 'USD', 'next-purchase', 5)
    expect(paid.status).toBe(201)
    // A second press, in another tab that still shows what was bought.
    expect((await pay(buyer, 'USD', undefined, 5)).body).toEqual(paid.body)
    expect(await readBalance(buyer)).toEqual({ usd: 5, rub: 0 })
  })

  test('an offer that was switched off is refused by name', async () => {
    const offer = await anOffer(shop, { stock: 1 })
    const buyer = await aUser(shop, { usd: 1_000 })
    await add(buyer, offer)
    await shop.database.run(sql`UPDATE offer SET is_active = false WHERE id = ${offer.id}`)
    const answer = await pay(buyer)
    expect(answer.body.error).toMatchObject({
      code: 'OUT_OF_STOCK',
      details: { offer_id: offer.id, available_count: 0 },
    })
  })
})

describe('pressing again', () => {
  test('a second press with another key answers with the same order', async () => {
    const offer = await anOffer(shop, { stock: 5 })
    const buyer = await aUser(shop, { usd: 1_000 })
    await add(buyer, offer)
    const first = await pay(buyer, 'USD', randomUUID())
    const second = await pay(buyer, 'USD', randomUUID())
    expect(second.body).toEqual(first.body)
    expect(await readBalance(buyer)).toEqual({ usd: 9, rub: 0 })
  })

  test('one key sent ten times at once makes one order, and every answer is the first', async () => {
    const offer = await anOffer(shop, { stock: 20 })
    const buyer = await aUser(shop, { usd: 10_000 })
    await add(buyer, offer, 2)
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 10 }, () => pay(buyer, 'USD', key)))
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1)
    expect(answers.every((answer) => answer.status === 201)).toBe(true)
    expect(await readBalance(buyer)).toEqual({ usd: 98, rub: 0 })
  })

  test('the same key with another body is refused', async () => {
    const offer = await anOffer(shop, { stock: 2 })
    const buyer = await aUser(shop, { usd: 1_000, rub: 100_000 })
    await add(buyer, offer)
    const key = randomUUID()
    await pay(buyer, 'USD', key)
    const answer = await pay(buyer, 'RUB', key)
    expect([answer.status, answer.body.error.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED'])
  })
})

describe('races', () => {
  test('64 buyers at once for 20 codes: 20 sold, nobody else charged', async () => {
    const offer = await anOffer(shop, { stock: 20, priceUsd: 100 })
    const buyers = await Promise.all(Array.from({ length: 64 }, () => aUser(shop, { usd: 100 })))
    await Promise.all(buyers.map((buyer) => add(buyer, offer)))
    const answers = await Promise.all(buyers.map((buyer) => pay(buyer, 'USD', randomUUID())))
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(20)
    expect(answers.filter((answer) => answer.body.error?.code === 'OUT_OF_STOCK')).toHaveLength(44)

    const balances = await Promise.all(buyers.map(readBalance))
    expect(balances.filter((balance) => balance.usd === 0)).toHaveLength(20)
    const codes = await shop.database.one<{ sold: number; kept: number }>(sql`
      SELECT (SELECT count(*)::int FROM code_sale JOIN code ON code.id = code_id WHERE offer_id = ${offer.id}) AS sold,
        (SELECT count(*)::int FROM code WHERE offer_id = ${offer.id} AND status = 'available') AS kept`)
    expect(codes).toEqual({ sold: 20, kept: 0 })
  })

  test('one wallet spent from 32 sides at once never goes below zero', async () => {
    const offer = await anOffer(shop, { stock: 40, priceUsd: 100 })
    const buyer = await aUser(shop, { usd: 300 })
    const rounds = await Promise.all(
      Array.from({ length: 32 }, async () => {
        await add(buyer, offer)
        return pay(buyer, 'USD', randomUUID())
      }),
    )
    expect(rounds.every((answer) => [201, 402, 409].includes(answer.status))).toBe(true)
    const { usd } = await readBalance(buyer)
    const { sold } = await shop.database.one<{ sold: number }>(
      sql`SELECT count(*)::int AS sold FROM code_sale JOIN code ON code.id = code_id WHERE offer_id = ${offer.id}`,
    )
    expect(usd).toBe(3 - sold)
    expect(usd).toBeGreaterThanOrEqual(0)
  })
})
