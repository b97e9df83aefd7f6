import { record } from '../../platform/audit.ts'
import type { Tx } from '../../platform/database.ts'
import { holdForDeletion, retire } from '../catalogue/change-denomination.ts'
import type { Game } from '../catalogue/denominations.store.ts'
import { removeCodesOf } from './remove-codes-of.ts'

/** Codes of its pool, or codes that deliver it when they are spent. */
const codesOfGame = { pubg: 'package', freefire: 'denomination' } as const

/**
 * Deletes a denomination and all its codes that nobody has bought or seen. What is left of them goes on working: receipts
 * show what they showed, codes that were sold or handed out can be spent. Answers how many were deleted and kept.
 */
export async function removeDenomination(
  tx: Tx,
  adminId: number,
  game: Game,
  id: number,
): Promise<{ id: number; deleted_codes: number; kept_codes: number }> {
  const denomination = await holdForDeletion(tx, game, id)
  const { deleted, kept } = await removeCodesOf(tx, codesOfGame[game], id)
  await retire(tx, denomination)
  const { name, item_id, game_amount, price_usd, price_rub, is_active } = denomination
  await record(tx, {
    actorId: adminId,
    action: 'denomination.delete',
    subject: `offer:${id}`,
    before: { name, item_id, game_amount, price_usd, price_rub, is_active, deleted_codes: deleted, kept_codes: kept },
  })
  return { id, deleted_codes: deleted, kept_codes: kept }
}
