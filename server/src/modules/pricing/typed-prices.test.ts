import { firstNumbers } from '@olmos/contract/shop-numbers'
import { describe, expect, test } from 'vitest'
import { aDenomination } from '../../../test/game-codes.ts'
import { aPricedOffer, aSource, storedPrice } from '../../../test/priced-offers.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { repriceOffers } from './reprice.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })

const change = (offerId: number, body: object) =>
  shop.call('PUT', `/admin/offers/${offerId}`, { token: admin.token, body })

const learnCosts = () =>
  shop.database.transaction((tx) => repriceOffers(tx, 'all', { adminId: null, because: 'costs', isConfirmed: true }))

const yeses = (offerId: number) =>
  shop.database.rows<object>(sql`
    SELECT after FROM audit_entry WHERE action = 'offer.under_floor' AND subject = ${`offer:${offerId}`} ORDER BY id`)

/** At $1 or 80 ₽, and at a cost of 90 cents. */
const anOfferAtCost = async (cost = '0.9') => {
  const offer = await aPricedOffer(shop, { mode: 'fixed', base: [cost, 'USD'] })
  await learnCosts()
  return offer
}

describe('a price under cost', () => {
  test.each([
    ['in dollars', { priceUsd: 0.89 }, { price_usd: 0.89, price_rub: 80 }],
    ['in roubles', { priceRub: 71.99 }, { price_usd: 1, price_rub: 71.99 }],
  ])('%s is refused with both costs, and typed with a reason that stays', async (_name, price, prices) => {
    const offer = await anOfferAtCost()
    const refused = await change(offer.id, price)
    expect([refused.status, refused.body.error]).toMatchObject([
      409,
      { code: 'FLOOR_PRICE', details: { prices: [{ game_amount: 100, ...prices, floor_usd: 0.9, floor_rub: 72 }] } },
    ])
    expect(await storedPrice(shop, offer.id)).toMatchObject({ price_version: 1 })
    const answer = await change(offer.id, { ...price, underFloor: 'the shelf is being cleared' })
    expect([answer.status, answer.body.data.is_active]).toEqual([200, true])
    expect(await yeses(offer.id)).toEqual([
      { after: { reason: 'the shelf is being cleared', ...prices, floor_usd: 0.9, floor_rub: 72 } },
    ])
  })

  test('that was agreed to is sold until the cost has risen by as much as a price may jump', async () => {
    const offer = await anOfferAtCost()
    await change(offer.id, { priceUsd: 0.8, priceRub: 64, underFloor: 'a week of sale' })
    const upTo = (0.9 * (100 + firstNumbers.price_jump_percent)) / 100
    for (const [cost, isSold] of [
      [upTo, true],
      [upTo + 0.01, false],
      [upTo, true],
    ] as const) {
      await shop.database.run(sql`UPDATE offer SET base_cost = ${cost}::numeric WHERE id = ${offer.id}`)
      await learnCosts()
      expect(await storedPrice(shop, offer.id)).toMatchObject({
        price_usd: 80,
        is_active: isSold,
        is_off_sale: !isSold,
      })
    }
  })

  test('that the shop took off sale is sold again only with a better price or a yes', async () => {
    const offer = await anOfferAtCost()
    await shop.database.run(sql`UPDATE offer SET base_cost = 1.1 WHERE id = ${offer.id}`)
    await learnCosts()
    expect(await storedPrice(shop, offer.id)).toMatchObject({ is_active: false, is_off_sale: true })
    expect((await change(offer.id, { isActive: true })).body.error.code).toBe('FLOOR_PRICE')
    expect((await change(offer.id, { isPopular: true })).status).toBe(200)
    expect(await storedPrice(shop, offer.id)).toMatchObject({ is_active: false, is_off_sale: true })
    expect((await change(offer.id, { priceUsd: 1.1, priceRub: 88 })).body.data).toMatchObject({
      is_active: true,
      under_floor_since: null,
    })
  })

  test('is no reason to refuse one that an operator takes off sale', async () => {
    const offer = await anOfferAtCost()
    await shop.database.run(sql`UPDATE offer SET base_cost = 1.1 WHERE id = ${offer.id}`)
    await learnCosts()
    expect((await change(offer.id, { isActive: false })).status).toBe(200)
    await shop.database.run(sql`UPDATE offer SET base_cost = 0.5 WHERE id = ${offer.id}`)
    await learnCosts()
    expect(await storedPrice(shop, offer.id)).toMatchObject({ is_active: false, is_off_sale: false })
  })

  test.each(['pubg', 'freefire'] as const)('of a denomination of %s is refused likewise', async (game) => {
    const { id } = await aDenomination(shop, admin, game)
    await shop.database.run(sql`UPDATE offer SET base_cost = 0.9, base_currency = 'USD' WHERE id = ${id}`)
    await learnCosts()
    const put = (body: object) => shop.call('PUT', `/${game}-admin/denominations/${id}`, { token: admin.token, body })
    expect((await put({ price_usd: 0.8 })).body.error.code).toBe('FLOOR_PRICE')
    expect((await put({ price_usd: 0.8, underFloor: 'a test' })).status).toBe(200)
  })

  test('does not come in with codes', async () => {
    const offer = await anOfferAtCost()
    const import_ = (confirmPrices: boolean) =>
      shop.call('POST', '/admin/codes/bulk', {
        token: admin.token,
        body: { productId: offer.productId, regionId: 0, lines: ['UNDER-COST,0.8,64,100'], confirmPrices },
      })
    expect((await import_(false)).body.error.code).toBe('PRICE_CHANGED')
    expect((await import_(true)).body.error.code).toBe('FLOOR_PRICE')
  })
})

describe('how a package is priced', () => {
  test('is changed with its cost, and back by a typed price', async () => {
    const offer = await aPricedOffer(shop, { mode: 'fixed' })
    const answer = await change(offer.id, { priceMode: 'rule', base: { cost: '1.05', currency: 'USD' } })
    expect(answer.body.data).toMatchObject({
      price_mode: 'rule',
      price_usd: 1.16,
      price_rub: 93,
      cost: '1.05',
      cost_currency: 'USD',
      base_cost: '1.05',
      floor_usd: 1.05,
      floor_rub: 84,
      has_drifted: false,
    })
    await aSource(shop, offer.id, ['95', 'RUB'])
    await learnCosts()
    const read = await shop.call('GET', `/admin/offers/${offer.id}`, { token: admin.token })
    expect(read.body.data).toMatchObject({ cost: '95', cost_currency: 'RUB', base_cost: '1.05', price_rub: 105 })
    expect((await change(offer.id, { priceUsd: 1.5, priceRub: 120 })).body.data).toMatchObject({ price_mode: 'fixed' })
  })

  test('by a rule needs a known cost, in a currency that has a rate, and no typed price', async () => {
    const offer = await aPricedOffer(shop, { mode: 'fixed' })
    for (const [body, details] of [
      [{ priceMode: 'rule' }, { priceMode: 'no_cost' }],
      [{ priceMode: 'rule', base: { cost: '1', currency: 'XAU' } }, { 'base.currency': 'no_rate' }],
      [{ priceMode: 'rule', priceUsd: 2, base: { cost: '1', currency: 'USD' } }, { priceUsd: 'priced_by_rule' }],
      [{ base: { cost: '0.000000001', currency: 'USD' } }, { 'base.cost': 'invalid_amount' }],
      [{ base: { cost: '0', currency: 'USD' } }, { 'base.cost': 'invalid_amount' }],
    ] as const) {
      const { status, body: answer } = await change(offer.id, body)
      expect([status, answer.error.details]).toEqual([400, details])
    }
  })

  test('with a cost above its price is refused until somebody agrees', async () => {
    const offer = await aPricedOffer(shop, { mode: 'fixed' })
    const base = { cost: '1.5', currency: 'USD' }
    expect((await change(offer.id, { base })).body.error).toMatchObject({
      code: 'FLOOR_PRICE',
      details: { prices: [{ price_usd: 1, floor_usd: 1.5, floor_rub: 120 }] },
    })
    expect((await change(offer.id, { base, underFloor: 'a gift' })).body.data).toMatchObject({
      is_active: true,
      price_usd: 1,
    })
    expect(await yeses(offer.id)).toHaveLength(1)
  })

  test('and whether USD and RUB have drifted apart stands in the lists', async () => {
    const offer = await aPricedOffer(shop, { mode: 'fixed' })
    const { id } = await shop.database.one<{ id: number }>(sql`SELECT id FROM currency_rate WHERE to_currency = 'RUB'`)
    const setRate = (rate: number) =>
      shop.call('PUT', `/admin/currency-rates/${id}`, { token: admin.token, body: { rate, confirmJump: true } })
    const drifted = async () => {
      const list = await shop.call('GET', '/admin/offer-prices?state=drifted&pageSize=200', { token: admin.token })
      const own = await shop.call('GET', `/admin/products/${offer.productId}/offers`, { token: admin.token })
      const isListed = list.body.data.some(({ offer_id }: { offer_id: number }) => offer_id === offer.id)
      return [isListed, own.body.data[0].has_drifted, own.body.data[0].rub_at_rate]
    }
    expect(await drifted()).toEqual([false, false, 80])
    await setRate(114.28)
    expect(await drifted()).toEqual([false, false, 114.28])
    await setRate(114.3)
    expect(await drifted()).toEqual([true, true, 114.3])
    await setRate(80)
  })
})

test('a typed price and a change of the rate at the same moment leave nothing on sale under its cost', async () => {
  const offers = await Promise.all(
    Array.from({ length: 20 }, () => aPricedOffer(shop, { mode: 'fixed', base: ['0.9', 'USD'] })),
  )
  await learnCosts()
  const { id } = await shop.database.one<{ id: number }>(sql`SELECT id FROM currency_rate WHERE to_currency = 'RUB'`)
  const setRate = (rate: number) =>
    shop.call('PUT', `/admin/currency-rates/${id}`, { token: admin.token, body: { rate, confirmJump: true } })
  const answers = await Promise.all([
    setRate(100),
    ...offers.map((offer, index) => change(offer.id, { priceRub: 76 + index })),
    setRate(85),
    ...offers.map((offer, index) => change(offer.id, { priceUsd: (90 + index) / 100 })),
  ])
  for (const { status, body } of answers) {
    expect([200, 409]).toContain(status)
    if (status === 409) expect(['FLOOR_PRICE', 'RATE_JUMP', 'PRICE_CHANGED']).toContain(body.error.code)
  }
  await learnCosts()
  const { under } = await shop.database.one<{ under: number }>(sql`
    SELECT count(*)::int AS under FROM offer JOIN currency_rate ON to_currency = 'RUB'
    WHERE offer.id = ANY (${offers.map((offer) => offer.id)}::int[]) AND is_active
      AND (price_usd < 90 OR price_rub < ceil(90 * rate))`)
  expect(under).toBe(0)
  await setRate(80)
})
