import { expect, test } from '@playwright/test'
import { watchConsole } from './complaints.ts'
import { open, register } from './customer.ts'
import { openTab } from './operator.ts'
import { ru } from './ru.ts'
import { type Store, startStore } from './start-store.ts'

let store: Store
test.beforeAll(async () => {
  store = await startStore({})
})
test.afterAll(() => store.stop())

test('the operator switches receipts on and tries one; a customer is asked for an e-mail, and the order shows it', async ({
  browser,
  isMobile,
  viewport,
}) => {
  const context = () => browser.newContext({ baseURL: store.url, isMobile, viewport })
  const page = await (await context()).newPage()
  const complaints = watchConsole(page)
  await openTab(page, 'fiscalReceipts')
  const settings = page.getByRole('form', { name: ru('admin.fiscal.settings') })
  await settings.getByRole('checkbox', { name: 'sandbox' }).check()
  await settings.getByLabel(ru('admin.fiscal.taxSystem')).selectOption('usn_income')
  await settings.getByRole('button', { name: ru('admin.form.save') }).click()
  await expect(page.getByText(ru('admin.form.saved'))).toBeVisible()
  const codes = settings.getByRole('group', { name: ru('admin.fiscal.uzbekistan') })
  const packageCode = codes.getByLabel(ru('admin.fiscal.packageCode'))
  await codes.getByLabel(ru('admin.fiscal.ikpu')).fill('10305008002000000')
  await settings.getByRole('button', { name: ru('admin.form.save') }).click()
  await expect(packageCode).toHaveAttribute('aria-invalid', 'true')
  await packageCode.fill('1514296')
  await codes.getByLabel(ru('admin.fiscal.vatPercent')).fill('12')
  await settings.getByRole('button', { name: ru('admin.form.save') }).click()
  await expect(settings.getByRole('button', { name: ru('admin.form.save') })).toBeDisabled()
  await page.reload()
  await expect(packageCode).toHaveValue('1514296')
  const trial = page.getByRole('form', { name: ru('admin.fiscal.try') })
  await trial.getByLabel(ru('admin.fiscal.email')).fill('books@example.com')
  await trial.getByRole('button', { name: ru('admin.fiscal.tryNow') }).click()
  await expect(trial.getByRole('status')).toHaveText(ru('admin.fiscal.acceptedCanceled'))

  const shopping = await (await context()).newPage()
  await register(shopping)
  await open(shopping, '/products/roblox')
  await shopping.getByRole('button', { name: ru('product.add') }).click()
  await expect(shopping.getByText(ru('product.added'))).toBeVisible()
  await open(shopping, '/checkout')
  const email = shopping.getByLabel(ru('checkout.email'))
  const pay = shopping.getByRole('button', { name: /^Оплатить .* картой$/ })
  await email.fill('lola')
  await pay.click()
  await expect(shopping.getByText(ru('field.invalid_email'))).toBeVisible()
  await email.fill('lola@example.com')
  await pay.click()
  await expect(shopping).toHaveURL(/\/sandbox\/pay\//)
  await open(shopping, '/checkout')
  await expect(email).toHaveValue('lola@example.com')
  await pay.click()
  await expect(shopping).toHaveURL(/\/sandbox\/pay\//)
  await shopping.getByRole('button', { name: /^Оплатить 99/ }).click()
  await expect(shopping).toHaveURL(/\/orders\/[0-9A-Z]{10}$/)

  const id = shopping.url().split('/').at(-1) ?? ''
  await page.goto(`/admin/orders?order=${id}`)
  await expect(page.getByText(ru('admin.fiscal.receiptEmail', { email: 'lola@example.com' }))).toBeVisible()
  expect(complaints).toEqual([])
})
