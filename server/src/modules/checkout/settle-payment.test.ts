import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  aCardOrder,
  act,
  type CardOrder,
  fillCart,
  openedBy,
  passTime,
  payFromBalance,
  pressPay,
  readAlerts,
  readState,
  sendWebhook,
  tell,
  toWebhook,
  useCardShop,
  type WebhookFields,
} from '../../../test/card-orders.ts'
import { anOffer, aUser } from '../../../test/factories.ts'
import { sql } from '../../platform/database/queries.ts'
import { expireOverdueOrders } from './expire-order.ts'

const shop = useCardShop()

const expire = async (order: CardOrder) => {
  await passTime(shop, order.orderId)
  await expireOverdueOrders(shop.database)
}
const sellOut = (order: CardOrder) =>
  shop.database.run(
    sql`UPDATE code SET status = 'archived' WHERE offer_id = ${order.offer.id} AND status = 'available'`,
  )

const delivered = { status: 'completed', codes: 1, usd: 0, reserved: 0 }
const returned = { status: 'expired', codes: 0, usd: 1, reserved: 0 }

type Step = WebhookFields | ((order: CardOrder) => Promise<unknown>)
const paid: WebhookFields = { status: 'succeeded' }
const declined: WebhookFields = { status: 'canceled' }
const pending: WebhookFields = { status: 'pending' }

describe('whatever comes in whatever order', () => {
  test.each<[string, Step[], object, string[]]>([
    ['paid in time', [paid], delivered, []],
    ['pending, then paid', [pending, paid, pending], delivered, []],
    ['paid, told again under another id', [paid, paid], delivered, []],
    ['declined', [declined], { status: 'awaiting_payment', codes: 0, usd: 0, reserved: 1 }, []],
    ['declined, and its time is over', [declined, expire], { status: 'expired', codes: 0, usd: 0, reserved: 0 }, []],
    ['declined, but paid all the same', [declined, paid], delivered, []],
    ['paid, then declined: the operator', [paid, declined], delivered, ['payment.canceled_after_success']],
    ['paid after its time, with codes left', [expire, paid], delivered, []],
    ['paid after its time, sold out', [expire, sellOut, paid], returned, ['payment.out_of_stock']],
    ['paid and past its time, but not yet expired', [(order) => passTime(shop, order.orderId), paid], delivered, []],
    [
      'too little',
      [{ amount: 99 }],
      { status: 'awaiting_payment', codes: 0, usd: 0.99, reserved: 1 },
      ['payment.wrong_amount'],
    ],
    [
      'too much',
      [{ amount: 101 }],
      { status: 'awaiting_payment', codes: 0, usd: 1.01, reserved: 1 },
      ['payment.wrong_amount'],
    ],
    [
      'another currency',
      [{ currency: 'RUB' }],
      { status: 'awaiting_payment', codes: 0, usd: 0 },
      ['payment.wrong_amount'],
    ],
    [
      'a currency no wallet has',
      [{ currency: 'EUR' }],
      { status: 'awaiting_payment', codes: 0, usd: 0 },
      ['payment.wrong_currency'],
    ],
    [
      'an amount of nothing',
      [{ amount: 0 }],
      { status: 'awaiting_payment', codes: 0, usd: 0 },
      ['payment.wrong_currency'],
    ],
    ['charged twice', [paid, { paymentId: randomUUID() }], { ...delivered, usd: 1 }, ['payment.paid_before']],
    [
      'charged twice, the second told three times',
      [
        { paymentId: '11111111-1111-4111-8111-111111111111' },
        paid,
        { paymentId: '11111111-1111-4111-8111-111111111111' },
      ],
      { ...delivered, usd: 1 },
      ['payment.paid_before'],
    ],
  ])('%s', async (_what, steps, expected, alerts) => {
    const order = await aCardOrder(shop)
    for (const step of steps) {
      if (typeof step === 'function') await step(order)
      else expect((await tell(shop, order, step)).statusCode).toBe(200)
    }
    expect(await readState(shop, order)).toMatchObject(expected)
    expect(await readAlerts(shop, order.orderId)).toEqual(alerts)
  })

  test('what went to the wallet stands in its history, with the order it was for', async () => {
    const order = await aCardOrder(shop)
    await expire(order)
    await sellOut(order)
    await tell(shop, order)
    const { body } = await shop.call('GET', '/balance/history', { token: order.buyer.token })
    expect(body.data).toMatchObject([{ kind: 'card', amount: 1, balance_after: 1, order_id: order.orderId }])
    const receipt = await shop.call('GET', `/orders/${order.orderId}`, { token: order.buyer.token })
    expect(receipt.body.payment).toMatchObject({ status: 'succeeded', settled_to: 'wallet' })
  })

  test('of a notice that is quicker than the answer to our own call', async () => {
    const order = await aCardOrder(shop)
    await shop.database.run(sql`
      UPDATE payment SET status = 'opening', provider_payment_id = NULL, pay_url = NULL WHERE order_id = ${order.orderId}`)
    await tell(shop, order)
    expect(await readState(shop, order)).toMatchObject(delivered)
  })

  test('a payment nobody knows is for the operator', async () => {
    const order = await aCardOrder(shop)
    const stranger = { paymentId: randomUUID(), key: randomUUID() }
    expect((await tell(shop, order, stranger)).statusCode).toBe(200)
    const { kind } = await shop.database.one<{ kind: string }>(
      sql`SELECT kind FROM alert WHERE subject = ${`sandbox:${stranger.paymentId}`}`,
    )
    expect(kind).toBe('payment.unknown')
    expect(await readState(shop, order)).toMatchObject({ status: 'awaiting_payment' })
  })

  test('a code that broke while it was held is replaced, and without another one the money goes to the wallet', async () => {
    const [first, second] = [await aCardOrder(shop, { stock: 2 }), await aCardOrder(shop)]
    for (const { orderId } of [first, second]) {
      await shop.database.run(sql`
        WITH gone AS (DELETE FROM code_hold USING order_item WHERE order_item.id = order_item_id
          AND order_id = ${orderId} RETURNING code_id)
        UPDATE code SET status = 'error' FROM gone WHERE code.id = gone.code_id`)
    }
    await tell(shop, first)
    await tell(shop, second)
    expect(await readState(shop, first)).toMatchObject(delivered)
    expect(await readState(shop, second)).toMatchObject(returned)
  })
})

describe('the cart', () => {
  test('is emptied by the payment it was for, and left alone once it changed', async () => {
    const order = await aCardOrder(shop, { stock: 3 })
    await fillCart(shop, order.buyer, order.offer)
    await tell(shop, order)
    expect((await readState(shop, order)).status).toBe('completed')
    expect((await shop.call('GET', '/cart/count', { token: order.buyer.token })).body.count).toBe(2)
  })
})

describe('races', () => {
  test('32 deliveries of one event, and 32 events of one payment, at once: one delivery', async () => {
    const order = await aCardOrder(shop, { stock: 40 })
    const same = toWebhook(order)
    const answers = await Promise.all([
      ...Array.from({ length: 32 }, () => sendWebhook(shop, same)),
      ...Array.from({ length: 32 }, () => tell(shop, order)),
    ])
    expect(answers.every((answer) => answer.statusCode === 200)).toBe(true)
    expect(await readState(shop, order)).toEqual({ ...delivered, available: 39 })
    const { moved } = await shop.database.one<{ moved: number }>(
      sql`SELECT count(*)::int AS moved FROM transfer WHERE order_id = ${order.orderId}`,
    )
    expect(moved).toBe(1)
  })

  test('30 payments, each paid, declined, pending and charged twice, shuffled and all at once', async () => {
    const orders = await Promise.all(Array.from({ length: 30 }, () => aCardOrder(shop)))
    const webhooks = orders.flatMap((order) => {
      const second = { paymentId: randomUUID() }
      const told = [paid, paid, pending, declined, second, second]
      return told.map((words) => toWebhook(order, words))
    })
    const shuffled = webhooks.map((webhook) => ({ webhook, at: Math.random() })).sort((a, b) => a.at - b.at)
    const answers = await Promise.all(shuffled.map(({ webhook }) => sendWebhook(shop, webhook)))
    expect(answers.filter((answer) => answer.statusCode !== 200)).toEqual([])
    for (const order of orders) expect(await readState(shop, order)).toMatchObject({ ...delivered, usd: 1 })
  })

  test('24 late payments for 8 codes: 8 are delivered, 16 have their money in the wallet', async () => {
    const offer = await anOffer(shop, { stock: 24 })
    const orders = await Promise.all(Array.from({ length: 24 }, () => aCardOrder(shop, { offer })))
    for (const order of orders) await passTime(shop, order.orderId)
    expect(await expireOverdueOrders(shop.database)).toBeGreaterThanOrEqual(24)
    await shop.database.run(sql`
      UPDATE code SET status = 'archived' WHERE id IN (SELECT id FROM code WHERE offer_id = ${offer.id} LIMIT 16)`)
    await Promise.all(orders.map((order) => tell(shop, order)))
    const stands = await Promise.all(orders.map((order) => readState(shop, order)))
    expect(stands.filter((stand) => stand.status === 'completed' && stand.codes === 1 && stand.usd === 0)).toHaveLength(
      8,
    )
    expect(stands.filter((stand) => stand.status === 'expired' && stand.codes === 0 && stand.usd === 1)).toHaveLength(
      16,
    )
  })

  test('a payment against the customer who pays the same cart from the balance', async () => {
    const orders = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const offer = await anOffer(shop, { stock: 2 })
        const buyer = await aUser(shop, { usd: 100 })
        await fillCart(shop, buyer, offer)
        return { buyer, offer, amount: 100, ...(await openedBy(shop, await pressPay(shop, buyer, 100))) }
      }),
    )
    await Promise.all(orders.flatMap((order) => [tell(shop, order), payFromBalance(shop, order.buyer)]))
    for (const order of orders) {
      const stand = await readState(shop, order)
      // One code was bought for one price, whichever way it went.
      expect({ usd: stand.usd, available: stand.available, reserved: stand.reserved }).toEqual({
        usd: 1,
        available: 1,
        reserved: 0,
      })
    }
  })
})

describe('the sandbox', () => {
  test('pays twice: the second is in the wallet', async () => {
    const order = await aCardOrder(shop)
    await act(shop, order, 'pay_twice')
    expect(await readState(shop, order)).toMatchObject({ ...delivered, usd: 1 })
  })

  test('pays late: the order was over, and has its codes all the same', async () => {
    const order = await aCardOrder(shop)
    await act(shop, order, 'pay_late')
    expect(await readState(shop, order)).toMatchObject(delivered)
    const { became } = await shop.database.one<{ became: string[] }>(sql`
      SELECT array_agg(became ORDER BY id) AS became FROM status_change
      WHERE order_id = ${order.orderId} AND order_item_id IS NULL`)
    expect(became).toEqual(['expired', 'completed'])
  })
})
