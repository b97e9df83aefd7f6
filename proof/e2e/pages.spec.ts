import { rm } from 'node:fs/promises'
import { type APIResponse, expect } from '@playwright/test'
import { Database } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/queries.ts'
import { connectEmbeddedPostgres } from '../../server/src/platform/embedded/embedded-postgres.ts'
import { makeDataFolder } from '../process.ts'
import { open, test } from './customer.ts'
import { ru } from './ru.ts'
import { startStore } from './start-store.ts'

const topups = ['/products/pubg', '/products/freefire', '/products/steam']
const publicPages = ['/', '/products', '/products/roblox', ...topups, '/login', '/register', '/support']

const toTag = (answer: APIResponse) => answer.headers().etag
const toPolicy = (answer: APIResponse) => answer.headers()['content-security-policy']
const toLength = (answer: APIResponse) => Number(answer.headers()['content-length'])

test('what asks for headers alone, or in ways that no page knows, leaves every public page whole', async ({
  request,
}) => {
  const plain = { headers: { 'accept-encoding': 'identity' } }
  // A language of its own, so that each of them is cold.
  const askFor = async (path: string) => {
    const cold = await request.head(path, plain)
    for (const method of ['OPTIONS', 'POST', 'PUT', 'DELETE', 'PATCH']) {
      expect((await request.fetch(path, { method })).status(), `${method} ${path}`).toBe(404)
    }
    const page = await request.get(path, plain)
    expect([cold.status(), page.status()], path).toEqual([200, 200])
    expect(await page.text(), path).toMatch(/^<!DOCTYPE html><html lang="uz".*<\/html>$/s)
    expect(toLength(cold), path).toBe((await page.body()).length)
    // Once the page is stale, a request has it rendered again, with another nonce. It is tagged by what it shows, which
    // other journeys may have changed: one of the next renderings shows the same.
    let last = page
    let aged = page
    const isRenderedAgain = async () => {
      last = aged
      aged = await request.get(path, plain)
      return toPolicy(aged) !== toPolicy(last) && toTag(aged) === toTag(last)
    }
    await expect.poll(isRenderedAgain, path).toBe(true)
    expect([aged.status(), (await aged.text()).endsWith('</html>')], path).toEqual([200, true])
    expect(Math.abs(toLength(aged) - toLength(last)), path).toBeLessThan(500)
  }
  await Promise.all(publicPages.map((page) => askFor(`${page}?lang=uz`)))
})

test('an address that was cut or mistyped is a page that says so, and is alive', async ({ page, request }) => {
  const mistyped = ['//', '//products/roblox', '/products//roblox', '/nowhere', '/products/%', '/%ff']
  for (const path of [...mistyped, '/administrator', '/admin/orders/ABC']) {
    const answer = page.waitForResponse((response) => response.request().isNavigationRequest())
    await page.goto(`${process.env.STORE_URL}${path}`)
    expect((await answer).status(), path).toBe(404)
    await expect(page.locator('html[data-hydrated]')).toBeAttached()
    await expect(page.getByRole('heading', { level: 1 }), path).toHaveText(ru('notFound.title'))
    await expect(page.getByRole('banner').getByRole('link', { name: ru('products.search') }), path).toBeVisible()
  }
  await page.getByRole('link', { name: ru('notFound.home') }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(ru('home.hero'))
  for (const path of ['/favicon.ico', '/assets/first-0.js', '/wp-login.php']) {
    const answer = await request.get(path)
    expect([answer.status(), (await answer.body()).length < 100], path).toEqual([404, true])
  }
})

test('what others add to a link does not make it another page', async ({ page }) => {
  await open(page, '/products?fbclid=x&z=1&search=rob')
  await expect(page.getByRole('searchbox')).toHaveValue('rob')
  await expect(page.getByRole('link', { name: 'Roblox' })).toBeVisible()
  await open(page, '/Products/ROBLOX/?z=1')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Roblox')
})

interface Told {
  '@type': string
  itemListElement?: { name: string; item: string }[]
  offers?: { priceCurrency: string; lowPrice: number }
  image?: string
  potentialAction?: { target: { urlTemplate: string } }
}

test('pages tell search engines the shop, its search, the way to them and what they sell, with a picture that is there', async ({
  page,
  request,
}) => {
  const readTold = async (address: string) => {
    await page.goto(address)
    const text = (await page.locator('script[type="application/ld+json"]').textContent()) ?? '{}'
    const parts: Told[] = JSON.parse(text)['@graph']
    return new Map(parts.map((part) => [part['@type'], part]))
  }
  const home = await readTold('/')
  expect(home.get('Organization')).toMatchObject({ name: 'Olmos', url: expect.stringMatching(/\/$/) })
  const search = home.get('WebSite')?.potentialAction?.target.urlTemplate ?? ''
  await open(page, new URL(search.replace('{text}', 'rob')).href)
  await expect(page.getByRole('searchbox')).toHaveValue('rob')

  for (const language of ['ru', 'en', 'uz'] as const) {
    const query = language === 'ru' ? '' : `?lang=${language}`
    for (const slug of ['roblox', 'pubg', 'steam']) {
      const path = `/products/${slug}${query}`
      const told = await readTold(path)
      const steps = told.get('BreadcrumbList')?.itemListElement ?? []
      expect(steps.map(({ item }) => new URL(item).pathname + new URL(item).search)).toEqual([
        `/${query}`,
        `/products${query}`,
        path,
      ])
      expect(steps.at(-1)?.name).toBe(await page.getByRole('heading', { level: 1 }).textContent())
      if (slug !== 'steam') expect(told.get('Product')?.offers?.priceCurrency).toBe('RUB')
      const picture = await page.locator('meta[property="og:image"]').getAttribute('content')
      expect(told.get('Product')?.image).toBe(picture)
      expect(picture).toContain(`/art/link-pictures/${slug}.jpg`)
      const { headers, ok } = await request
        .get(new URL(picture ?? '').pathname)
        .then((answer) => ({ headers: answer.headers(), ok: answer.ok() }))
      expect([ok, headers['content-type']]).toEqual([true, 'image/jpeg'])
    }
  }
})

test('pages that read the catalogue say that it is away, are not indexed meanwhile, and come back whole', async ({
  page,
  request,
}) => {
  const dataDir = await makeDataFolder('away')
  const store = await startStore({ DATA_DIR: dataDir })
  const { url } = await connectEmbeddedPostgres(dataDir)
  const database = new Database({ url, connections: 1, onIdleError: () => {} })
  const reading = ['/', '/products', '/products/roblox', ...topups]
  try {
    await database.run(sql`ALTER TABLE product RENAME TO product_away`)
    await database.run(sql`ALTER TABLE promotion RENAME TO promotion_away`)
    for (const path of reading) {
      const answer = await request.get(store.url + path)
      const { 'cache-control': cacheControl, 'x-robots-tag': robots, 'retry-after': retryAfter } = answer.headers()
      expect([answer.status(), cacheControl, robots], path).toEqual([503, 'no-store', 'noindex'])
      expect(Number(retryAfter), path).toBeGreaterThan(0)
    }
    expect((await request.get(`${store.url}/sitemap.xml`)).status()).toBe(503)
    expect((await request.get(`${store.url}/login`)).status()).toBe(200)
    await open(page, `${store.url}/products`)
    await expect(page.getByRole('link', { name: /PUBG/ }).first()).toBeVisible()

    await database.run(sql`ALTER TABLE product_away RENAME TO product`)
    await database.run(sql`ALTER TABLE promotion_away RENAME TO promotion`)
    for (const path of reading) {
      const answer = await request.get(store.url + path)
      expect([answer.status(), answer.headers()['x-robots-tag']], path).toEqual([200, undefined])
    }
    await page.getByRole('button', { name: ru('loading.retry') }).click()
    await expect(page.getByRole('link', { name: 'Roblox' })).toBeVisible()
  } finally {
    await page.close()
    await database.close()
    await store.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})
