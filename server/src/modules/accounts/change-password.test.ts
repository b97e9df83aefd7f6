import { expect, test } from 'vitest'
import { useShop } from '../../../test/use-shop.ts'

const shop = useShop()

const oldPassword = 'lola-pal0ma'
const newPassword = 'tarvuz-2-qovun'
let count = 0

/** Makes a user with sessions on two devices. */
async function someone() {
  const nickname = `Owner ${++count}`
  const { body } = await shop.call('POST', '/auth/register', { body: { nickname, password: oldPassword } })
  const other = await shop.call('POST', '/auth/login', { body: { nickname, password: oldPassword } })
  return { nickname, here: body.token as string, there: other.body.token as string }
}

const change = (token: string, body: object) => shop.call('PUT', '/profile/password', { token, body })
const toStatus = async (token: string) => (await shop.call('GET', '/profile', { token })).status
const logIn = async (nickname: string, password: string) =>
  (await shop.call('POST', '/auth/login', { body: { nickname, password } })).status

test('sets the new password and ends every other session of the user', async () => {
  const [owner, stranger] = [await someone(), await someone()]
  const answer = await change(owner.here, { currentPassword: oldPassword, password: newPassword })
  expect([answer.status, answer.text]).toEqual([204, ''])
  expect(await toStatus(owner.here)).toBe(200)
  expect(await toStatus(owner.there)).toBe(401)
  expect(await toStatus(stranger.here)).toBe(200)
  expect(await logIn(owner.nickname, oldPassword)).toBe(401)
  expect(await logIn(owner.nickname, newPassword)).toBe(200)
})

test.each([
  [
    'the wrong old password',
    { currentPassword: 'wrong', password: newPassword },
    { currentPassword: 'invalid_credentials' },
  ],
  ['no old password', { currentPassword: '', password: newPassword }, { currentPassword: 'invalid_credentials' }],
  ['a short new one', { currentPassword: oldPassword, password: 'short-1' }, { password: 'password_too_short' }],
  [
    'one without a digit',
    { currentPassword: oldPassword, password: 'no digit here' },
    { password: 'password_no_number' },
  ],
  ['a common one', { currentPassword: oldPassword, password: 'qwerty123' }, { password: 'password_too_common' }],
])('%s is refused, and nothing ends', async (_name, body, details) => {
  const owner = await someone()
  const answer = await change(owner.here, body)
  expect(answer.status).toBe(400)
  expect(answer.body.error).toMatchObject({ code: 'VALIDATION_FAILED', details })
  expect(await toStatus(owner.there)).toBe(200)
  expect(await logIn(owner.nickname, oldPassword)).toBe(200)
})
