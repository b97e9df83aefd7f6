import { Failure } from '@olmos/contract/failure'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anOffer, aUser, type TestUser, toCart } from '../../../test/factories.ts'
import { type Link, openLink } from '../../../test/link.ts'
import { startShop, type TestShop } from '../../../test/shop.ts'
import { isConflict, toDatabaseFailure } from './failures.ts'

let link: Link
let shop: TestShop
let user: TestUser
beforeAll(async () => {
  const reach = async (url: string) => {
    link = await openLink(url)
    return link.url
  }
  shop = await startShop({ RATE_LIMITS: 'on' }, { reach })
  user = await aUser(shop, { usd: 1_000, role: 'admin' })
})
afterAll(async () => {
  await shop.close()
  await link.cut()
})

const calls = () => {
  const { token } = user
  return Promise.all([
    shop.call('GET', '/products'),
    shop.call('GET', '/ready'),
    shop.call('GET', '/profile', { token }),
    shop.call('GET', '/profile', { token: 'invented' }),
    shop.call('GET', '/admin/users', { token }),
    shop.call('POST', '/payment/from-balance', { token, body: { currency: 'USD' } }),
    shop.call('POST', '/auth/login', { body: { nickname: 'Nobody', password: 'anything-1' } }),
    shop.call('POST', '/auth/register', { body: { nickname: 'Anyone', password: 'anything-1' } }),
  ])
}

test('a database that is gone is 503 for everyone, never 401, and heals by itself', async () => {
  const offer = await anOffer(shop, { stock: 1 })
  await shop.call('POST', '/cart/add', { token: user.token, body: toCart(offer) })
  await link.cut()
  for (const answer of [...(await calls()), ...(await calls())]) {
    expect([answer.status, answer.body.error.code]).toEqual([503, 'OVERLOADED'])
    expect(answer.headers['retry-after']).toBe('1')
    expect(answer.text).not.toMatch(/127\.0\.0\.1|ECONN|postgres|SELECT/i)
  }
  expect((await shop.call('GET', '/health')).status).toBe(200)
  expect((await shop.call('POST', '/cart/add', { token: user.token, body: { wrong: true } })).status).toBe(503)

  await link.mend()
  expect((await calls()).map((answer) => answer.status)).toEqual([200, 200, 200, 401, 200, 201, 404, 201])
})

test('every connection in use is 503 too', async () => {
  const { pool } = shop.database
  const clients = await Promise.all(Array.from({ length: shop.config.databaseConnections }, () => pool.connect()))
  const { connectionTimeoutMillis: patience } = pool.options
  pool.options.connectionTimeoutMillis = 200
  const answer = await shop.call('GET', '/profile', { token: user.token })
  pool.options.connectionTimeoutMillis = patience
  for (const client of clients) client.release()
  expect([answer.status, answer.body.error.code]).toEqual([503, 'OVERLOADED'])
  expect((await shop.call('GET', '/profile', { token: user.token })).status).toBe(200)
})

const toError = (code: string | undefined, message = 'trouble') =>
  Object.assign(new Error(message), code ? { code } : {})

test.each([
  ['ECONNREFUSED'],
  ['ECONNRESET'],
  ['EHOSTUNREACH'],
  ['ENETUNREACH'],
  ['08006'],
  ['57014'],
  ['57P01'],
  ['57P03'],
  ['25006'],
  ['53300'],
  ['55P03'],
  ['40P01'],
  ['40001'],
  [undefined, 'Connection terminated unexpectedly'],
  [undefined, 'timeout exceeded when trying to connect'],
  [undefined, 'timeout expired'],
])('%s %s is trouble one may try again after', (code, message?: string) => {
  const error = toError(code, message)
  expect(toDatabaseFailure(error)).toMatchObject({ code: 'OVERLOADED', cause: error })
})

test.each([
  ['23505', ''],
  ['22P02', ''],
  ['42601', ''],
  ['EACCES', ''],
  [undefined, 'a bug'],
])('%s %s is none', (code, message) => {
  const error = toError(code, message)
  expect(toDatabaseFailure(error)).toBe(error)
})

test('a conflict is known again once it has become a refusal', () => {
  expect(isConflict(toError('40P01'))).toBe(true)
  expect(isConflict(toDatabaseFailure(toError('40001')))).toBe(true)
  expect(isConflict(toDatabaseFailure(toError('57014')))).toBe(false)
  expect(isConflict(new Failure('OVERLOADED'))).toBe(false)
})

test('what is written once and was there before is a conflict, and at last a refusal that may be retried', async () => {
  const known = Object.assign(toError('23505'), { constraint: 'code_fingerprint_key' })
  expect(isConflict(known)).toBe(true)
  expect(isConflict(Object.assign(toError('23505'), { constraint: 'users_nickname_key' }))).toBe(false)
  let runs = 0
  const failing = shop.database.transaction(async () => {
    runs++
    throw known
  })
  await expect(failing).rejects.toMatchObject({ code: 'OVERLOADED', status: 503, cause: known })
  expect(runs).toBe(3)
})
