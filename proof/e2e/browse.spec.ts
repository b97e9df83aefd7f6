import { expect } from '@playwright/test'
import { open, register, test } from './customer.ts'
import { ru } from './ru.ts'

test('the home page shows promotions and leads to the products', async ({ page }) => {
  await open(page, '/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(ru('home.hero'))
  await expect(page.getByRole('list', { name: ru('home.promotions') }).getByRole('listitem')).not.toHaveCount(0)
  await expect(page.getByRole('link', { name: /PUBG Mobile/ }).first()).toHaveAttribute('href', '/products/pubg')
  await page.getByRole('link', { name: ru('home.heroAction') }).click()
  await expect(page).toHaveURL('/products')
})

test('the search finds products by their keywords, in any case', async ({ page }) => {
  await open(page, '/products')
  await page.getByRole('searchbox').fill('РОБУКС')
  await expect(page.getByRole('link', { name: /Roblox/ })).toBeVisible()
  await expect(page.getByRole('link', { name: /Valorant/ })).toHaveCount(0)
  await page.getByRole('searchbox').fill('nothing like it')
  await expect(page.getByText(ru('products.nothing'))).toBeVisible()
  await page.getByRole('button', { name: ru('products.clear') }).click()
  await expect(page.getByRole('link', { name: /^Valorant(?! по)/ })).toBeVisible()
})

test('the search forgives, and suggests where it finds nothing', async ({ page }) => {
  await open(page, '/')
  await page
    .getByRole('banner')
    .getByRole('link', { name: ru('products.search') })
    .click()
  const field = page.getByRole('searchbox')
  await expect(field).toBeFocused()
  for (const [typed, name] of [
    ['фрифайр', /^Free Fire/],
    ["sovg'a", /PlayStation/],
    ['валарант', /^Valorant/],
  ] as const) {
    await field.fill(typed)
    await expect(page.getByRole('link', { name }).first()).toBeVisible()
    await expect(page.getByRole('link', { name: /Steam/ })).toHaveCount(0)
  }
  await field.fill('nothing like it')
  await expect(page.getByRole('heading', { name: ru('products.suggested') })).toBeVisible()
  await expect(page.getByRole('link', { name: /PUBG Mobile/ })).toBeVisible()
  // Pressed again it begins another search.
  await page
    .getByRole('banner')
    .getByRole('link', { name: ru('products.search') })
    .click()
  await expect(field).toHaveValue('')
  await expect(field).toBeFocused()
})

test('chips show a kind or a region only, and stay in the address', async ({ page }) => {
  await open(page, '/products')
  const codes = page.getByRole('button', { name: ru('products.codes') })
  await codes.click()
  await expect(page).toHaveURL('/products?kind=code')
  await expect(page.getByRole('link', { name: /PUBG Mobile/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Казахстан' }).click()
  await expect(page.getByRole('link', { name: /iTunes/ })).toBeVisible()
  await expect(page.getByRole('link', { name: /Roblox/ })).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Казахстан', pressed: true })).toBeVisible()
  await expect(page.getByRole('link', { name: /Roblox/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Казахстан' }).click()
  await expect(page).toHaveURL('/products')
  await expect(page.getByRole('link', { name: /PUBG Mobile/ })).toBeVisible()
})

test('a link to a part of the products counts, whatever was searched for and pressed before it', async ({ page }) => {
  await open(page, '/products')
  const chip = (name: string, pressed: boolean) => page.getByRole('main').getByRole('button', { name, pressed })
  await chip(ru('products.codes'), false).click()
  await page.getByRole('searchbox').fill('roblox')
  await expect(page).toHaveURL('/products?kind=code&search=roblox')
  await page
    .getByRole('contentinfo')
    .getByRole('link', { name: ru('products.topups') })
    .click()
  await expect(page).toHaveURL('/products?kind=topup')
  await expect(chip(ru('products.topups'), true)).toBeVisible()
  await expect(page.getByRole('searchbox')).toHaveValue('')
  await expect(page.getByRole('link', { name: /PUBG Mobile/ }).first()).toBeVisible()
})

test('all that narrows the own orders is taken away at once, in the address too', async ({ page }) => {
  await register(page)
  await open(page, '/orders?state=open&product=roblox')
  await page.getByRole('searchbox').fill('none like it')
  await expect(page).toHaveURL('/orders?state=open&product=roblox&search=none+like+it')
  await page.getByRole('button', { name: ru('orders.clearSearch') }).click()
  await expect(page.getByRole('searchbox')).toHaveValue('')
  await expect(page).toHaveURL('/orders')
})

test('a product shows nine packages a page, and those of the chosen region', async ({ page }) => {
  await open(page, '/products/playstation')
  const packages = page.getByRole('radiogroup', { name: ru('product.choosePackage') }).locator('label')
  await expect(packages).toHaveCount(9)
  await page.getByRole('button', { name: ru('pager.next') }).click()
  await expect(packages).not.toHaveCount(9)
  const before = await packages.first().textContent()
  await page
    .getByRole('radiogroup', { name: ru('product.chooseRegion') })
    .getByText('США')
    .click()
  await expect(packages.first()).not.toHaveText(before ?? '')
  await expect(packages).toHaveCount(9)
})

test('language and currency are chosen once and stay', async ({ page }) => {
  await open(page, '/products/roblox')
  await expect(page.getByText('99,00').first()).toBeVisible()
  await page.getByRole('button', { name: /Язык/ }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  // Beside it, where a phone has room.
  await page.mouse.click(8, 120)
  await expect(page.getByRole('menu')).toBeHidden()
  await page.getByRole('button', { name: /Язык/ }).click()
  await page.getByRole('menuitem', { name: 'English' }).click()
  await expect(page.getByText('A Robux gift card', { exact: false })).toBeVisible()
  await page.getByRole('button', { name: /Currency/ }).click()
  await page.getByRole('menuitem', { name: /USD/ }).click()
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(page.getByRole('heading', { name: 'Choose a package' })).toBeVisible()
  const packages = page.getByRole('radiogroup', { name: 'Choose a package' })
  await expect(packages.getByText('$1.29').first()).toBeVisible()
})

test('a page without JavaScript can be read', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? '' })
  const page = await context.newPage()
  await page.goto('/products/roblox')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Roblox')
  await expect(page.getByText('99,00').first()).toBeVisible()
  await context.close()
})

test('unknown addresses and products say so, and lead on', async ({ page }) => {
  const answer = await page.goto('/no/such/page')
  expect(answer?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(ru('notFound.title'))
  await open(page, '/products')
  const missing = await page.goto('/products/no-such-product')
  expect(missing?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(ru('product.notFound'))
  await expect(page.locator('html[data-hydrated]')).toBeAttached()
  await page.getByRole('button', { name: ru('notFound.back') }).click()
  await expect(page).toHaveURL('/products')
})
