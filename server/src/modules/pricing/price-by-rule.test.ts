import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { aGame } from '../../../test/any-game.ts'
import type { OfferWish, TestOffer } from '../../../test/factories.ts'
import { noteSeller } from '../../../test/listed-supplier.ts'
import { aPricedOffer, aSource, storedPrice } from '../../../test/priced-offers.ts'
import { fillPool } from '../../../test/topup-orders.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import type { Supplier } from '../topups/supplier.ts'
import { repriceOffers } from './reprice.ts'
import { type RuleFigures, tryRule } from './wanted-prices.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })

const plain: RuleFigures = {
  margin_percent: 0,
  least_usd: 0,
  least_rub: 0,
  payment_percent: 0,
  rounding_usd: 'hundredth',
  rounding_rub: 'hundredth',
}

beforeEach(async () => {
  await shop.database.run(sql`
    UPDATE currency_rate SET rate = CASE to_currency WHEN 'RUB' THEN 80 WHEN 'EUR' THEN 0.8 WHEN 'KZT' THEN 520 ELSE rate END,
      source = 'cbr', updated_at = now(), held_rate = NULL, held_at = NULL`)
  await shop.database.run(sql`UPDATE price_rule SET deleted_at = now() WHERE scope NOT IN ('shop', 'amount')`)
  await shop.database.run(sql`
    UPDATE price_rule SET margin_percent = 10, least_usd = 0, least_rub = 0, payment_percent = 0, rounding_usd = 'hundredth',
      rounding_rub = 'hundredth' WHERE scope = 'shop'`)
  await shop.database.run(sql`UPDATE offer SET deleted_at = now(), is_active = false WHERE deleted_at IS NULL`)
  await shop.database.run(sql`DELETE FROM alert`)
  await shop.database.run(sql`UPDATE supplier_health SET sells = '{}'`)
  for (const supplier of shop.suppliers.configured) await noteSeller(shop, supplier)
})

interface Made {
  price_usd: number
  price_rub: number
  floor_usd: number
  floor_rub: number
}

const make = (rule: Partial<RuleFigures>, cost: string, currency = 'USD') =>
  shop.database.maybe<Made>(tryRule({ ...plain, ...rule }, cost, currency))

const reprice = (isConfirmed = true) =>
  shop.database.transaction((tx) => repriceOffers(tx, 'all', { adminId: null, because: 'rule', isConfirmed }))

const openAlerts = async () =>
  (
    await shop.database.rows<{ kind: string; details: object }>(sql`
      SELECT kind, details FROM alert WHERE resolved_at IS NULL ORDER BY kind`)
  ).map(({ kind, details }) => [kind, details])

const deleteProduct = async ({ productId }: TestOffer) => {
  const removed = await shop.call('DELETE', `/admin/products/${productId}`, { token: admin.token })
  expect([removed.status, removed.text]).toEqual([200, removed.text])
}

/** The rule, the cost in USD, and the prices it makes, in minor units at 80 roubles per dollar. */
const made: [string, Partial<RuleFigures>, string, number, number][] = [
  ['no margin', {}, '1', 100, 80_00],
  ['ten percent', { margin_percent: 10 }, '1', 110, 88_00],
  ['a tenth of a percent of a cent is a cent more', { margin_percent: 0.01 }, '1', 101, 80_01],
  ['a cost of many decimals', { margin_percent: 10 }, '0.12345678', 14, 10_87],
  ['what is exact stays exact', { margin_percent: 50 }, '0.66666666', 100, 80_00],
  [
    'the least margin counts where the percentage is less',
    { margin_percent: 10, least_usd: 0.5, least_rub: 30 },
    '1',
    150,
    110_00,
  ],
  ['and not where it is more', { margin_percent: 100, least_usd: 0.5, least_rub: 30 }, '1', 200, 160_00],
  ['the payment takes its share of the whole price', { payment_percent: 20 }, '1', 125, 100_00],
  ['after the margin', { margin_percent: 10, payment_percent: 50 }, '1', 220, 176_00],
  ['to the next .99', { rounding_usd: 'ninety_nine', rounding_rub: 'ninety_nine' }, '1', 199, 80_99],
  ['.99 stays', { rounding_usd: 'ninety_nine' }, '1.99', 199, 159_20],
  ['a cent above .99 is the next one', { rounding_usd: 'ninety_nine' }, '1.991', 299, 159_28],
  ['to whole roubles', { rounding_rub: 'whole' }, '1.001', 101, 81_00],
  ['whole roubles stay', { rounding_rub: 'whole' }, '1', 100, 80_00],
  ['to tens', { rounding_usd: 'tens', rounding_rub: 'tens' }, '1.001', 10_00, 90_00],
  ['next to nothing costs something', {}, '0.00000001', 1, 1],
]

test.each(made)('%s', async (_what, rule, cost, usd, rub) => {
  expect(await make(rule, cost)).toMatchObject({ price_usd: usd, price_rub: rub })
})

test.each([
  ['RUB', '80', 100, 80_00],
  ['EUR', '0.8', 100, 80_00],
  ['EUR', '10', 12_50, 1_000_00],
  ['KZT', '1', 1, 16],
])('a cost in %s of %s is converted at the rates in force', async (currency, cost, usd, rub) => {
  expect(await make({}, cost, currency)).toEqual({ price_usd: usd, price_rub: rub, floor_usd: usd, floor_rub: rub })
})

test('a cost in a currency without a rate, and one beyond all prices, makes none', async () => {
  expect(await make({}, '1', 'XAU')).toBeUndefined()
  expect(await make({}, '999999999999')).toBeUndefined()
})

test('whatever the rule, the cost and the rates, a price is above zero, not under its cost, and keeps its margin', async () => {
  const figures = fc.record<RuleFigures>({
    margin_percent: fc.integer({ min: 0, max: 100_000 }).map((hundredths) => hundredths / 100),
    least_usd: fc.integer({ min: 0, max: 10_000 }).map((cents) => cents / 100),
    least_rub: fc.integer({ min: 0, max: 1_000_000 }).map((kopecks) => kopecks / 100),
    payment_percent: fc.integer({ min: 0, max: 5_000 }).map((hundredths) => hundredths / 100),
    rounding_usd: fc.constantFrom('hundredth', 'ninety_nine', 'whole', 'tens'),
    rounding_rub: fc.constantFrom('hundredth', 'ninety_nine', 'whole', 'tens'),
  })
  const decimal = (most: number) =>
    fc
      .tuple(fc.integer({ min: 0, max: most }), fc.integer({ min: 1, max: 99_999_999 }))
      .map(([units, parts]) => `${units}.${String(parts).padStart(8, '0')}`)
  const exact = (text: string) => BigInt(text.replace('.', ''))
  const one = 100_000_000n
  await fc.assert(
    fc.asyncProperty(
      figures,
      decimal(9_999),
      decimal(2_000),
      decimal(20),
      fc.constantFrom('USD', 'RUB', 'EUR'),
      async (rule, cost, rub, eur, currency) => {
        await shop.database.run(sql`
        UPDATE currency_rate SET rate = CASE to_currency WHEN 'RUB' THEN ${rub}::numeric WHEN 'EUR' THEN ${eur}::numeric ELSE rate END`)
        const prices = await make(rule, cost, currency)
        if (!prices) return
        const rates = { USD: one, RUB: exact(rub), EUR: exact(eur) }
        const own = rates[currency as keyof typeof rates]
        for (const [price, floor, rate, least, rounding] of [
          [prices.price_usd, prices.floor_usd, rates.USD, rule.least_usd, rule.rounding_usd],
          [prices.price_rub, prices.floor_rub, rates.RUB, rule.least_rub, rule.rounding_rub],
        ] as const) {
          // In hundred-millionths of minor units, multiplied by the rate of the cost so that nothing is divided.
          const costs = exact(cost) * rate * 100n
          const scale = one * own
          expect(BigInt(floor) * scale >= costs && BigInt(floor - 1) * scale < costs).toBe(true)
          expect(price).toBeGreaterThan(0)
          expect(price).toBeGreaterThanOrEqual(floor)
          const left = BigInt(price) * scale * BigInt(Math.round(10_000 - rule.payment_percent * 100))
          const percent = BigInt(Math.round(rule.margin_percent * 100))
          expect(left >= costs * (10_000n + percent)).toBe(true)
          expect(left >= (costs + BigInt(Math.round(least * 100)) * scale) * 10_000n).toBe(true)
          if (rounding === 'ninety_nine') expect(price % 100).toBe(99)
          if (rounding === 'whole') expect(price % 100).toBe(0)
          if (rounding === 'tens') expect(price % 1_000).toBe(0)
        }
      },
    ),
    { numRuns: 300 },
  )
})

test('the nearest rule holds: of the package, else of its product, its first category, the shop', async () => {
  const offer = await aPricedOffer(shop, { base: ['10', 'USD'] })
  await shop.database.run(sql`UPDATE product SET category = '{cards,games}' WHERE id = ${offer.productId}`)
  const { repriced } = await shop.database.transaction(async (tx) => ({
    repriced: await repriceOffers(tx, 'all', { adminId: null, because: 'rule', isConfirmed: true }),
  }))
  expect(repriced).toEqual({ changed: 1, pending: 0 })
  expect(await storedPrice(shop, offer.id)).toMatchObject({ price_usd: 11_00 })
  const rules: [object, number][] = [
    [{ scope: 'category', category: 'games' }, 20],
    [{ scope: 'category', category: 'cards' }, 30],
    [{ scope: 'product', product_id: offer.productId }, 40],
    [{ scope: 'offer', offer_id: offer.id }, 50],
  ]
  const ids: number[] = []
  for (const [target, margin_percent] of rules) {
    const body = { ...target, ...plain, margin_percent }
    const answer = await shop.call('POST', '/admin/price-rules', { token: admin.token, body })
    expect([answer.status, answer.text]).toEqual([201, answer.text])
    ids.push(answer.body.data.id)
    expect(await storedPrice(shop, offer.id)).toMatchObject({ price_usd: 1_000 + margin_percent * 10 })
  }
  for (const [index, id] of [...ids.entries()].reverse()) {
    expect((await shop.call('DELETE', `/admin/price-rules/${id}`, { token: admin.token })).status).toBe(200)
    const margin = index === 0 ? 10 : (rules[index - 1]?.[1] ?? 0)
    expect(await storedPrice(shop, offer.id)).toMatchObject({ price_usd: 1_000 + margin * 10 })
  }
})

describe('an offer costs what', () => {
  test('its cheapest open source wants, at the rates in force', async () => {
    const offer = await aPricedOffer(shop, { base: ['50', 'USD'] })
    await aSource(shop, offer.id, ['20', 'USD'])
    await aSource(shop, offer.id, ['12', 'EUR'], { rank: 2 })
    await aSource(shop, offer.id, ['1', 'USD'], { isOn: false })
    await aSource(shop, offer.id, ['2', 'USD'], { isGone: true })
    await aSource(shop, offer.id, ['3', 'USD'], { closedReason: 'cost_moved' })
    await aSource(shop, offer.id, ['400', 'RUB'], { costAtMost: '4.99' })
    await aSource(shop, offer.id, ['1', 'XAU'])
    await reprice()
    expect(await storedPrice(shop, offer.id)).toMatchObject({ floor_usd: 15_00, price_usd: 16_50, price_rub: 1_320_00 })
  })

  test('a supplier that is on wants: one that is off sells nothing, one that is out of service for a while is waited for', async () => {
    const on = (supplier: string, sells: string[] = ['topup', 'code']) =>
      noteSeller(shop, { name: supplier, sells: sells as Supplier['sells'], needsItem: true, redeemsCodes: false })
    const offer = await aPricedOffer(shop)
    await aSource(shop, offer.id, ['0.5', 'USD'], { supplier: 'cheap' })
    await aSource(shop, offer.id, ['0.6', 'USD'], { supplier: 'dear', rank: 2 })
    const price = async () => {
      await reprice()
      const { price_usd, floor_usd } = await storedPrice(shop, offer.id)
      return [price_usd, floor_usd]
    }
    for (const supplier of ['cheap', 'dear']) await on(supplier)
    expect(await price()).toEqual([55, 50])
    await on('cheap', [])
    expect(await price()).toEqual([66, 60])
    await on('cheap', ['code'])
    expect(await price()).toEqual([66, 60])
    await on('cheap')
    await shop.database.run(sql`
      UPDATE supplier_health SET failures = 100, out_until = now() + interval '1 hour', balance = 0, balance_currency = 'USD',
        balance_at = now() WHERE supplier = 'cheap'`)
    expect(await price()).toEqual([55, 50])
    const list = await shop.call('GET', '/admin/offer-prices', { token: admin.token })
    expect(list.body.data).toMatchObject([{ offer_id: offer.id, cost: '0.5' }])
  })

  test.each([
    ['waits for a yes after a jump', sql`held_rate = 1, held_at = now()`],
    ['is too old to buy by', sql`updated_at = now() - interval '15 days'`],
    ['is the guess of a new shop', sql`source = 'fixed'`],
  ])('a source that can be paid wants, while the rate of a cheaper one %s', async (_, change) => {
    const { slug, offers } = await aGame(shop)
    await shop.database.run(sql`UPDATE offer SET price_mode = 'rule' WHERE id = ${offers[0]}`)
    await aSource(shop, offers[0], ['8', 'EUR'])
    const dear = await aSource(shop, offers[0], ['12', 'USD'], { rank: 2 })
    const priced = async () => {
      await reprice()
      const { price_usd, floor_usd } = await storedPrice(shop, offers[0])
      return [price_usd, floor_usd, (await shop.call('GET', `/topups/${slug}/offers`)).body.offers[0].available]
    }
    expect(await priced()).toEqual([11_00, 10_00, 100])
    await shop.database.run(sql`UPDATE currency_rate SET ${change} WHERE to_currency = 'EUR'`)
    expect(await priced()).toEqual([13_20, 12_00, 100])
    // A typed price has no higher floor for it.
    await shop.database.run(sql`UPDATE offer SET price_mode = 'fixed' WHERE id = ${offers[0]}`)
    expect((await priced()).slice(0, 2)).toEqual([13_20, 10_00])
    await shop.database.run(sql`UPDATE offer SET price_mode = 'rule' WHERE id = ${offers[0]}`)
    // Where no other is left, it is the only one that says what the offer costs.
    await shop.database.run(sql`UPDATE offer_source SET is_on = false WHERE supplier_product_id = ${dear}`)
    expect(await priced()).toEqual([11_00, 10_00, 0])
    await shop.database.run(sql`UPDATE offer_source SET is_on = true WHERE supplier_product_id = ${dear}`)
    await shop.database.run(sql`
      UPDATE currency_rate SET source = 'cbr', updated_at = now(), held_rate = NULL, held_at = NULL WHERE to_currency = 'EUR'`)
    expect(await priced()).toEqual([11_00, 10_00, 100])
  })

  test('a source wants of which one customer’s order can buy one: not one that is sold by several pieces only', async () => {
    const offer = await aPricedOffer(shop, { base: ['5', 'USD'] })
    const packs = await aSource(shop, offer.id, ['0.5', 'USD'])
    const dear = await aSource(shop, offer.id, ['0.6', 'USD'], { rank: 2 })
    const price = async (quantityMin: number | null) => {
      await shop.database.run(sql`UPDATE supplier_product SET quantity_min = ${quantityMin} WHERE id = ${packs}`)
      await reprice()
      const { price_usd, floor_usd } = await storedPrice(shop, offer.id)
      return [price_usd, floor_usd]
    }
    expect(await price(1)).toEqual([55, 50])
    expect(await price(2)).toEqual([66, 60])
    await shop.database.run(sql`UPDATE offer_source SET is_on = false WHERE supplier_product_id = ${dear}`)
    expect(await price(2)).toEqual([5_50, 5_00])
    expect(await price(null)).toEqual([55, 50])
  })

  test('was typed, while no source is open', async () => {
    const offer = await aPricedOffer(shop, { base: ['5', 'USD'] })
    await aSource(shop, offer.id, ['20', 'USD'], { isGone: true })
    await reprice()
    expect(await storedPrice(shop, offer.id)).toMatchObject({ floor_usd: 5_00, price_usd: 5_50 })
  })

  test('nobody knows keeps its price, and has no floor', async () => {
    const offer = await aPricedOffer(shop)
    expect(await reprice()).toEqual({ changed: 0, pending: 0 })
    expect(await storedPrice(shop, offer.id)).toMatchObject({ price_usd: 100, floor_usd: null, price_version: 1 })
  })

  test('a source says in a currency without a rate keeps its price, and an operator is told', async () => {
    const offer = await aPricedOffer(shop)
    await aSource(shop, offer.id, ['1', 'XAU'])
    await reprice()
    expect(await storedPrice(shop, offer.id)).toMatchObject({ price_usd: 100, floor_usd: null })
    expect(await openAlerts()).toEqual([['price.no_rate', {}]])
    await shop.database.run(sql`UPDATE offer_source SET is_on = false WHERE offer_id = ${offer.id}`)
    await reprice()
    expect(await openAlerts()).toEqual([])
  })
})

test('an operator is told of each currency without a rate, as long as something is paid for in it', async () => {
  const [gold, silver] = [await aPricedOffer(shop), await aPricedOffer(shop)]
  await aSource(shop, gold.id, ['1', 'XAU'])
  await aSource(shop, silver.id, ['1', 'XAG'])
  const unrated = async () => {
    await reprice()
    const open = await shop.database.rows<{ subject: string }>(sql`
      SELECT subject FROM alert WHERE kind = 'price.no_rate' AND resolved_at IS NULL ORDER BY subject`)
    return open.map(({ subject }) => subject)
  }
  expect(await unrated()).toEqual(['XAG', 'XAU'])
  await shop.database.run(sql`UPDATE offer_source SET is_on = false WHERE offer_id = ${gold.id}`)
  expect(await unrated()).toEqual(['XAG'])
  await shop.database.run(sql`UPDATE offer_source SET is_on = false WHERE offer_id = ${silver.id}`)
  expect(await unrated()).toEqual([])
})

test('what is off sale under its cost stays so while nobody knows what it costs, and comes back once it is paid for', async () => {
  const offer = await aPricedOffer(shop, { mode: 'fixed' })
  const product = await aSource(shop, offer.id, ['2', 'USD'])
  await reprice()
  expect(await storedPrice(shop, offer.id)).toMatchObject({ is_active: false, is_off_sale: true })
  await shop.database.run(sql`UPDATE offer_source SET closed_reason = 'cost_moved' WHERE offer_id = ${offer.id}`)
  await reprice()
  expect(await storedPrice(shop, offer.id)).toMatchObject({ floor_usd: null, is_active: false, is_off_sale: true })
  expect(await openAlerts()).toEqual([['price.under_floor', { packages: 1 }]])
  await shop.database.run(sql`UPDATE offer_source SET closed_reason = NULL WHERE offer_id = ${offer.id}`)
  await shop.database.run(sql`UPDATE supplier_product SET cost = 0.9 WHERE id = ${product}`)
  await reprice()
  expect(await storedPrice(shop, offer.id)).toMatchObject({ floor_usd: 90, is_active: true, is_off_sale: false })
  expect(await openAlerts()).toEqual([])
})

test('what was off sale under its cost is counted no more once its product is deleted', async () => {
  const [one, two] = [
    await aPricedOffer(shop, { mode: 'fixed', base: ['2', 'USD'] }),
    await aPricedOffer(shop, { mode: 'fixed', base: ['2', 'USD'] }),
  ]
  await reprice()
  expect(await openAlerts()).toEqual([['price.under_floor', { packages: 2 }]])
  await deleteProduct(one)
  await reprice()
  expect(await openAlerts()).toEqual([['price.under_floor', { packages: 1 }]])
  await deleteProduct(two)
  await reprice()
  expect(await openAlerts()).toEqual([])
})

describe('codes that are bought on demand', () => {
  const onDemand = async (mode: 'rule' | 'fixed' = 'rule', cost = '1', wish: OfferWish = {}) => {
    const offer = await aPricedOffer(shop, { mode, priceUsd: 110, priceRub: 88_00, ...wish })
    await shop.database.run(sql`UPDATE product SET buys_on_demand = true WHERE id = ${offer.productId}`)
    const product = await aSource(shop, offer.id, [cost, 'USD'])
    await shop.database.run(sql`UPDATE supplier_product SET kind = 'code' WHERE id = ${product}`)
    return offer
  }
  const setShare = (percent: number) =>
    shop.database.run(sql`
      INSERT INTO shop_setting (section, version, value)
      SELECT section, version + 1, value || ${JSON.stringify({ on_demand_cost_percent: percent })}::jsonb
      FROM shop_setting WHERE section = 'numbers' ORDER BY version DESC LIMIT 1`)
  const countAvailable = async ({ productId }: { productId: number }) =>
    (await shop.call('GET', `/products/${productId}/codes/0`)).body[0].available_count

  test.each([
    ['1', 125, 100_00],
    ['1.00000001', 126, 100_01],
    ['0.011', 2, 1_10],
    ['9.99', 1249, 999_00],
  ])('get a price from any rule by which they can be had at %s', async (cost, usd, rub) => {
    const offer = await onDemand('rule', cost)
    await reprice()
    expect(await storedPrice(shop, offer.id)).toMatchObject({ price_usd: usd, price_rub: rub })
    expect(await countAvailable(offer)).toBe(10)
    expect(await openAlerts()).toEqual([])
  })

  test.each([
    [60, '10', '81.2346', 135_391],
    [90, '10', '81.2349', 90_261],
    [90, '100', '80.0001', 888_890],
  ])('get a price of which %i percent are exactly %s, at %s rubles a dollar', async (share, cost, rate, rub) => {
    await shop.database.run(sql`UPDATE price_rule SET margin_percent = 0 WHERE scope = 'shop'`)
    await shop.database.run(sql`UPDATE currency_rate SET rate = ${rate}::numeric WHERE to_currency = 'RUB'`)
    await setShare(share)
    const offer = await onDemand('rule', cost)
    await reprice()
    expect(await storedPrice(shop, offer.id)).toMatchObject({ price_rub: rub })
    expect(await countAvailable(offer)).toBe(10)
    expect(await openAlerts()).toEqual([])
    await shop.database.run(
      sql`UPDATE offer SET price_mode = 'fixed', price_rub = price_rub - 1 WHERE id = ${offer.id}`,
    )
    await reprice()
    expect(await countAvailable(offer)).toBe(0)
    await setShare(80)
  })

  test('keep the larger margin of their rule, and one without a supplier is priced as ever', async () => {
    await shop.database.run(sql`UPDATE price_rule SET margin_percent = 30 WHERE scope = 'shop'`)
    const [bought, typed] = [await onDemand(), await aPricedOffer(shop, { base: ['1', 'USD'] })]
    await shop.database.run(sql`UPDATE product SET buys_on_demand = true WHERE id = ${typed.productId}`)
    await reprice()
    expect(await storedPrice(shop, bought.id)).toMatchObject({ price_usd: 130 })
    await shop.database.run(sql`UPDATE price_rule SET margin_percent = 10 WHERE scope = 'shop'`)
    await reprice()
    expect(await storedPrice(shop, bought.id)).toMatchObject({ price_usd: 125 })
    expect(await storedPrice(shop, typed.id)).toMatchObject({ price_usd: 110 })
  })

  test('at a typed price by which they can’t be had are not sold, and an operator is told which', async () => {
    const [thin, fine] = [await onDemand('fixed'), await onDemand('fixed', '0.88')]
    await reprice()
    expect(await storedPrice(shop, thin.id)).toMatchObject({ price_usd: 110, is_active: true, is_off_sale: false })
    expect([await countAvailable(thin), await countAvailable(fine)]).toEqual([0, 10])
    expect(await openAlerts()).toEqual([['price.too_low', { packages: 1 }]])
    const list = await shop.call('GET', '/admin/offer-prices?state=off_sale', { token: admin.token })
    expect(list.body.data).toMatchObject([{ offer_id: thin.id, cost: '1', price_usd: 1.1 }])
    await shop.database.run(sql`UPDATE offer SET price_mode = 'rule' WHERE id = ${thin.id}`)
    await reprice()
    expect(await countAvailable(thin)).toBe(10)
    expect(await openAlerts()).toEqual([])
  })

  test('at a typed price by which they can’t be had are sold from the shelf, and nobody is told while some are there', async () => {
    const offer = await onDemand('fixed', '1', { stock: 1 })
    await reprice()
    expect(await countAvailable(offer)).toBe(1)
    expect(await openAlerts()).toEqual([])
    await shop.database.run(sql`UPDATE code SET status = 'quarantined' WHERE offer_id = ${offer.id}`)
    await reprice()
    expect(await countAvailable(offer)).toBe(0)
    expect(await openAlerts()).toEqual([['price.too_low', { packages: 1 }]])
  })

  test.each([
    ['is switched off', sql`UPDATE region SET is_active = false`],
    ['the product is sold in no more', sql`DELETE FROM product_region`],
  ])('of a region that %s are not sold at any price, so nobody is told of theirs', async (_, close) => {
    await onDemand('fixed', '1', { region: 'Turkey' })
    await reprice()
    expect(await openAlerts()).toEqual([['price.too_low', { packages: 1 }]])
    await shop.database.run(close)
    await reprice()
    expect(await openAlerts()).toEqual([])
  })

  test('are priced again when they begin to be bought', async () => {
    const offer = await onDemand()
    await shop.database.run(sql`UPDATE product SET buys_on_demand = false WHERE id = ${offer.productId}`)
    await reprice()
    expect(await storedPrice(shop, offer.id)).toMatchObject({ price_usd: 110 })
    const ask = (path: string, body: object) => shop.call('PUT', `/admin/${path}`, { token: admin.token, body })
    expect((await ask(`products/${offer.productId}`, { buysOnDemand: true })).status).toBe(200)
    expect(await storedPrice(shop, offer.id)).toMatchObject({ price_usd: 125 })
  })
})

describe('what no supplier may be paid for is sold out, and an operator is told', () => {
  const aTopup = async () => {
    const game = await aGame(shop)
    const told = async () => {
      await reprice()
      const { body } = await shop.call('GET', `/topups/${game.slug}/offers`)
      const list = await shop.call('GET', '/admin/offer-prices?state=off_sale', { token: admin.token })
      const listed = list.body.data.map(({ offer_id }: { offer_id: number }) => offer_id)
      expect(listed).toEqual(body.offers[0].available === 0 ? [game.offers[0]] : [])
      return openAlerts()
    }
    return { ...game, offerId: game.offers[0], told }
  }
  const costs = (productId: number, cost: string) =>
    shop.database.run(sql`UPDATE supplier_product SET cost = ${cost} WHERE id = ${productId}`)
  const isTold = [['price.too_low', { packages: 1 }]]

  test('where the cost grows past the limit of the only source', async () => {
    const topup = await aTopup()
    const ware = await aSource(shop, topup.offerId, ['0.48', 'USD'], { costAtMost: '0.49' })
    expect(await topup.told()).toEqual([])
    await costs(ware, '0.5')
    expect(await topup.told()).toEqual(isTold)
    await aSource(shop, topup.offerId, ['0.6', 'USD'], { rank: 2 })
    expect(await topup.told()).toEqual([])
  })

  test('where the rate that was typed is too old to buy by', async () => {
    const topup = await aTopup()
    await aSource(shop, topup.offerId, ['0.48', 'EUR'])
    const setEuro = (source: string, days: number) =>
      shop.database.run(sql`
        UPDATE currency_rate SET source = ${source}, updated_at = now() - make_interval(days => ${days})
        WHERE to_currency = 'EUR'`)
    await setEuro('admin', 13)
    expect(await topup.told()).toEqual([])
    await setEuro('admin', 15)
    expect(await topup.told()).toEqual(isTold)
    await setEuro('fixed', 0)
    expect(await topup.told()).toEqual(isTold)
  })

  test('where it is bought by its name, unless the operator delivers it', async () => {
    const topup = await aTopup()
    await shop.database.run(sql`UPDATE supplier_health SET sells = '{}'`)
    const seller = { sells: ['topup'] as const, redeemsCodes: false }
    await noteSeller(shop, { ...seller, name: 'by-name', needsItem: true })
    const ware = await aSource(shop, topup.offerId, ['1', 'USD'], { supplier: 'by-name' })
    await shop.database.run(sql`DELETE FROM offer_source WHERE offer_id = ${topup.offerId}`)
    await shop.database.run(sql`
      UPDATE offer SET item_id = (SELECT reference FROM supplier_product WHERE id = ${ware}) WHERE id = ${topup.offerId}`)
    expect(await topup.told()).toEqual([])
    await costs(ware, '1.01')
    expect(await topup.told()).toEqual(isTold)
    await noteSeller(shop, { ...seller, name: 'by-hand', needsItem: false })
    expect(await topup.told()).toEqual([])
  })

  test.each([
    [
      'as its list says',
      (id: number) => sql`INSERT INTO offer_source (offer_id, kind, rank) VALUES (${id}, 'pool', 2)`,
    ],
    [
      'before it is bought by its name',
      (id: number) => sql`
        WITH dear AS (
          DELETE FROM offer_source USING supplier_product AS bought
          WHERE offer_id = ${id} AND bought.id = supplier_product_id RETURNING reference),
        priced AS (UPDATE offer SET item_id = (SELECT reference FROM dear) WHERE id = ${id} RETURNING product_id)
        UPDATE product SET pricing = 'combination' FROM priced WHERE product.id = product_id`,
    ],
  ])('unless a pool is spent, %s, and only while codes are in it', async (_, setPool) => {
    const topup = await aTopup()
    await shop.database.run(sql`UPDATE supplier_health SET sells = '{}'`)
    await noteSeller(shop, { name: 'redeemer', sells: ['topup'], needsItem: true, redeemsCodes: true })
    await noteSeller(shop, { name: 'dear', sells: ['topup'], needsItem: true, redeemsCodes: false })
    await aSource(shop, topup.offerId, ['1.01', 'USD'], { supplier: 'dear', costAtMost: '1' })
    await shop.database.run(setPool(topup.offerId))
    expect(await topup.told()).toEqual(isTold)
    await fillPool(shop, { id: topup.offerId, productId: topup.productId }, [`POOL-${topup.slug}`])
    expect(await topup.told()).toEqual([])
    await shop.database.run(sql`UPDATE supplier_health SET sells = '{}' WHERE redeems_codes`)
    expect(await topup.told()).toEqual(isTold)
  })
})

test('every old price stays, with the version that orders name', async () => {
  const offer = await aPricedOffer(shop, { base: ['1', 'USD'] })
  await reprice()
  await shop.database.run(sql`UPDATE offer SET base_cost = 2 WHERE id = ${offer.id}`)
  await reprice()
  await reprice()
  await shop.database.run(sql`UPDATE offer SET is_popular = true WHERE id = ${offer.id}`)
  expect(
    await shop.database.rows<object>(sql`
      SELECT version, price_usd, price_rub FROM offer_price WHERE offer_id = ${offer.id} ORDER BY version`),
  ).toEqual([
    { version: 1, price_usd: 100, price_rub: 80_00 },
    { version: 2, price_usd: 110, price_rub: 88_00 },
    { version: 3, price_usd: 220, price_rub: 176_00 },
  ])
})

describe('a price that jumps', () => {
  const aJump = async () => {
    const offer = await aPricedOffer(shop, { base: ['1', 'USD'] })
    await reprice()
    await shop.database.run(sql`UPDATE offer SET base_cost = 1.6 WHERE id = ${offer.id}`)
    return offer
  }
  const pending = async () =>
    (await shop.call('GET', '/admin/pending-prices', { token: admin.token })).body.data as {
      id: number
      price_usd: number
    }[]
  const decide = (decision: string, ids: number[]) =>
    shop.call('POST', '/admin/pending-prices/decide', { token: admin.token, body: { decision, ids } })

  test('waits for a yes, off sale while the old one is under cost, and is in force with it', async () => {
    const offer = await aJump()
    expect(await reprice(false)).toEqual({ changed: 0, pending: 1 })
    expect(await storedPrice(shop, offer.id)).toMatchObject({ price_usd: 110, is_active: false, is_off_sale: true })
    expect(await openAlerts()).toEqual([
      ['price.under_floor', { packages: 1 }],
      ['price.waiting', { packages: 1 }],
    ])
    const [proposal] = await pending()
    expect(proposal).toMatchObject({ was_usd: 1.1, price_usd: 1.76, floor_usd: 1.6 })
    expect((await decide('approve', [proposal?.id ?? 0])).body.data).toEqual({ changed: 1, pending: 0 })
    expect(await storedPrice(shop, offer.id)).toMatchObject({
      price_usd: 176,
      price_mode: 'rule',
      is_active: true,
      is_off_sale: false,
    })
    expect(await openAlerts()).toEqual([])
    expect((await decide('approve', [proposal?.id ?? 0])).body.error.details).toEqual({ reason: 'prices_moved' })
  })

  test('that is rejected leaves the price to be typed', async () => {
    const offer = await aJump()
    await reprice(false)
    const [proposal] = await pending()
    expect((await decide('reject', [proposal?.id ?? 0])).status).toBe(200)
    await reprice(false)
    expect(await pending()).toEqual([])
    expect(await storedPrice(shop, offer.id)).toMatchObject({ price_usd: 110, price_mode: 'fixed', is_active: false })
  })

  test.each([
    ['approve', 176],
    ['reject', 110],
  ])('waits no more once its product is deleted: who decides to %s all decides the others', async (decision, price) => {
    const deleted = await aPricedOffer(shop, { base: ['1', 'USD'] })
    const kept = await aJump()
    await shop.database.run(sql`UPDATE offer SET base_cost = 1.6 WHERE id = ${deleted.id}`)
    await reprice(false)
    await deleteProduct(deleted)
    const { total, data } = (await shop.call('GET', '/admin/pending-prices', { token: admin.token })).body
    expect([total, data.length]).toEqual([1, 1])
    const body = { decision, all: { up_to: data[0].id, count: total } }
    const decided = await shop.call('POST', '/admin/pending-prices/decide', { token: admin.token, body })
    expect([decided.status, decided.text]).toEqual([200, decided.text])
    expect(await storedPrice(shop, kept.id)).toMatchObject({ price_usd: price })
    expect((await openAlerts()).map(([kind]) => kind)).not.toContain('price.waiting')
  })

  test('is proposed again when it moves, and closed when it jumps no more', async () => {
    const offer = await aJump()
    await reprice(false)
    const [first] = await pending()
    await reprice(false)
    expect(await pending()).toEqual([first])
    await shop.database.run(sql`UPDATE offer SET base_cost = 1.7 WHERE id = ${offer.id}`)
    await reprice(false)
    const [second] = await pending()
    expect(second).toMatchObject({ price_usd: 1.87 })
    expect((await decide('approve', [first?.id ?? 0])).status).toBe(409)
    await shop.database.run(sql`UPDATE offer SET base_cost = 1.2 WHERE id = ${offer.id}`)
    expect(await reprice(false)).toEqual({ changed: 1, pending: 0 })
    expect(await pending()).toEqual([])
    expect(await storedPrice(shop, offer.id)).toMatchObject({ price_usd: 132, is_active: true })
  })
})

describe('a typed price', () => {
  test('stays when costs and rates move, and is not sold under its cost', async () => {
    const offer = await aPricedOffer(shop, { base: ['0.9', 'USD'], mode: 'fixed' })
    await reprice(false)
    expect(await storedPrice(shop, offer.id)).toMatchObject({ price_usd: 100, floor_usd: 90, floor_rub: 72_00 })
    await shop.database.run(sql`UPDATE currency_rate SET rate = 90 WHERE to_currency = 'RUB'`)
    await reprice(false)
    expect(await storedPrice(shop, offer.id)).toMatchObject({ price_rub: 80_00, floor_rub: 81_00, is_active: false })
    await shop.database.run(sql`UPDATE currency_rate SET rate = 80 WHERE to_currency = 'RUB'`)
    await reprice(false)
    expect(await storedPrice(shop, offer.id)).toMatchObject({ price_version: 1, is_active: true, is_off_sale: false })
  })

  test('that an operator took off sale is not put back by a better rate', async () => {
    const offer = await aPricedOffer(shop, { base: ['0.9', 'USD'], mode: 'fixed' })
    await shop.database.run(sql`UPDATE offer SET is_active = false WHERE id = ${offer.id}`)
    await reprice(false)
    expect(await storedPrice(shop, offer.id)).toMatchObject({ is_active: false, is_off_sale: false })
  })
})
