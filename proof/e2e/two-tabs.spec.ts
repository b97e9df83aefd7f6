import { type APIRequestContext, expect, type Locator, type Page, request } from '@playwright/test'
import { watchConsole } from './complaints.ts'
import { addToCart, giveBalance, labels, logInHere, open, register, test } from './customer.ts'
import { ru } from './ru.ts'

const payFromBalance = (page: Page) => page.getByRole('button', { name: /^Оплатить .* с баланса$/ })

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

test('prices in every tab are in the currency that one of them chose', async ({ page, context }) => {
  await open(page, '/products/roblox')
  const other = await context.newPage()
  const complaints = watchConsole(other)
  await open(other, '/products')
  await page.getByRole('button', { name: /Валюта/ }).click()
  await page.getByRole('menuitem', { name: /USD/ }).click()
  await expect(other.getByRole('link', { name: /Roblox/ })).toHaveText(/\$1\.29$/)
  await expect(other.getByRole('button', { name: 'Валюта: USD' })).toBeVisible()
  expect(complaints).toEqual([])
})

test('a cart that one tab changes changes in the others', async ({ page, context }) => {
  await register(page)
  await addToCart(page, 1)
  await open(page, '/cart')
  const checkout = await context.newPage()
  const complaints = watchConsole(checkout)
  await open(checkout, '/checkout')
  await expect(payFromBalance(checkout)).toContainText('99,00')
  await page.getByRole('button', { name: ru('cart.more') }).click()
  await expect(payFromBalance(checkout)).toContainText('198,00')
  await page.getByRole('button', { name: /Валюта/ }).click()
  await page.getByRole('menuitem', { name: /USD/ }).click()
  await expect(payFromBalance(checkout)).toContainText('$2.58')
  const other = await context.newPage()
  await open(other, '/cart')
  await other.getByRole('button', { name: ru('cart.clear') }).click()
  await other
    .getByRole('dialog')
    .getByRole('button', { name: ru('cart.clear') })
    .click()
  await expect(page.getByText(ru('cart.empty'))).toBeVisible()
  await expect(checkout.getByText(ru('checkout.empty'))).toBeVisible()
  expect(complaints).toEqual([])
})

/** What the same customer does on another device, which tells this browser nothing. */
async function elsewhere(page: Page): Promise<APIRequestContext> {
  const token = await page.evaluate(() => localStorage.getItem('token'))
  return request.newContext({
    baseURL: new URL(page.url()).origin,
    extraHTTPHeaders: { authorization: `Bearer ${token}` },
  })
}

test('a cart that grew elsewhere is not charged to whom saw less', async ({ page }) => {
  await register(page)
  await giveBalance(page, { balanceRub: 500 })
  await addToCart(page, 1)
  await open(page, '/checkout')
  await expect(payFromBalance(page)).toContainText('99,00')
  const device = await elsewhere(page)
  const [line] = (await (await device.get('/api/cart')).json()).data
  expect((await device.put(`/api/cart/update-quantity/${line.id}`, { data: { quantity: 3 } })).ok()).toBe(true)
  await payFromBalance(page).click()
  await expect(page.getByRole('alert')).toContainText('Сумма заказа изменилась. Деньги не списаны.')
  await expect(payFromBalance(page)).toContainText('297,00')
  await payFromBalance(page).click()
  await expect(page).toHaveURL('/orders')
  await open(page, '/profile')
  await expect(page.getByText('203,00').first()).toBeVisible()
})

test('a cart that was emptied elsewhere says so, wherever it is still shown', async ({ page, context }) => {
  await register(page)
  await giveBalance(page, { balanceRub: 500 })
  await addToCart(page, 1)
  await open(page, '/cart')
  const checkout = await context.newPage()
  await open(checkout, '/checkout')
  await expect(payFromBalance(checkout)).toBeVisible()
  expect((await (await elsewhere(page)).post('/api/cart/clear', { data: {} })).ok()).toBe(true)

  await payFromBalance(checkout).click()
  await expect(checkout.getByText(ru('checkout.empty'))).toBeVisible()
  await expect(page.getByText(ru('cart.empty'))).toBeVisible()
  await open(page, '/profile')
  await expect(page.getByText('500,00').first()).toBeVisible()
})

test('a line that was taken out elsewhere can not be changed here', async ({ page }) => {
  await register(page)
  await addToCart(page, 1)
  await open(page, '/cart')
  await expect(page.getByText(ru('cart.subtotalRub'))).toBeVisible()
  expect((await (await elsewhere(page)).post('/api/cart/clear', { data: {} })).ok()).toBe(true)
  await page.getByRole('button', { name: ru('cart.more') }).click()
  await expect(page.getByText(ru('failure.NOT_FOUND'))).toBeVisible()
  await expect(page.getByText(ru('cart.empty'))).toBeVisible()
})

/** Ends the page's session at the store, as logging out or a new password elsewhere do; the page does not know. */
async function endSession(page: Page): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem('token'))
  const answer = await page.request.post('/api/auth/logout', {
    data: {},
    headers: { authorization: `Bearer ${token}` },
  })
  expect(answer.ok(), await answer.text()).toBe(true)
}

/** Presses what needs a session, unless the page finds out by itself that it is over and leads to the login before. */
async function pressLoggedOut(page: Page, button: Locator): Promise<void> {
  const pressed = button.click().catch(() => {})
  await Promise.race([pressed, page.waitForURL('/login')])
  await expect(page).toHaveURL('/login')
}

test('who is logged out before paying logs in, is back at the same top-up, and pays once', async ({ page }) => {
  const nickname = await register(page)
  await giveBalance(page, { balanceRub: 500 })
  await open(page, '/products/freefire')
  await page.getByRole('radio', { name: /^100 алмазов/ }).click()
  await page.getByLabel(labels.playerId).fill('5123456')
  await page.getByRole('button', { name: ru('topups.topUpNow') }).click()
  await expect(page.getByText(ru('topups.forAccount', { account: 'Player_3456' }))).toBeVisible()
  await endSession(page)
  await pressLoggedOut(page, payFromBalance(page))
  await logInHere(page, nickname)
  await expect(page).toHaveURL('/checkout')
  await expect(page.getByText(ru('topups.forAccount', { account: 'Player_3456' }))).toBeVisible()
  await payFromBalance(page).click()
  await expect(page).toHaveURL('/orders')
  await expect(page.getByRole('link', { name: /Заказ [0-9A-Z]{10}/ })).toHaveCount(1)
  await open(page, '/profile')
  await expect(page.getByText('421,00').first()).toBeVisible()
})

test('who is logged out with a full cart finds it again, and is led back to where the purchase was', async ({
  page,
}) => {
  const nickname = await register(page)
  await giveBalance(page, { balanceRub: 500 })
  await open(page, '/products/roblox')
  await endSession(page)
  await pressLoggedOut(page, page.getByRole('button', { name: ru('product.add') }))
  await logInHere(page, nickname)
  await expect(page).toHaveURL('/products/roblox')
  await addToCart(page, 1)
  await open(page, '/cart')
  await expect(page.getByText(ru('cart.subtotalRub'))).toBeVisible()
  await endSession(page)
  await pressLoggedOut(page, page.getByRole('button', { name: ru('cart.more') }))
  await logInHere(page, nickname)
  await expect(page).toHaveURL('/cart')
  await page.getByRole('link', { name: ru('cart.checkout') }).click()
  await expect(payFromBalance(page)).toContainText('99,00')
  await endSession(page)
  await pressLoggedOut(page, payFromBalance(page))
  await logInHere(page, nickname)
  await expect(page).toHaveURL('/checkout')
  await payFromBalance(page).click()
  await expect(page).toHaveURL('/orders')
  await open(page, '/profile')
  await expect(page.getByText('401,00').first()).toBeVisible()
})
