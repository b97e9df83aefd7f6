import { expect, test } from 'vitest'
import { aCardOrder, fillCart, sendWebhook, toWebhook, useCardShop } from '../../../test/card-orders.ts'
import { anOffer, aUser, type TestOffer, type TestUser } from '../../../test/factories.ts'
import { useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'

const shop = useCardShop()
const admin = useUser(shop, { role: 'admin' })

const ask = async (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) => {
  const answer = await shop.call(method, `/admin${path}`, { token: admin.token, ...(body && { body }) })
  expect([path, answer.status, answer.text]).toEqual([path, expect.toSatisfy((status) => status < 300), answer.text])
  return answer.body
}

const toBatch = async ({ productId }: TestOffer): Promise<number> =>
  (await ask('GET', `/code-batches?productId=${productId}`)).data[0].id

const importMore = ({ productId, priceUsd, priceRub }: TestOffer, codes: string[], bought?: object) =>
  ask('POST', '/codes/bulk', {
    productId,
    lines: codes.map((code) => `${code},${priceUsd / 100},${priceRub / 100},100`),
    ...(bought && { bought }),
  })

async function buy(offer: TestOffer, quantity = 1, currency = 'USD') {
  const buyer = await aUser(shop, { usd: 100_000, rub: 10_000_000 })
  await fillCart(shop, buyer, offer, quantity)
  const paid = await shop.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency } })
  expect([paid.status, paid.text]).toEqual([201, paid.text])
  return { buyer, orderId: paid.body.order.id as string }
}

const readOrder = async (orderId: string) => (await ask('GET', `/orders/${orderId}`)).data
const toProfit = async (orderId: string) => (await readOrder(orderId)).profit
const reveal = (buyer: TestUser, orderId: string) => shop.call('GET', `/orders/${orderId}`, { token: buyer.token })

const usd = (cost: string) => ({ cost, currency: 'USD' })

test('a code costs what its batch says at the moment of the sale, and no later change of it', async () => {
  const offer = await anOffer(shop, { stock: 3, priceUsd: 250, cost: usd('1.125') })
  const { orderId } = await buy(offer, 2)
  await ask('PUT', `/code-batches/${await toBatch(offer)}`, { cost: '2', currency: 'USD' })
  const later = await buy(offer)
  const order = await readOrder(orderId)
  expect(order.profit).toEqual({ revenue: 5, cost: 2.25, margin: 2.75, unknown_revenue: 0, units: 2, known_units: 2 })
  expect(order.items[0].profit).toEqual(order.profit)
  expect(order.items[0].codes.map(({ cost }: { cost: string }) => cost)).toEqual(['1.125', '1.125'])
  expect(await toProfit(later.orderId)).toMatchObject({ cost: 2, margin: 0.5 })
})

test('a line is rounded once, not each of its codes', async () => {
  const offer = await anOffer(shop, { stock: 10, cost: usd('0.145') })
  expect(await toProfit((await buy(offer, 10)).orderId)).toMatchObject({ cost: 1.45 })
})

test.each([
  ['USD', 'RUB', '1.5', '120', 120],
  ['RUB', 'USD', '100', '1.25', 1.25],
  ['KZT', 'USD', '520', '1', 1],
  ['KZT', 'RUB', '520', '80', 80],
])('a cost in %s is kept in the %s of its order', async (currency, paidIn, cost, kept, shown) => {
  const offer = await anOffer(shop, { stock: 1, priceUsd: 500, priceRub: 40_000, cost: { cost, currency } })
  const order = await readOrder((await buy(offer, 1, paidIn)).orderId)
  expect(order.items[0].codes[0].cost).toBe(kept)
  expect(order.profit.cost).toBe(shown)
})

test('an unknown cost stays unknown, also of a part of a line', async () => {
  const offer = await anOffer(shop, { stock: 1, priceUsd: 1_000 })
  expect(await toProfit((await buy(offer)).orderId)).toEqual({
    revenue: 10,
    cost: null,
    margin: null,
    unknown_revenue: 10,
    units: 1,
    known_units: 0,
  })
  await importMore(offer, ['PART-1-UNKNOWN'])
  await importMore(offer, ['PART-2-KNOWN', 'PART-3-KNOWN'], usd('6'))
  expect(await toProfit((await buy(offer, 3)).orderId)).toEqual({
    revenue: 30,
    cost: 12,
    margin: 8,
    unknown_revenue: 10,
    units: 3,
    known_units: 2,
  })
})

test('a gift costs nothing, which is something that is known', async () => {
  const offer = await anOffer(shop, { stock: 1, cost: usd('0') })
  expect(await toProfit((await buy(offer)).orderId)).toMatchObject({ cost: 0, margin: 1, known_units: 1 })
})

test('what was paid by card gets the cost in force when its money came', async () => {
  const offer = await anOffer(shop, { stock: 2, cost: usd('0.4') })
  const order = await aCardOrder(shop, { offer, quantity: 2 })
  expect(await toProfit(order.orderId)).toBeNull()
  await ask('PUT', `/code-batches/${await toBatch(offer)}`, { cost: '0.5', currency: 'USD' })
  await sendWebhook(shop, toWebhook(order))
  expect(await toProfit(order.orderId)).toMatchObject({ revenue: 2, cost: 1, margin: 1 })
})

test('a replaced code is a cost of its order, and so is the one that takes its place', async () => {
  const offer = await anOffer(shop, { stock: 2, priceUsd: 300, cost: usd('1') })
  const { orderId } = await buy(offer)
  const bad = (await readOrder(orderId)).items[0].codes[0].id
  await ask('POST', `/orders/${orderId}/codes/${bad}/replace`, { reason: 'does not work' })
  expect(await toProfit(orderId)).toMatchObject({ revenue: 3, cost: 2, margin: 1, units: 2, known_units: 2 })
})

test('a refunded code costs its order nothing once it is in stock again, and everything once it was seen', async () => {
  const offer = await anOffer(shop, { stock: 3, cost: usd('0.8') })
  const [unseen, seen] = [await buy(offer), await buy(offer)]
  await reveal(seen.buyer, seen.orderId)
  for (const { orderId } of [unseen, seen])
    await ask('POST', `/orders/${orderId}/refund`, { to: 'wallet', reason: 'x' })
  const none = { revenue: 0, unknown_revenue: 0 }
  expect(await toProfit(unseen.orderId)).toEqual({ ...none, cost: 0, margin: 0, units: 0, known_units: 0 })
  expect(await toProfit(seen.orderId)).toEqual({ ...none, cost: 0.8, margin: -0.8, units: 1, known_units: 1 })
  const again = await buy(offer)
  expect(await toProfit(again.orderId)).toMatchObject({ revenue: 1, cost: 0.8 })
})

test('a sum that was given back leaves the cost, and a unit takes its own along', async () => {
  const offer = await anOffer(shop, { stock: 3, cost: usd('0.6') })
  const { orderId } = await buy(offer, 3)
  const [{ id }] = (await readOrder(orderId)).items
  await ask('POST', `/orders/${orderId}/refund`, { to: 'wallet', reason: 'x', items: [{ id, amount: 0.5 }] })
  expect(await toProfit(orderId)).toMatchObject({ revenue: 2.5, cost: 1.8, units: 3 })
  await ask('POST', `/orders/${orderId}/refund`, { to: 'wallet', reason: 'x', items: [{ id, quantity: 1 }] })
  expect(await toProfit(orderId)).toMatchObject({ revenue: 1.5, cost: 1.2, units: 2 })
})

test('while 24 buy and others change what it cost, each code costs one of the two, and is sold once', async () => {
  const offer = await anOffer(shop, { stock: 24, cost: usd('0.25') })
  const batch = await toBatch(offer)
  const changes = ['0.75', '0.25', '0.75'].map((cost) =>
    ask('PUT', `/code-batches/${batch}`, { cost, currency: 'USD' }),
  )
  const orders = await Promise.all([...Array(24)].map(() => buy(offer)))
  await Promise.all(changes)
  const costs = await shop.database.rows<{ cost: string }>(sql`
    SELECT trim_scale(code_sale.cost)::text AS cost FROM code_sale JOIN order_item ON order_item.id = order_item_id
    WHERE order_id = ANY (${orders.map(({ orderId }) => orderId)})`)
  expect(costs).toHaveLength(24)
  expect(costs.every(({ cost }) => cost === '0.25' || cost === '0.75')).toBe(true)
})

test('the list of orders says what each earned', async () => {
  const offer = await anOffer(shop, { stock: 1, cost: usd('0.4') })
  const { orderId } = await buy(offer)
  const { data } = await ask('GET', `/orders?search=${orderId}`)
  expect(data[0].profit).toMatchObject({ revenue: 1, cost: 0.4, margin: 0.6 })
})
