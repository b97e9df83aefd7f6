import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Failure } from '@olmos/contract/failure'
import { firstShop } from '@olmos/contract/first-shop'
import type { ShownShop } from '@olmos/contract/shop'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { anOffer } from '../test/factories.ts'
import { startShop, type TestShop } from '../test/shop.ts'
import { aWeb, readHtml, type WebDouble } from '../test/web-double.ts'
import { SERVER_LIMITS } from './limits.ts'
import { cacheSlugs } from './modules/catalogue/availability.ts'
import { sql } from './platform/database/queries.ts'
import { createHttp } from './platform/http/http.ts'
import type { PageCache } from './platform/http/rendered-page.ts'
import { serveStorefront } from './storefront.ts'

let app: FastifyInstance
let web: WebDouble
let cache: Pick<PageCache, 'clear'>
/** Without a catalogue any product may exist. */
const products = { mayHave: async () => true, clear() {} }
const addresses = {
  publicUrl: 'https://shop.example',
  supportUrl: undefined,
  shop: { read: async () => firstShop, clear() {} },
  openSandbox: undefined,
  rateLimits: false,
  products,
  rates: { read: async () => [], clear() {} },
  paymentMarks: () => [],
}

/** Serves the pages alone: most of them read nothing. */
async function open(trustProxy: false | number = false): Promise<void> {
  web = aWeb()
  app = createHttp(pino({ level: 'silent' }), { trustProxy })
  cache = await serveStorefront(app, addresses, web)
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  await open()
})
afterEach(async () => {
  vi.useRealTimers()
  await app.close()
})

type Method = 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'DELETE' | 'PATCH'

async function ask(url: string, { method = 'GET' as Method, headers = {} } = {}) {
  const answer = await app.inject({ method, url, headers: { 'accept-encoding': 'identity', ...headers } })
  return { status: answer.statusCode, text: answer.body, headers: answer.headers, bytes: answer.rawPayload }
}

/** Sends an address unchanged, which no client would do, and reads until the store closes the connection. */
async function askRaw(address: string, headers: string[] = ['host: shop'], method = 'GET') {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(`${method} ${address} HTTP/1.1\r\n${headers.join('\r\n')}\r\nconnection: close\r\n\r\n`)
  const [head = '', body = ''] = (await buffer(socket)).toString().split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), type: /content-type: ([^\r;]+)/.exec(head)?.[1], text: body }
}

const passMs = (ms: number) => vi.advanceTimersByTime(ms)
test('every page is told what of the shop is only played', async () => {
  const [own, shown] = [app, [] as unknown[]]
  await own.close()
  web = aWeb()
  web.page = async (_address, { openSandbox }) => {
    shown.push(openSandbox)
    return 'a page'
  }
  app = createHttp(pino({ level: 'silent' }), { trustProxy: false })
  await serveStorefront(app, { ...addresses, openSandbox: 'payments' }, web)
  await ask('/')
  await ask('/products.data')
  expect(shown).toEqual(['payments', 'payments'])
})

const publicPages = ['/', '/products', '/products/roblox', '/products/steam', '/login', '/register', '/support']
const everyMethod: Method[] = ['HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'PATCH']

describe.each(publicPages)('%s', (path) => {
  test.each(everyMethod)('is whole after %s, cold and aged', async (method) => {
    const cold = await ask(path, { method })
    const first = await ask(path)
    expect([first.status, first.text]).toEqual([200, expect.stringContaining(`<body>${path} in ru (`)])
    passMs(SERVER_LIMITS.pageFreshMs + 1)
    await ask(path, { method })
    for (const _ of [1, 2]) {
      const aged = await ask(path)
      expect([aged.status, aged.text]).toEqual([200, expect.stringMatching(/<\/html>$/)])
    }
    expect(cold.text).toEqual(method === 'HEAD' ? '' : expect.stringContaining('NOT_FOUND'))
    if (method === 'HEAD') expect(Number(cold.headers['content-length'])).toBe(first.bytes.length)
  })
})

test.each([
  ['/', 'public, max-age=0, must-revalidate, s-maxage=10'],
  ['/products/roblox', 'public, max-age=0, must-revalidate, s-maxage=10'],
  ['/nothing', 'public, max-age=0, must-revalidate, s-maxage=10'],
  ['/products?search=roblox', 'no-cache'],
  ['/cart', 'no-cache'],
  ['/products.data', 'no-store'],
])('%s is sent with %s', async (path, caching) => {
  expect((await ask(path)).headers).toMatchObject({ 'cache-control': caching })
})

test('data that is asked for before the press is kept for it', async () => {
  const headers = { 'sec-purpose': 'prefetch' }
  const ahead = await ask('/products.data', { headers })
  expect(ahead.headers).toMatchObject({
    'cache-control': 'private, max-age=5',
    vary: expect.stringContaining('cookie'),
  })
  expect((await ask('/products', { headers })).headers).toMatchObject({
    'cache-control': 'public, max-age=0, must-revalidate, s-maxage=10',
  })
})

test('a page is rendered as GET, and with nothing of who asks', async () => {
  const headers = { 'user-agent': 'a', cookie: 'language=en', 'x-forwarded-host': 'evil.example', 'if-none-match': '*' }
  for (const path of ['/login', '/cart', '/login.data']) {
    await ask(path, { method: 'HEAD', headers })
    await ask(path, { headers })
  }
  expect(new Set(web.asked.map(({ href }) => href))).toEqual(
    new Set(['/login', '/cart', '/login.data'].map((path) => new URL(path, addresses.publicUrl).href)),
  )
})

const brokenRenders: [string, () => Response | Promise<never>][] = [
  ['throws', () => Promise.reject(new Error('the render failed'))],
  ['is empty', () => new Response(null)],
  ['ends early', () => new Response('<!DOCTYPE html><html><body>half')],
  ['has no last tag', () => new Response(readHtml('all').replace('</html>', ''))],
  [
    'breaks off',
    () =>
      new Response(
        new ReadableStream({
          start(stream) {
            stream.enqueue(new TextEncoder().encode('<html>'))
            stream.error(new Error('aborted'))
          },
        }),
      ),
  ],
  ['failed', () => new Response('Unexpected Server Error', { status: 500 })],
]

test.each(brokenRenders)('a render that %s is never kept, and the good page is served on', async (_how, broken) => {
  const whole = web.page
  web.page = async () => broken()
  expect((await ask('/products')).status).toBe(500)
  web.page = whole
  const good = await ask('/products')
  expect(good.status).toBe(200)

  web.page = async () => broken()
  for (const ms of [SERVER_LIMITS.pageFreshMs + 1, SERVER_LIMITS.pageFreshMs + 1, 10 * SERVER_LIMITS.pageStaleMs]) {
    passMs(ms)
    for (const _ of [1, 2]) expect((await ask('/products')).text).toBe(good.text)
  }
  web.page = whole
  passMs(2 * SERVER_LIMITS.pageStaleMs)
  const renewed = await ask('/products')
  expect([renewed.status, renewed.text === good.text]).toEqual([200, false])
})

test('a page that failed says which request it was, and no other page does', async () => {
  web.page = async () => new Response('<html><head></head><body>broken</body></html>', { status: 500 })
  const [one, other] = [await ask('/cart'), await ask('/cart')]
  const toMeta = (id: unknown) => `<meta name="request-id" content="${id}"></head>`
  expect(one.text).toContain(toMeta(one.headers['x-request-id']))
  expect(other.text).toContain(toMeta(other.headers['x-request-id']))
  web.page = async () => '<head></head>'
  expect((await ask('/cart')).text).not.toContain('request-id')
})

test('when the thread that renders dies, the kept page is served on, and other pages say when to come back', async () => {
  const whole = web.page
  const good = await ask('/products')
  web.page = async () => {
    throw new Failure('OVERLOADED', undefined, 'the thread that renders pages was ended')
  }
  passMs(10 * SERVER_LIMITS.pageStaleMs)
  expect((await ask('/products')).text).toBe(good.text)
  for (const url of ['/login', '/products?search=a', '/products.data']) {
    const lost = await ask(url)
    expect([url, lost.status, lost.headers['cache-control']]).toEqual([url, 503, 'no-store'])
    expect(Number(lost.headers['retry-after'])).toBeGreaterThan(0)
  }
  web.page = whole
  expect((await ask('/login')).status).toBe(200)
})

describe('while the catalogue cannot be read', () => {
  let shop: TestShop
  beforeEach(async () => {
    await app.close()
    shop = await startShop()
    app = shop.app
    cache = await serveStorefront(app, addresses, web)
  })
  afterEach(() => shop.close())

  const readsProducts = async (_address: URL, { api }: Parameters<WebDouble['page']>[1]) => {
    const { status } = await api('/api/products')
    return status === 200 ? 'all products' : 'products could not be loaded'
  }
  const breakReads = () => shop.database.run(sql`ALTER TABLE product RENAME TO product_away`)
  const mendReads = () => shop.database.run(sql`ALTER TABLE product_away RENAME TO product`)

  test('a page without its reads is 503, says when to come back, and is neither kept nor indexed', async () => {
    web.page = readsProducts
    await breakReads()
    const failed = await ask('/products')
    expect([failed.status, failed.text]).toEqual([503, expect.stringContaining('could not be loaded')])
    expect(failed.headers).toMatchObject({
      'retry-after': String(SERVER_LIMITS.unavailableRetrySeconds),
      'x-robots-tag': 'noindex',
      'cache-control': 'no-store',
    })
    expect(failed.headers.etag).toBeUndefined()
    await mendReads()
    const mended = await ask('/products')
    expect([mended.status, mended.text]).toEqual([200, expect.stringContaining('all products')])
    expect(mended.headers['x-robots-tag']).toBeUndefined()
  })

  test('the good page is served on, and nobody gets the failed one after it', async () => {
    web.page = readsProducts
    const good = await ask('/products')
    await breakReads()
    for (const ms of [SERVER_LIMITS.pageFreshMs + 1, SERVER_LIMITS.pageFreshMs + 1, SERVER_LIMITS.pageStaleMs, 1]) {
      passMs(ms)
      expect((await ask('/products')).text).toBe(good.text)
    }
    // The catalogue was changed, and nobody can read it now.
    cache.clear()
    expect((await ask('/products')).text).toBe(good.text)
    await mendReads()
    passMs(SERVER_LIMITS.pageFreshMs + 1)
    expect((await ask('/products')).text).toContain('all products')
  })

  test('the sitemap is 503 and kept by nobody, instead of being without products', async () => {
    await breakReads()
    const failed = await ask('/sitemap.xml')
    expect([failed.status, failed.headers['cache-control']]).toEqual([503, 'no-store'])
    expect(Number(failed.headers['retry-after'])).toBeGreaterThan(0)
    expect(failed.text).not.toContain('<urlset')
    await mendReads()
    await anOffer(shop)
    const [product] = (await shop.call('GET', '/products')).body
    expect((await ask('/sitemap.xml')).text).toContain(`/products/${product.slug}</loc>`)
  })
})

describe('what the owner says', () => {
  const says = async (change: Partial<ShownShop>) => {
    await app.close()
    app = createHttp(pino({ level: 'silent' }), { trustProxy: false })
    web = aWeb()
    web.page = async ({ pathname }, { shop, language }) => `${pathname} in ${language}, banner ${shop.banners[0]?.id}`
    await serveStorefront(
      app,
      { ...addresses, shop: { read: async () => ({ ...firstShop, ...change }), clear() {} } },
      web,
    )
  }
  const banner = { id: 'b1', kind: 'info', texts: { ru: 'Soon' }, url: null } as const
  const at = (ms: number) => new Date(Date.now() + ms).toISOString()

  test.each([
    [['USD', 'RUB'], '', 'USD of USD,RUB,UZS,KZT'],
    [['USD', 'RUB'], 'RUB', 'RUB of USD,RUB,UZS,KZT'],
    [['USD'], 'RUB', 'USD of USD,UZS,KZT'],
    [['USD'], 'UZS', 'UZS of USD,UZS,KZT'],
    // Soums stand for orders in dollars.
    [['RUB'], 'UZS', 'RUB of RUB'],
    [['RUB'], 'USD', 'RUB of RUB'],
  ] as const)('where it offers %j, prices are shown to the cookie %j in %s', async (currencies, cookie, expected) => {
    await says({ currencies: [...currencies] })
    web.page = async (_address, values) => `${values.currency} of ${values.currencies}.`
    const headers = { cookie: `currency=${cookie}` }
    expect((await ask('/products', { headers })).text).toContain(`${expected}.`)
    expect((await ask('/products.data', { headers })).text).toContain(`${expected}.`)
  })

  test.each([
    [['RUB', 'USD'], [], 'UZS', 'RUB of RUB,USD'],
    [['RUB', 'USD'], ['UZS'], 'UZS', 'UZS of RUB,USD,UZS'],
    [['RUB', 'USD'], ['KZT'], 'UZS', 'RUB of RUB,USD,KZT'],
    [['RUB'], ['KZT'], 'KZT', 'RUB of RUB'],
  ] as const)(
    'where it offers %j and shows %j, the cookie %s leads to %s',
    async (currencies, shown, cookie, expected) => {
      await says({ currencies: [...currencies], shown_currencies: [...shown] })
      web.page = async (_address, values) => `${values.currency} of ${values.currencies}.`
      expect((await ask('/products', { headers: { cookie: `currency=${cookie}` } })).text).toContain(`${expected}.`)
    },
  )

  test('a banner is on every page while its time has come, and not for who has closed it', async () => {
    await says({ banners: [{ ...banner, from: at(-60_000), until: at(60_000) }] })
    const closed = { headers: { cookie: 'banner=b1' } }
    const others = { headers: { cookie: 'banner=b0' } }
    // One after the other: what is kept for one visitor is not served to another.
    expect((await ask('/support')).text).toContain('banner b1')
    expect((await ask('/support', closed)).text).toContain('banner undefined')
    expect((await ask('/support', others)).text).toContain('banner b1')
    expect((await ask('/support', closed)).text).toContain('banner undefined')
  })

  test.each([
    [at(60_000), null],
    [null, at(-60_000)],
  ])('a banner is not shown before its time or after it: %s %s', async (from, until) => {
    await says({ banners: [{ ...banner, from, until }] })
    expect((await ask('/')).text).toContain('banner undefined')
  })

  test('of several banners the first in its time is shown, and no page that is kept has the one before it', async () => {
    const [from, until] = [at(-60_000), at(60_000)]
    const named = (id: string, times: { from: string | null; until: string | null }) => ({ ...banner, id, ...times })
    await says({
      banners: [
        named('over', { from: null, until: from }),
        named('to-come', { from: until, until: null }),
        named('first', { from, until: at(3_000) }),
        named('second', { from, until: null }),
        named('third', { from: null, until: null }),
      ],
    })
    expect((await ask('/support')).text).toContain('banner first')
    // Who has closed the first one sees none in its place until it is over.
    expect((await ask('/support', { headers: { cookie: 'banner=first' } })).text).toContain('banner undefined')
    await vi.waitFor(async () => expect((await ask('/support')).text).toContain('banner second'), 10_000)
    expect((await ask('/support', { headers: { cookie: 'banner=first' } })).text).toContain('banner second')
  })

  test('a language that is off leads to the page without it, and no cookie chooses it', async () => {
    await says({ languages: ['uz', 'ru'] })
    const off = await ask('/products/roblox?lang=en&utm_source=x')
    expect([off.status, off.headers.location]).toEqual([302, '/products/roblox'])
    expect((await ask('/orders?page=2&lang=en')).headers.location).toBe('/orders?page=2')
    expect((await ask('/', { headers: { cookie: 'language=en' } })).text).toContain('in uz')
    expect((await ask('/?lang=ru')).text).toContain('in ru')
  })

  test('pages that nobody published are one page that is not there', async () => {
    await says({ pages: ['terms'] })
    expect((await ask('/pages/terms')).text).toContain('/pages/terms in ru')
    web.page = async ({ pathname }) => new Response(readHtml(pathname), { status: 404 })
    for (const path of ['/pages/about', '/pages/-', '/Pages/Privacy/', '/pages/terms2']) {
      const { status, text } = await ask(path)
      expect([path, status, text]).toEqual([path, 404, expect.stringContaining('/pages/-')])
    }
    expect(web.asked.filter(({ pathname }) => pathname === '/pages/-')).toHaveLength(1)
  })
})

test('a page that is gone is gone as soon as it is rendered again', async () => {
  const whole = web.page
  await ask('/products/roblox')
  web.page = async () => new Response(readHtml('gone'), { status: 404 })
  passMs(SERVER_LIMITS.pageFreshMs + SERVER_LIMITS.pageStaleMs + 1)
  expect((await ask('/products/roblox')).status).toBe(404)
  web.page = whole
  expect((await ask('/products/roblox')).status).toBe(200)
})

test('a page far past its time is not served once more', async () => {
  const before = await ask('/')
  passMs(SERVER_LIMITS.pageFreshMs + SERVER_LIMITS.pageStaleMs + 1)
  expect((await ask('/')).text).not.toBe(before.text)
})

test('what a page asks the store for is that call and no other, whatever the name of dots in it', async () => {
  const own = createHttp(pino({ level: 'silent' }), { trustProxy: false })
  own.get('/api/products', async () => ({ products: [] }))
  const shown = aWeb()
  await serveStorefront(own, addresses, shown)
  const statuses: number[] = []
  shown.page = async (_address, { api }) => {
    for (const name of ['..', '.', '%2e%2e', '%2E.']) statuses.push((await api(`/api/products/all/${name}`)).status)
    return 'a page'
  }
  await own.inject('/products/roblox')
  await own.close()
  expect(statuses).toEqual([404, 404, 404, 404])
})

describe('a malformed address', () => {
  const addresses = [
    '//',
    '///',
    '//login',
    '//evil.example',
    '//products/roblox',
    'http://user:pw@evil.example/login',
    'http://shop/login',
    '/%',
    '/%ff',
    '/products/%',
    '/products/%ff',
    '/products/%c3%28',
    '/products/..',
    '/products/%2e%2e',
    '/products/%2E./login',
    '/products/..\\login',
    '/products/x\\..\\roblox',
    '/products/roblox#1',
    '/#',
    '/products/roblox/../steam',
    '/products/./steam',
    '/products/...data',
    '/products/..data',
    '/products/%2e%2e.data',
    '/...data',
  ]

  test.each(addresses)(
    '%s is the page that says there is none, and leaves every kept page as it is',
    async (address) => {
      for (const cookie of ['language=en', 'language=uz', '']) {
        const language = cookie.split('=')[1] ?? 'ru'
        const answer = await askRaw(address, ['host: shop', `cookie: ${cookie}`])
        expect([answer.status, answer.type]).toEqual([404, 'text/html'])
        expect(answer.text).toContain(`no such page in ${language}`)
      }
      for (const path of publicPages) expect((await ask(path)).text).toContain(`<body>${path} in ru (`)
      expect((await askRaw(address, ['host: shop'], 'HEAD')).status).toBe(404)
    },
  )

  test.each([
    ['host: a b'],
    ['host: ['],
    ['host: a:99999'],
    ['host: x@y'],
    ['host: %00'],
    ['host: <script>'],
    ['x-forwarded-host: a b', 'host: shop'],
    ['x-forwarded-proto: x y', 'host: shop'],
  ])('%s is no error, cold or kept, behind a proxy or not', async (...headers) => {
    await app.close()
    await open(1)
    for (const path of ['/support', '/support', '/cart']) expect((await askRaw(path, headers)).status).toBe(200)
    expect((await askRaw('/support.data', headers)).status).toBe(200)
    expect((await askRaw('/nothing', headers)).status).toBe(404)
  })

  test('of a call is refused as calls are', async () => {
    const answer = await askRaw('/api/products/slug/%ff')
    expect([answer.status, answer.type]).toEqual([400, 'application/json'])
  })
})

describe('what is kept', () => {
  test('is one page for all ways to write its address', async () => {
    const ways = [
      '/products/roblox',
      '/Products/ROBLOX',
      '/products/roblox/',
      '/products/robl%6fx',
      '/products/roblox?',
    ]
    const more = [
      '/products/roblox?utm_source=a',
      '/products/roblox?z=1',
      '/products/roblox?lang=xx',
      '/products/roblox?lang=en&lang=uz',
    ]
    const texts = new Set<string>()
    for (const way of [...ways, ...more]) texts.add((await askRaw(way)).text)
    expect(texts.size).toBe(1)
    expect(web.asked.map(({ pathname }) => pathname)).toEqual(['/products/roblox'])
  })

  test('an address that no page has is rendered once, whatever it is', async () => {
    const texts = new Set<string>()
    for (const path of [
      '/nothing',
      '/nowhere/at/all?z=1',
      '/products/roblox/more',
      '/%F0%9F%98%80',
      '//',
      '/products%2froblox',
    ]) {
      const { status, text } = await askRaw(path)
      expect([path, status]).toEqual([path, 404])
      texts.add(text)
    }
    expect([texts.size, web.asked.length]).toEqual([1, 1])
    expect((await ask('/nothing?lang=en')).text).toContain('in en')
  })

  test('a search is not: there are as many as somebody cares to make up', async () => {
    for (const n of [1, 2])
      expect((await ask(`/products?search=${n}&z=1`)).text).toContain(`/products?search=${n} in ru`)
    expect((await ask('/products/freefire?tab=other')).text).toContain('/products/freefire in ru')
    expect((await ask('/products/freefire?tab=activate')).text).toContain('/products/freefire?tab=activate in ru')
  })
})

describe('what prices are shown in', () => {
  test.each([
    ['UZS', 'UZS'],
    ['KZT', 'KZT'],
    ['USD', 'USD'],
    ['RUB', 'RUB'],
    ['EUR', 'RUB'],
    ['uzs', 'RUB'],
    ['', 'RUB'],
  ])('for the cookie %j it is %s', async (cookie, expected) => {
    web.page = async (_address, { currency }) => `in ${currency}`
    expect((await ask('/products', { headers: { cookie: `currency=${cookie}` } })).text).toContain(`in ${expected}`)
  })

  test('of a cookie that is given twice the first counts, as in the key of a cache in front', async () => {
    web.page = async (_address, { currency, language }) => `in ${currency} and ${language}`
    const cookie = 'Language=uz; currency=USD; language=en; currency=RUB; CURRENCY=EUR'
    expect((await ask('/products', { headers: { cookie } })).text).toContain('in USD and uz')
  })

  test('a page is kept once for each currency that is known, whatever else cookies say', async () => {
    for (const currency of ['UZS', 'KZT', 'USD', 'RUB', 'EUR', 'GBP', 'UZS2', 'usd', '__proto__', '']) {
      for (const _ of [1, 2]) await ask('/products', { headers: { cookie: `currency=${currency}; other=${currency}` } })
    }
    expect(web.asked).toHaveLength(4)
  })

  test('a page is rendered with the rates in force, and again once they change', async () => {
    await app.close()
    let rate = '12000'
    let clears = 0
    const rates = { read: async () => [{ currency: 'UZS' as const, rate }], clear: () => void clears++ }
    web = aWeb()
    web.page = async (_address, values) => `at ${values.rates[0]?.rate}`
    app = createHttp(pino({ level: 'silent' }), { trustProxy: false })
    cache = await serveStorefront(app, { ...addresses, rates }, web)
    const headers = { cookie: 'currency=UZS' }
    expect((await ask('/products', { headers })).text).toContain('at 12000')
    rate = '13000'
    expect((await ask('/products', { headers })).text).toContain('at 12000')
    cache.clear()
    expect((await ask('/products', { headers })).text).toContain('at 13000')
    expect((await ask('/products.data', { headers })).text).toContain('at 13000')
    expect(clears).toBe(1)
  })
})

describe('made-up products', () => {
  test('are one page that is rendered once a language, and kept as 404', async () => {
    await app.close()
    web = aWeb()
    web.page = async (_address, { language }) => new Response(readHtml(`no product in ${language}`), { status: 404 })
    app = createHttp(pino({ level: 'silent' }), { trustProxy: false })
    const known = { mayHave: async (slug: string) => slug === 'roblox', clear() {} }
    cache = await serveStorefront(app, { ...addresses, products: known }, web)
    for (const path of ['nope-1', 'nope-2', 'NOPE-3', 'nope_4', 'nope%205', 'nope-6?q=1', 'nope-7/']) {
      for (const language of ['ru', 'en']) {
        const { status, text } = await ask(`/products/${path}`, { headers: { cookie: `language=${language}` } })
        expect([path, status, text]).toEqual([path, 404, expect.stringContaining(`no product in ${language}`)])
      }
    }
    expect(web.asked).toHaveLength(2)
    await ask('/products/roblox')
    expect(web.asked.at(-1)?.pathname).toContain('/products/roblox')
  })

  test('are known from the catalogue, whatever the kind, and one that is added is there at once', async () => {
    const shop = await startShop()
    const offer = await anOffer(shop)
    const real = { ...addresses, products: cacheSlugs(shop.database) }
    cache = await serveStorefront(shop.app, real, web)
    const toStatus = async (slug: string) => (await shop.app.inject(`/products/${slug}`)).statusCode
    const before = web.asked.length
    web.page = async ({ pathname }) =>
      pathname === '/products/-' ? new Response(readHtml('none'), { status: 404 }) : 'a product'
    expect(await toStatus(offer.slug)).toBe(200)
    for (const n of [1, 2, 3]) expect(await toStatus(`nope-${n}`)).toBe(404)
    expect(web.asked.length - before).toBe(2)

    await shop.database.run(sql`UPDATE product SET slug = 'added-now', kind = 'topup' WHERE slug = ${offer.slug}`)
    cache.clear()
    expect([await toStatus('added-now'), await toStatus(offer.slug)]).toEqual([200, 404])
    await shop.database.run(sql`UPDATE product SET is_active = false WHERE slug = 'added-now'`)
    passMs(SERVER_LIMITS.slugsFreshMs)
    expect(await toStatus('added-now')).toBe(200)
    await vi.waitFor(async () => expect(await toStatus('added-now')).toBe(404))

    // A known slug is still accepted, and any other may exist: the page itself says that it can't be read.
    passMs(SERVER_LIMITS.slugsFreshMs)
    await shop.database.run(sql`ALTER TABLE product RENAME TO product_away`)
    web.page = async (_address, { api }) => {
      await api('/api/products')
      return 'could not be read'
    }
    expect(await toStatus('nope-9')).toBe(503)
    await shop.close()
  })
})

describe('beyond the pages that one client may ask for', () => {
  beforeEach(async () => {
    await app.close()
    web = aWeb()
    app = createHttp(pino({ level: 'silent' }), { trustProxy: false })
    app.get('/api/balance', async () => ({ balance: 1 }))
    await serveStorefront(app, { ...addresses, rateLimits: true }, web)
  })

  test('kept pages, made-up addresses and the sitemap are late, files and calls are not', async () => {
    for (let n = 0; n < SERVER_LIMITS.pageGate.burst - SERVER_LIMITS.pageGate.renderCost; n++) {
      expect((await ask('/login')).status).toBe(200)
    }
    // The first of them was rendered; the last of these uses up the rest.
    await ask(`/products?search=1`)
    const late = ['/login', '/nothing', '/sitemap.xml', '/wp-login.php', '/login.data', '/offline.html'].map(isLate)
    expect((await ask('/robot.svg')).status).toBe(200)
    expect((await ask('/robots.txt')).status).toBe(200)
    expect((await ask('/api/balance')).status).toBe(200)
    expect((await ask('/api/nothing')).text).toContain('NOT_FOUND')
    expect(late.map(({ isAnswered }) => isAnswered())).toEqual(late.map(() => false))
    await app.close()
    const answers = await Promise.all(late.map(({ answer }) => answer))
    expect(answers.map(({ status }) => status)).toEqual(late.map(() => 503))
    expect(answers.every(({ headers }) => headers['retry-after'] !== undefined)).toBe(true)
  })

  test.each([
    ['a search', '/products?search='],
    ['what the router fetches', '/products.data?search='],
    ['a page of a customer', '/cart?n='],
  ])('%s counts as what it costs', async (_what, path) => {
    const { burst, renderCost } = SERVER_LIMITS.pageGate
    for (let n = 0; n < burst / renderCost; n++) expect((await ask(path + n)).status).toBe(200)
    expect(web.asked).toHaveLength(burst / renderCost)
    const next = isLate('/login')
    await ask('/robots.txt')
    expect(next.isAnswered()).toBe(false)
  })

  function isLate(path: string) {
    let isAnswered = false
    const answer = ask(path).finally(() => (isAnswered = true))
    return { answer, isAnswered: () => isAnswered }
  }
})

describe('what looks like a file and is none', () => {
  test.each([
    '/favicon.ico',
    '/wp-login.php',
    '/.env',
    '/a/b.js?v=1',
    '/assets/first-0.js',
    '/assets/none',
    '/products/a.php',
    '/products/.git',
  ])('%s is a small 404 and no page', async (path) => {
    const { status, text, headers } = await ask(path)
    expect([status, text.length < 100, headers['content-type']]).toEqual([404, true, 'text/plain; charset=utf-8'])
    expect(headers['cache-control']).toBe('no-store')
    expect(web.asked).toEqual([])
  })

  test('pages whose names have a dot are pages, and calls that are none are refused as calls', async () => {
    expect((await ask('/offline.html')).text).toContain('/offline.html in ru')
    for (const path of ['/api', '/api/', '/api/none.js', '/api?x'])
      expect((await ask(path)).text).toContain('NOT_FOUND')
  })
})

describe('a browser', () => {
  const decoded = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes }

  test.each([
    ['br;q=0', 'identity'],
    ['gzip;q=0', 'identity'],
    ['gzip;q=1, br;q=0', 'gzip'],
    ['BR', 'br'],
    ['GZip', 'gzip'],
    ['*;q=0', 'identity'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['br ; Q=0.000 , gzip', 'gzip'],
    ['identity', 'identity'],
    ['identity;q=1, br;q=0.5', 'identity'],
    ['x-gzip', 'gzip'],
    ['zstd', 'identity'],
    ['brx, xgzip', 'identity'],
    ['', 'identity'],
  ] as const)('that accepts "%s" gets %s', async (accepted, encoding) => {
    const { bytes, headers } = await ask('/login', { headers: { 'accept-encoding': accepted } })
    expect(headers['content-encoding'] ?? 'identity').toBe(encoding)
    expect(decoded[encoding](bytes).toString()).toContain('/login in ru')
  })

  test('that has the page already, under a weak tag or in a list, gets 304', async () => {
    const { headers } = await ask('/login')
    const etag = String(headers.etag)
    const strong = etag.replace(/^W\//, '')
    expect(etag).toMatch(/^W\/"/)
    for (const known of [etag, strong, `"a,b", ${etag}`, `"x",${strong} , W/"y"`, '*']) {
      const answer = await ask('/login', { headers: { 'if-none-match': known } })
      expect([known, answer.status, answer.text, answer.headers.etag]).toEqual([known, 304, '', etag])
    }
    for (const other of ['"x"', `"${strong}"`, strong.slice(0, -1), `W/${strong.toLowerCase()}`]) {
      expect((await ask('/login', { headers: { 'if-none-match': other } })).status).toBe(200)
    }
    expect((await ask('/nothing', { headers: { 'if-none-match': '*' } })).status).toBe(404)
  })

  test('that asks for a part a file has not gets 416', async () => {
    const { status, headers } = await ask('/robot.svg', { headers: { range: 'bytes=99999-' } })
    expect([status, headers['content-range']]).toEqual([416, 'bytes */41'])
    const part = await ask('/robot.svg', { headers: { range: 'bytes=0-3' } })
    expect([part.status, part.text]).toEqual([206, '<svg'])
  })
})

test.each([
  ['pages are', '/products?search='],
  ['answers to the router are', '/products.data?search='],
])('only so many %s rendered at a time; beyond, the store refuses, and serves what it has', async (_what, path) => {
  await ask('/login')
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  let running = 0
  let most = 0
  web.page = async (address) => {
    most = Math.max(most, ++running)
    await finished
    running--
    return address.search
  }
  const room = SERVER_LIMITS.pageRendersAtOnce + SERVER_LIMITS.pageRendersWaiting
  const asked = Array.from({ length: room + 20 }, (_, n) => ask(path + n))
  const refused = await Promise.race(asked)
  expect([refused.status, refused.headers['retry-after'] !== undefined]).toEqual([503, true])
  passMs(SERVER_LIMITS.pageFreshMs + 1)
  expect((await ask('/login')).status).toBe(200)
  expect((await ask('/robots.txt')).status).toBe(200)
  finish()
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(room)
  expect(statuses.filter((status) => status === 503)).toHaveLength(20)
  expect(most).toBe(SERVER_LIMITS.pageRendersAtOnce)
})
