import { Failure } from '@olmos/contract/failure'
import { record } from '../../platform/audit.ts'
import type { Database } from '../../platform/database.ts'
import type { Vault } from '../../platform/vault.ts'
import { codeRow, insertReveals, revealSoldCodes } from './codes.store.ts'
import { lockCode } from './stock.store.ts'

export interface Reader {
  userId: number
  place: 'receipt' | 'admin'
}

export interface RevealedCodes {
  /** Plain, in the order of sale. */
  codes: string[]
  /** How many besides are of a recalled batch, and not shown to who has not seen them before. */
  withheld: number
  /** How many more there are, which the buyer has not seen and does not see while they are held. */
  held: number
}

/**
 * The codes of an order by the position of their item. Who read them is written down first. The caller has made sure
 * that the reader may.
 */
export async function revealCodes(
  database: Database,
  vault: Vault,
  orderId: string,
  reader: Reader,
): Promise<Map<number, RevealedCodes>> {
  const sold = await revealSoldCodes(database, orderId, reader.userId, reader.place)
  const items = new Map<number, RevealedCodes>()
  for (const code of sold) {
    const item = items.get(code.item_position) ?? { codes: [], withheld: 0, held: 0 }
    if (code.is_withheld) item.withheld++
    else if (code.is_held) item.held++
    else item.codes.push(await vault.unseal(code, codeRow(code.id)))
    items.set(code.item_position, item)
  }
  return items
}

/** One plain code for an admin, who is written down first, in the audit trail too. */
export async function revealCode(database: Database, vault: Vault, codeId: number, adminId: number): Promise<string> {
  const sealed = await database.transaction(async (tx) => {
    const code = await lockCode(tx, codeId)
    if (!code) throw new Failure('CODE_NOT_FOUND')
    await insertReveals(tx, [codeId], adminId, 'admin')
    await record(tx, { actorId: adminId, action: 'code.reveal', subject: `code:${codeId}` })
    return code
  })
  return vault.unseal(sealed, codeRow(codeId))
}
