import { afterEach, describe, expect, test } from 'vitest'
import { expectSound } from '../../../test/card-orders.ts'
import { aCrowd } from '../../../test/factories.ts'
import {
  aPlayer,
  aTopupOrder,
  passDeliveryTime,
  readTopupState,
  shopFor,
  type TopupOrder,
  workOff,
} from '../../../test/topup-orders.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { sandboxSupplier } from '../topups/suppliers/sandbox.ts'
import { manual } from '../topups/suppliers.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })
afterEach(() => expectSound(shop))

const list = async (query: string) =>
  (await shop.call('GET', `/admin/deliveries?${query}`, { token: admin.token })).body
const readDelivery = async ({ orderId }: TopupOrder) => (await list(`search=${orderId}`)).data[0]
const decide = (id: number, verb: string, body: object = {}) =>
  shop.call('POST', `/admin/deliveries/${id}/${verb}`, {
    token: admin.token,
    body: { reason: 'a test', reference: 'R-17', ...body },
  })

/** Makes a delivery in the operator's queue that the sandbox had rejected. */
async function aManualOne() {
  const order = await aTopupOrder(shop, { players: [aPlayer('6001')] })
  await workOff(shopFor(shop, sandboxSupplier.create({}, shop), manual.create()))
  return { order, delivery: await readDelivery(order) }
}

/** Makes a delivery in the operator's queue that had no answer for a quarter of an hour. */
async function anUnknownOne() {
  const order = await aTopupOrder(shop, { players: [aPlayer('6004')] })
  await workOff(shopFor(shop))
  await passDeliveryTime(shop, 16 * 60)
  await workOff(shopFor(shop))
  return { order, delivery: await readDelivery(order) }
}

const executionsAndAudit = async (id: number) => ({
  actions: (
    await shop.database.rows<{ action: string }>(
      sql`SELECT action FROM audit_entry WHERE subject = ${`delivery:${id}`} ORDER BY id`,
    )
  ).map(({ action }) => action),
})

describe("the operator's queue", () => {
  test('lists what waits, with all that is needed to do it by hand', async () => {
    const { order, delivery } = await aManualOne()
    expect((await list('state=operator')).data).toContainEqual(delivery)
    expect(delivery).toMatchObject({
      order_id: order.orderId,
      nickname: order.buyer.nickname,
      service: 'pubg',
      account: order.players[0],
      item: '60 UC',
      unit: 1,
      quantity: 1,
      amount: 1,
      currency: 'USD',
      state: 'sent',
      operator_since: expect.any(String),
      supplier: 'manual',
    })
    expect((await list('state=done')).data.map((row: { id: number }) => row.id)).not.toContain(delivery.id)
    expect((await list(`search=${order.players[0]}`)).total).toBe(1)
    const known = await list('search=user_')
    expect(known.data).toContainEqual(expect.objectContaining({ id: delivery.id }))
    await aCrowd(shop)
    expect(await list('search=USER_')).toEqual(known)
    expect((await decide(delivery.id, 'complete')).status).toBe(200)
  })

  test('what is done by hand is delivered', async () => {
    const { order, delivery } = await aManualOne()
    expect(await decide(delivery.id, 'complete')).toMatchObject({ status: 200, body: { data: { state: 'done' } } })
    expect(await readTopupState(shop, order)).toMatchObject({ order: 'completed', balance: 0, executions: 0 })
    expect(await executionsAndAudit(delivery.id)).toEqual({ actions: ['delivery.complete'] })
  })

  test('what is done by hand is found as that; what was seen to be done at a supplier is that supplier’s', async () => {
    const [byHand, bySandbox] = [await aManualOne(), await anUnknownOne()]
    for (const { delivery } of [byHand, bySandbox]) await decide(delivery.id, 'complete')
    const found = async ({ order }: typeof byHand, supplier: string) =>
      (await list(`search=${order.orderId}&delivered_by=${supplier}`)).total
    expect([await found(byHand, 'by_hand'), await found(byHand, 'sandbox')]).toEqual([1, 0])
    expect([await found(bySandbox, 'by_hand'), await found(bySandbox, 'sandbox')]).toEqual([0, 1])
  })

  test('what can not be done is refunded, once however often it is pressed', async () => {
    const { order, delivery } = await aManualOne()
    const answers = await Promise.all(Array.from({ length: 20 }, () => decide(delivery.id, 'refund')))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19)
    expect(await readTopupState(shop, order)).toMatchObject({ order: 'refunded', balance: 100 })
    expect(await executionsAndAudit(delivery.id)).toEqual({ actions: ['delivery.refund'] })
  })

  test('what nobody can have done may be tried again, with every supplier', async () => {
    const { order, delivery } = await aManualOne()
    expect(await decide(delivery.id, 'retry')).toMatchObject({
      status: 200,
      body: { data: { state: 'queued', operator_since: expect.any(String) } },
    })
    await workOff(shopFor(shop, sandboxSupplier.create({}, shop), manual.create()))
    expect(await readTopupState(shop, order)).toMatchObject({ units: ['sent (operator)'] })
    expect((await decide(delivery.id, 'refund')).status).toBe(200)
  })

  test('what may have been done is only looked up again, never sent to anybody', async () => {
    const { order, delivery } = await anUnknownOne()
    expect(await decide(delivery.id, 'retry')).toMatchObject({ body: { data: { state: 'unknown' } } })
    await workOff(shopFor(shop, manual.create()))
    await workOff(shopFor(shop))
    const submits = await shop.database.rows(sql`
      SELECT FROM supplier_call JOIN supplier_order ON supplier_order.id = supplier_call.supplier_order_id
      WHERE delivery_id = ${delivery.id} AND kind = 'submit'`)
    expect(submits).toHaveLength(1)
    expect(await readTopupState(shop, order)).toMatchObject({ units: ['unknown (operator)'], balance: 0 })
  })

  test('an unknown one that the operator refunds stays refunded', async () => {
    const { order, delivery } = await anUnknownOne()
    expect((await decide(delivery.id, 'refund')).status).toBe(200)
    await passDeliveryTime(shop, 3_600)
    await workOff(shopFor(shop))
    expect(await readTopupState(shop, order)).toMatchObject({ order: 'refunded', units: ['rejected'], balance: 100 })
  })
})

describe('refused is', () => {
  test('what is not in the queue', async () => {
    const order = await aTopupOrder(shop)
    const { id } = await readDelivery(order)
    for (const verb of ['complete', 'retry', 'refund']) {
      expect((await decide(id, verb)).body.error.code).toBe('STATE_CONFLICT')
    }
    await workOff(shopFor(shop))
    for (const verb of ['complete', 'retry', 'refund']) {
      expect((await decide(id, verb)).body.error.code).toBe('STATE_CONFLICT')
    }
    expect(await readTopupState(shop, order)).toMatchObject({ order: 'completed', balance: 0, executions: 1 })
  })

  test('what was decided meanwhile, and what is not there', async () => {
    const { delivery } = await aManualOne()
    const old = { version: delivery.version - 1 }
    expect((await decide(delivery.id, 'complete', old)).body.error.code).toBe('STATE_CONFLICT')
    expect((await decide(delivery.id, 'complete', { version: delivery.version })).status).toBe(200)
    expect((await decide(999_999, 'complete')).status).toBe(404)
  })
})
