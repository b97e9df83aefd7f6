import { describe, expect, test } from 'vitest'
import { anOffer, aUser, toCart } from '../../../test/factories.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { untilWaiting } from '../../../test/waiting.ts'
import { sql } from '../../platform/database/queries.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })

const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
  shop.call(method, `/admin/regions${path}`, { token: admin.token, body })

const readAudit = (subject: string) =>
  shop.database.rows<{ action: string; before: unknown; after: unknown }>(
    sql`SELECT action, before, after FROM audit_entry WHERE subject = ${subject} ORDER BY id`,
  )

test('a region is added, found, changed and deleted, and each is written down', async () => {
  const added = await call('POST', '', { name: 'Türkiye', code: 'tr', flag: '🇹🇷' })
  expect(added.status).toBe(201)
  const region = added.body.data
  expect(region).toMatchObject({
    name: 'Türkiye',
    code: 'TR',
    flag: '🇹🇷',
    is_active: true,
    version: 1,
    offers_count: 0,
  })
  expect((await call('GET', '?search=türk')).body).toEqual({ data: [region], total: 1 })

  const changed = await call('PUT', `/${region.id}`, { is_active: false, translations: { uz: 'Turkiya' }, version: 1 })
  expect(changed.body.data).toEqual({ ...region, is_active: false, translations: { uz: 'Turkiya' }, version: 2 })
  const found = async (search: string) => (await call('GET', `?search=${search}`)).body.total
  expect([await found('turkiy'), await found('uz')]).toEqual([1, 0])
  const blanked = await call('PUT', `/${region.id}`, { translations: { uz: '' } })
  expect(blanked.body.data.translations).toEqual({})
  expect((await call('DELETE', `/${region.id}`)).body.data).toEqual({ id: region.id, products_count: 0 })
  expect((await call('DELETE', `/${region.id}`)).status).toBe(404)
  expect(await readAudit(`region:${region.id}`)).toMatchObject([
    { action: 'region.create', before: null, after: { code: 'TR' } },
    { action: 'region.update', before: { is_active: true }, after: { is_active: false } },
    { action: 'region.update', before: { translations: { uz: 'Turkiya' } }, after: { translations: {} } },
    { action: 'region.delete', before: { code: 'TR' }, after: null },
  ])
})

test('a code that another region has is DUPLICATE', async () => {
  await call('POST', '', { name: 'Kazakhstan', code: 'KZ' })
  const again = await call('POST', '', { name: 'Qazaqstan', code: 'kz' })
  expect([again.status, again.body.error]).toMatchObject([409, { code: 'DUPLICATE', details: { code: 'duplicate' } }])
})

test('of two admins who edit the same version the second is told what is there now', async () => {
  const { id } = (await call('POST', '', { name: 'Europe', code: 'EU' })).body.data
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => call('PUT', `/${id}`, { name: `Europe ${n}`, version: 1 })),
  )
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
  const winner = answers.find((answer) => answer.status === 200)?.body.data
  const losers = answers.filter((answer) => answer.status === 409)
  expect(losers).toHaveLength(19)
  for (const loser of losers) {
    expect(loser.body.error).toMatchObject({
      code: 'STATE_CONFLICT',
      details: { current: { name: winner.name, version: 2 } },
    })
  }
})

test('a region with packages is not deleted, and says how many there are', async () => {
  const offer = await anOffer(shop, { region: 'US' })
  const answer = await call('DELETE', `/${offer.regionId}`)
  expect([answer.status, answer.body.error.details]).toEqual([
    409,
    { reason: 'region_has_offers', region: 'has_offers', offers_count: 1 },
  ])
})

describe('packages that were deleted', () => {
  const callAdmin = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
    shop.call(method, `/admin${path}`, { token: admin.token, body })
  const readListed = async (regionId: number) =>
    (await call('GET', '?pageSize=100')).body.data.find(({ id }: { id: number }) => id === regionId)

  test.each([
    ['itself', (offer: { id: number }) => `/offers/${offer.id}`],
    ['with its product', (offer: { productId: number }) => `/products/${offer.productId}`],
  ])('a package that was deleted %s no longer counts, and its region can be deleted', async (_, toPath) => {
    const offer = await anOffer(shop, { region: 'DE' })
    expect(await readListed(offer.regionId)).toMatchObject({ offers_count: 1 })
    expect((await callAdmin('DELETE', toPath(offer))).status).toBe(200)
    expect(await readListed(offer.regionId)).toMatchObject({ offers_count: 0 })
    expect((await call('DELETE', `/${offer.regionId}`)).status).toBe(200)
  })

  test('a product counts those of a region that are left', async () => {
    const offer = await anOffer(shop, { region: 'FR' })
    await callAdmin('DELETE', `/offers/${offer.id}`)
    const { regions } = (await callAdmin('GET', `/products/${offer.productId}`)).body.data
    expect(regions).toMatchObject([{ id: offer.regionId, offers_count: 0 }])
  })

  test('a deleted region is gone for admins, gives its code back, and stays in the orders of its packages', async () => {
    const offer = await anOffer(shop, { region: 'IT', stock: 1 })
    const { token } = await aUser(shop, { usd: 1_000 })
    await shop.call('POST', '/cart/add', { token, body: toCart(offer) })
    const paid = await shop.call('POST', '/payment/from-balance', { token, body: { currency: 'USD' } })
    const readOrder = async () => (await shop.call('GET', `/orders/${paid.body.order.id}`, { token })).body
    const order = await readOrder()
    expect(JSON.stringify(order)).toContain('"name":"IT"')
    const { code, name } = await readListed(offer.regionId)

    await callAdmin('DELETE', `/offers/${offer.id}`)
    expect((await call('DELETE', `/${offer.regionId}`)).body.data).toEqual({ id: offer.regionId, products_count: 1 })
    expect(await readListed(offer.regionId)).toBeUndefined()
    expect((await call('GET', `?search=${code}`)).body).toEqual({ data: [], total: 0 })
    expect((await call('PUT', `/${offer.regionId}`, { is_active: true })).status).toBe(404)
    expect((await call('DELETE', `/${offer.regionId}`)).status).toBe(404)
    const linked = await callAdmin('PUT', `/products/${offer.productId}/regions`, { regionIds: [offer.regionId] })
    expect([linked.status, linked.body.error.details]).toEqual([404, { regionIds: 'not_found' }])
    expect((await callAdmin('GET', `/products/${offer.productId}`)).body.data.regions).toEqual([])
    expect((await call('POST', '', { name, code })).status).toBe(201)
    expect(await readOrder()).toEqual(order)
  })

  test('a package that is about to be added keeps its region from being deleted', async () => {
    const { id, productId, regionId } = await anOffer(shop, { region: 'PT' })
    await callAdmin('DELETE', `/offers/${id}`)
    const removal = await shop.database.transaction(async (tx) => {
      await tx.run(sql`
        INSERT INTO offer (product_id, region_id, game_amount, price_usd, price_rub)
        VALUES (${productId}, ${regionId}, 200, 200, 16000)`)
      const answer = call('DELETE', `/${regionId}`)
      await untilWaiting(shop.database, 1)
      return { answer }
    })
    const { status, body } = await removal.answer
    expect([status, body.error?.details]).toMatchObject([409, { offers_count: 1 }])
  })

  test('of packages and links that are added while their region is deleted, none is left in a deleted one', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, productId, regionId } = await anOffer(shop, { region: 'ES' })
      await callAdmin('DELETE', `/offers/${id}`)
      const [removed, ...others] = await Promise.all([
        call('DELETE', `/${regionId}`),
        ...Array.from({ length: 20 }, (_unused, n) =>
          n % 4 === 0
            ? callAdmin('PUT', `/products/${productId}/regions`, { regionIds: [regionId] })
            : callAdmin('POST', `/products/${productId}/offers`, {
                regionId,
                gameAmount: 200 + n,
                priceUsd: 2,
                priceRub: 160,
                confirmPrices: true,
              }),
        ),
      ])
      expect([200, 409]).toContain(removed?.status)
      expect(others.filter(({ status }) => ![200, 201, 404].includes(status))).toEqual([])
      const left = await shop.database.one(sql`
        SELECT (SELECT count(*)::int FROM product_region WHERE region_id = ${regionId}) AS links,
          (SELECT count(*)::int FROM offer WHERE region_id = ${regionId} AND deleted_at IS NULL) AS offers`)
      const added = others.filter(({ status }) => status === 201).length
      expect(left).toEqual(removed?.status === 200 ? { links: 0, offers: 0 } : { links: 1, offers: added })
    }
  })
})

test.each([
  [{ name: '', code: 'A' }, { name: 'required' }],
  [{ name: 'A', code: 'A B' }, { code: 'invalid_code' }],
  [{ name: 'A', code: 'A', translations: { ru: 'A' } }, { ru: 'unknown_field' }],
  [{ name: 'A', code: 'A', flag: 'http://picture.example/a.png' }, { flag: 'invalid_flag' }],
  [{ name: 'A', code: 'A', flag: 'javascript:a(1)' }, { flag: 'invalid_flag' }],
  [{ name: 'A', code: 'A', role: 'admin' }, { role: 'unknown_field' }],
])('%j is refused', async (body, details) => {
  const answer = await call('POST', '', body)
  expect([answer.status, answer.body.error.details]).toEqual([400, details])
})
