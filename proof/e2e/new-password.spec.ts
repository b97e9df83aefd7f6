import { expect, type Page } from '@playwright/test'
import { codeAt, toStep } from '../../server/src/modules/accounts/second-factor.ts'
import { call } from './calls.ts'
import { logIn, logInHere, open, password, register, test } from './customer.ts'
import { aCustomer, anAdmin, logInElsewhere, openTab, toBytes } from './operator.ts'
import { ru } from './ru.ts'
import { admin, startStore } from './start-store.ts'

const [given, chosen] = ['given-by-admin-7', 'tarvuz-2-qovun']

/** As the store's admin does it. */
async function setPassword(page: Page, userId: number, secret: string): Promise<void> {
  const { body } = await call(page, undefined, 'POST', '/auth/login', admin)
  const answer = await call(page, body.token, 'PUT', `/admin/users/${userId}/password`, { password: secret })
  expect(answer.status).toBe(200)
}

async function choose(page: Page, current: string, next: string): Promise<void> {
  await page.getByLabel(ru('newPassword.given')).fill(current)
  await page.getByLabel(ru('profile.newPassword')).fill(next)
  await page.getByLabel(ru('register.confirmPassword')).fill(next)
  await page.getByRole('button', { name: ru('profile.savePassword') }).click()
}

test('who logs in with a password an admin set chooses another, and gets where they wanted to go', async ({ page }) => {
  const customer = await aCustomer(page)
  await setPassword(page, customer.userId, given)
  await open(page, '/orders?x=1')
  await expect(page).toHaveURL('/login')
  await logInHere(page, customer.nickname, given)
  await expect(page.getByRole('heading', { name: ru('newPassword.title') })).toBeVisible()

  await choose(page, given, given)
  await expect(page.getByText(ru('field.password_unchanged'))).toBeVisible()
  // Every other page leads back here until it is done.
  await open(page, '/profile')
  await expect(page).toHaveURL('/new-password')
  await choose(page, given, chosen)
  await expect(page.getByText(ru('newPassword.done'))).toBeVisible()
  await expect(page).toHaveURL('/profile')
  await expect(page.getByText(customer.nickname).first()).toBeVisible()

  await page.evaluate(() => localStorage.clear())
  await open(page, '/orders?x=1')
  await logInHere(page, customer.nickname, chosen)
  await expect(page).toHaveURL('/orders?x=1')
})

test('the page that asks for another password is in three languages, and lets one log out', async ({ page }) => {
  const customer = await aCustomer(page)
  await setPassword(page, customer.userId, given)
  await logIn(page, customer.nickname, given)
  for (const [language, title] of [
    ['en', 'Choose your own password'],
    ['uz', 'Oʻz parolingizni oʻylab toping'],
    ['ru', ru('newPassword.title')],
  ] as const) {
    await page.evaluate((value) => localStorage.setItem('language', value), language)
    await page.context().addCookies([{ name: 'language', value: language, url: new URL(page.url()).origin }])
    await open(page, '/new-password')
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  }
  await page
    .getByRole('main')
    .getByRole('button', { name: ru('profile.logOut') })
    .click()
  await expect(page).toHaveURL('/')
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull()
})

/** Sets the balance of a customer as an admin whose session has ended meanwhile, which the page asks about. */
async function setBalanceLoggedOut(page: Page) {
  const customer = await aCustomer(page)
  const session = await openTab(page, `users?user=${customer.userId}`)
  await page.getByLabel(ru('admin.users.usd')).fill('3')
  await page.getByLabel(ru('admin.reason.label')).fill('долгое объяснение')
  await call(page, session.token, 'POST', '/auth/logout', {})
  await page.getByRole('button', { name: ru('admin.users.setBalance') }).click()
  return { customer, question: page.getByRole('dialog', { name: ru('loginAgain.title') }) }
}

test('an admin whose session ends while they type logs in on the spot, and nothing typed is lost', async ({ page }) => {
  const { customer, question } = await setBalanceLoggedOut(page)
  await question.getByLabel(ru('login.password'), { exact: true }).fill('guessed-1')
  await question.getByRole('button', { name: ru('header.logIn') }).click()
  await expect(question.getByText(ru('field.invalid_credentials'))).toBeVisible()
  await question.getByLabel(ru('login.password'), { exact: true }).fill(password)
  await question.getByRole('button', { name: ru('header.logIn') }).click()
  await expect(page.getByText(ru('admin.users.balanceSet'))).toBeVisible()
  await expect(question).toHaveCount(0)
  await expect(page).toHaveURL(`/admin/users?user=${customer.userId}`)
  const { body } = await call(page, customer.token, 'GET', '/balance')
  expect(body).toContainEqual({ currency: 'usd', amount: 3, reserved: 0 })
})

test('what an admin has sent is not done as a colleague who logs in in another tab', async ({ page, context }) => {
  const colleague = await anAdmin(page)
  const { customer, question } = await setBalanceLoggedOut(page)
  await expect(question).toBeVisible()

  const sent: (string | undefined)[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT') sent.push(request.headers().authorization)
  })
  const asColleague = page.waitForResponse(
    (answer) =>
      answer.url().endsWith('/api/profile') && answer.request().headers().authorization === `Bearer ${colleague.token}`,
  )
  await logInElsewhere(context, colleague)
  await expect(question).toHaveCount(0)
  expect((await asColleague).status()).toBe(200)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(ru('admin.tabs.users'))
  expect(sent).toEqual([])
  const { body } = await call(page, customer.token, 'GET', '/balance')
  expect(body).toContainEqual({ currency: 'usd', amount: 50, reserved: 0 })
})

test('who does not log in on the spot comes back to the same place after the login page', async ({ page }) => {
  const session = await openTab(page, 'users?search=admin')
  await expect(page.getByRole('table')).toBeVisible()
  await call(page, session.token, 'POST', '/auth/logout', {})
  await page.getByLabel(ru('admin.users.search')).fill('admi')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: ru('loginAgain.leave') })
    .last()
    .click()
  await expect(page).toHaveURL('/login')
  await logInHere(page, session.nickname)
  await expect(page).toHaveURL(/\/admin\/users\?search=admi$/)
})

test('the profile lists the sessions, and ends the others', async ({ page, browser, baseURL }) => {
  const nickname = await register(page)
  const other = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
  await logIn(other, nickname)
  await open(page, '/profile')
  await expect(page.getByRole('heading', { name: ru('sessions.title') })).toBeVisible()
  await expect(page.getByText(ru('sessions.current'))).toHaveCount(1)
  await expect(page.getByText(ru('sessions.network', { network: '127.0.0.0/24' }))).toHaveCount(2)
  await page.getByRole('button', { name: ru('sessions.endOthers') }).click()
  await expect(page.getByText(ru('sessions.othersEnded'))).toBeVisible()
  await expect(page.getByText(ru('sessions.network', { network: '127.0.0.0/24' }))).toHaveCount(1)
  await open(other, '/profile')
  await expect(other).toHaveURL('/login')
  await other.context().close()
})

test('where admins are kept strictly, the first one chooses a password and a second factor before anything', async ({
  page,
}) => {
  const store = await startStore({ STRICT_ADMINS: 'on' })
  try {
    await open(page, `${store.url}/admin/orders?search=x`)
    await page.getByLabel(ru('login.nickname')).fill(admin.nickname)
    await page.getByLabel(ru('login.password'), { exact: true }).fill(admin.password)
    await page.getByRole('button', { name: ru('header.logIn') }).click()
    await expect(page.getByRole('heading', { name: ru('newPassword.title') })).toBeVisible()
    await open(page, `${store.url}/admin/orders?search=x`)
    await expect(page).toHaveURL(`${store.url}/new-password`)
    await choose(page, admin.password, chosen)
    await expect(page.getByRole('heading', { name: ru('admin.security.mustTitle') })).toBeVisible()
    await expect(page.getByText('В этом магазине администраторам нужна двухфакторная защита')).toBeVisible()
    await expect(page).toHaveURL(`${store.url}/admin/orders?search=x`)

    await page.getByLabel(ru('admin.security.password')).fill(chosen)
    await page.getByRole('button', { name: ru('admin.security.begin') }).click()
    await expect(page.getByRole('img', { name: ru('admin.security.qr') })).toBeVisible()
    const secret = toBytes((await page.locator('code').first().textContent()) ?? '')
    await page.getByLabel(ru('admin.security.firstCode')).fill(codeAt(secret, toStep(new Date())))
    await page.getByRole('button', { name: ru('admin.security.enrol') }).click()
    await page.getByRole('button', { name: ru('admin.security.kept') }).click()
    await expect(page).toHaveURL(`${store.url}/admin/orders?search=x`)
    await expect(page.getByRole('heading', { name: ru('orders.title') })).toBeAttached()
    await expect(page.getByRole('heading', { name: ru('admin.security.mustTitle') })).toHaveCount(0)
  } finally {
    // What the page still loads must not meet a store that is gone.
    await page.close()
    await store.stop()
  }
})
