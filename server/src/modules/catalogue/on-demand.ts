import { LIMITS } from '@olmos/contract/limits'
import { type Queries, sql } from '../../platform/database.ts'

/** Some supplier sells codes, has money of the shop and is not out at the moment. */
const isSomeoneSelling = sql`EXISTS (
  SELECT FROM supplier_health WHERE sells_codes AND coalesce(balance, 1) > 0
    AND NOT (failures >= ${LIMITS.breakerFailures} AND coalesce(out_until > now(), false)))`

/** Whether codes of an offer that are not on the shelf can be bought. Needs `offer` and `product` in scope. */
export const isOnDemand = sql`(product.buys_on_demand AND offer.item_id IS NOT NULL AND ${isSomeoneSelling})`

/** How many more units of an offer may be on their way from a supplier. Needs `offer` in scope. */
export const roomOnDemand = sql`greatest(0, ${LIMITS.onDemandUnits}::int - (
  SELECT count(*)::int FROM order_item JOIN delivery ON delivery.order_item_id = order_item.id
  WHERE order_item.offer_id = offer.id AND item_type = 'code' AND order_item.status IN ('pending', 'unknown')
    AND decided_at IS NULL))`

/** Those of the offers whose codes can be bought. */
export async function offersOnDemand(queries: Queries, offerIds: readonly number[]): Promise<Set<number>> {
  const rows = await queries.rows<{ id: number }>(sql`
    SELECT offer.id FROM offer JOIN product ON product.id = offer.product_id
    WHERE offer.id = ANY (${offerIds}::int[]) AND offer.is_active AND product.is_active
      AND product.deleted_at IS NULL AND ${isOnDemand}`)
  return new Set(rows.map(({ id }) => id))
}
