import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  aCardOrder,
  type CardOrder,
  expectSound,
  passMinutes,
  passTime,
  readAlerts,
  readState,
  setRate,
  startCardShop,
  tell,
} from '../../../test/card-orders.ts'
import { aUser } from '../../../test/factories.ts'
import type { TestShop } from '../../../test/shop.ts'
import { sql } from '../../platform/database/queries.ts'
import type { PaymentBooks, ProviderTransaction } from '../payments/provider.ts'
import { expireOverdueOrders } from './expire-order.ts'
import { createPaymentBooks } from './payment-books.ts'

let shop: TestShop
let books: PaymentBooks
beforeAll(async () => {
  shop = await startCardShop()
  await setRate(shop, 'UZS', 12_650.37)
  books = createPaymentBooks(shop.database, 'sandbox')
})
afterAll(async () => {
  await expectSound(shop)
  await shop.close()
})

/** One code at a dollar, for 12,650.37 soums, which are rounded up. */
const price = 1_265_100
const anOrder = () => aCardOrder(shop, { method: 'sandbox_soums' })
const at = new Date('2026-11-23T10:00:00.123Z')
const begin = (order: CardOrder, id: string = randomUUID(), amount = price) =>
  books.begin(order.orderId, { id, amount, at })
const begun = async (order: CardOrder): Promise<ProviderTransaction> => requireDone(await begin(order))
const requireDone = (answer: ProviderTransaction | { refused: string }): ProviderTransaction => {
  if ('refused' in answer) throw new Error(`refused: ${answer.refused}`)
  return answer
}
const performed = async (order: CardOrder) => requireDone(await books.perform((await begun(order)).id, new Date()))
const expire = async (order: CardOrder) => {
  await passTime(shop, order.orderId)
  await expireOverdueOrders(shop.database)
}
const twenty = <T>(work: (index: number) => Promise<T>) => Promise.all(Array.from({ length: 20 }, (_, i) => work(i)))
const readBooks = ({ orderId }: CardOrder) =>
  shop.database.rows<{ kind: string; amount: number }>(
    sql`SELECT kind, amount FROM transfer WHERE order_id = ${orderId} ORDER BY id`,
  )
const readReceipt = ({ orderId, buyer }: CardOrder) => shop.call('GET', `/orders/${orderId}`, { token: buyer.token })

describe('the way of a payment', () => {
  test('checked, begun, performed, each as often as one likes', async () => {
    const order = await anOrder()
    expect(await books.check(order.orderId.toLowerCase(), price)).toBe('payable')
    const first = await begun(order)
    expect(first).toMatchObject({ account: order.orderId, amount: price, state: 'begun', at, canceledAt: undefined })
    expect(await begin(order, first.id)).toEqual(first)
    expect(await books.find(first.id)).toEqual(first)
    const done = requireDone(await books.perform(first.id, new Date()))
    expect(done).toMatchObject({ ...first, state: 'performed', performedAt: expect.any(Date) })
    expect(await books.perform(first.id, new Date(0))).toEqual(done)
    expect(await books.find(first.id)).toEqual(done)
    expect(await readBooks(order)).toEqual([{ kind: 'card', amount: 100 }])
    expect(await readState(shop, order)).toMatchObject({ status: 'completed', codes: 1 })
    expect(await books.check(order.orderId, price)).toEqual({ refused: 'already_paid' })
    expect(await begin(order)).toEqual({ refused: 'already_paid' })
  })

  test('begun, it keeps the codes for half an hour in all', async () => {
    const order = await anOrder()
    await begun(order)
    const { minutes } = await shop.database.one<{ minutes: number }>(sql`
      SELECT extract(epoch FROM expires_at - created_at)::int / 60 AS minutes FROM orders WHERE id = ${order.orderId}`)
    expect(minutes).toBe(30)
  })

  test.each([
    ['an order nobody knows', 'ABCDEF1234', price, 'unknown_account'],
    ['rubbish', "'; DROP TABLE orders", price, 'unknown_account'],
    ['a tiyin too little', undefined, price - 1, 'wrong_amount'],
    ['a tiyin too much', undefined, price + 1, 'wrong_amount'],
    ['the price in dollars', undefined, 100, 'wrong_amount'],
  ])('%s is refused', async (_what, account, amount, refused) => {
    const { orderId } = await anOrder()
    expect(await books.check(account ?? orderId, amount)).toEqual({ refused })
    expect(await books.begin(account ?? orderId, { id: randomUUID(), amount, at })).toEqual({ refused })
  })

  test('what was not begun can be neither performed nor canceled nor found', async () => {
    expect(await books.perform('nothing', new Date())).toEqual({ refused: 'unknown_transaction' })
    expect(await books.cancel('nothing', '3', new Date())).toEqual({ refused: 'unknown_transaction' })
    expect(await books.find('nothing')).toBeUndefined()
  })

  test('another provider knows nothing of the order', async () => {
    const order = await anOrder()
    const { id } = await begun(order)
    const others = createPaymentBooks(shop.database, 'stripe')
    expect(await others.check(order.orderId, price)).toEqual({ refused: 'unknown_account' })
    expect(await others.find(id)).toBeUndefined()
  })

  test('an id that was used for another order, or another amount, is not taken', async () => {
    const [order, other] = [await anOrder(), await anOrder()]
    const { id } = await begun(order)
    expect(await begin(other, id)).toEqual({ refused: 'unknown_account' })
    expect(await begin(order, id, price + 100)).toEqual({ refused: 'wrong_amount' })
  })

  test('a second transaction waits until the first was canceled', async () => {
    const order = await anOrder()
    const first = await begun(order)
    expect(await books.check(order.orderId, price)).toEqual({ refused: 'other_pending' })
    expect(await begin(order)).toEqual({ refused: 'other_pending' })
    const canceled = requireDone(await books.cancel(first.id, '3', new Date()))
    expect(canceled).toMatchObject({ state: 'canceled', reason: '3', performedAt: undefined })
    expect(await books.cancel(first.id, '5', new Date(0))).toEqual(canceled)
    expect(await books.perform(first.id, new Date())).toEqual({ refused: 'state' })
    expect(await begin(order, first.id)).toEqual(canceled)
    expect(await performed(order)).toMatchObject({ state: 'performed' })
    expect(await readState(shop, order)).toMatchObject({ status: 'completed', codes: 1 })
  })

  test('the statement has what was begun in the span, both ends included, the oldest first', async () => {
    const own = createPaymentBooks(shop.database, 'sandbox')
    const [early, late] = [new Date('2031-01-01T00:00:00.001Z'), new Date('2031-01-02T00:00:00.999Z')]
    const ids = []
    for (const moment of [late, early]) {
      const order = await anOrder()
      const transaction = { id: randomUUID(), amount: price, at: moment }
      ids.unshift(requireDone(await own.begin(order.orderId, transaction)).id)
    }
    const list = async (from: Date, to: Date) => (await own.list(from, to)).map(({ id }) => id)
    expect(await list(early, late)).toEqual(ids)
    expect(await list(early, new Date(late.getTime() - 1))).toEqual(ids.slice(0, 1))
    expect(await list(new Date(early.getTime() + 1), late)).toEqual(ids.slice(1))
  })
})

describe('late money', () => {
  test('performed after the order expired, it buys what is still on sale', async () => {
    const order = await anOrder()
    const { id } = await begun(order)
    await expire(order)
    expect(await books.check(order.orderId, price)).toEqual({ refused: 'not_payable' })
    expect(await begin(order)).toEqual({ refused: 'not_payable' })
    expect(await books.perform(id, new Date())).toMatchObject({ state: 'performed' })
    expect(await readState(shop, order)).toMatchObject({ status: 'completed', codes: 1 })
  })

  test('without stock it goes to the wallet, and cancels from there as long as it is there', async () => {
    const order = await anOrder()
    const { id } = await begun(order)
    await expire(order)
    await shop.database.run(sql`UPDATE code SET status = 'archived' WHERE offer_id = ${order.offer.id}`)
    await books.perform(id, new Date())
    expect(await readState(shop, order)).toMatchObject({ status: 'expired', usd: 1 })
    expect(await books.cancel(id, '5', new Date())).toMatchObject({ state: 'reversed', reason: '5' })
    expect(await readState(shop, order)).toMatchObject({ status: 'expired', usd: 0 })
    expect(await readAlerts(shop, order.orderId)).toEqual(['payment.out_of_stock', 'refund.outside'])
  })

  test('an order that waited for half an hour is not begun any more', async () => {
    const order = await anOrder()
    await passMinutes(shop, order.orderId, 31)
    await shop.database.run(sql`UPDATE orders SET expires_at = now() + interval '1 hour' WHERE id = ${order.orderId}`)
    expect(await begin(order)).toEqual({ refused: 'not_payable' })
    await expire(order)
  })

  test('a blocked buyer begins nothing', async () => {
    const order = await anOrder()
    await shop.database.run(sql`UPDATE users SET blocked_at = now() WHERE id = ${order.buyer.id}`)
    expect(await begin(order)).toEqual({ refused: 'not_payable' })
    await shop.database.run(sql`UPDATE users SET blocked_at = NULL WHERE id = ${order.buyer.id}`)
  })
})

describe('canceled after somebody confirmed it by hand', () => {
  test('the order stays paid, and the operator is told once', async () => {
    const order = await anOrder()
    const { id } = await begun(order)
    const admin = await aUser(shop, { role: 'admin' })
    const payment = await shop.database.one<{ id: number }>(
      sql`SELECT id FROM payment WHERE order_id = ${order.orderId}`,
    )
    const body = { reason: 'seen at the bank' }
    await shop.call('POST', `/admin/payments/${payment.id}/confirm`, { token: admin.token, body })
    const canceled = requireDone(await books.cancel(id, '4', new Date(), { onlyBegun: true }))
    expect(canceled).toMatchObject({ state: 'canceled', reason: '4' })
    expect(await books.cancel(id, '4', new Date(0))).toEqual(canceled)
    expect(await readState(shop, order)).toMatchObject({ status: 'completed', codes: 1 })
    expect(await readAlerts(shop, order.orderId)).toEqual(['payment.canceled_after_success'])
    expect(await readBooks(order)).toEqual([{ kind: 'card', amount: 100 }])
  })
})

describe('canceled after it was performed', () => {
  test('unseen codes go back, and the order is refunded by the provider', async () => {
    const order = await anOrder()
    const { id } = await performed(order)
    const reversed = requireDone(await books.cancel(id, '5', new Date()))
    expect(reversed).toMatchObject({ state: 'reversed', reason: '5', performedAt: expect.any(Date) })
    expect(await books.cancel(id, '4', new Date(0))).toEqual(reversed)
    expect(await books.perform(id, new Date())).toEqual({ refused: 'state' })
    expect(await readState(shop, order)).toMatchObject({ status: 'refunded', codes: 0, available: 1, usd: 0 })
    expect(await readBooks(order)).toEqual([
      { kind: 'card', amount: 100 },
      { kind: 'payout', amount: 100 },
    ])
  })

  test('where only what was begun may be canceled, it stays performed', async () => {
    const order = await anOrder()
    const { id } = await performed(order)
    expect(await books.cancel(id, '-5017', new Date(), { onlyBegun: true })).toEqual({ refused: 'state' })
    expect(await books.find(id)).toMatchObject({ state: 'performed' })
    expect(await readState(shop, order)).toMatchObject({ status: 'completed', codes: 1 })
  })

  test('a code that was seen stays sold', async () => {
    const order = await anOrder()
    const done = await performed(order)
    await readReceipt(order)
    expect(await books.cancel(done.id, '5', new Date())).toEqual({ refused: 'delivered' })
    expect(await books.find(done.id)).toEqual(done)
    expect(await readState(shop, order)).toMatchObject({ status: 'completed', codes: 1 })
  })

  test('money that was refunded to the wallet is not given back once more', async () => {
    const order = await anOrder()
    const { id } = await performed(order)
    const admin = await aUser(shop, { role: 'admin' })
    const body = { reason: 'a test', to: 'wallet' }
    await shop.call('POST', `/admin/orders/${order.orderId}/refund`, { token: admin.token, body })
    expect(await books.cancel(id, '5', new Date())).toEqual({ refused: 'delivered' })
    expect(await readState(shop, order)).toMatchObject({ status: 'refunded', usd: 1 })
  })

  test('a refund to the card at such a provider is made in its cabinet', async () => {
    const order = await anOrder()
    await performed(order)
    const admin = await aUser(shop, { role: 'admin' })
    const [sandbox] = shop.providers.configured
    if (!sandbox) throw new Error('no sandbox')
    const { refund } = sandbox
    Object.assign(sandbox, { refund: undefined })
    const wish = { token: admin.token, body: { reason: 'a test', to: 'card' } }
    const refused = await shop.call('POST', `/admin/orders/${order.orderId}/refund`, wish)
    Object.assign(sandbox, { refund })
    expect(refused).toMatchObject({
      status: 409,
      body: { error: { code: 'STATE_CONFLICT', details: { reason: 'made_in_cabinet', provider: 'sandbox' } } },
    })
    expect(await readBooks(order)).toEqual([{ kind: 'card', amount: 100 }])
  })
})

describe('twenty calls at once', () => {
  test('with one id begin one transaction', async () => {
    const order = await anOrder()
    const id = randomUUID()
    const answers = await twenty(() => begin(order, id))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(requireDone(answers[0] as ProviderTransaction).id).toBe(id)
  })

  test('with twenty ids begin one transaction, and the others are told so', async () => {
    const order = await anOrder()
    const answers = await twenty(() => begin(order))
    expect(answers.filter((answer) => !('refused' in answer))).toHaveLength(1)
    expect(answers.filter((answer) => 'refused' in answer && answer.refused === 'other_pending')).toHaveLength(19)
  })

  test('with one id for twenty orders begin one of them', async () => {
    const orders = await Promise.all(Array.from({ length: 20 }, anOrder))
    const id = randomUUID()
    const answers = await Promise.all(orders.map((order) => begin(order, id)))
    expect(answers.filter((answer) => !('refused' in answer))).toHaveLength(1)
    expect(answers.filter((answer) => 'refused' in answer && answer.refused === 'unknown_account')).toHaveLength(19)
  })

  test('perform once, with equal times', async () => {
    const order = await anOrder()
    const { id } = await begun(order)
    const answers = await twenty((index) => books.perform(id, new Date(Date.now() + index)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await readBooks(order)).toEqual([{ kind: 'card', amount: 100 }])
  })

  test('performing, canceling and looking at the code end in one of two ways', async () => {
    for (let round = 0; round < 5; round++) {
      const order = await anOrder()
      const { id } = await begun(order)
      await twenty<unknown>(async (index) => {
        if (index % 3 === 0) return books.perform(id, new Date())
        return index % 3 === 1 ? books.cancel(id, '5', new Date()) : readReceipt(order)
      })
      const found = await books.find(id)
      const { status } = await shop.database.one<{ status: string }>(
        sql`SELECT status FROM orders WHERE id = ${order.orderId}`,
      )
      const isSold = found?.state === 'performed'
      expect(['performed', 'canceled', 'reversed']).toContain(found?.state)
      expect(isSold ? 'completed' : status).toBe(status)
      if (found?.state === 'reversed') expect(status).toBe('refunded')
      if (found?.state === 'canceled') expect(status).toBe('awaiting_payment')
    }
  })

  test('performed while the same money is told by a webhook, it is booked once', async () => {
    const order = await anOrder()
    const { id } = await begun(order)
    await twenty<unknown>((index) =>
      index % 2 === 0
        ? books.perform(id, new Date())
        : tell(shop, order, { eventId: `told-${order.orderId}`, amount: price, currency: 'UZS' }),
    )
    expect(await readBooks(order)).toEqual([{ kind: 'card', amount: 100 }])
    expect(await books.find(id)).toMatchObject({ state: 'performed' })
  })
})

test('what was cut off between performing and the answer is answered from the row', async () => {
  const order = await anOrder()
  const { id } = await begun(order)
  const cut = createPaymentBooks(
    {
      ...shop.database,
      transaction: async (work: Parameters<typeof shop.database.transaction>[0]) => {
        await shop.database.transaction(work)
        throw new Error('the line is dead')
      },
    } as unknown as typeof shop.database,
    'sandbox',
  )
  await expect(cut.perform(id, new Date())).rejects.toThrow('the line is dead')
  const again = requireDone(await books.perform(id, new Date(0)))
  expect(again).toMatchObject({ state: 'performed' })
  expect(again.performedAt?.getTime()).toBeGreaterThan(Date.now() - 60_000)
  expect(await readBooks(order)).toEqual([{ kind: 'card', amount: 100 }])
})
