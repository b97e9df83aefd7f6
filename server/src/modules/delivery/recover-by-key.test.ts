import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { expectSound } from '../../../test/card-orders.ts'
import { type SeagmDouble, startSeagm } from '../../../test/doubles/seagm.ts'
import type { Fault } from '../../../test/doubles/vendor-double.ts'
import { startShop, type TestShop } from '../../../test/shop.ts'
import { aTopupOffer, aTopupOrder, passDeliveryTime, readTopupState, workOff } from '../../../test/topup-orders.ts'
import { sql } from '../../platform/database/queries.ts'

let vendor: SeagmDouble
let shop: TestShop
beforeAll(async () => {
  vendor = await startSeagm()
  Object.assign(vendor.types['recharge/1060'] ?? {}, { unit_price: '0.88', currency: 'USD' })
  shop = await startShop({
    SUPPLIERS: 'seagm',
    SEAGM_UID: vendor.uid,
    SEAGM_SECRET_KEY: vendor.secretKey,
    SEAGM_BASE_URL: vendor.url,
  })
})
afterAll(async () => {
  await shop.close()
  await vendor.close()
})
afterEach(() => expectSound(shop))

const orderOne = async () => aTopupOrder(shop, { offer: await aTopupOffer(shop, '1060') })
const countPosts = () => vendor.requests.filter(({ method }) => method === 'POST').length
const readKey = async (orderId: string) =>
  (
    await shop.database.one<{ key: string }>(sql`
      SELECT key FROM supplier_order JOIN delivery ON delivery.id = delivery_id
      JOIN order_item ON order_item.id = order_item_id WHERE order_id = ${orderId}`)
  ).key
const passSeconds = async (seconds: number) => {
  await passDeliveryTime(shop, seconds)
  await shop.database.run(sql`UPDATE supplier_order SET sent_at = sent_at - make_interval(secs => ${seconds})`)
}

test.each<Fault>(['broken-after', 'hang-up', 'html'])(
  '%s: an order whose answer was lost is found by its key, and its callback ends it',
  async (fault) => {
    const order = await orderOne()
    const before = countPosts()
    vendor.fault = fault
    await workOff(shop)
    vendor.fault = undefined
    expect(await readTopupState(shop, order)).toMatchObject({ units: ['unknown'] })
    await passSeconds(60)
    await workOff(shop)
    expect(await readTopupState(shop, order)).toMatchObject({ order: 'pending', units: ['sent'] })

    const key = await readKey(order.orderId)
    vendor.set(key, { status_code: 10_003 })
    const { body, headers } = vendor.callback(key)
    const url = '/api/supplier/webhook/seagm'
    const answer = await shop.app.inject({ method: 'POST', url, payload: body, headers })
    expect([answer.statusCode, answer.body]).toEqual([200, 'success'])
    await workOff(shop)
    expect(await readTopupState(shop, order)).toMatchObject({ order: 'completed', units: ['done'] })
    expect(countPosts() - before).toBe(1)
  },
)

test.each<Fault>(['broken-before', 'too-many', 'hang-up', 'html'])(
  '%s: an order whose price could not be read was never sent, and begins again',
  async (fault) => {
    const order = await orderOne()
    const before = countPosts()
    vendor.readFault = fault
    await workOff(shop)
    await passSeconds(31)
    await workOff(shop)
    vendor.readFault = undefined
    expect(countPosts()).toBe(before)
    expect(await readTopupState(shop, order)).toMatchObject({ order: 'pending', units: ['queued'], balance: 0 })
    await workOff(shop)
    expect(countPosts()).toBe(before)
    await passSeconds(61)
    await workOff(shop)
    expect(countPosts()).toBe(before + 1)
    expect(await readTopupState(shop, order)).toMatchObject({ order: 'pending', units: ['sent'] })
  },
)

test("an order that can not be found by its key is never sent again by itself, and becomes the operator's", async () => {
  const order = await orderOne()
  const before = countPosts()
  vendor.fault = 'broken-before'
  await workOff(shop)
  vendor.fault = undefined
  for (const seconds of [200, 200, 3_600]) {
    await passSeconds(seconds)
    await workOff(shop)
    expect(countPosts() - before).toBe(1)
  }
  expect(await readTopupState(shop, order)).toMatchObject({ order: 'pending', units: ['unknown (operator)'] })
})
