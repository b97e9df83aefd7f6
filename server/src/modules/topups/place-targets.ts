import type { Tx } from '../../platform/database.ts'
import { insertTargets, type PlacedTarget } from './topups.store.ts'

/** Writes down whom the items of an order go to. May travel together with the statement that writes the items, after it. */
export async function placeTargets(tx: Tx, orderId: string, targets: readonly PlacedTarget[]): Promise<void> {
  if (targets.length > 0) await insertTargets(tx, orderId, targets)
}
