import { randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { firstShop } from '@olmos/contract/first-shop'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openedBy, sandboxSecret, tell } from '../test/card-orders.ts'
import { cloneDatabase } from '../test/database.ts'
import { type Collector, pathUp, startCollector } from '../test/doubles/collector.ts'
import { anOffer, aUser, toCart } from '../test/factories.ts'
import { type Ground, openShop, startShop, type TestShop } from '../test/shop.ts'
import { aPlayer } from '../test/topup-orders.ts'
import { freefireTopup, orderTopup, sellTopups, steamTopup, tenDollars, topupOffer } from '../test/topups.ts'
import { openBuiltWeb } from './built-web.ts'
import { deliverNext } from './modules/delivery/deliver.ts'
import { sql } from './platform/database/queries.ts'
import { createMeters } from './platform/live/metrics.ts'
import { startTelemetry } from './platform/live/telemetry.ts'
import { resumeTrace } from './platform/live/tracing.ts'
import { serveStorefront } from './storefront.ts'

const settingsFor = ({ url }: Collector, more: Record<string, string> = {}) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  SANDBOX_SECRET: sandboxSecret,
  ...more,
})

async function deliverAll(shop: TestShop): Promise<void> {
  while (await deliverNext(shop));
}

/** The second node takes what the first one sold, as it would behind a proxy. Both are closed before anything is read. */
async function onTwoNodes(
  more: Record<string, string>,
  work: (seller: TestShop, deliverer: TestShop) => Promise<void>,
) {
  const [own, collector] = await Promise.all([cloneDatabase(), startCollector()])
  const logLines: string[] = []
  const ground: Ground = { url: own.url, secretKey: randomBytes(32), logLines }
  const seller = await openShop(settingsFor(collector, { PORT: '3001', REQUEST_LOG: 'on', ...more }), ground)
  const deliverer = await openShop(settingsFor(collector, { PORT: '3002', ...more }), ground)
  await sellTopups(seller)
  await work(seller, deliverer)
  await seller.close()
  await deliverer.close()
  await own.drop()
  await collector.close()
  return { collector, spans: collector.spans(), lines: logLines.map((line) => JSON.parse(line)) }
}

describe('a top-up that is bought on one node and sent to its supplier by another', () => {
  let result: Awaited<ReturnType<typeof onTwoNodes>>
  let requestId: unknown
  let secrets: string[]
  beforeAll(async () => {
    result = await onTwoNodes({ OTEL_EXPORTER_OTLP_HEADERS: 'x-scope=my%20shop' }, async (seller, deliverer) => {
      const buyer = await aUser(seller, { usd: 100_000 })
      const offer = await topupOffer(seller, 'freefire', 310)
      const player = aPlayer()
      const bought = await orderTopup(seller, buyer, freefireTopup(offer, player), { key: 'a-key-of-mine' })
      expect(bought.status).toBe(201)
      requestId = bought.headers['x-request-id']
      await deliverAll(deliverer)
      const { status } = await seller.database.one<{ status: string }>(sql`SELECT status FROM orders`)
      expect(status).toBe('completed')

      // What goes wrong must not speak either.
      const unlucky = aPlayer('6001')
      await orderTopup(seller, buyer, freefireTopup(offer, unlucky))
      await deliverAll(deliverer)
      const shelf = await anOffer(seller, { stock: 1 })
      await seller.call('POST', '/cart/add', { token: buyer.token, body: toCart(shelf, 1) })
      const paid = await seller.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency: 'USD' } })
      await seller.call('GET', `/orders/${paid.body.order.id}`, { token: buyer.token })
      await seller.call('GET', '/products?search=queried-word&language=en')
      const password = 'my-Passw0rd'
      await seller.call('POST', '/auth/login', { body: { nickname: buyer.nickname, password } })
      await seller.call('POST', '/auth/register', { body: { nickname: 'Spy-of-Spies', password } })
      const byHand = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, name: 'by hand' }
      const failing = resumeTrace(seller.telemetry, byHand, () =>
        seller.database.transaction((tx) => tx.run(sql`SELECT 'written-word'::int`)),
      )
      await expect(failing).rejects.toThrow()
      const orderIds = await seller.database.rows<{ id: string }>(sql`SELECT id FROM orders`)
      secrets = [
        ...[buyer.token, buyer.nickname, player, unlucky, password, ...shelf.codes],
        ...['queried-word', 'written-word', 'Spy-of-Spies', 'a-key-of-mine', '127.0.0.1'],
        ...orderIds.map(({ id }) => id),
      ]
    })
  })

  const spansOfPurchase = () => {
    const { spans } = result
    const root = spans.find(({ attributes }) => attributes['olmos.request_id'] === requestId)
    return { root, spans: spans.filter(({ traceId }) => traceId === root?.traceId) }
  }

  test('is one trace, from the click to COMMIT and on to the supplier', () => {
    const { root, spans } = spansOfPurchase()
    const click = 'POST /api/orders/topup'
    expect(root).toMatchObject({ name: click, attributes: { 'http.response.status_code': 201 } })
    expect(root?.parentSpanId ?? '').toBe('')
    const paths = spans.map((span) => pathUp(spans, span).join(' < '))
    expect(paths).toContain(`COMMIT < transaction < ${click}`)
    expect(paths).toContain(`sandbox order < deliver < transaction < ${click}`)
    expect(paths).toContain(`COMMIT < transaction < deliver < transaction < ${click}`)
    expect(paths.filter((path) => !path.endsWith(click))).toEqual([])
    const order = spans.find(({ name }) => name === 'sandbox order')
    expect(order?.attributes).toMatchObject({ 'olmos.vendor': 'sandbox', 'olmos.outcome': 'done' })
  })

  test('has each node say what it did, and COMMIT come before the delivery', () => {
    const { root, spans } = spansOfPurchase()
    const named = (name: string, parentSpanId?: string) =>
      spans.filter((span) => span.name === name && (!parentSpanId || span.parentSpanId === parentSpanId))
    const nodes = new Set(spans.map(({ node }) => String(node).split(':').at(-1)))
    expect(nodes).toEqual(new Set(['3001', '3002']))
    const [deliver] = named('deliver')
    expect(deliver?.node).not.toBe(root?.node)
    const [commit] = named('COMMIT', deliver?.parentSpanId)
    // Spans begin at a whole millisecond.
    const toMs = (nanoseconds = '0') => Number(BigInt(nanoseconds) / 1_000_000n)
    expect(toMs(commit?.endTimeUnixNano)).toBeLessThanOrEqual(toMs(deliver?.startTimeUnixNano))
  })

  test('has its trace and its request in the log', () => {
    const { root } = spansOfPurchase()
    const line = result.lines.find(({ msg, reqId }) => msg === 'request' && reqId === requestId)
    expect(line).toMatchObject({ traceId: root?.traceId, route: '/api/orders/topup' })
    // What the worker writes is found by the trace as well.
    const failing = result.lines.find(({ msg }) => msg === 'not delivered')
    expect(result.spans.map(({ traceId }) => traceId)).toContain(failing?.traceId)
  })

  test('lets no token, code, password, nickname, player, order or word of a query out', () => {
    const sent = result.collector.received.map(({ body }) => body).join('\n')
    expect(sent).toContain('POST /api/auth/login')
    expect(secrets.length).toBeGreaterThan(10)
    expect(secrets.filter((secret) => sent.includes(secret))).toEqual([])
    const failed = result.spans.find(({ traceId, name }) => traceId.startsWith('aaaa') && name === 'transaction')
    expect(failed).toMatchObject({ status: { code: 2 }, attributes: { 'error.type': '22P02' } })
  })

  test('is sent with the headers of the settings', () => {
    expect(new Set(result.collector.received.map(({ path }) => path))).toEqual(new Set(['/v1/traces', '/v1/metrics']))
    for (const { headers } of result.collector.received) expect(headers['x-scope']).toBe('my shop')
  })

  test('is counted in the metrics that are pushed', () => {
    const metrics = result.collector.metrics()
    const read = (name: string) => metrics.find((metric) => metric.name === name)
    expect(read('olmos_orders_total')?.sum).toMatchObject({ isMonotonic: true })
    expect(read('olmos_database_connections')?.gauge?.dataPoints.length).toBe(3)
    const points = read('olmos_vendor_call_seconds')?.histogram?.dataPoints ?? []
    expect(points.length).toBeGreaterThan(0)
    for (const { count, sum, bucketCounts = [], explicitBounds = [] } of points) {
      expect(bucketCounts.reduce((total, part) => total + Number(part), 0)).toBe(Number(count))
      expect(bucketCounts.length).toBe(explicitBounds.length + 1)
      expect(sum).toBeGreaterThan(0)
    }
  })
})

test('a payment that a webhook settles belongs to the trace of the click, and so does its delivery', async () => {
  let clickId: unknown
  const { spans } = await onTwoNodes({}, async (seller, deliverer) => {
    const buyer = await aUser(seller)
    const pressed = await seller.call('POST', '/payment/create', {
      token: buyer.token,
      body: { amount: 10.3, currency: 'USD', type: 'order', topupData: steamTopup(tenDollars) },
    })
    clickId = pressed.headers['x-request-id']
    const order = { ...(await openedBy(seller, pressed)), amount: 1_030 }
    expect((await tell(seller, order)).statusCode).toBe(200)
    await deliverAll(deliverer)
  })
  const click = spans.find(({ attributes }) => attributes['olmos.request_id'] === clickId)
  const inTrace = spans.filter(({ traceId }) => traceId === click?.traceId)
  const paths = inTrace.map((span) => pathUp(inTrace, span).join(' < '))
  const from = 'settle payment < transaction < POST /api/payment/create'
  expect(paths).toContain('sandbox createPayment < POST /api/payment/create')
  expect(paths).toContain(from)
  expect(paths).toContain(`sandbox order < deliver < ${from}`)
  const settled = inTrace.find(({ name }) => name === 'settle payment')
  const linked = spans.find(({ spanId }) => spanId === settled?.links?.[0]?.spanId)
  expect(linked && pathUp(spans, linked)).toEqual(['transaction', 'POST /api/payment/webhook/:provider'])
})

describe('a traceparent', () => {
  let collector: Collector
  let shop: TestShop
  beforeAll(async () => {
    collector = await startCollector()
    shop = await startShop(settingsFor(collector, { TRUST_PROXY: '10.1.0.0/16', OTEL_METRICS_EXPORTER: 'none' }))
    const given = (flags: string, remoteAddress: string) =>
      shop.app.inject({
        url: '/api/products',
        headers: { traceparent: `00-0af7651916cd43dd8448eb211c8031${flags}-b7ad6b7169203331-${flags}` },
        remoteAddress,
      })
    await given('01', '10.1.2.3')
    await given('00', '10.1.2.3')
    await given('01', '10.2.2.3')
    // Two requests over one connection.
    await shop.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = shop.app.server.address() as AddressInfo
    for (let n = 0; n < 2; n++) await (await fetch(`http://127.0.0.1:${port}/api/promotions/active`)).text()
    await shop.call('GET', '/health')
    await shop.close()
    await collector.close()
  })
  const spansCalled = (name: string) => collector.spans().filter((span) => span.name === name)

  test('of a trusted proxy is continued, unless it says that nobody records it; of others it is not', () => {
    const spans = spansCalled('GET /api/products')
    expect(spans.map(({ parentSpanId }) => parentSpanId || undefined)).toEqual(['b7ad6b7169203331', undefined])
    expect(spans.map(({ traceId }) => traceId.startsWith('0af7651916cd43dd8448eb211c8031'))).toEqual([true, false])
  })

  test('of an earlier request on the connection counts for nothing', () => {
    const spans = spansCalled('GET /api/promotions/active')
    expect(spans.map(({ parentSpanId }) => parentSpanId || undefined)).toEqual([undefined, undefined])
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(2)
  })

  test('is not made for what machines ask all day, and no metrics are sent where they are switched off', () => {
    expect(spansCalled('GET /api/health')).toEqual([])
    expect(collector.received.map(({ path }) => path)).not.toContain('/v1/metrics')
  })
})

test('what a page reads is part of its trace, and names its request in the log', async () => {
  const [collector, logLines] = [await startCollector(), [] as string[]]
  const shop = await startShop(settingsFor(collector, { REQUEST_LOG: 'on' }), { logLines })
  const web = await openBuiltWeb({ folder: new URL('../test/doubles/react-web/', import.meta.url) })
  await serveStorefront(
    shop.app,
    {
      publicUrl: 'https://shop.example',
      supportUrl: undefined,
      shop: { read: async () => firstShop, clear() {} },
      openSandbox: undefined,
      rateLimits: false,
      products: { mayHave: async () => true, clear() {} },
      rates: { read: async () => [], clear() {} },
      paymentMarks: () => [],
    },
    web,
  )
  const page = await shop.app.inject({ url: '/' })
  await shop.close()
  await web?.close()
  await collector.close()
  const spans = collector.spans()
  const paths = spans.map((span) => pathUp(spans, span).join(' < '))
  expect(paths.toSorted()).toEqual(['GET /*', 'GET /api/* < GET /*', 'GET /api/* < GET /*'])
  const reads = logLines.map((line) => JSON.parse(line)).filter(({ route }) => route === '/api/*')
  expect(reads.map((line) => line.page)).toEqual([page.headers['x-request-id'], page.headers['x-request-id']])
})

describe('a collector that is not there for us', () => {
  const startWith = async (mood: Collector['mood'], logLines: string[]) => {
    const collector = await startCollector()
    collector.mood = mood
    const meters = createMeters()
    const log = pino({}, { write: (line: string) => void logLines.push(line) })
    const settings = { endpoint: collector.url, headers: {}, serviceName: 'olmos', ratio: 1, metrics: true, port: 1 }
    const telemetry = await startTelemetry(settings, { log, meters, metricsEveryMs: 20 })
    const lost = async () => (await meters.spansLost.get()).values[0]?.value
    return { collector, telemetry, lost }
  }

  test('loses what it refuses, which is counted, and mentioned once in five minutes', async () => {
    const logLines: string[] = []
    const { collector, telemetry, lost } = await startWith('refuses', logLines)
    for (let n = 0; n < 3_000; n++) telemetry.start(`span ${n}`, {}).end()
    await vi.waitFor(async () => expect(await lost()).toBeGreaterThan(0))
    telemetry.pushMetrics(async () => [])
    await vi.waitFor(() =>
      expect(collector.received.filter(({ path }) => path === '/v1/metrics').length).toBeGreaterThan(1),
    )
    expect(logLines.length).toBe(1)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6 * 60_000 })
    await telemetry.close()
    vi.useRealTimers()
    // A batch that was under way when it closed is refused a moment later.
    await vi.waitFor(async () => expect(await lost()).toBe(3_000), 10_000)
    expect(logLines.map((line) => JSON.parse(line).msg)).toEqual([
      'the collector at OTEL_EXPORTER_OTLP_ENDPOINT does not take everything',
      'the collector at OTEL_EXPORTER_OTLP_ENDPOINT does not take everything',
    ])
    await collector.close()
  })

  test('slows no sale, and ends no start or stop', async () => {
    const collector = await startCollector()
    collector.mood = 'is silent'
    const shop = await startShop(settingsFor(collector))
    const buyer = await aUser(shop, { usd: 10_000 })
    for (let n = 0; n < 5; n++) {
      const offer = await anOffer(shop, { stock: 1 })
      await shop.call('POST', '/cart/add', { token: buyer.token, body: toCart(offer, 1) })
      const paid = await shop.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency: 'USD' } })
      expect(paid.status).toBe(201)
    }
    const began = performance.now()
    await shop.close()
    expect(performance.now() - began).toBeLessThan(8_000)
    expect(collector.received.length).toBeGreaterThan(0)
    await collector.close()
  })
})

test('a part of the traces is recorded as a whole, and the rest not at all', async () => {
  const collector = await startCollector()
  const shop = await startShop(settingsFor(collector, { OTEL_TRACES_SAMPLER_ARG: '0' }))
  await sellTopups(shop)
  const buyer = await aUser(shop, { usd: 10_000 })
  await orderTopup(shop, buyer, freefireTopup(await topupOffer(shop, 'freefire', 310)))
  const written = await shop.database.rows<{ traceparent: string | null }>(sql`SELECT traceparent FROM delivery`)
  expect(written).toEqual([{ traceparent: null }])
  await deliverAll(shop)
  await shop.close()
  await collector.close()
  expect(collector.spans()).toEqual([])
})

describe('without a collector', () => {
  const sources = globSync('**/*.ts', { cwd: new URL('./', import.meta.url), exclude: ['**/*.test.ts'] })
  const read = (path: string) => readFileSync(new URL(`./${path}`, import.meta.url), 'utf8')
  let shop: TestShop
  beforeAll(async () => {
    shop = await startShop()
  })
  afterAll(() => shop.close())

  test('OpenTelemetry is not even loaded', () => {
    const loading = sources.filter((path) => /^(?!import type ).* from '@opentelemetry\//m.test(read(path)))
    expect(loading).toEqual([])
    expect(sources.filter((path) => read(path).includes("import('@opentelemetry/"))).toEqual([
      'platform/live/telemetry.ts',
    ])
  })

  test('nothing is written down for a trace', async () => {
    await sellTopups(shop)
    const buyer = await aUser(shop, { usd: 10_000 })
    await orderTopup(shop, buyer, freefireTopup(await topupOffer(shop, 'freefire', 310)))
    const written = await shop.database.rows<{ traceparent: string | null }>(sql`SELECT traceparent FROM delivery`)
    expect(written).toEqual([{ traceparent: null }])
    await deliverAll(shop)
  })
})
