import { beforeEach, expect, test } from 'vitest'
import { anOffer, aUser, toCart } from '../../../test/factories.ts'
import { aTopupOffer, aTopupOrder, type TopupOffer } from '../../../test/topup-orders.ts'
import { useShop } from '../../../test/use-shop.ts'
import { SERVER_BUSINESS } from '../../business.ts'
import { sql } from '../../platform/database/queries.ts'
import { measureMinutes } from './supplier-health.ts'

const shop = useShop()
const least = SERVER_BUSINESS.measuredDeliveriesMin
let offer: TopupOffer
beforeEach(async () => {
  offer = await aTopupOffer(shop)
})

interface Units {
  count: number
  /** How long after the payment they came; none are still under way. */
  minutes?: number
  hoursAgo?: number
  state?: 'done' | 'rejected' | 'queued'
}

/** Paid units of the offer, as they stand by now. */
async function someUnits({ count, minutes = 0, hoursAgo = 24, state = 'done' }: Units): Promise<string> {
  const { orderId } = await aTopupOrder(shop, { offer, quantity: count })
  const isOpen = state === 'queued'
  await shop.database.run(sql`
    UPDATE delivery SET state = ${state}, created_at = now() - make_interval(hours => ${hoursAgo}),
      next_at = CASE WHEN ${isOpen} THEN now() END,
      decided_at = CASE WHEN NOT ${isOpen}
        THEN now() - make_interval(hours => ${hoursAgo}) + make_interval(secs => ${minutes * 60}) END
    FROM order_item WHERE order_item.id = order_item_id AND order_id = ${orderId}`)
  return orderId
}

async function readMinutes(productId = offer.productId) {
  await measureMinutes(shop)
  const { slug } = await shop.database.one<{ slug: string }>(sql`SELECT slug FROM product WHERE id = ${productId}`)
  return (await shop.call('GET', `/products/slug/${slug}`)).body.delivery_minutes
}

test('half and 95 of 100 of the last days, in whole minutes, rounded up', async () => {
  await someUnits({ count: 18, minutes: 1.1 })
  await someUnits({ count: 1, minutes: 7.2 })
  await someUnits({ count: 1, minutes: 90 })
  expect(await readMinutes()).toEqual({ p50: 2, p95: 8 })
})

test('the list and what a checkout asks for say so too, and what took seconds took a minute', async () => {
  await someUnits({ count: least, minutes: 0.05 })
  await measureMinutes(shop)
  const listed = (await shop.call('GET', '/topups')).body
  const topup = listed.find(({ id }: { id: number }) => id === offer.productId)
  expect(topup.delivery_minutes).toEqual({ p50: 1, p95: 1 })
  const { body } = await shop.call('GET', `/topups/${topup.slug}/fields`)
  expect(body.delivery_minutes).toEqual({ p50: 1, p95: 1 })
})

test(`nothing is said of fewer than ${least} deliveries, and failures do not fill them up`, async () => {
  await someUnits({ count: least - 1, minutes: 1 })
  await someUnits({ count: 1, state: 'rejected' })
  expect(await readMinutes()).toBeNull()
  await someUnits({ count: 1, minutes: 1 })
  expect(await readMinutes()).toEqual({ p50: 1, p95: 1 })
})

test.each([
  ['refunded', { state: 'rejected', minutes: 1 }],
  ['still on their way past the promise', { state: 'queued' }],
] as const)('units that were %s count as later than all others', async (_name, never) => {
  await someUnits({ count: 57, minutes: 2 })
  await someUnits({ count: 3, ...never })
  expect(await readMinutes()).toEqual({ p50: 2, p95: 2 })
  await someUnits({ count: 1, ...never })
  expect(await readMinutes()).toBeNull()
})

test('an item that was refunded after its delivery did not come either', async () => {
  await someUnits({ count: least, minutes: 2 })
  const refunded = await someUnits({ count: 2, minutes: 1 })
  expect(await readMinutes()).toEqual({ p50: 2, p95: 2 })
  await shop.database.run(sql`UPDATE order_item SET status = 'refunded' WHERE order_id = ${refunded}`)
  expect(await readMinutes()).toBeNull()
})

test('what is on its way within the promise, and what is older than the days, is not counted', async () => {
  await someUnits({ count: least, minutes: 3 })
  await someUnits({ count: 10, hoursAgo: 0, state: 'queued' })
  await someUnits({ count: 30, minutes: 1, hoursAgo: 24 * 7 + 1 })
  expect(await readMinutes()).toEqual({ p50: 3, p95: 3 })
})

test('a product that slows down loses what was said of it, and its pages are renewed only when something changed', async () => {
  await someUnits({ count: least, minutes: 3 })
  const renewed: string[] = []
  shop.database.onOwnNotification({ catalogue: (subject) => void renewed.push(String(subject)) })
  const countChanges = () => renewed.filter((subject) => subject === `product:${offer.productId}`).length
  await measureMinutes(shop)
  expect(countChanges()).toBe(1)
  await measureMinutes(shop)
  expect(countChanges()).toBe(1)
  await someUnits({ count: 5, state: 'rejected' })
  await measureMinutes(shop)
  expect(countChanges()).toBe(2)
  expect(await readMinutes()).toBeNull()
})

test('codes that were in stock are no deliveries', async () => {
  const codes = await anOffer(shop, { stock: 30 })
  const buyer = await aUser(shop, { usd: 30 * codes.priceUsd })
  await shop.call('POST', '/cart/add', { token: buyer.token, body: toCart(codes, 30) })
  await shop.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency: 'USD' } })
  expect(await readMinutes(codes.productId)).toBeNull()
})
