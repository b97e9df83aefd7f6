import { Failure } from '@olmos/contract/failure'
import { expect, test } from 'vitest'
import { aUser } from '../../../test/factories.ts'
import { raceRounds } from '../../../test/race-rounds.ts'
import { useShop } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { debit, debitAtCommit } from './wallet.ts'

const shop = useShop()

const rounds = raceRounds(10)

test(`of 64 who spend the whole balance at once one does, ${rounds} times`, { timeout: 600_000 }, async () => {
  for (let round = 0; round < rounds; round++) {
    const { id: userId } = await aUser(shop, { usd: 777 })
    const spend = async () => {
      try {
        await shop.database.transaction((tx) =>
          debit(tx, { userId, currency: 'USD', amount: 777, kind: 'adjustment', shopAccount: 'adjustments' }),
        )
        return 'spent'
      } catch (error) {
        return error instanceof Failure ? error.code : error
      }
    }
    const outcomes = await Promise.all(Array.from({ length: 64 }, spend))
    expect(outcomes.filter((outcome) => outcome === 'spent')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'INSUFFICIENT_BALANCE')).toHaveLength(63)
    const { balance } = await shop.database.one<{ balance: number }>(
      sql`SELECT balance FROM account WHERE user_id = ${userId} AND currency = 'USD' AND kind = 'wallet'`,
    )
    expect(balance).toBe(0)
  }
})

test('what is debited with COMMIT is moved whole, or not at all', async () => {
  const { id: userId } = await aUser(shop, { usd: 500 })
  const spend = (shopAccount: 'adjustments') =>
    shop.database.transaction(async (tx) => {
      const entry = { userId, currency: 'USD', amount: 300, kind: 'adjustment', shopAccount } as const
      if (tx.isOptimistic) debitAtCommit(tx, entry)
      else await debit(tx, entry)
    })
  const readMoved = () =>
    shop.database.one(sql`
      SELECT balance, (SELECT count(*)::int FROM transfer WHERE debit_account = account.id) AS entries
      FROM account WHERE user_id = ${userId} AND currency = 'USD' AND kind = 'wallet'`)
  // The other side of the entry is missing, as of a currency that somebody added by hand.
  await expect(spend('nowhere' as never)).rejects.toThrow(/credit_account/)
  expect(await readMoved()).toEqual({ balance: 500, entries: 0 })
  await spend('adjustments')
  expect(await readMoved()).toEqual({ balance: 200, entries: 1 })
  await expect(spend('adjustments')).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
  expect(await readMoved()).toEqual({ balance: 200, entries: 1 })
})
