import * as real from '../../server/src/modules/wallet/wallet.ts'
import { sql } from '../../server/src/platform/database/queries.ts'

export * from '../../server/src/modules/wallet/wallet.ts'

/** Rounds in the customer's favour, and tells the ledger nothing of it. */
export const credit: typeof real.credit = async (tx, entry) => {
  await real.credit(tx, entry)
  const { userId, currency } = entry
  await tx.run(sql`
    UPDATE account SET balance = balance + 1 WHERE user_id = ${userId} AND currency = ${currency} AND kind = 'wallet'`)
}
