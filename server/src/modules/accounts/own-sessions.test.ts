import { describe, expect, test } from 'vitest'
import { aUser, type TestUser } from '../../../test/factories.ts'
import { useShop } from '../../../test/use-shop.ts'
import { SERVER_BUSINESS } from '../../business.ts'
import { sql } from '../../platform/database/queries.ts'
import { toDigest } from '../../platform/security/tokens.ts'
import { forgetTheExpired } from './sessions.ts'

const shop = useShop({ TRUST_PROXY: 'on' })

const password = 'lola-pal0ma'
const phone =
  'Mozilla/5.0 (Linux; Android 14; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36'
const laptop = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:132.0) Gecko/20100101 Firefox/132.0'
let count = 0

/** Makes a user with a session on a phone and one on a laptop. */
async function someone() {
  const nickname = `sessions_${++count}`
  const open = async (path: string, agent: string, from: string) =>
    (
      await shop.call('POST', path, {
        body: { nickname, password },
        headers: { 'user-agent': agent, 'x-forwarded-for': from },
      })
    ).body
  const { token: here, userId } = await open('/auth/register', phone, '203.0.113.77')
  const { token: there } = await open('/auth/login', laptop, '2001:db8:1:2:3:4:5:6')
  return { nickname, userId: userId as number, here: here as string, there: there as string }
}

const list = async (token: string) => (await shop.call('GET', '/profile/sessions', { token })).body.data
const toStatus = async (token: string) => (await shop.call('GET', '/profile', { token })).status

describe('the own sessions', () => {
  test('are listed with families and networks, and nothing that says more', async () => {
    const { here } = await someone()
    await someone()
    const answer = await shop.call('GET', '/profile/sessions', { token: here })
    const times = { id: expect.any(Number), created_at: expect.any(String), last_used_at: expect.any(String) }
    expect(answer.body.data).toEqual([
      { ...times, browser: 'Chrome', system: 'Android', network: '203.0.113.0/24', is_current: true },
      { ...times, browser: 'Firefox', system: 'macOS', network: '2001:db8:1:2::/64', is_current: false },
    ])
    const rows = await shop.database.rows(sql`SELECT session::text AS row FROM session`)
    expect(JSON.stringify(rows)).not.toMatch(/Mozilla|203\.0\.113\.77/)
  })

  test('end one by one, and others than the own are not found', async () => {
    const [owner, stranger] = [await someone(), await someone()]
    const [, other] = await list(owner.here)
    const end = (token: string, id: number) => shop.call('DELETE', `/profile/sessions/${id}`, { token })
    expect((await end(stranger.here, other.id)).status).toBe(404)
    expect(await toStatus(owner.there)).toBe(200)
    expect((await end(owner.here, other.id)).status).toBe(204)
    expect(await toStatus(owner.there)).toBe(401)
    expect(await toStatus(owner.here)).toBe(200)
    expect((await end(owner.here, other.id)).status).toBe(404)
  })

  test('end all but this one', async () => {
    const [owner, stranger] = [await someone(), await someone()]
    expect((await shop.call('POST', '/profile/sessions/end-others', { token: owner.here })).status).toBe(204)
    expect(await toStatus(owner.there)).toBe(401)
    expect(await list(owner.here)).toMatchObject([{ is_current: true }])
    expect(await toStatus(stranger.there)).toBe(200)
  })

  test('that are over are not listed', async () => {
    const { here, there } = await someone()
    await shop.database.run(sql`UPDATE session SET expires_at = now() WHERE token_hash = ${toDigest(there)}`)
    expect(await list(here)).toHaveLength(1)
  })
})

const age = ({ token }: TestUser, opened: string, used: string) =>
  shop.database.run(sql`
    UPDATE session SET created_at = now() - ${opened}::interval, renewed_at = now() - ${used}::interval
    WHERE token_hash = ${toDigest(token)}`)
const { hours, idleMinutes } = SERVER_BUSINESS.adminSession
const setRole = (user: TestUser, role: string, by: TestUser) =>
  shop.call('PUT', `/admin/users/${user.id}/role`, { token: by.token, body: { role } })

describe("an admin's session", () => {
  test('ends 12 hours after the login, however much it is used', async () => {
    const admin = await aUser(shop, { role: 'admin' })
    await age(admin, `${hours * 60 - 1} minutes`, '10 seconds')
    expect(await toStatus(admin.token)).toBe(200)
    await age(admin, `${hours * 60 + 1} minutes`, '10 seconds')
    expect(await toStatus(admin.token)).toBe(401)
  })

  test('ends after 30 minutes without a call, and a call puts that off', async () => {
    const admin = await aUser(shop, { role: 'admin' })
    await age(admin, '2 hours', `${idleMinutes - 1} minutes`)
    expect(await toStatus(admin.token)).toBe(200)
    const { idle } = await shop.database.one<{ idle: number }>(sql`
      SELECT extract(epoch FROM now() - renewed_at)::float AS idle FROM session WHERE token_hash = ${toDigest(admin.token)}`)
    expect(idle).toBeLessThan(60)
    await age(admin, '2 hours', `${idleMinutes + 1} minutes`)
    expect(await toStatus(admin.token)).toBe(401)
  })

  test('is not written at every call', async () => {
    const admin = await aUser(shop, { role: 'admin' })
    await age(admin, '2 hours', '30 seconds')
    expect(await toStatus(admin.token)).toBe(200)
    const { idle } = await shop.database.one<{ idle: number }>(sql`
      SELECT extract(epoch FROM now() - renewed_at)::float AS idle FROM session WHERE token_hash = ${toDigest(admin.token)}`)
    expect(idle).toBeGreaterThanOrEqual(30)
  })

  test('is forgotten by the nightly job once it is over, and a customer of that age keeps theirs', async () => {
    const [idle, old, customer] = [
      await aUser(shop, { role: 'admin' }),
      await aUser(shop, { role: 'admin' }),
      await aUser(shop),
    ]
    await age(idle, '2 hours', '31 minutes')
    await age(old, '13 hours', '1 minute')
    await age(customer, '20 days', '31 minutes')
    await forgetTheExpired(shop)
    const left = await shop.database.rows(
      sql`SELECT user_id FROM session WHERE user_id = ANY (${[idle.id, old.id, customer.id]})`,
    )
    expect(left).toEqual([{ user_id: customer.id }])
  })
})

describe('a change of the role', () => {
  test('lets no session come alive again that ended while its user was an admin', async () => {
    const [by, idle, old] = [
      await aUser(shop, { role: 'admin' }),
      await aUser(shop, { role: 'admin' }),
      await aUser(shop, { role: 'admin' }),
    ]
    await age(idle, '2 hours', '31 minutes')
    await age(old, '13 hours', '1 minute')
    for (const user of [idle, old]) {
      expect((await setRole(user, 'customer', by)).status).toBe(200)
      expect(await toStatus(user.token)).toBe(401)
    }
  })

  test('of a demoted admin leaves a session in use a customer’s, which lasts as theirs do', async () => {
    const [by, demoted] = [await aUser(shop, { role: 'admin' }), await aUser(shop, { role: 'admin' })]
    await age(demoted, '11 hours', '5 minutes')
    await setRole(demoted, 'customer', by)
    await age(demoted, '20 days', '5 hours')
    expect(await toStatus(demoted.token)).toBe(200)
    expect((await shop.call('GET', '/admin/users', { token: demoted.token })).status).toBe(403)
  })

  test('of a promoted customer opens the admin area to a login of the last 12 hours only', async () => {
    const [by, fresh, stale] = [await aUser(shop, { role: 'admin' }), await aUser(shop), await aUser(shop)]
    await age(stale, '13 hours', '1 minute')
    for (const user of [fresh, stale]) await setRole(user, 'admin', by)
    expect((await shop.call('GET', '/admin/users', { token: fresh.token })).status).toBe(200)
    expect((await shop.call('GET', '/admin/users', { token: stale.token })).status).toBe(401)
  })
})
