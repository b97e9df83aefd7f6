import type { checkoutApi } from '@olmos/contract/checkout'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WEB_LIMITS } from '../limits.ts'
import { visitStorage } from '../ui/browser-storage.ts'
import { caller, randomKey } from './client.ts'
import { type PageQuestion, secondFactorEvent } from './questions.ts'
import { forgetSession, keepSession } from './token.ts'

const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.ts'], {
  eager: true,
  query: '?raw',
  import: 'default',
})

/** Reads that go on answering, and the first reads of a page that is rendered on the server. */
const others = ['./event-stream.ts', '../server-context.ts']

test('every call goes out through the one caller, which asks for the second factor and sends again', () => {
  const waysOut = /(?<![.\w])fetch\(|XMLHttpRequest|sendBeacon|new WebSocket|new EventSource|axios/
  const calling = Object.keys(sources).filter((file) => waysOut.test(sources[file] ?? ''))
  expect(calling.toSorted()).toEqual(['./client.ts', ...others].toSorted())
})

const pay = caller<typeof checkoutApi.payFromBalance>('POST /payment/from-balance')

let keys: (string | null)[] = []
let outcome: number | 'lost' | 'reused' = 200

beforeEach(() => {
  keys = []
  vi.stubGlobal('document', { documentElement: { lang: 'ru' } })
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('fetch', async (_address: string, { headers }: { headers: Headers }) => {
    keys.push(headers.get('idempotency-key'))
    if (outcome === 'lost') throw new TypeError('connection lost')
    if (outcome === 'reused') return new Response('{"error":{"code":"IDEMPOTENCY_KEY_REUSED"}}', { status: 409 })
    return new Response('{}', { status: outcome })
  })
})
afterEach(() => {
  forgetSession()
  vi.unstubAllGlobals()
})

async function press(came: typeof outcome, once: string) {
  outcome = came
  const sent = { body: { currency: 'RUB' as const, amount: 1, confirmRepeat: false } }
  await pay(sent, { once }).catch(() => undefined)
}

// Each of them is found a place in an index of the database, which is on one page for those that follow each other.
test('keys follow those that were made before', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const made = ['2026-12-01', '2026-12-02', '2032-01-01', '2099-01-01'].map((day) => {
    vi.setSystemTime(day)
    return randomKey()
  })
  vi.useRealTimers()
  expect(made.toSorted()).toEqual(made)
})

test.each(['lost', 500, 503] as const)('after %s the next try is the same purchase', async (came) => {
  await press(came, `cart after ${came}`)
  await press(200, `cart after ${came}`)
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(keys[1]).toBe(keys[0])
})

test.each([200, 402, 409] as const)('after %s the next one is another', async (came) => {
  await press(came, `cart after ${came}`)
  await press(200, `cart after ${came}`)
  expect(keys[1]).not.toBe(keys[0])
})

test.each(['reused', 401, 403, 429] as const)(
  '%s says nothing of a lost answer, which is asked for again',
  async (came) => {
    const name = `refund, lost and then ${came}`
    await press('lost', name)
    await press(came, name)
    await press(200, name)
    expect(keys[2]).toBe(keys[0])
    expect(keys[1]).toBe(keys[0])
  },
)

test('a wish after the page has shown what was done under a key is another', async () => {
  vi.useFakeTimers()
  try {
    const name = 'refund of 30.50, wished twice'
    await press('lost', name)
    await press('reused', name)
    vi.advanceTimersByTime(WEB_LIMITS.unansweredPressMs - 1)
    await press('reused', name)
    vi.advanceTimersByTime(1)
    await press('lost', name)
    await press('reused', name)
    expect(keys[2]).toBe(keys[0])
    expect(keys[3]).not.toBe(keys[0])
    expect(keys[4]).toBe(keys[3])
  } finally {
    vi.useRealTimers()
  }
})

test('two purchases never share a key', async () => {
  await press('lost', 'cart in RUB')
  await press('lost', 'cart in USD')
  expect(keys[1]).not.toBe(keys[0])
})

test.each(['', 'жетон', 'with a space', 'two\nlines', 'nul\u0000', 'separator\u2028'])(
  '%j is no key that a header may carry, and another is made',
  async (text) => {
    visitStorage.setItem('purchase-key:cart', text)
    await press(200, 'cart')
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  },
)

test.each([
  ['another admin logged in', 2, ['Bearer own']],
  ['the same one logged in again', 1, ['Bearer own', 'Bearer newer']],
])(
  'a call that waited for the second factor while %s is sent again only as its own admin',
  async (_, userId, tokens) => {
    keepSession({ token: 'own', userId: 1, nickname: 'zarina', device: 'd' })
    const sent: (string | null)[] = []
    vi.stubGlobal('fetch', async (_address: string, { headers }: { headers: Headers }) => {
      sent.push(headers.get('authorization'))
      if (sent.length > 1) return new Response('{}')
      return new Response('{"error":{"code":"SECOND_FACTOR_REQUIRED"}}', { status: 401 })
    })
    window.addEventListener(secondFactorEvent, (event) => {
      event.preventDefault()
      keepSession({ token: 'newer', userId, nickname: 'whoever', device: 'd' })
      ;(event as CustomEvent<PageQuestion>).detail.answer(true)
    })
    await pay({ body: { currency: 'RUB', amount: 1, confirmRepeat: false } }).catch(() => undefined)
    expect(sent).toEqual(tokens)
  },
)
