import type { Tx } from '../../platform/database.ts'
import { countLeft, deleteUntouched, lockUnsold, type Side, shelveTouched } from './removed-codes.store.ts'

/**
 * Deletes the codes of an offer that nobody has bought or seen, and takes off sale those that somebody has seen. What was
 * sold stays as it is: receipts show what they showed. The caller holds the offer. Answers how many were deleted and kept.
 */
export async function removeCodesOf(tx: Tx, side: Side, id: number): Promise<{ deleted: number; kept: number }> {
  // Locked first, looked at for reveals afterwards: one that is just being shown has written its reveal by then.
  await lockUnsold(tx, side, id)
  const deleted = await deleteUntouched(tx, side, id)
  await shelveTouched(tx, side, id)
  return { deleted, kept: await countLeft(tx, side, id) }
}
