import { beforeAll, beforeEach, expect, test } from 'vitest'
import { useShop } from '../../../test/use-shop.ts'
import { SERVER_LIMITS } from '../../limits.ts'
import { sql } from '../../platform/database/queries.ts'
import { createSecurityLog } from '../../platform/security/audit.ts'
import { logIn as logInWith } from './accounts.routes.ts'
import { setTemporaryPasswordHash } from './accounts.store.ts'
import { changePassword, createPasswords, type Passwords } from './accounts.ts'
import { setBlocked } from './change-user.ts'
import { createLoginGate, deleteSessions } from './sessions.ts'

const logLines: string[] = []
const password = 'lola-pal0ma'
const shop = useShop({ RATE_LIMITS: 'on', TRUST_PROXY: 'on' }, { logLines })
let userId: number
let device: string
beforeAll(async () => {
  const answer = await shop.call('POST', '/auth/register', { body: { nickname: 'Malika', password } })
  ;({ userId, device } = answer.body)
})
beforeEach(() => shop.database.run(sql`TRUNCATE rate_limit, login_gate`))

const logIn = (secret: string, { from = '198.51.100.1', device }: { from?: string; device?: string } = {}) =>
  shop.call('POST', '/auth/login', {
    body: { nickname: 'Malika', password: secret, ...(device && { device }) },
    headers: { 'x-forwarded-for': from },
  })
const networks = (count: number) => Array.from({ length: count }, (_, n) => `203.${n >> 8}.${n & 255}.9`)

test('strangers who guess from everywhere are heard a few times, and a device that logged in before gets through', async () => {
  const answers = await Promise.all(networks(60).map((from) => logIn('wrong-0ne', { from })))
  const statuses = answers.map(({ status }) => status)
  const checked = statuses.filter((status) => status === 401).length
  expect(checked).toBeGreaterThanOrEqual(SERVER_LIMITS.loginGate.freeFailures)
  // The first pauses last seconds, as long as the calls themselves take on a busy machine.
  expect(checked).toBeLessThan(SERVER_LIMITS.loginGate.freeFailures + 6)
  expect(statuses.filter((status) => status === 429)).toHaveLength(60 - checked)
  await shop.database.run(sql`UPDATE login_gate SET next_at = now() + interval '1 minute'`)
  expect((await logIn(password)).status).toBe(429)
  const owner = await logIn(password, { device })
  expect(owner.status).toBe(200)
  expect(owner.body.device).toBe(device)
})

test('the pause grows and ends: who comes from a new device gets in when it is over', async () => {
  for (const from of networks(SERVER_LIMITS.loginGate.freeFailures)) await logIn('wrong-0ne', { from })
  const waits: number[] = []
  for (const from of networks(40).slice(20, 30)) {
    await logIn('wrong-0ne', { from })
    // Puts back what the clock has moved meanwhile.
    await shop.database.run(sql`UPDATE login_gate SET next_at = next_at + (now() - seen_at)`)
    const refused = await logIn('wrong-0ne', { from: '192.0.2.1' })
    waits.push(Number(refused.headers['retry-after']))
    await shop.database.run(sql`UPDATE login_gate SET next_at = now()`)
  }
  expect(waits.slice(1)).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300])
  expect((await logIn(password)).status).toBe(200)
  expect(await shop.database.rows(sql`SELECT FROM login_gate`)).toEqual([])
})

test('a thousand guesses from a hundred networks: at most a hundred are heard, also after a restart', async () => {
  const from = networks(100)
  let checked = 0
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all(from.map((address) => logIn('wrong-0ne', { from: address })))
    checked += answers.filter(({ status }) => status === 401).length
  }
  expect(checked).toBeLessThanOrEqual(100)
  const { failures } = await shop.database.one<{ failures: number }>(sql`SELECT failures FROM login_gate`)
  expect(failures).toBe(checked)
})

test.each([
  ['of another user', () => 'somebody'],
  ['made up', () => `${'A'.repeat(22)}.${'A'.repeat(43)}`],
  ['cut', (known: string) => known.slice(0, -1)],
])('a device token that is %s is a stranger', async (_name, forged) => {
  for (const from of networks(SERVER_LIMITS.loginGate.freeFailures)) await logIn('wrong-0ne', { from })
  await shop.database.run(sql`UPDATE login_gate SET next_at = now() + interval '1 minute'`)
  expect((await logIn(password, { device: forged(device) })).status).toBe(429)
})

test('a known device may guess no more than a network may', async () => {
  const { points } = SERVER_LIMITS.rates.loginsPerDevice
  for (let n = 0; n < points; n++) expect((await logIn('wrong-0ne', { device })).status).toBe(401)
  expect((await logIn(password, { device })).status).toBe(429)
  // Another device, or none, is counted separately.
  expect((await logIn(password)).status).toBe(200)
})

test('addresses of version 6 count by the network a household has', async () => {
  const { points } = SERVER_LIMITS.rates.loginsPerNetwork
  for (let n = 0; n < points; n++) await logIn('wrong-0ne', { from: `2001:db8:7:7::${n}` })
  expect((await logIn(password, { from: '2001:db8:7:7:ffff::1' })).status).toBe(429)
})

test('an address that a caller made up before the proxy\u2019s own is not believed', async () => {
  const { points } = SERVER_LIMITS.rates.loginsPerNetwork
  for (let n = 0; n < points; n++) await logIn('wrong-0ne', { from: `203.0.${n}.1, 198.51.100.77` })
  expect((await logIn(password, { from: '203.0.99.1, 198.51.100.77' })).status).toBe(429)
  expect(logLines.filter((line) => line.includes('X-Forwarded-For is longer than TRUST_PROXY says'))).toHaveLength(1)
})

/** Makes the means of a login whose password check is interrupted by `meanwhile`. */
const interrupted = (meanwhile: () => Promise<unknown>) => {
  const real = createPasswords()
  const passwords: Passwords = {
    ...real,
    verify: async (...given) => {
      const isRight = await real.verify(...given)
      await meanwhile()
      return isRight
    },
  }
  const tries = shop.rateLimiter('secondFactorTriesPerUser')
  const security = createSecurityLog(shop.database, shop.log)
  return { ...shop, passwords, tries, security, gate: createLoginGate(shop) }
}

test.each(['reset', 'blocked'] as const)('a login in flight while the user is %s leaves no session', async (what) => {
  const nickname = `flight_${what}`
  const { body } = await shop.call('POST', '/auth/register', { body: { nickname, password } })
  const means = interrupted(() =>
    shop.database.transaction(async (tx) => {
      if (what === 'reset') await setTemporaryPasswordHash(tx, body.userId, 'another')
      else await setBlocked(tx, body.userId, true)
      await deleteSessions(tx, body.userId)
    }),
  )
  await expect(logInWith(means, { nickname, password }, { address: '192.0.2.1', userAgent: '' })).rejects.toMatchObject(
    {
      code: 'INVALID_CREDENTIALS',
    },
  )
  expect(await shop.database.rows(sql`SELECT FROM session WHERE user_id = ${body.userId}`)).toEqual([])
})

test('of two changes of a password at once one is made, for the password both checked', async () => {
  const { body } = await shop.call('POST', '/auth/register', { body: { nickname: 'twice', password } })
  const caller = {
    id: body.userId,
    nickname: 'twice',
    role: 'customer',
    permissions: new Set<never>(),
    tokenHash: Buffer.alloc(32),
    mustConfirm: false,
    mustChangePassword: false,
    mustEnrol: false,
    ownNumber: 0,
  } as const
  const change = (next: string) =>
    changePassword(shop.database, createPasswords(), caller, { currentPassword: password, password: next })
  const results = await Promise.allSettled([change('lola-pal0ma-1'), change('lola-pal0ma-2')])
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('guesses of the current password are counted, one at a time, and a busy store gives the try back', async () => {
  const { points } = SERVER_LIMITS.rates.passwordChangesPerUser
  const { body } = await shop.call('POST', '/auth/register', { body: { nickname: 'guesser', password } })
  const guess = (currentPassword: string) =>
    shop.call('PUT', '/profile/password', { token: body.token, body: { currentPassword, password: 'another-1' } })
  // Each has a connection that is open already, so that they arrive together.
  await Promise.all(Array.from({ length: 5 }, () => shop.call('GET', '/profile', { token: body.token })))
  const together = await Promise.all(Array.from({ length: 5 }, () => guess('wrong-0ne')))
  // On a busy machine one may arrive when the one before it has been checked; no two are checked at the same moment.
  expect(new Set(together.map(({ status }) => status))).toEqual(new Set([400, 429]))
  const left = points - 5
  for (let n = 0; n < left; n++) expect((await guess('wrong-0ne')).status).toBe(400)
  expect((await guess(password)).status).toBe(429)
})

test('logins and refusals are lines of the log and counts of the metrics, without names or addresses', async () => {
  logLines.length = 0
  await logIn('wrong-0ne')
  await logIn(password)
  await shop.call('GET', '/admin/users', { token: (await logIn(password)).body.token })
  const lines = logLines.flatMap((line) => (line.includes('"security"') ? [JSON.parse(line)] : []))
  expect(lines).toMatchObject([
    { security: 'login_refused', user: userId, network: '198.51.100.0/24', reason: 'wrong_password' },
    { security: 'login', user: userId },
    { security: 'login', user: userId },
    { security: 'call_refused', user: userId, call: 'GET /admin/users', reason: 'FORBIDDEN' },
  ])
  expect(logLines.join()).not.toMatch(/Malika|198\.51\.100\.1"|lola|wrong-0ne/)
  const metrics = await shop.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })
  expect(metrics.body).toMatch(/olmos_security_events_total\{event="login_refused"\} [1-9]/)
})

test('many refused logins within minutes raise one alert', async () => {
  const security = createSecurityLog(shop.database, shop.log)
  for (let n = 0; n < SERVER_LIMITS.guessingAlert.refusals + 50; n++)
    security.note('login_refused', { network: '192.0.2.0/24' })
  const alerts = () => shop.database.rows(sql`SELECT details FROM alert WHERE kind = 'security.guessing'`)
  await expect.poll(alerts).toEqual([{ details: { refused: 200, minutes: 10, since: expect.any(String) } }])
})
