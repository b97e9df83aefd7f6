import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createHttp } from './http.ts'
import { createPageGate } from './rate-limit.ts'

const limits = {
  perSecond: 2,
  burst: 5,
  renderCost: 3,
  clientsAtMost: 100,
  lateMs: 1_000,
  lateMsPerDelayed: 100,
  delayedOfClientAtMost: 4,
  delayedAtMost: 6,
  retryAfterSeconds: 10,
}

let app: FastifyInstance
let gate: ReturnType<typeof createPageGate>
let served: number
let logged: string[]

async function open(changed: Partial<typeof limits> = {}, trustProxy: false | number = 1): Promise<void> {
  served = 0
  logged = []
  gate = createPageGate({ ...limits, ...changed })
  app = createHttp(pino({}, { write: (line: string) => void logged.push(line) }), { trustProxy })
  app.addHook('preClose', async () => gate.releaseAll())
  app.get('/page', { onRequest: gate.enter }, async () => {
    served++
    return 'a page'
  })
  app.get('/rendered', { onRequest: gate.enter }, async (request) => {
    gate.chargeRender(request)
    return 'a page'
  })
  app.get('/api/balance', async () => ({ balance: 1 }))
  await app.ready()
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  await open()
})
afterEach(async () => {
  vi.useRealTimers()
  await app.close()
})

/** Statuses answered so far, in the order of the requests. */
function askMany(count: number, { address = '192.0.2.1', path = '/page' } = {}): (number | undefined)[] {
  const statuses: (number | undefined)[] = Array.from({ length: count })
  for (let n = 0; n < count; n++) {
    const asked = app.inject({ url: path, headers: { 'x-forwarded-for': address } })
    asked.then(
      (answer) => (statuses[n] = answer.statusCode),
      () => (statuses[n] = 0),
    )
  }
  return statuses
}

const passMs = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const of = (status: number | undefined, statuses: unknown[]) => statuses.filter((each) => each === status).length

test('a burst is served at once, and after it so many a second, for ever', async () => {
  const first = askMany(5)
  await passMs(0)
  expect(of(200, first)).toBe(5)
  for (let second = 0; second < 5; second++) {
    await passMs(1_000)
    const more = askMany(2)
    await passMs(0)
    expect(of(200, more)).toBe(2)
  }
})

test('what is beyond is answered late: served when its turn has come, else refused and told when to come back', async () => {
  askMany(5)
  await passMs(0)
  const beyond = askMany(4)
  await passMs(999)
  expect(beyond).toEqual([undefined, undefined, undefined, undefined])
  await passMs(301)
  expect([of(200, beyond), of(503, beyond)]).toEqual([2, 2])
})

test('a refusal is small, says OVERLOADED and when to come back, and is logged once a minute', async () => {
  await app.close()
  await open({ perSecond: 0.001 })
  askMany(5)
  await passMs(0)
  const asked = [1, 2, 3].map(() => app.inject({ url: '/page', headers: { 'x-forwarded-for': '192.0.2.1' } }))
  await passMs(2_000)
  for (const { statusCode, headers, body } of await Promise.all(asked)) {
    expect([statusCode, headers['retry-after'], headers['cache-control']]).toEqual([503, '10', 'no-store'])
    expect([JSON.parse(body).error.code, body.length < 120]).toEqual(['OVERLOADED', true])
  }
  expect(logged.filter((line) => line.includes('192.0.2.1'))).toHaveLength(1)
})

test('a page that is rendered counts as several, and keeps nobody with a token out', async () => {
  for (const expected of [200, 200, undefined]) {
    const rendered = askMany(1, { path: '/rendered' })
    await passMs(0)
    expect(rendered).toEqual([expected])
  }
})

test('each client has its own limit; all addresses of a household of version 6 are one client', async () => {
  askMany(5)
  const household = [1, 2, 3, 4, 5, 6].flatMap((n) => askMany(1, { address: `2001:db8:1:2::${n}` }))
  const [stranger, neighbour] = [askMany(1, { address: '192.0.2.2' }), askMany(1, { address: '2001:db8:1:3::1' })]
  await passMs(0)
  expect([stranger, neighbour]).toEqual([[200], [200]])
  expect(household).toHaveLength(6)
  const more = askMany(1, { address: '2001:db8:1:2::7' })
  await passMs(0)
  expect(more).toEqual([undefined])
})

test('calls pass by it, whoever asks and however many pages of his wait', async () => {
  askMany(9)
  await passMs(0)
  const calls = askMany(20, { path: '/api/balance' })
  await passMs(0)
  expect(of(200, calls)).toBe(20)
})

test('only so many answers wait, of one client and of all; beyond, a proxy is told at once', async () => {
  await app.close()
  await open({ perSecond: 0.001 })
  const first = askMany(5 + 4 + 3)
  await passMs(0)
  expect([of(200, first), of(undefined, first), of(503, first)]).toEqual([5, 4, 3])
  const second = askMany(5 + 2 + 3, { address: '192.0.2.2' })
  await passMs(0)
  expect([of(200, second), of(undefined, second), of(503, second)]).toEqual([5, 2, 3])
})

test('clients are forgotten, the one that asked least lately first', async () => {
  await app.close()
  await open({ clientsAtMost: 2, perSecond: 0.001 })
  askMany(5, { address: '192.0.2.1' })
  askMany(5, { address: '192.0.2.2' })
  await passMs(0)
  askMany(1, { address: '192.0.2.3' })
  const [known, forgotten] = [askMany(1, { address: '192.0.2.2' }), askMany(1, { address: '192.0.2.1' })]
  await passMs(0)
  expect([known, forgotten]).toEqual([[undefined], [200]])
})

test('closing waits for no answer that is held', async () => {
  const asked = askMany(9)
  await passMs(0)
  expect(of(undefined, asked)).toBe(4)
  await app.close()
  expect(of(undefined, asked)).toBe(0)
})

/** These need real sockets and real time, without which sockets stand still. */
describe('a connection', () => {
  async function speak(requests: string[]): Promise<string> {
    const { port } = app.server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(requests.map((path) => `GET ${path} HTTP/1.1\r\nhost: shop\r\n\r\n`).join(''))
    return (await buffer(socket)).toString()
  }

  async function listen(changed: Partial<typeof limits>): Promise<void> {
    vi.useRealTimers()
    await app.close()
    await open(changed, false)
    await app.listen({ port: 0, host: '127.0.0.1' })
  }

  test('that sends one request after the other without waiting gets no more pages, and is ended', async () => {
    await listen({ perSecond: 0.001 })
    const answers = await speak(Array.from({ length: 500 }, () => '/page'))
    expect(served).toBe(5)
    expect(answers.split('HTTP/1.1').length - 1).toBeLessThanOrEqual(5)
    // Another connection of this address gets no fresh limit.
    await speak(Array.from({ length: 500 }, () => '/page'))
    expect(served).toBe(5)
  })

  test('beyond the answers that may wait is ended, and calls over another one are answered', async () => {
    await listen({ perSecond: 0.001, delayedOfClientAtMost: 0 })
    for (let n = 0; n < 5; n++) expect((await fetch(address('/page'))).status).toBe(200)
    expect(await speak(['/page'])).toBe('')
    expect((await fetch(address('/api/balance'))).status).toBe(200)
  })

  const address = (path: string) => `http://127.0.0.1:${(app.server.address() as AddressInfo).port}${path}`
})
