import { describe, expect, test } from 'vitest'
import { anOffer, aUser, type TestOffer } from '../../../test/factories.ts'
import type { TestShop } from '../../../test/shop.ts'
import { toSnapshot } from '../../../test/snapshot.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })

const call = (method: 'POST' | 'PUT', path: string, body: unknown) =>
  shop.call(method, path, { token: admin.token, body })

let count = 0
const fresh = () => `IN-FORCE-${++count}`

const toPrices = async ({ productId }: TestOffer) => {
  const { body } = await shop.call('GET', `/products/${productId}/codes/0`)
  return body.map(({ game_amount, price_usd, price_rub }: Record<string, number>) => [
    game_amount,
    price_usd,
    price_rub,
  ])
}

const readCodeId = async (offer: TestOffer) =>
  (await shop.database.one<{ id: number }>(sql`SELECT id FROM code WHERE offer_id = ${offer.id} LIMIT 1`)).id

/** Each way in which a code sets a price: it is sent for 100 coins, at so many dollars and roubles. */
type Way = (offer: TestOffer, usd: number, rub: number, more?: object) => ReturnType<TestShop['call']>
const ways: Record<string, Way> = {
  'adding a code': ({ productId, gameAmount }, priceUsd, priceRub, more) =>
    call('POST', '/admin/codes', { productId, code: fresh(), gameAmount, priceUsd, priceRub, ...more }),
  'editing a code': async (offer, priceUsd, priceRub, more) =>
    call('PUT', `/admin/codes/${await readCodeId(offer)}`, { priceUsd, priceRub, ...more }),
  'moving a code into the package': async (offer, priceUsd, priceRub, more) => {
    const elsewhere = await anOffer(shop, { stock: 1 })
    const { productId, gameAmount } = offer
    const body = { productId, gameAmount, priceUsd, priceRub, ...more }
    return call('PUT', `/admin/codes/${await readCodeId(elsewhere)}`, body)
  },
  'importing codes': ({ productId, gameAmount }, usd, rub, more) =>
    call('POST', '/admin/codes/bulk', { productId, lines: [`${fresh()},${usd},${rub},${gameAmount}`], ...more }),
}

describe.each(Object.entries(ways))('%s', (_name, way) => {
  test('at another price than the one in force is refused with both, and nothing is changed', async () => {
    const offer = await anOffer(shop, { stock: 1 })
    // The way itself makes the package that a code is moved out of.
    const counted = async () => [await toPrices(offer), (await toSnapshot(shop.database)).audit_entry]
    const before = await counted()
    const refused = await way(offer, 1.05, 84)
    expect([refused.status, refused.body.error]).toMatchObject([
      409,
      {
        code: 'PRICE_CHANGED',
        details: {
          prices: [
            {
              game_amount: 100,
              was_usd: 1,
              was_rub: 80,
              price_usd: 1.05,
              price_rub: 84,
              rub_at_rate: 84,
              doubts: ['changed'],
            },
          ],
        },
      },
    ])
    expect(await counted()).toEqual(before)
    const codes = await shop.database.rows(sql`SELECT FROM code WHERE offer_id = ${offer.id}`)
    expect(codes).toHaveLength(1)
  })

  test('at the price in force needs no word of anybody', async () => {
    const offer = await anOffer(shop, { stock: 1 })
    expect((await way(offer, 1, 80)).status).toBeLessThan(300)
    const versions = await shop.database.rows(sql`SELECT version FROM offer_price WHERE offer_id = ${offer.id}`)
    expect(versions).toHaveLength(1)
  })

  test('at another price that is confirmed is a change of the package in the audit log, with both prices', async () => {
    const offer = await anOffer(shop, { stock: 1 })
    expect((await way(offer, 1.05, 80, { confirmPrices: true })).status).toBeLessThan(300)
    expect(await toPrices(offer)).toEqual([[100, 1.05, 80]])
    const entries = await shop.database.rows(
      sql`SELECT actor_id, action, before, after FROM audit_entry WHERE subject = ${`offer:${offer.id}`}`,
    )
    expect(entries).toEqual([
      { actor_id: admin.id, action: 'offer.update', before: { price_usd: 1 }, after: { price_usd: 1.05 } },
    ])
  })

  test('says when the price jumps, and when USD and RUB are far apart', async () => {
    const offer = await anOffer(shop, { stock: 1 })
    const jump = await way(offer, 1.6, 128)
    expect(jump.body.error.details.prices[0].doubts).toEqual(['changed', 'jump'])
    const both = await way(offer, 0.01, 80)
    expect(both.body.error.details.prices[0]).toMatchObject({ rub_at_rate: 0.8, doubts: ['changed', 'jump', 'spread'] })
  })
})

test.each(['adding a code', 'importing codes'])(
  '%s makes a package, and asks when its prices are far apart',
  async (name) => {
    const way = ways[name] as Way
    const { productId } = await anOffer(shop)
    const missing = { productId, gameAmount: 250 } as TestOffer
    const refused = await way(missing, 2.5, 20)
    expect([refused.status, refused.body.error.details.prices]).toMatchObject([
      409,
      [{ game_amount: 250, was_usd: null, was_rub: null, rub_at_rate: 200, doubts: ['spread'] }],
    ])
    expect(await toPrices(missing)).toEqual([[100, 1, 80]])
    expect((await way(missing, 2.5, 20, { confirmPrices: true })).status).toBeLessThan(300)
    expect((await way({ ...missing, gameAmount: 300 }, 3, 240)).status).toBeLessThan(300)
  },
)

test('a price that another admin sets meanwhile is never undone by a code that was typed at the old one', async () => {
  for (let round = 0; round < 10; round++) {
    const offer = await anOffer(shop, { stock: 1 })
    const [priced, ...added] = await Promise.all([
      call('PUT', `/admin/offers/${offer.id}`, { priceUsd: 1.2, priceRub: 96 }),
      ...Array.from({ length: 6 }, () => ways['adding a code']?.(offer, 1, 80)),
      ...Array.from({ length: 6 }, () => ways['importing codes']?.(offer, 1, 80)),
    ])
    expect(priced.status).toBe(200)
    for (const answer of added) expect([200, 201, 409]).toContain(answer?.status)
    expect(await toPrices(offer)).toEqual([[100, 1.2, 96]])
  }
})

describe('who adds and moves codes without setting prices', () => {
  const bulk = '/admin/codes/bulk'
  const rows = (gameAmount: number) => [{ line: 1, code: fresh(), gameAmount, priceUsd: 0.01, priceRub: 0.8 }]
  const cheap = { gameAmount: 777, priceUsd: 0.01, priceRub: 0.8 }

  test('makes no package, and moves no code to another one', async () => {
    const stock = await aUser(shop, { staff: 'stock' })
    const offer = await anOffer(shop, { stock: 1 })
    const { productId } = offer
    const cheaper = await anOffer(shop, { productId, gameAmount: 5, priceUsd: 1, priceRub: 80 })
    const elsewhere = await anOffer(shop)
    const codeId = await readCodeId(offer)
    const before = await toSnapshot(shop.database)
    for (const [method, path, body] of [
      ['PUT', `/admin/codes/${codeId}`, cheap],
      ['PUT', `/admin/codes/${codeId}`, { gameAmount: cheaper.gameAmount }],
      ['PUT', `/admin/codes/${codeId}`, { productId: elsewhere.productId }],
      ['POST', '/admin/codes', { productId, code: fresh(), ...cheap }],
      ['POST', bulk, { productId, lines: `${fresh()},0.01,0.8,777` }],
      ['POST', bulk, { productId, rows: rows(777) }],
      ['POST', `${bulk}?dryRun=true`, { productId, lines: `${fresh()},0.01,0.8,777` }],
      ['POST', `${bulk}?dryRun=true`, { productId, rows: rows(777) }],
    ] as const) {
      const refused = await shop.call(method, path, { token: stock.token, body })
      expect([path, refused.status, refused.body.error?.details]).toEqual([path, 403, { permission: 'prices.write' }])
    }
    expect(await toSnapshot(shop.database)).toEqual(before)
  })

  test('still adds codes to a package there is, and corrects, archives and puts them back', async () => {
    const stock = await aUser(shop, { staff: 'stock' })
    const offer = await anOffer(shop, { stock: 1 })
    const { productId, gameAmount } = offer
    const codeId = await readCodeId(offer)
    const seen = { productId, regionId: 0, gameAmount, priceUsd: 1, priceRub: 80 }
    for (const [method, path, body] of [
      ['PUT', `/admin/codes/${codeId}`, { ...seen, code: fresh(), status: 'archived' }],
      ['PUT', `/admin/codes/${codeId}`, { status: 'available' }],
      ['POST', '/admin/codes', { ...seen, code: fresh() }],
      ['POST', `${bulk}?dryRun=true`, { productId, lines: `${fresh()},1,80,${gameAmount}` }],
      ['POST', bulk, { productId, rows: [{ line: 1, code: fresh(), gameAmount }] }],
    ] as const) {
      const answer = await shop.call(method, path, { token: stock.token, body })
      expect([path, answer.status, answer.body.error]).toEqual([path, path === '/admin/codes' ? 201 : 200, undefined])
    }
  })
})

test.each(['adding a code', 'importing codes', 'moving a code into the package'])(
  '%s writes down which package it made',
  async (name) => {
    const { productId } = await anOffer(shop)
    await ways[name]?.({ productId, gameAmount: 250 } as TestOffer, 2.5, 200)
    const entries = await shop.database.rows(sql`
      SELECT actor_id, action, after FROM audit_entry
      WHERE subject = (SELECT 'offer:' || id FROM offer WHERE product_id = ${productId} AND game_amount = 250)`)
    const after = { product_id: productId, region_id: 0, game_amount: 250, price_usd: 2.5, price_rub: 200 }
    expect(entries).toEqual([{ actor_id: admin.id, action: 'offer.create', after }])
  },
)

describe('an import', () => {
  const bulk = (productId: number, lines: string[], more: object = {}, query = '') =>
    call('POST', `/admin/codes/bulk${query}`, { productId, lines, ...more })

  test('of nothing but duplicates changes no price, makes no package and leaves no batch', async () => {
    const offer = await anOffer(shop, { stock: 2 })
    const before = await toSnapshot(shop.database)
    const lines = [`${offer.codes[0]},5.55,444,100`, `${offer.codes[1]},7,560,700`]
    const answer = await bulk(offer.productId, lines, { confirmPrices: true })
    expect([answer.status, answer.body]).toEqual([
      200,
      { added: 0, batch_id: null, duplicates: [1, 2], elsewhere: [], invalid: [], price_changes: [] },
    ])
    expect(await toSnapshot(shop.database)).toEqual(before)
  })

  test('prices nothing by a line that it passes over', async () => {
    const offer = await anOffer(shop, { stock: 1 })
    const lines = [`${offer.codes[0]},5.55,444,100`, `${fresh()},7,560,700`]
    const answer = await bulk(offer.productId, lines)
    expect(answer.body).toMatchObject({ added: 1, duplicates: [1], price_changes: [{ game_amount: 700, doubts: [] }] })
    expect(await toPrices(offer)).toEqual([
      [100, 1, 80],
      [700, 7, 560],
    ])
  })

  test('whose every code somebody else brings at the same moment leaves no batch either', async () => {
    for (let round = 0; round < 5; round++) {
      const offer = await anOffer(shop)
      const lines = Array.from({ length: 300 }, () => `${fresh()},1,80,100`)
      const answers = await Promise.all(Array.from({ length: 8 }, () => bulk(offer.productId, lines)))
      expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
      expect(answers.filter(({ body }) => body.batch_id !== null)).toHaveLength(1)
      const batches = await shop.database.rows(sql`SELECT FROM code_batch WHERE product_id = ${offer.productId}`)
      expect(batches).toHaveLength(1)
    }
  })

  test('tells in a dry run what it would change, and why it will ask', async () => {
    const offer = await anOffer(shop, { stock: 1 })
    const lines = [`${fresh()},1.05,84,100`, `${fresh()},5,400,500`]
    const { body } = await bulk(offer.productId, lines, {}, '?dryRun=true')
    expect(body.price_changes).toEqual([
      {
        game_amount: 100,
        price_usd: 1.05,
        price_rub: 84,
        was_usd: 1,
        was_rub: 80,
        rub_at_rate: 84,
        doubts: ['changed'],
      },
      { game_amount: 500, price_usd: 5, price_rub: 400, was_usd: null, was_rub: null, rub_at_rate: 400, doubts: [] },
    ])
  })
})
