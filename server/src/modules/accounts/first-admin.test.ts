import { Failure } from '@olmos/contract/failure'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { startShop, type TestShop } from '../../../test/shop.ts'
import { SERVER_LIMITS } from '../../limits.ts'
import { StartupError } from '../../platform/process.ts'
import { createPasswords, makeFirstAdmin } from './accounts.ts'

const passwords = createPasswords()
const wish = { adminNickname: 'Boss', adminPassword: undefined, strictAdmins: false }
let shop: TestShop | undefined
beforeEach(async () => {
  await shop?.close()
  shop = await startShop()
})
afterAll(() => shop?.close())

const theShop = () => shop as TestShop
const make = (settings: Parameters<typeof makeFirstAdmin>[2] = wish) =>
  makeFirstAdmin(theShop().database, passwords, settings)
const logIn = async (password: string, nickname = 'boss') => {
  const { body } = await theShop().call('POST', '/auth/login', { body: { nickname, password } })
  return (await theShop().call('GET', '/profile', { token: body.token ?? 'none' })).body.role
}

test('is made with a password nobody can guess, told once', async () => {
  const password = await make()
  expect(password).toMatch(/^[\w-]{16}$/)
  expect(await logIn(password as string)).toBe('admin')
  expect(await make({ ...wish, adminNickname: 'Other' })).toBeUndefined()
})

test('leaves nobody a nickname that looks like its own', async () => {
  await make()
  const { status, body } = await theShop().call('POST', '/auth/register', {
    body: { nickname: 'bоss', password: 'parolim-7' },
  })
  expect([status, body.error.code]).toEqual([409, 'NICKNAME_TAKEN'])
})

test('has the password that was set, which is not told again', async () => {
  expect(await make({ ...wish, adminPassword: 'parolim-7' })).toBeUndefined()
  expect(await logIn('parolim-7')).toBe('admin')
})

test.each([
  ['no-digit-here', 'digit'],
  ['qwerty123', 'guessing programs'],
  [`1${'a'.repeat(128)}`, '128'],
])('with the password %s is refused by a sentence that says %s', async (adminPassword, why) => {
  await expect(make({ ...wish, adminPassword })).rejects.toThrow(StartupError)
  await expect(make({ ...wish, adminPassword })).rejects.toThrow(why)
})

test('a weak password in the settings stops nobody who has an admin already', async () => {
  await make({ ...wish, adminPassword: 'parolim-7' })
  expect(await make({ ...wish, adminPassword: 'qwerty123' })).toBeUndefined()
})

test('where admins are kept strictly, the password of the settings is good for choosing another only', async () => {
  await make({ ...wish, adminPassword: 'parolim-7', strictAdmins: true })
  const logInWith = (password: string) =>
    theShop().call('POST', '/auth/login', { body: { nickname: 'boss', password } })
  const { body } = await logInWith('parolim-7')
  expect(body.mustChangePassword).toBe(true)
  const change = { currentPassword: 'parolim-7', password: 'tarvuz-2-qovun' }
  expect((await theShop().call('PUT', '/profile/password', { token: body.token, body: change })).status).toBe(204)
  expect(await logIn('tarvuz-2-qovun')).toBe('admin')
})

test('is made once by nodes that start together', async () => {
  const passwords = (await Promise.all([1, 2, 3, 4, 5].map(() => make()))).filter((password) => password !== undefined)
  expect(passwords).toHaveLength(1)
  expect(await logIn(passwords[0] as string)).toBe('admin')
})

test('does not take the nickname of a customer', async () => {
  await theShop().call('POST', '/auth/register', { body: { nickname: 'BOSS', password: 'parolim-7' } })
  await expect(make()).rejects.toThrow(StartupError)
  expect(await logIn('parolim-7')).toBe('customer')
})

test('a flood of logins gets 503 instead of all the processor, and nothing else takes the places of logins', async () => {
  const known = await passwords.hash('parolim-7')
  const { atOnce, waiting, keptForLogins } = SERVER_LIMITS.passwordQueue
  const hashes = Promise.allSettled(Array.from({ length: 80 }, () => passwords.hash('parolim-7')))
  const logins = Promise.allSettled(Array.from({ length: 80 }, () => passwords.verify(known, 'parolim-7')))
  const readRefused = async (results: Promise<PromiseSettledResult<unknown>[]>) =>
    (await results).flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  const [hashesRefused, loginsRefused] = await Promise.all([readRefused(hashes), readRefused(logins)])
  expect(hashesRefused).toHaveLength(80 - atOnce - (waiting - keptForLogins))
  expect(loginsRefused).toHaveLength(80 - keptForLogins)
  for (const reason of [...hashesRefused, ...loginsRefused])
    expect(reason).toEqual(new Failure('OVERLOADED', undefined, 'too many logins at once'))
  expect(await passwords.verify(await passwords.hash('parolim-7'), 'parolim-7')).toBe(true)
})
