import type { CodeStatus } from '@olmos/contract/codes'
import { Failure } from '@olmos/contract/failure'
import type { Tx } from '../../platform/database.ts'
import { orDuplicate } from '../../platform/edits.ts'
import type { Vault } from '../../platform/vault.ts'
import { codeRow } from './codes.store.ts'
import { type HeldCode, lockCode, rewriteCode } from './stock.store.ts'

const free: readonly CodeStatus[] = ['available', 'archived', 'error', 'unpublished']

/** A code that was never sold and that nobody has in reserve; nobody gets it until the transaction ends. */
export async function holdUnsold(tx: Tx, codeId: number): Promise<HeldCode> {
  const held = await lockCode(tx, codeId)
  if (!held) throw new Failure('CODE_NOT_FOUND')
  if (held.was_sold || !free.includes(held.status)) {
    throw new Failure('STATE_CONFLICT', { status: held.status, was_sold: held.was_sold })
  }
  return held
}

/** Gives a held code another text. Refuses one that is in stock: DUPLICATE. */
export async function rewrite(tx: Tx, vault: Vault, codeId: number, plain: string): Promise<void> {
  const seal = await vault.sealer(tx)
  const sealed = { ...seal(plain, codeRow(codeId)), fingerprint: vault.fingerprint(plain) }
  await orDuplicate(rewriteCode(tx, codeId, sealed), 'code_fingerprint_key', 'code')
}
