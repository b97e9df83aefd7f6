import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { act, expectSound, openedBy, passTime, readAlerts, startCardShop } from '../../../test/card-orders.ts'
import { anOffer, aUser, type TestUser, toCart } from '../../../test/factories.ts'
import type { TestShop } from '../../../test/shop.ts'
import {
  freefireTopup,
  orderTopup,
  pubgTopup,
  sellTopups,
  steamTopup,
  type TestTopupOffer,
  tenDollars,
  topupOffer,
} from '../../../test/topups.ts'
import { sql } from '../../platform/database/queries.ts'
import { newOrderId } from '../orders/place-order.ts'
import { expireOverdueOrders } from './expire-order.ts'

let shop: TestShop
let small: TestTopupOffer
beforeAll(async () => {
  shop = await startCardShop()
  await sellTopups(shop)
  small = await topupOffer(shop, 'pubg', 60)
})
afterAll(async () => {
  await expectSound(shop)
  await shop.close()
})

interface Press {
  amount?: number
  currency?: string
  key?: string
  confirmRepeat?: boolean
}

const pay = (user: TestUser, topupData: unknown, { amount = 10.3, currency = 'USD', key, confirmRepeat }: Press = {}) =>
  shop.call('POST', '/payment/create', {
    token: user.token,
    body: { amount, currency, type: 'order', topupData, ...(confirmRepeat && { confirmRepeat }) },
    headers: key ? { 'idempotency-key': key } : {},
  })

const opened = async (user: TestUser, topupData: unknown = steamTopup(tenDollars), press: Press = {}) => {
  const pressed = await pay(user, topupData, press)
  expect(pressed.text).toContain('pay_url')
  return openedBy(shop, pressed)
}

const expire = async (orderId: string) => {
  await passTime(shop, orderId)
  await expireOverdueOrders(shop.database)
}

const readState = async (user: TestUser, orderId: string) => {
  const [receipt, balance, { units }] = await Promise.all([
    shop.call('GET', `/orders/${orderId}`, { token: user.token }),
    shop.call('GET', '/balance', { token: user.token }),
    shop.database.one<{ units: number }>(sql`
      SELECT count(*)::int AS units FROM delivery JOIN order_item ON order_item.id = order_item_id
      WHERE order_id = ${orderId}`),
  ])
  return {
    status: receipt.body.status,
    items: receipt.body.items.map((item: { status: string }) => item.status),
    units,
    usd: balance.body.find((entry: { currency: string }) => entry.currency === 'usd').amount,
  }
}

const unpaid = { status: 'awaiting_payment', items: ['awaiting_payment'], units: 0, usd: 0 }
const onItsWay = { status: 'pending', items: ['pending'], units: 1, usd: 0 }
const expired = { status: 'expired', items: ['expired'], units: 0, usd: 0 }

describe('a top-up paid by card', () => {
  test('waits for the money, and then goes on its way', async () => {
    const buyer = await aUser(shop)
    const order = await opened(buyer)
    expect(await readState(buyer, order.orderId)).toEqual(unpaid)
    await act(shop, order, 'pay')
    expect(await readState(buyer, order.orderId)).toEqual(onItsWay)
    const receipt = await shop.call('GET', `/orders/${order.orderId}`, { token: buyer.token })
    expect(receipt.body).toMatchObject({ payment_method: 'card', total_amount: 10.3, payment: { settled_to: 'order' } })
    expect(receipt.body.items[0].topup_data).toMatchObject({ service: 'steam', login: 'gabe', currency: 'usd' })
  })

  test('leaves the cart alone', async () => {
    const buyer = await aUser(shop)
    const offer = await anOffer(shop, { stock: 1 })
    await shop.call('POST', '/cart/add', { token: buyer.token, body: toCart(offer) })
    await act(shop, await opened(buyer), 'pay')
    expect((await shop.call('GET', '/cart/count', { token: buyer.token })).body).toEqual({ count: 1 })
  })

  test('not paid in time is delivered nothing', async () => {
    const buyer = await aUser(shop)
    const { orderId } = await opened(buyer)
    await expire(orderId)
    expect(await readState(buyer, orderId)).toEqual(expired)
  })

  test('paid late goes on its way all the same', async () => {
    const buyer = await aUser(shop)
    const order = await opened(buyer)
    await expire(order.orderId)
    await act(shop, order, 'pay_late')
    expect(await readState(buyer, order.orderId)).toEqual(onItsWay)
  })

  test.each([
    ['an offer', sql`UPDATE offer SET is_active = NOT is_active WHERE game_amount = 60`],
    ['a product', sql`UPDATE product SET is_active = NOT is_active WHERE slug = 'pubg'`],
  ])('paid late for %s that is not sold any more is money in the wallet', async (_what, toggle) => {
    const buyer = await aUser(shop)
    const order = await opened(buyer, pubgTopup([[small, 1]]), { amount: 0.99 })
    await expire(order.orderId)
    await shop.database.run(toggle)
    await act(shop, order, 'pay_late')
    await shop.database.run(toggle)
    expect(await readState(buyer, order.orderId)).toEqual({ ...expired, usd: 0.99 })
    expect(await readAlerts(shop, order.orderId)).toEqual(['payment.not_on_sale'])
  })

  test('paid in time is delivered though the offer was switched off after it was ordered', async () => {
    const buyer = await aUser(shop)
    const order = await opened(buyer, pubgTopup([[small, 1]]), { amount: 0.99 })
    await shop.database.run(sql`UPDATE offer SET is_active = false WHERE id = ${small.id}`)
    await act(shop, order, 'pay')
    await shop.database.run(sql`UPDATE offer SET is_active = true WHERE id = ${small.id}`)
    expect(await readState(buyer, order.orderId)).toEqual(onItsWay)
  })

  test('another total than the price is refused, with the right one', async () => {
    const buyer = await aUser(shop)
    const refused = await pay(buyer, steamTopup(tenDollars), { amount: 10 })
    expect(refused.body.error).toMatchObject({ code: 'PRICE_CHANGED', details: { total: 10.3, currency: 'USD' } })
    const stranger = await pay(buyer, freefireTopup(await topupOffer(shop, 'freefire', 100), '5000000404'), {
      amount: 0.99,
    })
    expect(stranger.body.error.code).toBe('PLAYER_NOT_FOUND')
    expect((await shop.call('GET', '/orders', { token: buyer.token })).body.total).toBe(0)
  })
})

describe('pressed again', () => {
  test('is the same pay page, 16 times at once', async () => {
    const buyer = await aUser(shop)
    const pressed = await Promise.all(
      Array.from({ length: 16 }, () => pay(buyer, steamTopup(tenDollars), { key: randomUUID() })),
    )
    expect(new Set(pressed.map((answer) => answer.body.pay_url)).size).toBe(1)
    expect((await shop.call('GET', '/orders', { token: buyer.token })).body.total).toBe(1)
  })

  test('another order of it beside the first is refused by the database', async () => {
    const { orderId } = await opened(await aUser(shop))
    const again = shop.database.run(sql`
      INSERT INTO orders (id, user_id, topup_key, currency, total, status, payment_method, expires_at)
      SELECT ${newOrderId()}, user_id, topup_key, currency, total, status, payment_method, expires_at
      FROM orders WHERE id = ${orderId}`)
    await expect(again).rejects.toMatchObject({ constraint: 'topup_awaiting_payment' })
  })

  test('after a decline it is the same order, with another page', async () => {
    const buyer = await aUser(shop)
    const first = await opened(buyer)
    await act(shop, first, 'decline')
    const second = await opened(buyer)
    expect([second.orderId === first.orderId, second.payUrl === first.payUrl]).toEqual([true, false])
  })

  test('in another currency it takes the place of the first, whose money goes to the wallet', async () => {
    const buyer = await aUser(shop)
    const first = await opened(buyer)
    const second = await opened(buyer, steamTopup(tenDollars), { amount: 824, currency: 'RUB' })
    expect(second.orderId).not.toBe(first.orderId)
    await act(shop, first, 'pay_late')
    expect(await readState(buyer, first.orderId)).toEqual({ ...expired, usd: 10.3 })
    await act(shop, second, 'pay')
    expect((await readState(buyer, second.orderId)).units).toBe(1)
  })

  test('once it is paid, it is refused, unless it is meant', async () => {
    const buyer = await aUser(shop)
    await act(shop, await opened(buyer), 'pay')
    expect((await pay(buyer, steamTopup(tenDollars))).body.error.code).toBe('STATE_CONFLICT')
    expect((await pay(buyer, steamTopup(tenDollars), { confirmRepeat: true })).status).toBe(201)
  })

  test('long after the page was opened, but just after it was paid, it is refused too', async () => {
    const buyer = await aUser(shop, { usd: 2_060 })
    const order = await opened(buyer)
    await shop.database.run(sql`
      UPDATE orders SET created_at = created_at - interval '61 seconds' WHERE id = ${order.orderId}`)
    await act(shop, order, 'pay')
    expect((await orderTopup(shop, buyer, steamTopup(tenDollars))).body.error.code).toBe('STATE_CONFLICT')
    await shop.database.transaction(async (tx) => {
      await tx.run(sql`SET LOCAL session_replication_role = 'replica'`)
      await tx.run(sql`
        UPDATE status_change SET created_at = created_at - interval '61 seconds' WHERE order_id = ${order.orderId}`)
    })
    expect((await orderTopup(shop, buyer, steamTopup(tenDollars))).status).toBe(201)
  })

  test('paid from the balance instead, the card order is given up: nothing is delivered twice', async () => {
    const buyer = await aUser(shop, { usd: 1_030 })
    const byCard = await opened(buyer)
    const bought = await orderTopup(shop, buyer, steamTopup(tenDollars))
    expect(bought.status).toBe(201)
    await act(shop, byCard, 'pay_late')
    expect(await readState(buyer, byCard.orderId)).toEqual({ ...expired, usd: 10.3 })
    expect(await readState(buyer, bought.body.order.id)).toEqual({ ...onItsWay, usd: 10.3 })
  })

  test('by card and from the balance at once, it is bought once', async () => {
    const buyer = await aUser(shop, { usd: 100_000 })
    const order = await opened(buyer)
    await Promise.all([
      act(shop, order, 'pay'),
      ...Array.from({ length: 20 }, () => orderTopup(shop, buyer, steamTopup(tenDollars))),
    ])
    const delivered = await shop.database.rows(sql`
      SELECT orders.id FROM orders JOIN order_item ON order_id = orders.id JOIN delivery ON order_item_id = order_item.id
      WHERE user_id = ${buyer.id}`)
    const { taken } = await shop.database.one<{ taken: number }>(sql`
      SELECT count(*)::int AS taken FROM transfer JOIN account ON account.id = credit_account AND account.kind = 'sales'
      JOIN orders ON orders.id = order_id WHERE orders.user_id = ${buyer.id}`)
    expect(delivered).toHaveLength(1)
    expect(taken).toBe(1)
  })
})
