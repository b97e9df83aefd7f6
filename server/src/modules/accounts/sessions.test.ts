import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { aUser, type TestUser } from '../../../test/factories.ts'
import { startShop } from '../../../test/shop.ts'
import { tablesWith } from '../../../test/snapshot.ts'
import { useShop } from '../../../test/use-shop.ts'
import { Database } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/queries.ts'
import { createAuthenticate, forgetTheExpired } from './sessions.ts'

const password = 'lola-pal0ma'
const shop = useShop()
beforeAll(async () => {
  await shop.call('POST', '/auth/register', { body: { nickname: 'Zarina', password } })
  await shop.call('POST', '/auth/register', { body: { nickname: 'Ёлка', password } })
})

const logIn = (body: object) => shop.call('POST', '/auth/login', { body })
const toStatus = async (token: string) => (await shop.call('GET', '/profile', { token })).status
const toDigest = (token: string) => createHash('sha256').update(token).digest()

const ageSession = ({ token }: TestUser, renewed: string, expires: string) =>
  shop.database.run(sql`
    UPDATE session SET renewed_at = now() + ${renewed}::interval, expires_at = now() + ${expires}::interval
    WHERE token_hash = ${toDigest(token)}`)

const daysLeft = async ({ token }: TestUser) =>
  (
    await shop.database.one<{ days: number }>(sql`
      SELECT (extract(epoch FROM expires_at - now()) / 86400)::float AS days FROM session
      WHERE token_hash = ${toDigest(token)}`)
  ).days

describe('logging in', () => {
  test.each(['Zarina', 'zARINA', '  Zarina ', 'Ｚarina', 'ёлкА'])('opens a session for %j', async (nickname) => {
    const answer = await logIn({ nickname, password })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      token: expect.stringMatching(/^[\w-]{43}$/),
      device: expect.stringMatching(/^[\w-]{22}\.[\w-]{43}$/),
      nickname: nickname === 'ёлкА' ? 'Ёлка' : 'Zarina',
      userId: expect.any(Number),
    })
    expect(await toStatus(answer.body.token)).toBe(200)
  })

  test('every session has a token of its own', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => logIn({ nickname: 'Zarina', password })))
    expect(new Set(answers.map((answer) => answer.body.token)).size).toBe(3)
  })

  test('a wrong password is 401 INVALID_CREDENTIALS', async () => {
    const answer = await logIn({ nickname: 'Zarina', password: 'lola-pal0mb' })
    expect([answer.status, answer.body.error.code]).toEqual([401, 'INVALID_CREDENTIALS'])
  })

  test('an unknown nickname is 404 USER_NOT_FOUND', async () => {
    const answer = await logIn({ nickname: 'Nobody', password })
    expect([answer.status, answer.body.error.code]).toEqual([404, 'USER_NOT_FOUND'])
  })

  test('passwords differ by case and by the spaces around them', async () => {
    for (const wrong of ['Lola-pal0ma', ' lola-pal0ma', 'lola-pal0ma ']) {
      expect((await logIn({ nickname: 'Zarina', password: wrong })).status).toBe(401)
    }
  })

  test.each([
    [{ nickname: '', password }, { nickname: 'invalid_credentials' }],
    [{ nickname: '   ', password }, { nickname: 'invalid_credentials' }],
    [{ nickname: 'Zarina', password: '' }, { password: 'invalid_credentials' }],
    [
      { nickname: ' ', password: '  ' },
      { nickname: 'invalid_credentials', password: 'invalid_credentials' },
    ],
    [{ nickname: 'Zar\u0000ina', password }, { nickname: 'invalid_credentials' }],
  ])('%j is refused as invalid_credentials', async (body, details) => {
    const answer = await logIn(body)
    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatchObject({ code: 'VALIDATION_FAILED', details })
  })
})

describe('a session', () => {
  test('is stored as a hash of its token only', async () => {
    const { body } = await logIn({ nickname: 'Zarina', password })
    expect(await tablesWith(shop.database, body.token)).toEqual([])
    expect(await tablesWith(shop.database, toDigest(body.token).toString('hex'))).toEqual(['session'])
  })

  test('ends by logging out, and only this one', async () => {
    const [here, there] = await Promise.all([1, 2].map(() => logIn({ nickname: 'Zarina', password })))
    const out = await shop.call('POST', '/auth/logout', { token: here?.body.token })
    expect([out.status, out.text]).toEqual([204, ''])
    const after = await shop.call('GET', '/profile', { token: here?.body.token })
    expect([after.status, after.body.error.code]).toEqual([401, 'UNAUTHENTICATED'])
    expect(await toStatus(there?.body.token)).toBe(200)
    expect((await shop.call('POST', '/auth/logout', { token: here?.body.token })).status).toBe(401)
  })

  test('begins its 30 days again when it is used', async () => {
    const user = await aUser(shop)
    expect(await daysLeft(user)).toBeCloseTo(30, 1)
    await ageSession(user, '-2 hours', '1 day')
    expect(await toStatus(user.token)).toBe(200)
    expect(await daysLeft(user)).toBeCloseTo(30, 1)
  })

  test('is not written again within the hour', async () => {
    const user = await aUser(shop)
    await ageSession(user, '-50 minutes', '20 days')
    expect(await toStatus(user.token)).toBe(200)
    expect(await daysLeft(user)).toBeCloseTo(20, 1)
  })

  test('is dead once its time is over, and the nightly job forgets it', async () => {
    const [gone, alive] = [await aUser(shop), await aUser(shop)]
    await ageSession(gone, '-31 days', '-1 second')
    expect(await toStatus(gone.token)).toBe(401)
    await forgetTheExpired(shop)
    const left = await shop.database.rows(sql`SELECT FROM session WHERE user_id = ${gone.id}`)
    expect(left).toEqual([])
    expect(await toStatus(alive.token)).toBe(200)
  })

  test('knows a change of role at the next call', async () => {
    const user = await aUser(shop, { role: 'admin' })
    const list = () => shop.call('GET', '/admin/users', { token: user.token })
    expect((await list()).status).toBe(200)
    await shop.database.run(sql`UPDATE users SET role = 'customer' WHERE id = ${user.id}`)
    expect((await list()).status).toBe(403)
  })
})

describe('sessions that are looked up together', () => {
  test('each caller is who the token says, in a few statements', async () => {
    const users = await Promise.all(Array.from({ length: 20 }, () => aUser(shop)))
    const rows = vi.spyOn(shop.database, 'rows')
    const answers = await Promise.all([...users, ...users].map(({ token }) => shop.call('GET', '/profile', { token })))
    expect(answers.map(({ body }) => body.nickname)).toEqual([...users, ...users].map(({ nickname }) => nickname))
    const lookups = rows.mock.calls.filter(([{ text }]) => text.includes('session.token_hash = ANY'))
    rows.mockRestore()
    expect(lookups.length).toBeLessThan(20)
  })

  test('one that has ended opens nothing beside others that are alive', async () => {
    const [alive, ended] = [await aUser(shop), await aUser(shop)]
    await shop.call('POST', '/auth/logout', { token: ended.token })
    const tokens = [alive.token, ended.token, 'made-up', alive.token]
    expect(await Promise.all(tokens.map(toStatus))).toEqual([200, 401, 401, 200])
  })
})

test('sessions are found by plans that PostgreSQL keeps, one at a time or many of one moment', async () => {
  const own = await startShop()
  await own.database.run(sql`
    WITH made AS (
      INSERT INTO users (nickname, nickname_key, password_hash)
      SELECT 'many' || n, 'many' || n, 'none' FROM generate_series(1, 3000) AS n RETURNING id)
    INSERT INTO session (token_hash, user_id, expires_at)
    SELECT sha256(convert_to('token ' || id, 'UTF8')), id, now() + interval '1 day' FROM made`)
  await own.database.run(sql`ANALYZE users, session`)
  const database = new Database({ url: own.config.databaseUrl as string, connections: 1, onIdleError: () => {} })
  const authenticate = createAuthenticate({ database, config: own.config })()
  const users = await database.rows<{ id: number }>(sql`SELECT id FROM users WHERE nickname LIKE 'many%' LIMIT 30`)
  const find = async (ids: readonly { id: number }[]) =>
    (await Promise.all(ids.map(({ id }) => authenticate(`token ${id}`)))).map((caller) => caller?.id)
  for (let turn = 0; turn < 10; turn++)
    for (const count of [1, 3, 30]) {
      const asked = users.slice(0, count)
      expect(await find(asked)).toEqual(asked.map(({ id }) => id))
    }
  const plans = await database.rows<{ custom_plans: number }>(sql`
    SELECT custom_plans::int FROM pg_prepared_statements WHERE statement LIKE '%FROM session JOIN users%'`)
  await database.close()
  await own.close()
  expect(plans.map(({ custom_plans }) => custom_plans)).toEqual([5, 5, 5])
})
