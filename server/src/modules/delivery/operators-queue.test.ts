import { afterEach, describe, expect, test } from 'vitest'
import { expectSound, readAlerts } from '../../../test/card-orders.ts'
import {
  aPlayer,
  aTopupOrder,
  passDeliveryTime,
  readTopupState,
  scripted,
  shopFor,
  type TopupOrder,
  workOff,
} from '../../../test/topup-orders.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { done, type Outcome, unknown } from '../../platform/vendor/vendor.ts'
import type { Supplier, SupplierOrder } from '../topups/supplier.ts'
import { sandboxSupplier } from '../topups/suppliers/sandbox.ts'
import { deliverNext } from './deliver.ts'
import { handOverOverdue } from './deliveries.ts'
import { receiveSupplierWebhook } from './run-deliveries.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })
afterEach(() => expectSound(shop))

const readDelivery = async ({ orderId }: TopupOrder) =>
  (await shop.call('GET', `/admin/deliveries?search=${orderId}`, { token: admin.token })).body.data[0]
const decide = (id: number, verb: string) =>
  shop.call('POST', `/admin/deliveries/${id}/${verb}`, { token: admin.token, body: { reason: 'a test' } })

/** Makes a delivery that is never answered; its next look-up is in ten minutes. */
async function aSilentOne() {
  const order = await aTopupOrder(shop, { players: [aPlayer('6004')] })
  await workOff(shopFor(shop))
  await shop.database.run(sql`UPDATE delivery SET look_ups = 20 WHERE state = 'unknown'`)
  await passDeliveryTime(shop, 6)
  await workOff(shopFor(shop))
  return order
}

/** Makes an unanswered delivery in the operator's queue. */
async function aStuckOne() {
  const order = await aSilentOne()
  await passDeliveryTime(shop, 15 * 60)
  await workOff(shopFor(shop))
  await handOverOverdue(shop.database)
  return { order, id: (await readDelivery(order)).id as number }
}

/** Makes a supplier that signals when it is called, and answers when it is told to. */
function waiting(answer: Outcome<SupplierOrder>) {
  const called = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  const say = async () => {
    called.resolve()
    await answered.promise
    return answer
  }
  const supplier: Supplier = { ...sandboxSupplier.create({}, shop), order: say, lookUp: say }
  return { supplier, called: called.promise, answer: answered.resolve }
}

describe('what is not delivered within the promised time', () => {
  test("is the operator's at the promised minute, whenever it is looked at next", async () => {
    const order = await aSilentOne()
    expect(Date.parse((await readDelivery(order)).next_at) - Date.now()).toBeGreaterThan(500_000)
    await shop.database.run(sql`UPDATE delivery SET tried_since = created_at`)
    const age = (text: string) =>
      shop.database.run(sql`
        UPDATE delivery SET tried_since = now() - ${text}::interval, next_at = now() + interval '10 minutes'
        WHERE id = (SELECT max(id) FROM delivery)`)
    await age('14 minutes 58 seconds')
    await handOverOverdue(shop.database)
    expect((await readDelivery(order)).operator_since).toBeNull()
    await age('15 minutes')
    await Promise.all(Array.from({ length: 20 }, () => handOverOverdue(shop.database)))
    expect(await readTopupState(shop, order)).toMatchObject({ units: ['unknown (operator)'], balance: 0 })
    expect(await readAlerts(shop, order.orderId)).toEqual(['delivery.stuck'])
    const { id } = await readDelivery(order)
    expect((await decide(id, 'refund')).status).toBe(200)
    expect(await readTopupState(shop, order)).toMatchObject({ order: 'refunded', balance: 100 })
  })

  test('is so too while no supplier is in, and while one says it is on its way', async () => {
    const order = await aTopupOrder(shop, { players: [aPlayer('6005')] })
    await workOff(shopFor(shop))
    await passDeliveryTime(shop, 15 * 60)
    await handOverOverdue(shop.database)
    expect(await readTopupState(shop, order)).toMatchObject({ units: ['sent (operator)'] })
    expect((await decide((await readDelivery(order)).id, 'complete')).status).toBe(200)
  })

  test.each(['complete', 'refund'])('can still be decided by %s after it was tried again', async (verb) => {
    const { order, id } = await aStuckOne()
    expect(await decide(id, 'retry')).toMatchObject({
      status: 200,
      body: { data: { operator_since: expect.any(String) } },
    })
    await workOff(shopFor(shop))
    expect(await readTopupState(shop, order)).toMatchObject({ units: ['unknown (operator)'] })
    expect(await readAlerts(shop, order.orderId)).toEqual(['delivery.stuck'])
    expect((await decide(id, verb)).status).toBe(200)
    expect((await readDelivery(order)).state).toBe(verb === 'complete' ? 'done' : 'rejected')
  })
})

describe('while a supplier is being asked', () => {
  test('nothing is decided, and afterwards it is', async () => {
    const { order, id } = await aStuckOne()
    await decide(id, 'retry')
    const { supplier, called, answer } = waiting(unknown('timeout'))
    const working = deliverNext(shopFor(shop, supplier))
    await called
    for (const verb of ['complete', 'retry', 'refund']) {
      const { status, body } = await decide(id, verb)
      expect([status, body.error.code, body.error.details]).toEqual([
        409,
        'STATE_CONFLICT',
        { reason: 'call_under_way', delivery: 'call_under_way' },
      ])
    }
    answer()
    await working
    expect((await decide(id, 'refund')).status).toBe(200)
    expect(await readTopupState(shop, order)).toMatchObject({ order: 'refunded', balance: 100 })
  })

  test('its answer or the operator decides, never both', async () => {
    const { order, id } = await aStuckOne()
    await decide(id, 'retry')
    const { supplier, called, answer } = waiting(done({ supplierOrderId: `late-${id}`, status: 'done' }))
    const working = deliverNext(shopFor(shop, supplier))
    await called
    const decisions = Array.from({ length: 20 }, () => decide(id, 'refund'))
    answer()
    const refunds = (await Promise.all(decisions)).filter(({ status }) => status === 200)
    await working
    expect(refunds).toEqual([])
    expect(await readTopupState(shop, order)).toMatchObject({ order: 'completed', units: ['done'], balance: 0 })
  })

  test('by a worker that was given up, a `done` that comes after the refund calls the operator', async () => {
    const { order, id } = await aStuckOne()
    await decide(id, 'retry')
    const { supplier, called, answer } = waiting(done({ supplierOrderId: `late-${id}`, status: 'done' }))
    const working = deliverNext(shopFor(shop, supplier))
    await called
    await passDeliveryTime(shop, 90)
    expect((await decide(id, 'refund')).status).toBe(200)
    answer()
    await working
    expect(await readTopupState(shop, order)).toMatchObject({ order: 'refunded', units: ['rejected'], balance: 100 })
    expect(await readAlerts(shop, order.orderId)).toContain('delivery.done_after_refund')
  })
})

test('no code stands in the log that comes after the refund', async () => {
  const order = await aTopupOrder(shop)
  const code = 'ABCD-EFGH-2345'
  const { supplier } = scripted('fazercards', () => unknown('timeout'))
  await workOff(shopFor(shop, supplier))
  await passDeliveryTime(shop, 15 * 60)
  await handOverOverdue(shop.database)
  const delivery = await readDelivery(order)
  expect((await decide(delivery.id, 'refund')).status).toBe(200)
  const { key } = await shop.database.one<{ key: string }>(
    sql`SELECT key FROM supplier_order WHERE delivery_id = ${delivery.id}`,
  )
  const logged: unknown[] = []
  const log = Object.assign(Object.create(shop.log), { warn: (told: unknown) => logged.push(told) })
  const telling = {
    ...supplier,
    lookUp: async () => done({ supplierOrderId: key, status: 'done', codes: [code] } as const),
    readWebhook: () => ({
      verified: true as const,
      events: [{ eventKey: key, about: { key } }],
      reply: { status: 200, body: '' },
    }),
  }
  await receiveSupplierWebhook({ ...shopFor(shop, telling), log }, 'fazercards', {} as never)
  expect(await readAlerts(shop, order.orderId)).toContain('delivery.done_after_refund')
  expect(logged).toHaveLength(1)
  expect(JSON.stringify(logged)).not.toContain(code)
})

test.each([
  ['done', 1],
  ['lost', 0],
])(
  'a supplier that tells of an order that was refunded, and is %s, calls the operator %i times',
  async (status, times) => {
    const order = await aTopupOrder(shop, { players: [aPlayer('6005')] })
    const own = sandboxSupplier.create({}, shop)
    const store = { ...shopFor(shop), suppliers: { configured: [own], off: [], sandbox: own } }
    await workOff(store)
    await passDeliveryTime(shop, 15 * 60)
    await handOverOverdue(shop.database)
    expect((await decide((await readDelivery(order)).id, 'refund')).status).toBe(200)
    await shop.database.run(sql`
    UPDATE sandbox_topup SET done_at = now() - interval '1 second' WHERE account = ANY (${order.players})`)
    const webhooks = await own.takeWebhooks(new Date())
    await shop.database.run(sql`UPDATE sandbox_topup SET status = ${status} WHERE account = ANY (${order.players})`)
    for (const webhook of webhooks) await receiveSupplierWebhook(store, 'sandbox', webhook)
    const alerts = await readAlerts(shop, order.orderId)
    expect(alerts.filter((kind) => kind === 'delivery.done_after_refund')).toHaveLength(times)
    expect(await readTopupState(shop, order)).toMatchObject({ order: 'refunded', balance: 100 })
  },
)
