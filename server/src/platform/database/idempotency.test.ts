import { Failure } from '@olmos/contract/failure'
import { expect, test } from 'vitest'
import { aUser } from '../../../test/factories.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from './database.ts'
import { forgetOldCalls, once, type StoredAnswer } from './idempotency.ts'

const shop = useShop()
const user = useUser(shop)

let count = 0
const newKey = () => `key-${++count}`
const answer = (body: string): StoredAnswer => ({ status: 201, body })

const call = (key: string, effect: () => Promise<StoredAnswer>, request = 'POST /a {}', userId = user.id) =>
  shop.database.transaction((tx) => once(tx, { userId, key, request }, effect))

test('the effect happens once, and its answer is given again', async () => {
  const key = newKey()
  let effects = 0
  const effect = async () => answer(`{"effect": ${++effects},  "text":"ж"}`)
  const first = await call(key, effect)
  expect(first).toEqual(answer('{"effect": 1,  "text":"ж"}'))
  expect(await call(key, effect)).toEqual(first)
  expect(effects).toBe(1)
})

test('of 30 at the same moment one runs, and all get its answer', async () => {
  const key = newKey()
  let effects = 0
  const answers = await Promise.all(Array.from({ length: 30 }, () => call(key, async () => answer(`${++effects}`))))
  expect(new Set(answers.map(({ body }) => body))).toEqual(new Set(['1']))
})

test('another request under the key is refused', async () => {
  const key = newKey()
  await call(key, async () => answer('1'))
  await expect(call(key, async () => answer('2'), 'POST /a {"b":1}')).rejects.toMatchObject({
    code: 'IDEMPOTENCY_KEY_REUSED',
  })
})

test('the key of another user is another key', async () => {
  const key = newKey()
  const other = await aUser(shop)
  await call(key, async () => answer('mine'))
  expect(await call(key, async () => answer('theirs'), 'POST /b {}', other.id)).toEqual(answer('theirs'))
})

test('a refused effect leaves nothing, and the key may be tried again', async () => {
  const key = newKey()
  const refuse = () => Promise.reject(new Failure('CART_EMPTY'))
  await expect(call(key, refuse)).rejects.toMatchObject({ code: 'CART_EMPTY' })
  expect(await shop.database.rows(sql`SELECT FROM idempotent_call WHERE key = ${key}`)).toEqual([])
  expect(await call(key, async () => answer('later'))).toEqual(answer('later'))
})

test('who waits for a call that is refused in the end runs itself', async () => {
  const key = newKey()
  const { promise: secondWaits, resolve: letFirstRefuse } = Promise.withResolvers<void>()
  const { promise: firstRuns, resolve: tellFirstRuns } = Promise.withResolvers<void>()
  const first = call(key, async () => {
    tellFirstRuns()
    await secondWaits
    throw new Failure('CART_EMPTY')
  })
  await firstRuns
  const second = call(key, async () => answer('second'))
  await someoneWaits()
  letFirstRefuse()
  const results = await Promise.allSettled([first, second])
  expect(results).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled', value: answer('second') }])
})

/** Resolves when the claim of a key waits for another transaction. */
async function someoneWaits(): Promise<void> {
  await expect
    .poll(() => shop.database.rows(sql`SELECT FROM pg_locks WHERE NOT granted AND locktype = 'advisory'`))
    .not.toEqual([])
}

test('keys are kept 30 days', async () => {
  const [old, young] = [newKey(), newKey()]
  for (const key of [old, young]) await call(key, async () => answer('1'))
  await shop.database.run(
    sql`UPDATE idempotent_call SET created_at = now() - interval '30 days 1 minute' WHERE key = ${old}`,
  )
  await shop.database.run(sql`UPDATE idempotent_call SET created_at = now() - interval '29 days' WHERE key = ${young}`)
  expect(await forgetOldCalls(shop.database, 30)).toBe(1)
  expect(await shop.database.rows(sql`SELECT FROM idempotent_call WHERE key = ${young}`)).toHaveLength(1)
})

test.each([
  ['', 'no sign'],
  ['k'.repeat(256), 'too long'],
])('a header of %s is refused: %s', async (key) => {
  const response = await shop.call('POST', '/payment/from-balance', {
    token: user.token,
    body: { currency: 'USD' },
    headers: { 'idempotency-key': key },
  })
  expect([response.status, response.body.error.details]).toEqual([400, { 'idempotency-key': 'invalid' }])
})
