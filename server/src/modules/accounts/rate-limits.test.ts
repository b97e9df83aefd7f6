import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Answer } from '../../../test/shop.ts'
import { useShop } from '../../../test/use-shop.ts'
import { SERVER_LIMITS } from '../../limits.ts'
import { sql } from '../../platform/database/queries.ts'
import { forgetTheExpired } from './sessions.ts'

const shop = useShop({ RATE_LIMITS: 'on' })
beforeAll(async () => {
  await register('Malika')
})
beforeEach(() => shop.database.run(sql`TRUNCATE rate_limit, login_gate`))

const password = 'lola-pal0ma'
const register = (nickname: string, address = '192.0.2.1') =>
  shop.call('POST', '/auth/register', { body: { nickname, password }, headers: { 'x-forwarded-for': address } })
const logIn = (nickname: string, secret = password) =>
  shop.call('POST', '/auth/login', { body: { nickname, password: secret } })

const times = async (count: number, call: (index: number) => Promise<Answer>) => {
  const statuses: number[] = []
  for (let index = 0; index < count; index++) statuses.push((await call(index)).status)
  return new Set(statuses)
}

function expectLimited(answer: Answer, seconds: number) {
  expect([answer.status, answer.body.error.code]).toEqual([429, 'RATE_LIMITED'])
  const wait = Number(answer.headers['retry-after'])
  expect(wait).toBeGreaterThan(seconds - 60)
  expect(wait).toBeLessThanOrEqual(seconds)
}

describe('how often one may try', () => {
  test('registrations of an address, whatever it says was before it', async () => {
    const { points, seconds } = SERVER_LIMITS.rates.registrationsPerAddress
    expect(await times(points, (index) => register('Malika', `192.0.2.${index}`))).toEqual(new Set([409]))
    expectLimited(await register('Malika', '198.51.100.7'), seconds)
  })

  test('a form that is filled in wrongly does not count', async () => {
    const { points } = SERVER_LIMITS.rates.registrationsPerAddress
    expect(await times(points + 1, () => register('ab'))).toEqual(new Set([400]))
    expect((await register('Malika')).status).toBe(409)
  })

  test('wrong logins of a user from one network: once there are too many, not even the right password opens', async () => {
    const { points, seconds } = SERVER_LIMITS.rates.loginsPerNetwork
    expect(await times(points, (index) => logIn(index % 2 ? 'MALIKA' : 'Malika', 'wrong-0ne'))).toEqual(new Set([401]))
    expectLimited(await logIn('malika'), seconds)
    expect((await logIn('Nobody')).status).toBe(404)
  })

  test('the right password in time begins the count again', async () => {
    const { points } = SERVER_LIMITS.rates.loginsPerNetwork
    await times(points - 1, () => logIn('Malika', 'wrong-0ne'))
    expect((await logIn('Malika')).status).toBe(200)
    expect(await times(points, () => logIn('Malika', 'wrong-0ne'))).toEqual(new Set([401]))
  })

  test('logins of an address, over many nicknames', async () => {
    const { points, seconds } = SERVER_LIMITS.rates.loginsPerAddress
    expect(await times(points, (index) => logIn(`Nobody ${index}`))).toEqual(new Set([404]))
    expectLimited(await logIn('Malika'), seconds)
  })

  test.each(['n'.repeat(256), 'ﷺ'.repeat(256), '🦊'.repeat(128)])(
    'a nickname that is too long to exist is unknown',
    async (nickname) => {
      const answer = await logIn(nickname)
      expect([answer.status, answer.body.error.code]).toEqual([404, 'USER_NOT_FOUND'])
    },
  )

  test('neither nicknames nor addresses are kept in what is counted', async () => {
    await logIn('Malika', 'wrong-0ne')
    const rows = await shop.database.rows<{ key: string }>(sql`SELECT key FROM rate_limit`)
    expect(rows).toHaveLength(2)
    expect(await shop.database.rows(sql`SELECT failures FROM login_gate`)).toEqual([{ failures: 1 }])
    expect(rows.filter(({ key }) => /malika|127\.0\.0\.1/i.test(key))).toEqual([])
  })
})

test('counts that ran out are deleted by the nightly job, and those that hold stay', async () => {
  await shop.database.run(sql`
    INSERT INTO rate_limit (key, points, expire)
    VALUES ('over', 3, extract(epoch FROM now()) * 1000 - 1), ('holds', 3, extract(epoch FROM now()) * 1000 + 60000)`)
  await forgetTheExpired(shop)
  expect(await shop.database.rows(sql`SELECT key FROM rate_limit`)).toEqual([{ key: 'holds' }])
})
