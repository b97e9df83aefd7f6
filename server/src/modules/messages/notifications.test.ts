import { createHmac } from 'node:crypto'
import { fillNotification } from '@olmos/contract/notification-texts'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type SmtpDouble, startSmtp } from '../../../test/doubles/smtp.ts'
import { startTelegram, type TelegramDouble, telegramRefusals } from '../../../test/doubles/telegram.ts'
import { aUser, type TestUser } from '../../../test/factories.ts'
import { startShop, type TestShop } from '../../../test/shop.ts'
import { aPlayer, aTopupOrder, passDeliveryTime, shopFor, workOff } from '../../../test/topup-orders.ts'
import { sql } from '../../platform/database/queries.ts'
import { createPasswords } from '../accounts/accounts.ts'
import { noteEnvironment } from './channels.ts'
import { readTelegramStarts } from './notifications.ts'
import { sendNext } from './send-messages.ts'

let telegram: TelegramDouble
let smtp: SmtpDouble
let shop: TestShop
let admin: TestUser

beforeAll(async () => {
  telegram = await startTelegram()
  smtp = await startSmtp()
  shop = await startShop({
    PUBLIC_URL: 'https://shop.example',
    ALLOW_SANDBOX: '1',
    TELEGRAM_BASE_URL: telegram.url,
    TELEGRAM_BOT_TOKEN: telegram.token,
    SMTP_HOST: '127.0.0.1',
    SMTP_PORT: String(smtp.port),
    SMTP_SECURITY: 'none',
    SMTP_USER: smtp.user,
    SMTP_PASSWORD: smtp.password,
    SMTP_FROM: 'shop@shop.example',
  })
  await noteEnvironment(shop)
  passwordHash = await createPasswords().hash(password)
  admin = await aUser(shop, { role: 'admin' })
})
afterAll(async () => {
  await shop.close()
  await telegram.close()
  await smtp.close()
})
beforeEach(() => {
  telegram.chats.clear()
  telegram.messages.length = 0
  smtp.mails.length = 0
})

const sendAll = async () => {
  for (const channel of ['telegram', 'email'] as const) while (await sendNext(shop, channel));
}
const password = 'some-pass-99'
let passwordHash: string
const setContact = (user: TestUser, contact: string) =>
  shop.database.run(sql`UPDATE users SET contact = ${contact} WHERE id = ${user.id}`)
const aReader = async (contact: string, language = 'uz') => {
  const user = await aUser(shop, { usd: 10_000 })
  await shop.database.run(sql`
    UPDATE users SET language = ${language}, password_hash = ${passwordHash} WHERE id = ${user.id}`)
  await setContact(user, contact)
  return user
}
const openQuestion = async (user: TestUser): Promise<number> => {
  const body = { nickname: 'N', userId: '1', message: 'Where is it?' }
  return (await shop.call('POST', '/support', { token: user.token, body })).body.id
}
const answer = (id: number, text = 'Look into your order, the code is XYZ-SECRET') =>
  shop.call('POST', `/admin/conversations/${id}/answers`, { token: admin.token, body: { text } })
const notifications = async (user: TestUser) =>
  (await shop.call('GET', '/profile/notifications', { token: user.token })).body.data
/** Reads the body of a mail, in which nodemailer writes letters beyond ASCII as base64 or as quoted-printable. */
const read = (mail: string): string => {
  const [headers = '', ...body] = mail.split(/\r?\n\r?\n/)
  const text = body.join('\n\n')
  if (/encoding: base64/i.test(headers)) return Buffer.from(text, 'base64').toString()
  const bytes = text
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString().replaceAll('\r\n', '\n')
}
const queued = async (user: TestUser) =>
  (
    await shop.database.rows<{ kind: string }>(sql`
      SELECT payload ->> 'kind' AS kind FROM message JOIN customer_contact AS contact ON contact.id = contact_id
      WHERE user_id = ${user.id} ORDER BY message.id`)
  ).map(({ kind }) => kind)

const askForBot = (user: TestUser, currentPassword = password) =>
  shop.call('POST', '/profile/telegram', { token: user.token, body: { currentPassword } })

/** Presses "start" in the bot after the customer's own link. */
async function connect(user: TestUser, chatId: number): Promise<string> {
  const { status, body } = await askForBot(user)
  expect(status).toBe(201)
  const token = body.data.link.split('?start=')[1]
  telegram.write(chatId, `/start ${token}`)
  await readTelegramStarts(shop)
  return token
}

describe('what customers are told', () => {
  test('an answer is told once, in the language of the customer, with a link and nothing of what was said', async () => {
    const user = await aReader('lola@example.com')
    const id = await openQuestion(user)
    await answer(id)
    await answer(id, 'And this')
    await sendAll()
    await sendAll()
    expect(smtp.mails.map(({ to }) => to)).toEqual(['lola@example.com'])
    const text = read(smtp.mails[0]?.data ?? '')
    expect(text).toContain('Qoʻllab-quvvatlash sizga javob berdi')
    expect(text).toContain(`https://shop.example/support/${id}\n`)
    expect(text).not.toContain('SECRET')

    // Read, and answered again: that is news.
    const { body } = await shop.call('GET', `/support/conversations/${id}`, { token: user.token })
    const seen = { token: user.token, body: { upTo: body.last.id } }
    await shop.call('PUT', `/support/conversations/${id}/read`, seen)
    await answer(id)
    await sendAll()
    expect(smtp.mails).toHaveLength(2)
  })

  const aVisitor = async (contact: string): Promise<{ id: number; token: string }> => {
    const body = { nickname: 'Guest', userId: '1', message: 'Hello', contact }
    const { id, link } = (await shop.call('POST', '/support', { body, headers: { 'accept-language': 'en' } })).body
    return { id, token: link.split('#')[1] }
  }

  test('a visitor who left an address is told once that an answer waits, until it is read', async () => {
    const { id, token } = await aVisitor('guest@example.com')
    await Promise.all(Array.from({ length: 20 }, () => answer(id)))
    await Promise.all(Array.from({ length: 5 }, sendAll))
    expect(smtp.mails.map(({ to }) => to)).toEqual(['guest@example.com'])
    const text = read(smtp.mails[0]?.data ?? '')
    expect(text).toContain('Support has answered you')
    expect(text).toContain('https://shop.example/support')
    for (const secret of ['SECRET', token, '#']) expect(text).not.toContain(secret)
    const outbox = await shop.call('GET', '/admin/messages?search=gues', { token: admin.token })
    expect(outbox.body).toMatchObject({
      data: [{ recipient_id: null, recipient: 'Guest', channel: 'email', payload: { kind: 'notification.visitor' } }],
      total: 1,
    })

    expect((await shop.call('POST', '/support/linked', { body: { token } })).status).toBe(200)
    await answer(id)
    await sendAll()
    expect(smtp.mails).toHaveLength(2)
  })

  test('a visitor’s mailbox that is busy is tried again, and one that is not there is given up', async () => {
    const readState = (id: number) =>
      shop.database.one<{ state: string; fault: string | null }>(
        sql`SELECT state, fault FROM message WHERE conversation_id = ${id}`,
      )
    const busy = await aVisitor('busy@example.com')
    smtp.fault = { at: 'RCPT', answer: '451 4.3.0 later' }
    await answer(busy.id)
    await sendAll()
    expect((await readState(busy.id)).state).toBe('waiting')
    const gone = await aVisitor('gone@example.com')
    smtp.fault = { at: 'RCPT', answer: '550 5.1.1 no such user' }
    await answer(gone.id)
    await sendAll()
    expect(await readState(gone.id)).toEqual({ state: 'failed', fault: 'no_mailbox' })
    smtp.fault = undefined
    await shop.database.run(sql`UPDATE message SET next_attempt_at = now() WHERE conversation_id = ${busy.id}`)
    await sendAll()
    expect((await readState(busy.id)).state).toBe('sent')
    expect(smtp.mails.map(({ to }) => to)).toEqual(['busy@example.com'])
  })

  test.each(['+998 90 123 45 67', '@guest', 'a@b', 'one@example.com, two@example.com', ''])(
    'a visitor whose contact is %j is not written to',
    async (contact) => {
      const { id } = await aVisitor(contact)
      expect((await answer(id)).status).toBe(201)
      expect(await shop.database.rows(sql`SELECT FROM message WHERE conversation_id = ${id}`)).toEqual([])
    },
  )

  test('a note tells nobody', async () => {
    const user = await aReader('quiet@example.com')
    const id = await openQuestion(user)
    await shop.call('POST', `/admin/conversations/${id}/notes`, { token: admin.token, body: { text: 'Hm' } })
    await sendAll()
    expect([smtp.mails, await queued(user)]).toEqual([[], []])
  })

  test('an order that was awaited is told when it is delivered, and when it is refunded', async () => {
    const { orderId, buyer } = await aTopupOrder(shop, { players: [aPlayer('6002')] })
    await shop.database.run(sql`UPDATE users SET language = 'en' WHERE id = ${buyer.id}`)
    await setContact(buyer, 'buyer@example.com')
    await workOff(shopFor(shop))
    await passDeliveryTime(shop, 6)
    await workOff(shopFor(shop))
    expect(await queued(buyer)).toEqual(['notification.delivered'])
    const refund = { token: admin.token, body: { reason: 'late', to: 'wallet' } }
    expect((await shop.call('POST', `/admin/orders/${orderId}/refund`, refund)).status).toBe(200)
    await sendAll()
    const texts = smtp.mails.map(({ data }) => read(data))
    expect(texts).toHaveLength(2)
    expect(texts[0]).toContain(`Order ${orderId} is completed`)
    expect(texts[1]).toContain(`Money is refunded for order ${orderId}`)
    expect(texts[0]).toContain(`https://shop.example/orders/${orderId}\n`)
  })

  test('each refund of a part of an order is told, not the first alone', async () => {
    const { orderId, buyer } = await aTopupOrder(shop, { players: [aPlayer('6003')] })
    await setContact(buyer, 'parts@example.com')
    await workOff(shopFor(shop))
    await passDeliveryTime(shop, 6)
    await workOff(shopFor(shop))
    const [item] = await shop.database.rows<{ id: number }>(sql`SELECT id FROM order_item WHERE order_id = ${orderId}`)
    const refundCent = async () => {
      const body = { reason: 'late', to: 'wallet', items: [{ id: item?.id, amount: 0.01 }] }
      const { body: answer } = await shop.call('POST', `/admin/orders/${orderId}/refund`, { token: admin.token, body })
      return answer.data.status
    }
    expect([await refundCent(), await refundCent()]).toEqual(['partially_refunded', 'partially_refunded'])
    expect(await queued(buyer)).toEqual(['notification.delivered', 'notification.refunded', 'notification.refunded'])
    await sendAll()
    expect(smtp.mails.map(({ to }) => to)).toEqual(Array(3).fill('parts@example.com'))
  })

  test('twenty answers at once to twenty conversations are each told once, by several senders', async () => {
    const user = await aReader('many@example.com')
    const ids = await Promise.all(Array.from({ length: 20 }, () => openQuestion(user)))
    await Promise.all(ids.map((id) => answer(id)))
    await Promise.all(Array.from({ length: 5 }, sendAll))
    expect(smtp.mails).toHaveLength(20)
    expect(new Set(smtp.mails.map(({ data }) => /support\/(\d+)/.exec(read(data))?.[1])).size).toBe(20)
  })

  test('operators see what was sent to whom, and nobody who is blocked is told anything', async () => {
    const user = await aReader('seen@example.com')
    await answer(await openQuestion(user))
    await sendAll()
    const { body } = await shop.call('GET', `/admin/messages?search=${user.nickname}`, { token: admin.token })
    expect(body.data).toMatchObject([
      {
        recipient_id: null,
        recipient: user.nickname,
        channel: 'email',
        state: 'sent',
        payload: { kind: 'notification.answered' },
      },
    ])
    const id = await openQuestion(user)
    await shop.database.run(sql`UPDATE users SET blocked_at = now() WHERE id = ${user.id}`)
    await answer(id)
    expect(await queued(user)).toHaveLength(1)
  })

  test('nothing is queued where the shop has no such channel', async () => {
    const user = await aReader('nobody@example.com')
    await shop.database.run(sql`UPDATE message_channel SET is_in_environment = false WHERE name = 'email'`)
    await answer(await openQuestion(user))
    expect(await queued(user)).toEqual([])
    await noteEnvironment(shop)
    await answer(await openQuestion(user))
    expect(await queued(user)).toEqual(['notification.answered'])
  })
})

describe('contacts', () => {
  test('an address in the profile is one, and another one takes its place', async () => {
    const user = await aReader('first@example.com')
    const addresses = async () => (await notifications(user)).ways.map(({ address }: { address: string }) => address)
    expect(await addresses()).toEqual(['first@example.com'])
    await setContact(user, 'Second.One+tag@sub.example.co')
    expect(await addresses()).toEqual(['Second.One+tag@sub.example.co'])
    for (const other of ['@lola', '+998 90 123-45-67', 'a@b', 'a b@example.com', '']) {
      await setContact(user, 'second@example.com')
      await setContact(user, other)
      expect(await addresses()).toEqual([])
    }
  })

  test('an address is none where the shop has no mailbox', async () => {
    const bare = await startShop()
    const user = await aUser(bare)
    await bare.database.run(sql`UPDATE users SET contact = 'lola@example.com' WHERE id = ${user.id}`)
    const { body } = await bare.call('GET', '/profile/notifications', { token: user.token })
    expect(body.data).toEqual({ ways: [], has_bot: false, has_mail: false })
    await bare.close()
  })

  test('the language is that of the pages where the customer logged in', async () => {
    const headers = { 'accept-language': 'uz' }
    const body = { nickname: 'Dilnoza_n', password: 'some-pass-99' }
    const { userId } = (await shop.call('POST', '/auth/register', { body, headers })).body
    const language = async () =>
      (await shop.database.one<{ language: string }>(sql`SELECT language FROM users WHERE id = ${userId}`)).language
    expect(await language()).toBe('uz')
    await shop.call('POST', '/auth/login', { body, headers: { 'accept-language': 'en' } })
    expect(await language()).toBe('en')
  })

  test('the link in a notification ends notifications of that kind there, and nobody can make one up', async () => {
    const [user, other] = [await aReader('a@example.com'), await aReader('b@example.com')]
    await answer(await openQuestion(user))
    await sendAll()
    const mail = smtp.mails.find(({ to }) => to === 'a@example.com')
    const token = /notifications#(\S+)/.exec(read(mail?.data ?? ''))?.[1] ?? ''
    const decline = (wanted: string) => shop.call('POST', '/notifications/decline', { body: { token: wanted } })
    const [id = '', kind = '', signed = ''] = token.split('.')
    const forged = createHmac('sha256', 'guess').update(`decline notifications:${id}:${kind}`).digest('base64url')
    for (const wrong of [
      `${id}.refunded.${signed}`,
      `${Number(id) + 1}.${kind}.${signed}`,
      `${id}.${kind}.${forged}`,
      `${id}.${kind}`,
      'x',
    ])
      expect((await decline(wrong)).status).toBe(404)
    expect((await notifications(other)).ways[0].kinds).toEqual(['answered', 'delivered', 'refunded'])
    expect((await decline(token)).body).toEqual({ kind: 'answered' })
    expect((await decline(token)).status).toBe(200)
    expect((await notifications(user)).ways[0].kinds).toEqual(['delivered', 'refunded'])
    await answer(await openQuestion(user))
    expect(await queued(user)).toHaveLength(1)

    const body = { channel: 'email', kind: 'answered', is_on: true }
    const turned = await shop.call('PUT', '/profile/notifications', { token: user.token, body })
    expect(turned.body.data.ways[0].kinds).toEqual(['answered', 'delivered', 'refunded'])
  })

  test('a mailbox that is not there is said in the profile, and is asked nothing more', async () => {
    const user = await aReader('gone@example.com')
    const ids = [await openQuestion(user), await openQuestion(user)]
    for (const id of ids) await answer(id)
    smtp.fault = { at: 'RCPT', answer: '550 5.1.1 no such user' }
    await sendAll()
    smtp.fault = undefined
    expect((await notifications(user)).ways).toMatchObject([{ fault: 'no_mailbox' }])
    await sendAll()
    await answer(await openQuestion(user))
    expect([smtp.mails, (await queued(user)).length]).toEqual([[], 2])
    await setContact(user, 'here@example.com')
    expect((await notifications(user)).ways).toMatchObject([{ address: 'here@example.com', fault: null }])
  })
})

describe('the bot', () => {
  test('a customer who presses "start" after the link is told there, and the link is over', async () => {
    const [user, thief] = [await aReader(''), await aReader('')]
    const { body } = await askForBot(user)
    const wrong = await askForBot(user, 'stolen-session-1')
    expect(wrong.body.error.details).toEqual({ currentPassword: 'invalid_credentials' })
    expect(body.data.link).toMatch(new RegExp(`^https://t\\.me/${telegram.name}\\?start=[\\w-]{32}$`))
    const token = await connect(user, 4_242)
    expect(await notifications(user)).toMatchObject({
      has_bot: true,
      has_mail: true,
      ways: [{ channel: 'telegram', address: null, fault: null }],
    })
    await answer(await openQuestion(user))
    await sendAll()
    expect(telegram.messages.map(({ chat_id }) => chat_id)).toEqual(['4242'])

    // Used, of a group, made up, and of an earlier link.
    telegram.write(666, `/start ${token}`)
    const late = (await askForBot(thief)).body.data.link.split('=')[1]
    const fresh = (await askForBot(thief)).body.data.link.split('=')[1]
    telegram.write(667, `/start ${late}`)
    telegram.write(-100, `/start ${fresh}`, 'supergroup')
    telegram.write(668, '/start made-up')
    telegram.write(669, fresh)
    await shop.database.run(sql`UPDATE telegram_start SET expires_at = now() + interval '2 seconds'`)
    await readTelegramStarts(shop)
    expect((await notifications(thief)).ways).toEqual([])
    const rows = await shop.database.rows<{ address: string }>(
      sql`SELECT address FROM customer_contact WHERE channel = 'telegram'`,
    )
    expect(rows).toEqual([{ address: '4242' }])
  })

  test('a chat that blocked the bot is said in the profile, until the bot is started again', async () => {
    const user = await aReader('')
    await connect(user, 5_151)
    const id = await openQuestion(user)
    telegram.chats.set('5151', telegramRefusals.blocked)
    await answer(id)
    await sendAll()
    expect((await notifications(user)).ways).toMatchObject([{ channel: 'telegram', fault: 'blocked' }])
    telegram.chats.clear()
    await connect(user, 5_151)
    expect((await notifications(user)).ways).toMatchObject([{ fault: null }])
    expect((await shop.call('DELETE', '/profile/telegram', { token: user.token })).status).toBe(204)
    expect((await notifications(user)).ways).toEqual([])
  })

  test('a chat that is given while a message to the one before fails is not the one that failed', async () => {
    const user = await aReader('')
    await connect(user, 5_252)
    telegram.chats.set('5252', telegramRefusals.blocked)
    await answer(await openQuestion(user))
    telegram.fault = 'slow'
    const before = telegram.requests.length
    const underWay = sendAll()
    await vi.waitFor(() => expect(telegram.requests.length).toBe(before + 1))
    telegram.fault = undefined
    await connect(user, 5_353)
    await underWay
    expect((await notifications(user)).ways).toMatchObject([{ channel: 'telegram', fault: null }])
    await answer(await openQuestion(user))
    await sendAll()
    expect(telegram.messages.map(({ chat_id }) => chat_id)).toEqual(['5353'])
  })

  test('a chat that has been sent too much is left alone for a while, whatever else waits for it', async () => {
    const user = await aReader('')
    await connect(user, 4_300)
    telegram.chats.set('4300', telegramRefusals.tooMany)
    await answer(await openQuestion(user))
    await answer(await openQuestion(user))
    const before = telegram.requests.length
    await sendAll()
    expect(telegram.requests.length - before).toBe(1)
    expect(await queued(user)).toHaveLength(2)
  })

  test('what is kept of a link is a digest, and it is over after half an hour', async () => {
    const user = await aReader('')
    const { body } = await askForBot(user)
    const token = body.data.link.split('?start=')[1]
    const { at } = await shop.database.one<{ at: number }>(sql`
      SELECT position(convert_to(${token}, 'UTF8') IN link_digest) AS at FROM telegram_start WHERE user_id = ${user.id}`)
    expect(at).toBe(0)
    await shop.database.run(sql`UPDATE telegram_start SET expires_at = expires_at - interval '31 minutes'`)
    telegram.write(7_171, `/start ${token}`)
    await readTelegramStarts(shop)
    expect((await notifications(user)).ways).toEqual([])
  })
})

describe('texts in the owner’s words', () => {
  const path = '/admin/notification-texts'
  const ask = (method: 'GET' | 'PUT' | 'POST', at: string, body?: object) =>
    shop.call(method, at, { token: admin.token, ...(body && { body }) })
  const put = (texts: object) => ask('PUT', path, { texts })
  const aQuestion = async () => openQuestion(await aReader('words@example.com', 'en'))

  test('what waits in the outbox already is sent in the new words, filled in once, and an older version comes back', async () => {
    const before = (await ask('GET', path)).body.data
    expect(before).toMatchObject({ texts: {}, changed_by: null })
    const id = await aQuestion()
    await answer(id)
    const own = { answered: 'Hello from {shop}!\nRead it: {link}', decline: 'Enough? {link}' }
    const { status, body } = await put({ en: own })
    expect([status, body.data]).toMatchObject([200, { texts: { en: own }, changed_by: admin.nickname }])
    const entry = await shop.database.one(sql`
      SELECT actor_id, subject, before, after FROM audit_entry WHERE action = 'shop.notifications'`)
    expect(entry).toEqual({
      actor_id: admin.id,
      subject: 'shop',
      before: { texts: {} },
      after: { texts: { en: own } },
    })
    await shop.call('PUT', '/admin/shop', { token: admin.token, body: { name: '{link} & {order}' } })
    await sendAll()
    const [mail] = smtp.mails
    const text = read(mail?.data ?? '')
    expect(mail?.data).toContain('Subject: Hello from {link} & {order}!')
    expect(text).toContain(
      `Hello from {link} & {order}!\nRead it: https://shop.example/support/${id}\n\nEnough? https://`,
    )

    await ask('POST', '/admin/shop-versions/notifications/restore', { restored: before.version })
    await answer(await aQuestion())
    await sendAll()
    expect(read(smtp.mails[1]?.data ?? '')).toContain('{link} & {order}: Support has answered you\nhttps://')
    await shop.call('PUT', '/admin/shop', { token: admin.token, body: { name: 'Olmos' } })
  })

  test.each([
    [{ answered: 'Look: {link} {order}' }, { 'texts.en.answered': 'wrong_placeholder' }],
    [{ delivered: 'Your code: {code} {link}' }, { 'texts.en.delivered': 'wrong_placeholder' }],
    [{ delivered: '{link} {{shop}}' }, { 'texts.en.delivered': 'wrong_placeholder' }],
    [{ delivered: 'Order {order} is here' }, { 'texts.en.delivered': 'link_missing' }],
    [{ decline: 'Enough?' }, { 'texts.en.decline': 'link_missing' }],
    [{ refunded: `{link}${'x'.repeat(500)}` }, { 'texts.en.refunded': 'too_long' }],
    [{ refunded: ' ' }, { 'texts.en.refunded': 'required' }],
    [{ refunded: 'A\u0007 {link}' }, { 'texts.en.refunded': 'invalid_text' }],
    [{ refunded: 'A\r\nBcc: all {link}' }, { 'texts.en.refunded': 'invalid_text' }],
    [{ refunded: '\u202Ereversed {link}' }, { 'texts.en.refunded': 'invalid_text' }],
  ])('a text that would mislead is refused at its field: %o', async (en, details) => {
    const before = (await ask('GET', path)).body.data
    const { status, body } = await put({ ru: { answered: 'Ответ: {link}' }, en })
    expect([status, body.error.code, body.error.details]).toMatchObject([400, 'VALIDATION_FAILED', details])
    expect((await ask('GET', path)).body.data).toEqual(before)
  })

  test.each([
    ['{shop}: {order} is here\n{link}', 'Olmos: X is here'],
    ['{order}: {link}', 'X'],
    ['{link}', 'Olmos'],
  ])('the subject of %j is %j', (template, subject) => {
    const values = { shop: 'Olmos', order: 'X', link: 'https://shop.example/orders/X' }
    expect(fillNotification(template, values).subject).toBe(subject)
  })
})
