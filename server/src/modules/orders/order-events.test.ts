import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { fillCart, payFromBalance } from '../../../test/card-orders.ts'
import { anOffer, aUser, type TestUser } from '../../../test/factories.ts'
import { startShop } from '../../../test/shop.ts'
import { aPlayer, aTopupOrder, passDeliveryTime, shopFor, workOff } from '../../../test/topup-orders.ts'
import { useShop } from '../../../test/use-shop.ts'
import { SERVER_LIMITS } from '../../limits.ts'
import { createListener } from '../../platform/database/notify.ts'
import { sql } from '../../platform/database/queries.ts'
import { announceOrders } from './orders.ts'

const shop = useShop()
let url: string
let listener: ReturnType<typeof createListener>
const heard: string[] = []
beforeAll(async () => {
  await shop.app.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(shop.app.server.address() as AddressInfo).port}/api/orders/events`
  const connected = Promise.withResolvers<void>()
  const tell = announceOrders(shop)
  const order = (payload?: string) => {
    if (payload === undefined) connected.resolve()
    else heard.push(payload)
    tell(payload)
  }
  listener = createListener(shop.config.databaseUrl as string, { order, session: shop.live.endStreams }, shop.log)
  await connected.promise
})
afterAll(() => listener.stop())
afterEach(() => {
  shop.live.endAll()
  opened.length = 0
})

/** Every answer is held: fetch closes the stream of one that was collected as garbage. */
const opened: Response[] = []
async function open(user: TestUser, { headers = {}, signal }: Pick<RequestInit, 'headers' | 'signal'> = {}) {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${user.token}`, ...headers }, signal })
  opened.push(answer)
  return answer
}

/** Reads the next event, or undefined when the stream ends. */
function readEvents(answer: Response) {
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ''
  return async (): Promise<unknown> => {
    for (;;) {
      const [block = '', ...rest] = text.split('\n\n')
      if (rest.length > 0) {
        text = rest.join('\n\n')
        if (block.startsWith('data: ')) return JSON.parse(block.slice('data: '.length))
        continue
      }
      const { value, done } = await reader.read()
      if (done) return undefined
      text += decoder.decode(value, { stream: true })
    }
  }
}

test('a customer hears of the own orders, as they move, and of nobody else', async () => {
  const [order, other] = [await aTopupOrder(shop, { players: [aPlayer('6002')] }), await aTopupOrder(shop)]
  const answer = await open(order.buyer, { headers: { 'accept-encoding': 'gzip' } })
  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-encoding')]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
    null,
  ])
  const next = readEvents(answer)
  await workOff(shopFor(shop))
  await passDeliveryTime(shop, 6)
  await workOff(shopFor(shop))
  const events: unknown[] = []
  while ((events.at(-1) as { status?: string } | undefined)?.status !== 'completed') events.push(await next())
  expect(events[0]).toEqual({ id: order.orderId, status: expect.stringMatching(/pending|completed/) })
  expect(JSON.stringify(events)).not.toContain(other.orderId)
})

test('of a second sum that comes back of an order, which changes no status, is told too', async () => {
  const [admin, buyer] = [await aUser(shop, { role: 'admin' }), await aUser(shop, { usd: 100 })]
  await fillCart(shop, buyer, await anOffer(shop, { stock: 1 }))
  const { id } = (await payFromBalance(shop, buyer)).body.order
  const [item] = (await shop.call('GET', `/admin/orders/${id}`, { token: admin.token })).body.data.items
  for (const amount of [0.4, 0.1]) {
    heard.length = 0
    const body = { reason: 'it came late', items: [{ id: item.id, amount }] }
    const { status } = await shop.call('POST', `/admin/orders/${id}/refund`, { token: admin.token, body })
    expect(status).toBe(200)
    await expect.poll(() => heard, { timeout: 30_000 }).toContain(`${buyer.id} ${id}`)
  }
})

test('every order that moves is notified, and so is one that is refunded in parts', async () => {
  const admin = await aUser(shop, { role: 'admin' })
  const players = [aPlayer('6001'), aPlayer()]
  const { orderId, buyer } = await aTopupOrder(shop, { players, quantity: 3 })
  await workOff(shopFor(shop))
  const { id } = await shop.database.one<{ id: number }>(
    sql`SELECT id FROM order_item WHERE order_id = ${orderId} AND position = 2`,
  )
  for (const amount of [0.1, 0.2]) {
    await expect.poll(() => heard).toContain(`${buyer.id} ${orderId}`)
    heard.length = 0
    const body = { reason: 'late', items: [{ id, amount }] }
    const answer = await shop.call('POST', `/admin/orders/${orderId}/refund`, { token: admin.token, body })
    expect(answer.status).toBe(200)
  }
  await expect.poll(() => heard).toContain(`${buyer.id} ${orderId}`)
})

test('a customer has a few streams at most, and another one when one of them is closed', async () => {
  const user = await aUser(shop)
  const aborts = Array.from({ length: SERVER_LIMITS.liveStreamsPerUser }, () => new AbortController())
  for (const abort of aborts) expect((await open(user, { signal: abort.signal })).status).toBe(200)
  expect((await open(user)).status).toBe(429)
  expect((await open(await aUser(shop))).status).toBe(200)
  aborts[0]?.abort()
  await expect.poll(async () => (await open(user)).status).toBe(200)
})

test('HEAD opens no stream', async () => {
  const user = await aUser(shop)
  const headers = { authorization: `Bearer ${user.token}` }
  for (let n = 0; n <= SERVER_LIMITS.liveStreamsPerUser; n++) {
    expect((await fetch(url, { method: 'HEAD', headers })).status).toBe(404)
  }
  expect(shop.live.isOpen('orders', user.id)).toBe(false)
  expect((await open(user)).status).toBe(200)
})

test('who hangs up before the first event leaves no stream open', async () => {
  const user = await aUser(shop)
  const request = `GET /api/orders/events HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${user.token}\r\n\r\n`
  for (let ms = 0; ms <= 2 * SERVER_LIMITS.liveStreamsPerUser; ms++) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    await once(socket, 'connect')
    // Two at once: the second waits behind the first, and its client leaves before its turn.
    socket.write(ms % 2 === 0 ? request : request + request)
    setTimeout(() => socket.destroy(), ms)
    await once(socket, 'close')
  }
  await expect.poll(() => shop.live.isOpen('orders', user.id)).toBe(false)
  for (let n = 0; n < SERVER_LIMITS.liveStreamsPerUser; n++) expect((await open(user)).status).toBe(200)
})

test.each([
  ['logs out', (user: TestUser) => shop.call('POST', '/auth/logout', { token: user.token })],
  [
    'is blocked',
    async (user: TestUser) =>
      shop.call('PUT', `/admin/users/${user.id}/blocked`, {
        token: (await aUser(shop, { role: 'admin' })).token,
        body: { blocked: true },
      }),
  ],
  [
    'is given another password',
    async (user: TestUser) =>
      shop.call('PUT', `/admin/users/${user.id}/password`, {
        token: (await aUser(shop, { role: 'admin' })).token,
        body: { password: 'another-pass-7' },
      }),
  ],
])('the streams of who %s end, and of nobody else', async (_how, shutOut) => {
  const [user, other] = [await aUser(shop), await aUser(shop)]
  const next = readEvents(await open(user))
  expect((await open(other)).status).toBe(200)
  expect((await shutOut(user)).status).toBeLessThan(300)
  expect(await next()).toBeUndefined()
  expect([shop.live.isOpen('orders', user.id), shop.live.isOpen('orders', other.id)]).toEqual([false, true])
  expect((await open(user)).status).toBe(401)
})

test('who is not logged in hears nothing', async () => {
  expect((await fetch(url)).status).toBe(401)
  expect((await open({ ...(await aUser(shop)), token: 'invented' })).status).toBe(401)
})

test('a store that closes ends the streams', async () => {
  const own = await startShop()
  await own.app.listen({ port: 0, host: '127.0.0.1' })
  const { token } = await aUser(own)
  const { port } = own.app.server.address() as AddressInfo
  const answer = await fetch(`http://127.0.0.1:${port}/api/orders/events`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const next = readEvents(answer)
  const [event] = await Promise.all([next(), own.close()])
  expect(event).toBeUndefined()
})

const toSteps = async (orderId: string, token: string) => {
  const receipt = await shop.call('GET', `/orders/${orderId}`, { token })
  return receipt.body.items.map((item: { steps: { name: string; at: string }[]; refunded_units: number }) => [
    item.refunded_units,
    ...item.steps.map(({ name }) => name),
  ])
}

test('the receipt tells the steps of each top-up', async () => {
  const order = await aTopupOrder(shop, { players: [aPlayer(), aPlayer('6002'), aPlayer('6001')], quantity: 2 })
  const steps = () => toSteps(order.orderId, order.buyer.token)
  expect(await steps()).toEqual([
    [0, 'paid'],
    [0, 'paid'],
    [0, 'paid'],
  ])
  await workOff(shopFor(shop))
  expect(await steps()).toEqual([
    [0, 'paid', 'sent', 'delivered'],
    [0, 'paid', 'sent', 'unknown'],
    [2, 'paid', 'sent', 'refunded'],
  ])
  await passDeliveryTime(shop, 6)
  await workOff(shopFor(shop))
  expect((await steps())[1]).toEqual([0, 'paid', 'sent', 'unknown', 'delivered'])
})

test('a card order that is not paid has no steps yet', async () => {
  const { orderId, buyer } = await aTopupOrder(shop)
  await shop.database.run(sql`UPDATE order_item SET status = 'awaiting_payment' WHERE order_id = ${orderId}`)
  expect(await toSteps(orderId, buyer.token)).toEqual([[0]])
})
