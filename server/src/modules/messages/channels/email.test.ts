import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type SmtpDouble, type SmtpFault, startSmtp } from '../../../../test/doubles/smtp.ts'
import { createVendorFetch } from '../../../platform/vendor/vendor.ts'
import { email } from './email.ts'

let double: SmtpDouble
beforeAll(async () => {
  double = await startSmtp()
})
afterAll(() => double.close())
beforeEach(() => {
  double.fault = undefined
  double.mails.length = 0
  double.lines.length = 0
})

const send = (changes: Record<string, string> = {}, address = 'owner@shop.example') => {
  const settings = email.settings.parse({
    SMTP_HOST: '127.0.0.1',
    SMTP_PORT: String(double.port),
    SMTP_SECURITY: 'none',
    SMTP_USER: double.user,
    SMTP_PASSWORD: double.password,
    SMTP_FROM: 'robot@shop.example',
    ...changes,
  })
  const channel = email.create(settings, { fetchVendor: createVendorFetch(), timeoutMs: 400, sendTimeoutMs: 1_500 })
  const subject = 'Olmos: Поставщик не отвечает'
  return channel.send({ id: 7, address, from: 'Olmos', subject, text: `${subject}\nhttps://shop.example/admin/alerts` })
}

test('a mail arrives as plain text, under a name that stays when it is sent again', async () => {
  expect(await send()).toEqual({ kind: 'done' })
  expect(await send()).toEqual({ kind: 'done' })
  const [mail, again] = double.mails
  expect(mail).toMatchObject({ from: 'robot@shop.example', to: 'owner@shop.example' })
  expect(mail?.data).toMatch(/^From: Olmos <robot@shop\.example>$/m)
  expect(mail?.data).toMatch(/^Subject: =\?UTF-8\?/m)
  expect(mail?.data).toMatch(/^Content-Type: text\/plain; charset=utf-8$/m)
  for (const { data } of [mail, again] as { data: string }[])
    expect(data).toMatch(/^Message-ID: <olmos-7@shop\.example>$/m)
})

test('a line break in an address adds no recipient and no header', async () => {
  await send({}, 'owner@shop.example\r\nBcc: thief@evil.example')
  expect(double.lines.filter((line) => line.startsWith('RCPT'))).toHaveLength(1)
  for (const { data } of double.mails) expect(data).not.toMatch(/^Bcc:/m)
})

test.each<[string, SmtpFault, object]>([
  [
    'no mailbox',
    { at: 'RCPT', answer: '550 5.1.1 no such user' },
    { fault: 'no_mailbox', words: '550 5.1.1 no such user' },
  ],
  ['no relaying', { at: 'RCPT', answer: '550 5.7.1 relaying denied' }, { fault: 'refused' }],
  ['greylisting', { at: 'RCPT', answer: '451 4.7.1 try again later' }, { fault: 'busy' }],
  ['a full disk', { at: 'MAIL', answer: '452 4.3.1 insufficient storage' }, { fault: 'busy' }],
  ['a sender that may not', { at: 'MAIL', answer: '553 5.7.1 sender rejected' }, { fault: 'refused' }],
  ['spam', { at: 'end', answer: '554 5.7.1 looks like spam' }, { fault: 'refused' }],
  ['maintenance', { at: 'greeting', answer: '421 4.3.2 shutting down' }, { fault: 'busy' }],
])('%s is a refusal', async (_what, fault, outcome) => {
  double.fault = fault
  expect(await send()).toMatchObject({ kind: 'rejected', ...outcome })
  expect(double.mails).toEqual([])
})

test('a wrong password is refused, and not repeated in any word', async () => {
  const outcome = await send({ SMTP_PASSWORD: 'wrong-secret' })
  expect(outcome).toEqual({ kind: 'rejected', fault: 'not_allowed' })
})

describe.each(['greeting', 'EHLO', 'AUTH', 'MAIL', 'RCPT', 'DATA', 'end'] as const)('a server that at %s', (at) => {
  test('hangs is left after a while', async () => {
    double.fault = { at, is: 'silent' }
    expect(await send()).toEqual({ kind: 'unknown', fault: 'timeout' })
  })

  test('closes is tried again', async () => {
    double.fault = { at, is: 'closing' }
    expect(await send()).toEqual({ kind: 'unknown', fault: 'network' })
  })
})

test('nobody at the address is tried again', async () => {
  expect(await send({ SMTP_PORT: '1' })).toEqual({ kind: 'unknown', fault: 'network' })
})

test('a server without TLS gets neither password nor mail where TLS is asked for', async () => {
  for (const security of ['starttls', 'tls']) {
    expect(await send({ SMTP_SECURITY: security })).toMatchObject({ kind: expect.stringMatching(/unknown|rejected/) })
  }
  expect(double.lines.filter((line) => /^(?:AUTH|MAIL)/.test(line))).toEqual([])
})

test.each([
  [{}, ['SMTP_HOST', 'SMTP_FROM']],
  [{ SMTP_HOST: 'smtp.example', SMTP_FROM: 'a@b.example', SMTP_USER: 'a' }, ['SMTP_PASSWORD']],
  [{ SMTP_HOST: 'smtp.example', SMTP_FROM: 'a@b.example', SMTP_PASSWORD: 'a' }, ['SMTP_USER']],
  [{ SMTP_HOST: 'smtp.example', SMTP_FROM: 'a@b.example', SMTP_SECURITY: 'none' }, ['SMTP_SECURITY']],
  [{ SMTP_HOST: 'a b', SMTP_FROM: 'a@b.example', SMTP_PORT: '70000' }, ['SMTP_HOST', 'SMTP_PORT']],
])('%j lack or spoil %j', (given, wrong) => {
  const issues = email.settings.safeParse(given).error?.issues.map(({ path }) => path[0])
  expect(issues).toEqual(wrong)
})
