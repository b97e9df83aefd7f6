import { sql } from '../../platform/database.ts'
import type { Invariant } from './invariant.ts'

/** Both sides of every transfer: what it did to each account, and the balance a wallet had afterwards. */
const movement = sql`(
  SELECT id, debit_account AS account_id, -amount AS change, debit_balance AS balance_after FROM transfer
  UNION ALL SELECT id, credit_account, amount, credit_balance FROM transfer)`

/** Every movement of a wallet in order, with the balance it noted and the one that follows from the note before. */
export const walletHistory = sql`
  SELECT movement.id, balance_after,
    coalesce(lag(balance_after) OVER (PARTITION BY account_id ORDER BY movement.id), 0) + change AS expected
  FROM ${movement} AS movement JOIN account ON account.id = account_id AND account.kind = 'wallet'`

export const invariantsOfMoney: readonly Invariant[] = [
  {
    number: 1,
    name: 'two-ends',
    sentence: 'Every transfer has two ends of one currency and a positive amount',
    offenders: sql`
      SELECT 'transfer ' || transfer.id AS subject FROM transfer
      LEFT JOIN account AS debited ON debited.id = debit_account
      LEFT JOIN account AS credited ON credited.id = credit_account
      WHERE amount <= 0 OR debit_account = credit_account OR debited.currency IS DISTINCT FROM transfer.currency
        OR credited.currency IS DISTINCT FROM transfer.currency`,
  },
  {
    number: 2,
    name: 'zero-sum',
    sentence: 'The balances of all accounts sum to zero in each currency',
    offenders: sql`
      SELECT currency AS subject FROM account_balance GROUP BY currency HAVING sum(balance) <> 0`,
  },
  {
    number: 3,
    name: 'balance-is-its-transfers',
    sentence: 'The balance of a wallet equals the sum of its transfers',
    offenders: sql`
      SELECT 'account ' || account.id AS subject FROM account
      LEFT JOIN (SELECT account_id, sum(change) AS moved FROM ${movement} AS movement GROUP BY account_id) AS total
        ON total.account_id = account.id
      WHERE account.kind = 'wallet' AND account.balance IS DISTINCT FROM coalesce(moved, 0)`,
  },
  {
    number: 4,
    name: 'never-negative',
    sentence: 'No wallet was ever below zero, and each movement noted the balance it left',
    offenders: sql`
      SELECT 'transfer ' || id AS subject FROM (${walletHistory}) AS history
      WHERE expected < 0 OR expected IS DISTINCT FROM balance_after`,
  },
]
