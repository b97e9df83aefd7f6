import type { Tx } from '../../platform/database.ts'
import { requireUnspent } from './require-unspent.ts'
import { lockSoldCodes, returnSales } from './returns.store.ts'
import { findActivated } from './spend.store.ts'

/**
 * Takes back the codes of these items: those nobody has seen go on the shelf again, the others into quarantine. Refuses
 * with STATE_CONFLICT when one was activated.
 */
export async function returnCodes(tx: Tx, itemIds: number[]): Promise<void> {
  // Locked first, looked at for reveals afterwards: a receipt that is just being shown has written its reveals by then.
  const sold = await lockSoldCodes(tx, itemIds)
  const ids = sold.map((code) => code.code_id)
  await requireUnspent(tx, ids)
  await returnSales(tx, ids)
}

/** Those of the items none of whose codes was activated; nobody activates one until the transaction ends. */
export async function returnableItems(tx: Tx, itemIds: number[]): Promise<number[]> {
  const sold = await lockSoldCodes(tx, itemIds)
  const activated = await findActivated(
    tx,
    sold.map((code) => code.code_id),
  )
  const spent = new Set(
    sold.filter(({ code_id }) => activated.some(({ id }) => id === code_id)).map((code) => code.order_item_id),
  )
  return itemIds.filter((id) => !spent.has(id))
}
