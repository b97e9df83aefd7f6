import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  aCardOrder,
  expectSound,
  fillCart,
  passTime,
  payFromBalance,
  startCardShop,
} from '../../../test/card-orders.ts'
import { anOffer, aUser, type TestOffer, type TestUser, toCart } from '../../../test/factories.ts'
import { aDenomination, aPool, someGenerated } from '../../../test/game-codes.ts'
import type { TestShop } from '../../../test/shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { expireOverdueOrders } from '../checkout/expire-order.ts'

let shop: TestShop
let admin: TestUser
beforeAll(async () => {
  shop = await startCardShop()
  admin = await aUser(shop, { role: 'admin' })
})
afterAll(() => shop.close())
afterEach(() => expectSound(shop))

const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
  shop.call(method, path, { token: admin.token, ...(body && { body }) })

const toStatuses = async ({ id }: { id: number }) =>
  (await shop.database.rows<{ status: string }>(sql`SELECT status FROM code WHERE offer_id = ${id} ORDER BY id`)).map(
    ({ status }) => status,
  )

const importInto = ({ productId, gameAmount }: TestOffer, codes: readonly string[], query = '') =>
  ask('POST', `/admin/codes/bulk${query}`, {
    productId,
    regionId: 0,
    lines: codes.map((code) => `${code},1,80,${gameAmount}`),
  })

async function expire(orderId: string): Promise<void> {
  await passTime(shop, orderId)
  await expireOverdueOrders(shop.database)
}

describe('what comes back of what was deleted', () => {
  test('is in the archive when its package is, and is sold by no package that is added afterwards', async () => {
    const order = await aCardOrder(shop, { stock: 1 })
    const { offer } = order
    expect((await ask('DELETE', `/admin/offers/${offer.id}`)).body.data).toMatchObject({ kept_codes: 1 })
    await expire(order.orderId)
    expect(await toStatuses(offer)).toEqual(['archived'])
    const again = await ask('POST', `/admin/products/${offer.productId}/offers`, {
      gameAmount: offer.gameAmount,
      priceUsd: 0.5,
      priceRub: 40,
    })
    expect(again.body.data.available_count).toBe(0)
    const other = await anOffer(shop)
    expect((await importInto(other, offer.codes)).body).toMatchObject({ added: 1, duplicates: [] })
  })

  test('is in the archive when its product is, together with what was on the shelf', async () => {
    const order = await aCardOrder(shop, { stock: 3, quantity: 2 })
    const { offer } = order
    const removed = await ask('DELETE', `/admin/products/${offer.productId}`)
    expect(removed.body.data).toMatchObject({ available_codes: 1 })
    expect(await toStatuses(offer)).toEqual(['reserved', 'reserved', 'archived'])
    await expire(order.orderId)
    expect(await toStatuses(offer)).toEqual(['archived', 'archived', 'archived'])
    const other = await anOffer(shop)
    expect((await importInto(other, offer.codes, '?dryRun=1')).body).toMatchObject({ added: 3, duplicates: [] })
    expect((await importInto(other, offer.codes)).body).toMatchObject({ added: 3, duplicates: [] })
    expect(await toStatuses(other)).toEqual(['available', 'available', 'available'])
    expect((await importInto(offer, offer.codes)).status).toBe(404)
  })

  test.each(['denomination', 'package', 'product'] as const)(
    'is off sale for good when the %s of a generated code is',
    async (what) => {
      const batch = await someGenerated(shop, admin, { count: 2 })
      const buyer = await aUser(shop, { usd: 1_000 })
      const offer = {
        id: batch.offerId,
        productId: batch.productId,
        gameAmount: batch.gameAmount,
        priceUsd: 100,
        priceRub: 8_000,
        regionId: 0,
      }
      await fillCart(shop, buyer, offer as TestOffer)
      const paid = await payFromBalance(shop, buyer)
      const path = {
        denomination: `/freefire-admin/denominations/${batch.denominationId}`,
        package: `/admin/offers/${batch.offerId}`,
        product: `/admin/products/${batch.productId}`,
      }[what]
      expect((await ask('DELETE', path)).status).toBe(200)
      await ask('POST', `/admin/orders/${paid.body.order.id}/refund`, { to: 'wallet', reason: 'a test' })
      expect(await toStatuses(offer)).toEqual(what === 'product' ? ['unpublished', 'unpublished'] : ['unpublished'])
      const publish = { ids: batch.codes.map(({ id }) => id), published: true }
      expect((await ask('POST', '/admin/generated-codes/publish', publish)).body.data).toEqual({ changed: 0 })
      const one = await ask('PUT', `/admin/generated-codes/${batch.codes[0]?.id}`, { published: true })
      expect([one.status, one.body.error.code]).toEqual([409, 'STATE_CONFLICT'])
      const stranger = await aUser(shop, { usd: 1_000 })
      const again = await shop.call('POST', '/cart/add', { token: stranger.token, body: toCart(offer as TestOffer) })
      expect(['OFFER_NOT_FOUND', 'OUT_OF_STOCK']).toContain(again.body.error.code)
    },
  )

  test('is never on the shelf, however many come back while the package is deleted', { timeout: 60_000 }, async () => {
    const offer = await anOffer(shop, { stock: 20 })
    const buyers = await Promise.all(Array.from({ length: 20 }, () => aUser(shop, { usd: 100 })))
    const orders = await Promise.all(
      buyers.map(async (buyer) => {
        await fillCart(shop, buyer, offer)
        return (await payFromBalance(shop, buyer)).body.order.id as string
      }),
    )
    const refund = (id: string) => ask('POST', `/admin/orders/${id}/refund`, { to: 'wallet', reason: 'a test' })
    const [removed, ...refunds] = await Promise.all([ask('DELETE', `/admin/offers/${offer.id}`), ...orders.map(refund)])
    expect([removed, ...refunds].map(({ status }) => status)).toEqual(Array.from({ length: 21 }, () => 200))
    expect(new Set(await toStatuses(offer))).toEqual(new Set(['archived']))
  })
})

describe('a code of the archive', () => {
  /** Makes one archived code. */
  async function archived(before: (offer: TestOffer, id: number) => Promise<unknown> = async () => undefined) {
    const offer = await anOffer(shop, { stock: 1 })
    const { id } = await shop.database.one<{ id: number }>(sql`SELECT id FROM code WHERE offer_id = ${offer.id}`)
    await before(offer, id)
    expect((await ask('PUT', `/admin/codes/${id}`, { status: 'archived' })).status).toBe(200)
    return { offer, id, code: offer.codes[0] as string }
  }

  test('that nobody has seen is imported elsewhere once, however many try', async () => {
    const { code, id } = await archived()
    const others = await Promise.all(Array.from({ length: 20 }, () => anOffer(shop)))
    const answers = await Promise.all(others.map((other) => importInto(other, [code])))
    expect(answers.map(({ body }) => body.added).sort()).toEqual([...Array.from({ length: 19 }, () => 0), 1])
    expect(await shop.database.rows(sql`SELECT FROM code WHERE id = ${id}`)).toEqual([])
  })

  test('is added by hand elsewhere, and into a pool', async () => {
    const one = await archived()
    const other = await anOffer(shop)
    const body = { code: one.code, gameAmount: 100, priceUsd: 1, priceRub: 80, productId: other.productId, regionId: 0 }
    expect((await ask('POST', '/admin/codes', body)).status).toBe(201)
    expect(await toStatuses(other)).toEqual(['available'])

    const pool = await aPool(shop, admin, 3)
    const { id: to } = await aDenomination(shop, admin, 'pubg')
    for (const id of pool.ids) await ask('PUT', `/pubg-admin/codes/${id}`, { status: 'archived' })
    const [first, ...others] = pool.codes
    expect((await ask('POST', '/pubg-admin/codes', { denomination_id: to, code: first })).status).toBe(201)
    const many = await ask('POST', '/pubg-admin/codes/bulk', { denomination_id: to, lines: others })
    expect(many.body.data ?? many.body).toMatchObject({ added: 2, duplicates: [] })
    expect(await toStatuses({ id: to })).toEqual(['available', 'available', 'available'])
  })

  test('that somebody has seen is in stock once, ever', async () => {
    const { code } = await archived((_, id) => ask('POST', `/admin/codes/${id}/reveal`))
    expect((await importInto(await anOffer(shop), [code])).body).toMatchObject({ added: 0, duplicates: [1] })
  })

  test('that was ever sold is in stock once, ever', async () => {
    const offer = await anOffer(shop, { stock: 1 })
    const buyer = await aUser(shop, { usd: 100 })
    await fillCart(shop, buyer, offer)
    const paid = await payFromBalance(shop, buyer)
    await ask('DELETE', `/admin/offers/${offer.id}`)
    await ask('POST', `/admin/orders/${paid.body.order.id}/refund`, { to: 'wallet', reason: 'a test' })
    expect(await toStatuses(offer)).toEqual(['archived'])
    const other = await anOffer(shop)
    for (const query of ['?dryRun=1', '']) {
      expect((await importInto(other, offer.codes, query)).body).toMatchObject({ added: 0, duplicates: [1] })
    }
  })

  test('is imported while an admin looks at it only if nobody saw it', { timeout: 60_000 }, async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => archived()))
    const other = await anOffer(shop)
    const answers = await Promise.all(
      all.map(({ id, code }) => Promise.all([ask('POST', `/admin/codes/${id}/reveal`), importInto(other, [code])])),
    )
    // The quicker of the two has it: the admin, or the other package.
    expect(answers.map(([seen, { body }]) => [seen.status, body.added])).toEqual(
      answers.map(([seen]) => (seen.status === 200 ? [200, 0] : [404, 1])),
    )
  })
})
