import { describe, expect, test } from 'vitest'
import { aUser, type TestUser } from '../../../test/factories.ts'
import { startShop } from '../../../test/shop.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { toDigest } from '../../platform/security/tokens.ts'
import { hasContact } from './accounts.store.ts'
import { giveRole } from './change-user.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })

const call = (method: 'GET' | 'PUT', path: string, body?: unknown, by = admin) =>
  shop.call(method, `/admin/users${path}`, { token: by.token, body })
const register = async (nickname: string) =>
  (await shop.call('POST', '/auth/register', { body: { nickname, password: 'password-of-7-dwarfs' } })).body
const logIn = (nickname: string, password: string) => shop.call('POST', '/auth/login', { body: { nickname, password } })
const profileStatus = async (token: string) => (await shop.call('GET', '/profile', { token })).status

describe('the list of users', () => {
  test('is searched, filtered and sorted', async () => {
    const rich = await aUser(shop, { usd: 1_250 })
    const { body } = await call('GET', `?search=${rich.nickname.toUpperCase()}&sort=nickname&order=asc`)
    expect(body.data[0]).toEqual({
      id: rich.id,
      nickname: rich.nickname,
      role: 'customer',
      staff_role: null,
      balanceUsd: 12.5,
      balanceRub: 0,
      is_blocked: false,
      created_at: expect.any(String),
    })
    expect((await call('GET', '?role=admin')).body).toMatchObject({ data: [{ id: admin.id }], total: 1 })
    expect((await call('GET', `/${rich.id}`)).body.data.balanceUsd).toBe(12.5)
    expect((await call('GET', '/999999')).body.error.code).toBe('USER_NOT_FOUND')
  })
})

describe('a search by the contact in the profile, or by the number', () => {
  const findIds = async (search: string): Promise<number[]> =>
    (await call('GET', `?${new URLSearchParams({ search })}`)).body.data.map(({ id }: { id: number }) => id)

  test('finds the customer, whatever its case, and only by the whole of it', async () => {
    const customer = await aUser(shop)
    await shop.database.run(sql`UPDATE users SET contact = 'Zumrad@Example.com' WHERE id = ${customer.id}`)
    expect(await findIds('zumrad@EXAMPLE.com')).toEqual([customer.id])
    expect(await findIds('zumrad@example.co')).toEqual([])
  })

  test('finds the customer by the number too, and takes nothing else for one', async () => {
    const customer = await aUser(shop)
    expect(await findIds(String(customer.id))).toContain(customer.id)
    expect(await findIds('99999999999')).toEqual([])
  })

  test('has an index', async () => {
    const plan = await shop.database.transaction(async (tx) => {
      await tx.run(sql`SET LOCAL enable_seqscan = off`)
      return tx.rows<{ 'QUERY PLAN': string }>(
        sql`EXPLAIN SELECT id FROM users WHERE ${hasContact('zumrad@example.com')}`,
      )
    })
    expect(plan.map((row) => row['QUERY PLAN']).join(' ')).toContain('users_by_contact')
  })
})

describe('a password set by an admin', () => {
  test('ends every session and opens the next one', async () => {
    const { token, userId } = await register('forgetful')
    expect((await call('PUT', `/${userId}/password`, { password: 'six666' })).body.data.nickname).toBe('forgetful')
    expect(await profileStatus(token)).toBe(401)
    expect((await logIn('forgetful', 'password-of-7-dwarfs')).status).toBe(401)
    expect((await logIn('forgetful', 'six666')).status).toBe(200)
    const entries = await shop.database.rows(
      sql`SELECT actor_id, action, before, after FROM audit_entry WHERE subject = ${`user:${userId}`}`,
    )
    expect(entries).toEqual([{ actor_id: admin.id, action: 'user.password', before: null, after: null }])
  })

  test.each([
    ['five5', 'password_too_short'],
    ['no digit', 'password_no_number'],
    ['123456', 'password_too_common'],
    ['111111', 'password_too_common'],
    ['Qwerty123', 'password_too_common'],
    [`1${'a'.repeat(128)}`, 'password_too_long'],
  ])('%s is refused as %s, for customers and admins alike', async (password, reason) => {
    for (const role of ['customer', 'admin'] as const) {
      const user = await aUser(shop, { role })
      const answer = await call('PUT', `/${user.id}/password`, { password })
      expect([answer.status, answer.body.error.details]).toEqual([400, { password: reason }])
      expect(await profileStatus(user.token)).toBe(200)
      await call('PUT', `/${user.id}/role`, { role: 'customer' })
    }
  })

  test('has 6 characters or more', async () => {
    const answer = await call('PUT', `/${admin.id}/password`, { password: 'five5' })
    expect([answer.status, answer.body.error.details]).toEqual([400, { password: 'password_too_short' }])
    expect((await call('PUT', '/999999/password', { password: 'six666' })).body.error.code).toBe('USER_NOT_FOUND')
  })
})

describe('roles', () => {
  test('a demoted admin is turned away at the next call', async () => {
    const second = await aUser(shop, { role: 'admin' })
    expect((await call('GET', '', undefined, second)).status).toBe(200)
    expect((await call('PUT', `/${second.id}/role`, { role: 'customer' })).body.data.role).toBe('customer')
    const next = await call('GET', '', undefined, second)
    expect([next.status, next.body.error.code]).toEqual([403, 'FORBIDDEN'])
  })

  test('the last admin stays one', async () => {
    const answer = await call('PUT', `/${admin.id}/role`, { role: 'customer' })
    expect([answer.status, answer.body.error.details]).toEqual([409, { reason: 'last_admin', user: 'last_admin' }])
    const blocked = await call('PUT', `/${admin.id}/blocked`, { blocked: true })
    expect([blocked.status, blocked.body.error.details]).toEqual([409, { reason: 'last_admin', user: 'last_admin' }])
  })

  test('the last admin who can log in stays one', async () => {
    const other = await aUser(shop, { role: 'admin' })
    expect((await call('PUT', `/${other.id}/blocked`, { blocked: true })).status).toBe(200)
    const lastOne = { reason: 'last_admin', user: 'last_admin' }
    expect((await call('PUT', `/${admin.id}/role`, { role: 'customer' })).body.error.details).toEqual(lastOne)
    expect((await call('PUT', `/${admin.id}/blocked`, { blocked: true })).body.error.details).toEqual(lastOne)
    for (const [what, body] of [
      ['role', { role: 'customer' }],
      ['blocked', { blocked: false }],
    ] as const)
      expect((await call('PUT', `/${other.id}/${what}`, body)).status).toBe(200)
  })

  test('nobody takes away the own role, shuts the own account or sets the own password here', async () => {
    const other = await aUser(shop, { role: 'admin' })
    const refused = [
      await call('PUT', `/${other.id}/role`, { role: 'customer' }, other),
      await call('PUT', `/${other.id}/blocked`, { blocked: true }, other),
      await call('PUT', `/${other.id}/password`, { password: 'six666' }, other),
    ]
    expect(refused.map(({ status, body }) => [status, body.error.code, body.error.details])).toEqual([
      [409, 'STATE_CONFLICT', { reason: 'own_account', user: 'self' }],
      [409, 'STATE_CONFLICT', { reason: 'own_account', user: 'self' }],
      [409, 'STATE_CONFLICT', { reason: 'own_password', password: 'own' }],
    ])
    expect(await profileStatus(other.token)).toBe(200)
    expect((await call('PUT', `/${other.id}/role`, { role: 'customer' })).body.data.role).toBe('customer')
  })

  test('of admins who demote each other at the same moment some are left, and whoever was demoted demotes nobody', async () => {
    const own = await startShop()
    const admins = await Promise.all(Array.from({ length: 20 }, () => aUser(own, { role: 'admin' })))
    const demotions = admins.map(({ id, token }, index) => {
      const other = admins[(index + 1) % admins.length] as TestUser
      return own.database.transaction((tx) =>
        giveRole(tx, { id, tokenHash: toDigest(token) }, other.id, { roleId: null }),
      )
    })
    const refused = (await Promise.allSettled(demotions)).filter((demotion) => demotion.status === 'rejected')
    const { left } = await own.database.one<{ left: number }>(
      sql`SELECT count(*)::int AS left FROM users WHERE role = 'admin'`,
    )
    await own.close()
    expect(refused).toHaveLength(left)
    expect(left).toBeGreaterThan(1)
  })
})

test('a blocked user is out, and is let in again', async () => {
  const { token, userId } = await register('rowdy')
  expect((await call('PUT', `/${userId}/blocked`, { blocked: true })).body.data.is_blocked).toBe(true)
  expect(await profileStatus(token)).toBe(401)
  const refused = await logIn('rowdy', 'password-of-7-dwarfs')
  expect([refused.status, refused.body.error]).toMatchObject([403, { code: 'FORBIDDEN', details: { user: 'blocked' } }])
  expect((await logIn('rowdy', 'guessed-1')).status).toBe(401)
  expect((await call('GET', '?blocked=true')).body.data).toMatchObject([{ id: userId }])

  await call('PUT', `/${userId}/blocked`, { blocked: false })
  expect((await logIn('rowdy', 'password-of-7-dwarfs')).status).toBe(200)
  expect(await profileStatus(token)).toBe(401)
})

test('a session of a blocked user opens nothing, also where it was left behind', async () => {
  const { token, userId } = await register('rowdy_again')
  expect(await profileStatus(token)).toBe(200)
  await shop.database.run(sql`UPDATE users SET blocked_at = now() WHERE id = ${userId}`)
  expect(await profileStatus(token)).toBe(401)
})
