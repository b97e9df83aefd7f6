import { describe, expect, test } from 'vitest'
import { anOffer } from '../../../test/factories.ts'
import { aDenomination } from '../../../test/game-codes.ts'
import type { TestShop } from '../../../test/shop.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })

const call = (method: 'POST' | 'PUT', path: string, body: object) =>
  shop.call(method, path, { token: admin.token, body })

const toPrices = (offerId: number) =>
  shop.database.one(sql`SELECT price_usd, price_rub FROM offer WHERE id = ${offerId}`)

type Answer = ReturnType<TestShop['call']>
interface Way {
  /** Makes something at $1.00 and 80 ₽ whose price is then set. */
  thing(): Promise<number>
  set(id: number, price: { usd?: number; rub?: number }, more?: object): Answer
}

const denominations = (game: 'pubg' | 'freefire'): Way => ({
  thing: async () => (await aDenomination(shop, admin, game)).id,
  set: (id, { usd, rub }, more) =>
    call('PUT', `/${game}-admin/denominations/${id}`, {
      ...(usd && { price_usd: usd }),
      ...(rub && { price_rub: rub }),
      ...more,
    }),
})

const edits: Record<string, Way> = {
  'a package': {
    thing: async () => (await anOffer(shop)).id,
    set: (id, { usd, rub }, more) =>
      call('PUT', `/admin/offers/${id}`, { ...(usd && { priceUsd: usd }), ...(rub && { priceRub: rub }), ...more }),
  },
  'a denomination of PUBG': denominations('pubg'),
  'a denomination of Free Fire': denominations('freefire'),
}

describe.each(Object.entries(edits))('the price of %s', (name, { thing, set }) => {
  test.each([
    ['both half as high again', { usd: 1.5, rub: 120 }],
    ['both halved', { usd: 0.5, rub: 40 }],
    ['thirty per cent apart one way', { rub: 104 }],
    ['thirty per cent apart the other way', { rub: 56 }],
  ])('%s is set without a word', async (_name, price) => {
    expect((await set(await thing(), price)).status).toBe(200)
  })

  test.each([
    ['jumps up', { usd: 1.51, rub: 120 }, ['jump']],
    ['jumps down', { usd: 0.49, rub: 40 }, ['jump']],
    ['jumps in roubles alone', { rub: 121 }, ['jump', 'spread']],
    ['is too dear in roubles', { rub: 104.01 }, ['spread']],
    ['is too cheap in roubles', { rub: 55.99 }, ['spread']],
    ['lost its point', { usd: 100, rub: 80 }, ['jump', 'spread']],
  ])('that %s is asked about with both, and set once it is confirmed', async (_name, price, doubts) => {
    const id = await thing()
    const refused = await set(id, price)
    expect([refused.status, refused.body.error]).toMatchObject([
      409,
      { code: 'PRICE_CHANGED', details: { prices: [{ was_usd: 1, was_rub: 80, doubts }] } },
    ])
    expect(await toPrices(id)).toEqual({ price_usd: 100, price_rub: 8_000 })
    expect((await set(id, price, { confirmPrices: true })).status).toBe(200)
    const { usd = 1, rub = 80 }: { usd?: number; rub?: number } = price
    expect(await toPrices(id)).toEqual({ price_usd: Math.round(usd * 100), price_rub: Math.round(rub * 100) })
  })

  test('that is odd already is no reason to ask about something else', async () => {
    const id = await thing()
    await set(id, { rub: 799 }, { confirmPrices: true })
    const off = name === 'a package' ? { isActive: false } : { is_active: false }
    expect((await set(id, {}, off)).status).toBe(200)
  })
})

const additions: Record<string, (usd: number, rub: number, more?: object) => Answer> = {
  'a package': async (priceUsd, priceRub, more) => {
    const { productId } = await anOffer(shop)
    return call('POST', `/admin/products/${productId}/offers`, { gameAmount: 7, priceUsd, priceRub, ...more })
  },
  'a denomination of PUBG': async (price_usd, price_rub, more) => {
    const { gameAmount } = await aDenomination(shop, admin, 'pubg')
    return call('POST', '/pubg-admin/denominations', {
      uc_amount: gameAmount + 20_000_000,
      price_usd,
      price_rub,
      ...more,
    })
  },
  'a denomination of Free Fire': async (price_usd, price_rub, more) => {
    const { gameAmount } = await aDenomination(shop, admin, 'freefire')
    const amount = gameAmount + 20_000_000
    const body = { name: `${amount}`, item_id: `unusual/${amount}`, game_amount: amount, price_usd, price_rub, ...more }
    return call('POST', '/freefire-admin/denominations', body)
  },
}

test.each(Object.entries(additions))(
  '%s that is new is asked about when USD and RUB are far apart',
  async (_name, add) => {
    const refused = await add(0.01, 799)
    expect([refused.status, refused.body.error]).toMatchObject([
      409,
      {
        code: 'PRICE_CHANGED',
        details: { prices: [{ was_usd: null, price_usd: 0.01, price_rub: 799, rub_at_rate: 0.8, doubts: ['spread'] }] },
      },
    ])
    expect((await add(0.01, 799, { confirmPrices: true })).status).toBe(201)
    expect((await add(9.99, 799)).status).toBe(201)
  },
)

test('prices are weighed by the rate in force', async () => {
  const { id } = await anOffer(shop)
  await shop.database.run(sql`UPDATE currency_rate SET rate = 100 WHERE to_currency = 'RUB'`)
  const refused = await edits['a package']?.set(id, { usd: 1.2 })
  expect(refused?.body.error.details.prices[0]).toMatchObject({ rub_at_rate: 120, doubts: ['spread'] })
  await shop.database.run(sql`UPDATE currency_rate SET rate = 80 WHERE to_currency = 'RUB'`)
})

test('how far a price may move, and its currencies be apart, is the owner’s word', async () => {
  const { id } = await anOffer(shop)
  const set = (numbers: object) => call('PUT', '/admin/shop-numbers', numbers)
  await set({ price_jump_percent: 5, price_spread_percent: 5 })
  const asked = await call('PUT', `/admin/offers/${id}`, { priceUsd: 1.06 })
  expect(asked.body.error.details.prices).toMatchObject([{ doubts: ['jump', 'spread'] }])
  const wish = {
    by: 'percent',
    selection: { of: 'offers', offer_ids: [id] },
    percent_usd: 6,
    percent_rub: 0,
    rounding_usd: 'hundredth',
    rounding_rub: 'hundredth',
  }
  expect((await call('POST', '/admin/price-changes/preview', { wish })).body).toMatchObject({ total: 1, jumps: 1 })
  await set({ price_jump_percent: 100, price_spread_percent: 100 })
  expect((await call('PUT', `/admin/offers/${id}`, { priceUsd: 1.9 })).status).toBe(200)
  const listed = async () => {
    const answer = await shop.call('GET', '/admin/offer-prices?state=drifted&pageSize=200', { token: admin.token })
    return answer.body.data.some(({ offer_id }: { offer_id: number }) => offer_id === id)
  }
  expect(await listed()).toBe(false)
  await set({ price_jump_percent: 50, price_spread_percent: 30 })
  expect(await listed()).toBe(true)
})
