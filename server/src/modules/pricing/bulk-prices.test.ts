import type { PricePreview } from '@olmos/contract/price-changes'
import { beforeEach, describe, expect, test } from 'vitest'
import { aUser, type TestOffer, toCart } from '../../../test/factories.ts'
import { aPricedOffer, storedPrice } from '../../../test/priced-offers.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { repriceOffers } from './reprice.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })

const figures = {
  margin_percent: 10,
  least_usd: 0,
  least_rub: 0,
  payment_percent: 0,
  rounding_usd: 'hundredth',
  rounding_rub: 'hundredth',
}

beforeEach(async () => {
  await shop.database.run(sql`UPDATE price_rule SET deleted_at = now() WHERE scope NOT IN ('shop', 'amount')`)
  await shop.database.run(
    sql`UPDATE price_rule SET margin_percent = 10, rounding_rub = 'hundredth' WHERE scope = 'shop'`,
  )
  await shop.database.run(sql`UPDATE offer SET deleted_at = now(), is_active = false WHERE deleted_at IS NULL`)
  await shop.database.run(sql`UPDATE currency_rate SET rate = 80 WHERE to_currency = 'RUB'`)
})

const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
  shop.call(method, path, { token: admin.token, ...(body && { body }) })

const preview = async (wish: object, page = 1): Promise<PricePreview> => {
  const answer = await call('POST', '/admin/price-changes/preview', { wish, page })
  expect([answer.status, answer.text]).toEqual([200, answer.text])
  return answer.body
}

const percent = (selection: object, both: number, rounding = 'hundredth') => ({
  by: 'percent',
  selection,
  percent_usd: both,
  percent_rub: both,
  rounding_usd: rounding,
  rounding_rub: rounding,
})
const ofOffers = (...offers: TestOffer[]) => ({ of: 'offers', offer_ids: offers.map(({ id }) => id) })

const learnCosts = () =>
  shop.database.transaction((tx) => repriceOffers(tx, 'all', { adminId: null, because: 'costs', isConfirmed: true }))

const pricesNow = async (...offers: TestOffer[]) =>
  Promise.all(
    offers.map(async ({ id }) => {
      const { price_usd, price_rub, price_mode } = await storedPrice(shop, id)
      return [price_usd, price_rub, price_mode]
    }),
  )

describe('a change of many prices', () => {
  test('is previewed price by price, and applied exactly as it was seen', async () => {
    const [one, two] = [
      await aPricedOffer(shop, { mode: 'fixed' }),
      await aPricedOffer(shop, { mode: 'fixed', priceUsd: 333 }),
    ]
    const wish = percent(ofOffers(one, two), 10)
    const seen = await preview(wish)
    expect(seen).toMatchObject({
      total: 2,
      jumps: 0,
      under_floor: 0,
      data: [
        { offer_id: one.id, was_usd: 1, was_rub: 80, price_usd: 1.1, price_rub: 88, floor_usd: null, doubts: [] },
        { offer_id: two.id, was_usd: 3.33, was_rub: 80, price_usd: 3.67, price_rub: 88, doubts: [] },
      ],
    })
    expect(await pricesNow(one, two)).toEqual([
      [100, 80_00, 'fixed'],
      [333, 80_00, 'fixed'],
    ])
    const answer = await call('POST', '/admin/price-changes', { wish, seen: seen.digest })
    expect(answer.body.data).toEqual({ changed: 2, pending: 0 })
    expect(await pricesNow(one, two)).toEqual([
      [110, 88_00, 'fixed'],
      [367, 88_00, 'fixed'],
    ])
  })

  test.each([
    ['a tenth less, to the next .99', -10, 'ninety_nine', 99, 72_99],
    ['nothing', 0, 'tens', 100, 80_00],
    ['half as much again, to whole ones', 50, 'whole', 2_00, 120_00],
    ['almost all of it', -90, 'hundredth', 10, 8_00],
  ])('of %s is rounded up, and makes nothing free', async (_what, both, rounding, usd, rub) => {
    const offer = await aPricedOffer(shop, { mode: 'fixed' })
    const wish = percent(ofOffers(offer), both, rounding)
    const { digest } = await preview(wish)
    await call('POST', '/admin/price-changes', { wish, seen: digest })
    expect(await pricesNow(offer)).toEqual([[usd, rub, 'fixed']])
  })

  test('is of a product, of a category or of the whole shop', async () => {
    const [one, two] = [await aPricedOffer(shop, { mode: 'fixed' }), await aPricedOffer(shop, { mode: 'fixed' })]
    await shop.database.run(sql`UPDATE product SET category = '{rare}' WHERE id = ${two.productId}`)
    const totals = []
    for (const selection of [
      { of: 'shop' },
      { of: 'category', category: 'rare' },
      { of: 'product', product_id: one.productId },
    ]) {
      const { total, data } = await preview(percent(selection, 5))
      totals.push([total, data.map(({ offer_id }) => offer_id)])
    }
    expect(totals).toEqual([
      [2, [one.id, two.id]],
      [1, [two.id]],
      [1, [one.id]],
    ])
  })

  test('prices by rule what has a known cost, also where it jumps, because it was seen', async () => {
    const [known, unknown] = [
      await aPricedOffer(shop, { mode: 'fixed', base: ['2', 'USD'] }),
      await aPricedOffer(shop, { mode: 'fixed' }),
    ]
    await shop.database.run(sql`UPDATE offer SET is_active = false WHERE id = ${known.id}`)
    const wish = { by: 'rule', selection: ofOffers(known, unknown) }
    const seen = await preview(wish)
    expect(seen).toMatchObject({ total: 1, jumps: 1, without_cost: 1, data: [{ price_usd: 2.2, doubts: ['jump'] }] })
    expect((await call('POST', '/admin/price-changes', { wish, seen: seen.digest })).body.data).toEqual({
      changed: 1,
      pending: 0,
    })
    expect(await pricesNow(known, unknown)).toEqual([
      [220, 176_00, 'rule'],
      [100, 80_00, 'fixed'],
    ])
  })

  test('refuses prices under cost without a reason, and keeps the reason of each in the audit log', async () => {
    const offer = await aPricedOffer(shop, { mode: 'fixed', base: ['0.95', 'USD'] })
    await learnCosts()
    const wish = percent(ofOffers(offer), -10)
    const { digest, under_floor, data } = await preview(wish)
    expect([under_floor, data[0]?.doubts]).toEqual([1, ['floor']])
    const refused = await call('POST', '/admin/price-changes', { wish, seen: digest })
    expect(refused.body.error).toMatchObject({
      code: 'FLOOR_PRICE',
      details: { prices: [{ price_usd: 0.9, price_rub: 72, floor_usd: 0.95, floor_rub: 76 }] },
    })
    const agreed = await call('POST', '/admin/price-changes', { wish, seen: digest, underFloor: 'a week of sale' })
    expect(agreed.body.data).toEqual({ changed: 1, pending: 0 })
    expect(await storedPrice(shop, offer.id)).toMatchObject({ price_usd: 90, is_active: true })
    const { reason } = await shop.database.one<{ reason: string }>(sql`
      SELECT after ->> 'reason' AS reason FROM audit_entry
      WHERE action = 'offer.under_floor' AND subject = ${`offer:${offer.id}`}`)
    expect(reason).toBe('a week of sale')
  })

  test.each([
    ['a price', (id: number) => sql`UPDATE offer SET price_usd = price_usd + 1 WHERE id = ${id}`],
    ['a cost', (id: number) => sql`UPDATE offer SET base_cost = 0.6 WHERE id = ${id}`],
    ['the rate', () => sql`UPDATE currency_rate SET rate = 81 WHERE to_currency = 'RUB'`],
    ['the rule', () => sql`UPDATE price_rule SET margin_percent = 11 WHERE scope = 'shop'`],
    ['what is chosen', (id: number) => sql`UPDATE offer SET deleted_at = now(), is_active = false WHERE id = ${id}`],
  ])('that %s has moved under since it was seen changes nothing', async (_what, move) => {
    const [one, two] = [
      await aPricedOffer(shop, { mode: 'fixed', base: ['0.5', 'USD'] }),
      await aPricedOffer(shop, { mode: 'fixed', base: ['0.5', 'USD'] }),
    ]
    const wish = { by: 'rule', selection: ofOffers(one, two) }
    const { digest } = await preview(wish)
    await shop.database.run(move(two.id))
    const answer = await call('POST', '/admin/price-changes', { wish, seen: digest })
    expect([answer.status, answer.body.error.details]).toEqual([409, { preview: 'moved' }])
    expect(await pricesNow(one)).toEqual([[100, 80_00, 'fixed']])
  })

  test('made by twenty admins at once is made once', async () => {
    const offer = await aPricedOffer(shop, { mode: 'fixed' })
    const wish = percent(ofOffers(offer), 10)
    const { digest } = await preview(wish)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call('POST', '/admin/price-changes', { wish, seen: digest })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
    expect(await pricesNow(offer)).toEqual([[110, 88_00, 'fixed']])
  })
})

describe('a rule', () => {
  const aRule = async (offer: TestOffer, more = {}) =>
    call('POST', '/admin/price-rules', { scope: 'product', product_id: offer.productId, ...figures, ...more })

  test('is previewed as it would be, and its jumps wait unless they were seen', async () => {
    const offer = await aPricedOffer(shop, { base: ['1', 'USD'] })
    await learnCosts()
    const rule = { scope: 'product', product_id: offer.productId, ...figures, margin_percent: 80 }
    const seen = await preview({ by: 'new_rule', rule })
    expect(seen).toMatchObject({ total: 1, jumps: 1, data: [{ was_usd: 1.1, price_usd: 1.8, doubts: ['jump'] }] })
    const added = await aRule(offer, { margin_percent: 80 })
    expect(await pricesNow(offer)).toEqual([[110, 88_00, 'rule']])
    const { id, version } = added.body.data
    const waiting = await call('GET', '/admin/pending-prices')
    expect(waiting.body).toMatchObject({ total: 1, data: [{ offer_id: offer.id, was_usd: 1.1, price_usd: 1.8 }] })

    const change = { by: 'changed_rule', id, rule: { margin_percent: 90 } }
    const { digest } = await preview(change)
    await call('PUT', `/admin/price-rules/${id}`, { margin_percent: 90, version, seen: digest })
    expect(await pricesNow(offer)).toEqual([[190, 152_00, 'rule']])
    expect((await call('GET', '/admin/pending-prices')).body.total).toBe(0)
    const stale = await call('PUT', `/admin/price-rules/${id}`, { margin_percent: 20, seen: digest })
    expect(stale.body.error.details).toEqual({ preview: 'moved' })

    expect(await preview({ by: 'removed_rule', id })).toMatchObject({ data: [{ was_usd: 1.9, price_usd: 1.1 }] })
    await call('DELETE', `/admin/price-rules/${id}`)
    const history = await call('GET', `/admin/price-rules/${id}/history`)
    expect(
      history.body.data.map(({ version, margin_percent }: { version: number; margin_percent: number }) => [
        version,
        margin_percent,
      ]),
    ).toEqual([
      [3, 90],
      [2, 90],
      [1, 80],
    ])
  })

  test('ends only while its end makes the prices that were seen, and then they come at once', async () => {
    const offer = await aPricedOffer(shop, { base: ['1', 'USD'] })
    await learnCosts()
    const { id } = (await aRule(offer, { margin_percent: 12 })).body.data
    const { digest } = await preview({ by: 'removed_rule', id })
    const shops = (await call('GET', '/admin/price-rules')).body.data.find(
      ({ scope }: { scope: string }) => scope === 'shop',
    )
    const setShops = (margin_percent: number) => call('PUT', `/admin/price-rules/${shops.id}`, { margin_percent })
    await setShops(80)
    const stale = await call('DELETE', `/admin/price-rules/${id}?seen=${digest}`)
    expect([stale.status, stale.body.error?.details]).toEqual([409, { preview: 'moved' }])
    expect(await pricesNow(offer)).toEqual([[112, 89_60, 'rule']])

    const seen = await preview({ by: 'removed_rule', id })
    expect(seen).toMatchObject({ jumps: 1, data: [{ was_usd: 1.12, price_usd: 1.8 }] })
    expect((await call('DELETE', `/admin/price-rules/${id}?seen=${seen.digest}`)).status).toBe(200)
    expect(await pricesNow(offer)).toEqual([[180, 144_00, 'rule']])
    await setShops(shops.margin_percent)
  })

  test('exists once for each thing, and only for what is there', async () => {
    const offer = await aPricedOffer(shop)
    expect((await aRule(offer)).status).toBe(201)
    expect((await aRule(offer)).body.error.code).toBe('DUPLICATE')
    for (const [target, code] of [
      [{ scope: 'product', product_id: 999_999 }, 'NOT_FOUND'],
      [{ scope: 'offer', offer_id: 999_999 }, 'OFFER_NOT_FOUND'],
      [{ scope: 'category' }, 'VALIDATION_FAILED'],
      [{ scope: 'shop', category: 'games' }, 'VALIDATION_FAILED'],
      [{ scope: 'shop' }, 'DUPLICATE'],
    ] as const) {
      expect((await call('POST', '/admin/price-rules', { ...target, ...figures })).body.error.code).toBe(code)
    }
  })

  test('of the shop never ends, and is changed by one of two admins who saw the same', async () => {
    const rules: { id: number; scope: string; version: number }[] = (await call('GET', '/admin/price-rules')).body.data
    for (const scope of ['shop', 'amount']) {
      const rule = rules.find((known) => known.scope === scope)
      const refused = await call('DELETE', `/admin/price-rules/${rule?.id}`)
      expect(refused.body.error.details).toEqual({ reason: 'rule_of_shop' })
      const seen = { margin_percent: 12, version: rule?.version }
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => call('PUT', `/admin/price-rules/${rule?.id}`, seen)),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
    }
    await shop.database.run(sql`UPDATE price_rule SET margin_percent = 3 WHERE scope = 'amount'`)
  })

  test('shows what it would make of a cost', async () => {
    const body = { rule: { ...figures, rounding_rub: 'tens' }, cost: '1.2345', currency: 'USD' }
    expect((await call('POST', '/admin/price-rules/example', body)).body.data).toEqual({
      price_usd: 1.36,
      price_rub: 110,
      floor_usd: 1.24,
      floor_rub: 98.76,
    })
    expect((await call('POST', '/admin/price-rules/example', { ...body, currency: 'XAU' })).body.data).toBeNull()
  })
})

test('who buys while a rule changes pays what was seen, or is refused', async () => {
  const offer = await aPricedOffer(shop, { base: ['1', 'USD'], stock: 40 })
  await learnCosts()
  const { id } = await shop.database.one<{ id: number }>(sql`SELECT id FROM price_rule WHERE scope = 'shop'`)
  const buyers = await Promise.all(Array.from({ length: 24 }, () => aUser(shop, { usd: 1_000 })))
  const cart = toCart({ ...offer, priceUsd: 110, priceRub: 88_00 })
  for (const { token } of buyers)
    expect((await shop.call('POST', '/cart/add', { token, body: cart })).status).toBeLessThan(300)
  const buy = (token: string) => shop.call('POST', '/payment/from-balance', { token, body: { currency: 'USD' } })
  const change = (margin_percent: number) => call('PUT', `/admin/price-rules/${id}`, { margin_percent })
  const [first, ...others] = await Promise.all([
    change(20),
    ...buyers.slice(0, 12).map(({ token }) => buy(token)),
    change(15),
    ...buyers.slice(12).map(({ token }) => buy(token)),
  ])
  expect(first.status).toBe(200)
  const answers = others.filter(({ body }) => body.order !== undefined || body.error !== undefined)
  for (const { status, body } of answers) {
    expect([status, body.error?.code ?? 'paid']).toSatisfy(([code, text]) =>
      code < 300 ? text === 'paid' : text === 'PRICE_CHANGED',
    )
  }
  const paid = await shop.database.rows<{ unit_price: number; price_usd: number }>(sql`
    SELECT order_item.unit_price, offer_price.price_usd FROM order_item
    JOIN offer_price ON offer_price.offer_id = order_item.offer_id AND offer_price.version = order_item.price_version
    WHERE order_item.offer_id = ${offer.id}`)
  expect(paid).toHaveLength(answers.filter(({ status }) => status < 300).length)
  for (const { unit_price, price_usd } of paid) expect([unit_price, price_usd]).toEqual([110, 110])
})
