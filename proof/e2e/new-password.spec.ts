import { expect, type Page } from '@playwright/test'
import { codeAt, toStep } from '../../server/src/modules/accounts/totp.rules.ts'
import { call } from './calls.ts'
import { logIn, logInHere, open, password, register, test } from './customer.ts'
import { aCustomer, openTab, toBytes } from './operator.ts'
import { admin, startStore } from './start-store.ts'

const [given, chosen] = ['given-by-admin-7', 'tarvuz-2-qovun']

/** As the store's admin does it. */
async function setPassword(page: Page, userId: number, secret: string): Promise<void> {
  const { body } = await call(page, undefined, 'POST', '/auth/login', admin)
  const answer = await call(page, body.token, 'PUT', `/admin/users/${userId}/password`, { password: secret })
  expect(answer.status).toBe(200)
}

async function choose(page: Page, current: string, next: string): Promise<void> {
  await page.getByLabel('Пароль, который вам дали').fill(current)
  await page.getByLabel('Новый пароль').fill(next)
  await page.getByLabel('Повторите пароль').fill(next)
  await page.getByRole('button', { name: 'Сменить пароль' }).click()
}

test('who logs in with a password an admin set chooses another, and gets where they wanted to go', async ({ page }) => {
  const customer = await aCustomer(page)
  await setPassword(page, customer.userId, given)
  await open(page, '/orders?x=1')
  await expect(page).toHaveURL('/login')
  await logInHere(page, customer.nickname, given)
  await expect(page.getByRole('heading', { name: 'Придумайте свой пароль' })).toBeVisible()

  await choose(page, given, given)
  await expect(page.getByText('Это тот же пароль, придумайте другой')).toBeVisible()
  // Every other page leads back here until it is done.
  await open(page, '/profile')
  await expect(page).toHaveURL('/new-password')
  await choose(page, given, chosen)
  await expect(page.getByText('Ваш пароль сохранён')).toBeVisible()
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
    ['en', 'Choose a password of your own'],
    ['uz', 'Oʻz parolingizni oʻylab toping'],
    ['ru', 'Придумайте свой пароль'],
  ] as const) {
    await page.evaluate((value) => localStorage.setItem('language', value), language)
    await page.context().addCookies([{ name: 'language', value: language, url: new URL(page.url()).origin }])
    await open(page, '/new-password')
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  }
  await page.getByRole('main').getByRole('button', { name: 'Выйти' }).click()
  await expect(page).toHaveURL('/')
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull()
})

test('an admin whose session ends while they type logs in on the spot, and nothing typed is lost', async ({ page }) => {
  const customer = await aCustomer(page)
  const session = await openTab(page, `users?user=${customer.userId}`)
  await page.getByLabel('Баланс, USD').fill('3')
  await page.getByLabel('Причина').fill('долгое объяснение')
  await call(page, session.token, 'POST', '/auth/logout', {})
  await page.getByRole('button', { name: 'Изменить баланс' }).click()

  const question = page.getByRole('dialog', { name: 'Войдите ещё раз' })
  await question.getByLabel('Пароль', { exact: true }).fill('guessed-1')
  await question.getByRole('button', { name: 'Войти' }).click()
  await expect(question.getByText('Неверный пароль')).toBeVisible()
  await question.getByLabel('Пароль', { exact: true }).fill(password)
  await question.getByRole('button', { name: 'Войти' }).click()
  await expect(page.getByText('Баланс изменён')).toBeVisible()
  await expect(question).toHaveCount(0)
  await expect(page).toHaveURL(`/admin/users?user=${customer.userId}`)
  const { body } = await call(page, customer.token, 'GET', '/balance')
  expect(body).toContainEqual({ currency: 'usd', amount: 3 })
})

test('who does not log in on the spot comes back to the same place after the login page', async ({ page }) => {
  const session = await openTab(page, 'users?search=admin')
  await expect(page.getByRole('table')).toBeVisible()
  await call(page, session.token, 'POST', '/auth/logout', {})
  await page.getByLabel('Поиск по никнейму или ID').fill('admi')
  await page.getByRole('dialog').getByRole('button', { name: 'На страницу входа' }).last().click()
  await expect(page).toHaveURL('/login')
  await logInHere(page, session.nickname)
  await expect(page).toHaveURL(/\/admin\/users\?search=admi$/)
})

test('the profile lists the sessions, and ends the others', async ({ page, browser, baseURL }) => {
  const nickname = await register(page)
  const other = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
  await logIn(other, nickname)
  await open(page, '/profile')
  await expect(page.getByRole('heading', { name: 'Активные сеансы' })).toBeVisible()
  await expect(page.getByText('Это устройство')).toHaveCount(1)
  await expect(page.getByText('Сеть 127.0.0.0/24')).toHaveCount(2)
  await page.getByRole('button', { name: 'Завершить остальные' }).click()
  await expect(page.getByText('Остальные сеансы завершены')).toBeVisible()
  await expect(page.getByText('Сеть 127.0.0.0/24')).toHaveCount(1)
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
    await page.getByLabel('Никнейм').fill(admin.nickname)
    await page.getByLabel('Пароль', { exact: true }).fill(admin.password)
    await page.getByRole('button', { name: 'Войти' }).click()
    await expect(page.getByRole('heading', { name: 'Придумайте свой пароль' })).toBeVisible()
    await open(page, `${store.url}/admin/orders?search=x`)
    await expect(page).toHaveURL(`${store.url}/new-password`)
    await choose(page, admin.password, chosen)
    await expect(page.getByRole('heading', { name: 'Настройте второй фактор' })).toBeVisible()
    await expect(page.getByText('В этом магазине администраторам нужен второй фактор')).toBeVisible()
    await expect(page).toHaveURL(`${store.url}/admin/orders?search=x`)

    await page.getByLabel('Ваш пароль').fill(chosen)
    await page.getByRole('button', { name: 'Настроить' }).click()
    await expect(page.getByRole('img', { name: 'Картинка для приложения' })).toBeVisible()
    const secret = toBytes((await page.locator('code').first().textContent()) ?? '')
    await page.getByLabel('Код, который показывает приложение').fill(codeAt(secret, toStep(new Date())))
    await page.getByRole('button', { name: 'Включить' }).click()
    await page.getByRole('button', { name: 'Коды сохранены' }).click()
    await expect(page).toHaveURL(`${store.url}/admin/orders?search=x`)
    await expect(page.getByRole('heading', { name: 'Заказы' })).toBeAttached()
    await expect(page.getByRole('heading', { name: 'Настройте второй фактор' })).toHaveCount(0)
  } finally {
    // What the page still loads must not meet a store that is gone.
    await page.close()
    await store.stop()
  }
})
