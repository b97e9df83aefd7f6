import { expect, type Page, test } from '@playwright/test'
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

const dialog = (page: Page) => page.getByRole('dialog', { name: ru('fill.title') })
const fillButton = (page: Page) => page.getByRole('button', { name: ru('fill.title') })

/** Pays at the sandbox, and comes back to the page of the filling; answers its id. */
async function payAtBank(page: Page, name: RegExp): Promise<string> {
  await expect(page).toHaveURL(/\/sandbox\/pay\//)
  await page.getByRole('button', { name }).click()
  await expect(page).toHaveURL(/\/orders\/[0-9A-Z]{10}$/)
  await expect(page.getByRole('status').filter({ hasText: ru('fill.states.filled.title') })).toBeVisible()
  return page.url().slice(-10)
}

test('the owner allows it, a customer fills in roubles and in soums and buys, the operator refunds the rest', async ({
  browser,
  isMobile,
  viewport,
}) => {
  const aPage = async () =>
    (await browser.newContext({ baseURL: store.url, locale: 'ru-RU', isMobile, viewport })).newPage()
  const [page, desk] = [await aPage(), await aPage()]
  const complaints = [watchConsole(page), watchConsole(desk)]
  await register(page)
  await open(page, '/profile')
  await expect(page.getByText(ru('profile.topUpSoon'))).toBeVisible()
  await expect(fillButton(page)).toHaveCount(0)

  const owner = await anAdmin(desk)
  await openTab(desk, 'paymentMethods', owner)
  const settings = desk.getByRole('region', { name: ru('admin.fillings.settings') })
  await settings.getByRole('switch', { name: ru('admin.fillings.isOn') }).click()
  await settings.getByLabel(ru('admin.payMethods.mostRub')).fill('40000')
  await settings.getByRole('button', { name: ru('admin.form.save') }).click()
  await expect(settings.getByRole('button', { name: ru('admin.form.save') })).toBeDisabled()
  expect(await axeOn(desk)).toEqual([])

  // The checkout leads to where exactly what is missing is filled.
  await addToCart(page, 2)
  await open(page, '/checkout')
  await page.getByRole('link', { name: ru('fill.title') }).click()
  const amount = dialog(page).getByLabel(ru('topUp.amount'))
  await expect(amount).toHaveValue('198')
  await amount.fill('40001')
  await dialog(page)
    .getByRole('button', { name: /^Оплатить/ })
    .click()
  await expect(
    dialog(page)
      .getByText(/до 40\s000/)
      .last(),
  ).toBeVisible()
  await amount.fill('198')
  expect(await isTooWide(page)).toBe(false)
  expect(await axeOn(page)).toEqual([])
  // What is being sent is not changed any more.
  await page.route('**/api/payment/create', async (route) => {
    await expect(amount).toBeDisabled()
    await expect(dialog(page).getByRole('button', { name: /^1\s000/ })).toBeDisabled()
    await expect(dialog(page).getByRole('radio', { name: 'USD' })).toBeDisabled()
    await route.continue()
  })
  await dialog(page)
    .getByRole('button', { name: /^Оплатить 198/ })
    .click()
  await payAtBank(page, /^Оплатить 198/)
  expect(await axeOn(page)).toEqual([])

  await open(page, '/profile')
  await expect(page.getByText(/198,00/).first()).toBeVisible()
  await fillButton(page).click()
  await dialog(page).getByText('RUB', { exact: true }).click()
  await dialog(page)
    .getByRole('button', { name: /^1\s000/ })
    .click()
  await dialog(page)
    .getByRole('radio', { name: ru('payMark.sandbox_soums') })
    .click()
  await dialog(page).getByRole('button', { name: /сум$/ }).click()
  const inSoums = await payAtBank(page, /^Оплатить .* сум$/)
  await expect(page.getByText(ru('receipt.wasCharged', { amount: '' }).trim())).toContainText('сум')
  await page
    .getByRole('link', { name: ru('fill.toBalance') })
    .first()
    .click()
  await expect(page.getByText(/1\s198,00/).first()).toBeVisible()

  await open(page, '/checkout')
  await page.getByRole('button', { name: /с\sбаланса$/ }).click()
  await expect(page).toHaveURL(/\/orders$/)
  await expect(page.getByRole('link', { name: /Заказ [0-9A-Z]{10}/ })).toHaveCount(1)

  await open(desk, `/admin/orders?order=${inSoums}`)
  const order = desk.getByRole('dialog')
  await order.getByRole('button', { name: ru('admin.fillings.refund') }).click()
  const refund = desk.getByRole('dialog', { name: ru('admin.fillings.refundTitle') })
  await refund.getByLabel(ru('admin.reason.label')).fill('просит покупатель')
  await refund.getByRole('button', { name: ru('admin.fillings.refund') }).click()
  await expect(refund).toHaveCount(0)
  await expect(order.getByText(new RegExp(`· ${ru('admin.fillings.states.done')} ·`))).toBeVisible()
  expect(await axeOn(desk)).toEqual([])

  await open(page, '/profile')
  await expect(page.getByText(ru('profile.kind.payout'))).toBeVisible()
  await expect(page.getByText(ru('fill.entry'), { exact: true })).toHaveCount(2)
  expect(complaints.flat()).toEqual([])
})
