import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { anOffer, aUser, type TestOffer, type TestUser, toCart } from '../../../test/factories.ts'
import { startShop, type TestShop } from '../../../test/shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { proveInvariants, proveLately } from '../operations/operations.routes.ts'
import { checkClosedDays, closeDays, passWatermark } from './closed-days.ts'

let shop: TestShop
let buyer: TestUser
let offer: TestOffer
beforeEach(async () => {
  shop = await startShop()
  offer = await anOffer(shop, { stock: 20, priceUsd: 100 })
  buyer = await aUser(shop, { usd: 10_000 })
})
afterEach(() => shop.close())

async function buy(times = 1): Promise<void> {
  for (let time = 0; time < times; time++) {
    await shop.call('POST', '/cart/add', { token: buyer.token, body: toCart(offer) })
    const { status } = await shop.call('POST', '/payment/from-balance', {
      token: buyer.token,
      body: { currency: 'USD' },
    })
    expect(status).toBeLessThan(300)
  }
}

/** Bypasses the triggers that keep rows unchanged. */
const tamper = (change: string) =>
  shop.database.pool.query(`BEGIN; SET LOCAL session_replication_role = 'replica'; ${change}; COMMIT`)

/** Lets a day pass for all that happened so far. */
const passDay = () =>
  tamper(`
    UPDATE transfer SET created_at = created_at - interval '1 day';
    UPDATE orders SET created_at = created_at - interval '1 day';
    UPDATE code_sale SET created_at = created_at - interval '1 day';
    UPDATE offer_price SET valid_from = valid_from - interval '1 day'`)

const daysClosed = () =>
  shop.database.rows<{ day: string; transfers: number; sums: object[] }>(
    sql`SELECT day::text, transfers, sums FROM closed_day ORDER BY closed_day.day`,
  )
const openAlerts = async () =>
  (
    await shop.database.rows<{ subject: string }>(
      sql`SELECT subject FROM alert WHERE resolved_at IS NULL AND kind = 'invariant' ORDER BY subject`,
    )
  ).map(({ subject }) => subject)
const proof = async () => {
  const admin = await aUser(shop, { role: 'admin' })
  return (await shop.call('GET', '/admin/ledger/proof', { token: admin.token })).body
}
const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** Two days with sales whose books are closed, and one that is open. */
async function threeDays(): Promise<void> {
  await buy(2)
  await passDay()
  await buy()
  await passDay()
  await proveLately(shop)
  await buy()
  await proveLately(shop)
}

describe('a shop of three days', () => {
  beforeEach(threeDays)

  test('has the books of two closed, each once, and the same sums as if all was added up', async () => {
    const days = await daysClosed()
    expect(days).toMatchObject([
      { day: dayBefore(2), transfers: 3 },
      { day: dayBefore(1), transfers: 1 },
    ])
    expect(days[1]?.sums).toEqual([
      { account: 'sales', currency: 'USD', kind: 'purchase', entries: 1, change: 100 },
      { account: 'wallet', currency: 'USD', kind: 'purchase', entries: 1, change: -100 },
    ])
    const { accounts, sums, is_sound } = await proof()
    expect(is_sound).toBe(true)
    await proveInvariants(shop)
    expect(await proof()).toMatchObject({ accounts, sums, is_sound })
    await proveLately(shop)
    expect(await daysClosed()).toEqual(days)
    expect(await openAlerts()).toEqual([])
  })

  test('a fault in the open day is found within the hour, and by the whole walk', async () => {
    await tamper('UPDATE transfer SET debit_balance = debit_balance + 1 WHERE id = (SELECT max(id) FROM transfer)')
    await proveLately(shop)
    expect(await openAlerts()).toEqual(['never-negative'])
    await proveInvariants(shop)
    expect(await openAlerts()).toEqual(['never-negative'])
    await tamper('UPDATE transfer SET debit_balance = debit_balance - 1 WHERE id = (SELECT max(id) FROM transfer)')
    await proveLately(shop)
    expect(await openAlerts()).toEqual([])
  })

  test('a fault that a whole walk found while the hourly check was looking stays', async () => {
    const first = "(SELECT min(id) FROM transfer WHERE kind = 'purchase')"
    await tamper(`UPDATE transfer SET amount = amount + 1, debit_balance = debit_balance - 1 WHERE id = ${first}`)
    const database = new Proxy(shop.database, {
      get(target, name) {
        const value = Reflect.get(target, name, target)
        if (typeof value !== 'function') return value
        return async (...given: unknown[]) => {
          const answer = await value.apply(target, given)
          if (name === 'snapshot') await proveInvariants(shop)
          return answer
        }
      },
    })
    await proveLately({ ...shop, database })
    expect(await openAlerts()).toEqual(
      expect.arrayContaining(['balance-is-its-transfers', 'closed-days', 'never-negative', 'paid-once-exactly']),
    )
    expect(await proof()).toMatchObject({ is_sound: false, first_broken_transfer: { kind: 'purchase' } })
    await tamper(`UPDATE transfer SET amount = amount - 1, debit_balance = debit_balance + 1 WHERE id = ${first}`)
    await proveLately(shop)
    expect(await openAlerts()).toEqual([])
  })

  test('a fault in an older closed day is found by the whole walk, and stays until it is mended', async () => {
    const first = "(SELECT min(id) FROM transfer WHERE kind = 'purchase')"
    await tamper(`UPDATE transfer SET amount = amount + 1, debit_balance = debit_balance - 1 WHERE id = ${first}`)
    await proveLately(shop)
    expect(await openAlerts()).toEqual([])
    await proveInvariants(shop)
    expect(await openAlerts()).toEqual(
      expect.arrayContaining(['balance-is-its-transfers', 'closed-days', 'never-negative', 'paid-once-exactly']),
    )
    expect(await checkClosedDays(shop.database, shop.vault)).toMatchObject({
      offenders: 3,
      sample: [`day ${dayBefore(2)}`, expect.stringMatching(/^balance of account/), expect.any(String)],
    })
    // The hourly check looks at all rows for what was broken, so it neither forgets the fault nor misses its end.
    await proveLately(shop)
    expect(await openAlerts()).toContain('closed-days')
    await tamper(`UPDATE transfer SET amount = amount - 1, debit_balance = debit_balance + 1 WHERE id = ${first}`)
    await proveLately(shop)
    expect(await openAlerts()).toEqual([])
  })

  test.each([
    [
      'the last closed day',
      'UPDATE transfer SET reason = $$x$$ WHERE id = (SELECT max(last_transfer) FROM closed_day)',
    ],
    ['a seal', 'UPDATE closed_day SET digest = sha256(digest) WHERE day = (SELECT min(day) FROM closed_day)'],
    ['the sums of a day', "UPDATE closed_day SET sums = '[]' WHERE day = (SELECT min(day) FROM closed_day)"],
    ['a day that was taken out', 'DELETE FROM closed_day WHERE day = (SELECT min(day) FROM closed_day)'],
    [
      'a transfer that was taken out of the last closed day',
      'DELETE FROM transfer WHERE id = (SELECT max(last_transfer) FROM closed_day)',
    ],
  ])('a change of %s is found within the hour', async (_, change) => {
    await tamper(change)
    await proveLately(shop)
    expect(await openAlerts()).toContain('closed-days')
  })

  test('a balance of a wallet, or one kept at the end of a day, that was changed is found within the hour', async () => {
    await tamper(`UPDATE account SET balance = balance + 1 WHERE user_id = ${buyer.id} AND currency = 'USD'`)
    await proveLately(shop)
    expect(await openAlerts()).toEqual(['balance-is-its-transfers', 'zero-sum'])
    await tamper(`UPDATE account SET balance = balance - 1 WHERE user_id = ${buyer.id} AND currency = 'USD'`)
    await proveLately(shop)
    expect(await openAlerts()).toEqual([])

    await tamper(
      'UPDATE closed_balance SET balance = balance + 1 WHERE account_id = (SELECT min(account_id) FROM closed_balance)',
    )
    await proveLately(shop)
    expect((await openAlerts()).length).toBeGreaterThan(0)
  })

  test('who does not have the key can close no day', async () => {
    const other = await startShop()
    const found = await checkClosedDays(shop.database, other.vault)
    await other.close()
    expect(found).toMatchObject({ number: 32, name: 'closed-days', offenders: 2 })
  })
})

test('a day is closed only when every transaction that ran at its end has ended, so that none comes late', async () => {
  await buy()
  await passDay()
  const late = await shop.database.pool.connect()
  await late.query('BEGIN')
  // It draws its id before the watermark, and is not committed yet.
  await late.query(`
    INSERT INTO transfer (kind, currency, amount, debit_account, credit_account, reason, created_at)
    SELECT 'adjustment', 'USD', 500, debited.id, credited.id, 'late', now() - interval '1 day'
    FROM account AS debited, account AS credited
    WHERE debited.currency = 'USD' AND debited.kind = 'adjustments'
      AND credited.currency = 'USD' AND credited.kind = 'sales'`)
  await buy()

  const passing = passWatermark(shop.database)
  let hasPassed = false
  void passing.then(() => {
    hasPassed = true
  })
  await buy()
  expect(hasPassed).toBe(false)
  await late.query('COMMIT')
  late.release()
  const mark = await passing
  expect(mark && (await closeDays(shop, mark))).toEqual([dayBefore(1)])
  // The late one is in its books, and everything that comes now has a higher id.
  expect(await daysClosed()).toMatchObject([{ transfers: 3 }])
  await proveLately(shop)
  expect(await openAlerts()).toEqual([])
})

test('the books of a day may only be added to', async () => {
  await threeDays()
  for (const change of ['UPDATE closed_day SET transfers = 0', 'DELETE FROM closed_day', 'TRUNCATE closed_day']) {
    await expect(shop.database.pool.query(change)).rejects.toMatchObject({ message: 'closed_day is append-only' })
  }
})

test('20 nodes that close at once close each day once', async () => {
  await buy(2)
  await passDay()
  await buy()
  await passDay()
  const mark = await passWatermark(shop.database)
  if (!mark) throw new Error('nothing is to be closed')
  const closed = await Promise.all(Array.from({ length: 20 }, () => closeDays(shop, mark)))
  expect(closed.flat().sort()).toEqual([dayBefore(2), dayBefore(1)])
  expect(await checkClosedDays(shop.database, shop.vault)).toMatchObject({ offenders: 0 })
  expect(await passWatermark(shop.database)).toBeUndefined()
})
