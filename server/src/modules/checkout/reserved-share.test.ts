import { firstNumbers } from '@olmos/contract/shop-numbers'
import { describe, expect, test } from 'vitest'
import { act, fillCart, openedBy, passTime, payFromBalance, pressPay, useCardShop } from '../../../test/card-orders.ts'
import { anOffer, aUser, type TestOffer, type TestUser } from '../../../test/factories.ts'
import { sql } from '../../platform/database/queries.ts'
import { expireOverdueOrders } from './expire-order.ts'

const shop = useCardShop()

/** Somebody who has paid for an order before. */
async function aRegular(): Promise<TestUser> {
  const user = await aUser(shop, { usd: 100 })
  await fillCart(shop, user, await anOffer(shop, { stock: 1 }))
  expect((await payFromBalance(shop, user)).status).toBe(201)
  return user
}

async function press(buyer: TestUser, offer: TestOffer, quantity = 1) {
  await fillCart(shop, buyer, offer, quantity)
  return pressPay(shop, buyer, quantity * offer.priceUsd)
}

const countStock = (offer: TestOffer) =>
  shop.database.one<{ available: number; reserved: number }>(sql`
    SELECT count(*) FILTER (WHERE status = 'available')::int AS available,
      count(*) FILTER (WHERE status = 'reserved')::int AS reserved
    FROM code WHERE offer_id = ${offer.id}`)

const readRefusal = ({ body }: { body: { error?: { code: string; details: Record<string, unknown> } } }) => body.error

describe('unpaid orders reserve half of what is on the shelf at most', () => {
  test.each([
    [1, 1],
    [2, 1],
    [3, 2],
    [4, 2],
    [7, 4],
    [20, 10],
  ])('of %i codes %i, though 24 customers press at the same moment', async (stock, most) => {
    const offer = await anOffer(shop, { stock })
    const buyers = await Promise.all(Array.from({ length: 24 }, () => aUser(shop)))
    for (const buyer of buyers) await fillCart(shop, buyer, offer)
    const answers = await Promise.all(buyers.map((buyer) => pressPay(shop, buyer, 100)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(most)
    expect(await countStock(offer)).toEqual({ available: stock - most, reserved: most })
    const refused = answers.flatMap((answer) => readRefusal(answer) ?? [])
    expect(new Set(refused.map(({ code }) => code))).toEqual(
      new Set([stock === most ? 'OUT_OF_STOCK' : 'STATE_CONFLICT']),
    )
  })

  test('whatever they take and give back all at once', async () => {
    const offer = await anOffer(shop, { stock: 30 })
    const regulars = await Promise.all(Array.from({ length: 24 }, aRegular))
    let most = 0
    let isOver = false
    const watch = (async () => {
      while (!isOver) most = Math.max(most, (await countStock(offer)).reserved)
    })()
    await Promise.all(
      regulars.map(async (buyer, index) => {
        for (let round = 0; round < 3; round++) {
          // Another cart takes the place of the order before, whose codes come back.
          const answer = await press(buyer, offer, 1 + ((index + round) % 4))
          if (answer.status === 201 && index % 3 === 0) {
            await passTime(shop, answer.body.order_id)
            await expireOverdueOrders(shop.database)
          }
          await shop.call('POST', '/cart/clear', { token: buyer.token, body: {} })
        }
      }),
    )
    isOver = true
    await watch
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThanOrEqual(15)
  })

  test('the refusal names the thing and how many can be had, and the balance buys what nobody reserved', async () => {
    const offer = await anOffer(shop, { stock: 10 })
    for (const quantity of [3, 1]) expect((await press(await aRegular(), offer, quantity)).status).toBe(201)
    const buyer = await aRegular()
    expect(readRefusal(await press(buyer, offer, 3))).toMatchObject({
      code: 'STATE_CONFLICT',
      details: {
        reason: 'shelf_reserved',
        offer_id: offer.id,
        product_title: expect.any(String),
        requested: 3,
        available_count: 1,
        minutes: firstNumbers.reservation_minutes,
      },
    })
    expect(await countStock(offer)).toEqual({ available: 6, reserved: 4 })

    const rich = await aUser(shop, { usd: 600 })
    await fillCart(shop, rich, offer, 6)
    expect((await payFromBalance(shop, rich)).status).toBe(201)
    expect(await countStock(offer)).toEqual({ available: 0, reserved: 4 })
  })

  test('more than there is on the shelf is out of stock, not reserved', async () => {
    const offer = await anOffer(shop, { stock: 4 })
    const buyer = await aRegular()
    await fillCart(shop, buyer, offer, 4)
    await shop.database.run(sql`
      UPDATE code SET status = 'archived' WHERE id = (SELECT min(id) FROM code WHERE offer_id = ${offer.id})`)
    expect(readRefusal(await pressPay(shop, buyer, 400))).toMatchObject({
      code: 'OUT_OF_STOCK',
      details: { available_count: 3 },
    })
  })

  test('a payment that comes is not held to it: who has paid gets all, though half of the shelf is reserved', async () => {
    const offer = await anOffer(shop, { stock: 4 })
    const buyer = await aRegular()
    const late = await openedBy(shop, await press(buyer, offer, 2))
    await passTime(shop, late.orderId)
    await expireOverdueOrders(shop.database)
    expect((await press(await aRegular(), offer, 2)).status).toBe(201)
    await act(shop, late, 'pay')
    const receipt = await shop.call('GET', `/orders/${late.orderId}`, { token: buyer.token })
    expect(receipt.body.status).toBe('completed')
  })
})

describe('who never paid for an order', () => {
  const few = firstNumbers.reserved_codes_per_new_user

  test('reserves a few codes at most, of all offers together, and is told so', async () => {
    const [offer, other] = [await anOffer(shop, { stock: 40 }), await anOffer(shop, { stock: 40 })]
    const buyer = await aUser(shop)
    expect((await press(buyer, offer, few)).status).toBe(201)
    await fillCart(shop, buyer, other)
    expect(readRefusal(await pressPay(shop, buyer, (few + 1) * 100))).toMatchObject({
      code: 'STATE_CONFLICT',
      details: { reason: 'too_many_codes', limit: few, requested: few + 1, is_new: true },
    })
  })

  test('has paid once the money is there, and what was left unpaid counts for nothing', async () => {
    const offer = await anOffer(shop, { stock: 60 })
    const buyer = await aUser(shop)
    const left = await openedBy(shop, await press(buyer, offer))
    await passTime(shop, left.orderId)
    await expireOverdueOrders(shop.database)
    await shop.call('POST', '/cart/clear', { token: buyer.token, body: {} })
    expect((await press(buyer, offer, few + 1)).status).toBe(409)
    await shop.call('POST', '/cart/clear', { token: buyer.token, body: {} })
    const paid = await openedBy(shop, await press(buyer, offer))
    await act(shop, paid, 'pay')
    expect((await press(buyer, offer, few + 1)).status).toBe(201)
  })

  test('buys from the balance whatever it pays for', async () => {
    const offer = await anOffer(shop, { stock: 10 })
    const buyer = await aUser(shop, { usd: 1_000 })
    await fillCart(shop, buyer, offer, 10)
    expect((await payFromBalance(shop, buyer)).status).toBe(201)
  })
})
