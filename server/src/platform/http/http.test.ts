import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { beforeAll, expect, test, vi } from 'vitest'
import { anOffer, aUser } from '../../../test/factories.ts'
import { startShop } from '../../../test/shop.ts'
import { useShop } from '../../../test/use-shop.ts'
import { sql } from '../database/queries.ts'
import { createHttp, listen } from './http.ts'

const shop = useShop()
let port: number
beforeAll(async () => {
  await shop.app.listen({ port: 0, host: '127.0.0.1' })
  port = (shop.app.server.address() as AddressInfo).port
})

const open = async (): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

/** Sends these bytes and reads until the store closes the connection. */
async function exchange(bytes: string): Promise<{ status: number; body: unknown }> {
  const socket = await open()
  socket.write(bytes)
  const answer = await text(socket)
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), body: JSON.parse(body) }
}

const refusal = (code: string) => ({ success: false, error: { code, message: expect.any(String) } })

test.each([
  ['what is no HTTP', 'HELLO\r\n\r\n'],
  ['a method there is not', 'FROB /api/health HTTP/1.1\r\nhost: a\r\n\r\n'],
  [
    '40 kB of authorization',
    `GET /api/profile HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${'x'.repeat(40_000)}\r\n\r\n`,
  ],
  ['NUL in a header', 'GET /api/profile HTTP/1.1\r\nhost: a\r\nauthorization: Bearer \u0000\r\n\r\n'],
  ['two lengths', 'POST /api/support HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}'],
  ['a chunk without a size', 'POST /api/support HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'],
])('%s is refused in the one shape', async (_name, bytes) => {
  expect(await exchange(bytes)).toEqual({ status: 400, body: refusal('VALIDATION_FAILED') })
  expect((await shop.call('GET', '/health')).status).toBe(200)
})

test.each(['200-ok', 'nonsense'])('what is expected besides (%s) changes no answer', async (expected) => {
  const head = `POST /api/support HTTP/1.1\r\nhost: a\r\nexpect: ${expected}\r\nconnection: close\r\n`
  const answer = await exchange(`${head}content-type: application/json\r\ncontent-length: 2\r\n\r\n{}`)
  expect(answer).toMatchObject({ status: 400, body: refusal('VALIDATION_FAILED') })
})

test('a body that says to be larger than it may be is refused before it is read', async () => {
  const head = 'POST /api/support HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\nconnection: close\r\n'
  const answer = await exchange(`${head}content-length: 999999999\r\n\r\n{`)
  expect(answer).toEqual({ status: 413, body: refusal('BODY_TOO_LARGE') })
})

test('who sends far too much and reads only afterwards is told why, each time, and the store keeps nothing of it', async () => {
  const other = createHttp(pino({ level: 'silent' }), { trustProxy: false })
  let asked = 0
  other.post('/', async () => ++asked)
  await other.listen({ port: 0, host: '127.0.0.1' })
  const { port } = other.server.address() as AddressInfo
  const head = 'POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n'
  const kept = () => process.memoryUsage().arrayBuffers
  const before = kept()
  const send = async (length: string, piece: string): Promise<{ answer: string; most: number }> => {
    const socket = connect(port, '127.0.0.1').pause()
    // What is written to a store that has hung up is an error, which the answer shows.
    socket.on('error', () => {})
    socket.write(`${head}${length}\r\n\r\n`)
    let most = 0
    for (let pieces = 0; pieces < 150 && !socket.destroyed; pieces++) {
      await new Promise((written) => socket.write(piece, written))
      most = Math.max(most, kept() - before)
    }
    // What would be another request after the end of this one is none on a connection that was said to be over.
    socket.write(`\r\n0\r\n\r\n${head}connection: close\r\ncontent-length: 2\r\n\r\n{}`)
    return { answer: socket.destroyed ? '' : await text(socket).catch(() => ''), most }
  }
  const piece = 'x'.repeat(0x1_0000)
  for (let time = 0; time < 20; time++) {
    for (const { answer, most } of [
      await send('transfer-encoding: chunked', `${piece.length.toString(16)}\r\n${piece}\r\n`),
      await send(`content-length: ${2 ** 31}`, piece),
    ]) {
      expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*"code":"BODY_TOO_LARGE","message":"[^"]*send it in parts"/)
      expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
      expect(most).toBeLessThan(150_000_000)
    }
  }
  expect(asked).toBe(0)
  await other.close()
})

test('whatever goes wrong inside, the answer tells nothing of it', async () => {
  const { token } = await aUser(shop)
  await shop.database.run(sql`ALTER TABLE account RENAME COLUMN balance TO balance_gone`)
  const answer = await shop.call('GET', '/balance', { token })
  expect([answer.status, answer.body]).toEqual([500, refusal('UNEXPECTED_ERROR')])
  expect(answer.text).not.toMatch(/balance_gone|column|SELECT|\.ts/)
})

test('while the store closes, requests that come over an open connection are answered as those under way are', async () => {
  const other = await startShop()
  await other.app.listen({ port: 0, host: '127.0.0.1' })
  const { pool } = other.database
  const socket = connect((other.app.server.address() as AddressInfo).port, '127.0.0.1')
  const answer = text(socket)
  const clients = await Promise.all(Array.from({ length: other.config.databaseConnections }, () => pool.connect()))
  socket.write('GET /api/products HTTP/1.1\r\nhost: a\r\n\r\n')
  await new Promise((later) => setTimeout(later, 100))
  const closing = other.app.close()
  socket.write('GET /api/health HTTP/1.1\r\nhost: a\r\n\r\n')
  await new Promise((later) => setTimeout(later, 100))
  for (const client of clients) client.release()
  const answers = (await answer).split('HTTP/1.1 ').slice(1)
  await closing
  expect(answers.map((one) => Number(one.slice(0, 3)))).toEqual([200, 200])
  expect(answers[1]).toMatch(/^connection: close\r$/im)
  await other.close()
})

test('a connection on which nothing was ever asked does not delay the end', async () => {
  const other = await startShop()
  await other.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = other.app.server.address() as AddressInfo
  const sockets = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')] as const
  const hungUp = sockets.map((socket) => new Promise((done) => socket.on('error', () => {}).on('close', done)))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  sockets[1].write('GET /api/health HTTP/1.1\r\nhost')
  const began = performance.now()
  await other.close()
  expect(performance.now() - began).toBeLessThan(5_000)
  await Promise.all(hungUp)
})

test('a request whose connection was opened before the store closed is answered, though it comes a moment later', async () => {
  const other = await startShop()
  await other.app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((other.app.server.address() as AddressInfo).port, '127.0.0.1')
  const answer = text(socket)
  await once(other.app.server, 'connection')
  const closing = other.close()
  await vi.waitFor(() => expect(other.app.server.listening).toBe(false))
  socket.write('GET /api/health HTTP/1.1\r\nhost: a\r\n\r\n')
  expect(await answer).toMatch(/^HTTP\/1\.1 200 /)
  await closing
})

test('a store that was told to end says that it is not ready, and serves on until its proxy has noticed', async () => {
  let isDraining = false
  const other = await startShop({}, { isDraining: () => isDraining })
  const statuses = async () =>
    (await Promise.all(['/ready', '/health', '/products'].map((path) => other.call('GET', path)))).map((a) => a.status)
  expect(await statuses()).toEqual([200, 200, 200])
  isDraining = true
  expect(await statuses()).toEqual([503, 200, 200])
  await other.close()
})

test('a node that is about to close drops reads, which reach another one, and takes purchases', async () => {
  let isDroppingReads = false
  const other = createHttp(pino({ level: 'silent' }), { trustProxy: false, isDroppingReads: () => isDroppingReads })
  other.get('/page', async () => 'read')
  other.post('/purchase', async () => 'taken')
  const url = await other.listen({ port: 0, host: '127.0.0.1' })
  const askFor = (path: string, method: string) =>
    fetch(url + path, { method, headers: { connection: 'close' } }).then(
      (answer) => answer.status,
      () => 'hung up',
    )
  const ask = async () => [await askFor('/page', 'GET'), await askFor('/purchase', 'POST')]
  expect(await ask()).toEqual([200, 200])
  isDroppingReads = true
  expect(await ask()).toEqual(['hung up', 200])
  // A page that is just being rendered reads what it needs.
  expect((await other.inject('/page')).statusCode).toBe(200)
  await other.close()
})

/** How many connections this machine has turned away because too many waited to be accepted. */
const countTurnedAway = (): number => {
  const [names = '', values = ''] = readFileSync('/proc/net/netstat', 'utf8').split('\n')
  return Number(values.split(' ')[names.split(' ').indexOf('ListenOverflows')])
}

test('a crowd that comes at once finds room, however late the node is to accept it', async () => {
  const other = createHttp(pino({ level: 'silent' }), { trustProxy: false })
  await listen(other, { port: 0, host: '127.0.0.1' })
  const { port } = other.server.address() as AddressInfo
  const before = countTurnedAway()
  // None of them is accepted before the last one has called.
  const crowd = Array.from({ length: 1_500 }, () => connect(port, '127.0.0.1'))
  await Promise.all(crowd.map((socket) => once(socket, 'connect')))
  expect(countTurnedAway() - before).toBe(0)
  for (const socket of crowd) socket.destroy()
  await other.close()
})

test('a body that trickles is ended, and one that is slow but comes in time is not', async () => {
  const other = createHttp(pino({ level: 'silent' }), { trustProxy: false, requestTimeoutMs: 700 })
  other.post('/', async () => 'taken')
  await other.listen({ port: 0, host: '127.0.0.1' })
  const { port } = other.server.address() as AddressInfo
  const send = (bytes: number) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(
      `POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: 9\r\n\r\n`,
    )
    let sent = 0
    const drop = setInterval(() => (sent++ < bytes ? socket.write('1') : clearInterval(drop)), 30)
    return text(socket).finally(() => clearInterval(drop))
  }
  const [whole, trickle] = await Promise.all([send(9), send(8)])
  expect(whole).toMatch(/^HTTP\/1\.1 200 /)
  expect(trickle).toMatch(/^HTTP\/1\.1 400 /)
  await other.close()
})

const ofPages = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}
const ofCalls = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

test('every page tells browsers to be careful with it, and to use nothing that the store does not', async () => {
  for (const path of [
    '/api/docs/',
    '/api/docs',
    '/api/%64ocs/',
    '/robots.txt',
    '/nothing',
    '//api/products',
    '/API/products',
  ]) {
    const { headers } = await shop.app.inject({ url: path })
    expect([path, headers]).toEqual([path, expect.objectContaining(ofPages)])
    expect([path, headers['strict-transport-security']]).toEqual([path, undefined])
    const policy = String(headers['permissions-policy'])
    for (const name of ['camera', 'microphone', 'geolocation', 'payment', 'usb']) expect(policy).toContain(`${name}=()`)
    // The pages let customers copy and share codes.
    expect(policy).not.toMatch(/clipboard|web-share/)
  }
})

test('an answer of the API runs nothing and is framed nowhere, should it be opened as a page', async () => {
  const offer = await anOffer(shop)
  const ways = [
    '/api/products',
    '/%61pi/products',
    'http://shop.example/api/products',
    `/api/products/${offer.productId}`,
  ]
  for (const path of [...ways, '/api/health', '/api/nothing', '/api/profile', '/api/openapi.json']) {
    const { headers } = await shop.app.inject({ url: path })
    expect([path, headers]).toEqual([path, expect.objectContaining(ofCalls)])
    const others = [...Object.keys(ofPages), 'permissions-policy', 'strict-transport-security']
    expect([path, others.filter((name) => name in headers && !(name in ofCalls))]).toEqual([path, []])
  }
})

test('over HTTPS every answer keeps browsers to it', async () => {
  const secure = await startShop({ PUBLIC_URL: 'https://shop.example', ALLOW_SANDBOX: '1' })
  for (const url of ['/api/health', '/robots.txt']) {
    const { headers } = await secure.app.inject({ url })
    expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains')
  }
  await secure.close()
})
