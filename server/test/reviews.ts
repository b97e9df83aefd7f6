import { sql } from '../src/platform/database/queries.ts'
import { anOffer, aUser, type TestOffer, type TestUser, toCart } from './factories.ts'
import type { TestShop } from './shop.ts'

interface BoughtItem {
  buyer: TestUser
  offer: TestOffer
  orderId: string
  itemId: number
}

/** A line of an order that was paid for and delivered, of one code; a new buyer's by default. */
export async function aBoughtItem(
  shop: TestShop,
  wish: { offer?: TestOffer; buyer?: TestUser } = {},
): Promise<BoughtItem> {
  const offer = wish.offer ?? (await anOffer(shop, { stock: 1 }))
  const buyer = wish.buyer ?? (await aUser(shop, { usd: offer.priceUsd }))
  await shop.call('POST', '/cart/add', { token: buyer.token, body: toCart(offer) })
  const { body } = await shop.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency: 'USD' } })
  const orderId: string = body.order.id
  const { id } = await shop.database.one<{ id: number }>(sql`SELECT id FROM order_item WHERE order_id = ${orderId}`)
  return { buyer, offer, orderId, itemId: id }
}

export const reviewPath = ({ orderId, itemId }: Pick<BoughtItem, 'orderId' | 'itemId'>) =>
  `/orders/${orderId}/items/${itemId}/review`

/** What a buyer says of what they bought. */
export const writeReview = (shop: TestShop, item: BoughtItem, body: object = { stars: 5, text: 'It works' }) =>
  shop.call('PUT', reviewPath(item), { token: item.buyer.token, body })

/** A review of five stars, of a line of its own unless one is given. */
export async function aReview(shop: TestShop, item?: BoughtItem): Promise<BoughtItem & { reviewId: number }> {
  const bought = item ?? (await aBoughtItem(shop))
  await writeReview(shop, bought)
  const { id } = await shop.database.one<{ id: number }>(
    sql`SELECT id FROM review WHERE order_item_id = ${bought.itemId}`,
  )
  return { ...bought, reviewId: id }
}
