import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import { anOffer, aUser, type TestOffer, type TestUser, toCart } from '../test/factories.ts'
import { type RealStore, startRealStore } from '../test/real-store.ts'
import { startShop, type TestShop } from '../test/shop.ts'
import { useShop, useUser } from '../test/use-shop.ts'
import { SERVER_LIMITS } from './limits.ts'
import { Sender } from './platform/database/batch.ts'
import { sql } from './platform/database/queries.ts'

// Two nodes on one database: `store` is a process of its own, whose answers are looked at; `shop` is the other one.
const shop = useShop()
const admin: TestUser = useUser(shop, { role: 'admin' })
let store: RealStore
let offer: TestOffer
beforeAll(async () => {
  offer = await anOffer(shop)
  store = await startRealStore({
    DATABASE_URL: shop.config.databaseUrl as string,
    SECRET_KEY: (shop.config.secretKey as Buffer).toString('hex'),
    ALLOW_UNSAFE_DATABASE: '1',
  })
}, 120_000)
afterAll(() => store.end())

const readTitle = async (): Promise<string> => (await store.call('GET', `/products/slug/${offer.slug}`)).body.title

let changes = 0
const newTitle = () => `Title ${++changes}`
const change = (call: RealStore['call'] | typeof shop.call, name: string) =>
  call('PUT', `/admin/products/${offer.productId}`, { token: admin.token, body: { name } })

/** Whether the node answers once more what it answered before a change that nobody notified. */
async function isKept(): Promise<boolean> {
  await readTitle()
  const title = newTitle()
  await shop.database.run(sql`UPDATE product_text SET title = ${title} WHERE product_id = ${offer.productId}`)
  return (await readTitle()) !== title
}

test('an answer is kept, and what nobody notified is seen a moment later', async () => {
  await expect.poll(isKept, { timeout: 20_000 }).toBe(true)
  await expect.poll(readTitle, { timeout: 10_000 }).toBe(`Title ${changes}`)
})

test('whoever changed something reads it changed', async () => {
  for (let round = 0; round < 10; round++) {
    await readTitle()
    const title = newTitle()
    expect((await change(store.call, title)).status).toBe(200)
    expect(await readTitle()).toBe(title)
  }
})

test('a change made at another node is read long before the answer is too old', async () => {
  const waited: number[] = []
  for (let round = 0; round < 5; round++) {
    await readTitle()
    const title = newTitle()
    expect((await change(shop.call, title)).status).toBe(200)
    const began = performance.now()
    await expect.poll(readTitle, { interval: 2, timeout: 10_000 }).toBe(title)
    waited.push(performance.now() - began)
  }
  expect(Math.min(...waited)).toBeLessThan(SERVER_LIMITS.answerKeptMs / 2)
})

test('stock is what was left after each sale, down to none', async () => {
  const sold = await anOffer(shop, { stock: 3 })
  const { token } = await aUser(shop, { usd: 10_000 })
  const readStock = async (): Promise<number> =>
    (await store.call('GET', `/products/${sold.productId}/codes/${sold.regionId}`)).body[0].available_count
  await expect.poll(readStock).toBe(3)
  for (const left of [2, 1, 0]) {
    expect((await store.call('POST', '/cart/add', { token, body: toCart(sold) })).status).toBe(201)
    const paid = await store.call('POST', '/payment/from-balance', {
      token,
      key: randomUUID(),
      body: { currency: 'USD' },
    })
    expect(paid.status, JSON.stringify(paid.body)).toBe(201)
    // A sale from the balance is notified to nobody, so it is seen once the answer is too old.
    await expect.poll(readStock, { timeout: 10_000 }).toBe(left)
  }
  const tooLate = await store.call('POST', '/cart/add', { token, body: toCart(sold) })
  expect(tooLate.body.error.code).toBe('OUT_OF_STOCK')
})

test('a kept answer is sent as it was the first time, under an id of its own', async () => {
  const keeping = await startShop({}, { catalogueVersion: () => 1 })
  try {
    for (let products = 0; products < 4; products++) await anOffer(keeping)
    const ids = new Set<unknown>()
    const ask = async (method: 'GET' | 'HEAD', headers: Record<string, string> = {}) => {
      const {
        statusCode,
        headers: answered,
        rawPayload,
      } = await keeping.app.inject({ method, url: '/api/products', headers })
      const { date: _, 'x-request-id': id, ...lasting } = answered
      expect(id).toMatch(/^[\w-]+$/)
      expect(ids).not.toContain(id)
      ids.add(id)
      return { statusCode, headers: lasting, rawPayload }
    }
    const first = await ask('GET')
    expect(first.headers).toMatchObject({
      'cache-control': 'no-cache',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    expect(first.headers).not.toHaveProperty('permissions-policy')
    expect(Number(first.headers['content-length'])).toBe(first.rawPayload.length)
    expect(await ask('GET')).toEqual(first)
    expect(await ask('HEAD')).toEqual({ ...first, rawPayload: Buffer.alloc(0) })
    const english = await ask('GET', { 'accept-language': 'en' })
    expect(english.rawPayload).not.toEqual(first.rawPayload)
    for (const encoding of ['br', 'gzip']) {
      const packed = await ask('GET', { 'accept-encoding': encoding })
      expect(packed.headers['content-encoding']).toBe(encoding)
      expect(await ask('GET', { 'accept-encoding': encoding })).toEqual(packed)
    }
    const known = await ask('GET', { 'if-none-match': String(first.headers.etag) })
    expect([known.statusCode, known.rawPayload.length]).toEqual([304, 0])
    expect(await ask('GET', { 'if-none-match': String(first.headers.etag) })).toEqual(known)
    expect((await ask('GET', { 'if-none-match': '"other"' })).statusCode).toBe(200)
  } finally {
    await keeping.close()
  }
})

test('over a connection a kept answer is sent early, just as the first time, and is a request like any other', async () => {
  const logLines: string[] = []
  const keeping = await startShop({ REQUEST_LOG: 'on' }, { catalogueVersion: () => 1, logLines })
  try {
    await anOffer(keeping)
    const afterThose = vi.fn()
    keeping.app.earlyHandlers.push(afterThose)
    const address = await keeping.app.listen({ port: 0, host: '127.0.0.1' })
    const ask = async (init: RequestInit = {}) => {
      const answer = await fetch(`${address}/api/products`, init)
      const {
        date: _,
        connection: __,
        'keep-alive': ___,
        'x-request-id': id,
        ...headers
      } = Object.fromEntries(answer.headers)
      return { id, status: answer.status, headers, body: await answer.text() }
    }
    const [first, ...others] = [await ask(), await ask(), await ask()]
    expect(others.map(({ id: _, ...answer }) => answer)).toEqual(others.map(() => ({ ...first, id: undefined })))
    expect(afterThose).toHaveBeenCalledTimes(1)
    const ids = [first, ...others].map(({ id }) => id)
    expect(new Set(ids).size).toBe(3)
    const lines = logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
    expect(lines.map(({ reqId, method, route, status }) => [reqId, method, route, status])).toEqual(
      ids.map((id) => [id, 'GET', '/api/products', 200]),
    )
    const metrics = await (await fetch(`${address}/metrics`)).text()
    expect(metrics).toContain('olmos_http_request_seconds_count{method="GET",route="/api/products",status="2xx"} 3')
    // In another form, or to who has it, it is made as ever.
    const tag = String(first?.headers.etag)
    expect((await ask({ headers: { 'if-none-match': tag } })).status).toBe(304)
    expect((await ask({ method: 'HEAD' })).headers).toEqual(first?.headers)
    expect((await ask({ headers: { 'accept-language': 'en' } })).status).toBe(200)
    expect((await fetch(`${address}/api/products`, { method: 'POST' })).status).toBe(404)
  } finally {
    await keeping.close()
  }
})

describe('what is made up in an address', () => {
  let keeping: TestShop
  let known: TestOffer
  let statements: MockInstance<Sender['send']>
  beforeEach(async () => {
    keeping = await startShop({}, { catalogueVersion: () => 1 })
    known = await anOffer(keeping)
    vi.useFakeTimers({ toFake: ['performance'] })
    statements = vi.spyOn(Sender.prototype, 'send')
  })
  afterEach(async () => {
    vi.useRealTimers()
    statements.mockRestore()
    await keeping.close()
  })
  const read = async (path: string) => {
    const { statusCode, body } = await keeping.app.inject(`/api${path}`)
    return { status: statusCode, body }
  }
  /** Reads them one after the other, and says what came: each answer once. */
  const readAll = async (paths: readonly string[]) => {
    const came = new Set<string>()
    for (const path of paths) came.add(JSON.stringify(await read(path)))
    return [...came].map((one): { status: number; body: string } => JSON.parse(one))
  }
  const numbered = (toPath: (n: number) => string) => Array.from({ length: 100 }, (_, n) => toPath(n))

  test('costs no statement where it asks for nothing else, however it is written', async () => {
    const whole = await read('/products')
    expect(await readAll(numbered((n) => `/products?n=${n}&${n}=n`))).toEqual([whole])
    expect(await readAll(['/products/', '/products?', '/%70roducts'])).toEqual([whole])
    expect(statements).toHaveBeenCalledTimes(1)
    const product = await read(`/products/slug/${known.slug}`)
    const written = known.slug.replace('-', '%2D')
    expect(await readAll([`/products/slug/${written}?z`, `/products/slug/${known.slug.toUpperCase()}`])).toEqual([
      product,
    ])
    expect(statements).toHaveBeenCalledTimes(2)
  })

  test('is kept apart where it asks for something else', async () => {
    const reviews = `/products/slug/${known.slug}/reviews`
    const first = await read(reviews)
    const after = statements.mock.calls.length
    expect(await readAll([`${reviews}?page=1`, `${reviews}?page=01`])).toEqual([first])
    expect(statements).toHaveBeenCalledTimes(after)
    await read(`${reviews}?page=2`)
    expect(statements.mock.calls.length).toBeGreaterThan(after)
    expect((await read(`${reviews}?page=1&n=1`)).status).toBe(400)
  })
})

test('nothing is kept while the node hears of no changes', { timeout: 60_000 }, async () => {
  await expect.poll(isKept, { timeout: 20_000 }).toBe(true)
  const name = new URL(shop.config.databaseUrl as string).pathname.slice(1)
  const beside = new pg.Client({ connectionString: new URL('/postgres', shop.config.databaseUrl).href })
  await beside.connect()
  const letConnect = (isOn: boolean) =>
    beside.query(`ALTER DATABASE ${pg.escapeIdentifier(name)} ALLOW_CONNECTIONS ${isOn}`)
  try {
    await letConnect(false)
    // The connection that listens is proved by an empty SELECT every few seconds.
    const { rowCount } = await beside.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = $1 AND (query LIKE 'LISTEN %' OR query = 'SELECT')`,
      [name],
    )
    expect(rowCount).toBe(1)
    await expect.poll(isKept, { timeout: 20_000 }).toBe(false)
    for (let round = 0; round < 20; round++) expect(await isKept()).toBe(false)
  } finally {
    await letConnect(true)
    await beside.end()
  }
  await expect.poll(isKept, { timeout: 20_000 }).toBe(true)
})
