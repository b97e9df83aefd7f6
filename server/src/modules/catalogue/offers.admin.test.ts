import * as LIMITS from '@olmos/contract/limits'
import { describe, expect, test } from 'vitest'
import { anOffer, aUser, toCart } from '../../../test/factories.ts'
import { someGenerated } from '../../../test/game-codes.ts'
import { hear } from '../../../test/heard.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })

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

describe('a package by itself', () => {
  const add = (productId: number, body: object) =>
    shop.call('POST', `/admin/products/${productId}/offers`, { token: admin.token, body })
  const remove = (id: number) => shop.call('DELETE', `/admin/offers/${id}`, { token: admin.token })
  const price = { priceUsd: 2.5, priceRub: 200 }

  test('is added once to a place that is there, and stands in the shop before it has codes', async () => {
    const other = await anOffer(shop, { region: 'KZ' })
    const { productId, regionId } = other
    const added = await add(productId, { gameAmount: 777, ...price, isPopular: true })
    expect([added.status, added.body.data]).toMatchObject([
      201,
      { product_id: productId, region_id: 0, game_amount: 777, price_usd: 2.5, is_popular: true, available_count: 0 },
    ])
    const shown = await shop.call('GET', `/products/${productId}/codes/0`)
    expect(shown.body).toMatchObject([{ offer_id: added.body.data.id, available_count: 0 }])
    const refusals = [
      await add(productId, { gameAmount: 777, ...price }),
      await add(productId, { gameAmount: other.gameAmount, regionId, ...price }),
      await add(productId, { gameAmount: 778, regionId: 999_999, ...price }),
      await add(productId, { gameAmount: 0, ...price }),
      await add(999_999, { gameAmount: 1, ...price }),
    ]
    expect(refusals.map(({ status }) => status)).toEqual([409, 409, 404, 400, 404])
    expect(refusals[0]?.body.error.details).toEqual({ gameAmount: 'duplicate' })
  })

  describe('in several regions at once', () => {
    const aProduct = async () => {
      const { productId, regionId: one, gameAmount } = await anOffer(shop, { region: 'KZ' })
      const { regionId: two } = await anOffer(shop, { region: 'TR' })
      const body = { regionIds: [one, two] }
      const { status } = await shop.call('PUT', `/admin/products/${productId}/regions`, { token: admin.token, body })
      expect(status).toBe(200)
      return { productId, one, two, gameAmount }
    }
    const stored = (productId: number) =>
      shop.database.rows(sql`
        SELECT coalesce(region_id, 0) AS region_id, game_amount, price_usd, is_popular FROM offer
        WHERE product_id = ${productId} ORDER BY id`)

    test('stands in each of them, and is in the audit log for each', async () => {
      const { productId, one, two } = await aProduct()
      const payloads = await hear(shop.config.databaseUrl, 'catalogue', shop.log)
      const { status, body } = await add(productId, {
        regionIds: [two, 0, one],
        gameAmount: 500,
        ...price,
        isPopular: true,
      })
      expect([status, body.error]).toEqual([201, undefined])
      await expect.poll(() => payloads, { timeout: 30_000 }).toContain(`product:${productId}`)
      const package500 = { game_amount: 500, price_usd: 2.5, is_popular: true }
      expect(body.offers).toMatchObject([two, 0, one].map((region_id) => ({ ...package500, region_id })))
      expect(body.data).toEqual(body.offers[0])
      const subjects = body.offers.map(({ id }: { id: number }) => `offer:${id}`)
      const noted = await shop.database.rows<{ subject: string }>(sql`
        SELECT subject FROM audit_entry WHERE action = 'offer.create' AND subject = ANY (${subjects}) ORDER BY id`)
      expect(noted.map(({ subject }) => subject)).toEqual(subjects)
      expect((await shop.call('GET', `/products/${productId}/codes/${two}`)).body).toMatchObject([{ game_amount: 500 }])
    })

    test('is refused for all of them where one has it, by the places of those in the list', async () => {
      const { productId, one, two, gameAmount } = await aProduct()
      const before = await stored(productId)
      const refused = await add(productId, { regionIds: [two, one, 0], gameAmount, ...price })
      expect([refused.status, refused.body.error]).toMatchObject([
        409,
        { code: 'DUPLICATE', details: { 'regionIds.1': 'duplicate' } },
      ])
      expect(await stored(productId)).toEqual(before)
    })

    test.each([
      ['a region that the product is not sold in', (one: number) => ({ regionIds: [one, 999_999] }), 404],
      ['no region', () => ({ regionIds: [] }), 400],
      ['a region twice', (one: number) => ({ regionIds: [one, one] }), 400],
      ['a list beside a single region', (one: number) => ({ regionId: one, regionIds: [0] }), 400],
      ['a supplier’s name for several', (one: number) => ({ regionIds: [one, 0], itemId: `several/${one}` }), 409],
      ['an unusual price', (one: number) => ({ regionIds: [one, 0], priceRub: 2 }), 409],
    ])('%s is refused, and nothing is added', async (_, toBody, wanted) => {
      const { productId, one } = await aProduct()
      const before = await stored(productId)
      const { status } = await add(productId, { gameAmount: 321, ...price, ...toBody(one) })
      expect([status, await stored(productId)]).toEqual([wanted, before])
    })

    test('is added once by twenty admins at once, whatever the order of their regions', async () => {
      const { productId, one, two } = await aProduct()
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          add(productId, { regionIds: at % 2 ? [one, two] : [two, one], gameAmount: 654, ...price }),
        ),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(19).fill(409)])
      expect(await stored(productId)).toHaveLength(3)
    })
  })

  test('is deleted with what nobody has; what was sold or seen stays, and its receipt works', async () => {
    const offer = await anOffer(shop, { stock: 4 })
    const buyer = await aUser(shop, { usd: 1_000 })
    await shop.call('POST', '/cart/add', { token: buyer.token, body: toCart(offer) })
    const paid = await shop.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency: 'USD' } })
    await shop.call('POST', '/cart/add', { token: buyer.token, body: toCart(offer) })
    const [seen] = await shop.database.rows<{ id: number }>(
      sql`SELECT id FROM code WHERE offer_id = ${offer.id} AND status = 'available' ORDER BY id DESC LIMIT 1`,
    )
    await shop.call('POST', `/admin/codes/${seen?.id}/reveal`, { token: admin.token })

    const one = await shop.call('GET', `/admin/offers/${offer.id}`, { token: admin.token })
    expect(one.body.data.belongings).toEqual({ unsold_codes: 3, sold_codes: 1, cart_items: 1 })
    const removed = await remove(offer.id)
    expect([removed.status, removed.body.data]).toEqual([200, { id: offer.id, deleted_codes: 2, kept_codes: 2 }])
    expect((await remove(offer.id)).status).toBe(404)
    expect((await shop.call('GET', `/products/${offer.productId}/codes/0`)).body).toEqual([])
    const pay = await shop.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency: 'USD' } })
    expect(pay.status).toBe(409)
    const receipt = await shop.call('GET', `/orders/${paid.body.order.id}`, { token: buyer.token })
    expect(offer.codes).toContain(receipt.body.items[0].code)
    const trail = await shop.database.rows(
      sql`SELECT action, actor_id, before FROM audit_entry WHERE subject = ${`offer:${offer.id}`}`,
    )
    expect(trail).toMatchObject([{ action: 'offer.delete', actor_id: admin.id, before: { deleted_codes: 2 } }])

    const again = await add(offer.productId, { gameAmount: offer.gameAmount, ...price })
    expect([again.status, again.body.data]).toMatchObject([201, { price_usd: 2.5, available_count: 0 }])
    expect(again.body.data.id).not.toBe(offer.id)
  })

  test('of a top-up has a name and what its supplier calls it, each once, and is found by both', async () => {
    const made = await shop.call('POST', '/admin/products', {
      token: admin.token,
      body: { name: 'Night game', kind: 'topup', gameCurrency: 'Gems' },
    })
    const { id } = made.body.data
    const weekly = { gameAmount: 7, name: 'Weekly pass', itemId: 'night/weekly', ...price }
    const added = await add(id, weekly)
    expect([added.status, added.body.data]).toMatchObject([201, { name: 'Weekly pass', item_id: 'night/weekly' }])
    const refused = [
      await add(id, { ...weekly, gameAmount: 8 }),
      await add(id, { ...weekly, itemId: 'night/other' }),
      await add(id, { gameAmount: 9, name: 'n'.repeat(101), ...price }),
    ]
    expect(refused.map(({ body }) => body.error.details)).toEqual([
      { itemId: 'duplicate' },
      { gameAmount: 'duplicate' },
      { name: 'too_long' },
    ])
    await add(id, { gameAmount: 70, ...price })
    const found = async (search: string) => {
      const path = `/admin/products/${id}/offers?search=${encodeURIComponent(search)}`
      const { body } = await shop.call('GET', path, { token: admin.token })
      return body.data.map(({ game_amount }: { game_amount: number }) => game_amount)
    }
    expect([await found('pass'), await found('NIGHT/'), await found('70'), await found('no such')]).toEqual([
      [7],
      [7],
      [70],
      [],
    ])
    const renamed = await change(added.body.data.id, { name: '', version: 1 })
    expect(renamed.body.data).toMatchObject({ name: '', item_id: 'night/weekly', version: 2 })
  })

  test('of a top-up is deleted with the unsold codes that deliver it', async () => {
    const batch = await someGenerated(shop, admin, { count: 3 })
    const one = await shop.call('GET', `/admin/offers/${batch.denominationId}`, { token: admin.token })
    expect(one.body.data.belongings).toEqual({ unsold_codes: 3, sold_codes: 0, cart_items: 0 })
    const removed = await remove(batch.denominationId)
    expect(removed.body.data).toEqual({ id: batch.denominationId, deleted_codes: 3, kept_codes: 0 })
    expect(await shop.database.rows(sql`SELECT FROM code WHERE batch_id = ${batch.batchId}`)).toEqual([])
  })

  test('says of every unsold code that it goes along, so that one with very many can be deleted', async () => {
    const offer = await anOffer(shop, { stock: 1 })
    const { id: first } = await shop.database.one<{ id: number }>(sql`SELECT id FROM code WHERE offer_id = ${offer.id}`)
    // A tenth at once: a statement has its time.
    for (let part = 0; part < 10; part++) {
      await shop.database.run(sql`
        INSERT INTO code (id, offer_id, batch_id, key_id, ciphertext, fingerprint)
        SELECT nextval('code_id'), offer_id, batch_id, key_id, ciphertext, sha256(${`${first} ${part} `}::bytea || n::text::bytea)
        FROM code, generate_series(1, ${LIMITS.listCountMax / 10}) AS n WHERE id = ${first}`)
    }
    const { body } = await shop.call('GET', `/admin/offers/${offer.id}`, { token: admin.token })
    expect(body.data.belongings.unsold_codes).toBe(LIMITS.listCountMax + 1)
  })

  test('that many delete while others buy it is sold or gone, and never both', async () => {
    const offer = await anOffer(shop, { stock: 20 })
    const buyers = await Promise.all(Array.from({ length: 12 }, () => aUser(shop, { usd: 1_000 })))
    for (const buyer of buyers) await shop.call('POST', '/cart/add', { token: buyer.token, body: toCart(offer) })
    const pays = buyers.map((buyer) =>
      shop.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency: 'USD' } }),
    )
    const removals = Array.from({ length: 8 }, () => remove(offer.id))
    const [bought, removed] = await Promise.all([Promise.all(pays), Promise.all(removals)])
    const sold = bought.filter(({ status }) => status === 201).length
    expect(bought.map(({ status }) => status).filter((status) => status !== 201 && status !== 409)).toEqual([])
    expect(removed.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(404)])
    expect(removed.find(({ status }) => status === 200)?.body.data).toMatchObject({ deleted_codes: 20 - sold })
  })
})
