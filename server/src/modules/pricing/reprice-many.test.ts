import { expect, test } from 'vitest'
import { anOffer } from '../../../test/factories.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })

/** With REPRICED=100000 it is the whole of what is promised; the processors of every day are shared with other tests. */
const offers = Number(process.env.REPRICED ?? 20_000)
const secondsAtMost = 10
/** Packages of which a reader looks at the prices: the first, the last, and some between. */
const sample = Array.from({ length: 101 }, (_, index) => 1_000 + Math.min(index * Math.floor(offers / 100), offers - 1))

/** Gives a product so many packages, each with a source of its own: 1 dollar, 1.01, 1.02 and so on. */
async function seed(productId: number): Promise<void> {
  await shop.database.run(sql`
    INSERT INTO offer (product_id, game_amount, price_usd, price_rub, price_mode)
    SELECT ${productId}, 1000 + n, 100 + n, (100 + n) * 80, 'rule' FROM generate_series(0, ${offers - 1}::int) AS n`)
  await shop.database.run(sql`
    INSERT INTO supplier_product (supplier, reference, kind, name, cost, currency)
    SELECT 'sandbox', 'many-' || n, 'topup', 'A package', (100 + n) / 100.0, 'USD'
    FROM generate_series(0, ${offers - 1}::int) AS n`)
  await shop.database.run(sql`
    INSERT INTO offer_source (offer_id, kind, supplier_product_id, rank)
    SELECT offer.id, 'supplier', supplier_product.id, 1 FROM offer
    JOIN supplier_product ON supplier_product.reference = 'many-' || (offer.game_amount - 1000)
    WHERE offer.product_id = ${productId}`)
  await shop.database.run(sql`ANALYZE offer, supplier_product, offer_source`)
}

const rate = () => shop.database.one<{ id: number }>(sql`SELECT id FROM currency_rate WHERE to_currency = 'RUB'`)

/** Times a call, in seconds, while a reader looks by which rates prices were made. */
async function timed(productId: number, change: () => Promise<{ status: number; text: string }>) {
  let isOver = false
  const pictures: string[] = []
  const look = async () => {
    const { rates } = await shop.database.one<{ rates: string }>(sql`
      SELECT string_agg(DISTINCT round(price_rub::numeric / price_usd)::text, ' ') AS rates FROM offer
      WHERE product_id = ${productId} AND region_id IS NULL AND game_amount = ANY (${sample}::int[])`)
    pictures.push(rates)
  }
  const read = async () => {
    while (!isOver) await look()
    await look()
  }
  const reading = read()
  const startedAt = performance.now()
  const answer = await change()
  const seconds = (performance.now() - startedAt) / 1000
  isOver = true
  await reading
  expect([answer.status, answer.text]).toEqual([200, answer.text])
  return { seconds, pictures: new Set(pictures) }
}

test('many packages are priced within ten seconds, and nobody reads half of them', async () => {
  const { productId } = await anOffer(shop)
  await seed(productId)
  await shop.database.run(
    sql`UPDATE price_rule SET rounding_rub = 'hundredth', margin_percent = 0 WHERE scope = 'shop'`,
  )
  const { id } = await rate()
  const rule = await shop.database.one<{ id: number }>(sql`SELECT id FROM price_rule WHERE scope = 'shop'`)
  const put = (path: string, body: object) => shop.call('PUT', path, { token: admin.token, body })

  const byRule = await timed(productId, () => put(`/admin/price-rules/${rule.id}`, { margin_percent: 20 }))
  const byRate = await timed(productId, () => put(`/admin/currency-rates/${id}`, { rate: 84 }))
  // Other tests run on the same processors, sometimes more of them, sometimes fewer.
  expect(Math.min(byRule.seconds, byRate.seconds)).toBeLessThan(secondsAtMost)
  expect(byRule.pictures).toEqual(new Set(['80']))
  expect(byRate.pictures).toEqual(new Set(['80', '84']))
  const { priced } = await shop.database.one<{ priced: number }>(sql`
    SELECT count(*)::int AS priced FROM offer JOIN offer_price ON offer_price.offer_id = offer.id AND offer_price.version = 3
    WHERE product_id = ${productId} AND offer.price_usd = ceil((game_amount - 900) * 1.2) AND floor_usd = game_amount - 900
      AND offer.price_rub = ceil((game_amount - 900) * 1.2 * 84)`)
  expect(priced).toBe(offers)
}, 120_000)
