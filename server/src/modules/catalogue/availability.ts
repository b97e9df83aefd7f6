import type { Language } from '@olmos/contract/fields'
import * as LIMITS from '@olmos/contract/limits'
import { SERVER_LIMITS } from '../../limits.ts'
import { type Queries, type Sql, sql } from '../../platform/database/queries.ts'
import { isAskedFor, isDelivered, isPoolSpent } from '../pricing/delivered.ts'
import { numberInForce } from '../shop/shop.ts'

/** How long deliveries of a product took lately, as `DeliveryMinutes`; null where that is not known. Needs `product` in scope. */
export const measuredMinutes = sql`(
  SELECT json_build_object('p50', p50, 'p95', p95) FROM delivery_minutes WHERE product_id = product.id)`

/** Whether somebody sends amounts to accounts. */
export const isAmountSent = sql`EXISTS (SELECT FROM supplier_health WHERE 'amount' = ANY (sells))`

/** Whether a top-up can be had: of an offer, or of an amount where there is none. Needs `offer` and `product` in scope. */
export const isTopupSold = sql`CASE WHEN offer.id IS NULL THEN ${isAmountSent} ELSE ${isDelivered} OR ${isPoolSpent}
  AND EXISTS (SELECT FROM code WHERE offer_id = offer.id AND status = 'available') END`

/** Whether codes of an offer that are not in stock can be bought. Needs `offer` and `product` in scope. */
export const isOnDemand = sql`(product.buys_on_demand AND ${isDelivered})`

/** How many more units of an offer may be under way from a supplier. Needs `offer` in scope. */
const roomOnDemand = sql`greatest(0, ${numberInForce('on_demand_units')} - (
  SELECT count(*)::int FROM order_item JOIN delivery ON delivery.order_item_id = order_item.id
  WHERE order_item.offer_id = offer.id AND item_type = 'code' AND order_item.status IN ('pending', 'unknown')
    AND decided_at IS NULL))`

/** Finds the offers whose codes can be bought: to sell them, or once the money for them has come. */
export async function offersOnDemand(
  queries: Queries,
  offerIds: readonly number[],
  { isPaid = false } = {},
): Promise<Set<number>> {
  if (offerIds.length === 0) return new Set()
  const isBought = isPaid ? sql`(product.buys_on_demand AND ${isAskedFor})` : isOnDemand
  const rows = await queries.rows<{ id: number }>(sql`
    SELECT offer.id FROM offer JOIN product ON product.id = offer.product_id
    WHERE offer.id = ANY (${offerIds}::int[]) AND offer.is_active AND product.is_active
      AND product.deleted_at IS NULL AND ${isBought}`)
  return new Set(rows.map(({ id }) => id))
}

/** Joins a product's texts in the language, else in Russian, which every product has. Needs `product` in scope. */
export const productTexts = (language: Language) => sql`
  JOIN LATERAL (
    SELECT title, description, activation_instructions FROM product_text
    WHERE product_id = product.id AND language IN (${language}, 'ru')
    ORDER BY language = ${language} DESC LIMIT 1) AS texts ON true`

/** What an offer is called in the language, where that is more than an amount. Needs `offer` in scope. */
export const nameInLanguage = (language: Language) =>
  sql`coalesce(offer.translations ->> ${language}::text, offer.name)`

/** What an item keeps of its package, so that a receipt stays what it was; nothing of an amount, which has no package. */
export interface KeptNames {
  /** The package's number at the supplier. */
  supplier_item: string | null
  offer_name: string | null
  /** JSON by language. */
  offer_translations: string | null
}

/** Reads what an item would keep of its package now, as `KeptNames`. Needs `offer` in scope. */
export const keptNames = sql`json_build_object(
  'supplier_item', offer.item_id, 'offer_name', offer.name, 'offer_translations', offer.translations::text)`

/** Joins the region of an offer, and whether its product is sold there. Needs `offer` and `product` in scope. */
export const offerPlace = sql`
  LEFT JOIN region ON region.id = offer.region_id
  LEFT JOIN product_region ON product_region.product_id = offer.product_id
    AND product_region.region_id = offer.region_id`

/** Whether an offer, or a product without offers, is on sale. Needs `offer`, `product` and its place in scope. */
export const isOnSale = sql`(coalesce(offer.is_active, true) AND product.is_active AND product.deleted_at IS NULL
  AND (offer.region_id IS NULL OR (region.is_active AND product_region.product_id IS NOT NULL)))`

/** How many codes of an offer are in stock, counted no further than `atMost`. Needs `offer` in scope. */
export const onShelfUpTo = (atMost: Sql) => sql`(SELECT count(*)::int FROM (
    SELECT FROM code WHERE offer_id = offer.id AND status = 'available' LIMIT ${atMost}) AS on_shelf)`

/** How many more units of an offer a supplier delivers. Needs `offer` and `product` in scope. */
const boughtOnDemand = sql`CASE WHEN ${isOnDemand} THEN ${roomOnDemand} ELSE 0 END`

/** Reads how many more units of an offer a supplier delivers. */
export async function readRoomOnDemand(queries: Queries, offerId: number): Promise<number> {
  const { room } = await queries.one<{ room: number }>(sql`
    SELECT ${boughtOnDemand} AS room FROM offer JOIN product ON product.id = offer.product_id WHERE offer.id = ${offerId}`)
  return room
}

/**
 * How much of an offer can be bought now, counted as far as it is shown: codes in stock, plus what a supplier delivers.
 * Needs `offer` and `product` in scope.
 */
export const availableCount = sql`least(${LIMITS.stockShownMax}::int,
  ${onShelfUpTo(sql`${LIMITS.stockShownMax}`)} + ${boughtOnDemand})`

/** Reads the slugs of everything on sale, of any kind. */
const readSlugs = async (queries: Queries): Promise<string[]> =>
  (await queries.rows<{ slug: string }>(sql`SELECT slug FROM product WHERE is_active AND deleted_at IS NULL`)).map(
    ({ slug }) => slug,
  )

export interface SlugCache {
  /** Whether a product has the slug. While the catalogue can't be read it may have it, and the page finds out. */
  mayHave(slug: string): Promise<boolean>
  /** Marks what was read as out of date. */
  clear(): void
}

/**
 * Caches the slugs on sale, so that made-up ones cost no page. A known slug is accepted at once, so that cached pages
 * are served while the database is unavailable; an unknown one is looked up, once per `SERVER_LIMITS.slugsFreshMs`.
 */
export function cacheSlugs(queries: Queries, now: () => number = () => performance.now()): SlugCache {
  let slugs: ReadonlySet<string> = new Set()
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined

  const readAgain = (): Promise<void> => {
    if (reading) return reading
    const startedAt = now()
    const own: Promise<void> = readSlugs(queries)
      .then((read) => {
        slugs = new Set(read)
        // A read that was under way when the catalogue changed may have missed the change.
        if (reading === own) readAt = startedAt
      })
      .finally(() => {
        if (reading === own) reading = undefined
      })
    reading = own
    return own
  }

  return {
    async mayHave(slug) {
      if (now() - readAt < SERVER_LIMITS.slugsFreshMs) return slugs.has(slug)
      const read = readAgain()
      if (slugs.has(slug)) {
        read.catch(() => {})
        return true
      }
      try {
        await read
        return slugs.has(slug)
      } catch {
        return true
      }
    },
    clear() {
      readAt = Number.NEGATIVE_INFINITY
      reading = undefined
    },
  }
}
