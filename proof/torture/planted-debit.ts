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

export const debitAtCommit: typeof real.debitAtCommit = (tx, movement) => {
  const { userId, currency, amount, kind, shopAccount, orderId, key, reason, madeBy } = movement
  if (kind !== 'purchase') return real.debitAtCommit(tx, movement)
  tx.atCommit(sql`
    WITH seen AS MATERIALIZED (
      SELECT id, balance - ${amount} AS rest, pg_sleep(${thoughtMs / 1000}) FROM account
      WHERE user_id = ${userId} AND currency = ${currency} AND kind = 'wallet' AND balance >= ${amount}),
    wallet AS (UPDATE account SET balance = rest FROM seen WHERE account.id = seen.id RETURNING account.id, rest)
    INSERT INTO transfer (kind, currency, amount, debit_account, credit_account, debit_balance, order_id, key, reason, made_by)
    SELECT ${kind}, ${currency}, ${amount}, coalesce(wallet.id, refuse_sale('balance')), shop.id, rest, ${orderId}, ${key},
      ${reason}, ${madeBy}
    FROM account AS shop LEFT JOIN wallet ON true
    WHERE shop.user_id IS NULL AND shop.currency = ${currency} AND shop.kind = ${shopAccount}`)
}
