import { expect, type Page } from '@playwright/test'
import { watchConsole } from './complaints.ts'
import { addToCart, giveBalance, logIn, open, password, register, test } from './customer.ts'
import { ru } from './ru.ts'
import { type Store, startStore } from './start-store.ts'

async function codesOn(page: Page): Promise<string[]> {
  await page.getByRole('button', { name: /Показать код/ }).click()
  const buttons = page.getByRole('button', { name: /Скопировать код \d/ })
  await expect(buttons.first()).toBeVisible()
  return page.locator('code').allTextContents()
}

test.describe('the first sale', () => {
  let store: Store
  test.beforeAll(async () => {
    store = await startStore()
  })
  test.afterAll(() => store.stop())

  test('register, get a balance, buy two codes, read them, and again after a restart', async ({ browser }) => {
    const context = await browser.newContext({
      baseURL: store.url,
      locale: 'ru-RU',
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    // As phones have it; what is shared lands in the page's own hands.
    await context.addInitScript(() => {
      navigator.share = async (shared) => void Object.assign(window, { shared })
    })
    const page = await context.newPage()
    const complaints = watchConsole(page)
    const nickname = await register(page)
    await giveBalance(page, { balanceRub: 500 })
    await addToCart(page, 2)

    await page.getByRole('link', { name: ru('product.toCart') }).click()
    await expect(page.getByText(ru('cart.subtotalRub'))).toBeVisible()
    await page.getByRole('link', { name: ru('cart.checkout') }).click()
    await page.getByRole('button', { name: /^Оплатить .* с баланса$/ }).click()
    await expect(page).toHaveURL(/\/orders$/)
    // The order is unfolded, and none of its codes is in the page before it is asked for.
    const unfolded = page.getByRole('region', { name: ru('orders.paidNow') })
    await expect(unfolded.getByRole('status').first()).toHaveText(ru('receipt.ready', { count: 2 }))
    await expect(page.locator('code')).toHaveCount(0)
    await page.getByRole('link', { name: /Заказ [0-9A-Z]{10}/ }).click()

    const codes = await codesOn(page)
    expect(codes).toHaveLength(2)
    expect(new Set(codes).size).toBe(2)
    await page.getByRole('button', { name: ru('receipt.copyAll') }).click()
    await expect(page.getByText(ru('receipt.copied'), { exact: true })).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(codes.join('\n'))
    await page.getByRole('button', { name: ru('receipt.share') }).click()
    await expect.poll(() => page.evaluate(() => Reflect.get(window, 'shared'))).toEqual({ text: codes.join('\n') })

    const firstUsed = page.getByRole('checkbox', { name: ru('receipt.usedCode', { number: '1' }) })
    await firstUsed.check()

    await store.restart()
    await page.reload()
    await expect(firstUsed).toBeChecked()
    expect(await codesOn(page)).toEqual(codes)

    await page.evaluate(() => localStorage.clear())
    await logIn(page, nickname, password)
    await open(page, '/profile')
    await expect(page.getByText('302,00').first()).toBeVisible()
    await expect(page.getByText(ru('profile.progress', { current: '1', total: '10' }))).toBeVisible()
    expect(complaints).toEqual([])
    await context.close()
  })
})

test('too little money leads to the way that can pay; spent meanwhile, it is refused with the amounts', async ({
  page,
}) => {
  await register(page)
  await giveBalance(page, { balanceRub: 50 })
  await addToCart(page, 1)
  await open(page, '/checkout')
  const fromBalance = page.getByRole('button', { name: /^Оплатить .* с баланса$/ })
  await expect(fromBalance).toBeDisabled()
  await expect(fromBalance).toHaveAccessibleDescription(/На балансе не хватает 49,00/)
  const atThumb = page.locator('[data-thumb-bar]')
  await expect(atThumb.getByRole('button', { name: /^Оплатить 99,00.* картой$/ })).toBeEnabled()
  await expect(atThumb.getByRole('button')).toHaveCount(1)
  await expect(atThumb.getByRole('button')).toBeInViewport()

  await giveBalance(page, { balanceRub: 100 })
  await page.reload()
  await expect(atThumb.getByRole('button', { name: /с баланса$/ })).toBeEnabled()
  await giveBalance(page, { balanceRub: 50 })
  await fromBalance.click()
  await expect(page.getByRole('alert')).toContainText(/Нужно 99,00.*на балансе 50,00.*не хватает 49,00/)
  await open(page, '/cart')
  await expect(page.getByText('Roblox').first()).toBeVisible()
  await open(page, '/orders')
  await expect(page.getByText(ru('orders.empty'))).toBeVisible()
})

test('an answer that is lost is asked for again, and the cart is paid once', async ({ page }) => {
  await register(page)
  await giveBalance(page, { balanceRub: 1000 })
  await addToCart(page, 1)
  await open(page, '/checkout')
  await page.route('**/api/payment/from-balance', async (route) => {
    // The store sells; the answer gets lost on its way.
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: /^Оплатить .* с баланса$/ }).click()
  await expect(page.getByText('заказ уже в списке заказов')).toBeVisible()
  await page.getByRole('link', { name: ru('profile.orders') }).click()
  await expect(page.getByRole('link', { name: /Заказ [0-9A-Z]{10}/ })).toHaveCount(1)
  await open(page, '/profile')
  await expect(page.getByText('901,00').first()).toBeVisible()
})

test('the order that was just paid stays while one searches, hides its codes, and goes on', async ({ page }) => {
  await register(page)
  await giveBalance(page, { balanceRub: 1000 })
  await addToCart(page, 2)
  await open(page, '/checkout')
  // Its second code is said to be on its way for now.
  let isOnItsWay = true
  await page.route(/\/api\/orders\/[0-9A-Z]{10}(\?|$)/, async (route) => {
    const answer = await route.fetch()
    const order = await answer.json()
    await route.fulfill({ json: { ...order, ...(isOnItsWay && { status: 'pending' }) } })
  })
  const unread = '**/api/orders/*codes=hidden*'
  await page.route(unread, (route) => route.fulfill({ status: 500 }))
  await page.getByRole('button', { name: /^Оплатить .* с баланса$/ }).click()
  const unfolded = page.getByRole('region', { name: ru('orders.paidNow') })
  await expect(unfolded.getByRole('alert')).toContainText(ru('receipt.failed'))
  await page.unroute(unread)
  await unfolded.getByRole('button', { name: ru('loading.retry') }).click()

  const ticket = (key: 'revealCode' | 'copyCode') =>
    unfolded.getByRole('button', { name: ru(`receipt.${key}`, { number: 1 }) })
  await ticket('revealCode').click()
  await expect(unfolded.locator('code')).toHaveCount(2)
  await expect(unfolded.getByRole('status').first()).toHaveText(ru('receipt.pending'))
  isOnItsWay = false
  await expect(unfolded.getByRole('status').first()).toHaveText(ru('receipt.ready', { count: 2 }))
  await page.getByRole('searchbox').fill('no such order')
  await expect(page).toHaveURL(/search=no/)
  await expect(page.getByText(ru('orders.nothing'))).toBeVisible()
  await expect(unfolded.locator('code')).toHaveCount(2)

  await unfolded.getByRole('button', { name: ru('receipt.hide', { count: 2 }) }).click()
  await expect(ticket('revealCode')).toBeVisible()
  await expect(unfolded.getByText(ru('receipt.copied'), { exact: true })).toHaveCount(0)
  await expect(unfolded.getByText(ru('receipt.reveal'), { exact: true })).toHaveCount(2)

  // A press that is answered as an earlier one was leads here later, too; the page says then of when it is.
  const earlier = unfolded.getByText(/Более поздние покупки/)
  await expect(earlier).toHaveCount(0)
  await page.clock.setFixedTime(Date.now() + 11 * 60_000)
  await page.reload()
  await expect(earlier).toBeVisible()
})

test('the cart changes at once, keeps to the stock and asks before it is cleared', async ({ page }) => {
  await register(page)
  await open(page, '/products/genshin-impact')
  await page.getByRole('button', { name: ru('product.add') }).click()
  await expect(page.getByText(ru('product.added'))).toBeVisible()
  await open(page, '/cart')
  const more = page.getByRole('button', { name: ru('cart.more') })
  const quantity = page.getByRole('group', { name: ru('cart.quantityOf', { title: 'Genshin Impact' }) })
  // The button and the number change together, so that one is asked about only once the other has.
  for (let wanted = 2; await more.isEnabled(); wanted++) {
    await more.click()
    await expect(quantity).toHaveText(String(wanted))
  }
  await expect(page.getByText(ru('cart.maxQuantity'))).toBeVisible()
  await page.getByRole('button', { name: ru('cart.clear') }).click()
  await page.getByRole('dialog').getByText(ru('cart.keep')).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByText(ru('cart.subtotalRub'))).toBeVisible()
  await page.getByRole('button', { name: ru('cart.clear') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: ru('cart.clear') })
    .click()
  await expect(page.getByText(ru('cart.empty'))).toBeVisible()
})

test('somebody else’s order is not there', async ({ page, browser, baseURL }) => {
  await register(page)
  await giveBalance(page, { balanceRub: 1000 })
  await addToCart(page, 1)
  await open(page, '/checkout')
  await page.getByRole('button', { name: /^Оплатить .* с баланса$/ }).click()
  await page.getByRole('link', { name: /Заказ [0-9A-Z]{10}/ }).click()
  await expect(page).toHaveURL(/\/orders\/[0-9A-Z]{10}$/)
  const stranger = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
  await register(stranger)
  await open(stranger, new URL(page.url()).pathname)
  await expect(stranger.getByText(ru('orders.nothing'))).toBeVisible()
  await stranger.context().close()
})
