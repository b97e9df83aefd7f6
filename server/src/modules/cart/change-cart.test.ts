import { cartApi } from '@olmos/contract/cart'
import * as LIMITS from '@olmos/contract/limits'
import { describe, expect, test } from 'vitest'
import { anOffer, aUser, type TestOffer, type TestUser, toCart } from '../../../test/factories.ts'
import { useShop } from '../../../test/use-shop.ts'
import { SERVER_LIMITS } from '../../limits.ts'
import { sql } from '../../platform/database/queries.ts'

const shop = useShop()

const add = (user: TestUser, offer: TestOffer, change: object = {}) =>
  shop.call('POST', '/cart/add', { token: user.token, body: { ...toCart(offer), ...change } })
const setQuantity = (user: TestUser, id: number | string, quantity: unknown) =>
  shop.call('PUT', `/cart/update-quantity/${id}`, { token: user.token, body: { quantity } })
const remove = (user: TestUser, id: number | string) => shop.call('DELETE', `/cart/remove/${id}`, { token: user.token })
const clear = (user: TestUser) => shop.call('POST', '/cart/clear', { token: user.token, body: {} })
const readCart = async (user: TestUser) => (await shop.call('GET', '/cart', { token: user.token })).body
const countAll = async (user: TestUser) => (await shop.call('GET', '/cart/count', { token: user.token })).body

const wrongQuantities = [0, -1, 1.5, LIMITS.quantityMax + 1, 1e9, '2', null, true, [], {}]

describe('adding', () => {
  test('answers with the item as the cart shows it', async () => {
    const [user, offer] = [await aUser(shop), await anOffer(shop, { stock: 4, priceUsd: 250, region: 'TR' })]
    const answer = await add(user, offer, { quantity: 2 })
    expect(answer.status).toBe(201)
    expect(cartApi.add.answer.parse(answer.body)).toEqual(answer.body)
    expect(answer.body).toEqual({
      success: true,
      data: {
        id: expect.any(Number),
        product_id: offer.productId,
        product_slug: offer.slug,
        product_title: expect.stringMatching(/ru$/),
        description: 'A description',
        image_url: '/art/roblox.svg',
        color: '#6b7280',
        region_id: offer.regionId,
        region: { id: offer.regionId, name: 'TR', flag: '🏳️' },
        game_amount: 100,
        game_currency: 'coins',
        price_usd: 2.5,
        price_rub: 80,
        quantity: 2,
        available_count: 4,
        item_type: 'code',
        topup_data: null,
      },
    })
    expect(await readCart(user)).toEqual({ success: true, data: [answer.body.data] })
    expect(await countAll(user)).toEqual({ count: 2 })
  })

  test('without a quantity adds one, without a region the package of no region', async () => {
    const [user, offer] = [await aUser(shop), await anOffer(shop, { stock: 4 })]
    const { quantity: _quantity, regionId: _regionId, ...bare } = toCart(offer)
    for (const body of [bare, { ...bare, regionId: null }, { ...bare, regionId: 0 }]) {
      expect((await shop.call('POST', '/cart/add', { token: user.token, body })).status).toBe(201)
    }
    expect(await countAll(user)).toEqual({ count: 3 })
  })

  test('the same package again adds up on one line', async () => {
    const [user, offer] = [await aUser(shop), await anOffer(shop, { stock: 5 })]
    const [first, second] = [await add(user, offer, { quantity: 2 }), await add(user, offer, { quantity: 3 })]
    expect(second.body.data).toEqual({ ...first.body.data, quantity: 5 })
    const third = await add(user, offer)
    expect(third.body.error).toMatchObject({
      code: 'OUT_OF_STOCK',
      details: { offer_id: offer.id, requested: 6, available_count: 5, in_cart: 5 },
    })
    expect(await countAll(user)).toEqual({ count: 5 })
  })

  test.each(wrongQuantities)('a quantity of %j is refused as such', async (quantity) => {
    const [user, offer] = [await aUser(shop), await anOffer(shop, { stock: 3 })]
    const answer = await add(user, offer, { quantity })
    expect(answer.body.error).toMatchObject({ code: 'VALIDATION_FAILED', details: { quantity: 'invalid_quantity' } })
    expect(await countAll(user)).toEqual({ count: 0 })
  })

  test('more than there are is OUT_OF_STOCK with what there is', async () => {
    const [user, offer] = [await aUser(shop), await anOffer(shop, { stock: 2 })]
    const answer = await add(user, offer, { quantity: 3 })
    expect([answer.status, answer.body.error.details]).toEqual([
      409,
      { offer_id: offer.id, requested: 3, available_count: 2, in_cart: 0 },
    ])
    expect(await readCart(user)).toEqual({ success: true, data: [] })
  })

  test('a line holds as many as there are in stock, and no more', async () => {
    const [user, offer] = [await aUser(shop), await anOffer(shop, { stock: 178 })]
    expect((await add(user, offer, { quantity: 101 })).status).toBe(201)
    expect((await add(user, offer, { quantity: 77 })).body.data).toMatchObject({ quantity: 178, available_count: 178 })
    expect((await add(user, offer)).body.error).toMatchObject({
      code: 'OUT_OF_STOCK',
      details: { available_count: 178, in_cart: 178 },
    })
  })

  test('1,000 of a package are the most a line holds, however many there are', async () => {
    const [user, offer] = [await aUser(shop), await anOffer(shop, { stock: 1_005 })]
    const added = await add(user, offer, { quantity: 1_000 })
    expect(added.body.data).toMatchObject({ quantity: 1_000, available_count: 1_000 })
    expect((await add(user, offer)).body.error).toMatchObject({
      code: 'OUT_OF_STOCK',
      details: { available_count: 1_000, in_cart: 1_000 },
    })
    expect((await setQuantity(user, added.body.data.id, 1_000)).status).toBe(200)
  })

  test('20 calls at once under one key put one into the cart, and all hear the same answer', async () => {
    const [user, offer] = [await aUser(shop), await anOffer(shop, { stock: 50 })]
    const headers = { 'idempotency-key': 'one-press' }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        shop.call('POST', '/cart/add', { token: user.token, headers, body: toCart(offer) }),
      ),
    )
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(201)
    expect(await countAll(user)).toEqual({ count: 1 })
    const other = await shop.call('POST', '/cart/add', { token: user.token, headers, body: toCart(offer, 2) })
    expect(other.body.error.code).toBe('IDEMPOTENCY_KEY_REUSED')
    await add(user, offer)
    expect(await countAll(user)).toEqual({ count: 2 })
  })

  test.each([
    ['dollars', { priceUsd: 0.99 }],
    ['roubles', { priceRub: 79.99 }],
    ['a free gift', { priceUsd: 0, priceRub: 0 }],
  ])('another price than the one in force is PRICE_CHANGED: %s', async (_name, seen) => {
    const [user, offer] = [await aUser(shop), await anOffer(shop, { stock: 3 })]
    const answer = await add(user, offer, seen)
    expect(answer.status).toBe(409)
    expect(answer.body.error).toMatchObject({
      code: 'PRICE_CHANGED',
      details: { offer_id: offer.id, game_amount: 100, price_usd: 1, price_rub: 80 },
    })
    expect(await countAll(user)).toEqual({ count: 0 })
  })

  test.each([
    ['an amount there is no package of', { gameAmount: 101 }],
    ['a product there is not', { productId: 2_147_483_647 }],
    ['a region it is not sold in', { regionId: 2_147_483_647 }],
  ])('%s is OFFER_NOT_FOUND', async (_name, change) => {
    const [user, offer] = [await aUser(shop), await anOffer(shop, { stock: 3 })]
    const answer = await add(user, offer, change)
    expect([answer.status, answer.body.error.code]).toEqual([404, 'OFFER_NOT_FOUND'])
  })

  test('what is not on sale can not be added', async () => {
    const user = await aUser(shop)
    const [offer, product, region, deleted] = await Promise.all(
      [{}, {}, { region: 'BR' }, {}].map((wish) => anOffer(shop, { stock: 1, ...wish })),
    )
    await shop.database.run(sql`UPDATE offer SET is_active = false WHERE id = ${offer?.id}`)
    await shop.database.run(sql`UPDATE product SET is_active = false WHERE id = ${product?.productId}`)
    await shop.database.run(sql`UPDATE region SET is_active = false WHERE id = ${region?.regionId}`)
    await shop.database.run(sql`UPDATE product SET deleted_at = now() WHERE id = ${deleted?.productId}`)
    for (const hidden of [offer, product, region, deleted]) {
      expect((await add(user, hidden as TestOffer)).body.error.code).toBe('OFFER_NOT_FOUND')
    }
  })

  test('a cart holds 50 lines', async () => {
    const user = await aUser(shop)
    const offers = await Promise.all(
      Array.from({ length: SERVER_LIMITS.cartLinesMax + 1 }, () => anOffer(shop, { stock: 2 })),
    )
    const answers = await Promise.all(offers.map((offer) => add(user, offer)))
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(SERVER_LIMITS.cartLinesMax)
    expect(answers.find((answer) => answer.status !== 201)?.body.error.code).toBe('STATE_CONFLICT')
  })

  test('32 at once end with one line and the right sum', async () => {
    const [user, offer] = [await aUser(shop), await anOffer(shop, { stock: 50 })]
    const answers = await Promise.all(Array.from({ length: 32 }, () => add(user, offer, { quantity: 2 })))
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(25)
    expect(answers.filter((answer) => answer.body.error?.code === 'OUT_OF_STOCK')).toHaveLength(7)
    const { data } = await readCart(user)
    expect(data).toMatchObject([{ quantity: 50 }])
    expect(await countAll(user)).toEqual({ count: 50 })
  })
})

describe('changing', () => {
  test('sets the quantity, up to what there is', async () => {
    const [user, offer] = [await aUser(shop), await anOffer(shop, { stock: 5 })]
    const { data } = (await add(user, offer)).body
    const answer = await setQuantity(user, data.id, 5)
    expect([answer.status, answer.body]).toEqual([200, { success: true, data: { ...data, quantity: 5 } }])
    const refused = await setQuantity(user, data.id, 6)
    expect([refused.status, refused.body.error.code]).toEqual([409, 'OUT_OF_STOCK'])
    for (const quantity of wrongQuantities) {
      const wrong = await setQuantity(user, data.id, quantity)
      expect(wrong.body.error).toMatchObject({ code: 'VALIDATION_FAILED', details: { quantity: 'invalid_quantity' } })
    }
    expect(await countAll(user)).toEqual({ count: 5 })
  })

  test('of what is no longer on sale nothing is available', async () => {
    const [user, offer] = [await aUser(shop), await anOffer(shop, { stock: 5 })]
    const { data } = (await add(user, offer)).body
    await shop.database.run(sql`UPDATE offer SET is_active = false WHERE id = ${offer.id}`)
    expect((await readCart(user)).data).toMatchObject([{ id: data.id, available_count: 0 }])
    expect((await setQuantity(user, data.id, 1)).body.error.code).toBe('OUT_OF_STOCK')
    expect((await remove(user, data.id)).status).toBe(200)
  })

  test("somebody else's items are 404 and stay as they are", async () => {
    const [owner, other, offer] = [await aUser(shop), await aUser(shop), await anOffer(shop, { stock: 5 })]
    const { data } = (await add(owner, offer, { quantity: 2 })).body
    for (const answer of [await setQuantity(other, data.id, 1), await remove(other, data.id)]) {
      expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND'])
    }
    expect((await clear(other)).body).toEqual({ success: true })
    expect((await readCart(owner)).data).toEqual([data])
  })

  test('an item that is not there is 404', async () => {
    const user = await aUser(shop)
    expect((await setQuantity(user, 2_147_483_647, 1)).status).toBe(404)
    expect((await remove(user, 2_147_483_647)).status).toBe(404)
  })

  test('removing takes one line out, clearing all of them', async () => {
    const user = await aUser(shop)
    const offers = await Promise.all([1, 2, 3].map(() => anOffer(shop, { stock: 1 })))
    for (const offer of offers) await add(user, offer)
    const [first] = (await readCart(user)).data
    expect((await remove(user, first.id)).body).toEqual({ success: true })
    expect((await readCart(user)).data).toHaveLength(2)
    expect((await remove(user, first.id)).status).toBe(404)
    expect((await clear(user)).body).toEqual({ success: true })
    expect(await countAll(user)).toEqual({ count: 0 })
    expect((await clear(user)).body).toEqual({ success: true })
  })

  test('shows the price in force, in the language asked for', async () => {
    const [user, offer] = [await aUser(shop), await anOffer(shop, { stock: 5 })]
    await add(user, offer)
    await shop.database.run(sql`UPDATE offer SET price_usd = 333, price_rub = 27777 WHERE id = ${offer.id}`)
    const { body } = await shop.call('GET', '/cart', { token: user.token, headers: { 'accept-language': 'uz' } })
    expect(body.data).toMatchObject([
      { price_usd: 3.33, price_rub: 277.77, product_title: expect.stringMatching(/uz$/) },
    ])
  })
})

test('everybody who asks at one moment is told how much is in their own cart', async () => {
  const offer = await anOffer(shop, { stock: 30 })
  const users = await Promise.all(Array.from({ length: 20 }, () => aUser(shop)))
  await Promise.all(users.slice(1).map((user, n) => add(user, offer, { quantity: n + 1 })))
  const counts = await Promise.all([...users, ...users].map(countAll))
  expect(counts).toEqual([...users.keys(), ...users.keys()].map((count) => ({ count })))
})
