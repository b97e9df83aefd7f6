import { LIMITS } from '@olmos/contract/limits'
import { sql } from '../../platform/database.ts'
import { isOnDemand, roomOnDemand } from './on-demand.ts'

/** The region of an offer, and whether its product is sold there. Needs `offer` and `product` in scope. */
export const placeOfOffer = sql`
  LEFT JOIN region ON region.id = offer.region_id
  LEFT JOIN product_region ON product_region.product_id = offer.product_id
    AND product_region.region_id = offer.region_id`

/** Whether an offer, or a product without offers, is on sale. Needs `offer`, `product` and its place in scope. */
export const isOnSale = sql`(coalesce(offer.is_active, true) AND product.is_active AND product.deleted_at IS NULL
  AND (offer.region_id IS NULL OR (region.is_active AND product_region.product_id IS NOT NULL)))`

/**
 * What can be bought of an offer now, counted no further than it is shown: what is on the shelf, and what a supplier
 * delivers besides. Needs `offer` and `product` in scope.
 */
export const availableCount = sql`least(${LIMITS.stockShownMax}::int,
  (SELECT count(*)::int FROM (
    SELECT FROM code WHERE offer_id = offer.id AND status = 'available' LIMIT ${LIMITS.stockShownMax}) AS on_shelf)
  + CASE WHEN ${isOnDemand} THEN ${roomOnDemand} ELSE 0 END)`
