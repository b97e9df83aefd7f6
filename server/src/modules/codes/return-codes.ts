import { Failure } from '@olmos/contract/failure'
import type { Tx } from '../../platform/database.ts'
import { requireUnspent } from './require-unspent.ts'
import { findSeen, lockSoldCodes, returnSales } from './returns.store.ts'
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

export interface WantedCodes {
  itemId: number
  quantity: number
  /** Which ones; without them those nobody has seen come first, and none that was activated. */
  codeIds?: readonly number[] | undefined
}

/**
 * Takes so many codes of an item back, as above, and answers them. Refuses with CODE_NOT_FOUND those that are not the
 * item's, with STATE_CONFLICT those that were activated, or when too few are left that were not.
 */
export async function returnSomeCodes(tx: Tx, { itemId, quantity, codeIds }: WantedCodes): Promise<number[]> {
  const sold = (await lockSoldCodes(tx, [itemId])).map((code) => code.code_id)
  const chosen = codeIds ? [...codeIds] : (await unspentOf(tx, sold)).slice(0, quantity)
  const unknown = chosen.filter((id) => !sold.includes(id))
  if (unknown.length > 0) throw new Failure('CODE_NOT_FOUND', { ids: unknown })
  await requireUnspent(tx, chosen.length < quantity ? sold : chosen)
  if (chosen.length < quantity) throw new Error(`item ${itemId} has fewer codes than units`)
  await returnSales(tx, chosen)
  return chosen
}

/** Those of the locked codes that were not activated, those nobody has seen first. */
async function unspentOf(tx: Tx, codeIds: number[]): Promise<number[]> {
  const spent = new Set((await findActivated(tx, codeIds)).map(({ id }) => id))
  const seen = new Set((await findSeen(tx, codeIds)).map(({ code_id }) => code_id))
  const unspent = codeIds.filter((id) => !spent.has(id))
  return [...unspent.filter((id) => !seen.has(id)), ...unspent.filter((id) => seen.has(id))]
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
