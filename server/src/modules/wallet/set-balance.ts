import { Failure } from '@olmos/contract/failure'
import { type Currency, currencies } from '@olmos/contract/money'
import { record } from '../../platform/audit.ts'
import type { Tx } from '../../platform/database.ts'
import { lockBalances, moveIn, moveOut } from './wallet.store.ts'

export interface BalanceChange {
  userId: number
  /** Minor units; a currency that is left out stays as it is. */
  wanted: Partial<Record<Currency, number>>
  reason: string
  adminId: number
}

/** Brings a user's balances to the wanted amounts by adjustments; answers them in minor units. */
export async function setBalance(tx: Tx, change: BalanceChange): Promise<Record<Currency, number>> {
  const wallets = await lockBalances(tx, change.userId)
  if (wallets.length === 0) throw new Failure('USER_NOT_FOUND')
  const before = Object.fromEntries(wallets.map((wallet) => [wallet.currency, wallet.balance]))
  const after = { ...before, ...change.wanted } as Record<Currency, number>

  for (const currency of currencies) {
    const difference = after[currency] - (before[currency] ?? 0)
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
