import { Failure } from '@olmos/contract/failure'
import type { Tx } from '../../platform/database.ts'
import { requireUnspent } from './require-unspent.ts'
import { lockSoldCodes, quarantineSale, sellReplacement } from './returns.store.ts'

/** An item of a held order that has its codes. */
export interface CodeItem {
  id: number
  offer_id: number
}

/**
 * Gives one of the items another code of its package in the place of a bad one, which is never sold again, seen or not.
 * Answers the item and the new code. Refuses with CODE_NOT_FOUND when the code is of none of them, with OUT_OF_STOCK
 * when there is none to give, with STATE_CONFLICT when the code was activated, and so did work.
 */
export async function replaceSoldCode(
  tx: Tx,
  items: readonly CodeItem[],
  codeId: number,
): Promise<{ itemId: number; newCodeId: number }> {
  const sold = await lockSoldCodes(
    tx,
    items.map((item) => item.id),
  )
  const unit = sold.find(({ code_id }) => code_id === codeId)
  const item = items.find(({ id }) => id === unit?.order_item_id)
  if (!item) throw new Failure('CODE_NOT_FOUND')
  await requireUnspent(tx, [codeId])
  const replacement = await sellReplacement(tx, item.id, item.offer_id)
  if (!replacement) throw new Failure('OUT_OF_STOCK', { available_count: 0 })
  await quarantineSale(tx, codeId)
  return { itemId: item.id, newCodeId: replacement.code_id }
}
