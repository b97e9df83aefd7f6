import { LIMITS } from '@olmos/contract/limits'
import { SERVER_BUSINESS } from '../../business.ts'
import { SERVER_LIMITS } from '../../limits.ts'
import { type Queries, sql } from '../../platform/database/database.ts'

/** Whether some supplier sells codes, has money of the shop and is not out of service. */
const isSomeoneSelling = sql`EXISTS (
  SELECT FROM supplier_health WHERE sells_codes AND coalesce(balance, 1) > 0
    AND NOT (failures >= ${SERVER_LIMITS.breakerFailures} AND coalesce(out_until > now(), false)))`

/** Whether codes of an offer that are not in stock can be bought. Needs `offer` and `product` in scope. */
export const isOnDemand = sql`(product.buys_on_demand AND offer.item_id IS NOT NULL AND ${isSomeoneSelling})`

/** How many more units of an offer may be under way from a supplier. Needs `offer` in scope. */
const roomOnDemand = sql`greatest(0, ${SERVER_BUSINESS.onDemandUnits}::int - (
  SELECT count(*)::int FROM order_item JOIN delivery ON delivery.order_item_id = order_item.id
  WHERE order_item.offer_id = offer.id AND item_type = 'code' AND order_item.status IN ('pending', 'unknown')
    AND decided_at IS NULL))`

/** Finds the offers whose codes can be bought. */
export async function offersOnDemand(queries: Queries, offerIds: readonly number[]): Promise<Set<number>> {
  const rows = await queries.rows<{ id: number }>(sql`
    SELECT offer.id FROM offer JOIN product ON product.id = offer.product_id
    WHERE offer.id = ANY (${offerIds}::int[]) AND offer.is_active AND product.is_active
      AND product.deleted_at IS NULL AND ${isOnDemand}`)
  return new Set(rows.map(({ id }) => id))
}

/** Joins the region of an offer, and whether its product is sold there. Needs `offer` and `product` in scope. */
export const offerPlace = sql`
  LEFT JOIN region ON region.id = offer.region_id
  LEFT JOIN product_region ON product_region.product_id = offer.product_id
    AND product_region.region_id = offer.region_id`

/** Whether an offer, or a product without offers, is on sale. Needs `offer`, `product` and its place in scope. */
export const isOnSale = sql`(coalesce(offer.is_active, true) AND product.is_active AND product.deleted_at IS NULL
  AND (offer.region_id IS NULL OR (region.is_active AND product_region.product_id IS NOT NULL)))`

/**
 * How much of an offer can be bought now, counted no further than it is shown: codes in stock plus what a supplier
 * delivers. Needs `offer` and `product` in scope.
 */
export const availableCount = sql`least(${LIMITS.stockShownMax}::int,
  (SELECT count(*)::int FROM (
    SELECT FROM code WHERE offer_id = offer.id AND status = 'available' LIMIT ${LIMITS.stockShownMax}) AS on_shelf)
  + CASE WHEN ${isOnDemand} THEN ${roomOnDemand} ELSE 0 END)`
