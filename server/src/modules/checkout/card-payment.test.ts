import { randomUUID } from 'node:crypto'
import { firstNumbers } from '@olmos/contract/shop-numbers'
import { describe, expect, test } from 'vitest'
import {
  aCardOrder,
  act,
  fillCart,
  openedBy,
  passTime,
  payFromBalance,
  pressPay,
  readState,
  useCardShop,
} from '../../../test/card-orders.ts'
import { anOffer, aUser } from '../../../test/factories.ts'
import { sql } from '../../platform/database/queries.ts'

const shop = useCardShop()

const orderCount = async (userId: number) => {
  const { count } = await shop.database.one<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM orders WHERE user_id = ${userId}`,
  )
  return count
}
const readCart = async (token: string) => (await shop.call('GET', '/cart', { token })).body.data

describe('paying the cart by card', () => {
  test('reserves the codes, opens a page, delivers when it is paid, and empties the cart', async () => {
    const order = await aCardOrder(shop, { quantity: 2, stock: 3, priceUsd: 250 })
    expect(order.payUrl).toBe(`http://localhost:3000/sandbox/pay/${order.paymentId}`)
    expect(await readState(shop, order)).toEqual({
      status: 'awaiting_payment',
      codes: 0,
      usd: 0,
      available: 1,
      reserved: 2,
    })
    expect(await readCart(order.buyer.token)).toHaveLength(1)
    const waiting = await shop.call('GET', `/orders/${order.orderId}`, { token: order.buyer.token })
    expect(waiting.body.payment).toMatchObject({ status: 'open', pay_url: order.payUrl, settled_to: null })
    expect(waiting.body.items[0]).toMatchObject({ status: 'awaiting_payment', code: null })

    expect((await act(shop, order, 'pay')).body.status).toBe('succeeded')
    expect(await readState(shop, order)).toEqual({ status: 'completed', codes: 2, usd: 0, available: 1, reserved: 0 })
    expect(await readCart(order.buyer.token)).toEqual([])
    const receipt = await shop.call('GET', `/orders/${order.orderId}`, { token: order.buyer.token })
    expect(receipt.body.payment).toEqual({
      status: 'succeeded',
      pay_url: null,
      expires_at: null,
      settled_to: 'order',
      is_paid_twice: false,
    })
    expect(receipt.body.items[0].status).toBe('delivered')
  })

  test('the sandbox page shows what is to be paid, and is decided once', async () => {
    const order = await aCardOrder(shop, { priceUsd: 1_234 })
    const page = await shop.call('GET', `/sandbox/payments/${order.paymentId}`)
    expect(page.body).toMatchObject({
      order_id: order.orderId,
      amount: 12.34,
      currency: 'USD',
      status: 'pending',
      return_url: `http://localhost:3000/orders/${order.orderId}`,
    })
    await act(shop, order, 'decline')
    expect((await act(shop, order, 'pay')).body.error).toMatchObject({ code: 'STATE_CONFLICT' })
    expect((await shop.call('GET', `/sandbox/payments/${randomUUID()}`)).status).toBe(404)
  })

  test('an order whose payment was declined says so in every list, until it is tried again', async () => {
    const order = await aCardOrder(shop)
    const admin = await aUser(shop, { role: 'admin' })
    const declinedIn = async () => {
      const answers = await Promise.all([
        shop.call('GET', '/orders', { token: order.buyer.token }),
        shop.call('GET', `/orders/${order.orderId}`, { token: order.buyer.token }),
        shop.call('GET', `/admin/orders?search=${order.orderId}`, { token: admin.token }),
        shop.call('GET', `/admin/orders/${order.orderId}`, { token: admin.token }),
      ])
      const [listed, receipt, row, read] = answers.map(({ body }) => body)
      return [listed.orders[0], receipt, row.data[0], read.data].map(({ is_declined }) => is_declined)
    }
    expect(await declinedIn()).toEqual([false, false, false, false])
    await act(shop, order, 'decline')
    expect(await declinedIn()).toEqual([true, true, true, true])
    expect((await pressPay(shop, order.buyer, order.amount)).status).toBe(201)
    expect(await declinedIn()).toEqual([false, false, false, false])
  })

  test.each([
    ['an empty cart', 100, 'CART_EMPTY'],
    ['no amount', -1, 'VALIDATION_FAILED'],
  ])('%s is refused', async (_what, amount, code) => {
    const buyer = await aUser(shop)
    expect((await pressPay(shop, buyer, amount)).body.error.code).toBe(code)
  })

  test('another total than the one in force is PRICE_CHANGED, with the right one, and holds nothing', async () => {
    const offer = await anOffer(shop, { stock: 1, priceUsd: 300 })
    const buyer = await aUser(shop)
    await fillCart(shop, buyer, offer)
    const refused = await pressPay(shop, buyer, 299)
    expect(refused.body.error).toMatchObject({ code: 'PRICE_CHANGED', details: { total: 3, currency: 'USD' } })
    expect(await orderCount(buyer.id)).toBe(0)
    await shop.database.run(sql`UPDATE offer SET price_usd = 400 WHERE id = ${offer.id}`)
    expect((await pressPay(shop, buyer, 300)).body.error).toMatchObject({ code: 'PRICE_CHANGED' })
    await readCart(buyer.token)
    expect((await pressPay(shop, buyer, 400)).status).toBe(201)
  })
})

describe('pressing again', () => {
  test('the same cart is the same open payment', async () => {
    const order = await aCardOrder(shop)
    const again = await pressPay(shop, order.buyer, order.amount, { key: randomUUID() })
    expect(again.body).toEqual({ pay_url: order.payUrl, order_id: order.orderId })
    expect(await orderCount(order.buyer.id)).toBe(1)
  })

  test('twenty presses at once, under one key or many, are one order and one answer', async () => {
    const offer = await anOffer(shop, { stock: 50 })
    const buyer = await aUser(shop)
    await fillCart(shop, buyer, offer, 2)
    const shared = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => pressPay(shop, buyer, 200, { key: index % 2 ? shared : randomUUID() })),
    )
    expect([...new Set(answers.map((answer) => answer.text))]).toEqual([answers[0]?.text])
    expect(answers[0]?.status).toBe(201)
    expect(await orderCount(buyer.id)).toBe(1)
  })

  test('one key with another body is refused, and after the cart changed still gives the first answer', async () => {
    const order = await aCardOrder(shop, { stock: 3 })
    const key = randomUUID()
    const first = await pressPay(shop, order.buyer, order.amount, { key })
    expect((await pressPay(shop, order.buyer, order.amount + 100, { key })).body.error.code).toBe(
      'IDEMPOTENCY_KEY_REUSED',
    )
    await fillCart(shop, order.buyer, order.offer)
    expect((await pressPay(shop, order.buyer, order.amount, { key })).text).toBe(first.text)
  })

  test('a press that died half way is finished by the next under its key, even when the cart changed meanwhile', async () => {
    const offer = await anOffer(shop, { stock: 3 })
    const buyer = await aUser(shop)
    await fillCart(shop, buyer, offer)
    const key = randomUUID()
    const first = await pressPay(shop, buyer, 100, { key })
    // As a process leaves it that is killed while it asks the provider.
    await shop.database.run(sql`UPDATE idempotent_call SET status = NULL, answer = NULL WHERE key = ${key}`)
    await shop.database.run(sql`
      UPDATE payment SET status = 'opening', provider_payment_id = NULL, pay_url = NULL, attempt_until = now()
      WHERE order_id = ${first.body.order_id}`)
    await fillCart(shop, buyer, offer)
    const again = await pressPay(shop, buyer, 100, { key })
    expect(again.text).toBe(first.text)
    expect(await orderCount(buyer.id)).toBe(1)
  })

  test('a declined payment is tried again for the same order, with its full time', async () => {
    const order = await aCardOrder(shop)
    await shop.database.run(sql`UPDATE orders SET expires_at = now() + interval '1 minute' WHERE id = ${order.orderId}`)
    await act(shop, order, 'decline')
    const declined = await shop.call('GET', `/orders/${order.orderId}`, { token: order.buyer.token })
    expect(declined.body).toMatchObject({ status: 'awaiting_payment', payment: { status: 'canceled', pay_url: null } })
    const second = { ...order, ...(await openedBy(shop, await pressPay(shop, order.buyer, order.amount))) }
    expect(second.orderId).toBe(order.orderId)
    expect(second.paymentId).not.toBe(order.paymentId)
    const { minutes } = await shop.database.one<{ minutes: number }>(sql`
      SELECT extract(epoch FROM expires_at - now())::int / 60 AS minutes FROM orders WHERE id = ${order.orderId}`)
    expect(minutes).toBeGreaterThanOrEqual(firstNumbers.reservation_minutes - 2)
    await act(shop, second, 'pay')
    expect(await readState(shop, order)).toMatchObject({ status: 'completed', codes: 1 })
  })

  test('of a paid order leads to its receipt', async () => {
    const order = await aCardOrder(shop)
    await act(shop, order, 'pay')
    const again = await pressPay(shop, order.buyer, order.amount)
    expect(again.body).toEqual({ pay_url: `http://localhost:3000/orders/${order.orderId}`, order_id: order.orderId })
  })
})

describe('another order takes the place of an unpaid one', () => {
  test.each([
    [
      'a changed cart',
      async (order: Awaited<ReturnType<typeof aCardOrder>>) => {
        await fillCart(shop, order.buyer, order.offer)
        return pressPay(shop, order.buyer, order.amount * 2)
      },
    ],
    [
      'another currency',
      async (order: Awaited<ReturnType<typeof aCardOrder>>) =>
        pressPay(shop, order.buyer, order.offer.priceRub, { currency: 'RUB' }),
    ],
    [
      'the same cart after its time',
      async (order: Awaited<ReturnType<typeof aCardOrder>>) => {
        await passTime(shop, order.orderId)
        return pressPay(shop, order.buyer, order.amount)
      },
    ],
  ])('%s', async (_what, press) => {
    const order = await aCardOrder(shop, { stock: 3 })
    const opened = await press(order)
    expect(opened.status).toBe(201)
    expect(opened.body.order_id).not.toBe(order.orderId)
    expect(await readState(shop, order)).toMatchObject({ status: 'expired', reserved: 0 })
    const next = { ...order, ...(await openedBy(shop, opened)) }
    // A customer who pays at the old page as well has that money in the wallet.
    await act(shop, order, 'pay')
    await act(shop, next, 'pay')
    expect(await readState(shop, order)).toMatchObject({ status: 'expired', codes: 0, usd: order.amount / 100 })
    expect((await readState(shop, next)).status).toBe('completed')
  })

  test('paying from the balance, while the card page is still open', async () => {
    const order = await aCardOrder(shop, { stock: 1, priceUsd: 500 })
    const rich = { ...order, buyer: await aUser(shop, { usd: 500 }) }
    const offer = await anOffer(shop, { stock: 1, priceUsd: 500 })
    await fillCart(shop, rich.buyer, offer)
    const opened = await openedBy(shop, await pressPay(shop, rich.buyer, 500))
    const paid = await payFromBalance(shop, rich.buyer)
    expect(paid.body.order).toMatchObject({ status: 'completed' })
    expect(paid.body.order.id).not.toBe(opened.orderId)
    await act(shop, opened, 'pay')
    expect(await readState(shop, { ...rich, ...opened, offer })).toMatchObject({
      status: 'expired',
      usd: 5,
      available: 0,
    })
  })

  test('both ways at once: one of them has the codes, and the money of the other is in the wallet', async () => {
    const offer = await anOffer(shop, { stock: 40 })
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const buyer = await aUser(shop, { usd: 100 })
        await fillCart(shop, buyer, offer)
        const opened = await openedBy(shop, await pressPay(shop, buyer, 100))
        const [, balance] = await Promise.all([act(shop, opened, 'pay'), payFromBalance(shop, buyer)])
        expect(balance.status).toBe(201)
        const history = await shop.call('GET', '/balance/history', { token: buyer.token })
        const stand = await readState(shop, { ...opened, buyer, offer, amount: 100 })
        // Either the card was first and the balance press found its order, or the card came late for the old one.
        expect([stand.status, stand.usd]).toEqual(stand.status === 'completed' ? ['completed', 1] : ['expired', 1])
        expect(history.body.data.length).toBe(stand.status === 'completed' ? 1 : 3)
      }),
    )
  })
})

describe('what can be reserved', () => {
  /** Who has paid for an order before may hold more. */
  async function aRegular() {
    const buyer = await aUser(shop, { usd: 100 })
    await fillCart(shop, buyer, await anOffer(shop, { stock: 1 }))
    expect((await payFromBalance(shop, buyer)).status).toBe(201)
    return buyer
  }

  test('no more than a customer may hold', async () => {
    const offer = await anOffer(shop, { stock: firstNumbers.reserved_codes_per_user + 1 })
    const buyer = await aRegular()
    await fillCart(shop, buyer, offer, firstNumbers.reserved_codes_per_user + 1)
    const refused = await pressPay(shop, buyer, (firstNumbers.reserved_codes_per_user + 1) * 100)
    expect(refused.body.error).toMatchObject({
      code: 'STATE_CONFLICT',
      details: { reason: 'too_many_codes', limit: firstNumbers.reserved_codes_per_user },
    })
  })

  test('no more of an offer than all may hold, however many press at once', async () => {
    const each = firstNumbers.reserved_codes_per_user
    const buyers = firstNumbers.reserved_codes_per_offer / each + 5
    const offer = await anOffer(shop, { stock: 2 * (firstNumbers.reserved_codes_per_offer + 5 * each) })
    const answers = await Promise.all(
      Array.from({ length: buyers }, async () => {
        const buyer = await aRegular()
        await fillCart(shop, buyer, offer, each)
        return pressPay(shop, buyer, each * 100)
      }),
    )
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(firstNumbers.reserved_codes_per_offer / each)
    const refused = answers.filter((answer) => answer.body.error?.details?.reason === 'shelf_reserved')
    expect(refused).toHaveLength(5)
    expect(refused[0]?.body.error.details).toMatchObject({ offer_id: offer.id, requested: each, available_count: 0 })
    const { reserved } = await shop.database.one<{ reserved: number }>(
      sql`SELECT count(*)::int AS reserved FROM code WHERE offer_id = ${offer.id} AND status = 'reserved'`,
    )
    expect(reserved).toBe(firstNumbers.reserved_codes_per_offer)
    // What nobody holds is still for sale from the balance.
    const rich = await aUser(shop, { usd: 1_000_000 })
    await fillCart(shop, rich, offer, 100)
    expect((await payFromBalance(shop, rich)).status).toBe(201)
  })

  test('one short line refuses the whole cart and holds nothing', async () => {
    const [plenty, scarce] = [await anOffer(shop, { stock: 5 }), await anOffer(shop, { stock: 1 })]
    const buyer = await aUser(shop)
    await fillCart(shop, buyer, plenty, 2)
    await fillCart(shop, buyer, scarce)
    await shop.database.run(sql`UPDATE code SET status = 'archived' WHERE offer_id = ${scarce.id}`)
    const refused = await pressPay(shop, buyer, 300)
    expect(refused.body.error).toMatchObject({
      code: 'OUT_OF_STOCK',
      details: { offer_id: scarce.id, available_count: 0 },
    })
    expect(await orderCount(buyer.id)).toBe(0)
  })
})
