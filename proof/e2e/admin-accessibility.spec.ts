import { type Browser, type BrowserContextOptions, expect, type Page } from '@playwright/test'
import { tabs } from '../../web/app/admin/tabs.ts'
import { call } from './calls.ts'
import { everyRuleOn, isTooWide } from './complaints.ts'
import { test as base, newNickname, open } from './customer.ts'
import { aCustomer, aNewProduct, buy, openTab } from './operator.ts'
import { toParts } from './parts.ts'
import { ru } from './ru.ts'

const languages = ['ru', 'en', 'uz'] as const

/**
 * Shows every page in one language. What axe finds depends on the page and its size, and hardly on the language: it is asked
 * once about each, by every rule in both themes, another language for every next page. Nothing moves, so that no colour is
 * caught on its way to another.
 */
async function lookAt(browser: Browser, operator: Operator, paths: readonly string[]): Promise<string[]> {
  const { language, storageState, device } = operator
  const context = await browser.newContext({ storageState, reducedMotion: 'reduce', ...device })
  await context.addCookies([{ name: 'language', value: language, url: device.baseURL }])
  await context.addInitScript((name) => localStorage.setItem('language', name), language)
  const page = await context.newPage()
  const all: string[] = []
  for (const [at, path] of paths.entries()) {
    await open(page, path)
    await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0)
    const found = languages[at % languages.length] === language ? await everyRuleOn(page) : []
    all.push(...found.map((finding) => `${language} ${path}: ${finding}`))
    if (await isTooWide(page)) all.push(`${language} ${path}: wider than the screen`)
  }
  await context.close()
  return all
}

interface Operator {
  language: (typeof languages)[number]
  device: Device
  storageState: Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>
}

interface Device extends Pick<BrowserContextOptions, 'viewport' | 'isMobile' | 'hasTouch'> {
  baseURL: string
}

/** The size and the store of this run, for a browser of another language. */
const test = base.extend<{ device: Device }>({
  device: ({ baseURL, viewport, isMobile, hasTouch }, use) =>
    use({ baseURL: baseURL ?? '', viewport, isMobile, hasTouch }),
})

const adminPages = [
  ...tabs.map(({ name }) => `/admin/${name}`),
  '/admin/codes?import',
  '/admin/codes?recall=1',
  '/admin/users?search=nothing-like-it',
  '/admin/products?product=1',
  '/admin/pubgCodes?view=denominations',
  '/admin/suppliers?catalogue=sandbox',
  '/admin/suppliers?catalogue=sandbox&view=changes',
  '/admin/priceRules?view=packages',
  '/admin/priceRules?view=pending',
]

/** Has the store read what the sandbox sells, and answers the id of a top-up. */
async function makeCatalogue(page: Page, token: string): Promise<number> {
  await call(page, token, 'POST', '/admin/suppliers/sandbox/sync', {})
  return (await call(page, token, 'GET', '/admin/products?kind=topup')).body.data[0].id
}

const ofOneTest = 10
const parts = toParts(adminPages, ofOneTest)

for (const language of languages) {
  for (const [at, part] of parts.entries()) {
    test(`axe finds nothing on what operators see, in ${language}, ${at + 1} of ${parts.length}`, async ({
      page,
      browser,
      device,
    }) => {
      test.slow()
      await makeCatalogue(page, (await openTab(page, 'security')).token)
      const storageState = await page.context().storageState()
      expect(await lookAt(browser, { language, device, storageState }, part)).toEqual([])
    })
  }

  test(`axe finds nothing on an order, a customer and a top-up, in ${language}`, async ({ page, browser, device }) => {
    test.slow()
    const buyer = await aCustomer(page)
    const { token } = await openTab(page, 'security')
    const order = await buy(page, buyer.token, await aNewProduct(page, token, [newNickname()]))
    const topup = `/admin/products?product=${await makeCatalogue(page, token)}`
    const sides = [`/admin/orders?order=${order}`, `/admin/users?user=${buyer.userId}`, topup, `${topup}&view=fields`]
    const storageState = await page.context().storageState()
    expect(await lookAt(browser, { language, device, storageState }, sides)).toEqual([])
  })
}

/** Forms and questions: where they are, and the button that opens them. */
const opened: [string, string | RegExp][] = [
  ['/admin/products', ru('admin.products.add')],
  ['/admin/products', /^Удалить: /],
  ['/admin/products?product=5', ru('admin.products.addPackage')],
  ['/admin/products?product=5', /^Удалить: /],
  ['/admin/codes', ru('admin.codes.add')],
  ['/admin/codes', /^Показать: /],
  ['/admin/generatedCodes', ru('admin.generated.generate')],
  ['/admin/generatedCodes', ru('admin.generated.copyAll')],
  ['/admin/promotions', ru('admin.promotions.add')],
  ['/admin/regions', /^Изменить: /],
  ['/admin/regions', /^Удалить: /],
  ['/admin/currencyRates', ru('admin.rates.history')],
  ['/admin/pubgCodes', ru('admin.pool.add')],
  ['/admin/pubgCodes?view=denominations', ru('admin.denominations.add')],
  ['/admin/freefireCodes', /^Удалить: /],
  ['/admin/freefireCodes', ru('admin.denominations.add')],
  ['/admin/products?product=5', /^Кто доставляет: /],
  ['/admin/suppliers?catalogue=sandbox', ru('admin.products.packagesOf', { name: 'Genshin Impact' })],
  ['/admin/suppliers?catalogue=sandbox', ru('admin.sourcing.fieldNamesOf', { name: 'Genshin Impact' })],
  ['/admin/priceRules', ru('admin.priceRules.add')],
  ['/admin/priceRules', /^Изменить: /],
  ['/admin/priceRules', /^История: /],
  ['/admin/priceRules?view=packages', ru('admin.priceRules.changeMany')],
  ['/admin/products?product=5', /^Цена: /],
  ['/admin/batches', /^Изменить: /],
]

const openedParts = toParts(opened, ofOneTest)
for (const [at, part] of openedParts.entries()) {
  test(`axe finds nothing on what an operator opens, ${at + 1} of ${openedParts.length}`, async ({ page }) => {
    test.slow()
    await makeCatalogue(page, (await openTab(page, 'security')).token)
    expect(await lookInto(page, part)).toEqual([])
  })
}

test('axe finds nothing on a conversation', async ({ page }) => {
  test.slow()
  await openTab(page, 'security')
  const { nickname, userId } = await aCustomer(page)
  // As many that their number in the menu has two digits: axe judges the contrast of no single one.
  for (let count = 0; count < 10; count++) {
    const message = { nickname, userId: String(userId), message: 'Где мой код?' }
    expect((await call(page, undefined, 'POST', '/support', message)).status).toBe(201)
  }
  expect(await lookInto(page, [[`/admin/support?search=${nickname}`, nickname]])).toEqual([])
})

async function lookInto(page: Page, places: typeof opened): Promise<string[]> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const all: string[] = []
  for (const [path, button] of places) {
    await open(page, path)
    await page.getByRole('button', { name: button }).first().click()
    await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0)
    // What was scrolled half below the bar to press the button would be too small a target.
    await page.evaluate(() => scrollTo(0, 0))
    all.push(...(await everyRuleOn(page)).map((finding) => `${path} ${button}: ${finding}`))
  }
  return all
}
