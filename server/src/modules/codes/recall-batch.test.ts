import { expect, test } from 'vitest'
import { fillCart, payFromBalance, useCardShop } from '../../../test/card-orders.ts'
import { anOffer, aUser, type TestOffer, type TestUser } from '../../../test/factories.ts'
import { aPool } from '../../../test/game-codes.ts'
import { useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { listBuyers } from './batches.ts'

const shop = useCardShop()
const admin = useUser(shop, { role: 'admin' })

const ask = (method: 'GET' | 'POST', path: string, body?: object) =>
  shop.call(method, `/admin${path}`, { token: admin.token, ...(body && { body }) })
const recall = (batchId: number) => ask('POST', `/code-batches/${batchId}/recall`, { reason: 'bad codes' })
const readBuyers = async (batchId: number) => (await ask('GET', `/code-batches/${batchId}/buyers?pageSize=200`)).body

const readBatch = async ({ id }: TestOffer) =>
  (await shop.database.one<{ id: number }>(sql`SELECT min(batch_id) AS id FROM code WHERE offer_id = ${id}`)).id
const toStatuses = async (batchId: number) => (await ask('GET', `/code-batches/${batchId}`)).body.data.counts

/** Buys one; returns the order's id, or undefined when the store refused. */
async function buy(offer: TestOffer, quantity = 1): Promise<{ buyer: TestUser; orderId: string | undefined }> {
  const buyer = await aUser(shop, { usd: 1_000 })
  await fillCart(shop, buyer, offer, quantity)
  return { buyer, orderId: (await payFromBalance(shop, buyer)).body.order?.id }
}

test('a search that too many orders fit looks at so many of the newest codes', async () => {
  const offer = await anOffer(shop, { stock: 3 })
  const batchId = await readBatch(offer)
  const sold = [await buy(offer), await buy(offer), await buy(offer)]
  const page = {
    page: 1,
    pageSize: 50,
    order: 'desc' as const,
    batchId,
    isRecalled: false,
    search: 'user_',
    orderIds: undefined,
  }
  const found = async (lookedAt: number) =>
    (await listBuyers(shop.database, { ...page, lookedAt })).map((buyer) => buyer.order_id)
  expect(await found(3)).toEqual(sold.map(({ orderId }) => orderId).reverse())
  expect(await found(2)).toEqual((await found(3)).slice(0, 2))
  const small = await ask('GET', `/code-batches/${batchId}/buyers?search=user_`)
  expect(small.body).toMatchObject({ total: 3, looked_at: null })
})

test('what is left goes off the shelf, and who has the others is listed', async () => {
  const offer = await anOffer(shop, { stock: 5 })
  const batchId = await readBatch(offer)
  const { buyer, orderId } = await buy(offer, 2)
  await shop.call('GET', `/orders/${orderId}`, { token: buyer.token })
  const { status, body } = await recall(batchId)
  expect([status, body.data]).toMatchObject([
    200,
    { counts: { quarantined: 3, used: 2 }, recall_reason: 'bad codes', recalled_at: expect.any(String) },
  ])
  const { data, total } = await readBuyers(batchId)
  expect(total).toBe(2)
  expect(data[0]).toMatchObject({
    order_id: orderId,
    nickname: buyer.nickname,
    item_quantity: 2,
    unit_price: 1,
    currency: 'usd',
    seen_at: expect.any(String),
  })
  expect(
    (await ask('GET', `/code-batches/${batchId}/buyers?search=${orderId?.slice(2, 8).toLowerCase()}`)).body.total,
  ).toBe(2)
  expect((await ask('GET', `/code-batches/${batchId}/buyers?search=%25`)).body.total).toBe(0)
  expect((await shop.call('GET', `/products/${offer.productId}/codes/0`)).body).toMatchObject([{ available_count: 0 }])
  const { body: audit } = await ask('GET', `/audit?subject=batch:${batchId}&action=codes.recall`)
  expect(audit.data[0].after).toMatchObject({ reason: 'bad codes', quarantined: 3 })
})

test('a code of the pool that was marked as bad is recalled too, and does not come back with another import', async () => {
  const { denominationId, ids, codes } = await aPool(shop, admin, 2)
  const asPool = (method: 'PUT' | 'POST', path: string, body: object) =>
    shop.call(method, `/pubg-admin/codes${path}`, { token: admin.token, body })
  expect((await asPool('PUT', `/${ids[0]}`, { status: 'error' })).status).toBe(200)
  const { batch_id } = await shop.database.one<{ batch_id: number }>(
    sql`SELECT batch_id FROM code WHERE id = ${ids[0] as number}`,
  )
  expect((await recall(batch_id)).body.data.counts).toEqual({ quarantined: 2 })
  const archived = await asPool('PUT', `/${ids[0]}`, { status: 'archived' })
  expect([archived.status, archived.body.error?.details.reason]).toEqual([409, 'code_not_in_stock'])
  const again = await asPool('POST', '/bulk', { denomination_id: denominationId, lines: codes })
  expect(again.body.data).toMatchObject({ added: 0, duplicates: [1, 2] })
})

test('a second recall says who was first, and nothing is added to the batch', async () => {
  const offer = await anOffer(shop)
  const lines = ['RECALLED-1,1,80,100']
  const body = { productId: offer.productId, regionId: 0 }
  const { body: report } = await ask('POST', '/codes/bulk', { ...body, lines })
  await recall(report.batch_id)
  const again = await recall(report.batch_id)
  expect([again.status, again.body.error.details.batch]).toEqual([409, 'recalled'])
  expect((await recall(9_999_999)).status).toBe(404)
  const more = await ask('POST', '/codes/bulk', { ...body, lines: ['RECALLED-2,1,80,100'], batchId: report.batch_id })
  expect([more.status, more.body.error.details]).toEqual([404, { batchId: 'not_found' }])
})

test('a refund gives the money and not the shelf: unseen codes of it are not sold again', async () => {
  const offer = await anOffer(shop, { stock: 2 })
  const batchId = await readBatch(offer)
  const { orderId } = await buy(offer)
  await recall(batchId)
  const refunded = await ask('POST', `/orders/${orderId}/refund`, { to: 'wallet', reason: 'recalled' })
  expect(refunded.status).toBe(200)
  expect(await toStatuses(batchId)).toEqual({ quarantined: 2 })
  const { timeline } = (await ask('GET', `/orders/${orderId}`)).body.data
  expect(timeline.find(({ kind }: { kind: string }) => kind === 'codes_returned').details).toMatchObject({
    quarantined: 1,
  })
})

test('a replacement is of another batch', async () => {
  const offer = await anOffer(shop, { stock: 2 })
  const batchId = await readBatch(offer)
  const { orderId } = await buy(offer)
  await recall(batchId)
  const [{ code_id }] = (await readBuyers(batchId)).data
  const replace = () => ask('POST', `/orders/${orderId}/codes/${code_id}/replace`, { reason: 'recalled' })
  expect((await replace()).body.error.code).toBe('OUT_OF_STOCK')
  await ask('POST', '/codes/bulk', { productId: offer.productId, regionId: 0, lines: [`GOOD-${offer.id},1,80,100`] })
  expect((await replace()).status).toBe(200)
  expect((await readBuyers(batchId)).total).toBe(0)
})

test('while people buy and give back, every code is sold or off the shelf', { timeout: 60_000 }, async () => {
  const offer = await anOffer(shop, { stock: 40 })
  const batchId = await readBatch(offer)
  const early = await Promise.all(Array.from({ length: 10 }, () => buy(offer)))
  const [, ...late] = await Promise.all([
    recall(batchId),
    ...early.map(({ orderId }) => ask('POST', `/orders/${orderId}/refund`, { to: 'wallet', reason: 'wanted' })),
    ...Array.from({ length: 20 }, () => buy(offer)),
  ])
  const sold = late.filter((one) => 'orderId' in one && one.orderId !== undefined).length
  expect(await toStatuses(batchId)).toEqual({ quarantined: 40 - sold, ...(sold > 0 && { used: sold }) })
  expect((await readBuyers(batchId)).total).toBe(sold)
})
