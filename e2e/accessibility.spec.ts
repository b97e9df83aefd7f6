import AxeBuilder from '@axe-core/playwright'
import { type Browser, type BrowserContextOptions, expect, type Page } from '@playwright/test'
import { tabs } from '../web/app/admin/tabs.ts'
import { addToCart, giveBalance, open, register, test } from './customer.ts'
import { openTab } from './operator.ts'

const publicPages = [
  '/',
  '/products',
  '/products?search=nothing-like-it',
  '/products/roblox',
  '/products/playstation',
  '/products/pubg',
  '/products/freefire',
  '/products/freefire?tab=activate',
  '/products/steam',
  '/products/no-such-product',
  '/login',
  '/register',
  '/support',
  '/no/such/page',
]

async function findings(page: Page, what: string, rules?: string[]): Promise<string[]> {
  // There are no frames to look into, which the other mode opens a page more for.
  const axe = new AxeBuilder({ page }).setLegacyMode()
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze()
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, html }) => `${what}: ${id} (${help}) at ${target.join(' ')} ${html.slice(0, 160)}`),
  )
}

/** Asks axe about a page as it stands: everything in the dark theme, and what depends on colours in the light one. */
async function look(page: Page, what: string): Promise<string[]> {
  const inDark = await findings(page, `${what} dark`)
  const paint = (theme: string) =>
    page.evaluate((name) => {
      document.documentElement.dataset.mantineColorScheme = name
    }, theme)
  await paint('light')
  const inLight = await findings(page, `${what} light`, ['color-contrast', 'link-in-text-block'])
  await paint('dark')
  return [...inDark, ...inLight]
}

/** Shows every page in one language. Nothing moves, so that no colour is caught on its way to another. */
async function lookAt(browser: Browser, visitor: Visitor, paths: readonly string[]): Promise<string[]> {
  const { language, url, storageState, device } = visitor
  const context = await browser.newContext({ baseURL: url, storageState, reducedMotion: 'reduce', ...device })
  await context.addCookies([{ name: 'language', value: language, url }])
  await context.addInitScript((name) => localStorage.setItem('language', name), language)
  const page = await context.newPage()
  const all: string[] = []
  for (const path of paths) {
    await open(page, path)
    await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0)
    all.push(...(await look(page, `${language} ${path}`)))
    if (await isTooWide(page)) all.push(`${language} ${path}: wider than the screen`)
  }
  await context.close()
  return all
}

const isTooWide = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

interface Visitor {
  language: string
  url: string
  device: Pick<BrowserContextOptions, 'viewport' | 'isMobile' | 'hasTouch'>
  storageState: Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>
}

const nobody = { cookies: [], origins: [] }

for (const language of ['ru', 'en', 'uz']) {
  test(`axe finds nothing on what visitors see, in ${language}`, async ({
    browser,
    baseURL,
    viewport,
    isMobile,
    hasTouch,
  }) => {
    const visitor = { language, url: baseURL ?? '', device: { viewport, isMobile, hasTouch }, storageState: nobody }
    expect(await lookAt(browser, visitor, publicPages)).toEqual([])
  })
}

test('axe finds nothing on what customers see, in any language', async ({
  page,
  browser,
  baseURL,
  viewport,
  isMobile,
  hasTouch,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await register(page)
  const all: string[] = []
  for (const path of ['/cart', '/orders', '/checkout']) {
    await open(page, path)
    await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0)
    all.push(...(await look(page, `empty ${path}`)))
  }
  await giveBalance(page, { balanceRub: 10_000 })
  await addToCart(page, 1)
  await open(page, '/checkout')
  await page.getByRole('button', { name: /^Оплатить .* с баланса$/ }).click()
  await page.getByRole('link', { name: /Заказ [0-9A-Z]{10}/ }).click()
  await page.getByRole('button', { name: /Показать код/ }).click()
  all.push(...(await look(page, 'receipt with its code')))
  const receipt = new URL(page.url()).pathname
  await addToCart(page, 2)
  await open(page, '/cart')
  await page.getByRole('button', { name: 'Очистить корзину' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  all.push(...(await look(page, 'dialog')))
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /Язык/ }).click()
  all.push(...(await look(page, 'picker')))
  if (isMobile) {
    await page.getByRole('button', { name: 'Меню' }).click()
    all.push(...(await look(page, 'menu')))
  }

  const paths = ['/cart', '/checkout', '/orders', receipt, '/orders/0000000000', '/profile', '/support']
  const storageState = await page.context().storageState()
  const device = { viewport, isMobile, hasTouch }
  for (const language of ['ru', 'en', 'uz']) {
    all.push(...(await lookAt(browser, { language, url: baseURL ?? '', device, storageState }, paths)))
  }
  expect(all).toEqual([])
})

const adminPages = [
  ...tabs.map(({ name }) => `/admin/${name}`),
  '/admin/codes?import',
  '/admin/codes?recall=1',
  '/admin/codes?search=nothing-like-it',
  '/admin/products?product=1',
  '/admin/pubgCodes?view=denominations',
]

for (const language of ['ru', 'en', 'uz']) {
  test(`axe finds nothing on what operators see, in ${language}`, async ({
    page,
    browser,
    baseURL,
    viewport,
    isMobile,
    hasTouch,
  }) => {
    test.slow()
    await openTab(page, 'security')
    const storageState = await page.context().storageState()
    const operator = { language, url: baseURL ?? '', device: { viewport, isMobile, hasTouch }, storageState }
    expect(await lookAt(browser, operator, adminPages)).toEqual([])
  })
}

/** Forms and questions: where they are, and the button that opens them. */
const opened: [string, string | RegExp][] = [
  ['/admin/products', 'Добавить товар'],
  ['/admin/products', /^Удалить: /],
  ['/admin/products?product=5', 'Добавить пакет'],
  ['/admin/products?product=5', /^Удалить: /],
  ['/admin/codes', 'Добавить код'],
  ['/admin/codes', /^Показать: /],
  ['/admin/generatedCodes', 'Сгенерировать'],
  ['/admin/generatedCodes', 'Скопировать все'],
  ['/admin/promotions', 'Добавить акцию'],
  ['/admin/regions', /^Изменить: /],
  ['/admin/regions', /^Удалить: /],
  ['/admin/currencyRates', 'История'],
  ['/admin/pubgCodes', 'Добавить коды'],
  ['/admin/pubgCodes?view=denominations', 'Добавить номинал'],
  ['/admin/freefireCodes', /^Удалить: /],
  ['/admin/freefireCodes', 'Добавить номинал'],
]

test('axe finds nothing on what an operator opens', async ({ page }) => {
  test.slow()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await openTab(page, 'security')
  const all: string[] = []
  for (const [path, button] of opened) {
    await open(page, path)
    await page.getByRole('button', { name: button }).first().click()
    await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0)
    all.push(...(await look(page, `${path} ${button}`)))
  }
  expect(all).toEqual([])
})
