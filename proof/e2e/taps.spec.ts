import { expect, type Locator, type Page } from '@playwright/test'
import { giveBalance, labels, open, register, test } from './customer.ts'
import { ru } from './ru.ts'

/** How often a customer who is logged in touches the screen, from the home page on. */
class Taps {
  count = 0

  async tap(target: Locator): Promise<void> {
    this.count++
    await target.tap()
  }
}

test.beforeEach(({ isMobile }) => test.skip(!isMobile, 'one taps on a phone'))

const tile = (page: Page, slug: string) => page.getByRole('main').locator(`a[href="/products/${slug}"]`).last()
const payFromBalance = (page: Page) => page.getByRole('button', { name: /^Оплатить .* с баланса$/ })
const paid = (page: Page) => page.getByRole('region', { name: ru('orders.paidNow') })
const ticket = (page: Page) => paid(page).getByRole('button', { name: ru('receipt.revealCode', { number: '1' }) })
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

async function aCustomer(page: Page): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await register(page)
  await giveBalance(page, { balanceRub: 2_000 })
  await open(page, '/')
}

test('from home to a copied code of a region and a package that are chosen: six taps', async ({ page }) => {
  await aCustomer(page)
  const hand = new Taps()
  await hand.tap(tile(page, 'fortnite'))
  await hand.tap(page.getByRole('radiogroup', { name: ru('product.chooseRegion') }).getByText('Европа'))
  await hand.tap(page.getByRole('radio', { name: /(^|\s)1.000 в-баксов/ }))
  await hand.tap(page.getByRole('button', { name: ru('product.buyNow') }))
  await hand.tap(payFromBalance(page))
  const read = page.waitForRequest(/\/api\/orders\/[0-9A-Z]{10}$/)
  await hand.tap(ticket(page))
  expect(hand.count).toBe(6)
  // To show the code is an act of its own, and the store hears of it only now.
  await read
  await expect(paid(page).getByText(ru('receipt.copied'), { exact: true })).toBeVisible()
  const code = await paid(page).locator('code').textContent()
  await expect.poll(() => clipboard(page)).toMatch(new RegExp(`^${code}\nFortnite, 1.000 в-баксов, (.+ )?Европа$`, 'u'))
  await expect(paid(page).getByRole('link', { name: 'fortnite.com/vbuckscard' })).toHaveAttribute(
    'href',
    'https://fortnite.com/vbuckscard',
  )
})

test('from home to a copied code of a package that is chosen: five taps', async ({ page }) => {
  await aCustomer(page)
  const hand = new Taps()
  await hand.tap(tile(page, 'roblox'))
  await hand.tap(page.getByRole('radio').nth(1))
  await hand.tap(page.getByRole('button', { name: ru('product.buyNow') }))
  await hand.tap(payFromBalance(page))
  await hand.tap(ticket(page))
  expect(hand.count).toBe(5)
  await expect(paid(page).getByText(ru('receipt.copied'), { exact: true })).toBeVisible()
  expect(await clipboard(page)).toBe(await paid(page).locator('code').textContent())
  // The colour of the game floods at the moment it is done, and never again.
  await expect(paid(page).locator('[data-flood]')).toHaveCount(1)
  await page.getByRole('link', { name: /^Заказ [0-9A-Z]{10}/ }).click()
  await expect(page.locator('[data-level="1"][data-done]')).toBeVisible()
  await expect(page.locator('[data-flood]')).toHaveCount(0)
})

test('from home to a top-up under way, for an account of the last time: at most five taps', async ({ page }) => {
  await aCustomer(page)
  await open(page, '/products/freefire')
  await page.getByLabel(labels.playerId).fill('5126005')
  await page.getByRole('button', { name: ru('topups.find') }).click()
  await expect(page.getByText('Player_6005').first()).toBeVisible()
  // Another visit.
  await page.evaluate(() => sessionStorage.clear())
  await open(page, '/')
  const hand = new Taps()
  await hand.tap(tile(page, 'freefire'))
  await hand.tap(page.getByRole('radio', { name: /^100 алмазов/ }))
  const recent = page.getByRole('button', { name: 'Player_6005', exact: true })
  // A page that opens with the last account filled in needs no tap for it.
  if (await recent.isVisible()) await hand.tap(recent)
  await hand.tap(page.getByRole('button', { name: ru('topups.topUpNow') }))
  await hand.tap(payFromBalance(page))
  expect(hand.count).toBeLessThanOrEqual(5)
  await expect(paid(page).getByRole('status')).toHaveText(ru('receipt.onItsWay'))
  await expect(paid(page).getByText(/Осталось 14:\d\d из обещанных 15 минут/)).toBeVisible()
})

test('an order is bought again in one press, with all of it chosen', async ({ page }) => {
  await aCustomer(page)
  await open(page, '/products/fortnite')
  await page
    .getByRole('radiogroup', { name: ru('product.chooseRegion') })
    .getByText('Европа')
    .click()
  await page.getByRole('radio', { name: /(^|\s)1.000 в-баксов/ }).click()
  await page.getByRole('button', { name: ru('product.buyNow') }).click()
  await payFromBalance(page).click()
  await expect(paid(page)).toBeVisible()
  await open(page, '/support')
  await open(page, '/orders')
  await page.getByRole('link', { name: ru('orders.againNamed', { title: 'Fortnite' }) }).click()
  await expect(page.getByRole('radio', { name: 'Европа' })).toBeChecked()
  await expect(page.getByRole('radio', { name: /(^|\s)1.000 в-баксов/ })).toBeChecked()
})

test('what a toast says goes with the page it was said on', async ({ page }) => {
  await aCustomer(page)
  await open(page, '/products/roblox')
  await page.getByRole('button', { name: ru('product.add') }).click()
  await expect(page.getByText(ru('product.added'))).toBeVisible()
  await page.getByRole('link', { name: ru('product.toCart') }).click()
  await expect(page).toHaveURL('/cart')
  // By itself it would stay for five seconds.
  await expect(page.getByText(ru('product.added'))).toHaveCount(0, { timeout: 1_000 })
})
