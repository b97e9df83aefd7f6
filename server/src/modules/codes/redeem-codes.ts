import type { Tx } from '../../platform/database.ts'
import type { Vault } from '../../platform/vault.ts'
import { codeRow } from './codes.store.ts'
import { endReserve, lockIfRecalled, readSealed, reserveForPlayer, sellToPlayer } from './redemptions.store.ts'

/** Reserves one code of the offer's pool to be spent on the item's player; none when the pool is empty. Answers its id. */
export async function takePoolCode(tx: Tx, wanted: { itemId: number; offerId: number }): Promise<number | undefined> {
  return (await reserveForPlayer(tx, wanted))?.id
}

/** The plain code, for the supplier that spends it and for nobody else. */
export async function openPoolCode(tx: Tx, vault: Vault, codeId: number): Promise<string> {
  return vault.unseal(await readSealed(tx, codeId), codeRow(codeId))
}

/** Whether the code's batch was recalled; if not, it isn't until the transaction ends. */
export const isRecalled = async (tx: Tx, codeId: number): Promise<boolean> =>
  (await lockIfRecalled(tx, codeId)).is_recalled

/** The code is spent, as this unit of its item. */
export async function spendPoolCode(tx: Tx, codeId: number, unit: number): Promise<void> {
  if ((await sellToPlayer(tx, codeId, unit)) !== 1) throw new Error(`code ${codeId} was not in reserve`)
}

/** The code was not spent: it goes back to the pool, or aside where nobody takes it again. */
export const leavePoolCode = (tx: Tx, codeId: number, status: 'available' | 'error' | 'quarantined') =>
  endReserve(tx, codeId, status)
