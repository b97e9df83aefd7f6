import { LIMITS } from '@olmos/contract/limits'
import type { Supplier } from './supplier.ts'

export interface PoolOffer {
  /** What the supplier calls it. */
  item_id: string | null
  /** Codes of its pool that nobody has spent. */
  in_pool: number
}

/**
 * How many units of a PUBG package there are: the codes of its pool, if a supplier spends them, and as many as may be
 * ordered at once, if one delivers it without.
 */
export function orderableOf(
  { item_id, in_pool }: PoolOffer,
  suppliers: readonly Pick<Supplier, 'sells' | 'redeemsCodes' | 'needsItem'>[],
): number {
  const sellers = suppliers.filter(({ sells }) => sells.includes('pubg'))
  const ofPool = sellers.some(({ redeemsCodes }) => redeemsCodes) ? in_pool : 0
  const isDelivered = sellers.some(({ needsItem }) => !needsItem || item_id !== null)
  return Math.min(ofPool + (isDelivered ? LIMITS.topupUnitsMax : 0), LIMITS.stockShownMax)
}
