import { expect, test } from 'vitest'
import { aCoupon } from '../../../test/coupons.ts'
import { anOffer, aUser } from '../../../test/factories.ts'
import { hear } from '../../../test/heard.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })

const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
  shop.call(method, `/admin/coupons${path}`, { token: admin.token, body })

test('a coupon is added, found, changed and deleted, and its code is free again', async () => {
  const { productId } = await anOffer(shop)
  const terms = { percent: 12.34, least_usd: 5, least_rub: 400, max_uses: 100, product_ids: [productId] }
  const added = await call('POST', '', { ...terms, code: ' summer-10 ', note: 'For the channel' })
  expect(added.status).toBe(201)
  const coupon = added.body.data
  expect(coupon).toMatchObject({
    ...terms,
    code: 'SUMMER-10',
    max_uses_each: 1,
    used: 0,
    amount_usd: null,
    given_rub: 0,
  })
  const again = await call('POST', '', { percent: 5, code: 'Summer-10' })
  expect(again.body.error).toMatchObject({ code: 'DUPLICATE', details: { code: 'duplicate' } })

  const ends = new Date(Date.now() + 3_600_000).toISOString()
  const changed = await call('PUT', `/${coupon.id}`, {
    percent: null,
    amount_usd: 1,
    amount_rub: 80,
    product_ids: null,
    ends_at: ends,
    version: coupon.version,
  })
  expect(changed.body.data).toMatchObject({
    percent: null,
    amount_usd: 1,
    amount_rub: 80,
    product_ids: null,
    ends_at: ends,
  })
  for (const search of ['MMER', 'channel']) expect((await call('GET', `?search=${search}`)).body.total).toBe(1)
  expect((await call('DELETE', `/${coupon.id}`)).body.data).toEqual({ id: coupon.id })
  expect((await call('GET', '')).body).toEqual({ data: [], total: 0 })
  expect((await call('PUT', `/${coupon.id}`, { percent: 5 })).status).toBe(404)
  await aCoupon(shop, admin, { code: 'SUMMER-10' })
})

test.each([
  ['both kinds', { percent: 5, amount_usd: 1, amount_rub: 80 }, { percent: 'invalid' }],
  ['no kind', {}, { amount_usd: 'required' }],
  ['one currency', { amount_usd: 1 }, { amount_rub: 'required' }],
  ['more than all', { percent: 100.5 }, { percent: 'invalid_amount' }],
  ['nothing', { percent: 0 }, { percent: 'invalid_amount' }],
  ['three decimals', { percent: 5.125 }, { percent: 'invalid_amount' }],
  [
    'an end before its beginning',
    { percent: 5, starts_at: '2027-01-02T00:00:00Z', ends_at: '2027-01-01T00:00:00Z' },
    { ends_at: 'invalid_time' },
  ],
  [
    'an end at its beginning',
    { percent: 5, starts_at: '2027-01-01T00:00:00Z', ends_at: '2027-01-01T00:00:00Z' },
    { ends_at: 'invalid_time' },
  ],
  ['a product nobody sells', { percent: 5, product_ids: [999_999] }, { product_ids: 'invalid' }],
  ['a code in two alphabets', { percent: 5, code: 'ЛETO-1' }, { code: 'invalid_code_prefix' }],
  ['a code that is too short', { percent: 5, code: 'A' }, { code: 'required' }],
])('a coupon of %s is refused', async (_what, terms, details) => {
  const answer = await call('POST', '', { code: 'NEW-1', ...terms })
  expect([answer.status, answer.body.error.details]).toEqual([400, details])
})

test('a coupon is for no product that was deleted', async () => {
  const { productId } = await anOffer(shop)
  await shop.database.run(sql`UPDATE product SET deleted_at = now(), is_active = false WHERE id = ${productId}`)
  const answer = await call('POST', '', { code: 'GONE-1', percent: 5, product_ids: [productId] })
  expect([answer.status, answer.body.error.details]).toEqual([400, { product_ids: 'invalid' }])
})

test('a coupon whose product was deleted since can be changed, and gets no other that was deleted', async () => {
  const [lost, late] = [await anOffer(shop), await anOffer(shop)]
  const { id } = await aCoupon(shop, admin, { code: 'LOST-1', product_ids: [lost.productId] })
  await shop.database.run(sql`
    UPDATE product SET deleted_at = now(), is_active = false WHERE id = ANY (${[lost.productId, late.productId]}::int[])`)
  const changed = await call('PUT', `/${id}`, { is_active: false })
  expect([changed.status, changed.body.data]).toMatchObject([200, { is_active: false, product_ids: [lost.productId] }])
  const more = await call('PUT', `/${id}`, { product_ids: [lost.productId, late.productId] })
  expect([more.status, more.body.error.details]).toEqual([400, { product_ids: 'invalid' }])
})

test('every node is told of a change and of a deletion, and the audit trail keeps what there was', async () => {
  const payloads = await hear(shop.config.databaseUrl, 'catalogue', shop.log)
  const { id } = await aCoupon(shop, admin, { code: 'TOLD-1' })
  await call('PUT', `/${id}`, { percent: 20 })
  await expect.poll(() => payloads.length, { timeout: 30_000 }).toBe(2)
  await call('DELETE', `/${id}`)
  await expect.poll(() => payloads, { timeout: 30_000 }).toEqual([undefined, `coupon:${id}`, `coupon:${id}`])
  const audited = await shop.database.rows(sql`
    SELECT actor_id, action, before ->> 'percent' AS before FROM audit_entry WHERE subject = ${`coupon:${id}`} ORDER BY id`)
  expect(audited).toEqual([
    { actor_id: admin.id, action: 'coupon.create', before: null },
    { actor_id: admin.id, action: 'coupon.update', before: '10' },
    { actor_id: admin.id, action: 'coupon.delete', before: '20' },
  ])
})

test('of twenty admins who change a coupon at once one wins', async () => {
  const { id } = await aCoupon(shop, admin, { code: 'TWENTY-1' })
  const { version } = (await call('GET', '?search=TWENTY-1')).body.data[0]
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => call('PUT', `/${id}`, { percent: at + 20, version })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('a change keeps the use of those who have it, and counts as another version', async () => {
  const coupon = await aCoupon(shop, admin)
  const buyer = await aUser(shop, { usd: 1_000 })
  const offer = await anOffer(shop, { stock: 1 })
  const cart = {
    productId: offer.productId,
    gameAmount: offer.gameAmount,
    priceUsd: 1,
    priceRub: 80,
    gameCurrency: 'coins',
    quantity: 1,
    regionId: 0,
  }
  await shop.call('POST', '/cart/add', { token: buyer.token, body: cart })
  const before = (await call('GET', `?search=${coupon.code}`)).body.data[0]
  const body = { currency: 'USD', coupon: coupon.code, amount: 0.9 }
  expect((await shop.call('POST', '/payment/from-balance', { token: buyer.token, body })).status).toBe(201)
  // A use is no other version, so that an admin who is editing loses nothing.
  const changed = await call('PUT', `/${coupon.id}`, { percent: 20, version: before.version })
  expect(changed.body.data).toMatchObject({ used: 1, percent: 20, version: before.version + 1 })
})

test('a promotion carries a coupon, and shows it while it can be used', async () => {
  const coupon = await aCoupon(shop, admin)
  const promotions = (method: 'POST' | 'PUT', path: string, body: object) =>
    shop.call(method, `/admin/promotions${path}`, { token: admin.token, body })
  const shown = async () => (await shop.call('GET', '/promotions/active')).body[0]?.coupon
  const wanted = { text: 'Sale', background_color: '#112233' }
  expect((await promotions('POST', '', { ...wanted, coupon: 'NO-SUCH' })).body.error.details).toEqual({
    coupon: 'not_found',
  })
  const { id } = (await promotions('POST', '', { ...wanted, coupon: coupon.code.toLowerCase() })).body.data
  expect(await shown()).toBe(coupon.code)
  await call('PUT', `/${coupon.id}`, { is_active: false })
  expect(await shown()).toBeNull()
  await call('PUT', `/${coupon.id}`, { is_active: true })
  // What is left out stays.
  expect((await promotions('PUT', `/${id}`, { text: 'Still on' })).body.data.coupon).toBe(coupon.code)
  expect(await shown()).toBe(coupon.code)
  expect((await promotions('PUT', `/${id}`, { coupon: null })).body.data.coupon).toBeNull()
  expect(await shown()).toBeNull()
  await promotions('PUT', `/${id}`, { coupon: coupon.code })
  await call('DELETE', `/${coupon.id}`)
  expect(await shown()).toBeNull()
})
