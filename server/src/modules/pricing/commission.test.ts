import { beforeAll, beforeEach, expect, test } from 'vitest'
import { aUser } from '../../../test/factories.ts'
import { orderTopup, sellTopups, steamTopup } from '../../../test/topups.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { addProduct } from '../catalogue/change-product.ts'
import { checkInvariants } from '../proof/ledger-proof.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })
const buyer = useUser(shop, { usd: 100_000, rub: 10_000_000 })
let ruleId: number

beforeAll(async () => {
  await sellTopups(shop)
  const rule = await shop.database.one<{ id: number }>(sql`SELECT id FROM price_rule WHERE scope = 'amount'`)
  ruleId = rule.id
})
beforeEach(() => setRule(3))

const plain = { least_usd: 0, least_rub: 0 }
const setRule = (margin_percent: number, least: object = plain) =>
  shop.call('PUT', `/admin/price-rules/${ruleId}`, { token: admin.token, body: { margin_percent, ...least } })

const calculate = async (amount: number, inputCurrency = 'rub', slug = 'steam') => {
  const body = { amount, inputCurrency, userBalanceCurrency: 'rub' }
  return (await shop.call('POST', `/topups/${slug}/calculate`, { token: buyer.token, body })).body.calculation
}
const readTerms = async (slug = 'steam') => (await shop.call('GET', `/topups/${slug}/fields`)).body.commission

const brokenPrices = async () =>
  (await shop.database.snapshot(checkInvariants)).filter(({ number, offenders }) => number === 11 && offenders > 0)

test('the commission is three percent to the kopeck, until an admin says otherwise', async () => {
  expect(await readTerms()).toEqual({ percent: 3, least_usd: 0, least_rub: 0 })
  expect(await calculate(10)).toEqual({ amountInUserCurrency: 10.3, amountWithCommission: 0.13, commission: 0.01 })
  expect((await setRule(7.25)).status).toBe(200)
  expect(await calculate(1_000)).toEqual({
    amountInUserCurrency: 1_072.5,
    amountWithCommission: 13.41,
    commission: 0.91,
  })
})

test('the least commission counts where the percentage is less, and stands with the fields', async () => {
  await setRule(3, { least_usd: 0.1, least_rub: 10 })
  expect(await readTerms()).toEqual({ percent: 3, least_usd: 0.1, least_rub: 10 })
  expect(await calculate(100)).toEqual({ amountInUserCurrency: 110, amountWithCommission: 1.35, commission: 0.1 })
  expect(await calculate(1_000)).toMatchObject({ amountInUserCurrency: 1_030 })
})

test('a product has a commission of its own where it has a rule, and nothing of it is rounded', async () => {
  const text = { title: 'Another wallet', description: '', activationInstructions: '' }
  const productId = await shop.database.transaction((tx) =>
    addProduct(tx, {
      slug: 'another-wallet',
      kind: 'topup',
      pricing: 'amount',
      category: [],
      keywords: [],
      gameCurrency: '',
      imageUrl: '',
      supportsCodeGeneration: false,
      codePrefix: null,
      position: 99,
      texts: { ru: text },
      regions: [],
    }),
  )
  expect(await readTerms('another-wallet')).toEqual({ percent: 3, least_usd: 0, least_rub: 0 })
  const figures = {
    margin_percent: 8,
    ...plain,
    payment_percent: 0,
    rounding_usd: 'hundredth',
    rounding_rub: 'hundredth',
  }
  const add = (more: object = {}) =>
    shop.call('POST', '/admin/price-rules', {
      token: admin.token,
      body: { scope: 'product', product_id: productId, ...figures, ...more },
    })
  expect((await add({ rounding_rub: 'whole' })).body.error.details).toEqual({ rounding_rub: 'not_of_amounts' })
  expect((await add({ payment_percent: 2 })).body.error.details).toEqual({ payment_percent: 'not_of_amounts' })
  expect((await add()).status).toBe(201)
  expect(await readTerms('another-wallet')).toMatchObject({ percent: 8 })
  expect(await calculate(100, 'rub', 'another-wallet')).toMatchObject({ amountInUserCurrency: 108 })
  expect(await readTerms()).toMatchObject({ percent: 3 })
})

test('what is sold keeps the version of its rule, and the books know whether it follows from that', async () => {
  await setRule(5, { least_usd: 0, least_rub: 20 })
  const wish = { amount: 100, currency: 'rub', price_usd: 1.32, price_rub: 120 } as const
  expect((await orderTopup(shop, buyer, steamTopup(wish), { currency: 'RUB' })).status).toBe(201)
  await setRule(3)
  expect(await brokenPrices()).toEqual([])
  await shop.database.run(sql`UPDATE topup_target SET rule_id = NULL, rule_version = NULL`)
  expect(await brokenPrices()).toHaveLength(1)
  await shop.database.run(sql`
    UPDATE topup_target SET rule_id = ${ruleId}, rule_version = (
      SELECT max(version) FROM price_rule_version WHERE rule_id = ${ruleId} AND least_rub = 2000)`)
  expect(await brokenPrices()).toEqual([])
})

test('who buys while the commission changes pays what was seen, or is refused', async () => {
  const buyers = await Promise.all(Array.from({ length: 20 }, () => aUser(shop, { rub: 1_000_000 })))
  const wish = steamTopup({ amount: 1_000, currency: 'rub', price_usd: 12.88, price_rub: 1_030 })
  const answers = await Promise.all([
    ...buyers.map((one) => orderTopup(shop, one, wish, { currency: 'RUB' })),
    setRule(4),
    ...buyers.map((one) => orderTopup(shop, one, wish, { currency: 'RUB', confirmRepeat: true })),
  ])
  for (const { status, body } of answers) {
    if (status === 200 || status === 201) continue
    // Whose second press came first is asked about the first one.
    expect(['PRICE_CHANGED', 'repeat']).toContain(body.error?.details?.reason ?? body.error?.code)
  }
  const { others } = await shop.database.one<{ others: number }>(sql`
    SELECT count(*)::int AS others FROM order_item JOIN orders ON orders.id = order_id
    WHERE user_id = ANY (${buyers.map(({ id }) => id)}::int[]) AND unit_price <> 103000`)
  expect(others).toBe(0)
  expect(await brokenPrices()).toEqual([])
})
