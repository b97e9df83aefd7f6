import type { ItemType } from '@olmos/contract/cart'
import type { Language } from '@olmos/contract/fields'
import { type Queries, sql, type Tx } from '../../platform/database.ts'
import { availableCount } from '../catalogue/available-count.ts'

export interface CartRow {
  id: number
  product_id: number
  product_slug: string
  product_title: string
  description: string
  image_url: string
  region_id: number
  game_amount: number
  game_currency: string
  price_usd: number
  price_rub: number
  quantity: number
  available_count: number
  item_type: ItemType
}

const offerOfItem = sql`
  JOIN offer ON offer.id = cart_item.offer_id
  JOIN product ON product.id = offer.product_id
  LEFT JOIN region ON region.id = offer.region_id
  LEFT JOIN product_region ON product_region.product_id = offer.product_id
    AND product_region.region_id = offer.region_id`

const isOnSale = sql`(offer.is_active AND product.is_active AND product.deleted_at IS NULL
  AND (offer.region_id IS NULL OR (region.is_active AND product_region.product_id IS NOT NULL)))`

export const readCart = (queries: Queries, userId: number, language: Language) =>
  queries.rows<CartRow>(sql`
    SELECT cart_item.id, product.id AS product_id, product.slug AS product_slug, texts.title AS product_title,
      texts.description, product.image_url, coalesce(offer.region_id, 0) AS region_id, offer.game_amount,
      coalesce(nullif(product_region.game_currency, ''), product.game_currency) AS game_currency,
      offer.price_usd, offer.price_rub, cart_item.quantity, product.kind AS item_type,
      CASE WHEN ${isOnSale} THEN ${availableCount(sql`offer.id`)} ELSE 0 END AS available_count
    FROM cart_item ${offerOfItem}
    JOIN LATERAL (
      SELECT title, description FROM product_text WHERE product_id = product.id AND language IN (${language}, 'ru')
      ORDER BY language = ${language} DESC LIMIT 1) AS texts ON true
    WHERE cart_item.user_id = ${userId} ORDER BY cart_item.id`)

/** The cart shows the prices in force; from then on these are what the customer saw. */
export const rememberSeenPrices = (queries: Queries, userId: number) =>
  queries.run(sql`
    UPDATE cart_item SET seen_usd = offer.price_usd, seen_rub = offer.price_rub
    FROM offer WHERE offer.id = cart_item.offer_id AND cart_item.user_id = ${userId}
      AND (cart_item.seen_usd, cart_item.seen_rub) IS DISTINCT FROM (offer.price_usd, offer.price_rub)`)

export async function countItems(queries: Queries, userId: number): Promise<number> {
  const { count } = await queries.one<{ count: number }>(
    sql`SELECT coalesce(sum(quantity), 0)::int AS count FROM cart_item WHERE user_id = ${userId}`,
  )
  return count
}

export async function countLines(tx: Tx, userId: number): Promise<number> {
  const { count } = await tx.one<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM cart_item WHERE user_id = ${userId}`,
  )
  return count
}

/** Holds the cart until the transaction ends and counts the change. */
export const touchCart = (tx: Tx, userId: number) =>
  tx.run(sql`UPDATE cart SET version = version + 1 WHERE user_id = ${userId}`)

export interface OfferToAdd {
  id: number
  game_currency: string
  price_usd: number
  price_rub: number
  available_count: number
}

export const findOfferToAdd = (
  queries: Queries,
  { productId, regionId, gameAmount }: { productId: number; regionId: number | null; gameAmount: number },
) =>
  queries.maybe<OfferToAdd>(sql`
    SELECT offer.id, offer.price_usd, offer.price_rub, ${availableCount(sql`offer.id`)} AS available_count,
      coalesce(nullif(product_region.game_currency, ''), product.game_currency) AS game_currency
    FROM offer JOIN product ON product.id = offer.product_id
    LEFT JOIN region ON region.id = offer.region_id
    LEFT JOIN product_region ON product_region.product_id = offer.product_id
      AND product_region.region_id = offer.region_id
    WHERE offer.product_id = ${productId} AND offer.region_id IS NOT DISTINCT FROM ${regionId}
      AND offer.game_amount = ${gameAmount} AND product.kind = 'code' AND ${isOnSale}`)

export interface ItemRow {
  id: number
  offer_id: number
  quantity: number
  available_count: number
}

const itemColumns = sql`cart_item.id, cart_item.offer_id, cart_item.quantity`

export const findItemOfOffer = (tx: Tx, userId: number, offerId: number) =>
  tx.maybe<ItemRow>(sql`
    SELECT ${itemColumns}, 0 AS available_count FROM cart_item WHERE user_id = ${userId} AND offer_id = ${offerId}`)

export const findItem = (tx: Tx, userId: number, itemId: number) =>
  tx.maybe<ItemRow>(sql`
    SELECT ${itemColumns}, CASE WHEN ${isOnSale} THEN ${availableCount(sql`offer.id`)} ELSE 0 END AS available_count
    FROM cart_item ${offerOfItem} WHERE cart_item.user_id = ${userId} AND cart_item.id = ${itemId}`)

export async function insertItem(tx: Tx, userId: number, offer: OfferToAdd, quantity: number): Promise<number> {
  const { id } = await tx.one<{ id: number }>(sql`
    INSERT INTO cart_item (user_id, offer_id, quantity, seen_usd, seen_rub)
    VALUES (${userId}, ${offer.id}, ${quantity}, ${offer.price_usd}, ${offer.price_rub})
    RETURNING id`)
  return id
}

export const setQuantity = (tx: Tx, itemId: number, quantity: number) =>
  tx.run(sql`UPDATE cart_item SET quantity = ${quantity} WHERE id = ${itemId}`)

export const deleteItem = (tx: Tx, userId: number, itemId: number) =>
  tx.run(sql`DELETE FROM cart_item WHERE user_id = ${userId} AND id = ${itemId}`)

export const deleteItems = (tx: Tx, userId: number) => tx.run(sql`DELETE FROM cart_item WHERE user_id = ${userId}`)

/** Nobody changes or buys this cart until the transaction ends. */
export const lockCart = (tx: Tx, userId: number) =>
  tx.one<{ version: number }>(sql`SELECT version FROM cart WHERE user_id = ${userId} FOR UPDATE`)

export interface LineRow {
  id: number
  offer_id: number
  item_type: ItemType
  quantity: number
  title: string
  game_amount: number
  game_currency: string
  price_version: number
  price_usd: number
  price_rub: number
  seen_usd: number
  seen_rub: number
  is_on_sale: boolean
}

/** The lines as they would be charged now, in the order in which their codes are taken. */
export const readLines = (tx: Tx, userId: number) =>
  tx.rows<LineRow>(sql`
    SELECT cart_item.id, cart_item.offer_id, product.kind AS item_type, cart_item.quantity, texts.title,
      offer.game_amount, coalesce(nullif(product_region.game_currency, ''), product.game_currency) AS game_currency,
      offer.price_version, offer.price_usd, offer.price_rub, cart_item.seen_usd, cart_item.seen_rub,
      ${isOnSale} AS is_on_sale
    FROM cart_item ${offerOfItem}
    JOIN product_text AS texts ON texts.product_id = product.id AND texts.language = 'ru'
    WHERE cart_item.user_id = ${userId} ORDER BY cart_item.offer_id`)
