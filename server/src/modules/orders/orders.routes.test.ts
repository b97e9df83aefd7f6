import { ordersApi } from '@olmos/contract/orders'
import { beforeAll, describe, expect, test } from 'vitest'
import { anOffer, aUser, type TestOffer, type TestUser, toCart } from '../../../test/factories.ts'
import { someGenerated } from '../../../test/game-codes.ts'
import { aPlayer, shopFor, workOff } from '../../../test/topup-orders.ts'
import { useShop } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'

const shop = useShop()

async function buy(buyer: TestUser, ...wanted: [TestOffer, number][]): Promise<string> {
  for (const [offer, quantity] of wanted) {
    await shop.call('POST', '/cart/add', { token: buyer.token, body: toCart(offer, quantity) })
  }
  const { body } = await shop.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency: 'USD' } })
  return body.order.id
}

const list = (user: TestUser, query = '') => shop.call('GET', `/orders${query}`, { token: user.token })
const readReceipt = (user: TestUser, id: string) => shop.call('GET', `/orders/${id}`, { token: user.token })
const toIds = (body: { orders: { id: string }[] }) => body.orders.map((order) => order.id)

const readReveals = (offer: TestOffer) =>
  shop.database.rows<{ code_id: number; user_id: number; place: string }>(sql`
    SELECT code_id, user_id, place FROM code_reveal
    WHERE code_id IN (SELECT id FROM code WHERE offer_id = ${offer.id}) ORDER BY id`)

/** Two lines that differ only in their region show it. */
test('of which region a code is stands in the list, in the receipt and where an admin reads the order', async () => {
  const [buyer, admin] = [await aUser(shop, { usd: 1_000 }), await aUser(shop, { role: 'admin' })]
  const turkey = await anOffer(shop, { stock: 1, region: 'TR' })
  const nowhere = await anOffer(shop, { stock: 1 })
  await shop.database.run(sql`UPDATE region SET translations = '{"en": "Turkiye"}' WHERE id = ${turkey.regionId}`)
  const id = await buy(buyer, [turkey, 1], [nowhere, 1])
  const as = (user: TestUser) => ({ token: user.token, headers: { 'accept-language': 'en' } })
  const answers = await Promise.all([
    shop.call('GET', '/orders', as(buyer)),
    shop.call('GET', `/orders/${id}`, as(buyer)),
    shop.call('GET', `/admin/orders?search=${id}`, as(admin)),
    shop.call('GET', `/admin/orders/${id}`, as(admin)),
  ])
  const [listed, receipt, row, read] = answers.map(({ body }) => body)
  for (const order of [listed.orders[0], receipt, row.data[0], read.data]) {
    expect(order.items.map((item: { region: unknown }) => item.region)).toEqual([
      { id: turkey.regionId, name: 'Turkiye', flag: '🏳️' },
      null,
    ])
  }
})

describe('the list of orders', () => {
  let buyer: TestUser
  let ids: string[]
  beforeAll(async () => {
    buyer = await aUser(shop, { usd: 100_000 })
    const offer = await anOffer(shop, { stock: 20 })
    ids = []
    for (let index = 0; index < 7; index++) ids.unshift(await buy(buyer, [offer, 1]))
  })

  test('has the newest first, and no codes', async () => {
    const answer = await list(buyer)
    expect(ordersApi.list.answer.parse(answer.body)).toEqual(answer.body)
    expect(answer.body.total).toBe(7)
    expect(toIds(answer.body)).toEqual(ids)
    expect(answer.body.orders[0]).toMatchObject({
      id: ids[0],
      created_at: expect.stringMatching(/Z$/),
      currency: 'USD',
      total_amount: 1,
      status: 'completed',
      payment_method: 'balance',
      items: [
        {
          id: expect.any(Number),
          item_type: 'code',
          amount: 1,
          quantity: 1,
          game_amount: 100,
          game_currency: 'coins',
          status: 'delivered',
          product: {
            title: expect.stringMatching(/ru$/),
            description: 'A description',
            image_url: '/art/roblox.svg',
            color: '#6b7280',
            activation_instructions: 'Open the game and enter the code.',
          },
          topup_data: null,
          again: { slug: expect.any(String), offer_id: expect.any(Number), account: null },
        },
      ],
    })
    expect(answer.text).not.toMatch(/CODE-\d|"code":"/)
  })

  test('comes in pages', async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => list(buyer, `?page=${page}&pageSize=3`)))
    expect(pages.flatMap(({ body }) => toIds(body))).toEqual(ids)
    expect(pages.map(({ body }) => [body.orders.length, body.total])).toEqual([
      [3, 7],
      [3, 7],
      [1, 7],
    ])
    expect((await list(buyer, '?page=999999')).body).toEqual({ orders: [], total: 7 })
  })

  test('is searched by a part of the id in any case', async () => {
    const id = ids[3] as string
    for (const part of [id, id.toLowerCase(), id.slice(2, 9), ` ${id.slice(1).toLowerCase()} `]) {
      const { body } = await list(buyer, `?search=${encodeURIComponent(part)}`)
      expect([toIds(body), body.total]).toEqual([[id], 1])
    }
    const common = (ids[0] as string)[0] as string
    const expected = ids.filter((other) => other.includes(common))
    expect(toIds((await list(buyer, `?search=${common}`)).body)).toEqual(expected)
  })

  test('has a shelf for what is done, and for what is not', async () => {
    await shop.database.run(sql`UPDATE orders SET status = 'pending' WHERE id = ${ids[0]}`)
    await shop.database.run(sql`UPDATE orders SET status = 'partially_refunded' WHERE id = ${ids[1]}`)
    const shelves = await Promise.all(
      ['open', 'completed', 'refunded', 'expired'].map((state) => list(buyer, `?state=${state}`)),
    )
    await shop.database.run(sql`UPDATE orders SET status = 'completed' WHERE user_id = ${buyer.id}`)
    expect(shelves.map(({ body }) => toIds(body))).toEqual([[ids[0]], ids.slice(2), [ids[1]], []])
    expect(shelves.map(({ body }) => body.total)).toEqual([1, 5, 1, 0])
  })

  test('is narrowed to a product, and says which products there are', async () => {
    const customer = await aUser(shop, { usd: 1_000 })
    const [one, other] = [await anOffer(shop, { stock: 2 }), await anOffer(shop, { stock: 2 })]
    const first = await buy(customer, [one, 1])
    const both = await buy(customer, [one, 1], [other, 1])
    const { body: products } = await shop.call('GET', '/orders/products', { token: customer.token })
    const { body: whole } = await list(customer)
    const [slugOfOne, slugOfOther] = whole.orders[0].items.map((item: { again: { slug: string } }) => item.again.slug)
    expect(products.data.map(({ slug }: { slug: string }) => slug).sort()).toEqual([slugOfOne, slugOfOther].sort())
    expect(toIds((await list(customer, `?product=${slugOfOne}`)).body)).toEqual([both, first])
    const { body } = await list(customer, `?product=${slugOfOther}&state=completed`)
    expect([toIds(body), body.total]).toEqual([[both], 1])
    expect((await list(customer, '?product=unknown')).body).toEqual({ orders: [], total: 0 })
    expect((await shop.call('GET', '/orders/products', { token: (await aUser(shop)).token })).body).toEqual({
      data: [],
    })
  })

  test.each(['%', '_', '__________', "' OR 1=1 --", '\\', 'ЖЖ', '🦊'])('%j finds nothing', async (search) => {
    const { status, body } = await list(buyer, `?search=${encodeURIComponent(search)}`)
    expect([status, body]).toEqual([200, { orders: [], total: 0 }])
  })

  test.each([
    '?page=0',
    '?page=-1',
    '?page=a',
    '?pageSize=0',
    '?pageSize=101',
    '?search=%00',
    '?sort=id',
    '?state=lost',
    '?page=1&page=2',
  ])('%s is refused', async (query) => {
    const answer = await list(buyer, query)
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_FAILED'])
  })

  test("is nobody else's", async () => {
    const others = await Promise.all([aUser(shop), aUser(shop, { role: 'admin' })])
    for (const other of others) {
      expect((await list(other)).body).toEqual({ orders: [], total: 0 })
      expect((await list(other, `?search=${ids[0]}`)).body).toEqual({ orders: [], total: 0 })
    }
  })
})

describe('a receipt', () => {
  test('shows the owner every code, a line each, item by item', async () => {
    const buyer = await aUser(shop, { usd: 10_000 })
    const [one, three] = [await anOffer(shop, { stock: 2, priceUsd: 150 }), await anOffer(shop, { stock: 3 })]
    const id = await buy(buyer, [three, 3], [one, 1])
    const answer = await readReceipt(buyer, id)
    expect(ordersApi.receipt.answer.parse(answer.body)).toEqual(answer.body)
    expect(answer.body).toMatchObject({ id, total_amount: 4.5, currency: 'USD' })
    const codes = answer.body.items.map((item: { quantity: number; amount: number; code: string }) => [
      item.quantity,
      item.amount,
      item.code.split('\n'),
    ])
    expect(codes).toEqual([
      [1, 1.5, one.codes.slice(0, 1)],
      [3, 3, three.codes],
    ])
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  test('is found whatever the case of its id', async () => {
    const buyer = await aUser(shop, { usd: 1_000 })
    const id = await buy(buyer, [await anOffer(shop, { stock: 1 }), 1])
    expect((await readReceipt(buyer, id.toLowerCase())).body.id).toBe(id)
  })

  test('writes down who saw which code', async () => {
    const [buyer, offer] = [await aUser(shop, { usd: 1_000 }), await anOffer(shop, { stock: 3 })]
    const id = await buy(buyer, [offer, 2])
    await list(buyer)
    expect(await readReveals(offer)).toEqual([])
    await readReceipt(buyer, id)
    const seen = await readReveals(offer)
    expect(seen).toHaveLength(2)
    expect(new Set(seen.map((reveal) => reveal.code_id)).size).toBe(2)
    expect(seen.every(({ user_id, place }) => user_id === buyer.id && place === 'receipt')).toBe(true)
  })

  test('shows what happened to an order without its codes, and nobody has seen them then', async () => {
    const [buyer, offer] = [await aUser(shop, { usd: 1_000 }), await anOffer(shop, { stock: 2 })]
    const id = await buy(buyer, [offer, 2])
    const answer = await readReceipt(buyer, `${id}?codes=hidden`)
    expect(ordersApi.receipt.answer.parse(answer.body)).toEqual(answer.body)
    expect(answer.body).toMatchObject({ id, items: [{ status: 'delivered', code: null, withheld_codes: 0 }] })
    expect(answer.text).not.toContain(offer.codes[0])
    expect(await readReveals(offer)).toEqual([])
    expect((await readReceipt(buyer, `${id}?codes=some`)).status).toBe(400)
  })

  test('says without its codes which of them would be kept back', async () => {
    const [buyer, offer, sound] = [
      await aUser(shop, { usd: 2_000 }),
      await anOffer(shop, { stock: 2 }),
      await anOffer(shop, { stock: 1 }),
    ]
    const id = await buy(buyer, [offer, 2], [sound, 1])
    await shop.database.run(sql`
      UPDATE code_batch SET recalled_at = now(), recall_reason = 'bad' WHERE id IN (SELECT batch_id FROM code WHERE offer_id = ${offer.id})`)
    const counts = async () =>
      (await readReceipt(buyer, `${id}?codes=hidden`)).body.items.map(
        ({ withheld_codes, held_codes }: { withheld_codes: number; held_codes: number }) => [
          withheld_codes,
          held_codes,
        ],
      )
    expect(await counts()).toEqual([
      [2, 0],
      [0, 0],
    ])
    await shop.database.run(sql`UPDATE users SET held_since = now() WHERE id = ${buyer.id}`)
    expect(await counts()).toEqual([
      [2, 0],
      [0, 1],
    ])
    expect(await readReveals(offer)).toEqual([])
    await shop.database.run(sql`UPDATE users SET held_since = NULL WHERE id = ${buyer.id}`)
  })

  test('is not shown to HEAD, which nobody sees', async () => {
    const [buyer, offer] = [await aUser(shop, { usd: 1_000 }), await anOffer(shop, { stock: 1 })]
    const url = `/api/orders/${await buy(buyer, [offer, 1])}`
    const answer = await shop.app.inject({ method: 'HEAD', url, headers: { authorization: `Bearer ${buyer.token}` } })
    expect([answer.statusCode, answer.body]).toEqual([404, ''])
    expect(await readReveals(offer)).toEqual([])
  })

  test('is not shown when it can not be written down', async () => {
    const [buyer, offer] = [await aUser(shop, { usd: 1_000 }), await anOffer(shop, { stock: 1 })]
    const id = await buy(buyer, [offer, 1])
    await shop.database.run(sql`ALTER TABLE code_reveal RENAME TO code_reveal_gone`)
    const answer = await readReceipt(buyer, id)
    await shop.database.run(sql`ALTER TABLE code_reveal_gone RENAME TO code_reveal`)
    expect([answer.status, answer.body.error.code]).toEqual([500, 'UNEXPECTED_ERROR'])
    expect(answer.text).not.toContain(offer.codes[0])
    expect((await readReceipt(buyer, id)).body.items[0].code).toBe(offer.codes[0])
  })

  test('is 404 for another customer and, on this route, for an admin; nothing is written down', async () => {
    const [buyer, offer] = [await aUser(shop, { usd: 1_000 }), await anOffer(shop, { stock: 1 })]
    const id = await buy(buyer, [offer, 1])
    for (const stranger of [await aUser(shop), await aUser(shop, { role: 'admin' })]) {
      const answer = await readReceipt(stranger, id)
      expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND'])
    }
    expect(await readReveals(offer)).toEqual([])
  })

  test.each([
    ['ABCDEFGHJK', 404],
    ['ILOU000000', 404],
    ['%D0%96%D0%96%D0%96%D0%96%D0%96%D0%96%D0%96%D0%96%D0%96%D0%96', 404],
    ['%F0%9F%A6%8A', 404],
    ['1', 404],
    ["'%20OR%201=1", 404],
    ['..%2F..%2Fadmin', 404],
    ['a'.repeat(65), 400],
    ['%00', 400],
    ['ABCDE%00GHJK', 400],
    ['%20', 400],
    ['%ff', 400],
    ['%', 400],
  ])('the id %s is refused with %i', async (id, status) => {
    const answer = await readReceipt(await aUser(shop), id)
    expect([answer.status, answer.body.error.code]).toEqual([
      status,
      status === 400 ? 'VALIDATION_FAILED' : 'NOT_FOUND',
    ])
  })

  test('ten completed orders make a regular buyer', async () => {
    const [buyer, offer] = [await aUser(shop, { usd: 10_000 }), await anOffer(shop, { stock: 12 })]
    const status = async () => (await shop.call('GET', '/profile', { token: buyer.token })).body.purchase_status
    for (let count = 1; count <= 11; count++) {
      await buy(buyer, [offer, 1])
      if (count === 9) expect(await status()).toEqual({ key: 'new_buyer', current: 9, total: 10 })
    }
    expect(await status()).toEqual({ key: 'regular_buyer', current: 10, total: 10 })
  })

  test('the activation of a code that was bought is no second purchase', async () => {
    const batch = await someGenerated(shop, await aUser(shop, { role: 'admin' }), { count: 1 })
    const buyer = await aUser(shop, { usd: 100 })
    const { productId, gameAmount } = batch
    const offer = { id: batch.offerId, productId, gameAmount, priceUsd: 100, priceRub: 8_000, regionId: 0 }
    await buy(buyer, [offer as TestOffer, 1])
    const body = { playerID: aPlayer(), code: batch.codes[0]?.plain }
    const activated = await shop.call('POST', '/freefire/activate-code', { token: buyer.token, body })
    await workOff(shopFor(shop))
    expect((await readReceipt(buyer, activated.body.order_id)).body.status).toBe('completed')
    const { body: profile } = await shop.call('GET', '/profile', { token: buyer.token })
    expect(profile.purchase_status.current).toBe(1)
  })
})
