import type { AddressInfo } from 'node:net'
import { firstShop } from '@olmos/contract/first-shop'
import { expect, test } from '@playwright/test'
import { pino } from 'pino'
import { openBuiltWeb, type Web } from '../../server/src/built-web.ts'
import { createHttp } from '../../server/src/platform/http/http.ts'
import { readPage, renderedPage } from '../../server/src/platform/http/rendered-page.ts'
import { serveStorefront } from '../../server/src/storefront.ts'

/** What a text of an operator or a supplier would be, if a component forgot to escape it. */
const injected = '<script>window.injected = "at once"</script><script type="later">window.injected = "later"</script>'

test('a script that got into a rendered page does not run, and the page is alive all the same', async ({ page }) => {
  const web = (await openBuiltWeb()) as Web
  const app = createHttp(pino({ level: 'silent' }), { trustProxy: false })
  const renderPage: Web['renderPage'] = async (address, values) => {
    const { status, body } = await web.renderPage(address, values)
    const whole = (await body('identity')).toString()
    const html = whole.replace('<body>', `<body>${injected}`).replace('</body>', `${injected}</body>`)
    return renderedPage(readPage(status, html, values.nonce))
  }
  const shop = {
    publicUrl: 'http://shop.example',
    supportUrl: undefined,
    shop: { read: async () => firstShop, clear() {} },
    openSandbox: undefined,
    rateLimits: false,
  }
  const products = { mayHave: async () => true, clear() {} }
  const rates = { read: async () => [], clear() {} }
  const paymentMarks = () => []
  await serveStorefront(app, { ...shop, products, rates, paymentMarks }, { ...web, renderPage })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo

  const refused: string[] = []
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) refused.push(message.text())
  })
  const answer = await page.goto(`http://127.0.0.1:${port}/login`)
  expect((await answer?.text())?.match(/window\.injected/g)).toHaveLength(4)
  await expect.poll(() => refused.length).toBeGreaterThan(0)
  expect(await page.evaluate(() => (window as { injected?: string }).injected)).toBeUndefined()
  await app.close()
  await web.close()
})

test('every script inside the pages of the store carries the nonce of its render, and the pages hydrate', async ({
  page,
}) => {
  for (const path of ['/', '/products', '/products/pubg', '/products/steam', '/cart', '/nothing']) {
    const html = await (await page.request.get(path)).text()
    const inline = [...html.matchAll(/<script(?![^>]*\s(?:src=|type="application\/ld\+json"))[^>]*>/g)].map(
      ([tag]) => tag,
    )
    expect(inline.length, path).toBeGreaterThan(1)
    expect(
      inline.filter((tag) => !/\snonce="[\w+/=]{20,}"/.test(tag)),
      path,
    ).toEqual([])
    const refused: string[] = []
    page.on('console', (message) => {
      if (/content security policy/i.test(message.text())) refused.push(message.text())
    })
    await page.goto(path)
    await expect(page.locator('html[data-hydrated]')).toBeAttached()
    expect(refused, path).toEqual([])
  }
})

test('the description of the calls is shown, and asks nobody but the store', async ({ page, baseURL }) => {
  const foreign: string[] = []
  page.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(`${baseURL}/`)) foreign.push(request.url())
  })
  await page.goto('/api/docs/')
  await expect(page.getByRole('heading', { level: 1, name: 'Olmos' })).toBeVisible()
  expect(foreign).toEqual([])
})
