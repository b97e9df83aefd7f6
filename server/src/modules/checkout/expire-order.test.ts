import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import {
  aCardOrder,
  type CardOrder,
  fillCart,
  passTime,
  pressPay,
  readState,
  tell,
  useCardShop,
} from '../../../test/card-orders.ts'
import { anOffer, aUser, type TestOffer } from '../../../test/factories.ts'
import { raw, sql } from '../../platform/database/queries.ts'
import { expireOverdueOrders } from './expire-order.ts'

const shop = useCardShop()

describe('an order whose time is over', () => {
  test('gives its codes back, and one that has time left does not', async () => {
    const [over, other] = [await aCardOrder(shop), await aCardOrder(shop)]
    await passTime(shop, over.orderId)
    expect(await expireOverdueOrders(shop.database)).toBe(1)
    expect(await readState(shop, over)).toMatchObject({ status: 'expired', available: 1, reserved: 0 })
    expect(await readState(shop, other)).toMatchObject({ status: 'awaiting_payment', available: 0, reserved: 1 })
    const { body } = await shop.call('GET', `/orders/${over.orderId}`, { token: over.buyer.token })
    expect(body.items[0].status).toBe('expired')
    // The cart is as it was, to be paid again.
    expect((await shop.call('GET', '/cart/count', { token: over.buyer.token })).body.count).toBe(1)
  })

  test('is not paid by who repeats a press whose answer was lost: its key opens another pay page', async () => {
    const [buyer, offer] = [await aUser(shop), await anOffer(shop, { stock: 4 })]
    await fillCart(shop, buyer, offer)
    const press = () => pressPay(shop, buyer, offer.priceUsd, { key: 'lost-answer' })
    const first = await press()
    expect((await press()).body).toEqual(first.body)
    await passTime(shop, first.body.order_id)
    await expireOverdueOrders(shop.database)
    const [again, ...others] = await Promise.all(Array.from({ length: 8 }, press))
    expect(again?.status).toBe(201)
    expect(again?.body.order_id).not.toBe(first.body.order_id)
    for (const other of others) expect(other.body).toEqual(again?.body)
    const { count } = await shop.database.one<{ count: number }>(sql`
      SELECT count(*)::int FROM orders WHERE user_id = ${buyer.id} AND status = 'awaiting_payment'`)
    expect(count).toBe(1)
  })

  test('is left alone while its payment is being settled', async () => {
    const order = await aCardOrder(shop)
    await passTime(shop, order.orderId)
    await shop.database.transaction(async (tx) => {
      await tx.run(sql`SELECT FROM orders WHERE id = ${order.orderId} FOR UPDATE`)
      expect(await expireOverdueOrders(shop.database)).toBe(0)
    })
    expect(await expireOverdueOrders(shop.database)).toBe(1)
  })

  test('and can’t be ended keeps no other from ending, and fails the job', async () => {
    const orders = [await aCardOrder(shop), await aCardOrder(shop), await aCardOrder(shop)]
    for (const order of orders) await passTime(shop, order.orderId)
    const [broken, ...others] = orders as [CardOrder, CardOrder, CardOrder]
    await shop.database.run(
      sql`UPDATE orders SET expires_at = expires_at - interval '1 hour' WHERE id = ${broken.orderId}`,
    )
    await shop.database.run(sql`
      CREATE TRIGGER broken BEFORE UPDATE ON orders FOR EACH ROW WHEN (OLD.id = '${raw(broken.orderId)}')
      EXECUTE FUNCTION refuse_change()`)
    await expect(expireOverdueOrders(shop.database)).rejects.toThrow(broken.orderId)
    for (const order of others) expect(await readState(shop, order)).toMatchObject({ status: 'expired', available: 1 })
    expect(await readState(shop, broken)).toMatchObject({ status: 'awaiting_payment', reserved: 1 })
    await shop.database.run(sql`DROP TRIGGER broken ON orders`)
    expect(await expireOverdueOrders(shop.database)).toBe(1)
  })

  test('is ended once, by however many nodes at once', async () => {
    const orders = await Promise.all(Array.from({ length: 20 }, () => aCardOrder(shop)))
    await Promise.all(orders.map((order) => passTime(shop, order.orderId)))
    const ended = await Promise.all(Array.from({ length: 8 }, () => expireOverdueOrders(shop.database)))
    // Who finds only orders that others hold goes home, so what they held is ended all the same.
    expect(ended.reduce((sum, count) => sum + count)).toBe(20)
  })
})

describe('payments within 50 ms of the end', () => {
  const groups = 6
  const groupSize = 50
  const untilEndMs = 50

  const race = async (orders: CardOrder[], offer: TestOffer) => {
    const ids = orders.map((order) => order.orderId)
    await shop.database.run(sql`
      UPDATE orders SET expires_at = clock_timestamp() + make_interval(secs => ${untilEndMs / 1000})
      WHERE id = ANY (${ids})`)
    const clock = async () => {
      for (let round = 0; round < 12; round++) {
        await expireOverdueOrders(shop.database)
        // Somebody else is quick to take what comes back, so that not all who are late can have their codes.
        await shop.database.run(sql`
          UPDATE code SET status = 'archived' WHERE id IN (
            SELECT id FROM code WHERE offer_id = ${offer.id} AND status = 'available' LIMIT 1 FOR UPDATE SKIP LOCKED)`)
        await sleep(untilEndMs / 5)
      }
    }
    const payers = orders.map(async (order) => {
      await sleep(Math.random() * untilEndMs * 2)
      expect((await tell(shop, order)).statusCode).toBe(200)
    })
    await Promise.all([clock(), ...payers])
  }

  test(`${groups * groupSize} of them: each is delivered, or in the wallet, and never both or neither`, async () => {
    const stands: Awaited<ReturnType<typeof readState>>[] = []
    for (let group = 0; group < groups; group++) {
      const offer = await anOffer(shop, { stock: groupSize })
      const orders = await Promise.all(Array.from({ length: groupSize }, () => aCardOrder(shop, { offer })))
      await race(orders, offer)
      stands.push(...(await Promise.all(orders.map((order) => readState(shop, order)))))
    }
    const delivered = stands.filter((stand) => stand.status === 'completed' && stand.codes === 1 && stand.usd === 0)
    const returned = stands.filter((stand) => stand.status === 'expired' && stand.codes === 0 && stand.usd === 1)
    expect(delivered.length + returned.length).toBe(groups * groupSize)
    expect(delivered.length).toBeGreaterThan(0)
    expect(returned.length).toBeGreaterThan(0)
  }, 120_000)
})
