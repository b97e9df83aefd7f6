import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startShop, type TestShop } from '../../../test/shop.ts'
import { build } from '../process.ts'
import { raiseAlert } from './alert.ts'

const token = 'a-token-of-metrics'
let open: TestShop
let guarded: TestShop
beforeAll(async () => {
  open = await startShop()
  guarded = await startShop({ METRICS_TOKEN: token })
})
afterAll(() => Promise.all([open.close(), guarded.close()]))

const read = async (shop: TestShop, headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') => {
  const answer = await shop.app.inject({ method: 'GET', url: '/metrics', headers, remoteAddress })
  return { status: answer.statusCode, text: answer.body }
}

test('requests are counted by route, whatever the address, and the figures of the shop are those of now', async () => {
  await open.call('GET', '/products/slug/nothing-1')
  await open.call('GET', '/products/slug/nothing-2')
  await open.app.inject({ method: 'GET', url: '/made-up' })
  expect((await read(open)).text).toContain('olmos_alerts_open 0\n')
  await raiseAlert(open.database, { kind: 'invariant', subject: 'one', details: {} })

  const { status, text } = await read(open)
  expect(status).toBe(200)
  expect(text).toContain(
    'olmos_http_request_seconds_count{method="GET",route="/api/products/slug/:slug",status="4xx"} 2\n',
  )
  expect(text).toContain('olmos_http_request_seconds_count{method="GET",route="none",status="4xx"} 1\n')
  const upTo = [...text.matchAll(/_seconds_bucket\{le="([^"]+)",method="GET",route="\/api\/products\/slug.* (\d+)\n/g)]
  expect([upTo.length, upTo.at(-1)?.slice(1)]).toEqual([13, ['+Inf', '2']])
  expect(upTo.map(([, , count]) => Number(count))).toEqual(upTo.map(([, , count]) => Number(count)).toSorted())
  expect(text).toMatch(/olmos_http_request_seconds_sum\{method="GET",route="none",status="4xx"\} 0\.\d+\n/)
  expect(text).toContain('olmos_alerts_open 1\n')
  expect(text).toContain(`olmos_build_info{version="${build.version}",commit="unknown"} 1\n`)
  expect(text).toMatch(/olmos_database_connections\{state="waiting"\} 0\n/)
  expect(text).toMatch(/process_resident_memory_bytes \d+/)
  expect(text).not.toContain('made-up')
})

describe('without a token', () => {
  test.each([
    ['this machine', {}, '127.0.0.1', 200],
    ['this machine over IPv6', {}, '::ffff:127.0.0.1', 200],
    ['another machine', {}, '10.0.0.7', 404],
    ['another machine through a proxy here', { 'x-forwarded-for': '10.0.0.7' }, '127.0.0.1', 404],
    ['another machine through a proxy that says so in another way', { via: '1.1 nginx' }, '127.0.0.1', 404],
    ['another machine through a proxy that names it', { 'x-real-ip': '10.0.0.7' }, '127.0.0.1', 404],
    ['one who says to be this machine', { 'x-forwarded-for': '127.0.0.1' }, '10.0.0.7', 404],
  ])('%s', async (_who, headers, address, status) => {
    expect((await read(open, headers as Record<string, string>, address)).status).toBe(status)
  })
})

test('in production nobody reads without a token: a proxy may pass strangers on without a word', async () => {
  const production = await startShop({
    NODE_ENV: 'production',
    RATE_LIMITS: 'on',
    PAYMENT_PROVIDERS: 'none',
    SUPPLIERS: 'manual',
  })
  expect((await read(production)).status).toBe(404)
  await production.close()
})

describe('with a token', () => {
  test.each([
    ['it is needed here too', {}, '127.0.0.1', 404],
    ['it opens from anywhere', { authorization: `Bearer ${token}` }, '10.0.0.7', 200],
    ['another does not', { authorization: 'Bearer another' }, '10.0.0.7', 404],
  ])('%s', async (_what, headers, address, status) => {
    expect((await read(guarded, headers as Record<string, string>, address)).status).toBe(status)
  })
})
