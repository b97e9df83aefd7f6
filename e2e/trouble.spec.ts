import { expect, type Page } from '@playwright/test'
import { addToCart, open, register, test } from './customer.ts'
import { admin } from './start-store.ts'
import { watchConsole } from './watch-console.ts'

/** Calls of the admin area, as the admin. */
async function asAdmin(page: Page): Promise<(path: string, data: object) => Promise<void>> {
  const session = await page.request.post('/api/auth/login', { data: admin })
  const headers = { authorization: `Bearer ${(await session.json()).token}` }
  return async (path, data) => {
    const answer = await page.request.post(`/api/admin/${path}`, { data, headers })
    expect(answer.status(), await answer.text()).toBe(201)
  }
}

const isTooWide = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

test('hostile names, texts and pictures stay words, and break no screen', async ({ page }, { project }) => {
  const call = await asAdmin(page)
  page.on('dialog', (dialog) => {
    throw new Error(`a script ran: ${dialog.message()}`)
  })
  const name = `</script><script>alert(1)</script><img src=x onerror=alert(2)>${'W'.repeat(90)}\u202Egnp.${project.name}`
  const slug = `hostile-${project.name}`
  // Nobody listens there.
  const imageUrl = 'https://127.0.0.1:9/none.png'
  await call('products', { name, slug, imageUrl, description: `${'long'.repeat(120)}"><script>alert(3)</script>` })
  await call('promotions', { text: `<b>${'sale'.repeat(40)}</b>`, background_color: '#ffffff' })

  await open(page, `/products/${slug}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  await expect(page.locator('main img').first()).toHaveAttribute('src', '/art/anything.svg')
  await expect(page.getByText('Сейчас пакетов нет в наличии').first()).toBeVisible()
  expect(await isTooWide(page)).toBe(false)
  await open(page, '/products')
  await expect(page.getByRole('link', { name: 'W'.repeat(90) })).toBeVisible()
  expect(await isTooWide(page)).toBe(false)
  await open(page, '/')
  await expect(page.getByRole('listitem').filter({ hasText: '<b>sale' }).first()).toBeAttached()
  await expect(page.getByRole('link', { name: 'Выбрать товар' })).toBeInViewport()
  expect(await isTooWide(page)).toBe(false)
})

test('a storage that was cleared under the page leads to the login page', async ({ page }) => {
  await register(page)
  await open(page, '/orders')
  await expect(page.getByText('Заказов пока нет')).toBeVisible()
  await page.evaluate(() => localStorage.clear())
  // The list asks again by itself, and learns of it.
  await expect(page).toHaveURL('/login')
})

test('what one tab chooses and ends, the other follows', async ({ page, context }) => {
  await register(page)
  const other = await context.newPage()
  const complaints = watchConsole(other)
  await open(other, '/orders')
  await open(page, '/profile')
  await page.getByRole('button', { name: /Язык/ }).click()
  await page.getByRole('menuitem', { name: 'English' }).click()
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('Orders')
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(other).toHaveURL('/login')
  expect(complaints).toEqual([])
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

test('without a network the shop says so, and goes on when it is back', async ({ page, context }) => {
  await register(page)
  await open(page, '/products/roblox')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'В корзину' }).click()
  await expect(page.getByRole('alert').getByText(/Нет соединения/)).toBeVisible()
  await context.setOffline(false)
  await addToCart(page, 1)
})

test('a page that is opened without a network is the shop’s own', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ baseURL: baseURL ?? '', serviceWorkers: 'allow' })
  const page = await context.newPage()
  await open(page, '/')
  await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state)
  await page.reload()
  await context.setOffline(true)
  await page.goto('/products')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Нет соединения')
  expect(await page.evaluate(async () => (await (await caches.open('offline')).keys()).length)).toBe(1)
  await context.setOffline(false)
  await page.getByRole('link', { name: 'Повторить' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Товары')
  await context.close()
})

test('a purchase by keyboard alone, with focus where it belongs', async ({ page, isMobile }) => {
  test.skip(isMobile, 'a phone has no keyboard')
  await register(page)
  await open(page, '/')
  await page.keyboard.press('Tab')
  await expect(page.getByText('К содержанию')).toBeFocused()
  // A picker: opens by key, closes by Escape, and gives focus back.
  const picker = page.getByRole('button', { name: /Валюта/ })
  await picker.focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: /RUB/ })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: /USD/ })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(picker).toBeFocused()

  await page.getByRole('link', { name: 'Выбрать товар' }).focus()
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
  await page.getByRole('button', { name: 'В корзину' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').getByText('Добавлено в корзину')).toBeVisible()
  await page.getByRole('link', { name: 'Перейти в корзину' }).focus()
  await page.keyboard.press('Enter')
  // A dialog: takes focus, closes by Escape, and gives focus back.
  const clear = page.getByRole('button', { name: 'Очистить корзину' })
  await clear.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(clear).toBeFocused()
  await page.getByRole('link', { name: 'Оформить заказ' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: /^Оплатить .* с баланса$/ })).toBeVisible()
  await page.getByRole('button', { name: /^Оплатить .* с баланса$/ }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('Не хватает')
})
