import { firstShop } from '@olmos/contract/first-shop'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { openBuiltWeb, type PageValues, type Web } from './built-web.ts'

const folder = new URL('../test/doubles/react-web/', import.meta.url)
const values: PageValues = {
  publicUrl: 'http://shop.example',
  shop: firstShop,
  openSandbox: undefined,
  nonce: 'bm9uY2U=',
  language: 'ru',
  currency: 'RUB',
  currencies: ['RUB', 'USD'],
  rates: [],
  paymentMarks: [],
  colorScheme: 'dark',
  api: async (path) => ({ status: 200, json: JSON.stringify({ read: path }) }),
}

afterEach(() => vi.unstubAllEnvs())

test.each([undefined, 'development'])(
  'React is loaded as its production build when NODE_ENV is %s',
  async (setting) => {
    vi.stubEnv('NODE_ENV', setting)
    const web = await openBuiltWeb({ folder })
    expect(web).toBeDefined()
    expect(process.env.NODE_ENV).toBe(setting)
    await web?.close()
  },
)

describe('pages', () => {
  let web: Web
  beforeAll(async () => {
    web = (await openBuiltWeb({ folder })) as Web
  })
  afterAll(() => web.close())

  test.each([
    ['/', true, undefined],
    ['/products/steam/', true, undefined],
    ['/Products/Steam', true, undefined],
    ['/products/roblox', true, 'roblox'],
    ['/products/robots.txt', false, 'robots.txt'],
    ['/nothing', false, undefined],
    ['/products/roblox/more', false, undefined],
    ['/products//', false, undefined],
    ['/help', true, undefined],
    ['/help/payments/', true, undefined],
    ['/HELP/a/b', false, undefined],
  ])('%s is a page: %s, of the product %s', (path, isPage, slug) => {
    expect([web.hasPage(path), web.productAt(path)]).toEqual([isPage, slug])
  })

  const render = async (path: string) => {
    const { body, ...page } = await web.renderPage(values.publicUrl + path, values)
    return { ...page, text: (await body('identity')).toString() }
  }

  test('a page is rendered by another thread, whose reads are answered by this one', async () => {
    const page = await render('/')
    const reads = ['/api/a', '/api/b'].map((read) => ({ status: 200, body: { read } }))
    expect(page.text).toContain(`<script nonce="${values.nonce}">1</script>${JSON.stringify(reads)}`)
    expect(page).toMatchObject({ status: 200, etag: expect.stringMatching(/^W\/"/) })
    expect(page.contentSecurityPolicy).toMatch(/script-src 'self' 'sha256-[^']+';/)
  })

  test('this thread goes on with other work while a page takes the processor', async () => {
    let [turns, isRendered] = [0, false]
    const rendered = render('/busy').finally(() => {
      isRendered = true
    })
    for (; !isRendered; turns++) await new Promise((resolve) => setImmediate(resolve))
    expect((await rendered).status).toBe(200)
    expect(turns).toBeGreaterThan(100)
  })

  test('a page that was rendered only in part is a failure', async () => {
    await expect(render('/half')).rejects.toThrow('only in part')
  })

  test('a page whose read cannot be made fails, instead of waiting for it', async () => {
    const api = async () => Promise.reject(new Error('the read failed'))
    expect((await web.renderPage(`${values.publicUrl}/`, { ...values, api })).status).toBe(500)
  })

  test('a page that ends its thread is to be asked for again, like those beside it; the next has another thread', async () => {
    const lost = { code: 'OVERLOADED', cause: expect.any(Error) }
    const reading = Promise.withResolvers<void>()
    const api = () => {
      reading.resolve()
      return new Promise<never>(() => {})
    }
    const beside = web.renderPage(`${values.publicUrl}/`, { ...values, api })
    const isLost = expect(beside).rejects.toMatchObject(lost)
    await reading.promise
    await expect(render('/deadly')).rejects.toMatchObject(lost)
    await isLost
    expect((await render('/')).status).toBe(200)
  })

  test('a thread that dies while it renders nothing takes nothing with it', async () => {
    const deaths = vi.fn()
    const own = (await openBuiltWeb({ folder, onDeath: deaths })) as Web
    await own.renderPage(`${values.publicUrl}/deadly-later`, values)
    await vi.waitFor(() => expect(deaths).toHaveBeenCalledTimes(1), { timeout: 10_000 })
    expect(deaths.mock.calls[0]?.[0].message).toBe('thrown later')
    await vi.waitFor(async () => expect((await render('/')).status).toBe(200), { timeout: 10_000 })
    await own.close()
  })
})

const limits = { renderMs: 2_000, renderStartMs: 60_000, renderRestartMs: 10, renderHeapMb: 64 }

test('a page that never ends is given up, with its thread, which would render no other; closing waits for none', async () => {
  const web = (await openBuiltWeb({ folder, limits })) as Web
  const endless = () => web.renderPage(`${values.publicUrl}/endless`, values)
  await expect(endless()).rejects.toMatchObject({ code: 'OVERLOADED' })
  expect((await web.renderData(`${values.publicUrl}/products/steam`, values)).status).toBe(200)
  const last = expect(endless()).rejects.toMatchObject({ code: 'OVERLOADED' })
  await web.close()
  await last
})

test('a page that takes all memory ends its thread alone', async () => {
  const web = (await openBuiltWeb({ folder, limits: { ...limits, renderMs: 60_000 } })) as Web
  await expect(web.renderPage(`${values.publicUrl}/greedy`, values)).rejects.toMatchObject({
    code: 'OVERLOADED',
    cause: { code: 'ERR_WORKER_OUT_OF_MEMORY' },
  })
  expect((await web.renderPage(`${values.publicUrl}/`, values)).status).toBe(200)
  await web.close()
})

test('a web that cannot be loaded is a failure of the start', async () => {
  const broken = new URL('../test/doubles/broken-web/', import.meta.url)
  await expect(openBuiltWeb({ folder: broken })).rejects.toThrow('no web')
})
