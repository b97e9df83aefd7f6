import { beforeAll, describe, expect, test } from 'vitest'
import {
  aCardOrder,
  act,
  type CardOrder,
  fillCart,
  onFullShelf,
  openedBy,
  passTime,
  payFromBalance,
  pressPay,
  readAlerts,
  readState,
  tell,
  useCardShop,
} from '../../../test/card-orders.ts'
import { anOffer, aUser, type TestOffer, type TestUser } from '../../../test/factories.ts'
import type { Answer } from '../../../test/shop.ts'
import { sellTopups, steamTopup, tenDollars } from '../../../test/topups.ts'
import { useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { expireOverdueOrders } from './expire-order.ts'

const shop = useCardShop()
const admin = useUser(shop, { role: 'admin' })
beforeAll(() => sellTopups(shop))

/** Ten dollars, four of which the balance pays. */
const anOrder = () => aCardOrder(shop, { priceUsd: 1_000, fromBalance: 400 })
const expire = async ({ orderId }: { orderId: string }) => {
  await passTime(shop, orderId)
  await expireOverdueOrders(shop.database)
}
const readBalance = async (buyer: TestUser) => {
  const { body } = await shop.call('GET', '/balance', { token: buyer.token })
  const { amount, reserved } = body.find((entry: { currency: string }) => entry.currency === 'usd')
  return { amount, reserved }
}
const readMoves = ({ orderId }: { orderId: string }) =>
  shop.database
    .rows<{ kind: string; from: string; to: string; amount: number }>(sql`
      SELECT transfer.kind, debit.kind AS from, credit.kind AS to, amount FROM transfer
      JOIN account AS debit ON debit.id = debit_account JOIN account AS credit ON credit.id = credit_account
      WHERE order_id = ${orderId} ORDER BY transfer.id`)
    .then((rows) => rows.map(({ kind, from, to, amount }) => `${kind}: ${from} > ${to} ${amount}`))
const readReceipt = async ({ buyer, orderId }: CardOrder) =>
  (await shop.call('GET', `/orders/${orderId}`, { token: buyer.token })).body
const spend = (buyer: TestUser, usd: number) =>
  shop.call('PUT', `/admin/users/${buyer.id}/balance`, {
    token: admin.token,
    body: { balanceUsd: usd / 100, reason: 'a test' },
  })
const twenty = <T>(work: (index: number) => Promise<T>) => Promise.all(Array.from({ length: 20 }, (_, i) => work(i)))

const reservation = 'reservation: wallet > reserved 400'
const release = 'release: reserved > wallet 400'

describe('an order with a part from the balance', () => {
  test('reserves the part while it waits, and is charged the rest', async () => {
    const order = await anOrder()
    expect(await readBalance(order.buyer)).toEqual({ amount: 0, reserved: 4 })
    expect(await readMoves(order)).toEqual([reservation])
    const bill = await shop.call('GET', `/sandbox/payments/${order.paymentId}`, {})
    expect(bill.body).toMatchObject({ amount: 6, currency: 'USD' })
    expect(await readReceipt(order)).toMatchObject({ total_amount: 10, from_balance: 4, payment_method: 'card' })
    const list = await shop.call('GET', `/admin/orders?search=${order.orderId}`, { token: admin.token })
    expect(list.body.data).toMatchObject([{ total_amount: 10, from_balance: 4 }])
  })

  test('is delivered for the whole when the rest is paid', async () => {
    const order = await anOrder()
    for (let times = 0; times < 3; times++) await tell(shop, order)
    expect(await readState(shop, order)).toMatchObject({ status: 'completed', codes: 1, usd: 0 })
    expect(await readMoves(order)).toEqual([reservation, 'purchase: reserved > sales 400', 'card: card > sales 600'])
    expect(await readBalance(order.buyer)).toEqual({ amount: 0, reserved: 0 })
  })

  test('that nobody pays returns the part, once, whichever node ends it', async () => {
    const orders = await twenty(anOrder)
    await Promise.all(orders.map(({ orderId }) => passTime(shop, orderId)))
    await twenty(() => expireOverdueOrders(shop.database))
    await expireOverdueOrders(shop.database)
    for (const order of orders) {
      expect(await readMoves(order)).toEqual([reservation, release])
      expect(await readState(shop, order)).toMatchObject({ status: 'expired', codes: 0, usd: 4, reserved: 0 })
    }
    const history = await shop.call('GET', '/balance/history', { token: orders[0]?.buyer.token as string })
    expect(history.body.data).toMatchObject([
      { kind: 'release', amount: 4, order_id: orders[0]?.orderId },
      { kind: 'reservation', amount: -4, order_id: orders[0]?.orderId },
      { kind: 'adjustment' },
    ])
  })

  test('that an operator ends returns the part', async () => {
    const order = await anOrder()
    const ended = await shop.call('PUT', `/admin/orders/${order.orderId}/status`, {
      token: admin.token,
      body: { status: 'expired', reason: 'a test' },
    })
    expect(ended.status).toBe(200)
    expect(await readBalance(order.buyer)).toEqual({ amount: 4, reserved: 0 })
    await tell(shop, order)
    expect(await readState(shop, order)).toMatchObject({ status: 'expired', codes: 0, usd: 10 })
    expect(await readAlerts(shop, order.orderId)).toEqual(['payment.superseded'])
  })

  test('paid by a blocked buyer returns the part, and the money of the card too', async () => {
    const order = await anOrder()
    await shop.database.run(sql`UPDATE users SET blocked_at = now() WHERE id = ${order.buyer.id}`)
    await tell(shop, order)
    expect(await readMoves(order)).toEqual([reservation, release, 'card: card > wallet 600'])
    expect(await readAlerts(shop, order.orderId)).toEqual(['payment.buyer_blocked'])
  })

  test('paid with another amount keeps the part until it ends', async () => {
    const order = await anOrder()
    await tell(shop, order, { amount: 1_000 })
    expect(await readState(shop, order)).toMatchObject({ status: 'awaiting_payment', usd: 10 })
    expect(await readBalance(order.buyer)).toEqual({ amount: 10, reserved: 4 })
    await expire(order)
    expect(await readBalance(order.buyer)).toEqual({ amount: 14, reserved: 0 })
  })

  test('that is declined may be paid again by another method, with the part still reserved', async () => {
    const order = await anOrder()
    await act(shop, order, 'decline')
    const again = await pressPay(shop, order.buyer, 1_000, { fromBalance: 400 })
    expect(again.body.order_id).toBe(order.orderId)
    expect(await readMoves(order)).toEqual([reservation])
    await tell(shop, { ...(await openedBy(shop, again)), amount: 600 })
    expect(await readState(shop, order)).toMatchObject({ status: 'completed', codes: 1, usd: 0 })
    // The first one is paid after all.
    await tell(shop, order)
    expect(await readState(shop, order)).toMatchObject({ status: 'completed', usd: 6 })
    expect(await readAlerts(shop, order.orderId)).toEqual(['payment.paid_before'])
  })

  test('pressed again with another part is another order, for which the first part is there again', async () => {
    const order = await anOrder()
    for (const fromBalance of [250, 0, 400]) {
      const pressed = await onFullShelf(shop, order.offer, () => pressPay(shop, order.buyer, 1_000, { fromBalance }))
      expect(pressed.status).toBe(201)
      expect(pressed.body.order_id).not.toBe(order.orderId)
      const part = fromBalance / 100
      expect(await readBalance(order.buyer)).toEqual({ amount: 4 - part, reserved: part })
    }
    expect(await readMoves(order)).toEqual([reservation, release])
  })

  test('can leave its wait by no way that forgets the part', async () => {
    const { orderId } = await anOrder()
    for (const status of ['expired', 'completed']) {
      const moved = shop.database.run(sql`UPDATE orders SET status = ${status} WHERE id = ${orderId}`)
      await expect(moved).rejects.toThrow('keeps the part')
    }
  })

  test('that is then paid from the balance returns the part first', async () => {
    const order = await anOrder()
    await spend(order.buyer, 600)
    expect((await payFromBalance(shop, order.buyer)).status).toBe(201)
    expect(await readBalance(order.buyer)).toEqual({ amount: 0, reserved: 0 })
    expect(await readMoves(order)).toEqual([reservation, release])
  })
})

describe('a part', () => {
  const press = async (fromBalance: number, usd = 400) => {
    const offer = await anOffer(shop, { stock: 2, priceUsd: 1_000 })
    const buyer = await aUser(shop, { usd })
    await fillCart(shop, buyer, offer)
    return { buyer, pressed: await pressPay(shop, buyer, 1_000, { fromBalance }) }
  }
  const refused = ({ status, body }: Answer) => [status, body.error]

  test.each([
    [
      'that is all of the order',
      1_000,
      2_000,
      400,
      { code: 'INVALID_AMOUNT', details: { from_balance: 'covers_all', total: 10, currency: 'USD' } },
    ],
    [
      'that is more than the order',
      1_001,
      2_000,
      400,
      { code: 'INVALID_AMOUNT', details: { from_balance: 'covers_all', total: 10, currency: 'USD' } },
    ],
    [
      'that the balance does not have',
      401,
      400,
      402,
      { code: 'INSUFFICIENT_BALANCE', details: { required: 4.01, available: 4, currency: 'USD' } },
    ],
  ])('%s is refused, and moves nothing', async (_what, fromBalance, usd, status, error) => {
    const { buyer, pressed } = await press(fromBalance, usd)
    expect(refused(pressed)).toEqual([status, expect.objectContaining(error)])
    expect(await readBalance(buyer)).toEqual({ amount: usd / 100, reserved: 0 })
    expect((await shop.call('GET', '/orders', { token: buyer.token })).body.total).toBe(0)
  })

  test.each([0, -1, 1.001, '4'])('of %j is refused as an amount', async (from_balance) => {
    const buyer = await aUser(shop, { usd: 400 })
    const body = { amount: 10, currency: 'USD', type: 'order', from_balance }
    const answer = await shop.call('POST', '/payment/create', { token: buyer.token, body })
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_FAILED'])
  })

  test('is not taken from a frozen balance', async () => {
    const disputed = await aCardOrder(shop)
    await act(shop, disputed, 'pay')
    await act(shop, disputed, 'dispute')
    await spend(disputed.buyer, 400)
    const offer = await anOffer(shop, { stock: 2, priceUsd: 1_000 })
    await fillCart(shop, disputed.buyer, offer)
    const pressed = await pressPay(shop, disputed.buyer, 1_000, { fromBalance: 400 })
    expect([pressed.status, pressed.body.error.code]).toEqual([409, 'BALANCE_ON_HOLD'])
    expect((await pressPay(shop, disputed.buyer, 1_000)).status).toBe(201)
  })

  test('is reserved once for one key', async () => {
    const offer = await anOffer(shop, { stock: 4, priceUsd: 1_000 })
    const buyer = await aUser(shop, { usd: 1_000 })
    await fillCart(shop, buyer, offer)
    const pressed = await twenty((index) =>
      pressPay(shop, buyer, 1_000, { fromBalance: 400, key: `key-of-press-${index % 2}` }),
    )
    expect(new Set(pressed.map(({ body }) => body.order_id)).size).toBe(1)
    expect(await readBalance(buyer)).toEqual({ amount: 6, reserved: 4 })
  })

  test('is never taken twice from one balance, by however many checkouts at once', async () => {
    const buyer = await aUser(shop, { usd: 1_000 })
    const pressed = await twenty((index) =>
      shop.call('POST', '/payment/create', {
        token: buyer.token,
        body: {
          amount: 10.3,
          currency: 'USD',
          type: 'order',
          topupData: steamTopup({ ...tenDollars, login: `gabe${index}` }),
          from_balance: 3,
        },
      }),
    )
    const opened = pressed.filter(({ status }) => status === 201)
    expect(opened.length).toBe(3)
    expect(pressed.filter(({ status }) => status === 402).length).toBe(17)
    expect(await readBalance(buyer)).toEqual({ amount: 1, reserved: 9 })
    for (const { body } of opened) await passTime(shop, body.order_id)
    await expireOverdueOrders(shop.database)
    expect(await readBalance(buyer)).toEqual({ amount: 10, reserved: 0 })
  })
})

describe('an order paid after its time', () => {
  test('takes the part from the balance again', async () => {
    const order = await anOrder()
    await expire(order)
    await tell(shop, order)
    expect(await readState(shop, order)).toMatchObject({ status: 'completed', codes: 1, usd: 0 })
    expect(await readMoves(order)).toEqual([
      reservation,
      release,
      'purchase: wallet > sales 400',
      'card: card > sales 600',
    ])
  })

  test('but not yet ended passes the part on', async () => {
    const order = await anOrder()
    await passTime(shop, order.orderId)
    await tell(shop, order)
    expect(await readMoves(order)).toEqual([reservation, 'purchase: reserved > sales 400', 'card: card > sales 600'])
  })

  test.each([
    ['was spent', (order: CardOrder) => spend(order.buyer, 399)],
    [
      'is frozen',
      async ({ buyer }: CardOrder) => {
        await shop.database.run(sql`UPDATE users SET held_since = now() WHERE id = ${buyer.id}`)
      },
    ],
  ])('whose part %s goes to the balance, with an alert', async (what, meanwhile) => {
    const order = await anOrder()
    await expire(order)
    await meanwhile(order)
    await tell(shop, order)
    const usd = what === 'was spent' ? 9.99 : 10
    expect(await readState(shop, order)).toMatchObject({ status: 'expired', codes: 0, usd, reserved: 0 })
    expect(await readAlerts(shop, order.orderId)).toEqual(['payment.part_gone'])
    await shop.database.run(sql`UPDATE users SET held_since = NULL WHERE id = ${order.buyer.id}`)
  })

  test('beside its end is delivered once or returned once, whichever comes first', async () => {
    const offer: TestOffer = await anOffer(shop, { stock: 20, priceUsd: 1_000 })
    const orders = await twenty(() => aCardOrder(shop, { offer, fromBalance: 400 }))
    await Promise.all(orders.map(({ orderId }) => passTime(shop, orderId)))
    await Promise.all([
      ...orders.map((order) => tell(shop, order)),
      ...orders.map((order) => tell(shop, order)),
      twenty(() => expireOverdueOrders(shop.database)),
    ])
    for (const order of orders) {
      expect(await readState(shop, order)).toMatchObject({ status: 'completed', codes: 1, usd: 0 })
      expect(await readBalance(order.buyer)).toEqual({ amount: 0, reserved: 0 })
    }
  }, 60_000)
})
