import { Failure } from '@olmos/contract/failure'
import { type Currency, currencies, toMajor } from '@olmos/contract/money'
import { record } from '../../platform/audit.ts'
import type { Tx } from '../../platform/database.ts'
import { lockBalances, moveIn, moveOut } from './wallet.store.ts'

export interface BalanceChange {
  userId: number
  /** Minor units; a currency that is left out stays as it is. */
  wanted: Partial<Record<Currency, number>>
  /** What the admin saw; a currency that is left out may be whatever it is. */
  seen: Partial<Record<Currency, number>>
  reason: string
  adminId: number
}

/**
 * Brings a user's balances to the wanted amounts by adjustments; answers them in minor units. Refuses it once they are
 * not what was seen any more, by an admin or a purchase: STATE_CONFLICT with what is there now.
 */
export async function setBalance(tx: Tx, change: BalanceChange): Promise<Record<Currency, number>> {
  const wallets = await lockBalances(tx, change.userId)
  if (wallets.length === 0) throw new Failure('USER_NOT_FOUND')
  const before = Object.fromEntries(wallets.map((wallet) => [wallet.currency, wallet.balance])) as Record<
    Currency,
    number
  >
  if (currencies.some((currency) => (change.seen[currency] ?? before[currency]) !== before[currency])) {
    throw new Failure('STATE_CONFLICT', {
      current: { id: change.userId, balanceUsd: toMajor(before.USD), balanceRub: toMajor(before.RUB) },
    })
  }
  const after = { ...before, ...change.wanted }

  for (const currency of currencies) {
    const difference = after[currency] - before[currency]
    if (difference === 0) continue
    const move = difference > 0 ? moveIn : moveOut
    await move(tx, {
      userId: change.userId,
      currency,
      amount: Math.abs(difference),
      kind: 'adjustment',
      shopAccount: 'adjustments',
      reason: change.reason,
      madeBy: change.adminId,
    })
  }
  await record(tx, {
    actorId: change.adminId,
    action: 'user.balance',
    subject: `user:${change.userId}`,
    before,
    after: { ...after, reason: change.reason },
  })
  return after
}
