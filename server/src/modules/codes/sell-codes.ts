import { LIMITS } from '@olmos/contract/limits'
import { isStorable } from '@olmos/contract/storable'
import type { Tx } from '../../platform/database/database.ts'
import type { Vault } from '../../platform/security/vault.ts'
import { codeRow, drawCodeIds, holdSupplierBatch, insertCodes, sellUnit } from './codes.store.ts'

/** One exact code, or the number of one. */
export interface WantedCode {
  fingerprint?: Buffer
  id?: number | undefined
}

/** What a search is for: a code, however long, that looks like an id may be meant as one. */
export const wantedCode = (vault: Vault, search: string, spelling = search): WantedCode => ({
  fingerprint: vault.fingerprint(spelling),
  id: /^\d{1,15}$/.test(search) ? Number(search) : undefined,
})

/** What a search in an address is for, where no code may stand. */
export const wantedId = (search: string): WantedCode | undefined => (search ? { id: Number(search) } : undefined)

interface BoughtCode {
  /** Plain; never to be logged. */
  code: string
  offerId: number
  /** What it was bought for. */
  itemId: number
  unit: number
  supplier: string
}

/**
 * Puts a code that a supplier sold to the shop into the vault, sold already. Answers false, and keeps nothing, when the
 * shop has had this very code before, or it is none that can be kept.
 */
export async function sellBoughtCode(tx: Tx, vault: Vault, bought: BoughtCode): Promise<boolean> {
  const code = bought.code.trim()
  if (code === '' || code.length > LIMITS.codeLengthMax || !isStorable(code)) return false
  const batch = await holdSupplierBatch(tx, bought.offerId, bought.supplier)
  const [[id], seal] = await Promise.all([drawCodeIds(tx, 1), vault.sealer(tx)])
  if (id === undefined) throw new Error('no id for a code')
  const sealed = { id, offerId: bought.offerId, fingerprint: vault.fingerprint(code), ...seal(code, codeRow(id)) }
  const added = await insertCodes(tx, { id: batch.id, status: 'used' }, [sealed])
  if (added.length === 0) return false
  await sellUnit(tx, id, bought)
  return true
}
