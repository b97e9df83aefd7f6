import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { expectSound } from '../../../test/card-orders.ts'
import { startG2bulk } from '../../../test/doubles/g2bulk.ts'
import { startShop, type TestShop } from '../../../test/shop.ts'
import {
  aTopupOffer,
  aTopupOrder,
  passDeliveryTime,
  readTopupState,
  type TopupOrder,
  workOff,
} from '../../../test/topup-orders.ts'
import { sql } from '../../platform/database/queries.ts'

let vendor: Awaited<ReturnType<typeof startG2bulk>>
let shop: TestShop
beforeAll(async () => {
  vendor = await startG2bulk()
  shop = await startShop({
    SUPPLIERS: 'g2bulk,manual',
    PUBLIC_URL: 'https://shop.example',
    ALLOW_SANDBOX: '1',
    G2BULK_API_KEY: vendor.apiKey,
    G2BULK_BASE_URL: vendor.url,
  })
})
afterAll(async () => {
  await shop.close()
  await vendor.close()
})
afterEach(() => expectSound(shop))

const anOrder = async (): Promise<TopupOrder> => aTopupOrder(shop, { offer: await aTopupOffer(shop, 'pubgm/60 UC') })

const toKey = async ({ orderId }: TopupOrder) =>
  (
    await shop.database.one<{ key: string }>(sql`
      SELECT key FROM supplier_order JOIN delivery ON delivery.id = delivery_id
      JOIN order_item ON order_item.id = order_item_id WHERE order_id = ${orderId} AND supplier = 'g2bulk'`)
  ).key

const tell = async (key: string, remark?: string) => {
  const { body } = vendor.webhook(key, remark)
  const { pathname } = new URL(vendor.orders.at(-1)?.callback_url ?? 'http://nowhere')
  const headers = { 'content-type': 'application/json' }
  return (await shop.app.inject({ method: 'POST', url: pathname, payload: body, headers })).statusCode
}

test('a top-up is under way until its webhook, which went to the address that the order named', async () => {
  const order = await anOrder()
  await workOff(shop)
  expect(await readTopupState(shop, order)).toMatchObject({ order: 'pending', units: ['sent'] })
  const key = await toKey(order)
  // What it says is not believed.
  expect(await tell(key)).toBe(200)
  await workOff(shop)
  expect(await readTopupState(shop, order)).toMatchObject({ units: ['sent'] })
  vendor.set(key, { status: 'COMPLETED' })
  expect(await tell(key, 'another remark')).toBe(400)
  await workOff(shop)
  expect(await readTopupState(shop, order)).toMatchObject({ units: ['sent'] })
  expect(await tell(key)).toBe(200)
  await workOff(shop)
  expect(await readTopupState(shop, order)).toMatchObject({ order: 'completed', units: ['done'] })
})

test.each([
  [23, 'sends it again under its key'],
  [25, 'looks for it in the list'],
])('after %i minutes without an answer a look-up %s, and it is bought once', async (minutes) => {
  const order = await anOrder()
  vendor.fault = 'broken-after'
  await workOff(shop)
  vendor.fault = undefined
  const key = await toKey(order)
  if (minutes > 24) vendor.forgetKeys()
  vendor.set(key, { status: 'COMPLETED' })
  await shop.database.run(
    sql`UPDATE supplier_order SET sent_at = sent_at - make_interval(mins => ${minutes}) WHERE key = ${key}`,
  )
  for (let look = 0; look < 2; look++) {
    await passDeliveryTime(shop, 700)
    await workOff(shop)
  }
  expect(vendor.executions(key)).toBe(1)
  expect(await readTopupState(shop, order)).toMatchObject({ order: 'completed' })
})
