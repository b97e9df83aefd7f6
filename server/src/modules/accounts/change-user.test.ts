import { beforeAll, describe, expect, test } from 'vitest'
import { aUser, type TestUser } from '../../../test/factories.ts'
import { useShop } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'

const shop = useShop({ DATABASE_CONNECTIONS: '40' })
beforeAll(async () => {
  // Stays an admin throughout, so that nobody here is ever the last one.
  await aUser(shop, { role: 'admin' })
})

const put = (by: TestUser, other: TestUser, what: string, body: object) =>
  shop.call('PUT', `/admin/users/${other.id}/${what}`, { token: by.token, body })

const attacks = [
  ['demote', 'role', { role: 'customer' }],
  ['block', 'blocked', { blocked: true }],
  ['set the password of', 'password', { password: 'tarvuz-2-qovun' }],
] as const

describe('of two admins who act against each other at once one succeeds', () => {
  test.each(attacks)('when they %s each other', async (_verb, what, body) => {
    for (let round = 0; round < 8; round++) {
      const [one, other] = [await aUser(shop, { role: 'admin' }), await aUser(shop, { role: 'admin' })]
      const calls = Array.from({ length: 10 }, () => [put(one, other, what, body), put(other, one, what, body)])
      const answers = await Promise.all(calls.flat())
      const winners = new Set(answers.flatMap(({ status }, index) => (status === 200 ? [index % 2] : [])))
      expect(winners.size).toBe(1)
      const refused = answers.filter((_, index) => !winners.has(index % 2)).map(({ status }) => status)
      expect(refused.filter((status) => status !== 401 && status !== 403)).toEqual([])
    }
  })

  test('whatever each of them does', async () => {
    for (let round = 0; round < 8; round++) {
      const [one, other] = [await aUser(shop, { role: 'admin' }), await aUser(shop, { role: 'admin' })]
      const calls = attacks.flatMap(([, what, body]) => [put(one, other, what, body), put(other, one, what, body)])
      const answers = await Promise.all(calls)
      const winners = new Set(answers.flatMap(({ status }, index) => (status === 200 ? [index % 2] : [])))
      expect(winners.size).toBe(1)
    }
  })
})

test('in a ring of admins who demote each other at once nobody acts who is no admin any more', async () => {
  const admins = await Promise.all(Array.from({ length: 20 }, () => aUser(shop, { role: 'admin' })))
  const next = (index: number) => admins[(index + 1) % admins.length] as TestUser
  await Promise.all(admins.map((by, index) => put(by, next(index), 'role', { role: 'customer' })))
  const entries = await shop.database.rows<{ actor_id: number; subject: string }>(sql`
    SELECT actor_id, subject FROM audit_entry
    WHERE action = 'user.role' AND actor_id = ANY (${admins.map(({ id }) => id)}) ORDER BY id`)
  const demoted = new Set<string>()
  for (const { actor_id, subject } of entries) {
    expect(demoted.has(`user:${actor_id}`)).toBe(false)
    demoted.add(subject)
  }
  expect(entries.length).toBeGreaterThan(0)
})
