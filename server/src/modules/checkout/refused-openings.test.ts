import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectSound, fillCart, openedBy, pressPay, startVendorShop } from '../../../test/card-orders.ts'
import { stripeRefusals } from '../../../test/doubles/stripe.ts'
import { retryAfterSeconds } from '../../../test/doubles/vendor-double.ts'
import { yookassaRefusals } from '../../../test/doubles/yookassa.ts'
import { anOffer, aUser } from '../../../test/factories.ts'
import { sql } from '../../platform/database/queries.ts'
import { watchPayments } from './receive-webhook.ts'

let shop: Awaited<ReturnType<typeof startVendorShop>>
beforeAll(async () => {
  shop = await startVendorShop()
})
afterAll(async () => {
  await expectSound(shop)
  await shop.close()
})
beforeEach(() => {
  for (const vendor of [shop.yookassa, shop.stripe]) Object.assign(vendor, { fault: undefined, refusal: undefined })
})

const sides = [
  {
    name: 'yookassa',
    currency: 'RUB',
    price: 8_000,
    least: 100,
    vendor: () => shop.yookassa,
    refusals: yookassaRefusals,
  },
  { name: 'stripe', currency: 'USD', price: 100, least: 50, vendor: () => shop.stripe, refusals: stripeRefusals },
] as const

describe.each(sides)('by $name', ({ name, currency, price, least, vendor, refusals }) => {
  const aBuyer = async (priceNow = price as number) => {
    const offer = await anOffer(shop, {
      stock: 1,
      ...(currency === 'USD' ? { priceUsd: priceNow } : { priceRub: priceNow }),
    })
    const buyer = await aUser(shop)
    await fillCart(shop, buyer, offer)
    return buyer
  }
  const press = async (priceNow = price as number) => pressPay(shop, await aBuyer(priceNow), priceNow, { currency })
  const open = () =>
    shop.database.rows<{ kind: string; details: Record<string, unknown> }>(
      sql`SELECT kind, details FROM alert WHERE subject = ${name} AND resolved_at IS NULL`,
    )

  test('a key that is refused calls the operator once, and the next payment that opens ends it', async () => {
    vendor().refusal = refusals.all
    for (let times = 0; times < 2; times++) expect((await press()).status).toBe(502)
    expect(await open()).toMatchObject([
      { kind: 'payment.not_allowed', details: { provider: name, amount: price, currency, order: expect.any(String) } },
    ])
    vendor().refusal = undefined
    expect((await press()).status).toBe(201)
    expect(await open()).toEqual([])
  })

  test('any other refusal says which parameter, and ends the same way', async () => {
    vendor().refusal = refusals.parameter
    await press()
    expect(await open()).toMatchObject([
      {
        kind: 'payment.refused',
        details: { provider: name, amount: price, currency, reason: expect.any(String), parameter: expect.any(String) },
      },
    ])
    vendor().refusal = undefined
    await press()
    expect(await open()).toEqual([])
  })

  test('less than it takes is refused before there is an order', async () => {
    const known = vendor().requests.length
    const buyer = await aBuyer(least - 1)
    const refused = await pressPay(shop, buyer, least - 1, { currency })
    expect([refused.status, refused.body.error]).toMatchObject([
      400,
      { code: 'BELOW_LEAST_AMOUNT', details: { least: least / 100, currency } },
    ])
    const { orders } = await shop.database.one<{ orders: number }>(
      sql`SELECT count(*)::int AS orders FROM orders WHERE user_id = ${buyer.id}`,
    )
    expect([orders, vendor().requests.length]).toEqual([0, known])
    expect((await press(least)).status).toBe(201)
  })

  test('it is left alone as long as it asked for', async () => {
    const buyer = await aBuyer()
    vendor().fault = 'pause'
    expect((await pressPay(shop, buyer, price, { currency })).status).toBe(502)
    vendor().fault = undefined
    const openings = () => vendor().requests.filter(({ method }) => method === 'POST').length
    const known = openings()
    expect((await pressPay(shop, buyer, price, { currency })).status).toBe(502)
    await shop.database.run(sql`UPDATE payment SET created_at = now() - interval '1 minute' WHERE status = 'opening'`)
    await watchPayments(shop)
    expect(openings()).toBe(known)
    const { pause } = await shop.database.one<{ pause: number }>(sql`
      SELECT extract(epoch FROM next_at - now())::float8 AS pause FROM payment
      JOIN orders ON orders.id = order_id WHERE user_id = ${buyer.id}`)
    expect(pause).toBeGreaterThan(retryAfterSeconds - 5)
    await shop.database.run(sql`UPDATE payment SET next_at = now() - interval '1 second' WHERE next_at IS NOT NULL`)
    expect((await pressPay(shop, buyer, price, { currency })).status).toBe(201)
  })
})

describe.each(sides)('the pay page of $name', ({ currency, price, vendor }) => {
  const rename = (name: string, ago: string) =>
    shop.database.run(sql`
      INSERT INTO shop_setting (section, version, value, changed_at)
      SELECT section, version + 1, value || ${JSON.stringify({ name })}::jsonb, now() - ${ago}::interval
      FROM shop_setting WHERE section = 'shop' ORDER BY version DESC LIMIT 1`)

  test('says what the shop was called when the payment began, at every attempt', async () => {
    const buyer = await aUser(shop)
    await fillCart(shop, buyer, await anOffer(shop, { stock: 1 }))
    await rename('Kamolot', '1 hour')
    const known = vendor().requests.length
    vendor().fault = 'broken-before'
    expect((await pressPay(shop, buyer, price, { currency })).status).toBe(502)
    vendor().fault = undefined
    await rename('Bozor', '0 s')
    expect((await pressPay(shop, buyer, price, { currency })).status).toBe(201)
    const opened = vendor().requests.slice(known)
    const bodies = opened.filter(({ method }) => method === 'POST').map(({ body }) => body)
    expect(bodies).toEqual([expect.stringContaining('Kamolot'), bodies[0]])
  })
})

test('Stripe has the order on the payment itself, and is spoken to in the version that was read', async () => {
  const buyer = await aUser(shop)
  await fillCart(shop, buyer, await anOffer(shop, { stock: 1 }))
  const { orderId } = await openedBy(shop, await pressPay(shop, buyer, 100))
  const sent = shop.stripe.requests.findLast(({ method }) => method === 'POST')
  const form = new URLSearchParams(sent?.body)
  expect(form.get('payment_intent_data[metadata][order_id]')).toBe(orderId)
  expect(form.get('payment_intent_data[description]')).toContain(orderId)
  expect(sent?.headers['stripe-version']).toBe('2026-10-28.endive')
})
