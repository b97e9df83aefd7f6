import { describe, expect, test } from 'vitest'
import { anOffer } from '../../../test/factories.ts'
import { aTopupOffer } from '../../../test/topup-orders.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })

const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
  shop.call(method, `/admin/products${path}`, { token: admin.token, body })
const one = async (id: number) => (await call('GET', `/${id}`)).body.data
const readOffers = async (id: number) => (await call('GET', `/${id}/offers?pageSize=200`)).body.data

describe('a copy', () => {
  test('has the texts, regions and packages, no codes, and is not on sale', async () => {
    const offer = await anOffer(shop, { stock: 3, region: 'TR', priceUsd: 345 })
    await call('PUT', `/${offer.productId}`, {
      translations: { en: { name: 'In English', description: 'Text' } },
      keywords: ['one', 'two'],
      color: '#c2602a',
      receiptVatPercent: 12,
    })
    await shop.call('PUT', `/admin/offers/${offer.id}`, { token: admin.token, body: { lowStock: 7, itemId: 'SKU-1' } })
    const product = await one(offer.productId)
    const copied = await call('POST', `/${offer.productId}/copy`, {})
    expect(copied.status).toBe(201)
    const { id, slug, version, created_at, position, belongings: _, ...same } = product
    expect(copied.body.data).toMatchObject({
      ...same,
      slug: `${slug}-copy`,
      isActive: false,
      regions: product.regions,
    })
    expect(copied.body.data.position).toBeGreaterThan(position)
    const [its] = await readOffers(copied.body.data.id)
    const [from] = await readOffers(id)
    const { id: offerId, product_id, created_at: at, version: seen, available_count, ...sameOffer } = from
    expect(its).toMatchObject({ ...sameOffer, low_stock: 7, item_id: 'SKU-1', price_usd: 3.45, available_count: 0 })
    expect([available_count, (await one(id)).version, version, created_at !== undefined]).toEqual([
      3,
      version,
      version,
      true,
    ])
    expect([offerId === its.id, product_id, at !== its.created_at, seen]).toEqual([false, id, true, from.version])
    const shelf = await shop.call('GET', `/products/slug/${slug}-copy`)
    expect(shelf.status).toBe(404)
    const entry = await shop.database.one<{ after: object }>(sql`
      SELECT after FROM audit_entry WHERE action = 'product.copy' AND subject = ${`product:${copied.body.data.id}`}`)
    expect(entry.after).toMatchObject({ copy_of: id })
  })

  test('of a top-up asks for the same, and is bought from the same services', async () => {
    const offer = await aTopupOffer(shop)
    const path = `/${offer.productId}/fields`
    const fields = [{ key: 'user_id', type: 'digits', labels: { ru: 'ID', en: 'ID' }, pattern: '^[0-9]+$' }]
    expect((await call('PUT', path, { fields })).status).toBe(200)
    const { body } = await call('POST', `/${offer.productId}/copy`, {})
    const before = await call('GET', path)
    const after = await call('GET', `/${body.data.id}/fields`)
    expect(after.body.data.fields).toEqual(before.body.data.fields)
    const services = (id: number) =>
      shop.database.rows<{ service_id: number; options: object | null }>(
        sql`SELECT service_id, options FROM product_service WHERE product_id = ${id} ORDER BY service_id`,
      )
    expect(await services(body.data.id)).toEqual(await services(offer.productId))
  })

  test('has an address of its own, also when 20 are made at once', async () => {
    const offer = await anOffer(shop)
    const { slug } = await one(offer.productId)
    const copies = await Promise.all([...Array(20)].map(() => call('POST', `/${offer.productId}/copy`, {})))
    expect(copies.map(({ status }) => status)).toEqual(Array(20).fill(201))
    const slugs = copies.map(({ body }) => body.data.slug as string)
    expect(new Set(slugs)).toEqual(
      new Set([`${slug}-copy`, ...Array.from({ length: 19 }, (_, n) => `${slug}-copy-${n + 2}`)]),
    )
  })

  test('is not made of a product that is deleted', async () => {
    const offer = await anOffer(shop)
    await call('DELETE', `/${offer.productId}`)
    expect((await call('POST', `/${offer.productId}/copy`, {})).status).toBe(404)
  })
})

describe('the order of products', () => {
  const readOrder = async (): Promise<number[]> =>
    (await call('GET', '?pageSize=200')).body.data.map(({ id }: { id: number }) => id)
  const put = (ids: number[], seen?: number[]) => call('POST', '/order', { ids, ...(seen && { seen }) })

  test('is changed between those that are named; all others stay where they are', async () => {
    const made = await Promise.all([...Array(4)].map(() => anOffer(shop, { stock: 1 })))
    const order = await readOrder()
    const [a, b, c, d] = order.filter((id) => made.some(({ productId }) => productId === id)) as [
      number,
      number,
      number,
      number,
    ]
    const moved = new Map([
      [a, d],
      [b, a],
      [d, b],
    ])
    expect((await put([d, a, b], [a, b, d])).body.data).toEqual({ ids: [d, a, b] })
    expect(await readOrder()).toEqual(order.map((id) => moved.get(id) ?? id))
    const shown = (await shop.call('GET', '/products')).body.map(({ id }: { id: number }) => id)
    expect(shown.filter((id: number) => [a, b, c, d].includes(id))).toEqual([d, a, c, b])
  })

  test('also where several had one place', async () => {
    const order = await readOrder()
    await shop.database.run(sql`UPDATE product SET position = 5`)
    expect(await readOrder()).toEqual(order.toSorted((one, other) => one - other))
    const wanted = order.toReversed()
    await put(wanted)
    expect(await readOrder()).toEqual(wanted)
  })

  test('is not overwritten by who saw another one: of 20 at once one is right, and says so', async () => {
    const seen = await readOrder()
    const wishes = [...Array(20)].map((_, n) => [...seen.slice(n % 4), ...seen.slice(0, n % 4)].toReversed())
    const answers = await Promise.all(wishes.map((ids) => put(ids, seen)))
    const done = answers.filter(({ status }) => status === 200)
    expect(done).toHaveLength(1)
    const refused = answers.find(({ status }) => status !== 200)
    expect(refused?.body.error).toMatchObject({ code: 'STATE_CONFLICT', details: { reason: 'changed_meanwhile' } })
    expect(await readOrder()).toEqual(done[0]?.body.data.ids)
  })

  test('names each of its products once, and none that is gone', async () => {
    const offer = await anOffer(shop)
    const before = await readOrder()
    expect((await put([offer.productId, offer.productId])).status).toBe(400)
    await call('DELETE', `/${offer.productId}`)
    expect((await put([offer.productId, before[0] as number])).status).toBe(409)
    expect(await readOrder()).toEqual(before.filter((id) => id !== offer.productId))
  })
})
