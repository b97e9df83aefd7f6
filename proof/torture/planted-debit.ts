import { setTimeout as sleep } from 'node:timers/promises'
import * as real from '../../server/src/modules/wallet/wallet.ts'
import { sql } from '../../server/src/platform/database/queries.ts'

export * from '../../server/src/modules/wallet/wallet.ts'

const thoughtMs = 400

/** Buying reads, thinks, writes: whoever changed the balance in between is forgotten. Admins stay as quick as they are. */
export const debit: typeof real.debit = async (tx, movement) => {
  const { userId, currency, amount, kind, shopAccount, orderId, key, reason, madeBy } = movement
  if (kind !== 'purchase') return real.debit(tx, movement)
  const wallet = await tx.one<{ id: number; balance: number }>(sql`
    SELECT id, balance FROM account WHERE user_id = ${userId} AND currency = ${currency} AND kind = 'wallet'`)
  if (wallet.balance < amount) return real.debit(tx, movement)
  await sleep(thoughtMs)
  const left = wallet.balance - amount
  await tx.run(sql`UPDATE account SET balance = ${left} WHERE id = ${wallet.id}`)
  await tx.run(sql`
    INSERT INTO transfer (kind, currency, amount, debit_account, credit_account, debit_balance, order_id, key, reason, made_by)
    SELECT ${kind}, ${currency}, ${amount}, ${wallet.id}, id, ${left}, ${orderId}, ${key}, ${reason}, ${madeBy}
    FROM account WHERE user_id IS NULL AND currency = ${currency} AND kind = ${shopAccount}`)
}
