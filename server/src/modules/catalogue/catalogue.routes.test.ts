import { catalogueApi } from '@olmos/contract/catalogue'
import { describe, expect, test } from 'vitest'
import { anOffer } from '../../../test/factories.ts'
import { useShop } from '../../../test/use-shop.ts'
import { type Sql, sql } from '../../platform/database/queries.ts'
import { insertRegion } from '../regions/regions.ts'
import { addProduct } from './change-product.ts'
import { insertOffer } from './products.ts'

const shop = useShop()

const get = (path: string, language?: string) =>
  shop.call('GET', path, { headers: language === undefined ? {} : { 'accept-language': language } })
const run = (statement: Sql) => shop.database.run(statement)
const toSlugs = (products: { slug: string }[]) => products.map((product) => product.slug)

let count = 0

/** Makes a product in Turkey (whose currency is LIRA there), in Brazil and without a region; two packages each. */
async function aRegionalProduct() {
  const slug = `gems-${++count}`
  const text = (language: string) => ({
    title: `Gems ${language}`,
    description: `About ${language}`,
    activationInstructions: `How ${language}`,
  })
  return shop.database.transaction(async (tx) => {
    const turkey = await insertRegion(tx, {
      code: `TR${count}`,
      name: 'Турция',
      translations: { en: 'Turkey' },
      flag: '🇹🇷',
    })
    const brazil = await insertRegion(tx, { code: `BR${count}`, name: 'Brazil', flag: '🇧🇷' })
    const productId = await addProduct(tx, {
      slug,
      kind: 'code',
      category: ['games'],
      keywords: ['gem', 'самоцвет'],
      gameCurrency: 'gems',
      imageUrl: '/art/gems.svg',
      color: '#2fb6a8',
      supportsCodeGeneration: false,
      codePrefix: null,
      position: 1_000 - count,
      texts: { ru: text('ru'), en: text('en') },
      regions: [
        { regionId: turkey, gameCurrency: 'LIRA' },
        { regionId: brazil, gameCurrency: null },
      ],
    })
    for (const regionId of [null, turkey, brazil]) {
      await insertOffer(
        tx,
        { productId, regionId },
        { gameAmount: 500, priceUsd: 450, priceRub: 40_000, isPopular: true },
      )
      await insertOffer(
        tx,
        { productId, regionId },
        { gameAmount: 60, priceUsd: 99, priceRub: 8_910, isPopular: false },
      )
    }
    return { slug, productId, turkey, brazil }
  })
}

describe('products', () => {
  test('a product comes with its texts, regions and three cheapest packages', async () => {
    const { slug, productId, turkey, brazil } = await aRegionalProduct()
    const answer = await get(`/products/slug/${slug}`, 'en')
    expect(answer.status).toBe(200)
    expect(catalogueApi.productBySlug.answer.parse(answer.body)).toEqual(answer.body)
    expect(answer.body).toMatchObject({
      id: productId,
      slug,
      kind: 'code',
      title: 'Gems en',
      description: 'About en',
      activation_instructions: 'How en',
      image_url: '/art/gems.svg',
      color: '#2fb6a8',
      category: ['games'],
      keywords: ['gem', 'самоцвет'],
      game_currency: 'gems',
      hasRegions: true,
      hasGlobalCodes: true,
    })
    expect(answer.body.regions).toMatchObject([
      { id: turkey, name: 'Turkey', is_active: true, game_currency: 'LIRA' },
      { id: brazil, name: 'Brazil', is_active: true, game_currency: 'gems' },
    ])
    expect(answer.body.prices.map((entry: { price_usd: number }) => entry.price_usd)).toEqual([0.99, 0.99, 0.99])
  })

  test('the list holds the same, in the order of the shelves', async () => {
    const products = [await aRegionalProduct(), await aRegionalProduct()]
    const answer = await get('/products', 'en')
    expect(catalogueApi.products.answer.parse(answer.body)).toEqual(answer.body)
    expect(toSlugs(answer.body).slice(0, 2)).toEqual([products[1]?.slug, products[0]?.slug])
    expect(answer.body[0]).toEqual((await get(`/products/slug/${products[1]?.slug}`, 'en')).body)
  })

  test.each([
    ['ru', 'Gems ru'],
    ['en', 'Gems en'],
    ['en-GB,en;q=0.9,ru;q=0.5', 'Gems en'],
    ['uz', 'Gems ru'],
    ['de', 'Gems ru'],
    ['*', 'Gems ru'],
    ["'; DROP TABLE product", 'Gems ru'],
    [undefined, 'Gems ru'],
  ])('Accept-Language %s reads %s', async (language, title) => {
    const { slug } = await aRegionalProduct()
    expect((await get(`/products/slug/${slug}`, language)).body.title).toBe(title)
  })

  test('top-up products have a page but do not stand among the gift cards', async () => {
    const { slug, productId } = await aRegionalProduct()
    await run(sql`UPDATE product SET kind = 'topup' WHERE id = ${productId}`)
    expect((await get(`/products/slug/${slug}`)).body.kind).toBe('topup')
    expect(toSlugs((await get('/products')).body)).not.toContain(slug)
    expect(toSlugs((await get('/topups')).body)).toContain(slug)
  })

  test.each([
    ['is switched off', (id: number) => sql`UPDATE product SET is_active = false WHERE id = ${id}`],
    ['was deleted', (id: number) => sql`UPDATE product SET deleted_at = now() WHERE id = ${id}`],
  ])('a product that %s is nowhere', async (_name, hide) => {
    const { slug, productId, turkey } = await aRegionalProduct()
    await run(hide(productId))
    expect(toSlugs((await get('/products')).body)).not.toContain(slug)
    for (const path of [
      `slug/${slug}`,
      `${productId}/codes/0`,
      `${productId}/codes/${turkey}`,
      `${productId}/popular/0`,
    ]) {
      const answer = await get(`/products/${path}`)
      expect([path, answer.status, answer.body.error?.code]).toEqual([path, 404, 'NOT_FOUND'])
    }
  })

  test('an unknown slug is 404, and case does not matter in a known one', async () => {
    const { slug } = await aRegionalProduct()
    expect((await get('/products/slug/no-such-thing')).body.error.code).toBe('NOT_FOUND')
    expect((await get(`/products/slug/${slug.toUpperCase()}`)).status).toBe(200)
  })
})

describe('packages', () => {
  test('region 0 has those without a region, a region its own in its own currency', async () => {
    const { productId, turkey, brazil } = await aRegionalProduct()
    for (const [regionId, currency] of [
      [0, 'gems'],
      [turkey, 'LIRA'],
      [brazil, 'gems'],
    ] as const) {
      const answer = await get(`/products/${productId}/codes/${regionId}`)
      expect(catalogueApi.packages.answer.parse(answer.body)).toEqual(answer.body)
      const expected = { region_id: regionId, game_currency: currency, available_count: 0 }
      expect(answer.body).toMatchObject([
        { ...expected, game_amount: 60, price_usd: 0.99, price_rub: 89.1, is_popular: false },
        { ...expected, game_amount: 500, price_usd: 4.5, price_rub: 400, is_popular: true },
      ])
    }
  })

  test('the popular ones are those that are marked', async () => {
    const { productId, turkey } = await aRegionalProduct()
    const [all, popular] = await Promise.all(
      ['codes', 'popular'].map(async (kind) => (await get(`/products/${productId}/${kind}/${turkey}`)).body),
    )
    expect(popular).toEqual(all.filter((entry: { is_popular: boolean }) => entry.is_popular))
    expect(popular).toHaveLength(1)
  })

  test('a region the product is not sold in has none, a product that is not there is 404', async () => {
    const { productId } = await aRegionalProduct()
    const other = await aRegionalProduct()
    expect((await get(`/products/${productId}/codes/${other.turkey}`)).body).toEqual([])
    expect((await get(`/products/${productId}/codes/2147483647`)).body).toEqual([])
    expect((await get('/products/2147483647/codes/0')).status).toBe(404)
  })

  test.each([
    [
      'a region that is switched off',
      ({ turkey }: Regional) => sql`UPDATE region SET is_active = false WHERE id = ${turkey}`,
    ],
    [
      'a region the product left',
      ({ productId, turkey }: Regional) =>
        sql`DELETE FROM product_region WHERE product_id = ${productId} AND region_id = ${turkey}`,
    ],
    [
      'a package that is switched off',
      ({ productId, turkey }: Regional) =>
        sql`UPDATE offer SET is_active = false WHERE product_id = ${productId} AND region_id = ${turkey}`,
    ],
  ])('%s hides its packages and leaves the others', async (_name, hide) => {
    const product = await aRegionalProduct()
    await run(hide(product))
    const { productId, turkey, brazil, slug } = product
    expect((await get(`/products/${productId}/codes/${turkey}`)).body).toEqual([])
    expect((await get(`/products/${productId}/popular/${turkey}`)).body).toEqual([])
    expect((await get(`/products/${productId}/codes/${brazil}`)).body).toHaveLength(2)
    const { prices } = (await get(`/products/slug/${slug}`)).body
    expect(prices.map((entry: { region_id: number }) => entry.region_id)).not.toContain(turkey)
  })

  test('available_count counts what is on the shelf, no further than 1,000', async () => {
    const offer = await anOffer(shop, { stock: 5 })
    const available = async () => (await get(`/products/${offer.productId}/codes/0`)).body[0].available_count
    expect(await available()).toBe(5)
    await run(
      sql`UPDATE code SET status = 'quarantined' WHERE id = (SELECT min(id) FROM code WHERE offer_id = ${offer.id})`,
    )
    expect(await available()).toBe(4)
    const plenty = await anOffer(shop, { stock: 1_100 })
    expect((await get(`/products/${plenty.productId}/codes/0`)).body[0].available_count).toBe(1_000)
  })

  test('a product whose only packages are switched off has no global codes', async () => {
    const offer = await anOffer(shop)
    await run(sql`UPDATE offer SET is_active = false WHERE id = ${offer.id}`)
    const { body } = await get(`/products/slug/${offer.slug}`)
    expect(body).toMatchObject({ hasGlobalCodes: false, hasRegions: false, prices: [] })
  })
})

type Regional = Awaited<ReturnType<typeof aRegionalProduct>>

test('a list that has not changed is not sent again', async () => {
  const first = await shop.call('GET', '/products')
  const etag = String(first.headers.etag)
  const again = await shop.call('GET', '/products', { headers: { 'if-none-match': etag } })
  expect([first.headers.vary, again.status, again.text]).toEqual([expect.stringContaining('accept-language'), 304, ''])
  const inEnglish = await shop.call('GET', '/products', { headers: { 'if-none-match': etag, 'accept-language': 'en' } })
  expect(inEnglish.status).toBe(200)
})

test('nor to who knows it under a weak tag, or beside others', async () => {
  const etag = String((await shop.call('GET', '/products')).headers.etag)
  const strong = etag.replace(/^W\//, '')
  for (const known of [`W/${strong}`, strong, `"x", ${etag}`, '*']) {
    const again = await shop.call('GET', '/products', { headers: { 'if-none-match': known } })
    expect([known, again.status, again.text]).toEqual([known, 304, ''])
  }
  expect((await shop.call('GET', '/products', { headers: { 'if-none-match': '"x"' } })).status).toBe(200)
})
