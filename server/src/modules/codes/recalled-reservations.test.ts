import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  aCardOrder,
  act,
  expectSound,
  fillCart,
  passTime,
  payFromBalance,
  readAlerts,
  startCardShop,
} from '../../../test/card-orders.ts'
import { anOffer, aUser, type TestOffer, type TestUser } from '../../../test/factories.ts'
import type { TestShop } from '../../../test/shop.ts'
import { untilWaiting } from '../../../test/waiting.ts'
import { sql } from '../../platform/database/queries.ts'
import { expireOverdueOrders } from '../checkout/expire-order.ts'
import { recallBatch } from './batches.ts'

let shop: TestShop
let admin: TestUser
beforeAll(async () => {
  shop = await startCardShop()
  admin = await aUser(shop, { role: 'admin' })
})
afterAll(() => shop.close())
afterEach(() => expectSound(shop))

const ask = (method: 'GET' | 'POST', path: string, body?: object) =>
  shop.call(method, `/admin${path}`, { token: admin.token, ...(body && { body }) })
const recall = (batchId: number) => ask('POST', `/code-batches/${batchId}/recall`, { reason: 'stolen' })
const readBuyers = async (batchId: number, query = '') =>
  (await ask('GET', `/code-batches/${batchId}/buyers?pageSize=200${query}`)).body
const readCounts = async (batchId: number) => (await ask('GET', `/code-batches/${batchId}`)).body.data.counts
const readBatch = async ({ id }: TestOffer) =>
  (await shop.database.one<{ id: number }>(sql`SELECT min(batch_id) AS id FROM code WHERE offer_id = ${id}`)).id

const importGood = (offer: TestOffer, count: number) =>
  ask('POST', '/codes/bulk', {
    productId: offer.productId,
    regionId: 0,
    lines: Array.from({ length: count }, (_, index) => `GOOD-${offer.id}-${index},1,80,${offer.gameAmount}`),
  })

async function buy(offer: TestOffer, quantity = 1) {
  const buyer = await aUser(shop, { usd: 1_000 })
  await fillCart(shop, buyer, offer, quantity)
  return { buyer, orderId: (await payFromBalance(shop, buyer)).body.order.id as string }
}
const readReceipt = async ({ buyer, orderId }: { buyer: TestUser; orderId: string }) =>
  (await shop.call('GET', `/orders/${orderId}`, { token: buyer.token })).body
const readWallet = async ({ id }: TestUser) =>
  (
    await shop.database.one<{ balance: number }>(
      sql`SELECT balance FROM account WHERE user_id = ${id} AND currency = 'USD'`,
    )
  ).balance

describe('what an unpaid order has in reserve of a recalled batch', () => {
  test('is not sold: another code of the package is', async () => {
    const order = await aCardOrder(shop, { stock: 3, quantity: 2 })
    const batchId = await readBatch(order.offer)
    await recall(batchId)
    await importGood(order.offer, 2)
    await act(shop, order, 'pay')
    const receipt = await readReceipt(order)
    expect(receipt.status).toBe('completed')
    expect(receipt.items[0].code.split('\n').sort()).toEqual([`GOOD-${order.offer.id}-0`, `GOOD-${order.offer.id}-1`])
    expect(await readCounts(batchId)).toEqual({ quarantined: 3 })
  })

  test.each(['in time', 'late'] as const)(
    'is not sold: without another, money that came %s is in the wallet',
    async (when) => {
      const order = await aCardOrder(shop, { stock: 2, quantity: 2 })
      const batchId = await readBatch(order.offer)
      await importGood(order.offer, 1)
      await recall(batchId)
      if (when === 'late') {
        await passTime(shop, order.orderId)
        await expireOverdueOrders(shop.database)
      }
      await act(shop, order, 'pay')
      expect((await readReceipt(order)).status).toBe('expired')
      expect(await readWallet(order.buyer)).toBe(order.amount)
      expect(await readAlerts(shop, order.orderId)).toEqual(['payment.out_of_stock'])
      expect(await readCounts(batchId)).toEqual({ quarantined: 2 })
    },
  )

  test('is sold before the recall or not at all, whoever is quicker', { timeout: 60_000 }, async () => {
    const offer = await anOffer(shop, { stock: 20 })
    const batchId = await readBatch(offer)
    const orders = await Promise.all(Array.from({ length: 20 }, () => aCardOrder(shop, { offer })))
    await Promise.all(
      [...orders.slice(0, 10), undefined, ...orders.slice(10)].map((order) =>
        order ? act(shop, order, 'pay') : recall(batchId),
      ),
    )
    const { used = 0, quarantined = 0, ...rest } = await readCounts(batchId)
    expect([used + quarantined, rest]).toEqual([20, {}])
    const wallets = await Promise.all(orders.map(({ buyer }) => readWallet(buyer)))
    expect(wallets.filter((balance) => balance > 0)).toHaveLength(quarantined)
    expect((await readBuyers(batchId)).total).toBe(used)
  })
})

test('who pays while a recall is under way waits for it, and so does who looks for the first time', async () => {
  const order = await aCardOrder(shop, { stock: 2 })
  const batchId = await readBatch(order.offer)
  const bought = await buy(order.offer)
  const calls = await shop.database.transaction(async (tx) => {
    await recallBatch(tx, { batchId, reason: 'stolen', adminId: admin.id })
    const paying = act(shop, order, 'pay')
    await untilWaiting(shop.database, 1)
    const looking = readReceipt(bought)
    await untilWaiting(shop.database, 2)
    return { paying, looking }
  })
  await calls.paying
  expect((await calls.looking).items[0]).toMatchObject({ code: null, withheld_codes: 1 })
  expect((await readReceipt(order)).status).toBe('expired')
  expect(await readCounts(batchId)).toEqual({ quarantined: 1, used: 1 })
})

describe('a sold code of a recalled batch that its buyer has not seen', () => {
  test('is withheld, and shown once it is replaced', async () => {
    const offer = await anOffer(shop, { stock: 2 })
    const batchId = await readBatch(offer)
    const order = await buy(offer, 2)
    await recall(batchId)
    const receipt = await readReceipt(order)
    expect(receipt.items[0]).toMatchObject({ code: null, withheld_codes: 2, status: 'delivered' })
    expect(
      await shop.database.rows(sql`SELECT FROM code_reveal JOIN code ON code.id = code_id WHERE batch_id = ${batchId}`),
    ).toEqual([])
    await importGood(offer, 1)
    const [{ code_id }] = (await readBuyers(batchId)).data
    expect(
      (await ask('POST', `/orders/${order.orderId}/codes/${code_id}/replace`, { reason: 'recalled' })).status,
    ).toBe(200)
    expect((await readReceipt(order)).items[0]).toMatchObject({ code: `GOOD-${offer.id}-0`, withheld_codes: 1 })
  })

  test('is withheld beside one that was seen, which goes on being shown', async () => {
    const offer = await anOffer(shop, { stock: 1 })
    const batchId = await readBatch(offer)
    const seen = await buy(offer)
    const before = await readReceipt(seen)
    await recall(batchId)
    expect((await readReceipt(seen)).items[0]).toEqual(before.items[0])
    expect(before.items[0].withheld_codes).toBe(0)
  })

  test('stands first in the list of buyers, whatever the order of the list', async () => {
    const offer = await anOffer(shop, { stock: 4 })
    const batchId = await readBatch(offer)
    const orders = [await buy(offer), await buy(offer), await buy(offer), await buy(offer)]
    for (const at of [0, 2]) await readReceipt(orders[at] as (typeof orders)[number])
    const ids = orders.map(({ orderId }) => orderId)
    const listed = async (query: string) =>
      (await readBuyers(batchId, query)).data.map((row: { order_id: string; is_withheld: boolean }) => [
        ids.indexOf(row.order_id),
        row.is_withheld,
      ])
    expect(await listed('&order=asc')).toEqual([0, 1, 2, 3].map((at) => [at, false]))
    await recall(batchId)
    const withheld = (...at: number[]) => at.map((one) => [one, true])
    const shown = (...at: number[]) => at.map((one) => [one, false])
    expect(await listed('&order=asc')).toEqual([...withheld(1, 3), ...shown(0, 2)])
    expect(await listed('&order=desc')).toEqual([...withheld(3, 1), ...shown(2, 0)])
    expect(await listed('&order=desc&search=user_')).toEqual([...withheld(3, 1), ...shown(2, 0)])
  })

  test('is shown before the recall or not at all, whoever is quicker', { timeout: 60_000 }, async () => {
    const offer = await anOffer(shop, { stock: 20 })
    const batchId = await readBatch(offer)
    const orders = await Promise.all(Array.from({ length: 20 }, () => buy(offer)))
    const answers = await Promise.all(
      [...orders.slice(0, 10), undefined, ...orders.slice(10)].map(async (order) => {
        if (order) return (await readReceipt(order)).items[0]
        await recall(batchId)
      }),
    )
    const isShown = (item: { code: string | null; withheld_codes: number }) => {
      expect([item.code !== null, item.withheld_codes]).toEqual([item.code !== null, item.code === null ? 1 : 0])
      return item.code !== null
    }
    const shown = answers.filter((item) => item && isShown(item)).length
    const { data } = await readBuyers(batchId)
    expect(data).toHaveLength(20)
    expect(data.filter((row: { seen_at: string | null }) => row.seen_at !== null)).toHaveLength(shown)
    // Reading again shows what was seen before, and no more.
    const again = await Promise.all(orders.map(async (order) => (await readReceipt(order)).items[0]))
    expect(again.filter(isShown)).toHaveLength(shown)
  })
})
