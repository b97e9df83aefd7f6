import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { anOffer, aUser, toCart } from '../../../test/factories.ts'
import { useShop } from '../../../test/use-shop.ts'
import { sql } from '../database/queries.ts'

const logLines: string[] = []
const shop = useShop({ TRUST_PROXY: '10.1.0.0/16', REQUEST_LOG: 'on' }, { logLines })

const lines = () => logLines.map((line) => JSON.parse(line))
const linesFor = (reqId: unknown) => lines().filter((line) => line.reqId === reqId)
const given = (id: string, remoteAddress: string) =>
  shop.app.inject({ url: '/api/health', headers: { 'x-request-id': id }, remoteAddress })

test('every answer says its own id, shared, refused, of no route and of an unreadable address too', async () => {
  const urls = ['/api/products', '/api/products', '/api/profile', '/nothing', '/api/%ff', '/metrics', '/api/products']
  const answers = await Promise.all(urls.map((url) => shop.app.inject({ url })))
  const ids = answers.map(({ headers }) => headers['x-request-id'])
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{12}-[0-9a-z]+$/)
  expect(new Set(ids).size).toBe(urls.length)
})

test('what is no request is answered with an id as well', async () => {
  await shop.app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((shop.app.server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write('HELLO\r\n\r\n')
  const [, id] = /^x-request-id: (\S+)$/im.exec(await text(socket)) ?? []
  expect(linesFor(id)).toMatchObject([{ msg: 'not a request' }])
})

test.each([
  ['of a trusted proxy is taken', 'a_B-1', '10.1.2.3', true],
  ['of anybody else is not', 'a_B-2', '10.2.2.3', false],
  ['with other characters is not', 'a b', '10.1.2.3', false],
  ['of 64 characters is taken', 'x'.repeat(64), '10.1.2.3', true],
  ['of 65 characters is not', 'x'.repeat(65), '10.1.2.3', false],
])('an id %s', async (_which, id, address, isTaken) => {
  expect((await given(id, address)).headers['x-request-id'] === id).toBe(isTaken)
})

test('a request is one line, which names the route and nothing of its address or body', async () => {
  const offer = await anOffer(shop, { stock: 2 })
  const { token, nickname } = await aUser(shop, { usd: 10_000 })
  logLines.length = 0
  await shop.call('POST', '/cart/add', { token, body: toCart(offer, 1) })
  const paid = await shop.call('POST', '/payment/from-balance', {
    token,
    body: { currency: 'USD' },
    headers: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
  })
  const receipt = await shop.call('GET', `/orders/${paid.body.order.id}`, { token })
  await shop.call('GET', '/health')
  const written = lines().filter(({ msg }) => msg === 'request')
  expect(written.map(({ method, route, status, level }) => [method, route, status, level])).toEqual([
    ['POST', '/api/cart/add', 201, 30],
    ['POST', '/api/payment/from-balance', 201, 30],
    ['GET', '/api/orders/:id', 200, 30],
    ['GET', '/api/health', 200, 20],
  ])
  expect(written[1]).toMatchObject({
    reqId: paid.headers['x-request-id'],
    traceId: '0af7651916cd43dd8448eb211c80319c',
    ms: expect.any(Number),
  })
  const secrets = [token, nickname, receipt.body.items[0].code, paid.body.order.id, '127.0.0.1']
  expect(secrets.filter((secret) => logLines.join('').includes(secret))).toEqual([])
})

test.each(['', 'nonsense', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`, 'ff-0af7651916cd43dd8448eb211c80319c-b7-01'])(
  'a traceparent of %j is no trace',
  async (traceparent) => {
    const answer = await shop.call('GET', '/health', { headers: { traceparent } })
    expect(linesFor(answer.headers['x-request-id'])).toMatchObject([{ msg: 'request' }])
    expect(linesFor(answer.headers['x-request-id'])[0]).not.toHaveProperty('traceId')
  },
)

test('lines that are written deep inside have the id too, also once a body was read', async () => {
  const login = await shop.call('POST', '/auth/login', { body: { nickname: 'Nobody-1', password: 'wrong-0ne' } })
  const messages = linesFor(login.headers['x-request-id']).map(({ msg }) => msg)
  expect(messages).toEqual(['security', 'request'])
  expect(linesFor(login.headers['x-request-id'])[1]).toMatchObject({ refusal: login.body.error.code })
})

test('an error line has the id and the route', async () => {
  const { token } = await aUser(shop)
  await shop.database.run(sql`ALTER TABLE account RENAME COLUMN balance TO balance_gone`)
  const { headers } = await shop.call('GET', '/balance', { token })
  await shop.database.run(sql`ALTER TABLE account RENAME COLUMN balance_gone TO balance`)
  const [error, request] = linesFor(headers['x-request-id'])
  expect(error).toMatchObject({ level: 50, route: '/api/balance', msg: 'request failed' })
  expect(request).toMatchObject({ status: 500, refusal: 'UNEXPECTED_ERROR' })
})
