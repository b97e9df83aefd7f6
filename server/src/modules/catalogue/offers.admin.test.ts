import { afterAll, beforeAll, expect, test } from 'vitest'
import { anOffer, aUser, type TestUser, toCart } from '../../../test/factories.ts'
import { startShop, type TestShop } from '../../../test/shop.ts'
import { sql } from '../../platform/database.ts'

let shop: TestShop
let admin: TestUser
beforeAll(async () => {
  shop = await startShop()
  admin = await aUser(shop, { role: 'admin' })
})
afterAll(() => shop.close())

const change = (id: number, body: unknown) => shop.call('PUT', `/admin/offers/${id}`, { token: admin.token, body })

test('packages of a product are listed with price, stock and flags', async () => {
  const small = await anOffer(shop, { stock: 2, gameAmount: 50 })
  const large = await anOffer(shop, { productId: small.productId, gameAmount: 500, priceUsd: 900, isPopular: true })
  const list = (query: string) =>
    shop.call('GET', `/admin/products/${small.productId}/offers${query}`, { token: admin.token })
  const all = await list('')
  expect(all.body).toMatchObject({
    data: [
      {
        id: small.id,
        game_amount: 50,
        price_usd: 1,
        price_rub: 80,
        available_count: 2,
        is_popular: false,
        is_active: true,
      },
      { id: large.id, game_amount: 500, price_usd: 9, available_count: 0, is_popular: true },
    ],
    total: 2,
  })
  expect((await list('?sort=price_usd&order=desc&pageSize=1')).body).toMatchObject({
    data: [{ id: large.id }],
    total: 2,
  })
  expect((await list('?search=500')).body.total).toBe(1)
  expect((await shop.call('GET', '/admin/products/999999/offers', { token: admin.token })).status).toBe(404)
})

test('a new price is a new version of the price, is audited, and a cart that saw the old one is not charged it', async () => {
  const offer = await anOffer(shop, { stock: 1 })
  const buyer = await aUser(shop, { usd: 1_000 })
  await shop.call('POST', '/cart/add', { token: buyer.token, body: toCart(offer) })
  const priced = await change(offer.id, { priceUsd: 1.29, isPopular: true, version: 1 })
  expect(priced.body.data).toMatchObject({ price_usd: 1.29, price_rub: 80, is_popular: true, version: 2 })
  const pay = await shop.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency: 'USD' } })
  expect(pay.body.error.code).toBe('PRICE_CHANGED')

  const prices = await shop.database.rows(
    sql`SELECT price_usd FROM offer_price WHERE offer_id = ${offer.id} ORDER BY version`,
  )
  expect(prices).toEqual([{ price_usd: 100 }, { price_usd: 129 }])
  const entries = await shop.database.rows(
    sql`SELECT before, after FROM audit_entry WHERE subject = ${`offer:${offer.id}`}`,
  )
  expect(entries).toEqual([
    { before: { price_usd: 1, is_popular: false }, after: { price_usd: 1.29, is_popular: true } },
  ])
})

test('an offer that was switched off leaves the shop; a stale edit is refused', async () => {
  const offer = await anOffer(shop, { stock: 1 })
  expect((await change(offer.id, { isActive: false })).body.data).toMatchObject({ is_active: false, version: 2 })
  expect((await shop.call('GET', `/products/${offer.productId}/codes/0`)).body).toEqual([])
  const stale = await change(offer.id, { priceUsd: 5, version: 1 })
  expect([stale.status, stale.body.error.details.current]).toMatchObject([409, { is_active: false, price_usd: 1 }])
})

test.each([{ priceUsd: 0 }, { priceRub: -1 }, { priceUsd: 1.001 }, { priceUsd: '1' }])(
  '%j is refused',
  async (body) => {
    const offer = await anOffer(shop)
    const answer = await change(offer.id, body)
    expect([answer.status, Object.values(answer.body.error.details)]).toEqual([400, ['invalid_amount']])
  },
)
