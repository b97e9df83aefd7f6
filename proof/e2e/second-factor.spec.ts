import { expect, type Locator, type Page, test } from '@playwright/test'
import { codeAt, toStep } from '../../server/src/modules/accounts/second-factor.ts'
import { call } from './calls.ts'
import { watchConsole } from './complaints.ts'
import { open, password } from './customer.ts'
import { aCustomer, anAdmin, logInElsewhere, openTab, toBytes } from './operator.ts'
import { ru } from './ru.ts'

/** Sets the balance of the customer who is open as if the ten minutes since the login were over; answers what is asked. */
async function setBalanceAsked(page: Page): Promise<Locator> {
  const json = { success: false, error: { code: 'SECOND_FACTOR_REQUIRED', message: 'Unauthorized' } }
  await page.route('**/api/admin/users/*/balance', (route) => route.fulfill({ status: 401, json }), { times: 1 })
  await page.getByLabel(ru('admin.users.usd')).fill('3')
  await page.getByLabel(ru('admin.reason.label')).fill('проверка второго фактора')
  await page.getByRole('button', { name: ru('admin.users.setBalance') }).click()
  return page.getByRole('dialog', { name: ru('secondFactor.title') })
}

test('an admin sets a second factor up, logs in with it, and is asked again before money moves', async ({ page }) => {
  const complaints = watchConsole(page)
  const customer = await aCustomer(page)
  const { nickname } = await openTab(page, 'security')
  await page.getByLabel(ru('admin.security.password')).fill('guessed-1')
  await page.getByRole('button', { name: ru('admin.security.begin') }).click()
  await expect(page.getByText(ru('field.invalid_credentials'))).toBeVisible()
  await page.getByLabel(ru('admin.security.password')).fill(password)
  await page.getByRole('button', { name: ru('admin.security.begin') }).click()

  await expect(page.getByRole('img', { name: ru('admin.security.qr') })).toBeVisible()
  const secret = toBytes((await page.locator('code').first().textContent()) ?? '')
  const code = (stepsAway: number) => codeAt(secret, toStep(new Date()) + stepsAway)
  await page.getByLabel(ru('admin.security.firstCode')).fill('12345')
  await page.getByRole('button', { name: ru('admin.security.enrol') }).click()
  await expect(page.getByText(ru('field.wrong_code'))).toBeVisible()
  await page.getByLabel(ru('admin.security.firstCode')).fill(code(0))
  await page.getByRole('button', { name: ru('admin.security.enrol') }).click()
  await expect(page.getByText(ru('admin.security.keepCodes'))).toBeVisible()
  const recoveryCodes = await page.locator('ul li[translate=no]').allTextContents()
  expect(recoveryCodes).toHaveLength(10)
  await page.getByRole('button', { name: ru('admin.security.kept') }).click()
  await expect(page.getByText(ru('admin.security.left', { count: 10 }))).toBeVisible()

  await page.evaluate(() => localStorage.clear())
  await open(page, '/login')
  await page.getByLabel(ru('login.nickname')).fill(nickname)
  await page.getByLabel(ru('login.password'), { exact: true }).fill(password)
  await page.getByRole('button', { name: ru('header.logIn') }).click()
  await page.getByLabel(ru('secondFactor.code'), { exact: true }).fill('000')
  await page.getByRole('button', { name: ru('header.logIn') }).click()
  await expect(page.getByText(ru('field.wrong_code'))).toBeVisible()
  await page.getByLabel(ru('secondFactor.code'), { exact: true }).fill(code(1))
  await page.getByRole('button', { name: ru('header.logIn') }).click()
  await expect(page).toHaveURL('/')

  await open(page, `/admin/users?user=${customer.userId}`)
  const question = await setBalanceAsked(page)
  await question.getByLabel(ru('secondFactor.code')).fill((recoveryCodes[0] ?? '').toLowerCase())
  await question.getByRole('button', { name: ru('secondFactor.confirm') }).click()
  await expect(page.getByText(ru('admin.users.balanceSet'))).toBeVisible()
  await expect(question).toHaveCount(0)

  await open(page, '/admin/security')
  await expect(page.getByText(ru('admin.security.left', { count: 9 }))).toBeVisible()
  expect(complaints).toEqual([])
})

test('what waits for the second factor is not done as a colleague who logs in in another tab', async ({
  page,
  context,
}) => {
  const [customer, colleague] = [await aCustomer(page), await anAdmin(page)]
  await openTab(page, `users?user=${customer.userId}`)
  const question = await setBalanceAsked(page)
  await expect(question).toBeVisible()
  await logInElsewhere(context, colleague)
  await expect(question).toHaveCount(0)
  const { body } = await call(page, customer.token, 'GET', '/balance')
  expect(body).toContainEqual({ currency: 'usd', amount: 50, reserved: 0 })
})
