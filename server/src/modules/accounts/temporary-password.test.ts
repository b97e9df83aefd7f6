import { describe, expect, test } from 'vitest'
import { accessTable } from '../../../test/access.ts'
import { endpoints, toName } from '../../../test/endpoints.ts'
import { send } from '../../../test/send.ts'
import type { Answer } from '../../../test/shop.ts'
import { toSnapshot } from '../../../test/snapshot.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { aWorld } from '../../../test/world.ts'

const shop = useShop({ RATES_SOURCE: 'fixed' })
const admin = useUser(shop, { role: 'admin' })

const [first, given, chosen] = ['lola-pal0ma', 'given-7', 'tarvuz-2-qovun']
const said = ({ status, body }: Answer) => [status, body?.error?.code]
let count = 0

const logIn = (nickname: string, password: string) => shop.call('POST', '/auth/login', { body: { nickname, password } })
const change = (token: string, currentPassword: string, password: string) =>
  shop.call('PUT', '/profile/password', { token, body: { currentPassword, password } })

/** Makes a user whose password an admin has just set, logged in with it. */
async function someone(role: 'customer' | 'admin' = 'customer') {
  const nickname = `given_${++count}`
  const { userId } = (await shop.call('POST', '/auth/register', { body: { nickname, password: first } })).body
  if (role === 'admin') await shop.call('PUT', `/admin/users/${userId}/role`, { token: admin.token, body: { role } })
  const answer = await shop.call('PUT', `/admin/users/${userId}/password`, {
    token: admin.token,
    body: { password: given },
  })
  expect(answer.status).toBe(200)
  const session = (await logIn(nickname, given)).body
  expect(session.mustChangePassword).toBe(true)
  return { nickname, userId: userId as number, token: session.token as string }
}

/** The only calls that session may make. */
const theWayOut = ['POST /auth/logout', 'PUT /profile/password']

describe.each(['customer', 'admin'] as const)('with a password that an admin set, a %s', (role) => {
  test('is refused by every call that needs a session but the change of the password and logging out', async () => {
    const world = await aWorld(shop)
    const { token } = await someone(role)
    const before = await toSnapshot(shop.database)
    const closed = endpoints.filter((row) => row.access !== 'visitor' && !theWayOut.includes(toName(row)))
    expect(closed.length).toBeGreaterThan(100)
    const answers: Record<string, unknown> = {}
    for (const row of closed) {
      answers[toName(row)] = said(await send(shop, row, accessTable[toName(row)]?.sample(world) ?? {}, token))
    }
    const refused = closed.map((row) => [toName(row), [403, 'PASSWORD_CHANGE_NEEDED']])
    expect(answers).toEqual(Object.fromEntries(refused))
    expect(await toSnapshot(shop.database)).toEqual(before)
  })

  test('chooses another, and all is as before', async () => {
    const { nickname, token } = await someone(role)
    expect((await change(token, given, chosen)).status).toBe(204)
    expect((await shop.call('GET', '/profile', { token })).body.role).toBe(role)
    expect((await logIn(nickname, given)).status).toBe(401)
    const next = await logIn(nickname, chosen)
    expect(next.body).not.toHaveProperty('mustChangePassword')
    expect((await shop.call('GET', '/profile', { token: next.body.token })).status).toBe(200)
  })
})

test('another is another, and keeps the rules of registration', async () => {
  const { token } = await someone()
  const readDetails = async (password: string) => (await change(token, given, password)).body.error.details
  expect(await readDetails('short-7')).toEqual({ password: 'password_too_short' })
  expect(await readDetails('qwerty123')).toEqual({ password: 'password_too_common' })
  const { nickname, userId } = await someone()
  await shop.call('PUT', `/admin/users/${userId}/password`, { token: admin.token, body: { password: 'given-long-7' } })
  const session = (await logIn(nickname, 'given-long-7')).body
  const same = await change(session.token, 'given-long-7', 'given-long-7')
  expect(same.body.error).toMatchObject({ code: 'VALIDATION_FAILED', details: { password: 'password_unchanged' } })
  expect(said(await shop.call('GET', '/profile', { token: session.token }))).toEqual([403, 'PASSWORD_CHANGE_NEEDED'])
})

test('the change of it ends every other session that was opened with it', async () => {
  const { nickname, token } = await someone()
  const elsewhere = (await logIn(nickname, given)).body.token
  expect((await change(token, given, chosen)).status).toBe(204)
  expect((await shop.call('GET', '/profile', { token: elsewhere })).status).toBe(401)
})

test('logging out works, and the next login asks again', async () => {
  const { nickname, token } = await someone()
  expect((await shop.call('POST', '/auth/logout', { token })).status).toBe(204)
  expect((await logIn(nickname, given)).body.mustChangePassword).toBe(true)
})

test('a message to support is not signed by a session that has yet to choose a password', async () => {
  const { token } = await someone()
  const body = { nickname: 'Somebody', userId: '17', message: 'Where is my code?', contact: '@somebody' }
  expect((await shop.call('POST', '/support', { token, body })).status).toBe(201)
  const { data } = (await shop.call('GET', '/admin/conversations', { token: admin.token })).body
  expect(data[0]).toMatchObject({ nickname: 'Somebody' })
})

test("one's own change of the password is not temporary, an admin's neither", async () => {
  const nickname = 'own_change'
  const { token, userId } = (await shop.call('POST', '/auth/register', { body: { nickname, password: first } })).body
  await shop.call('PUT', `/admin/users/${userId}/role`, { token: admin.token, body: { role: 'admin' } })
  expect((await change(token, first, chosen)).status).toBe(204)
  const next = await logIn(nickname, chosen)
  expect(next.body).not.toHaveProperty('mustChangePassword')
  expect((await shop.call('GET', '/admin/users', { token: next.body.token })).status).toBe(200)
})
