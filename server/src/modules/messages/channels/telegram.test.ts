import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTelegram, type TelegramDouble, telegramRefusals } from '../../../../test/doubles/telegram.ts'
import type { Fault } from '../../../../test/doubles/vendor-double.ts'
import { createVendorFetch } from '../../../platform/vendor/vendor.ts'
import { telegram } from './telegram.ts'

let double: TelegramDouble
beforeAll(async () => {
  double = await startTelegram()
})
afterAll(() => double.close())
beforeEach(() => {
  double.fault = undefined
  double.chats.clear()
  double.messages.length = 0
})

const send = (token = double.token, text = 'Olmos: <b>not bold</b> & [no link](x)') => {
  const settings = telegram.settings.parse({ TELEGRAM_BOT_TOKEN: token, TELEGRAM_BASE_URL: double.url })
  const deps = { fetchVendor: createVendorFetch(1_000), timeoutMs: 1_000, sendTimeoutMs: 3_000 }
  return telegram.create(settings, deps).send({ id: 7, address: '42', from: 'Olmos', subject: 'unused', text })
}

test('a message arrives as it is, without a preview of its link', async () => {
  expect(await send()).toEqual({ kind: 'done' })
  expect(double.messages).toEqual([
    { chat_id: '42', text: 'Olmos: <b>not bold</b> & [no link](x)', link_preview_options: { is_disabled: true } },
  ])
})

test.each([
  ['blocked', { fault: 'blocked', words: 'Forbidden: bot was blocked by the user' }],
  ['kicked', { fault: 'blocked', words: 'Forbidden: bot was kicked from the supergroup chat' }],
  ['notFound', { fault: 'no_chat', words: 'Bad Request: chat not found' }],
  ['noRights', { fault: 'refused' }],
  ['moved', { fault: 'chat_moved', words: '-1001234567890' }],
  ['tooMany', { fault: 'busy', retryAfterSeconds: 70 }],
] as const)('the refusal %s is understood', async (refusal, outcome) => {
  double.chats.set('42', telegramRefusals[refusal])
  expect(await send()).toMatchObject({ kind: 'rejected', ...outcome })
})

test('a token that is revoked is refused, and not repeated in any word', async () => {
  const outcome = await send('123456789:AAF-revoked_token_with_35_letters')
  expect(outcome).toMatchObject({ kind: 'rejected', fault: 'not_allowed' })
  expect(JSON.stringify(outcome)).not.toContain('revoked_token')
})

test.each([
  ['slow', 'timeout'],
  ['broken-before', 'broken'],
  ['broken-after', 'broken'],
  ['html', 'broken'],
  ['hang-up', 'network'],
  ['endless', 'network'],
  ['elsewhere', 'network'],
] as const)('%s: nobody knows whether it arrived', async (fault, wanted) => {
  double.fault = fault satisfies Fault
  expect(await send()).toEqual({ kind: 'unknown', fault: wanted })
})

test.each(['', 'token', '12:short', '123456789:AAF-double/../../other_token_of_35', `1${':A'.repeat(30)}`])(
  'the token %j is none',
  (token) => {
    expect(telegram.settings.safeParse({ TELEGRAM_BOT_TOKEN: token }).success).toBe(false)
  },
)
