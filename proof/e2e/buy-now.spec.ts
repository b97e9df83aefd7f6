import { expect, type Page } from '@playwright/test'
import { callHere } from './calls.ts'
import { axeOn, isTooWide } from './complaints.ts'
import { addToCart, giveBalance, open, register, test } from './customer.ts'
import { ru } from './ru.ts'

const sheet = (page: Page) => page.getByRole('dialog', { name: ru('product.buyNow') })
const payFromBalance = (page: Page) => sheet(page).getByRole('button', { name: /^Оплатить .* с баланса$/ })
const press = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('button', { name: ru('product.buyNow') })
    .click()
const rouble = async (page: Page): Promise<number> => (await callHere(page, 'GET', '/balance'))[1].amount
const countOrders = async (page: Page): Promise<number> => (await callHere(page, 'GET', '/orders')).total

async function aCustomer(page: Page, balanceRub: number): Promise<void> {
  await register(page)
  await giveBalance(page, { balanceRub })
}

test('buying now buys what the sheet shows, and nothing of the cart', async ({ page }) => {
  await aCustomer(page, 1_000)
  await addToCart(page, 2)
  const cart = await callHere(page, 'GET', '/cart')
  await open(page, '/products/roblox')
  await page.getByRole('button', { name: ru('cart.more') }).click()
  await press(page)
  await expect(sheet(page)).toContainText('Roblox')
  await expect(sheet(page)).toContainText('× 2')
  await expect(sheet(page).getByText(ru('buyNow.left')).locator('..')).toContainText('802')
  await expect(payFromBalance(page)).toContainText('198,00')
  expect(await axeOn(page)).toEqual([])
  expect(await isTooWide(page)).toBe(false)
  await payFromBalance(page).click()
  await expect(page).toHaveURL('/orders')
  await expect(page.getByRole('region', { name: ru('orders.paidNow') })).toBeVisible()
  expect(await rouble(page)).toBe(802)
  expect((await callHere(page, 'GET', '/cart')).data).toMatchObject([{ id: cart.data[0].id, quantity: 2 }])
})

test('the sheet closes, and the other ways to pay are those of the checkout', async ({ page }) => {
  await aCustomer(page, 1_000)
  await open(page, '/products/roblox')
  await press(page)
  await expect(sheet(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sheet(page)).toBeHidden()
  await expect(page.getByRole('main').getByRole('button', { name: ru('product.buyNow') })).toBeFocused()
  await press(page)
  await sheet(page)
    .getByRole('button', { name: ru('buyNow.otherWays') })
    .click()
  await expect(page).toHaveURL('/checkout')
  expect((await callHere(page, 'GET', '/cart')).data).toMatchObject([{ quantity: 1 }])
  expect(await countOrders(page)).toBe(0)
})

test('who has too little on the balance is led to the checkout at once', async ({ page }) => {
  await aCustomer(page, 98)
  await open(page, '/products/roblox')
  await press(page)
  await expect(page).toHaveURL('/checkout')
  expect((await callHere(page, 'GET', '/cart')).data).toMatchObject([{ quantity: 1 }])
})

test('a price that changed is shown, and paid when it is pressed again', async ({ page }) => {
  await aCustomer(page, 1_000)
  await open(page, '/products/roblox')
  await press(page)
  // The page saw a rouble less than the store charges.
  await page.route(
    '**/api/payment/buy-now',
    (route) => route.continue({ postData: { ...route.request().postDataJSON(), amount: 98 } }),
    { times: 1 },
  )
  await payFromBalance(page).click()
  await expect(sheet(page).getByRole('alert')).toContainText(/Цена изменилась: теперь 99,00/)
  expect(await countOrders(page)).toBe(0)
  await payFromBalance(page).click()
  await expect(page).toHaveURL('/orders')
  expect(await rouble(page)).toBe(901)
})

test('what is sold out meanwhile is said, and leads back to the packages', async ({ page }) => {
  await aCustomer(page, 1_000)
  await open(page, '/products/roblox')
  await press(page)
  const details = { item_id: -1, offer_id: 1, product_title: 'Roblox', requested: 1, available_count: 0 }
  const error = { code: 'OUT_OF_STOCK', message: 'Conflict', details }
  const answer = { status: 409, json: { success: false, error } }
  await page.route('**/api/payment/buy-now', (route) => route.fulfill(answer), { times: 1 })
  await payFromBalance(page).click()
  await expect(sheet(page).getByRole('alert')).toContainText(ru('checkout.nothingTaken'))
  await sheet(page)
    .getByRole('button', { name: ru('buyNow.chooseElse') })
    .click()
  await expect(sheet(page)).toBeHidden()
})

test('an answer that is lost is asked for again under its key, and the offer is bought once', async ({ page }) => {
  await aCustomer(page, 1_000)
  await open(page, '/products/roblox')
  await press(page)
  const keys = new Set<string | undefined>()
  let isLost = true
  await page.route('**/api/payment/buy-now', async (route) => {
    keys.add(route.request().headers()['idempotency-key'])
    if (!isLost) return route.continue()
    // The store sells; the answer gets lost on its way.
    await route.fetch()
    await route.abort()
  })
  await payFromBalance(page).click()
  await expect(sheet(page).getByRole('alert')).toContainText(ru('checkout.noAnswer'))
  isLost = false
  // Another visit of the page is the same purchase still.
  await page.reload()
  await expect(page.locator('html[data-hydrated]')).toBeAttached()
  await press(page)
  await payFromBalance(page).click()
  await expect(page).toHaveURL('/orders')
  expect(keys.size).toBe(1)
  expect(await countOrders(page)).toBe(1)
  expect(await rouble(page)).toBe(901)
})

test('a sheet that is closed while it pays still says what came of it', async ({ page }) => {
  await aCustomer(page, 1_000)
  await open(page, '/products/roblox')
  let answer = () => {}
  await page.route('**/api/payment/buy-now', async (route) => {
    await new Promise<void>((resolve) => {
      answer = resolve
    })
    await route.continue()
  })
  const payAndClose = async () => {
    await press(page)
    const sent = page.waitForRequest('**/api/payment/buy-now')
    await payFromBalance(page).click()
    await sent
    await page.keyboard.press('Escape')
    await expect(sheet(page)).toBeHidden()
  }
  await payAndClose()
  await giveBalance(page, { balanceRub: 1 })
  answer()
  await expect(page.getByText(/на балансе 1,00/)).toBeVisible()
  await expect(page).toHaveURL('/products/roblox')

  await giveBalance(page, { balanceRub: 1_000 })
  await page.reload()
  await expect(page.locator('html[data-hydrated]')).toBeAttached()
  await payAndClose()
  answer()
  await expect(page).toHaveURL('/orders')
  await expect(page.getByRole('region', { name: ru('orders.paidNow') })).toBeVisible()
  expect(await countOrders(page)).toBe(1)
})

test('a visitor is asked to log in, and nothing is fetched for them', async ({ page }) => {
  const files: string[] = []
  page.on('request', (request) => files.push(request.url()))
  await open(page, '/products/roblox')
  await page.waitForLoadState('networkidle')
  expect(files.filter((file) => file.includes('BuyNowSheet'))).toEqual([])
  await press(page)
  await expect(page).toHaveURL('/login')
})
