import { expect } from '@playwright/test'
import { addToCart, giveBalance, logInHere, open, register, test } from './customer.ts'
import { ru } from './ru.ts'

test('a storage that was cleared under the page leads to the login page', async ({ page }) => {
  const nickname = await register(page)
  await open(page, '/orders')
  await expect(page.getByText(ru('orders.empty'))).toBeVisible()
  await page.evaluate(() => localStorage.clear())
  // The list asks again by itself, and learns of it.
  await expect(page).toHaveURL('/login')
  await logInHere(page, nickname)
  await expect(page).toHaveURL('/orders')

  // The other pages learn of it by what is pressed.
  const presses = [
    ['/products/roblox', ru('product.add')],
    ['/cart', ru('cart.more')],
    ['/checkout', /картой$/],
  ] as const
  for (const [path, button] of presses) {
    await open(page, path)
    await page.getByRole('button', { name: button }).waitFor()
    await page.evaluate(() => {
      localStorage.clear()
      sessionStorage.clear()
    })
    await page.getByRole('button', { name: button }).click()
    await expect(page, path).toHaveURL('/login')
    await logInHere(page, nickname)
    await expect(page, path).toHaveURL(path)
    if (path === '/products/roblox') await addToCart(page, 1)
  }
})

test('the language the browser keeps wins where the server does not know it', async ({ page }) => {
  await open(page, '/products/roblox')
  await page.evaluate(() => {
    localStorage.setItem('language', 'uz')
    localStorage.setItem('currency', 'USD')
  })
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', 'uz')
  await page.reload()
  // By now the server knows it, too.
  expect(await (await page.request.get('/products/roblox')).text()).toContain('<html lang="uz"')
})

test('where there is nothing to go back to, the way back from a product that is gone leads home', async ({ page }) => {
  await open(page, '/')
  const opened = page.waitForEvent('popup')
  await page.evaluate(() => void window.open('/products/no-such-product'))
  const tab = await opened
  await expect(tab.locator('html[data-hydrated]')).toBeAttached()
  await tab.getByRole('button', { name: ru('notFound.back') }).click()
  await expect(tab).toHaveURL('/')
})

test('without a network the shop says so, and goes on when it is back', async ({ page, context }) => {
  await register(page)
  await open(page, '/products/roblox')
  await context.setOffline(true)
  await page.getByRole('button', { name: ru('product.add') }).click()
  await expect(page.getByRole('alert').getByText(/Нет соединения/)).toBeVisible()
  await context.setOffline(false)
  await addToCart(page, 1)

  // A change of the cart is taken back, and a payment is made once.
  await giveBalance(page, { balanceRub: 500 })
  await open(page, '/cart')
  await context.setOffline(true)
  await page.getByRole('button', { name: ru('cart.more') }).click()
  await expect(page.getByRole('alert').getByText(/Нет соединения/)).toBeVisible()
  await expect(page.getByRole('group', { name: ru('cart.quantityOf', { title: 'Roblox' }) })).toHaveText('1')
  await context.setOffline(false)
  await page.getByRole('link', { name: ru('cart.checkout') }).click()
  const pay = page.getByRole('button', { name: /^Оплатить .* с баланса$/ })
  await expect(pay).toContainText('99,00')
  await context.setOffline(true)
  await pay.click()
  await expect(page.getByRole('alert').getByText('деньги не спишутся дважды')).toBeVisible()
  await context.setOffline(false)
  await pay.click()
  await expect(page).toHaveURL('/orders')
  await expect(page.getByRole('link', { name: /Заказ [0-9A-Z]{10}/ })).toHaveCount(1)
})

test('a page that is opened without a network is the shop’s own', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ baseURL: baseURL ?? '', serviceWorkers: 'allow' })
  const page = await context.newPage()
  await open(page, '/')
  await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state)
  await page.reload()
  await context.setOffline(true)
  await page.goto('/products')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(ru('offline.title'))
  expect(await page.evaluate(async () => (await (await caches.open('offline')).keys()).length)).toBe(1)
  await context.setOffline(false)
  await page.getByRole('link', { name: ru('loading.retry') }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(ru('products.title'))
  // A link to a page that was never opened leads there, too; afterwards one is where one wanted to go.
  await context.setOffline(true)
  await page
    .getByRole('link', { name: ru('support.title') })
    .last()
    .click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(ru('offline.title'))
  await context.setOffline(false)
  await page.getByRole('link', { name: ru('loading.retry') }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(ru('support.title'))
  await context.close()
})

test('a page that the network left before its scripts came stays in sight, and comes alive by itself', async ({
  page,
  context,
}) => {
  await page.route(
    '**/assets/*.js',
    async (route) => {
      await context.setOffline(true)
      await route.abort('internetdisconnected')
    },
    { times: 1 },
  )
  const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('.js'))
  await page.goto('/products', { waitUntil: 'commit' })
  await failed
  const title = page.getByRole('heading', { level: 1, name: ru('products.title') })
  await expect(title).toBeVisible()
  expect(await page.evaluate(() => 'hydrated' in document.documentElement.dataset)).toBe(false)
  await context.setOffline(false)
  await expect(page.locator('html[data-hydrated]')).toBeAttached()
  await expect(title).toBeVisible()
})

test('a purchase by keyboard alone, with focus where it belongs', async ({ page, isMobile }) => {
  test.skip(isMobile, 'a phone has no keyboard')
  await register(page)
  await open(page, '/')
  await page.keyboard.press('Tab')
  await expect(page.getByText(ru('header.skip'))).toBeFocused()
  // A picker opens by key, closes by Escape, and returns focus.
  const picker = page.getByRole('button', { name: /Валюта/ })
  await picker.focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: 'Русский' })).toBeFocused()
  await page.keyboard.press('End')
  await expect(page.getByRole('menuitem').last()).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('menuitem').nth(-2)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(picker).toBeFocused()

  await page.getByRole('link', { name: ru('home.heroAction') }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: /Roblox/ }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Roblox')
  const packages = page.getByRole('radio')
  await packages.first().focus()
  await page.keyboard.press('ArrowRight')
  await expect(packages.nth(1)).toBeFocused()
  await page.keyboard.press('Space')
  await expect(packages.nth(1)).toBeChecked()
  await page.getByRole('button', { name: ru('product.add') }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').getByText(ru('product.added'))).toBeVisible()
  await page.getByRole('link', { name: ru('product.toCart') }).focus()
  await page.keyboard.press('Enter')
  // A dialog takes focus, closes by Escape, and returns focus.
  const clear = page.getByRole('button', { name: ru('cart.clear') })
  await clear.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').locator(':focus')).toBeAttached()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(clear).toBeFocused()
  await page.getByRole('link', { name: ru('cart.checkout') }).focus()
  await page.keyboard.press('Enter')
  // What can't pay is passed over, and says why.
  const fromBalance = page.getByRole('button', { name: /^Оплатить .* с баланса$/ })
  await expect(fromBalance).toBeDisabled()
  await expect(fromBalance).toHaveAccessibleDescription(/не хватает/)
  await page.getByRole('button', { name: /^Оплатить .* картой$/ }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/sandbox\/pay\//)
})
