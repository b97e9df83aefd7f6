import { Failure } from '@olmos/contract/failure'
import { toMajor } from '@olmos/contract/money'
import type { Tx } from '../../platform/database.ts'
import { readHeldSince } from '../accounts/customer-hold.ts'
import {
  type InnerMovement,
  lockBalances,
  type Movement,
  moveBetween,
  moveIn,
  moveOut,
  readBalances,
} from './wallet.store.ts'

/**
 * Takes money from a user's wallet into an account of the shop. Refuses with INSUFFICIENT_BALANCE, naming both amounts,
 * when the wallet holds less, or with BALANCE_ON_HOLD while a dispute about the user's payments stands. May travel together with other statements of the transaction.
 */
export async function debit(tx: Tx, movement: Movement): Promise<void> {
  if (await moveOut(tx, movement)) return
  if (movement.kind === 'purchase' && (await readHeldSince(tx, movement.userId)).held_since) {
    throw new Failure('BALANCE_ON_HOLD')
  }
  const wallets = await readBalances(tx, movement.userId)
  const available = wallets.find((wallet) => wallet.currency === movement.currency)?.balance ?? 0
  throw new Failure('INSUFFICIENT_BALANCE', {
    required: toMajor(movement.amount),
    available: toMajor(available),
    currency: movement.currency,
  })
}

/** Puts money from an account of the shop into a user's wallet. */
export const credit = (tx: Tx, movement: Movement): Promise<void> => moveIn(tx, movement)

/** Moves money between two accounts of the shop: what came in by card and was sold for, or goes back to a card. */
export const transfer = (tx: Tx, movement: InnerMovement): Promise<void> => moveBetween(tx, movement)

/** Takes an amount from a user's wallet, or as much of it as there is. Answers how much that was. */
export async function debitAtMost(tx: Tx, movement: Movement): Promise<number> {
  const wallets = await lockBalances(tx, movement.userId)
  const balance = wallets.find(({ currency }) => currency === movement.currency)?.balance ?? 0
  const amount = Math.min(movement.amount, balance)
  if (amount > 0 && !(await moveOut(tx, { ...movement, amount })))
    throw new Error('the wallet changed though it was held')
  return amount
}
