import { Failure } from '@olmos/contract/failure'
import { record } from '../../platform/audit.ts'
import type { Database } from '../../platform/database.ts'
import type { Vault } from '../../platform/vault.ts'
import { codeRow, insertReveals, revealSoldCodes } from './codes.store.ts'
import { findStock } from './stock.store.ts'

export interface Reader {
  userId: number
  place: 'receipt' | 'admin'
}

/**
 * The plain codes of an order by the position of their item, each a list in the order of sale. Who read them is
 * written down first. The caller has made sure that the reader may.
 */
export async function revealCodes(
  database: Database,
  vault: Vault,
  orderId: string,
  reader: Reader,
): Promise<Map<number, string[]>> {
  const sold = await revealSoldCodes(database, orderId, reader.userId, reader.place)
  const codes = new Map<number, string[]>()
  for (const code of sold) {
    const plain = await vault.unseal(code, codeRow(code.id))
    codes.set(code.item_position, [...(codes.get(code.item_position) ?? []), plain])
  }
  return codes
}

/** One plain code for an admin, who is written down first, in the audit trail too. */
export async function revealCode(database: Database, vault: Vault, codeId: number, adminId: number): Promise<string> {
  const sealed = await database.transaction(async (tx) => {
    const code = await findStock(tx, codeId)
    if (!code) throw new Failure('CODE_NOT_FOUND')
    await insertReveals(tx, [codeId], adminId, 'admin')
    await record(tx, { actorId: adminId, action: 'code.reveal', subject: `code:${codeId}` })
    return code
  })
  return vault.unseal(sealed, codeRow(codeId))
}
