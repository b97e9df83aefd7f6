import { expect, type Page, test } from '@playwright/test'
import { callsOn } from './calls.ts'
import { axeOn, isTooWide, watchConsole } from './complaints.ts'
import { addToCart, open, register } from './customer.ts'
import { anAdmin, openTab } from './operator.ts'
import { ru } from './ru.ts'
import { type Store, startStore } from './start-store.ts'

let store: Store
test.beforeAll(async () => {
  store = await startStore()
})
test.afterAll(() => store.stop())

const payButton = (page: Page) => page.getByRole('button', { name: /^Оплатить .* картой$/ })
const line = (page: Page, name: string, amount: RegExp) =>
  expect(page.getByText(name, { exact: true }).locator('..')).toHaveText(amount)

test('a buyer sees the fee of a way to pay before paying it, and is told when it has changed', async ({
  browser,
  isMobile,
  viewport,
}) => {
  const openPage = async () =>
    (await browser.newContext({ baseURL: store.url, locale: 'ru-RU', isMobile, viewport })).newPage()
  const desk = await openPage()
  const owner = await anAdmin(desk)
  await openTab(desk, 'paymentMethods', owner)
  const bank = ru('payMark.sandbox')
  await desk.getByRole('button', { name: ru('admin.list.edit', { name: bank }), exact: true }).click()
  const form = desk.getByRole('dialog')
  await form.getByLabel(ru('admin.payMethods.feePercent')).fill('2,5')
  await form.getByLabel(ru('admin.payMethods.feeRub')).fill('1')
  await form.getByRole('switch', { name: ru('admin.payMethods.feeAdded') }).click()
  await form.getByRole('button', { name: ru('admin.form.save') }).click()
  await expect(form).toHaveCount(0)
  await expect(desk.getByRole('listitem', { name: bank, exact: true })).toContainText('платит покупатель')

  const page = await openPage()
  const complaints = watchConsole(page)
  await register(page)
  await addToCart(page, 1)
  await open(page, '/checkout')
  // 99 ₽, and 2.5 % of it, rounded up, and one rouble.
  await line(page, ru('checkout.fee'), /3,48/)
  await line(page, ru('checkout.withFee'), /102,48/)
  await expect(payButton(page)).toHaveText(/102,48/)
  expect(await isTooWide(page)).toBe(false)
  expect(await axeOn(page)).toEqual([])

  await callsOn(desk, owner.token)('PUT', '/admin/payment-methods/sandbox', { fee_percent: 3 })
  await payButton(page).click()
  await expect(page.getByRole('alert')).toContainText(/3,97/)
  await expect(page).toHaveURL('/checkout')
  await line(page, ru('checkout.fee'), /3,97/)
  await expect(payButton(page)).toHaveText(/102,97/)
  await payButton(page).click()
  await expect(page).toHaveURL(/\/sandbox\/pay\//)
  await page.getByRole('button', { name: /^Оплатить 102,97/ }).click()
  await expect(page).toHaveURL(/\/orders\/[0-9A-Z]{10}$/)
  await expect(page.getByText(/^Сервисный сбор 3,97/)).toBeVisible()
  const orderId = page.url().split('/').at(-1) ?? ''

  await open(desk, `/admin/orders?order=${orderId}`)
  await expect(desk.getByText(/^Сервисный сбор 3,97/)).toBeVisible()
  expect(complaints).toEqual([])

  // Where the methods do not come, the refusal tells the fee, and the next press agrees to it.
  await page.route('**/api/payment/methods*', (route) => route.abort())
  await addToCart(page, 1)
  await open(page, '/checkout')
  await payButton(page).click()
  await expect(page.getByRole('alert')).toContainText(/3,97/)
  await payButton(page).click()
  await expect(page).toHaveURL(/\/sandbox\/pay\//)
  await Promise.all([page.context().close(), desk.context().close()])
})
