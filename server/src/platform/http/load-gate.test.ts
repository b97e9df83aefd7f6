import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createHttp } from './http.ts'
import { createLoadGate } from './rate-limit.ts'

const limits = { lateMs: 50, everyMs: 100, perSecondLeast: 20, perSecondMost: 200, burst: 20, retryAfterSeconds: 10 }

let app: FastifyInstance
let atMs: number
let isCrowded: boolean
let logged: string[]

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  atMs = 0
  isCrowded = false
  logged = []
  app = createHttp(pino({}, { write: (line: string) => void logged.push(line) }), { trustProxy: 1, requestLog: true })
  const gate = createLoadGate(app.log, limits, { now: () => atMs, isDatabaseCrowded: () => isCrowded })
  app.earlyHandlers.push(gate.refuse)
  app.addHook('preClose', async () => gate.stop())
  app.get('/page', { onRequest: gate.enter }, async () => 'a page')
  app.get('/assets/*', async () => 'a file')
  app.get('/favicon.svg', async () => 'a file')
  app.get('/api/products', async () => [])
  app.post('/api/payment/from-balance', async () => ({ success: true }))
  await app.ready()
})
afterEach(async () => {
  await app.close()
  vi.useRealTimers()
})

let addresses = 0
/** As many visitors as pages. */
const ask = () =>
  app.inject({ url: '/page', headers: { 'x-forwarded-for': `100.64.${++addresses >> 8}.${addresses & 255}` } })
const buy = () => app.inject({ method: 'POST', url: '/api/payment/from-balance' })

/** Time passes up to the next look at the loop, which comes this much too late. */
function pass(lateMs: number): void {
  atMs += limits.everyMs + lateMs
  vi.advanceTimersByTime(limits.everyMs)
}

/** A crowd asks for a second, so often between two looks, while the loop is late; returns how many got their page. */
async function serveCrowd(lateMs: number, perLook: number): Promise<number> {
  let served = 0
  for (let beganAt = atMs; atMs - beganAt < 1_000; pass(lateMs)) {
    const answers = await Promise.all(Array.from({ length: perLook }, ask))
    served += answers.filter(({ statusCode }) => statusCode === 200).length
  }
  return served
}

test('while the loop keeps up a crowd gets its pages', async () => {
  expect(await serveCrowd(0, 20)).toBe(200)
  expect(await serveCrowd(40, 20)).toBe(160)
})

test('while it is late fewer and fewer pages are let in, down to a few, and payments all the same', async () => {
  await serveCrowd(150, 20)
  await serveCrowd(150, 20)
  const served = await serveCrowd(150, 20)
  expect(served).toBeGreaterThanOrEqual(limits.perSecondLeast - 1)
  expect(served).toBeLessThan(limits.perSecondLeast * 2)
  const [refused] = (await Promise.all(Array.from({ length: 20 }, ask))).slice(-1)
  expect([refused?.statusCode, refused?.headers['retry-after'], refused?.json().error.code]).toEqual([
    503,
    '10',
    'OVERLOADED',
  ])
  expect((await buy()).statusCode).toBe(200)
  expect(logged.filter((line) => line.includes('late with its work'))).toHaveLength(1)
})

test('when it keeps up again the pages come back by and by', async () => {
  for (let second = 0; second < 3; second++) await serveCrowd(150, 20)
  const soon = await serveCrowd(0, 20)
  for (let second = 0; second < 10; second++) await serveCrowd(0, 20)
  expect(soon).toBeLessThan(60)
  expect(await serveCrowd(0, 20)).toBeGreaterThan(180)
})

test('a loop that is late for another reason than pages turns no single visitor away', async () => {
  for (let look = 0; look < 100; look++) {
    pass(400)
    expect((await ask()).statusCode).toBe(200)
  }
})

test('while those who buy wait for the database fewer pages are let in, however early the loop is', async () => {
  isCrowded = true
  await serveCrowd(0, 20)
  expect(await serveCrowd(0, 20)).toBeLessThan(limits.perSecondLeast * 2)
  expect((await buy()).statusCode).toBe(200)
  isCrowded = false
  for (let second = 0; second < 10; second++) await serveCrowd(0, 20)
  expect(await serveCrowd(0, 20)).toBeGreaterThan(180)
})

test('over a connection what has no room is refused early, by a line of the log, and calls and files are not', async () => {
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  expect((await fetch(`${address}/page`)).status).toBe(200)
  await Promise.all(Array.from({ length: limits.burst }, ask))
  const refused = await fetch(`${address}/page?made=up`)
  expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toMatchObject([
    503,
    '10',
    { success: false, error: { code: 'OVERLOADED' } },
  ])
  expect((await fetch(`${address}/`, { method: 'HEAD' })).status).toBe(503)
  const open = ['/assets/a.js', '/favicon.svg?v=1', '/api/products', '/api/payment/from-balance']
  const answers = open.map((path) => fetch(address + path, { method: path.includes('payment') ? 'POST' : 'GET' }))
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const lines = logged.map((line) => JSON.parse(line)).filter(({ refusal, route }) => refusal && route === '/*')
  expect(lines).toMatchObject([
    { reqId: refused.headers.get('x-request-id'), method: 'GET', status: 503, refusal: 'OVERLOADED' },
    { method: 'HEAD', status: 503 },
  ])
  atMs += 1_000
  expect((await fetch(`${address}/page`)).status).toBe(200)
})
