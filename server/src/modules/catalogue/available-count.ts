import { LIMITS } from '@olmos/contract/limits'
import { sql } from '../../platform/database.ts'
import { isOnDemand, roomOnDemand } from './on-demand.ts'

/**
 * What can be bought of an offer now, counted no further than it is shown: what is on the shelf, and what a supplier
 * delivers besides. Needs `offer` and `product` in scope.
 */
export const availableCount = sql`least(${LIMITS.stockShownMax}::int,
  (SELECT count(*)::int FROM (
    SELECT FROM code WHERE offer_id = offer.id AND status = 'available' LIMIT ${LIMITS.stockShownMax}) AS on_shelf)
  + CASE WHEN ${isOnDemand} THEN ${roomOnDemand} ELSE 0 END)`
