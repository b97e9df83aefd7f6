import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { anOffer, aUser, toCart } from '../../../test/factories.ts'
import { aTopupOffer } from '../../../test/topup-orders.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { insertRegion } from '../regions/regions.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })

const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
  shop.call(method, `/admin/products${path}`, { token: admin.token, body })
const add = async (body: object) => (await call('POST', '', body)).body.data
const aRegion = (code: string) => shop.database.transaction((tx) => insertRegion(tx, { code, name: code, flag: '' }))

describe('a product', () => {
  test('is added with its translations and stands in the shop', async () => {
    const answer = await call('POST', '', {
      name: 'Подписка Плюс',
      description: 'Описание',
      activationInstructions: 'Введите код',
      imageUrl: 'https://pictures.example/plus.png?w=400',
      color: '#2FB6A8',
      keywords: 'плюс, plus , ,plus',
      category: ['games'],
      gameCurrency: 'дней',
      codePrefix: 'PLUS-',
      translations: { en: { name: 'Plus subscription' } },
    })
    expect(answer.status).toBe(201)
    expect(answer.body.data).toMatchObject({
      name: 'Подписка Плюс',
      slug: 'podpiska-plyus',
      kind: 'code',
      color: '#2fb6a8',
      keywords: ['плюс', 'plus'],
      codePrefix: 'PLUS-',
      isActive: true,
      translations: { ru: { name: 'Подписка Плюс' }, en: { name: 'Plus subscription', description: '' } },
      regions: [],
      version: 1,
    })
    const seen = await shop.call('GET', '/products/slug/podpiska-plyus', { headers: { 'accept-language': 'en' } })
    expect(seen.body).toMatchObject({
      title: 'Plus subscription',
      image_url: 'https://pictures.example/plus.png?w=400',
    })
    expect((await call('GET', '?search=PLYUS&sort=name&order=asc')).body).toMatchObject({ total: 1 })
  })

  test('is changed field by field', async () => {
    const product = await add({ name: 'Fields', description: 'Text', keywords: ['word'] })
    const changed = await call('PUT', `/${product.id}`, {
      isActive: false,
      color: '#C2602A',
      translations: { uz: { name: 'Maydon' } },
    })
    expect(changed.body.data).toMatchObject({
      name: 'Fields',
      description: 'Text',
      keywords: ['word'],
      color: '#c2602a',
      isActive: false,
      translations: { uz: { name: 'Maydon' } },
      version: 2,
    })
    expect((await shop.call('GET', '/products/slug/fields')).status).toBe(404)
    const [entry] = await shop.database.rows(
      sql`SELECT before, after FROM audit_entry WHERE subject = ${`product:${product.id}`} AND action = 'product.update'`,
    )
    expect(entry).toMatchObject({ before: { isActive: true }, after: { isActive: false } })
    expect(entry).not.toHaveProperty('after.name')
  })

  test('is not changed by who saw an older version, and the version counts texts and regions', async () => {
    const product = await add({ name: 'Versions' })
    const regionId = await aRegion('V1')
    expect(product.color).toBe('#6b7280')
    expect((await call('PUT', `/${product.id}`, { description: 'New', version: 1 })).status).toBe(200)
    const stale = await call('PUT', `/${product.id}/regions`, { regionIds: [regionId], version: 1 })
    expect(stale.body.error).toMatchObject({
      code: 'STATE_CONFLICT',
      details: { current: { description: 'New', version: 2 } },
    })
    const linked = await call('PUT', `/${product.id}/regions`, { regionIds: [regionId], version: 2 })
    expect(linked.body.data.version).toBe(3)
  })

  test('a slug that is taken is DUPLICATE, also one made from the name', async () => {
    await add({ name: 'Taken' })
    const other = await add({ name: 'Other' })
    for (const answer of [
      await call('POST', '', { name: 'taken!' }),
      await call('POST', '', { name: 'Whatever', slug: 'taken' }),
      await call('PUT', `/${other.id}`, { slug: 'taken' }),
    ]) {
      expect([answer.status, answer.body.error]).toMatchObject([
        409,
        { code: 'DUPLICATE', details: { slug: 'duplicate' } },
      ])
    }
  })

  test.each([
    [{ name: ' ' }, { name: 'required' }],
    [{}, { name: 'required' }],
    [{ name: '原神' }, { slug: 'required' }],
    [{ name: 'A', slug: 'Not A Slug' }, { slug: 'invalid_slug' }],
    [{ name: 'A', color: 'teal' }, { color: 'invalid_color' }],
    [{ name: 'A', imageUrl: 'http://pictures.example/a.png' }, { imageUrl: 'invalid_image_url' }],
    [{ name: 'A', imageUrl: 'javascript:alert(1)' }, { imageUrl: 'invalid_image_url' }],
    [{ name: 'A', imageUrl: '/art/../api/docs' }, { imageUrl: 'invalid_image_url' }],
    [{ name: 'A', imageUrl: 'https://a.example/"onerror=' }, { imageUrl: 'invalid_image_url' }],
    [{ name: 'A', codePrefix: 'A B' }, { codePrefix: 'invalid_code_prefix' }],
    [{ name: 'A', deleted_at: null }, { deleted_at: 'unknown_field' }],
  ])('%j is refused', async (body, details) => {
    const answer = await call('POST', '', body)
    expect([answer.status, answer.body.error.details]).toEqual([400, details])
  })
})

describe('deleting a product', () => {
  test('says what goes with it; the receipt of what was sold stays, and the slug is free again', async () => {
    const offer = await anOffer(shop, { stock: 3 })
    const buyer = await aUser(shop, { usd: 1_000 })
    const cart = (token: string) => shop.call('POST', '/cart/add', { token, body: toCart(offer) })
    await cart(buyer.token)
    const paid = await shop.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency: 'USD' } })
    await cart((await aUser(shop)).token)
    const belongings = { offers_count: 1, available_codes: 2, sold_codes: 1, cart_items: 1 }
    expect((await call('GET', `/${offer.productId}`)).body.data.belongings).toEqual(belongings)

    expect((await call('DELETE', `/${offer.productId}`)).body.data).toEqual({ id: offer.productId, ...belongings })
    expect((await shop.call('GET', `/products/slug/${offer.slug}`)).status).toBe(404)
    expect((await call('PUT', `/${offer.productId}`, { name: 'Back' })).status).toBe(404)
    const receipt = await shop.call('GET', `/orders/${paid.body.order.id}`, { token: buyer.token })
    expect(receipt.body.items[0]).toMatchObject({
      code: offer.codes[0],
      product: { title: expect.stringContaining('ru') },
    })
    expect((await call('POST', '', { name: 'Next', slug: offer.slug })).status).toBe(201)
    expect((await shop.call('GET', `/products/slug/${offer.slug}`)).body.title).toBe('Next')
  })

  test('a product of top-ups keeps its slug, and is deleted while it has no packages', async () => {
    const { id } = await add({ name: 'Tanks', kind: 'topup' })
    expect((await call('PUT', `/${id}`, { slug: 'other' })).body.error.details).toEqual({
      reason: 'slug_built_in',
      slug: 'built_in',
    })
    expect((await call('DELETE', `/${id}`)).status).toBe(200)
    expect((await shop.call('GET', '/products/slug/tanks')).status).toBe(404)
  })

  test('a product of top-ups that has packages stays, and one that has none goes', async () => {
    const { productId } = await aTopupOffer(shop)
    expect((await call('DELETE', `/${productId}`)).body.error.details).toEqual({
      reason: 'product_has_offers',
      product: 'has_packages',
    })
    const { id } = await add({ name: 'Steam', kind: 'topup', slug: 'steam' })
    expect((await call('DELETE', `/${id}`)).status).toBe(200)
  })
})

describe('regions of a product', () => {
  test('are set, and a region that stays keeps its game currency', async () => {
    const { id } = await add({ name: 'Regional', gameCurrency: 'coins' })
    const [first, second] = [await aRegion('R1'), await aRegion('R2')]
    await call('PUT', `/${id}/regions`, { regionIds: [first] })
    const named = await call('PUT', `/${id}/regions/${first}/currency`, { gameCurrency: 'lira' })
    expect(named.body.data.regions).toMatchObject([{ id: first, game_currency: 'lira' }])
    const both = await call('PUT', `/${id}/regions`, { regionIds: [second, first, first] })
    expect(both.body.data.regions).toMatchObject([{ game_currency: 'lira' }, { game_currency: '' }])
    const seen = await shop.call('GET', '/products/slug/regional')
    expect(seen.body.regions.map((region: { game_currency: string }) => region.game_currency)).toEqual([
      'lira',
      'coins',
    ])

    await call('PUT', `/${id}/regions/${first}/currency`, { gameCurrency: '' })
    const none = await call('PUT', `/${id}/regions`, { regionIds: [] })
    expect(none.body.data.regions).toEqual([])
    expect((await call('PUT', `/${id}/regions/${first}/currency`, { gameCurrency: 'x' })).status).toBe(404)
    const unknown = await call('PUT', `/${id}/regions`, { regionIds: [999_999] })
    expect([unknown.status, unknown.body.error.details]).toEqual([404, { regionIds: 'not_found' }])
  })
})

test('every change tells the nodes', async () => {
  const listener = new Client({ connectionString: shop.config.databaseUrl })
  await listener.connect()
  const payloads: (string | undefined)[] = []
  listener.on('notification', (message) => payloads.push(message.payload))
  await listener.query('LISTEN catalogue')
  const { id } = await add({ name: 'Heard' })
  // Two that wait to be sent are sent as one.
  await expect.poll(() => payloads).toEqual([`product:${id}`])
  await call('PUT', `/${id}`, { isActive: false })
  await call('PUT', `/${id}`, { slug: 'taken', version: 1 })
  await expect.poll(() => payloads).toEqual([`product:${id}`, `product:${id}`])
  await listener.end()
})
