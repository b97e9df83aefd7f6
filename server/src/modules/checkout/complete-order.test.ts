import { afterEach, describe, expect, test } from 'vitest'
import { aCardOrder, expectSound, fillCart, payFromBalance, sandboxSecret } from '../../../test/card-orders.ts'
import { anOffer, aUser, type TestUser } from '../../../test/factories.ts'
import {
  aPlayer,
  aTopupOrder,
  passDeliveryTime,
  readTopupState,
  shopFor,
  type TopupOrderWish,
  workOff,
} from '../../../test/topup-orders.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { unknown } from '../../platform/vendor/vendor.ts'
import { deliverNext } from '../delivery/deliver.ts'
import { handOverOverdue } from '../delivery/deliveries.ts'
import type { Supplier } from '../topups/supplier.ts'
import { sandboxSupplier } from '../topups/suppliers/sandbox.ts'

const shop = useShop({ SANDBOX_SECRET: sandboxSecret })
const admin = useUser(shop, { role: 'admin' })
afterEach(() => expectSound(shop))

const reason = 'sent from our own account'
const complete = (orderId: string, { token }: Pick<TestUser, 'token'> = admin, headers = {}) =>
  shop.call('PUT', `/admin/orders/${orderId}/status`, { token, body: { status: 'completed', reason }, headers })
const call = (path: string, body: object = {}) =>
  shop.call('POST', `/admin/${path}`, { token: admin.token, body: { reason, ...body } })
const listDeliveries = async (orderId: string): Promise<{ id: number }[]> =>
  (await shop.call('GET', `/admin/deliveries?search=${orderId}`, { token: admin.token })).body.data

const countAlerts = async (orderId: string): Promise<number> =>
  (
    await shop.database.one<{ open: number }>(sql`
      SELECT count(*)::int AS open FROM alert
      WHERE kind = 'delivery.stuck' AND details ->> 'order' = ${orderId} AND resolved_at IS NULL`)
  ).open

/** Makes an order whose units wait for the operator, because no supplier ever answered. */
async function aStuckOrder(wish: TopupOrderWish = {}) {
  const order = await aTopupOrder(shop, { players: [aPlayer('6004'), aPlayer('6004')], ...wish })
  await workOff(shopFor(shop))
  await passDeliveryTime(shop, 16 * 60)
  await workOff(shopFor(shop))
  return order
}

describe('an order in processing is completed by hand', () => {
  test('as the specification has it: pending to completed, told to its buyer, and written down', async () => {
    const order = await aStuckOrder()
    const { orderId, buyer } = order
    const read = async () => (await shop.call('GET', `/orders/${orderId}`, { token: buyer.token })).body.status
    expect(await read()).toBe('pending')
    expect(await countAlerts(orderId)).toBe(2)

    const { status, body } = await complete(orderId)
    expect([status, body]).toEqual([200, { data: { id: orderId, status: 'completed' } }])
    expect(await read()).toBe('completed')
    expect(await readTopupState(shop, order)).toMatchObject({
      order: 'completed',
      items: ['delivered', 'delivered'],
      units: ['done', 'done'],
      balance: 0,
    })
    expect(await countAlerts(orderId)).toBe(0)
    const deliveries = (await listDeliveries(orderId)).map(({ id }) => id).toSorted((one, other) => one - other)
    expect(
      await shop.database.rows<{ actor_id: number; before: unknown; after: unknown }>(sql`
        SELECT actor_id, before, after FROM audit_entry WHERE subject = ${`order:${orderId}`}`),
    ).toEqual([
      { actor_id: admin.id, before: { status: 'pending' }, after: { status: 'completed', reason, deliveries } },
    ])
    // No worker takes it up again.
    await passDeliveryTime(shop, 3_600)
    await workOff(shopFor(shop))
    expect(await readTopupState(shop, order)).toMatchObject({ order: 'completed', units: ['done', 'done'] })
  })

  test('once, however often it is pressed, and beside refunds of its units nothing is both', async () => {
    const order = await aStuckOrder()
    const [first] = await listDeliveries(order.orderId)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        at % 4 === 3 ? call(`deliveries/${first?.id}/refund`) : complete(order.orderId),
      ),
    )
    const state = await readTopupState(shop, order)
    const refunds = answers.filter(({ status }, at) => status === 200 && at % 4 === 3).length
    const completions = answers.filter(({ status }, at) => status === 200 && at % 4 !== 3).length
    expect([refunds <= 1, completions]).toEqual([true, 1])
    expect([state.order, state.balance]).toEqual(refunds === 1 ? ['partially_refunded', 100] : ['completed', 0])
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
  })

  test('with the first answer again for the same key', async () => {
    const { orderId } = await aStuckOrder()
    const key = { 'idempotency-key': `complete-${orderId}` }
    const first = await complete(orderId, admin, key)
    expect([first.status, (await complete(orderId, admin, key)).text]).toEqual([200, first.text])
  })

  test('and is refunded in part where a part of it was refunded before', async () => {
    const order = await aStuckOrder()
    const [first] = await listDeliveries(order.orderId)
    expect((await call(`deliveries/${first?.id}/refund`)).status).toBe(200)
    expect((await complete(order.orderId)).body.data.status).toBe('partially_refunded')
    expect(await readTopupState(shop, order)).toMatchObject({ balance: 100 })
  })
})

describe('it is refused, and nothing is changed,', () => {
  async function expectRefused(orderId: string, details: object) {
    const { status, body } = await complete(orderId)
    expect([status, body.error.code, body.error.details]).toEqual([409, 'STATE_CONFLICT', details])
  }

  test('while a unit is still delivered by itself, which could come twice', async () => {
    const order = await aTopupOrder(shop, { players: [aPlayer('6004'), aPlayer('6005')] })
    await workOff(shopFor(shop))
    const before = await readTopupState(shop, order)
    await expectRefused(order.orderId, { reason: 'not_in_operators_queue', state: 'unknown' })
    const [one] = await listDeliveries(order.orderId)
    await shop.database.run(sql`UPDATE delivery SET tried_since = now() - interval '1 hour' WHERE id = ${one?.id}`)
    await handOverOverdue(shop.database)
    await expectRefused(order.orderId, { reason: 'not_in_operators_queue', state: expect.any(String) })
    expect((await readTopupState(shop, order)).items).toEqual(before.items)
    expect((await readTopupState(shop, order)).order).toBe('pending')
  })

  test('while a supplier is being asked', async () => {
    const order = await aStuckOrder({ players: [aPlayer('6004')] })
    const [delivery] = await listDeliveries(order.orderId)
    await call(`deliveries/${delivery?.id}/retry`)
    const called = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<void>()
    const ask = async () => {
      called.resolve()
      await answered.promise
      return unknown('timeout')
    }
    const supplier: Supplier = { ...sandboxSupplier.create({}, shop), order: ask, lookUp: ask }
    const working = deliverNext(shopFor(shop, supplier))
    await called.promise
    await expectRefused(order.orderId, { reason: 'call_under_way', delivery: 'call_under_way' })
    answered.resolve()
    await working
    expect((await complete(order.orderId)).status).toBe(200)
  })

  test('where its buyer would lack a code', async () => {
    const offer = await anOffer(shop, { stock: 0 })
    await shop.database.run(sql`UPDATE product SET buys_on_demand = true WHERE id = ${offer.productId}`)
    await shop.database.run(sql`UPDATE offer SET item_id = 'bought' WHERE id = ${offer.id}`)
    const buyer = await aUser(shop, { usd: offer.priceUsd })
    await fillCart(shop, buyer, offer, 1)
    const { order } = (await payFromBalance(shop, buyer)).body
    await shop.database.run(sql`UPDATE delivery SET operator_since = now() WHERE decided_at IS NULL`)
    const { id } = await shop.database.one<{ id: number }>(sql`SELECT id FROM order_item WHERE order_id = ${order.id}`)
    await expectRefused(order.id, { reason: 'codes_missing', items: [id] })
    const [delivery] = await listDeliveries(order.id)
    expect((await call(`deliveries/${delivery?.id}/complete`, { code: 'BOUGHT-BY-HAND' })).status).toBe(200)
    await expectRefused(order.id, { reason: 'move_not_allowed', status: 'completed', wanted: 'completed' })
  })

  test('before it is paid, however long it waits', async () => {
    const { orderId } = await aCardOrder(shop)
    await expectRefused(orderId, { reason: 'move_not_allowed', status: 'awaiting_payment', wanted: 'completed' })
    await shop.call('PUT', `/admin/orders/${orderId}/status`, {
      token: admin.token,
      body: { status: 'expired', reason },
    })
    await expectRefused(orderId, { reason: 'move_not_allowed', status: 'expired', wanted: 'completed' })
  })

  test('after it was refunded', async () => {
    const order = await aStuckOrder({ players: [aPlayer('6004')] })
    const [delivery] = await listDeliveries(order.orderId)
    await call(`deliveries/${delivery?.id}/refund`)
    await expectRefused(order.orderId, { reason: 'move_not_allowed', status: 'refunded', wanted: 'completed' })
  })

  test('to who may refund and not deliver', async () => {
    const { orderId } = await aStuckOrder({ players: [aPlayer('6004')] })
    const finance = await aUser(shop, { staff: 'finance' })
    const { status, body } = await complete(orderId, finance)
    expect([status, body.error.details]).toEqual([403, { permission: 'orders.write' }])
    expect((await complete(orderId)).status).toBe(200)
  })
})
