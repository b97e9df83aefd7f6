import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as anyPage, chromium, expect, type Page } from '@playwright/test'
import { labels, newNickname, open, password, register, test } from './customer.ts'
import { openTab } from './operator.ts'
import { ru } from './ru.ts'

/** What browsers do with the two storages of a page. */
const storages = {
  'throws at every touch': () => {
    for (const name of ['localStorage', 'sessionStorage']) {
      const get = () => {
        throw new DOMException(`Failed to read the '${name}' property: Access is denied.`, 'SecurityError')
      }
      Object.defineProperty(window, name, { configurable: true, get })
    }
  },
  'is not there': () => {
    for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, name, { configurable: true, get: () => null })
    }
  },
  'is full': () => {
    Storage.prototype.setItem = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
    }
  },
} as const

const isHydrated = (page: Page) => expect(page.locator('html[data-hydrated]')).toBeAttached()

/** Follows a link of the header, which a phone has in its menu; the page is not reloaded. */
async function follow(page: Page, name: string | RegExp, isMobile: boolean): Promise<void> {
  if (isMobile) await page.getByRole('button', { name: /^(Меню|Menu)$/ }).click()
  await page
    .getByRole(isMobile ? 'navigation' : 'banner')
    .getByRole('link', { name })
    .click()
}

for (const [how, spoil] of Object.entries(storages)) {
  test(`where the storage ${how}, a visitor registers, chooses and fills a cart`, async ({ page, isMobile }) => {
    await page.addInitScript(spoil)
    await open(page, '/')
    await page.getByRole('button', { name: /Язык/ }).click()
    await page.getByRole('menuitem', { name: 'English' }).click()
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    await page.getByRole('button', { name: /Currency/ }).click()
    await page.getByRole('menuitem', { name: /USD/ }).click()

    await follow(page, 'Log in', isMobile)
    await page.getByRole('main').getByRole('link', { name: 'Register' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Register')
    await page.getByLabel('Nickname').fill(newNickname())
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Repeat the password').fill(password)
    await page.getByRole('button', { name: 'Register' }).click()
    await expect(page).toHaveURL(/\/$/)

    await follow(page, 'Products', isMobile)
    await page.getByRole('link', { name: /Roblox/ }).click()
    await expect(page.getByRole('main').getByText(/\$\d/).first()).toBeVisible()
    await page.getByRole('button', { name: 'Add to cart' }).click()
    await expect(page.getByText('Added to the cart')).toBeVisible()
    await follow(page, /^Cart/, isMobile)
    await expect(page.getByRole('group', { name: 'Quantity: Roblox' })).toHaveText('1')
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  })
}

test('logging in where nothing can be stored lasts as long as the page, and nobody speaks of the network', async ({
  page,
  browser,
}) => {
  const other = await browser.newPage()
  const nickname = await register(other)
  await other.close()
  await page.addInitScript(storages['is full'])
  await open(page, '/login')
  await page.getByLabel(ru('login.nickname')).fill(nickname)
  await page.getByLabel(ru('login.password'), { exact: true }).fill(password)
  await page.getByRole('button', { name: ru('header.logIn') }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByText(/Нет соединения/)).toHaveCount(0)
})

test('a browser that blocks the data of all sites shows the shop', async ({ baseURL }, { project }) => {
  const profile = await mkdtemp(join(tmpdir(), 'olmos-blocked-'))
  await mkdir(join(profile, 'Default'))
  const preferences = { profile: { default_content_setting_values: { cookies: 2 } } }
  await writeFile(join(profile, 'Default', 'Preferences'), JSON.stringify(preferences))
  const { launchOptions, viewport } = project.use
  const context = await chromium.launchPersistentContext(profile, {
    ...launchOptions,
    baseURL: baseURL ?? '',
    locale: 'ru-RU',
    viewport: viewport ?? null,
  })
  try {
    const page = context.pages()[0] ?? (await context.newPage())
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    await page.goto('/offline.html')
    const access = page.evaluate(() => Boolean(localStorage))
    // Playwright's smallest browser does not read the preference.
    test.skip(await access.catch(() => false), 'this Chromium blocks nothing')
    for (const [path, heading] of [
      ['/', ru('home.hero')],
      ['/login', ru('login.title')],
      ['/products/roblox', 'Roblox'],
    ] as const) {
      await open(page, path)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
      await expect(page.getByRole('banner')).toBeVisible()
    }
    expect(errors).toEqual([])
  } finally {
    await context.close()
    await rm(profile, { recursive: true, force: true })
  }
})

test('a stored token that no header may carry is none: the way leads to the login page', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('token', 'жетон\u2028'))
  await page.goto('/cart')
  await expect(page).toHaveURL('/login')
})

test('a stored currency that is none is the default, whatever the server was told', async ({
  page,
  context,
  baseURL,
}) => {
  await context.addCookies([{ name: 'currency', value: 'USD', url: baseURL ?? '' }])
  await page.addInitScript(() => localStorage.setItem('currency', 'EUR'))
  await open(page, '/products/roblox')
  await expect(page.getByRole('radio', { name: /Robux/ }).first()).toHaveAccessibleName(/₽/)
})

/** Keeps the scripts away until it is told to let them come. */
async function delayScripts(page: Page): Promise<() => void> {
  let letCome = () => {}
  const coming = new Promise<void>((resolve) => (letCome = resolve))
  await page.route('**/assets/*.js', async (route) => {
    await coming
    await route.continue()
  })
  return letCome
}

const formsOfTheShop: [string, [field: string | RegExp, text: string][]][] = [
  [
    '/login',
    [
      [ru('login.nickname'), 'player'],
      [ru('login.password'), 'secret-77'],
    ],
  ],
  [
    '/register',
    [
      [ru('login.nickname'), 'player'],
      [ru('login.password'), 'secret-77'],
      [ru('register.confirmPassword'), 'secret-77'],
    ],
  ],
  ['/products', [[ru('products.search'), 'робукс']]],
  [
    '/products/steam',
    [
      [labels.steamLogin, 'gaben'],
      [ru('topUp.amount'), '25'],
    ],
  ],
  ['/products/freefire', [[labels.playerId, '1234567']]],
  [
    '/products/freefire?tab=activate',
    [
      [labels.playerId, '1234567'],
      [ru('secondFactor.code'), 'ABCD-1234'],
    ],
  ],
  ['/products/pubg', [[labels.playerId, '51234567']]],
  [
    '/products/mobile-legends-topup',
    [
      [labels.playerId, '51234567'],
      ['ID зоны', '2001'],
    ],
  ],
  [
    '/support',
    [
      [/^Никнейм/, 'player'],
      [/^ID пользователя/, '17'],
      [ru('support.contact'), '@player'],
      [/^Сообщение/, 'Где код?'],
    ],
  ],
]

for (const [path, fields] of formsOfTheShop) {
  test(`what is typed on ${path} before the page is hydrated stays in its fields`, async ({ page }) => {
    const letCome = await delayScripts(page)
    await page.goto(path, { waitUntil: 'commit' })
    for (const [label, text] of fields) await page.getByRole('main').getByLabel(label, { exact: true }).fill(text)
    letCome()
    await isHydrated(page)
    for (const [label, text] of fields) {
      const field = page.getByRole('main').getByLabel(label, { exact: true })
      await expect(field).toHaveValue(text)
      // It is not only shown: the page goes on from it.
      await field.press('End')
      await field.pressSequentially('1')
      await expect(field, 'the page knows of it').toHaveValue(`${text}1`)
    }
  })
}

test('a form that is sent before the page is hydrated is sent once it is', async ({ page, browser }) => {
  const other = await browser.newPage()
  const nickname = await register(other)
  await other.close()
  const letCome = await delayScripts(page)
  await page.goto('/login', { waitUntil: 'commit' })
  await page.getByLabel(ru('login.nickname')).fill(nickname)
  await page.getByLabel(ru('login.password'), { exact: true }).fill(password)
  await page.getByLabel(ru('login.password'), { exact: true }).press('Enter')
  letCome()
  // It stays for three seconds, in which a busy machine may not get to look twice.
  await expect(page.getByText(ru('login.success'))).toBeVisible()
  await expect(page).toHaveURL('/')
})

/** The addresses of the pages that are loaded from now on. */
function countPages(page: Page): string[] {
  const loaded: string[] = []
  page.on('domcontentloaded', () => loaded.push(new URL(page.url()).pathname))
  return loaded
}

/** As a deploy does to a tab that was opened before it. */
const goneWith404 = { status: 404, contentType: 'application/json', body: '{}' }

anyPage('a dictionary that comes with the second try needs nobody’s help', async ({ page }) => {
  const loaded = countPages(page)
  await page.route('**/assets/ru-*.js', (route) => route.abort(), { times: 1 })
  await page.goto('/products')
  await isHydrated(page)
  expect(loaded).toEqual(['/products', '/products'])
})

for (const [what, files] of [
  ['dictionary', '**/assets/en-*.js'],
  ['first file', '**/assets/first-*.js'],
] as const) {
  anyPage(`a ${what} that never comes is told of, in the visitor’s language`, async ({ page, context, baseURL }) => {
    await context.addCookies([{ name: 'language', value: 'en', url: baseURL ?? '' }])
    // Without a storage there must be no endless loop either.
    await page.addInitScript(storages['throws at every touch'])
    const loaded = countPages(page)
    await page.route(files, (route) => route.fulfill(goneWith404))
    await page.goto('/products')
    const told = page.getByRole('alert').filter({ hasText: 'did not load completely' })
    await expect(told).toBeVisible()
    expect(loaded).toEqual(['/products', '/products'])
    // Every try is over; one that came through now would mend the page without the button.
    await page.waitForLoadState('networkidle')
    await page.unroute(files)
    await told.getByRole('button', { name: 'Reload' }).click()
    await isHydrated(page)
    await expect(told).toHaveCount(0)
  })
}

test('a language whose texts do not come is not chosen, and the page says so', async ({ page, context }) => {
  await open(page, '/products')
  await page.route('**/assets/uz-*.js', (route) => route.fulfill(goneWith404))
  await page.getByRole('button', { name: /Язык/ }).click()
  await page.getByRole('menuitem', { name: 'Oʻzbekcha' }).click()
  await expect(page.getByRole('alert').getByText('Не удалось загрузить этот язык')).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'ru')
  expect(await page.evaluate(() => localStorage.getItem('language'))).not.toBe('uz')
  expect((await context.cookies()).find(({ name }) => name === 'language')?.value).not.toBe('uz')
  await page.unroute('**/assets/uz-*.js')
  await page.getByRole('button', { name: /Язык/ }).click()
  await page.getByRole('menuitem', { name: 'Oʻzbekcha' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'uz')
})

anyPage('a page whose file is gone is loaded again where one wanted to go', async ({ page }) => {
  await page.goto('/products/roblox')
  await isHydrated(page)
  const loaded = countPages(page)
  await page.route('**/assets/account-*.js', (route) => (loaded[0] ? route.continue() : route.fulfill(goneWith404)))
  // The way back is remembered across it.
  await page.getByRole('button', { name: ru('product.add') }).click()
  await expect(page).toHaveURL('/login')
  await isHydrated(page)
  expect(loaded).toEqual(['/login'])
  expect(await page.evaluate(() => history.state.usr)).toEqual({ from: '/products/roblox' })
  await page.goBack()
  await expect(page).toHaveURL('/products/roblox')
})

anyPage('a page whose file stays away is tried twice, then told of', async ({ page }) => {
  await page.goto('/products/roblox')
  await isHydrated(page)
  const loaded = countPages(page)
  await page.route('**/assets/account-*.js', (route) => route.fulfill(goneWith404))
  await page.getByRole('button', { name: ru('product.add') }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'загрузилась не полностью' })).toBeVisible()
  expect(loaded).toEqual(['/login', '/login'])
  await expect(page).toHaveURL('/login')
})

anyPage('a part of a page whose file is gone reloads the page, once', async ({ page, isMobile }) => {
  await openTab(page, 'products')
  const loaded = countPages(page)
  await page.route('**/assets/RegionsTab-*.js', (route) => (loaded[0] ? route.continue() : route.fulfill(goneWith404)))
  if (isMobile) await page.getByLabel(ru('admin.menu')).and(page.locator('select')).selectOption('regions')
  else await page.getByRole('link', { name: ru('admin.tabs.regions') }).click()
  await expect(page.getByRole('button', { name: ru('admin.regions.add') })).toBeVisible()
  expect(loaded).toEqual(['/admin/regions'])
})

const topupPage = '/products/mobile-legends-topup'
const toTopup = (page: Page) => page.getByRole('link', { name: /Mobile Legends/ }).first()

anyPage(
  'the part of a page that only top-ups have is loaded again with the page, once, when it is gone',
  async ({ page }) => {
    await page.goto('/products?search=legends')
    await isHydrated(page)
    const loaded = countPages(page)
    await page.route('**/assets/LateTopupView-*.js', (route) =>
      loaded[0] ? route.continue() : route.fulfill(goneWith404),
    )
    await toTopup(page).click()
    await expect.poll(() => loaded).toEqual([topupPage])
    await isHydrated(page)
    await page.getByRole('main').getByLabel(labels.playerId, { exact: true }).fill('51234567')
    await expect(page.getByRole('alert').filter({ hasText: 'загрузилась не полностью' })).toHaveCount(0)
    expect(loaded).toEqual([topupPage])
  },
)

anyPage('where that part stays away, the page says what to do after the second try', async ({ page }) => {
  await page.goto('/products?search=legends')
  await isHydrated(page)
  const loaded = countPages(page)
  await page.route('**/assets/LateTopupView-*.js', (route) => route.fulfill(goneWith404))
  await toTopup(page).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(ru('errorScreen.title'))
  await expect(page.getByRole('link', { name: ru('notFound.home') })).toBeVisible()
  expect(loaded).toEqual([topupPage])
  await page.unroute('**/assets/LateTopupView-*.js')
  await page.getByRole('button', { name: ru('loading.retry') }).click()
  await isHydrated(page)
  await expect(page.getByRole('main').getByLabel(labels.playerId, { exact: true })).toBeVisible()
})

anyPage('a header that breaks leaves a plain message, also where a page is not there', async ({ page }) => {
  await page.addInitScript(() => {
    const { toUpperCase } = String.prototype
    String.prototype.toUpperCase = function (this: string) {
      // As the header writes the language.
      if (String(this) === 'ru') throw new Error('the header is broken')
      return toUpperCase.call(this)
    }
  })
  for (const path of ['/products', '/no-such-page']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(ru('errorScreen.title'))
    await expect(page.getByRole('link', { name: ru('notFound.home') })).toBeVisible()
    await expect(page.getByRole('banner')).toHaveCount(0)
  }
})
