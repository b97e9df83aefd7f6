import * as LIMITS from '@olmos/contract/limits'
import { describe, expect, test } from 'vitest'
import { endpoints, toName } from '../../../test/endpoints.ts'
import { aUser } from '../../../test/factories.ts'
import { anApp } from '../../../test/second-factor.ts'
import { type Answer, startShop } from '../../../test/shop.ts'
import { tablesWith } from '../../../test/snapshot.ts'
import { useShop } from '../../../test/use-shop.ts'
import { untilWaiting } from '../../../test/waiting.ts'
import { SERVER_LIMITS } from '../../limits.ts'
import { sql } from '../../platform/database/queries.ts'
import { rotateKey } from '../codes/rotate-key.ts'
import { findUser } from './accounts.store.ts'
import { codeAt, markEnrolled, toStep } from './second-factor.ts'
import { openSession } from './sessions.ts'

const shop = useShop()

const password = 'lola-pal0ma'
let count = 0

/** Makes an admin who can log in to the given shop. */
async function anAdmin(on = shop) {
  const nickname = `admin_${++count}`
  const { body } = await on.call('POST', '/auth/register', { body: { nickname, password } })
  await on.database.run(sql`UPDATE users SET role = 'admin' WHERE id = ${body.userId}`)
  const logIn = (otp?: string) => on.call('POST', '/auth/login', { body: { nickname, password, otp } })
  const post = (path: string, sent: object) =>
    on.call('POST', `/auth/second-factor${path}`, { token: body.token, body: sent })
  return { id: body.userId as number, nickname, token: body.token as string, logIn, post }
}

const said = ({ status, body }: Answer) => [status, body?.error?.code]
/** Decodes base32. */
const toBytes = (text: string): Buffer => {
  const bits = [...text].map((sign) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(sign).toString(2).padStart(5, '0'))
  const bytes = bits.join('').match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}

describe('enrolling', () => {
  test('takes the password and a first code; the secret is kept encrypted, the recovery codes not at all', async () => {
    const admin = await anAdmin()
    const elsewhere = (await admin.logIn()).body.token
    const wrong = await admin.post('/enrol', { password: 'guessed-1' })
    expect(wrong.body.error).toMatchObject({ code: 'VALIDATION_FAILED', details: { password: 'invalid_credentials' } })

    const { secret, uri } = (await admin.post('/enrol', { password })).body.data
    expect(uri).toBe(`otpauth://totp/Olmos%20localhost%3A${admin.nickname}?secret=${secret}&issuer=Olmos%20localhost`)
    expect((await admin.logIn()).status).toBe(200)

    const code = codeAt(toBytes(secret), toStep(new Date()))
    const mistyped = await admin.post('/confirm', { otp: code === '000000' ? '000001' : '000000' })
    expect(mistyped.body.error).toMatchObject({ code: 'VALIDATION_FAILED', details: { otp: 'wrong_code' } })
    const { recovery_codes: codes } = (await admin.post('/confirm', { otp: code })).body.data
    expect(new Set(codes).size).toBe(SERVER_LIMITS.recoveryCodes)

    const status = await shop.call('GET', '/auth/second-factor', { token: admin.token })
    expect(status.body.data).toEqual({
      enrolled_at: expect.any(String),
      recovery_codes_left: SERVER_LIMITS.recoveryCodes,
    })
    expect(await tablesWith(shop.database, toBytes(secret).toString('hex'))).toEqual([])
    expect(await tablesWith(shop.database, secret)).toEqual([])
    expect(await tablesWith(shop.database, codes[0].replace('-', ''))).toEqual([])
    expect((await shop.call('GET', '/profile', { token: elsewhere })).status).toBe(401)
    expect(said(await admin.post('/enrol', { password }))).toEqual([409, 'STATE_CONFLICT'])
  })

  test('and giving it up are written down', async () => {
    const admin = await anAdmin()
    const app = await anApp(shop, admin.id)
    expect((await admin.post('/disable', { otp: '000000x' })).status).toBe(400)
    expect((await admin.post('/disable', { otp: app.code() })).status).toBe(204)
    expect((await admin.logIn()).status).toBe(200)
    const entries = await shop.database.rows(
      sql`SELECT actor_id, action FROM audit_entry WHERE subject = ${`user:${admin.id}`}`,
    )
    expect(entries).toEqual([{ actor_id: admin.id, action: 'second_factor.disable' }])
  })
})

describe('a login while a second factor is being enrolled', () => {
  test('is asked for it when it comes second', async () => {
    const admin = await anAdmin()
    await admin.post('/enrol', { password })
    const { login } = await shop.database.transaction(async (tx) => {
      await tx.run(sql`SELECT FROM users WHERE id = ${admin.id} FOR NO KEY UPDATE`)
      const login = admin.logIn()
      await untilWaiting(shop.database, 1)
      await markEnrolled(tx, admin.id)
      return { login }
    })
    expect(said(await login)).toEqual([401, 'SECOND_FACTOR_REQUIRED'])
  })

  test('is ended when it comes first', async () => {
    const admin = await anAdmin()
    const { secret } = (await admin.post('/enrol', { password })).body.data
    const user = await findUser(shop.database, admin.id)
    if (!user) throw new Error('no user')
    const { enrolling } = await shop.database.transaction(async (tx) => {
      await openSession(tx, user)
      const enrolling = admin.post('/confirm', { otp: codeAt(toBytes(secret), toStep(new Date())) })
      await untilWaiting(shop.database, 1)
      return { enrolling }
    })
    expect((await enrolling).status).toBe(200)
    const sessions = await shop.database.rows(sql`SELECT FROM session WHERE user_id = ${admin.id}`)
    expect(sessions).toHaveLength(1)
  })
})

describe('logging in with a second factor', () => {
  test('asks for it only who knows the password, and says when it is wrong', async () => {
    const admin = await anAdmin()
    await anApp(shop, admin.id)
    expect(said(await admin.logIn())).toEqual([401, 'SECOND_FACTOR_REQUIRED'])
    const body = { nickname: admin.nickname, password: 'guessed-1' }
    expect(said(await shop.call('POST', '/auth/login', { body }))).toEqual([401, 'INVALID_CREDENTIALS'])
    const wrong = await admin.logIn('12345')
    expect(wrong.body.error).toMatchObject({ code: 'INVALID_CREDENTIALS', details: { otp: 'wrong_code' } })
  })

  test('takes a code once, and none from before it', async () => {
    const admin = await anAdmin()
    const app = await anApp(shop, admin.id)
    const code = app.code()
    const answers = await Promise.all(Array.from({ length: 20 }, () => admin.logIn(code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(said(await admin.logIn(code))).toEqual([401, 'INVALID_CREDENTIALS'])
    expect(said(await admin.logIn(app.code(-1)))).toEqual([401, 'INVALID_CREDENTIALS'])
    expect((await admin.logIn(app.code(1))).status).toBe(200)
  })

  test('takes each recovery code once, however it is typed, and writes it down', async () => {
    const admin = await anAdmin()
    const app = await anApp(shop, admin.id)
    const { recovery_codes: codes } = (await admin.post('/recovery-codes', { otp: app.code() })).body.data
    const answers = await Promise.all(Array.from({ length: 20 }, () => admin.logIn(codes[0])))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await admin.logIn(codes[1].toLowerCase().replace('-', ' '))).status).toBe(200)
    const status = await shop.call('GET', '/auth/second-factor', { token: admin.token })
    expect(status.body.data.recovery_codes_left).toBe(SERVER_LIMITS.recoveryCodes - 2)
    const { uses } = await shop.database.one<{ uses: number }>(sql`
      SELECT count(*)::int AS uses FROM audit_entry
      WHERE subject = ${`user:${admin.id}`} AND action = 'second_factor.recovery'`)
    expect(uses).toBe(2)
  })

  test('goes on after the key of the vault was changed', async () => {
    const admin = await anAdmin()
    const app = await anApp(shop, admin.id)
    await rotateKey(shop.database, shop.vault, { started: () => {}, progressed: () => {} })
    expect((await admin.logIn(app.code())).status).toBe(200)
  })
})

describe('being asked again', () => {
  const topUp = (token: string) => shop.call('POST', '/balance/topup', { token, body: { currency: 'usd', amount: 5 } })

  test('who has no second factor is not', async () => {
    const { token } = await aUser(shop, { role: 'admin' })
    expect((await topUp(token)).status).toBe(200)
  })

  test('happens until the code was given, and again when its time is over; the session lives on', async () => {
    const admin = await anAdmin()
    const app = await anApp(shop, admin.id)
    expect(said(await topUp(admin.token))).toEqual([401, 'SECOND_FACTOR_REQUIRED'])
    const { data } = (await admin.post('/confirm-again', { otp: app.code() })).body
    const minutes = (Date.parse(data.confirmed_until) - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(LIMITS.confirmedMinutes - 1)
    expect((await topUp(admin.token)).status).toBe(200)

    await shop.database.run(sql`UPDATE session SET confirmed_until = now() WHERE user_id = ${admin.id}`)
    expect(said(await topUp(admin.token))).toEqual([401, 'SECOND_FACTOR_REQUIRED'])
    expect((await shop.call('GET', '/admin/users', { token: admin.token })).status).toBe(200)
  })

  test('is not when the code was given at the login, and only by that session', async () => {
    const admin = await anAdmin()
    const app = await anApp(shop, admin.id)
    const { token } = (await admin.logIn(app.code())).body
    expect((await topUp(token)).status).toBe(200)
    expect(said(await topUp(admin.token))).toEqual([401, 'SECOND_FACTOR_REQUIRED'])
  })

  test('stands before money, roles, passwords and codes', () => {
    const asked = endpoints.filter((endpoint) => endpoint.confirmed).map(toName)
    const needed = [
      'POST /admin/card-refunds/:id/decide',
      'POST /admin/deliveries/:id/refund',
      'POST /admin/generated-codes/copy',
      'POST /admin/orders/:id/codes/:codeId/replace',
      'POST /admin/orders/:id/refund',
      'POST /admin/payments/:id/confirm',
      'POST /balance/topup',
      'PUT /admin/orders/:id/status',
      'PUT /admin/users/:id/balance',
      'PUT /admin/users/:id/password',
      'PUT /admin/users/:id/role',
    ]
    expect(needed.filter((name) => !asked.includes(name))).toEqual([])
  })
})

test('guessing codes ends after a few tries, at the login and after it alike', async () => {
  const own = await startShop({ RATE_LIMITS: 'on' })
  const admin = await anAdmin(own)
  const app = await anApp(own, admin.id)
  const { points } = SERVER_LIMITS.rates.secondFactorTriesPerUser
  const wrong = app.code() === '000000' ? '000001' : '000000'
  for (let tried = 0; tried < points - 3; tried++) {
    expect((await admin.post('/confirm-again', { otp: wrong })).status).toBe(400)
  }
  for (let tried = 0; tried < 3; tried++) expect((await admin.logIn(wrong)).status).toBe(401)
  expect(said(await admin.logIn(app.code()))).toEqual([429, 'RATE_LIMITED'])
  expect(said(await admin.post('/confirm-again', { otp: app.code() }))).toEqual([429, 'RATE_LIMITED'])
  await own.close()
})
