import { expect, test } from '@playwright/test'
import { codeAt, toStep } from '../../server/src/modules/accounts/totp.rules.ts'
import { watchConsole } from './complaints.ts'
import { open, password } from './customer.ts'
import { aCustomer, openTab, toBytes } from './operator.ts'

test('an admin sets a second factor up, logs in with it, and is asked again before money moves', async ({ page }) => {
  const complaints = watchConsole(page)
  const customer = await aCustomer(page)
  const { nickname } = await openTab(page, 'security')
  await page.getByLabel('Ваш пароль').fill('guessed-1')
  await page.getByRole('button', { name: 'Настроить' }).click()
  await expect(page.getByText('Неверный пароль')).toBeVisible()
  await page.getByLabel('Ваш пароль').fill(password)
  await page.getByRole('button', { name: 'Настроить' }).click()

  await expect(page.getByRole('img', { name: 'Картинка для приложения' })).toBeVisible()
  const secret = toBytes((await page.locator('code').first().textContent()) ?? '')
  const code = (stepsAway: number) => codeAt(secret, toStep(new Date()) + stepsAway)
  await page.getByLabel('Код, который показывает приложение').fill('12345')
  await page.getByRole('button', { name: 'Включить' }).click()
  await expect(page.getByText('Неверный или уже использованный код')).toBeVisible()
  await page.getByLabel('Код, который показывает приложение').fill(code(0))
  await page.getByRole('button', { name: 'Включить' }).click()
  await expect(page.getByText('Сохраните коды восстановления')).toBeVisible()
  const recoveryCodes = await page.locator('ul li[translate=no]').allTextContents()
  expect(recoveryCodes).toHaveLength(10)
  await page.getByRole('button', { name: 'Коды сохранены' }).click()
  await expect(page.getByText('Осталось 10 кодов восстановления')).toBeVisible()

  await page.evaluate(() => localStorage.clear())
  await open(page, '/login')
  await page.getByLabel('Никнейм').fill(nickname)
  await page.getByLabel('Пароль', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Войти' }).click()
  await page.getByLabel('Код', { exact: true }).fill('000')
  await page.getByRole('button', { name: 'Войти' }).click()
  await expect(page.getByText('Неверный или уже использованный код')).toBeVisible()
  await page.getByLabel('Код', { exact: true }).fill(code(1))
  await page.getByRole('button', { name: 'Войти' }).click()
  await expect(page).toHaveURL('/')

  // As if the ten minutes since the login were over.
  await page.route(
    '**/api/admin/users/*/balance',
    (route) =>
      route.fulfill({
        status: 401,
        json: { success: false, error: { code: 'SECOND_FACTOR_REQUIRED', message: 'Unauthorized' } },
      }),
    { times: 1 },
  )
  await open(page, `/admin/users?user=${customer.userId}`)
  await page.getByLabel('Баланс, USD').fill('3')
  await page.getByLabel('Причина').fill('проверка второго фактора')
  await page.getByRole('button', { name: 'Изменить баланс' }).click()
  const question = page.getByRole('dialog', { name: 'Подтвердите, что это вы' })
  await question.getByLabel('Код').fill((recoveryCodes[0] ?? '').toLowerCase())
  await question.getByRole('button', { name: 'Подтвердить' }).click()
  await expect(page.getByText('Баланс изменён')).toBeVisible()
  await expect(question).toHaveCount(0)

  await open(page, '/admin/security')
  await expect(page.getByText('Осталось 9 кодов восстановления')).toBeVisible()
  expect(complaints).toEqual([])
})
