import { expect } from '@playwright/test'
import { giveBalance, logIn, newNickname, open, password, register, test } from './customer.ts'
import { ru } from './ru.ts'

test('registering tells under each field what is wrong with it', async ({ page }) => {
  await open(page, '/register')
  await page.getByLabel(ru('login.nickname')).fill('ab')
  await page.getByLabel(ru('login.password'), { exact: true }).fill('short')
  await page.getByLabel(ru('register.confirmPassword')).fill('other')
  await page.getByRole('button', { name: ru('login.register') }).click()
  await expect(page.getByText(ru('field.nickname_too_short'))).toBeVisible()
  await expect(page.getByText(ru('field.password_too_short'))).toBeVisible()
  await expect(page.getByText(ru('field.passwords_dont_match'))).toBeVisible()
  await expect(page).toHaveURL('/register')
})

test('a password that many have is refused at its field, and whoever tried too often is told to wait', async ({
  page,
}) => {
  await open(page, '/register')
  const secret = page.getByLabel(ru('login.password'), { exact: true })
  const submit = page.getByRole('button', { name: ru('login.register') })
  await page.getByLabel(ru('login.nickname')).fill(newNickname())
  await secret.fill('password1')
  await page.getByLabel(ru('register.confirmPassword')).fill('password1')
  await submit.click()
  await expect(page.getByText(ru('field.password_too_common'))).toBeVisible()
  await expect(secret).toBeFocused()
  const body = { error: { code: 'RATE_LIMITED', message: 'Too many requests', details: {} } }
  await page.route('**/api/auth/register', (route) => route.fulfill({ status: 429, json: body }))
  await submit.click()
  await expect(page.getByRole('main').getByText(ru('login.rateLimited'))).toBeVisible()
})

test('logging out ends the session here before the store has answered', async ({ page }) => {
  await register(page)
  await open(page, '/profile')
  await page.route('**/api/auth/logout', () => {})
  const token = () => page.evaluate(() => localStorage.getItem('token'))
  // The page that one leaves for comes late, too.
  await page.route(/\.data/, async (route) => {
    await expect.poll(token).toBeNull()
    await route.continue()
  })
  await page.getByRole('button', { name: ru('profile.logOut') }).click()
  await expect.poll(token).toBeNull()
  await expect(page).toHaveURL('/')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('a nickname is taken whatever its case', async ({ page, browser, baseURL }) => {
  const nickname = await register(page)
  const other = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
  await open(other, '/register')
  await other.getByLabel(ru('login.nickname')).fill(nickname.toUpperCase())
  await other.getByLabel(ru('login.password'), { exact: true }).fill(password)
  await other.getByLabel(ru('register.confirmPassword')).fill(password)
  await other.getByRole('button', { name: ru('login.register') }).click()
  await expect(other.getByText(ru('failure.NICKNAME_TAKEN'))).toBeVisible()
  await other.context().close()
})

test('a wrong password, an unknown nickname and an empty form are told apart', async ({ page }) => {
  const nickname = await register(page)
  await page.evaluate(() => localStorage.clear())
  await open(page, '/login')
  const submit = page.getByRole('button', { name: ru('header.logIn') })
  await submit.click()
  await expect(page.getByText(ru('failure.INVALID_CREDENTIALS')).first()).toBeVisible()
  await page.getByLabel(ru('login.nickname')).fill(nickname)
  await page.getByLabel(ru('login.password'), { exact: true }).fill('not-the-one-1')
  await submit.click()
  await expect(page.getByRole('alert').getByText(ru('failure.INVALID_CREDENTIALS'))).toBeVisible()
  await page.getByLabel(ru('login.nickname')).fill(newNickname())
  await submit.click()
  await expect(page.getByRole('alert').getByText(ru('failure.USER_NOT_FOUND'))).toBeVisible()
  // The toast goes; what it said stays in the form.
  await expect(page.getByRole('main').getByText(ru('failure.USER_NOT_FOUND'))).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(page.getByRole('main').getByText(ru('failure.USER_NOT_FOUND'))).toBeVisible()
})

test('logging in leads back to where one wanted to go', async ({ page }) => {
  const nickname = await register(page)
  await page.evaluate(() => localStorage.clear())
  await open(page, '/orders?x=1')
  await expect(page).toHaveURL('/login')
  await page.getByLabel(ru('login.nickname')).fill(nickname)
  await page.getByLabel(ru('login.password'), { exact: true }).fill(password)
  await page.getByRole('button', { name: ru('header.logIn') }).click()
  await expect(page).toHaveURL('/orders?x=1')
})

test('the way to the cart is in the header of who is logged in', async ({ page }) => {
  const cart = page.getByRole('banner').getByRole('link', { name: ru('cart.title') })
  await open(page, '/products')
  await expect(cart).toHaveCount(0)
  await register(page)
  await expect(cart).toBeVisible()
})

test('a session that ended elsewhere leads to the login page', async ({ page }) => {
  const nickname = await register(page)
  await page.evaluate(() => localStorage.setItem('token', 'ended-elsewhere'))
  await open(page, '/profile')
  await expect(page).toHaveURL('/login')
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  await logIn(page, nickname)
})

test('the profile shows what moved the balance last, then all of it, with the password in reach', async ({ page }) => {
  await register(page)
  for (let amount = 1; amount <= 6; amount++) await giveBalance(page, { balanceRub: amount })
  await open(page, '/profile')
  const entries = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ hasText: ru('profile.balanceAfter') })
  await expect(entries).toHaveCount(5)
  await expect(entries.first()).toContainText('6,00')
  await page.getByRole('button', { name: ru('profile.wholeHistory') }).click()
  await expect(entries).toHaveCount(6)
  await expect(page.getByLabel(ru('profile.currentPassword'))).toBeVisible()
})

test('more of what moved the balance is told once each, and asked for again when it does not come', async ({
  page,
}) => {
  await register(page)
  for (let balanceRub = 1; balanceRub <= 12; balanceRub++) await giveBalance(page, { balanceRub })
  await open(page, '/profile')
  await page.getByRole('button', { name: ru('profile.wholeHistory') }).click()
  const entries = page.getByRole('listitem').filter({ hasText: ru('profile.balanceAfter') })
  await expect(entries).toHaveCount(10)
  await giveBalance(page, { balanceRub: 13 })
  const next = '**/api/balance/history?page=2*'
  await page.route(next, (route) => route.fulfill({ status: 429 }))
  await page.getByRole('button', { name: ru('orders.more') }).click()
  await expect(page.getByText(ru('profile.historyFailed'))).toBeVisible()
  await expect(entries).toHaveCount(10)
  await page.unroute(next)
  await page.getByRole('button', { name: ru('loading.retry') }).click()
  await expect(entries).toHaveCount(12)
  await expect(page.getByText(ru('profile.historyFailed'))).toHaveCount(0)
})

test('a chat that could not be disconnected is told about', async ({ page }) => {
  await register(page)
  const ways = [{ channel: 'telegram', address: null, recovers: true, kinds: ['delivered'], fault: null }]
  await page.route('**/api/profile/notifications', (route) =>
    route.fulfill({ json: { data: { ways, has_bot: true } } }),
  )
  await page.route('**/api/profile/telegram', (route) => route.fulfill({ status: 429 }))
  await open(page, '/profile')
  const chat = page.getByRole('group', { name: ru('notifications.telegram') })
  await chat.getByRole('button', { name: ru('notifications.unlink') }).click()
  await expect(chat.getByRole('alert')).toBeVisible()
})

test('a link to the bot that is over gives way to another', async ({ page }) => {
  await register(page)
  await page.route('**/api/profile/notifications', (route) =>
    route.fulfill({ json: { data: { ways: [], has_bot: true, has_mail: false } } }),
  )
  let made = 0
  await page.route('**/api/profile/telegram', (route) =>
    route.fulfill({ json: { data: { link: `https://t.me/olmos_bot?start=${++made}` } } }),
  )
  await open(page, '/profile')
  const connect = page.getByRole('button', { name: ru('notifications.link') })
  const form = page.locator('form').filter({ has: connect })
  const link = page.getByRole('link', { name: ru('notifications.openBot') })
  const ask = async () => {
    await expect(form.getByLabel(ru('profile.currentPassword'))).toHaveValue('')
    await form.getByLabel(ru('profile.currentPassword')).fill(password)
    await connect.click()
    await expect(link).toHaveAttribute('href', `https://t.me/olmos_bot?start=${made}`)
  }
  await ask()
  await page.getByRole('button', { name: ru('notifications.newLink') }).click()
  await ask()
  expect(made).toBe(2)

  const change = page.locator('form').filter({ has: page.getByRole('button', { name: ru('profile.savePassword') }) })
  await change.getByLabel(ru('profile.currentPassword')).fill(password)
  await change.getByLabel(ru('profile.newPassword')).fill('other-pass-8')
  await change.getByLabel(ru('register.confirmPassword')).fill('other-pass-8')
  await change.getByRole('button', { name: ru('profile.savePassword') }).click()
  await expect(page.getByText(ru('profile.passwordChanged'))).toBeVisible()
  await expect(link).toHaveCount(0)
  await expect(connect).toBeVisible()
})
