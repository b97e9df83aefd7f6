import { afterEach, describe, expect, test } from 'vitest'
import { expectSound } from '../../../test/card-orders.ts'
import { aUser } from '../../../test/factories.ts'
import {
  aPlayer,
  aTopupOrder,
  passDeliveryTime,
  scripted,
  shopFor,
  readTopupState as standIn,
  type TopupOrder,
  type TopupOrderWish,
  workOff,
} from '../../../test/topup-orders.ts'
import { orderTopup, pubgTopup, sellTopups, steamTopup, tenDollars, topupOffer } from '../../../test/topups.ts'
import { useShop } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { done, rejected, unknown } from '../../platform/vendor/vendor.ts'
import type { Supplier, SupplierRequest } from '../topups/supplier.ts'
import { sandboxSupplier } from '../topups/suppliers/sandbox.ts'
import { manual } from '../topups/suppliers.ts'
import { deliverNext } from './deliver.ts'

const shop = useShop()
afterEach(() => expectSound(shop))

const with_ = (...suppliers: Supplier[]) => shopFor(shop, ...suppliers)
const passTime = (seconds = 1_000_000) => passDeliveryTime(shop, seconds)

const readTopupState = (order: TopupOrder) => standIn(shop, order)

const readCalls = async ({ orderId }: TopupOrder) =>
  (
    await shop.database.rows<{ call: string }>(sql`
      SELECT supplier || ' ' || kind || ' ' || coalesce(outcome, '-') AS call FROM supplier_call
      JOIN supplier_order ON supplier_order.id = supplier_call.supplier_order_id JOIN delivery ON delivery.id = delivery_id
      JOIN order_item ON order_item.id = order_item_id WHERE order_id = ${orderId} ORDER BY supplier_call.id`)
  ).map(({ call }) => call)

const anOrderFor = (ending: string, wish: TopupOrderWish = {}) =>
  aTopupOrder(shop, { players: [aPlayer(ending)], ...wish })

describe('with the sandbox', () => {
  test('every unit of every item is delivered once', async () => {
    const order = await aTopupOrder(shop, { players: [aPlayer(), aPlayer()], quantity: 3 })
    await workOff(with_())
    expect(await readTopupState(order)).toEqual({
      order: 'completed',
      items: ['delivered', 'delivered'],
      units: Array(6).fill('done'),
      balance: 0,
      executions: 6,
    })
  })

  test('what a supplier answered counts, though its health can’t be written', async () => {
    await shop.database.run(sql`
      CREATE FUNCTION refuse_health() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'locked for too long'; END $$`)
    await shop.database.run(sql`
      CREATE TRIGGER health_refused BEFORE INSERT OR UPDATE ON supplier_health FOR EACH ROW EXECUTE FUNCTION refuse_health()`)
    try {
      const order = await aTopupOrder(shop)
      await workOff(with_())
      expect(await readTopupState(order)).toMatchObject({ order: 'completed', units: ['done'], executions: 1 })
    } finally {
      await shop.database.run(sql`DROP FUNCTION refuse_health CASCADE`)
    }
  })

  test('a rejected one is refunded to the wallet', async () => {
    const order = await anOrderFor('6001')
    await workOff(with_())
    const refunded = { order: 'refunded', items: ['refunded'], units: ['rejected'], balance: 100, executions: 0 }
    expect(await readTopupState(order)).toEqual(refunded)
    await passTime()
    await workOff(with_())
    expect(await readTopupState(order)).toEqual(refunded)
  })

  test('one that has become too dear is not bought: the operator has it, or it is refunded', async () => {
    const alone = await anOrderFor('6008')
    await workOff(with_())
    expect(await readTopupState(alone)).toMatchObject({ order: 'refunded', balance: 100, executions: 0 })
    await shop.database.run(sql`
      UPDATE alert SET acknowledged_at = now(), acknowledged_by = ${alone.buyer.id} WHERE kind = 'offer.too_dear'`)
    const order = await anOrderFor('6008')
    await workOff(with_(sandboxSupplier.create({}, shop), manual.create()))
    expect(await readTopupState(order)).toMatchObject({ units: ['sent (operator)'], balance: 0, executions: 0 })
    // It names the last order; who knows of the first is not called for every other one.
    const alerts = await shop.database.rows(sql`
      SELECT subject, details, acknowledged_at IS NOT NULL AS "isKnown" FROM alert WHERE kind = 'offer.too_dear'`)
    expect(alerts).toEqual([
      {
        subject: 'sandbox:pubg_mobile_auto/60_uc',
        details: { order: order.orderId, cost: '1000000.00 USD', at_most: '1.00 USD' },
        isKnown: true,
      },
    ])
  })

  test('of two items the one that is rejected is refunded, the other stays', async () => {
    const order = await aTopupOrder(shop, { players: [aPlayer('6001'), aPlayer()], quantity: 2 })
    await workOff(with_())
    expect(await readTopupState(order)).toEqual({
      order: 'partially_refunded',
      items: ['refunded', 'delivered'],
      units: ['rejected', 'rejected', 'done', 'done'],
      balance: 200,
      executions: 2,
    })
  })

  test.each([
    ['6002', 'timed out after executing'],
    ['6007', 'broke after executing'],
  ])('%s, which %s, is unknown, and done once it is looked up', async (ending) => {
    const order = await anOrderFor(ending)
    await workOff(with_())
    expect(await readTopupState(order)).toMatchObject({
      order: 'pending',
      items: ['unknown'],
      units: ['unknown'],
      balance: 0,
    })
    await passTime(6)
    await workOff(with_())
    expect(await readTopupState(order)).toMatchObject({ order: 'completed', items: ['delivered'], executions: 1 })
    expect(await readCalls(order)).toEqual(['sandbox submit unknown', 'sandbox look_up done'])
  })

  test('6003, which never arrived, is sent again under its key once that is certain', async () => {
    const order = await anOrderFor('6003')
    await workOff(with_())
    expect(await readTopupState(order)).toMatchObject({ items: ['unknown'], executions: 0 })
    await passTime(6)
    await workOff(with_())
    expect(await readTopupState(order)).toMatchObject({ order: 'completed', executions: 1 })
    expect(await readCalls(order)).toEqual([
      'sandbox submit unknown',
      'sandbox look_up not_found',
      'sandbox submit done',
    ])
  })

  test('6004, of which nothing is ever heard, is never sent again nor refunded, but given to the operator', async () => {
    const order = await anOrderFor('6004')
    for (let time = 0; time < 5; time++) {
      await workOff(with_())
      await passTime(100)
    }
    expect(await readTopupState(order)).toMatchObject({ items: ['unknown'], units: ['unknown'], balance: 0 })
    await passTime(15 * 60)
    await workOff(with_())
    expect(await readTopupState(order)).toMatchObject({ order: 'pending', units: ['unknown (operator)'], balance: 0 })
    expect((await readCalls(order)).filter((call) => call.includes('submit'))).toHaveLength(1)
    const alerts = await shop.database.rows(sql`SELECT FROM alert WHERE details ->> 'order' = ${order.orderId}`)
    expect(alerts).toHaveLength(1)
  })

  test('6005 is done late, and told of twice', async () => {
    const order = await anOrderFor('6005')
    const store = with_()
    await workOff(store)
    expect(await readTopupState(order)).toMatchObject({ items: ['pending'], units: ['sent'], executions: 0 })
    await shop.database.run(
      sql`UPDATE sandbox_topup SET done_at = now() - interval '1 second' WHERE status = 'pending'`,
    )
    await passTime(100)
    await workOff(store)
    expect(await readTopupState(order)).toMatchObject({ order: 'completed', executions: 1 })
  })

  test('6006, for want of money there, is refunded, and the operator is told', async () => {
    const order = await anOrderFor('6006')
    await workOff(with_())
    expect(await readTopupState(order)).toMatchObject({ order: 'refunded', balance: 100 })
    expect(await shop.database.rows(sql`SELECT FROM alert WHERE kind = 'supplier.float'`)).toHaveLength(1)
  })
})

test('a supplier is told all it needs to know, and nothing of the buyer', async () => {
  await sellTopups(shop)
  const buyer = await aUser(shop, { usd: 10_000 })
  const pubg = await topupOffer(shop, 'pubg', 60)
  const asked: SupplierRequest[] = []
  const real = sandboxSupplier.create({}, shop)
  const order: Supplier['order'] = async (request) => {
    asked.push(request)
    return real.order(request)
  }
  const player = aPlayer()
  const answers = [
    await orderTopup(shop, buyer, steamTopup(tenDollars)),
    await orderTopup(shop, buyer, pubgTopup([[pubg, 2]], player)),
  ]
  expect(answers.map(({ status }) => status)).toEqual([201, 201])
  await workOff(with_({ ...real, order }))
  const key = expect.stringMatching(/^[0-9a-f-]{36}$/)
  const cents = (amount: number) => BigInt(amount) * 1_000_000n
  const account = { player_id: player }
  const ofPubg = { key, wanted: 'topup', account, item: pubg.itemId, costAtMost: cents(pubg.priceUsd) }
  const steam = { amount: 1_000, currency: 'usd' }
  expect(asked.toSorted((a, b) => a.wanted.localeCompare(b.wanted))).toEqual([
    { key, wanted: 'amount', account: { login: 'gabe' }, item: null, steam, costAtMost: cents(1_030) },
    ofPubg,
    ofPubg,
  ])
  expect(new Set(asked.map((request) => request.key)).size).toBe(3)
})

describe('routes', () => {
  const refusing = () => scripted('fazercards', () => rejected('refused'))

  test('the next supplier is asked after a no, with a key of its own', async () => {
    const order = await anOrderFor('1000')
    const { supplier } = refusing()
    await workOff(with_(supplier, sandboxSupplier.create({}, shop)))
    expect(await readCalls(order)).toEqual(['fazercards submit rejected', 'sandbox submit done'])
    expect(await readTopupState(order)).toMatchObject({ order: 'completed', executions: 1 })
  })

  test('nobody else is asked while the first may have done it', async () => {
    const order = await anOrderFor('1000')
    const { supplier, calls } = scripted('fazercards', () => unknown('timeout'))
    const store = with_(supplier, sandboxSupplier.create({}, shop))
    for (let time = 0; time < 4; time++) {
      await workOff(store)
      await passTime(3_600)
    }
    expect(await readTopupState(order)).toMatchObject({ units: ['unknown (operator)'], executions: 0 })
    expect(calls).toEqual(['order', 'look_up', 'look_up', 'look_up'])
    await shop.database.run(sql`UPDATE delivery SET next_at = NULL WHERE state = 'unknown'`)
  })

  test('the operator comes last, and waits for nobody', async () => {
    const order = await anOrderFor('6001')
    await workOff(with_(sandboxSupplier.create({}, shop), manual.create()))
    expect(await readTopupState(order)).toMatchObject({ order: 'pending', units: ['sent (operator)'], balance: 0 })
    await passTime()
    expect(await deliverNext(with_(manual.create()))).toBe(false)
  })

  test('a supplier that gives two orders one name has not said what became of the second', async () => {
    const { supplier } = scripted('kinguin', () => done({ supplierOrderId: 'the same', status: 'done' }))
    const [first, second] = [await anOrderFor('1000'), await anOrderFor('1000')]
    await workOff(with_(supplier))
    const states = [await readTopupState(first), await readTopupState(second)].map(({ items }) => items[0])
    expect(states.toSorted()).toEqual(['delivered', 'unknown'])
    await shop.database.run(sql`UPDATE delivery SET next_at = NULL, operator_since = now() WHERE state = 'unknown'`)
  })
})

describe('many workers', () => {
  test('deliver each unit once, whatever they are', async () => {
    const endings = ['1000', '6001', '6002', '6003', '6007', '1000']
    const orders = await Promise.all(
      Array.from({ length: 30 }, (_, index) => anOrderFor(endings[index % endings.length] as string, { quantity: 2 })),
    )
    for (let time = 0; time < 3; time++) {
      await Promise.all(Array.from({ length: 20 }, () => workOff(with_())))
      await passTime(10)
    }
    for (const [index, order] of orders.entries()) {
      const isRejected = endings[index % endings.length] === '6001'
      expect(await readTopupState(order)).toMatchObject(
        isRejected
          ? { order: 'refunded', balance: 200, executions: 0 }
          : { order: 'completed', balance: 0, executions: 2 },
      )
    }
  })

  test('one that was frozen comes back too late: what it writes is refused', async () => {
    const order = await anOrderFor('1000')
    const real = sandboxSupplier.create({}, shop)
    const frozen = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    const late: Supplier = {
      ...real,
      order: async (request) => {
        reached.resolve()
        await frozen.promise
        return rejected(`too late for ${request.account}`)
      },
    }
    const working = deliverNext(with_(late))
    await reached.promise
    expect(await deliverNext(with_())).toBe(false)
    await passTime(90)
    await workOff(with_())
    const settled = await readTopupState(order)
    expect(settled).toMatchObject({ order: 'completed', executions: 1 })
    frozen.resolve()
    await working
    expect(await readTopupState(order)).toEqual(settled)
    expect(await readCalls(order)).toEqual(['sandbox submit -', 'sandbox look_up not_found', 'sandbox submit done'])
  })
})
