import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { aUser, type TestUser } from '../../../test/factories.ts'
import { toSnapshot } from '../../../test/snapshot.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })

const setBalance = (userId: number | string, body: object, key?: string) =>
  shop.call('PUT', `/admin/users/${userId}/balance`, {
    token: admin.token,
    body,
    headers: key ? { 'idempotency-key': key } : {},
  })

const readTransfers = (user: TestUser) =>
  shop.database.rows(sql`
    SELECT transfer.kind, transfer.currency, transfer.amount, transfer.reason, transfer.made_by,
      CASE WHEN debited.user_id IS NULL THEN debited.kind || ' to wallet' ELSE 'wallet to ' || credited.kind END AS way
    FROM transfer JOIN account debited ON debited.id = debit_account JOIN account credited ON credited.id = credit_account
    WHERE ${user.id} IN (debited.user_id, credited.user_id) ORDER BY transfer.id`)

describe('an admin sets a balance', () => {
  test('up and down and both at once, by adjustments with a reason', async () => {
    const user = await aUser(shop)
    const up = await setBalance(user.id, { balanceUsd: 12.34, reason: '  a gift ' })
    expect([up.status, up.body]).toEqual([200, { data: { id: user.id, balanceUsd: 12.34, balanceRub: 0 } }])
    const down = await setBalance(user.id, { balanceUsd: 2, reason: 'too much' })
    expect(down.body.data).toEqual({ id: user.id, balanceUsd: 2, balanceRub: 0 })
    const both = await setBalance(user.id, { balanceUsd: 0, balanceRub: 500.01, reason: 'changed' })
    expect(both.body.data).toEqual({ id: user.id, balanceUsd: 0, balanceRub: 500.01 })

    const moved = { kind: 'adjustment', made_by: admin.id }
    expect(await readTransfers(user)).toEqual([
      { ...moved, currency: 'USD', amount: 1_234, reason: 'a gift', way: 'adjustments to wallet' },
      { ...moved, currency: 'USD', amount: 1_034, reason: 'too much', way: 'wallet to adjustments' },
      { ...moved, currency: 'USD', amount: 200, reason: 'changed', way: 'wallet to adjustments' },
      { ...moved, currency: 'RUB', amount: 50_001, reason: 'changed', way: 'adjustments to wallet' },
    ])
  })

  test('the same balance again moves nothing', async () => {
    const user = await aUser(shop, { usd: 700 })
    const answer = await setBalance(user.id, { balanceUsd: 7, reason: 'checked' })
    expect(answer.body.data).toEqual({ id: user.id, balanceUsd: 7, balanceRub: 0 })
    expect(await readTransfers(user)).toHaveLength(1)
  })

  test('writes down who, what and why', async () => {
    const user = await aUser(shop, { usd: 100, rub: 200 })
    await setBalance(user.id, { balanceRub: 3, reason: 'a refund by hand' })
    const entry = await shop.database.one(sql`
      SELECT actor_id, action, before, after FROM audit_entry WHERE subject = ${`user:${user.id}`}`)
    expect(entry).toEqual({
      actor_id: admin.id,
      action: 'user.balance',
      before: { USD: 100, RUB: 200 },
      after: { USD: 100, RUB: 300, reason: 'a refund by hand' },
    })
  })

  test.each([
    ['no balance', { reason: 'why' }, { balanceUsd: 'required' }],
    ['no reason', { balanceUsd: 1 }, { reason: 'invalid' }],
    ['a blank reason', { balanceUsd: 1, reason: '  ' }, { reason: 'required' }],
    ['a negative balance', { balanceUsd: -0.01, reason: 'why' }, { balanceUsd: 'invalid_amount' }],
    ['a third of a cent', { balanceRub: 0.333, reason: 'why' }, { balanceRub: 'invalid_amount' }],
    ['too much', { balanceRub: 1e10, reason: 'why' }, { balanceRub: 'invalid_amount' }],
    ['a text', { balanceUsd: '5', reason: 'why' }, { balanceUsd: 'invalid_amount' }],
    ['another field', { balanceUsd: 5, reason: 'why', role: 'admin' }, { role: 'unknown_field' }],
  ])('%s is refused', async (_name, body, details) => {
    const user = await aUser(shop, { usd: 100 })
    const before = await toSnapshot(shop.database)
    const answer = await setBalance(user.id, body)
    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatchObject({ code: 'VALIDATION_FAILED', details })
    expect(await toSnapshot(shop.database)).toEqual(before)
  })

  test('an unknown user is USER_NOT_FOUND, and the key may be used again', async () => {
    const key = randomUUID()
    const body = { balanceUsd: 1, reason: 'why' }
    const answer = await setBalance(2_147_483_647, body, key)
    expect([answer.status, answer.body.error.code]).toEqual([404, 'USER_NOT_FOUND'])
    const user = await aUser(shop)
    expect((await setBalance(user.id, body, key)).status).toBe(200)
  })

  test('a repeat under the key gets the first answer byte for byte, whatever happened since', async () => {
    const user = await aUser(shop)
    const key = randomUUID()
    const body = { balanceUsd: 10, reason: 'once' }
    const first = await setBalance(user.id, body, key)
    await setBalance(user.id, { balanceUsd: 99, reason: 'since' })
    const again = await setBalance(user.id, { reason: 'once', balanceUsd: 10 }, key)
    expect([again.status, again.text]).toEqual([first.status, first.text])
    expect(again.headers['content-type']).toBe(first.headers['content-type'])
    expect(await readTransfers(user)).toHaveLength(2)
    const { body: balance } = await shop.call('GET', '/balance', { token: user.token })
    expect(balance[0].amount).toBe(99)
  })

  test('the key does not fit another amount, user or call', async () => {
    const [user, other] = [await aUser(shop), await aUser(shop)]
    const key = randomUUID()
    await setBalance(user.id, { balanceUsd: 10, reason: 'once' }, key)
    const before = await toSnapshot(shop.database)
    const answers = [
      await setBalance(user.id, { balanceUsd: 11, reason: 'once' }, key),
      await setBalance(other.id, { balanceUsd: 10, reason: 'once' }, key),
      await shop.call('POST', '/balance/topup', {
        token: admin.token,
        body: { currency: 'usd', amount: 10 },
        headers: { 'idempotency-key': key },
      }),
    ]
    for (const { status, body } of answers) expect([status, body.error.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED'])
    expect(await toSnapshot(shop.database)).toEqual(before)
  })

  test('24 at once leave the balance that one of them wanted, and a whole ledger', async () => {
    const user = await aUser(shop, { usd: 1_000 })
    const wanted = Array.from({ length: 24 }, (_, index) => index * 3)
    await Promise.all(wanted.map((balanceUsd) => setBalance(user.id, { balanceUsd, reason: 'race' })))
    const { balance, moved } = await shop.database.one<{ balance: number; moved: number }>(sql`
      SELECT balance, (SELECT sum(CASE WHEN credit_account = account.id THEN amount ELSE -amount END)
        FROM transfer WHERE account.id IN (debit_account, credit_account))::int AS moved
      FROM account WHERE user_id = ${user.id} AND currency = 'USD'`)
    expect(wanted).toContain(balance / 100)
    expect(moved).toBe(balance)
  })
})
