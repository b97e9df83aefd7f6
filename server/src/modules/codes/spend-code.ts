import type { CodeStatus } from '@olmos/contract/codes'
import { Failure } from '@olmos/contract/failure'
import type { Queries, Tx } from '../../platform/database.ts'
import type { Vault } from '../../platform/vault.ts'
import { isCustomerHeld } from '../accounts/customer-hold.ts'
import { spellingOf } from './generated-code.rules.ts'
import {
  findActivation,
  findBuyerOf,
  findSpendable,
  insertActivation,
  lockSpendable,
  type SpendableCode,
  sellBySpending,
} from './spend.store.ts'

/** Sold, or handed out by the operator. One in somebody's reserve was shown to nobody yet. */
const spendable: readonly CodeStatus[] = ['used', 'available', 'unpublished']

async function requireSpendable(
  queries: Queries,
  code: SpendableCode | undefined,
  userId: number,
): Promise<SpendableCode> {
  if (!code || !spendable.includes(code.status)) throw new Failure('CODE_NOT_FOUND')
  const activation = await findActivation(queries, code.id)
  if (!activation) return code
  throw new Failure('CODE_ALREADY_USED', activation.user_id === userId ? { order_id: activation.order_id } : undefined)
}

/** What somebody typed, to find its code by. */
const fingerprintOf = (vault: Vault, typed: string) => vault.fingerprint(spellingOf(typed))

/**
 * Refuses what is no code that could be spent: CODE_NOT_FOUND; or was spent: CODE_ALREADY_USED, which tells its owner
 * the order. A first look: only a code that is held stays as it is.
 */
export async function lookAtCode(queries: Queries, vault: Vault, typed: string, userId: number): Promise<void> {
  await requireSpendable(queries, await findSpendable(queries, fingerprintOf(vault, typed)), userId)
}

/**
 * The same, and nobody else spends or buys the code until the transaction ends. Refuses one whose buyer is held,
 * whoever has it by now: CODE_ON_HOLD.
 */
export async function holdSpendable(tx: Tx, vault: Vault, typed: string, userId: number): Promise<SpendableCode> {
  // Locked first, looked at afterwards: who waited here sees what the other one did.
  const code = await requireSpendable(tx, await lockSpendable(tx, fingerprintOf(vault, typed)), userId)
  const buyer = await findBuyerOf(tx, code.id)
  if (buyer && (await isCustomerHeld(tx, buyer.user_id))) throw new Failure('CODE_ON_HOLD')
  return code
}

/** The held code is spent on the only item of the order. It may be spent again if that comes to nothing. */
export async function spendCode(tx: Tx, code: SpendableCode, orderId: string): Promise<void> {
  if (code.status !== 'used') await sellBySpending(tx, code.id, orderId)
  await insertActivation(tx, code.id, orderId)
}
