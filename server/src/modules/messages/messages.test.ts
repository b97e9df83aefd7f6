import { randomBytes } from 'node:crypto'
import type { AlertKind } from '@olmos/contract/alerts'
import type { NewRecipient } from '@olmos/contract/messages'
import type { Permission } from '@olmos/contract/permissions'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { cloneDatabase } from '../../../test/database.ts'
import { type SmtpDouble, startSmtp } from '../../../test/doubles/smtp.ts'
import { startTelegram, type TelegramDouble, telegramRefusals } from '../../../test/doubles/telegram.ts'
import { aUser, type TestUser } from '../../../test/factories.ts'
import { openShop, type TestShop } from '../../../test/shop.ts'
import { tablesWith } from '../../../test/snapshot.ts'
import { type Sql, sql } from '../../platform/database/queries.ts'
import { raiseAlert, resolveAlert } from '../../platform/live/alert.ts'
import { Vault } from '../../platform/security/vault.ts'
import { rotateKey } from '../codes/rotate-key.ts'
import { forgetOldMessages, type MessageShop, queueAlerts, runMessages, sendNext } from './send-messages.ts'

const logLines: string[] = []
const secretKey = randomBytes(32)
let own: Awaited<ReturnType<typeof cloneDatabase>>
let telegram: TelegramDouble
let shop: TestShop
let admin: TestUser

const openNode = (settings: Record<string, string> = {}) =>
  openShop(
    {
      TELEGRAM_BASE_URL: telegram.url,
      PUBLIC_URL: 'https://shop.example',
      LOG_LEVEL: 'debug',
      ALLOW_SANDBOX: '1',
      ...settings,
    },
    { url: own.url, secretKey, logLines },
  )

beforeAll(async () => {
  telegram = await startTelegram()
  own = await cloneDatabase()
  shop = await openNode()
  admin = await aUser(shop, { role: 'admin' })
})
afterAll(async () => {
  await shop.close()
  await own.drop()
  await telegram.close()
})
beforeEach(async () => {
  telegram.fault = undefined
  telegram.chats.clear()
  telegram.messages.length = 0
  logLines.length = 0
  for (const table of [sql`message_recipient`, sql`message_channel`, sql`alert`])
    await shop.database.run(sql`DELETE FROM ${table}`)
})

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
const call = (method: Method, path: string, body?: unknown) =>
  shop.call(method, `/admin${path}`, { token: admin.token, body })
const setChannel = (name: string, settings: object | null) => call('PUT', `/message-channels/${name}`, { settings })
const connect = async () => {
  const { status } = await setChannel('telegram', { TELEGRAM_BOT_TOKEN: telegram.token })
  expect(status).toBe(200)
}
const wish = {
  name: 'Owner',
  channel: 'telegram',
  address: '42',
  language: 'en',
  alert_kinds: null,
  quiet_hours: null,
  is_on: true,
} satisfies NewRecipient
const add = async (changes: Partial<NewRecipient> = {}): Promise<number> => {
  const { status, body } = await call('POST', '/message-recipients', { ...wish, ...changes })
  expect([status, body.error]).toEqual([201, undefined])
  return body.data.id
}
const readRecipient = async (id: number) =>
  (await call('GET', '/message-recipients')).body.data.find((one: { id: number }) => one.id === id)
const outbox = async () => (await call('GET', '/messages')).body.data
const raise = (kind: AlertKind, subject = 'kinguin', details = {}) =>
  raiseAlert(shop.database, { kind, subject, details })

/** What the worker does, once. */
const work = async (node: MessageShop = shop) => {
  await queueAlerts(node)
  while (await sendNext(node, 'telegram'));
}
/** The store at another time of day. */
const at = (time: string): MessageShop => ({ ...shop, clock: { now: () => new Date(time) } })
/** Lets this much time pass for what was queued or sent. */
const age = async (interval: Sql) => {
  await shop.database.run(sql`
    UPDATE message_alert SET queued_at = queued_at - ${interval}, over_at = over_at - ${interval}`)
  await shop.database.run(sql`
    UPDATE message SET next_attempt_at = next_attempt_at - ${interval}, tried_since = tried_since - ${interval}`)
}
const texts = () => telegram.messages.map(({ text }) => text)

describe('an alert', () => {
  test('is sent though a message of a kind waits that only a newer version of the store knows', async () => {
    await connect()
    const id = await add({ address: '1' })
    const tomorrow = JSON.stringify({ kind: 'of.tomorrow' })
    await shop.database.run(sql`
      INSERT INTO message (recipient_id, channel, language, payload, is_urgent)
      VALUES (${id}, 'telegram', 'en', ${tomorrow}, true)`)
    await raise('supplier.out')
    await work()
    expect(texts()).toHaveLength(1)
    const waiting = sql`state = 'waiting' AND next_attempt_at > now()`
    expect(await shop.database.rows(sql`SELECT payload FROM message WHERE ${waiting}`)).toEqual([
      { payload: { kind: 'of.tomorrow' } },
    ])
    expect(await outbox()).toMatchObject([{ state: 'sent' }, { state: 'waiting', payload: null }])
    await shop.database.run(sql`UPDATE message SET state = 'failed' WHERE payload ->> 'kind' = 'of.tomorrow'`)
    const [, failed] = await outbox()
    const retried = await call('POST', `/messages/${failed.id}/retry`, {})
    expect([retried.status, retried.body.data]).toMatchObject([200, { state: 'waiting', payload: null }])
    await shop.database.run(sql`DELETE FROM message WHERE payload ->> 'kind' = 'of.tomorrow'`)
  })

  test('reaches everybody who wants its kind, in his language, once', async () => {
    await connect()
    await add({ language: 'en', address: '1' })
    await add({ language: 'ru', address: '2', alert_kinds: ['supplier.out'] })
    await add({ language: 'uz', address: '@night_shift' })
    await add({ address: '4', alert_kinds: ['rates.failed'] })
    await add({ address: '5', is_on: false })
    await raise('supplier.out')
    await work()
    await work()
    const link = 'https://shop.example/admin/alerts?state=open&search=supplier.out'
    expect(telegram.messages.map(({ chat_id, text }) => [chat_id, text])).toEqual([
      ['1', `Olmos: A supplier does not answer and is switched off\n${link}`],
      ['2', `Olmos: Поставщик не отвечает и отключён\n${link}`],
      ['@night_shift', expect.stringMatching(/^Olmos: Yetkazib beruvchi/)],
    ])
    expect(await outbox()).toMatchObject([{ state: 'sent', attempts: 1 }, { state: 'sent' }, { state: 'sent' }])
  })

  test('that was raised before somebody was added, or that a colleague has taken on, is not sent', async () => {
    await connect()
    await raise('supplier.out', 'before')
    await add()
    await raise('supplier.float')
    await shop.database.run(
      sql`UPDATE alert SET acknowledged_at = now(), acknowledged_by = ${admin.id} WHERE kind = 'supplier.float'`,
    )
    await work()
    expect(texts()).toEqual([])
  })

  test('that is raised again, also with other details, is the same one', async () => {
    await connect()
    await add()
    for (const failures of [120, 125, 125, 130]) {
      await raise('rate.held', 'USD', { failures })
      await work()
    }
    expect(texts()).toHaveLength(1)
  })

  test('that stays open is told again after a day, every day, until somebody takes it on', async () => {
    await connect()
    await add()
    await raise('supplier.out')
    await work()
    await age(sql`interval '23 hours'`)
    await work()
    expect(texts()).toHaveLength(1)
    await age(sql`interval '2 hours'`)
    await work()
    await work()
    expect(texts()[1]).toMatch(/^Olmos: Still not resolved: A supplier/)
    await age(sql`interval '25 hours'`)
    await work()
    expect(texts()).toHaveLength(3)
    await shop.database.run(sql`UPDATE alert SET acknowledged_at = now(), acknowledged_by = ${admin.id}`)
    await age(sql`interval '25 hours'`)
    await work()
    expect(texts()).toHaveLength(3)
  })

  test('that is over is said to be, to those who know of it alone', async () => {
    await connect()
    const gone = await add({ address: '1' })
    await add({ address: '2' })
    telegram.chats.set('1', telegramRefusals.blocked)
    await raise('supplier.out')
    await work()
    await call('PUT', `/message-recipients/${gone}`, { is_on: true })
    telegram.chats.clear()
    await resolveAlert(shop.database, 'supplier.out')
    await work()
    await work()
    expect(telegram.messages.map(({ chat_id, text }) => [chat_id, text.split('\n')[0]])).toEqual([
      ['2', expect.stringMatching(/^Olmos: A supplier/)],
      ['2', expect.stringMatching(/^Olmos: Resolved: A supplier/)],
    ])
  })

  test('of five hundred at once is one message, and those that follow come together later', async () => {
    await connect()
    await add()
    await Promise.all(Array.from({ length: 500 }, (_, index) => raise('delivery.stuck', `delivery:${index}`)))
    await work()
    for (let index = 500; index < 510; index++) {
      await raise('delivery.stuck', `delivery:${index}`)
      await work()
    }
    expect(texts()).toEqual([expect.stringMatching(/\nAlerts: 500\n/)])
    await age(sql`interval '6 minutes'`)
    await work()
    expect(texts()[1]).toMatch(/\nAlerts: 10\n/)
  })

  test('that comes and goes does so silently for an hour', async () => {
    await connect()
    await add()
    for (let round = 0; round < 5; round++) {
      await raise('supplier.out')
      await work()
      await resolveAlert(shop.database, 'supplier.out')
      await work()
      await age(sql`interval '6 minutes'`)
    }
    expect(texts().map((text) => text.split('\n')[0])).toEqual([
      'Olmos: A supplier does not answer and is switched off',
      'Olmos: Resolved: A supplier does not answer and is switched off',
    ])
    await raise('supplier.out')
    await age(sql`interval '1 hour'`)
    await work()
    expect(texts()).toHaveLength(3)
  })

  test('that comes again after somebody took it on is news once more', async () => {
    await connect()
    await add()
    await raise('supplier.out')
    await work()
    const { length } = texts()
    await age(sql`interval '2 hours'`)
    await shop.database.run(sql`UPDATE alert SET acknowledged_at = now(), acknowledged_by = ${admin.id}`)
    await work()
    expect(texts()).toHaveLength(length)
    await add({ address: '2' })
    await raise('supplier.out', 'kinguin', { why: 'again' })
    await work()
    const news = expect.stringMatching(/^Olmos: A supplier does not answer/)
    expect(texts().slice(length)).toEqual([news, news])
    await work()
    expect(texts()).toHaveLength(length + 2)
  })

  test('is queued once by twenty nodes at a time, and sent by one', async () => {
    await connect()
    for (const address of ['1', '2', '3']) await add({ address })
    await raise('supplier.out')
    await raise('rates.failed')
    await Promise.all(Array.from({ length: 20 }, () => work()))
    await work()
    expect(new Set(telegram.messages.map(({ chat_id, text }) => chat_id + text)).size).toBe(6)
    expect(telegram.messages).toHaveLength(6)
  })
})

describe('an alert in the owner’s words', () => {
  const path = '/operator-texts'
  const link = 'https://shop.example/admin/alerts?state=open&search=supplier.out'

  test('is told in those of each language from the next message on, and an older version comes back', async () => {
    const before = (await call('GET', path)).body.data
    expect(before).toMatchObject({ texts: {}, changed_by: null })
    await connect()
    await add({ language: 'en', address: '1' })
    await add({ language: 'ru', address: '2' })
    await raise('supplier.out')
    await queueAlerts(shop)
    const raised = 'Look at {shop}: {title}\nThere are {count} of them\nHere: {link}'
    const { status, body } = await call('PUT', path, { texts: { en: { raised, resolved: 'Over: {title} {link}' } } })
    expect([status, body.data]).toMatchObject([200, { texts: { en: { raised } }, changed_by: admin.nickname }])
    const [entry] = (await call('GET', '/audit')).body.data
    expect(entry).toMatchObject({
      action: 'shop.operators',
      before: { texts: {} },
      after: { texts: { en: { raised } } },
    })
    await work()
    expect(texts()).toEqual([
      `Look at Olmos: A supplier does not answer and is switched off\nHere: ${link}`,
      `Olmos: Поставщик не отвечает и отключён\n${link}`,
    ])
    telegram.messages.length = 0
    await Promise.all([raise('delivery.stuck', 'one'), raise('delivery.stuck', 'two')])
    await resolveAlert(shop.database, 'supplier.out')
    await work()
    expect(texts()).toContainEqual(expect.stringMatching(/^Look at Olmos: .+\nThere are 2 of them\nHere: https:/))
    expect(texts()).toContainEqual(expect.stringMatching(/^Over: A supplier .+ https:.+state=resolved/))
    await call('POST', '/shop-versions/operators/restore', { restored: before.version })
    telegram.messages.length = 0
    await age(sql`interval '25 hours'`)
    await work()
    expect(texts()).toContainEqual(expect.stringMatching(/^Olmos: Still not resolved: .+\nAlerts: 2\nhttps:/))
  })

  test.each([
    [{ raised: '{title} {details} {link}' }, { 'texts.en.raised': 'wrong_placeholder' }],
    [{ reminder: '{order}: {link}' }, { 'texts.en.reminder': 'wrong_placeholder' }],
    [{ resolved: 'Over: {title}' }, { 'texts.en.resolved': 'link_missing' }],
    [{ raised: '{title}\n{count}: {link}' }, { 'texts.en.raised': 'link_missing' }],
    [{ raised: 'A\u0007 {link}' }, { 'texts.en.raised': 'invalid_text' }],
  ])('that would mislead are refused at their field: %o', async (en, details) => {
    const before = (await call('GET', path)).body.data
    const { status, body } = await call('PUT', path, { texts: { ru: { raised: '{title}: {link}' }, en } })
    expect([status, body.error.code, body.error.details]).toEqual([400, 'VALIDATION_FAILED', details])
    expect((await call('GET', path)).body.data).toEqual(before)
  })
})

describe('quiet hours', () => {
  // Tashkent is five hours ahead of UTC.
  const [evening, night, morning] = ['2026-11-24T15:00:00Z', '2026-11-24T21:00:00Z', '2026-11-25T03:00:00Z']

  test.each([
    ['23:00', '08:00', 1, 0, 1],
    ['19:30', '20:30', 0, 1, 1],
    ['19:00', '20:00', 1, 1, 1],
    ['20:00', '21:00', 0, 1, 1],
    ['08:00', '23:00', 0, 1, 0],
  ])('from %s to %s', async (from, to, ...expected) => {
    await connect()
    for (const [index, time] of [evening, night, morning].entries()) {
      telegram.messages.length = 0
      await shop.database.run(sql`DELETE FROM message_recipient`)
      await add({ quiet_hours: { from, to } })
      await raise('rates.failed', time)
      await work(at(time))
      expect([time, texts().length]).toEqual([time, expected[index]])
    }
  })

  test('are those of the time zone that the owner chose', async () => {
    const choose = async (time_zone: string | null) =>
      expect((await call('PUT', '/shop', { time_zone })).status).toBe(200)
    await connect()
    await add({ quiet_hours: { from: '23:00', to: '08:00' } })
    await raise('rates.failed')
    await work(at(night))
    expect(texts()).toEqual([])
    // Eleven hours behind UTC it is morning.
    await choose('Pacific/Pago_Pago')
    await work(at(night))
    expect(texts()).toHaveLength(1)
    await choose(null)
  })

  test('keep what is not urgent until they are over, and drop what was over before', async () => {
    await connect()
    await add({ quiet_hours: { from: '23:00', to: '08:00' } })
    await raise('rates.failed')
    await raise('supplier.float')
    await raise('delivery.stuck', 'delivery:1')
    await work(at(night))
    expect(texts()).toEqual([expect.stringContaining('A delivery is stuck')])
    await resolveAlert(shop.database, 'supplier.float')
    await work(at(morning))
    expect(texts().slice(1)).toEqual([expect.stringContaining('search=rates.failed')])
  })

  test('keep a message that has to be sent again', async () => {
    await connect()
    await add({ quiet_hours: { from: '23:00', to: '08:00' } })
    telegram.fault = 'broken-before'
    await raise('rates.failed')
    await work(at(evening))
    telegram.fault = undefined
    await age(sql`interval '1 hour'`)
    await work(at(night))
    expect(texts()).toEqual([])
    await work(at(morning))
    expect(texts()).toHaveLength(1)
  })
})

describe('a message that is not sent', () => {
  test('is tried again after a pause, and given up after a day', async () => {
    await connect()
    await add()
    telegram.fault = 'broken-before'
    await raise('supplier.out')
    await work()
    await work()
    expect(await outbox()).toMatchObject([{ state: 'waiting', attempts: 1, fault: 'broken', sent_at: null }])
    await age(sql`interval '1 minute'`)
    await work()
    expect(await outbox()).toMatchObject([{ state: 'waiting', attempts: 2 }])
    await age(sql`interval '24 hours'`)
    await shop.database.run(sql`UPDATE alert SET acknowledged_at = now(), acknowledged_by = ${admin.id}`)
    await work()
    const [failed] = await outbox()
    expect(failed).toMatchObject({ state: 'failed', attempts: 3, next_attempt_at: null })
    const { body: metrics } = await shop.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })
    expect(metrics).toContain('olmos_messages_failed 1\n')

    telegram.fault = undefined
    const retried = await call('POST', `/messages/${failed.id}/retry`, {})
    expect(retried.body.data).toMatchObject({ state: 'waiting', next_attempt_at: expect.any(String) })
    await work()
    expect(texts()).toHaveLength(1)
    const { body: mended } = await shop.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })
    expect(mended).toContain('olmos_messages_failed 0\n')
    const again = await call('POST', `/messages/${failed.id}/retry`, {})
    expect([again.status, again.body.error.details]).toEqual([409, { reason: 'message_not_failed', state: 'sent' }])
    expect((await call('POST', '/messages/999999/retry', {})).status).toBe(404)
  })

  test('because there are too many makes the others to that chat wait as well', async () => {
    await connect()
    await add({ address: '1' })
    await add({ address: '2' })
    telegram.chats.set('1', telegramRefusals.tooMany)
    await raise('supplier.out')
    await raise('rates.failed')
    const before = telegram.requests.length
    await work()
    expect(telegram.requests.length - before).toBe(3)
    const waiting = await shop.database.rows<{ seconds: number }>(sql`
      SELECT round(extract(epoch FROM next_attempt_at - now()))::int AS seconds FROM message WHERE state = 'waiting'`)
    expect(waiting.map(({ seconds }) => seconds >= 65 && seconds <= 70)).toEqual([true, true])
  })

  test('to an address that was changed while it was on its way switches off nobody', async () => {
    await connect()
    const id = await add()
    telegram.chats.set('42', telegramRefusals.blocked)
    await raise('supplier.out')
    telegram.fault = 'slow'
    const before = telegram.requests.length
    const underWay = work()
    await vi.waitFor(() => expect(telegram.requests.length).toBe(before + 1))
    telegram.fault = undefined
    expect((await call('PUT', `/message-recipients/${id}`, { address: '43' })).status).toBe(200)
    await underWay
    expect(await readRecipient(id)).toMatchObject({ address: '43', is_on: true, fault: null })
    expect(await outbox()).toMatchObject([{ state: 'failed', fault: 'blocked' }])
    await raise('rates.failed')
    await work()
    expect(telegram.messages.map(({ chat_id }) => chat_id)).toEqual(['43'])
  })

  test('to a chat that blocked the bot switches the recipient off, says so, and sends nothing more there', async () => {
    await connect()
    const id = await add()
    telegram.chats.set('42', telegramRefusals.blocked)
    await raise('supplier.out')
    await raise('rates.failed')
    await work()
    expect(await readRecipient(id)).toMatchObject({
      is_on: false,
      fault: 'blocked',
      words: 'Forbidden: bot was blocked by the user',
    })
    expect(await outbox()).toMatchObject([{ state: 'failed', fault: 'blocked' }, { state: 'failed' }])
    telegram.chats.clear()
    await raise('supplier.float')
    await work()
    expect(texts()).toEqual([])
    const on = await call('PUT', `/message-recipients/${id}`, { is_on: true })
    expect(on.body.data).toMatchObject({ is_on: true, fault: null, words: null })
    await work()
    expect(texts()).toEqual([expect.stringContaining('search=supplier.float')])
  })

  test('without an account waits for one', async () => {
    await add()
    await raise('supplier.out')
    await work()
    expect(await outbox()).toMatchObject([{ state: 'waiting', fault: 'not_set_up' }])
    await connect()
    await age(sql`interval '1 minute'`)
    await work()
    expect(texts()).toHaveLength(1)
  })

  test('by a worker that died is sent by the next, and one that comes too late changes nothing', async () => {
    await connect()
    await add()
    await raise('supplier.out')
    await queueAlerts(shop)
    await shop.database.run(sql`UPDATE message SET attempts = 1, leased_until = now() + interval '1 minute'`)
    await work()
    expect(texts()).toEqual([])
    await shop.database.run(sql`UPDATE message SET leased_until = now() - interval '1 second'`)
    telegram.fault = 'slow'
    const late = work()
    await expect.poll(() => telegram.messages.length).toBe(1)
    await shop.database.run(sql`UPDATE message SET attempts = 5, state = 'failed', fault = 'switched_off'`)
    await late
    expect(await outbox()).toMatchObject([{ state: 'failed', attempts: 5, fault: 'switched_off' }])
  })
})

describe('a test message', () => {
  test('is sent at once, at night too, and says what came of it', async () => {
    const id = await add({ quiet_hours: { from: '00:00', to: '23:59' }, is_on: false })
    const ask = async () => (await call('POST', `/message-recipients/${id}/test`, {})).body.data
    expect(await ask()).toMatchObject({ state: 'failed', fault: 'not_set_up' })
    await connect()
    expect(await ask()).toMatchObject({ state: 'sent', fault: null, recipient: 'Owner', payload: { kind: 'test' } })
    expect(texts()).toEqual([
      'Olmos: Test message\nThe store’s messages will arrive here.\nhttps://shop.example/admin/messages',
    ])
    telegram.chats.set('42', telegramRefusals.notFound)
    expect(await ask()).toMatchObject({ state: 'failed', fault: 'no_chat', words: 'Bad Request: chat not found' })
    telegram.chats.clear()
    telegram.fault = 'hang-up'
    expect(await ask()).toMatchObject({ state: 'failed', fault: 'network', attempts: 1 })
  })
})

describe('a recipient', () => {
  test.each([
    [{ address: 'nobody' }, { address: 'invalid_chat' }],
    [{ address: 'a@b.example' }, { address: 'invalid_chat' }],
    [{ channel: 'email', address: '42' }, { address: 'invalid_email' }],
    [{ channel: 'pigeon' }, { channel: expect.any(String) }],
    [{ quiet_hours: { from: '24:00', to: '08:00' } }, { 'quiet_hours.from': 'invalid_time' }],
    [{ quiet_hours: { from: '08:00', to: '08:00' } }, { 'quiet_hours.to': 'invalid_time' }],
    [{ alert_kinds: [] }, { alert_kinds: 'required' }],
    [{ alert_kinds: ['nothing.of_this'] }, { 'alert_kinds.0': expect.any(String) }],
  ])('with %j is refused', async (changes, details) => {
    const refused = await call('POST', '/message-recipients', { ...wish, ...changes })
    expect([refused.status, refused.body.error.details]).toEqual([400, details])
  })

  test('is there once, and what was to be sent to it goes with it', async () => {
    const id = await add()
    const twice = await call('POST', '/message-recipients', wish)
    expect([twice.status, twice.body.error.details]).toEqual([409, { address: 'duplicate' }])
    expect((await call('PUT', `/message-recipients/${id}`, { address: 'nobody' })).status).toBe(400)
    await raise('supplier.out')
    await queueAlerts(shop)
    await call('PUT', `/message-recipients/${id}`, { is_on: false })
    expect(await outbox()).toMatchObject([{ state: 'failed', fault: 'switched_off' }])
    expect((await call('DELETE', `/message-recipients/${id}`)).status).toBe(200)
    expect(await outbox()).toEqual([])
    expect((await call('POST', `/message-recipients/${id}/test`, {})).status).toBe(404)
  })
})

describe('a mailbox', () => {
  const typed = (smtp: SmtpDouble) => ({
    SMTP_HOST: '127.0.0.1',
    SMTP_PORT: String(smtp.port),
    SMTP_SECURITY: 'none',
    SMTP_USER: smtp.user,
    SMTP_PASSWORD: smtp.password,
    SMTP_FROM: 'robot@shop.example',
  })

  test('gets messages, while Telegram hangs too, and a mail server that hangs is tried again', async () => {
    const smtp = await startSmtp()
    expect((await setChannel('email', typed(smtp))).status).toBe(200)
    await connect()
    await add({ address: '1' })
    const id = await add({ channel: 'email', address: 'owner@shop.example' })
    telegram.isSilent = true
    smtp.fault = { at: 'MAIL', is: 'closing' }
    await raise('supplier.out')
    await work()
    await sendNext(shop, 'email')
    expect(await outbox()).toMatchObject([
      { channel: 'email', state: 'waiting', fault: 'network' },
      { channel: 'telegram', state: 'waiting', fault: 'network' },
    ])
    smtp.fault = undefined
    await age(sql`interval '1 minute'`)
    await sendNext(shop, 'email')
    telegram.isSilent = false
    expect(smtp.mails).toMatchObject([{ to: 'owner@shop.example' }])
    smtp.fault = { at: 'RCPT', answer: '550 5.1.1 no such user' }
    await call('POST', `/message-recipients/${id}/test`, {})
    expect(await readRecipient(id)).toMatchObject({ is_on: false, fault: 'no_mailbox' })
    expect(logLines.join('\n')).not.toContain(smtp.password)
    expect(await tablesWith(shop.database, smtp.password)).toEqual([])
    await smtp.close()
  })

  test('that hangs keeps nothing from Telegram, and loses nothing that waits for it', async () => {
    const hanging = await startSmtp()
    await setChannel('email', typed(hanging))
    await connect()
    await add({ address: '1' })
    await add({ channel: 'email', address: 'owner@shop.example' })
    hanging.fault = { at: 'MAIL', is: 'silent' }
    await raise('supplier.out')
    await queueAlerts(shop)
    const sending = sendNext(shop, 'email')
    await vi.waitFor(() => expect(hanging.lines.at(-1)).toMatch(/^MAIL/), { timeout: 10_000 })
    // Nobody else takes what is being sent, and the other channel waits for nobody.
    expect([await sendNext(shop, 'email'), await sendNext(shop, 'telegram')]).toEqual([false, true])
    expect(texts()).toHaveLength(1)
    await hanging.close()
    await sending
    expect(await outbox()).toMatchObject([
      { channel: 'email', state: 'waiting', attempts: 1 },
      { channel: 'telegram', state: 'sent' },
    ])

    const mended = await startSmtp()
    await setChannel('email', typed(mended))
    await age(sql`interval '1 minute'`)
    expect([await sendNext(shop, 'email'), await sendNext(shop, 'email')]).toEqual([true, false])
    expect(mended.mails).toMatchObject([{ to: 'owner@shop.example' }])
    await mended.close()
  })

  test('that is to be reached elsewhere wants its password again', async () => {
    const smtp = await startSmtp()
    await setChannel('email', typed(smtp))
    const led = await setChannel('email', { SMTP_HOST: 'thief.example', SMTP_SECURITY: 'tls' })
    expect([led.status, led.body.error.details]).toEqual([400, { SMTP_PASSWORD: 'required' }])
    expect((await setChannel('email', { SMTP_PORT: '2525' })).status).toBe(400)
    expect((await setChannel('email', { SMTP_FROM: 'shop@shop.example' })).status).toBe(200)
    const id = await add({ channel: 'email', address: 'owner@shop.example' })
    await call('POST', `/message-recipients/${id}/test`, {})
    expect(smtp.mails).toMatchObject([{ from: 'shop@shop.example' }])
    await smtp.close()
  })
})

describe('an account at a channel', () => {
  test('is sealed, outlives a change of the key, and is in force on every node at once', async () => {
    const node = await openNode()
    await connect()
    expect((await call('GET', '/message-channels')).body.data[0]).toMatchObject({
      name: 'telegram',
      state: 'on',
      version: 2,
      changed_by: admin.nickname,
      settings: [
        { name: 'TELEGRAM_BOT_TOKEN', use: 'secret', origin: 'shop', value: null },
        { name: 'TELEGRAM_BASE_URL', use: 'environment', origin: 'environment' },
      ],
    })
    expect(await tablesWith(shop.database, telegram.token)).toEqual([])
    const silent = { started: () => {}, progressed: () => {} }
    await rotateKey(shop.database, await Vault.open(shop.database, secretKey), silent)
    await add()
    await raise('supplier.out')
    await work(node)
    expect(texts()).toHaveLength(1)
    await node.close()
    expect((await setChannel('telegram', null)).body.data).toMatchObject({ state: 'not_set_up', version: 3 })
  })

  test('is changed and cleared by who may set up payment accounts, too: links for new passwords go over it', async () => {
    await connect()
    const by = (user: TestUser, method: Method, path: string, body?: object) =>
      shop.call(method, `/admin${path}`, { token: user.token, body })
    const aColleague = async (...permissions: Permission[]) => {
      const limits = { rub_once: 0, rub_daily: 0, usd_once: 0, usd_daily: 0 }
      const role = await call('POST', '/staff-roles', { name: permissions.join(), permissions, limits })
      const user = await aUser(shop)
      const added = await call('POST', '/staff', { nickname: user.nickname, role_id: role.body.data.id })
      expect(added.status).toBe(201)
      return user
    }
    const manager = await aUser(shop, { staff: 'manager' })
    const own = { settings: { SMTP_HOST: 'mail.thief.example', SMTP_FROM: 'a@thief.example' } }
    const refused = async (user: TestUser, permission: Permission) => {
      for (const [channel, body] of [
        ['email', own],
        ['telegram', { settings: null }],
      ] as const) {
        const answer = await by(user, 'PUT', `/message-channels/${channel}`, body)
        expect([answer.status, answer.body.error?.details]).toEqual([403, { permission }])
      }
    }
    await refused(manager, 'payments.setup')
    await refused(await aColleague('settings.read', 'payments.setup'), 'messages.write')
    const states = (await by(manager, 'GET', '/message-channels')).body.data
    expect(states).toMatchObject([{ state: 'on' }, { state: 'not_set_up' }])
    expect((await by(manager, 'POST', '/message-recipients', wish)).status).toBe(201)

    const both = await aColleague('messages.write', 'payments.setup')
    expect((await by(both, 'PUT', '/message-channels/telegram', { settings: null })).status).toBe(200)
    const entries = await shop.database.rows(sql`
      SELECT action, subject FROM audit_entry WHERE actor_id = ${both.id}`)
    expect(entries).toEqual([{ action: 'message_channel.clear', subject: 'message_channel:telegram' }])
  })

  test.each([
    ['telegram', { TELEGRAM_BOT_TOKEN: 'token' }, { TELEGRAM_BOT_TOKEN: 'invalid' }],
    ['telegram', {}, { TELEGRAM_BOT_TOKEN: 'required' }],
    ['telegram', { TELEGRAM_BASE_URL: 'https://evil.example' }, { TELEGRAM_BASE_URL: 'in_environment' }],
    ['telegram', { SMTP_HOST: 'x' }, { SMTP_HOST: 'unknown_setting' }],
  ])('%s with %j is refused', async (name, settings, details) => {
    const refused = await setChannel(name, settings)
    expect([refused.status, refused.body.error.details]).toEqual([400, details])
  })

  test('that was altered in the database is incomplete, and can be typed again', async () => {
    await connect()
    await shop.database.run(sql`UPDATE message_channel SET ciphertext = sha256(ciphertext)`)
    expect((await call('GET', '/message-channels')).body.data[0].state).toBe('incomplete')
    await connect()
    expect((await call('GET', '/message-channels')).body.data[0].state).toBe('on')
    expect((await setChannel('pigeon', {})).status).toBe(404)
  })

  test('in the environment wins, and says so', async () => {
    await setChannel('telegram', { TELEGRAM_BOT_TOKEN: '987654321:AAF-another_bot_that_does_not_count' })
    const node = await openNode({ TELEGRAM_BOT_TOKEN: telegram.token })
    const ask = (method: Method, body?: object) =>
      node.call(method, `/admin/message-channels${body ? '/telegram' : ''}`, { token: admin.token, body })
    expect((await ask('GET')).body.data[0]).toMatchObject({ state: 'on', is_in_environment: true })
    expect((await ask('PUT', { settings: {} })).body.error.details).toEqual({
      reason: 'channel_in_environment',
      channel: 'telegram',
    })
    await add()
    await raise('supplier.out')
    await work(node)
    expect(texts()).toHaveLength(1)
    await node.close()
  })
})

test('nothing secret is in any message, answer, line of the log or row', async () => {
  await connect()
  const id = await add()
  const canaries = ['CANARY-CODE-1', 'canary_password', 'canary-token-2', 'canary@buyer.example']
  await raise('security.reveals', `admin:${canaries[0]}`, { why: canaries[1], order: canaries[2], sample: canaries })
  await raise('payment.unknown', canaries[3], { reason: canaries[1] })
  telegram.fault = 'broken-after'
  await work()
  telegram.fault = undefined
  await age(sql`interval '1 minute'`)
  await work()
  await resolveAlert(shop.database, 'payment.unknown')
  await work()
  await call('POST', `/message-recipients/${id}/test`, {})
  telegram.chats.set('42', telegramRefusals.unauthorized)
  await call('POST', `/message-recipients/${id}/test`, {})
  expect(telegram.messages.length).toBeGreaterThan(4)
  const everything = [
    ...telegram.requests.map(({ body }) => body),
    JSON.stringify(await outbox()),
    JSON.stringify((await call('GET', '/message-channels')).body),
  ].join('\n')
  for (const canary of [...canaries, telegram.token]) expect(everything).not.toContain(canary)
  expect(logLines.join('\n')).not.toContain(telegram.token)
  expect(await tablesWith(shop.database, telegram.token)).toEqual([])
})

test('a node that runs sends what is due by itself, and ends in good order', async () => {
  await connect()
  await add()
  await raise('supplier.out')
  const messages = runMessages(shop)
  await expect.poll(() => texts().length).toBe(1)
  await messages.stop()
  expect(await outbox()).toMatchObject([{ state: 'sent' }])
})

test('what is old is forgotten, and nobody is told of it once more', async () => {
  await connect()
  await add()
  await raise('supplier.out')
  await raise('rates.failed')
  await work()
  await resolveAlert(shop.database, 'rates.failed')
  await work()
  await age(sql`interval '1 hour'`)
  await shop.database.run(sql`UPDATE message SET created_at = created_at - interval '100 days'`)
  await shop.database.run(sql`
    UPDATE message_alert SET queued_at = queued_at - interval '100 days', over_at = over_at - interval '100 days'
    WHERE over_at IS NOT NULL`)
  await forgetOldMessages(shop.database)
  expect(await outbox()).toEqual([])
  const left = await shop.database.rows(sql`SELECT message_id FROM message_alert`)
  expect(left).toEqual([{ message_id: null }])
  await work()
  expect(texts()).toHaveLength(3)
})
