import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type SmtpDouble, startSmtp } from '../../../test/doubles/smtp.ts'
import { startTelegram, type TelegramDouble } from '../../../test/doubles/telegram.ts'
import { aUser } from '../../../test/factories.ts'
import { startShop, type TestShop } from '../../../test/shop.ts'
import { SERVER_LIMITS } from '../../limits.ts'
import { sql } from '../../platform/database/queries.ts'
import { noteEnvironment } from './channels.ts'
import { readTelegramStarts } from './notifications.ts'
import { queueLinks } from './recovery.ts'
import { sendNext } from './send-messages.ts'

let telegram: TelegramDouble
let smtp: SmtpDouble
let shop: TestShop
const logLines: string[] = []

beforeAll(async () => {
  telegram = await startTelegram()
  smtp = await startSmtp()
  shop = await startShop(
    {
      PUBLIC_URL: 'https://shop.example',
      ALLOW_SANDBOX: '1',
      RATE_LIMITS: 'on',
      TRUST_PROXY: 'on',
      TELEGRAM_BASE_URL: telegram.url,
      TELEGRAM_BOT_TOKEN: telegram.token,
      SMTP_HOST: '127.0.0.1',
      SMTP_PORT: String(smtp.port),
      SMTP_SECURITY: 'none',
      SMTP_USER: smtp.user,
      SMTP_PASSWORD: smtp.password,
      SMTP_FROM: 'shop@shop.example',
    },
    { logLines },
  )
  await noteEnvironment(shop)
})
afterAll(async () => {
  await shop.close()
  await telegram.close()
  await smtp.close()
})
beforeEach(async () => {
  await sendAll()
  telegram.messages.length = 0
  smtp.mails.length = 0
})

const oldPassword = 'some-pass-99'
const newPassword = 'other-pass-77'
let people = 0
let addresses = 0
const fromAnywhere = () => ({ 'x-forwarded-for': `198.51.100.${++addresses}`, 'accept-language': 'en' })

interface Customer {
  nickname: string
  id: number
  token: string
}

const aCustomer = async (contact = ''): Promise<Customer> => {
  const nickname = `Lola_${++people}`
  const body = { nickname, password: oldPassword, contact }
  const answer = await shop.call('POST', '/auth/register', { body, headers: fromAnywhere() })
  expect(answer.status).toBe(201)
  return { nickname, id: answer.body.userId, token: answer.body.token }
}
const ask = (name: string, headers: Record<string, string> = fromAnywhere()) =>
  shop.call('POST', '/auth/recovery', { body: { name }, headers })
const use = (token: string, password = newPassword) =>
  shop.call('POST', '/auth/recovery/password', { body: { token, password }, headers: fromAnywhere() })
const logIn = async (nickname: string, password: string) =>
  (await shop.call('POST', '/auth/login', { body: { nickname, password }, headers: fromAnywhere() })).status
const sendAll = async () => {
  await queueLinks(shop.database)
  for (const channel of ['telegram', 'email'] as const) while (await sendNext(shop, channel));
}
/** Mails whose lines may be folded as quoted-printable. */
const mails = () => smtp.mails.map(({ to, data }) => ({ to, text: data.replace(/=\r?\n/g, '').replaceAll('=3D', '=') }))
const linkIn = (text = '') => /https:\/\/shop\.example\/new-password#([\w-]{32})/.exec(text)?.[1] ?? ''

/** Asks by the name and reads the link in the newest mail. */
async function aLink(name: string): Promise<string> {
  expect((await ask(name)).status).toBe(201)
  await sendAll()
  const token = linkIn(mails().at(-1)?.text)
  expect(token).not.toBe('')
  return token
}

test('who forgot the password is mailed a link, by which it is set once, every session ends, and that is told', async () => {
  const lola = await aCustomer('lola@example.com')
  const token = await aLink(` ${lola.nickname.toUpperCase()} `)
  expect(mails().map(({ to }) => to)).toEqual(['lola@example.com'])
  const answer = await use(token)
  expect([answer.status, answer.body.nickname, answer.body.userId]).toEqual([200, lola.nickname, lola.id])
  expect((await shop.call('GET', '/profile', { token: lola.token })).status).toBe(401)
  expect((await shop.call('GET', '/profile', { token: answer.body.token })).status).toBe(200)
  expect([await logIn(lola.nickname, oldPassword), await logIn(lola.nickname, newPassword)]).toEqual([401, 200])
  await sendAll()
  expect(mails().map(({ text }) => text.includes('The password was changed by the link'))).toEqual([false, true])
  expect((await use(token, 'third-pass-55')).status).toBe(404)
  const entries = await shop.database.rows(sql`
    SELECT actor_id, subject, before, after FROM audit_entry WHERE action = 'user.recover'`)
  expect(entries).toEqual([{ actor_id: lola.id, subject: `user:${lola.id}`, before: null, after: null }])
})

test('of twenty uses of one link at once one sets the password', async () => {
  const lola = await aCustomer('twenty@example.com')
  const token = await aLink(lola.nickname)
  const wanted = Array.from({ length: 20 }, (_, at) => `wanted-pass-${at}`)
  const answers = await Promise.all(wanted.map((password) => use(token, password)))
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(statuses.filter((status) => status === 404)).toHaveLength(19)
  expect(await logIn(lola.nickname, wanted[statuses.indexOf(200)] ?? '')).toBe(200)
})

test('a name that nobody has, and one without a contact, are answered as any other, by the same statement', async () => {
  const [known, silent] = [await aCustomer('known@example.com'), await aCustomer('@lola')]
  const asked = [known.nickname, silent.nickname, 'nobody_at_all', 'nobody@example.com']
  const answers = []
  for (const name of asked) answers.push(await ask(name))
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set(['201 {"success":true}']))
  const waiting = await shop.database.rows(sql`SELECT name_key FROM recovery_request ORDER BY id`)
  expect(waiting).toEqual(asked.map((name) => ({ name_key: name.toLowerCase() })))
  await sendAll()
  expect(mails().map(({ to }) => to)).toEqual(['known@example.com'])
  expect(await shop.database.rows(sql`SELECT id FROM recovery_request`)).toEqual([])
})

test('a new link ends the one before it, and half an hour ends any', async () => {
  const lola = await aCustomer('newer@example.com')
  const [older, newer] = [await aLink(lola.nickname), await aLink('NEWER@example.com')]
  expect((await use(older)).status).toBe(404)
  await shop.database.run(sql`
    UPDATE password_recovery SET expires_at = expires_at - interval '30 minutes' WHERE user_id = ${lola.id}`)
  expect((await use(newer)).status).toBe(404)
  expect(await logIn(lola.nickname, oldPassword)).toBe(200)
})

test('a link ends with the password, the contact and the freedom it was made for', async () => {
  const changes = [
    (id: number) => sql`UPDATE users SET password_hash = 'another' WHERE id = ${id}`,
    (id: number) => sql`UPDATE users SET contact = 'moved@example.com' WHERE id = ${id}`,
    (id: number) => sql`UPDATE users SET contact = '' WHERE id = ${id}`,
    (id: number) => sql`UPDATE users SET blocked_at = now() WHERE id = ${id}`,
    (id: number) => sql`UPDATE users SET role = 'admin' WHERE id = ${id}`,
  ]
  for (const [at, change] of changes.entries()) {
    const lola = await aCustomer(`changed${at}@example.com`)
    const token = await aLink(lola.nickname)
    await shop.database.run(change(lola.id))
    expect((await use(token)).status).toBe(404)
  }
})

test('nobody of the staff and nobody who is blocked is sent a link, also where that changes before it is sent', async () => {
  const [admin, blocked, late] = [
    await aCustomer('admin@example.com'),
    await aCustomer('blocked@example.com'),
    await aCustomer('late@example.com'),
  ]
  await shop.database.run(sql`
    UPDATE users SET role = 'admin', staff_role_id = (SELECT id FROM staff_role WHERE built_in = 'support')
    WHERE id = ${admin.id}`)
  await shop.database.run(sql`UPDATE users SET blocked_at = now() WHERE id = ${blocked.id}`)
  for (const { nickname } of [admin, blocked, late]) await ask(nickname)
  await queueLinks(shop.database)
  await shop.database.run(sql`UPDATE users SET blocked_at = now() WHERE id = ${late.id}`)
  await sendAll()
  expect(smtp.mails).toEqual([])
  const rows = await shop.database.rows(sql`
    SELECT state, message.fault FROM message JOIN customer_contact AS contact ON contact.id = contact_id
    WHERE user_id IN (${admin.id}, ${blocked.id}, ${late.id})`)
  expect(rows).toEqual([{ state: 'failed', fault: 'refused' }])
})

test('of a link only a digest is kept, and nothing of it is in the outbox or in the log', async () => {
  const lola = await aCustomer('digest@example.com')
  const token = await aLink(lola.nickname)
  const kept = await shop.database.one<{ rows: string }>(sql`
    SELECT concat((SELECT string_agg(password_recovery::text, ' ') FROM password_recovery),
      (SELECT string_agg(message::text, ' ') FROM message)) AS rows`)
  expect(kept.rows).not.toContain(token)
  expect(kept.rows).not.toContain(Buffer.from(token).toString('hex'))

  await use(token, 'password1')
  await use(`${token}x`)
  await use(token)
  expect(logLines.filter((line) => line.includes('password_recovered'))).not.toEqual([])
  expect(logLines.filter((line) => line.includes(token) || line.includes(newPassword))).toEqual([])
})

test('a chat that was connected with the password gets the link rather than the mailbox, and one without does not', async () => {
  const lola = await aCustomer('both@example.com')
  const body = { currentPassword: oldPassword }
  const { link } = (await shop.call('POST', '/profile/telegram', { token: lola.token, body })).body.data
  telegram.write(9_191, `/start ${link.split('?start=')[1]}`)
  await readTelegramStarts(shop)
  await ask(lola.nickname)
  await sendAll()
  expect([telegram.messages.map(({ chat_id }) => chat_id), smtp.mails.length]).toEqual([['9191'], 0])
  const chatted = linkIn(telegram.messages[0]?.text)
  expect(chatted).not.toBe('')

  // By the address it goes there, which ends the other.
  const mailed = await aLink('both@example.com')
  expect((await use(chatted)).status).toBe(404)

  // As a program connects it that knows nothing of this.
  await shop.database.run(
    sql`UPDATE customer_contact SET address = '9292' WHERE user_id = ${lola.id} AND channel = 'telegram'`,
  )
  expect((await use(mailed)).status).toBe(404)
  telegram.messages.length = 0
  await ask(lola.nickname)
  await sendAll()
  expect([telegram.messages, mails().map(({ to }) => to)]).toEqual([[], ['both@example.com', 'both@example.com']])
})

/** Makes a link to the bot, and answers what is sent to the bot by pressing it. */
async function aStart({ token }: Customer, currentPassword = oldPassword): Promise<string> {
  const { body } = await shop.call('POST', '/profile/telegram', { token, body: { currentPassword } })
  return `/start ${body.data.link.split('?start=')[1]}`
}
/** Presses it in a chat. */
async function connect(chatId: number, start: string): Promise<void> {
  telegram.write(chatId, start)
  await readTelegramStarts(shop)
}
const recovers = async (token: string) =>
  (await shop.call('GET', '/profile/notifications', { token })).body.data.ways.map(
    (way: { channel: string; recovers: boolean }) => [way.channel, way.recovers],
  )

test('what was connected with a password ends with it as a way to the next one, and so does a link not used yet', async () => {
  const lola = await aCustomer('thief@example.com')
  await connect(9_301, await aStart(lola))
  const unused = await aStart(lola)
  expect(await recovers(lola.token)).toEqual([
    ['email', true],
    ['telegram', true],
  ])
  const change = { currentPassword: oldPassword, password: newPassword }
  expect((await shop.call('PUT', '/profile/password', { token: lola.token, body: change })).status).toBe(204)
  await connect(9_302, unused)
  expect(await recovers(lola.token)).toEqual([
    ['email', true],
    ['telegram', false],
  ])
  await ask(lola.nickname)
  await sendAll()
  expect([telegram.messages, mails().map(({ to }) => to)]).toEqual([[], ['thief@example.com']])

  await connect(9_303, await aStart(lola, newPassword))
  await ask(lola.nickname)
  await sendAll()
  expect(telegram.messages.map(({ chat_id }) => chat_id)).toEqual(['9303'])
  // The chat that the link came by stays one for the next.
  const { token } = (await use(linkIn(telegram.messages[0]?.text), 'third-pass-55')).body
  expect(await recovers(token)).toContainEqual(['telegram', true])
})

test('that the contact is another one is told at the address that it was, without the new one', async () => {
  const lola = await aCustomer('before@example.com')
  const change = async (contact: string) => {
    const body = { currentPassword: oldPassword, contact }
    expect((await shop.call('PUT', '/profile/contact', { token: lola.token, body })).status).toBe(204)
    await sendAll()
  }
  await change('thief@example.net')
  expect(mails().map(({ to }) => to)).toEqual(['before@example.com'])
  expect(mails()[0]?.text).toContain('The contact of your account was changed or removed')
  expect(mails()[0]?.text).toContain('https://shop.example/support')
  expect(mails()[0]?.text).not.toContain('thief')
  const admin = await aUser(shop, { role: 'admin' })
  const { body } = await shop.call('GET', '/admin/messages', { token: admin.token })
  expect(body.data[0]).toMatchObject({
    recipient: lola.nickname,
    recipient_id: null,
    payload: { kind: 'recovery.moved' },
    state: 'sent',
  })

  for (const contact of ['', 'one@example.net', 'ONE@example.net', '@lola', 'two@example.net', 'three@example.net'])
    await change(contact)
  expect(mails().map(({ to }) => to)).toEqual(['before@example.com', 'thief@example.net', 'ONE@example.net'])
})

const resetBy = async ({ token }: { token: string }, userId: number) =>
  shop.call('PUT', `/admin/users/${userId}/password`, { token, body: { password: 'given-by-7' } })

test('that the staff set a new password is told at every contact, whatever notifications were declined', async () => {
  const admin = await aUser(shop, { role: 'admin' })
  const lola = await aCustomer('told@example.com')
  await connect(9_401, await aStart(lola))
  await shop.database.run(
    sql`UPDATE customer_contact SET declined = '{notification.answered}' WHERE user_id = ${lola.id}`,
  )
  telegram.messages.length = 0
  expect((await resetBy(admin, lola.id)).status).toBe(200)
  await sendAll()
  expect([mails().map(({ to }) => to), telegram.messages.map(({ chat_id }) => chat_id)]).toEqual([
    ['told@example.com'],
    ['9401'],
  ])
  for (const text of [mails()[0]?.text, telegram.messages[0]?.text]) {
    expect(text).toContain('Our staff set a new password')
    expect(text).toContain('https://shop.example/support')
    expect(text).not.toContain('given-by-7')
  }
  const { body } = await shop.call('GET', '/admin/messages', { token: admin.token })
  expect(body.data[0]).toMatchObject({ recipient: lola.nickname, payload: { kind: 'recovery.reset' }, state: 'sent' })

  // A reset that is refused tells nobody.
  expect((await resetBy(admin, 999_999)).status).toBe(404)
  const own = await shop.database.one<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM message WHERE payload ->> 'kind' = 'recovery.reset'`)
  expect(own.count).toBe(2)
})

test('one admin sets only so many passwords in an hour, and is then refused, which the others are told', async () => {
  const { points, seconds } = SERVER_LIMITS.rates.passwordResetsPerAdmin
  const [admin, other] = [await aUser(shop, { role: 'admin' }), await aUser(shop, { role: 'admin' })]
  const { id } = await aCustomer()
  const answers = await Promise.all(Array.from({ length: points + 5 }, () => resetBy(admin, id)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(points)
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(5)
  for (const { body, headers } of refused) {
    expect(body.error).toMatchObject({ code: 'RATE_LIMITED', details: { code: 'many_resets', most: points } })
    expect(Number(headers['retry-after'])).toBeGreaterThan(seconds / 2)
  }
  const alerts = await shop.database.rows(sql`SELECT subject, details FROM alert WHERE kind = 'security.resets'`)
  const details = { admin: admin.nickname, passwords: points, minutes: seconds / 60, since: expect.any(String) }
  expect(alerts).toEqual([{ subject: `user:${admin.id}`, details }])
  expect((await resetBy(other, id)).status).toBe(200)
})

test('who was an admin and has a second factor still is sent no link', async () => {
  const lola = await aCustomer('factor@example.com')
  const token = await aLink(lola.nickname)
  await shop.database.run(sql`
    INSERT INTO second_factor (user_id, key_id, ciphertext, enrolled_at)
    SELECT ${lola.id}, max(id), '\\x00', now() FROM vault_key WHERE purpose = 'encryption'`)
  expect((await use(token)).status).toBe(404)
  smtp.mails.length = 0
  await ask(lola.nickname)
  await sendAll()
  expect(smtp.mails).toEqual([])
})

test('an account is sent three links an hour, whoever asks and from wherever, on however many nodes', async () => {
  const lola = await aCustomer('flooded@example.com')
  await Promise.all(Array.from({ length: 20 }, () => ask(lola.nickname)))
  await Promise.all(Array.from({ length: 20 }, () => queueLinks(shop.database)))
  await sendAll()
  expect(smtp.mails).toHaveLength(3)
})

test('an address that asks for many, or tries many, has to wait', async () => {
  const headers = { 'x-forwarded-for': '203.0.113.7' }
  const asked = await Promise.all(Array.from({ length: 25 }, () => ask('nobody_at_all', headers)))
  expect(asked.filter(({ status }) => status === 429)).toHaveLength(5)
  const body = { token: 'made-up', password: newPassword }
  const tried = await Promise.all(
    Array.from({ length: 35 }, () => shop.call('POST', '/auth/recovery/password', { body, headers })),
  )
  expect(tried.map(({ status }) => status).filter((status) => status === 429)).toHaveLength(5)
})

test('a password that guessing programs try first is refused, and the link stays', async () => {
  const lola = await aCustomer('common@example.com')
  const token = await aLink(lola.nickname)
  expect((await use(token, 'password1')).body.error.details).toEqual({ password: 'password_too_common' })
  expect((await use(token)).status).toBe(200)
})

test('a link that could not be sent within half an hour is given up', async () => {
  const lola = await aCustomer('slow@example.com')
  await ask(lola.nickname)
  await queueLinks(shop.database)
  await shop.database.run(sql`UPDATE message SET tried_since = now() - interval '31 minutes' WHERE state = 'waiting'`)
  await sendAll()
  const { state } = await shop.database.one<{ state: string }>(sql`SELECT state FROM message ORDER BY id DESC LIMIT 1`)
  expect([state, smtp.mails]).toEqual(['failed', []])
})

test('the page is told what carries links', async () => {
  const read = async () => (await shop.call('GET', '/auth/recovery')).body.data
  expect(await read()).toEqual({ channels: ['telegram', 'email'] })
  await shop.database.run(sql`UPDATE message_channel SET is_in_environment = false WHERE name = 'email'`)
  expect(await read()).toEqual({ channels: ['telegram'] })
  await noteEnvironment(shop)
})
