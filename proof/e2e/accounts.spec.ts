import { expect } from '@playwright/test'
import { logIn, newNickname, open, password, register, test } from './customer.ts'

test('registering tells under each field what is wrong with it', async ({ page }) => {
  await open(page, '/register')
  await page.getByLabel('Никнейм').fill('ab')
  await page.getByLabel('Пароль', { exact: true }).fill('short')
  await page.getByLabel('Повторите пароль').fill('other')
  await page.getByRole('button', { name: 'Зарегистрироваться' }).click()
  await expect(page.getByText('Никнейм не короче 3 знаков')).toBeVisible()
  await expect(page.getByText('Пароль не короче 8 знаков')).toBeVisible()
  await expect(page.getByText('Пароли не совпадают')).toBeVisible()
  await expect(page).toHaveURL('/register')
})

test('a nickname is taken whatever its case', async ({ page, browser, baseURL }) => {
  const nickname = await register(page)
  const other = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
  await open(other, '/register')
  await other.getByLabel('Никнейм').fill(nickname.toUpperCase())
  await other.getByLabel('Пароль', { exact: true }).fill(password)
  await other.getByLabel('Повторите пароль').fill(password)
  await other.getByRole('button', { name: 'Зарегистрироваться' }).click()
  await expect(other.getByText('Этот никнейм занят')).toBeVisible()
  await other.context().close()
})

test('a wrong password, an unknown nickname and an empty form are told apart', async ({ page }) => {
  const nickname = await register(page)
  await page.evaluate(() => localStorage.clear())
  await open(page, '/login')
  const submit = page.getByRole('button', { name: 'Войти' })
  await submit.click()
  await expect(page.getByText('Неверный никнейм или пароль').first()).toBeVisible()
  await page.getByLabel('Никнейм').fill(nickname)
  await page.getByLabel('Пароль', { exact: true }).fill('not-the-one-1')
  await submit.click()
  await expect(page.getByRole('alert').getByText('Неверный никнейм или пароль')).toBeVisible()
  await page.getByLabel('Никнейм').fill(newNickname())
  await submit.click()
  await expect(page.getByText('Такого пользователя нет')).toBeVisible()
})

test('logging in leads back to where one wanted to go', async ({ page }) => {
  const nickname = await register(page)
  await page.evaluate(() => localStorage.clear())
  await open(page, '/orders?x=1')
  await expect(page).toHaveURL('/login')
  await page.getByLabel('Никнейм').fill(nickname)
  await page.getByLabel('Пароль', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Войти' }).click()
  await expect(page).toHaveURL('/orders?x=1')
})

test('a session that ended elsewhere leads to the login page', async ({ page }) => {
  const nickname = await register(page)
  await page.evaluate(() => localStorage.setItem('token', 'ended-elsewhere'))
  await open(page, '/profile')
  await expect(page).toHaveURL('/login')
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  await logIn(page, nickname)
})
