import { expect, type Page } from '@playwright/test'
import { call } from './calls.ts'
import { addToCart, giveBalance, open, register, test } from './customer.ts'
import { openTab } from './operator.ts'
import { ru } from './ru.ts'

/** Follows another link to the page that is open, as pasting it into the address does: nothing is loaded again. */
const goBehindHash = (page: Page, token: string) =>
  page.evaluate((behind) => {
    location.hash = behind
  }, token)

test('codes are sent to a friend by a link and a PIN, and the link is ended', async ({ page, browser, baseURL }) => {
  await register(page)
  await giveBalance(page, { balanceRub: 500 })
  await addToCart(page, 1)
  const token = await page.evaluate(() => localStorage.getItem('token') ?? '')
  const paid = await call(page, token, 'POST', '/payment/from-balance', { currency: 'RUB' })
  const orderId: string = paid.body.order.id

  await open(page, `/orders/${orderId}`)
  await page.getByRole('button', { name: ru('shared.give') }).click()
  const dialog = page.getByRole('dialog', { name: ru('shared.giveTitle') })
  await dialog.getByText(ru('shared.hour'), { exact: true }).click()
  await dialog.getByRole('button', { name: ru('shared.make') }).click()
  const link = (await dialog.getByText(/\/shared#/).textContent()) ?? ''
  const pin = (await dialog.getByText(/^\d{6}$/).textContent()) ?? ''
  await expect(dialog.getByText(ru('shared.notOpened'))).toBeVisible()

  const friend = await (await browser.newContext({ ...(baseURL && { baseURL }), locale: 'ru-RU' })).newPage()
  const asked: string[] = []
  friend.on('request', (request) => asked.push(request.url()))
  await open(friend, new URL(link).pathname + new URL(link).hash)
  await friend.getByLabel(ru('shared.pin')).fill(pin === '000000' ? '000001' : '000000')
  await friend.getByRole('button', { name: ru('shared.open') }).click()
  await expect(friend.getByText(ru('failure.WRONG_PIN', { triesLeft: 4 }))).toBeVisible()
  await expect(friend.getByLabel(ru('shared.pin'))).toBeFocused()
  await friend.getByLabel(ru('shared.pin')).fill(pin)
  await friend.getByRole('button', { name: ru('shared.open') }).click()
  await expect(friend.locator('code')).toHaveCount(1)
  const { body: own } = await call(page, token, 'GET', `/orders/${orderId}`)
  expect(await friend.locator('code').textContent()).toBe(own.items[0].code)
  await expect(friend.getByRole('main')).not.toContainText(orderId)

  const desk = await (await browser.newContext({ ...(baseURL && { baseURL }), locale: 'ru-RU' })).newPage()
  await openTab(desk, `orders?order=${orderId}`)
  await expect(desk.getByText(ru('admin.orders.byLink'))).toBeVisible()
  await desk.context().close()

  expect(asked.filter((address) => address.includes(new URL(link).hash.slice(1)))).toEqual([])

  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: ru('shared.give') }).click()
  await expect(dialog.getByRole('button', { name: ru('shared.remake') })).toBeVisible()
  await expect(dialog.getByText(ru('shared.remakeText'))).toBeVisible()
  await dialog.getByRole('button', { name: ru('shared.end') }).click()
  await expect(dialog.getByRole('button', { name: ru('shared.make') })).toBeVisible()
  await friend.reload()
  await friend.getByLabel(ru('shared.pin')).fill(pin)
  await friend.getByRole('button', { name: ru('shared.open') }).click()
  await expect(friend.getByRole('heading', { name: ru('shared.over') })).toBeVisible()
  await goBehindHash(friend, 'x'.repeat(32))
  await expect(friend.getByLabel(ru('shared.pin'))).toHaveValue('')
  await expect(friend.getByRole('heading', { name: ru('shared.over') })).toHaveCount(0)
  await friend.context().close()
})

test('another link to a new password begins anew after one that no longer works', async ({ page }) => {
  await open(page, `/new-password#${'x'.repeat(32)}`)
  const secret = page.getByLabel(ru('profile.newPassword'), { exact: true })
  await secret.fill('other-pass-8')
  await page.getByLabel(ru('register.confirmPassword'), { exact: true }).fill('other-pass-8')
  await page.getByRole('button', { name: ru('profile.savePassword') }).click()
  await expect(page.getByRole('alert')).toHaveText(ru('newPassword.over'))
  await goBehindHash(page, 'y'.repeat(32))
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(secret).toHaveValue('')
})

test('another link to decline notifications is asked about after one that no longer works', async ({ page }) => {
  await open(page, `/notifications#${'x'.repeat(32)}`)
  await page.getByRole('button', { name: ru('notifications.decline') }).click()
  await expect(page.getByRole('alert')).toHaveText(ru('notifications.declineOver'))
  await goBehindHash(page, 'y'.repeat(32))
  await expect(page.getByRole('alert')).toHaveCount(0)
})
