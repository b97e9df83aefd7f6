import { LIMITS } from '@olmos/contract/limits'
import { type Sql, sql } from '../../platform/database.ts'

/** What can be bought of an offer now, counted no further than it is shown. */
export const availableCount = (offerId: Sql): Sql => sql`
  (SELECT count(*)::int FROM (
    SELECT FROM code WHERE offer_id = ${offerId} AND status = 'available' LIMIT ${LIMITS.stockShownMax}) AS on_shelf)`
