import { expect, type Page, test } from '@playwright/test'
import { call } from './calls.ts'
import { watchConsole } from './complaints.ts'
import { password } from './customer.ts'
import { aCustomer, fillCart, openTab, readCodes } from './operator.ts'

const search = async (page: Page, label: string, text: string) => page.getByLabel(label).fill(text)
const giveReason = (page: Page, text: string) => page.getByRole('dialog').getByLabel('Причина').fill(text)

test('an order: a bad code is replaced, the money is given back, and it is told who did it', async ({ page }) => {
  const complaints = watchConsole(page)
  const buyer = await aCustomer(page)
  await fillCart(page, buyer.token, 2)
  const { body: paid } = await call(page, buyer.token, 'POST', '/payment/from-balance', { currency: 'RUB' })
  const before = await readCodes(page, buyer.token, paid.order.id)

  const operator = await openTab(page, 'orders')
  await search(page, 'Поиск по номеру заказа, никнейму или ID пользователя', buyer.nickname)
  await expect(page.getByText('Всего: 1', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: paid.order.id }).click()
  const order = page.getByRole('dialog', { name: `Заказ ${paid.order.id}` })
  await order.getByRole('button', { name: 'Заменить' }).first().click()
  const replace = page.getByRole('dialog', { name: 'Выдать другой код?' })
  await expect(replace.getByRole('button', { name: 'Заменить' })).toBeDisabled()
  await replace.getByLabel('Причина').fill('игра говорит, что код использован')
  await replace.getByRole('button', { name: 'Заменить' }).click()
  await expect(page.getByText('У покупателя новый код')).toBeVisible()
  await expect(order.getByText('в карантине')).toBeVisible()
  const after = await readCodes(page, buyer.token, paid.order.id)
  expect(after).toHaveLength(2)
  expect(after).toContain(before[1])
  expect(after).not.toContain(before[0])

  await order.getByRole('button', { name: 'Вернуть деньги' }).click()
  const refund = page.getByRole('dialog', { name: 'Вернуть деньги?' })
  await refund.getByLabel('Причина').fill('передумал')
  await refund.getByRole('button', { name: 'Вернуть деньги' }).click()
  await expect(page.getByText('Деньги возвращаются')).toBeVisible()
  await expect(order.getByText('Возвращён').first()).toBeVisible()
  await expect(order.getByText('Возврат администратором')).toBeVisible()
  await expect(order.getByText(operator.nickname).first()).toBeVisible()
  await expect(order.getByRole('button', { name: 'Вернуть деньги' })).toHaveCount(0)
  const { body: balance } = await call(page, buyer.token, 'GET', '/balance')
  expect(balance).toContainEqual({ currency: 'rub', amount: 5_000 })
  expect(complaints).toEqual([])
})

test('a payment whose notice never came is confirmed by hand, and the buyer has the code', async ({ page }) => {
  const buyer = await aCustomer(page)
  const amount = await fillCart(page, buyer.token, 1)
  const opened = await call(page, buyer.token, 'POST', '/payment/create', { amount, currency: 'RUB', type: 'order' })
  const orderId: string = opened.body.order_id

  await openTab(page, `orders?order=${orderId}`)
  await page.getByRole('dialog').getByRole('link', { name: 'Платежи' }).click()
  await expect(page).toHaveURL(`/admin/payments?search=${orderId}`)
  await page.getByRole('button', { name: 'Подтвердить' }).click()
  await giveReason(page, 'деньги видны в кабинете банка')
  await page.getByRole('dialog').getByRole('button', { name: 'Подтвердить' }).click()
  await expect(page.getByText('Платёж проведён')).toBeVisible()
  await expect(page.getByText('ушёл в заказ')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Подтвердить' })).toHaveCount(0)
  expect(await readCodes(page, buyer.token, orderId)).toHaveLength(1)
})

test('an unpaid order is cancelled', async ({ page }) => {
  const buyer = await aCustomer(page)
  const amount = await fillCart(page, buyer.token, 1)
  const opened = await call(page, buyer.token, 'POST', '/payment/create', { amount, currency: 'RUB', type: 'order' })
  await openTab(page, `orders?order=${opened.body.order_id}`)
  await page.getByRole('button', { name: 'Отменить заказ' }).click()
  await giveReason(page, 'попросил по телефону')
  await page
    .getByRole('dialog', { name: 'Отменить неоплаченный заказ?' })
    .getByRole('button', { name: 'Отменить заказ' })
    .click()
  await expect(page.getByText('Заказ отменён')).toBeVisible()
  const { body } = await call(page, buyer.token, 'GET', `/orders/${opened.body.order_id}`)
  expect(body.status).toBe('expired')
})

test('a user: balance with a reason, password, block and role', async ({ page }) => {
  const complaints = watchConsole(page)
  const customer = await aCustomer(page)
  const profileStatus = async () => (await call(page, customer.token, 'GET', '/profile')).status
  const logIn = (secret: string) =>
    call(page, undefined, 'POST', '/auth/login', { nickname: customer.nickname, password: secret })

  await openTab(page, 'users')
  await search(page, 'Поиск по никнейму или ID', customer.nickname)
  await page.getByRole('button', { name: customer.nickname }).click()
  const user = page.getByRole('dialog', { name: customer.nickname, exact: true })
  await user.getByLabel('Баланс, USD').fill('12.5')
  await user.getByRole('button', { name: 'Изменить баланс' }).click()
  await expect(user.getByText('Заполните поле')).toBeVisible()
  await user.getByLabel('Причина').fill('возмещение за ночь')
  await user.getByRole('button', { name: 'Изменить баланс' }).click()
  await expect(page.getByText('Баланс изменён')).toBeVisible()
  await user.getByRole('tab', { name: 'Деньги' }).click()
  await expect(user.getByText('возмещение за ночь')).toBeVisible()
  await expect(user.getByText('$12.50')).toBeVisible()

  await user.getByRole('tab', { name: 'Учётная запись' }).click()
  await user.getByLabel('Новый пароль').fill('five5')
  await user.getByRole('button', { name: 'Задать пароль' }).click()
  await expect(user.getByText('Не меньше 6 символов')).toBeVisible()
  await user.getByLabel('Новый пароль').fill('six666')
  await user.getByRole('button', { name: 'Задать пароль' }).click()
  await expect(page.getByText('Пароль задан, все сеансы завершены')).toBeVisible()
  expect(await profileStatus()).toBe(401)
  expect([(await logIn(password)).status, (await logIn('six666')).status]).toEqual([401, 200])

  await user.getByRole('button', { name: 'Заблокировать' }).click()
  await page.getByRole('dialog').last().getByRole('button', { name: 'Заблокировать' }).click()
  await expect(user.getByRole('button', { name: 'Разблокировать' })).toBeVisible()
  expect((await logIn('six666')).status).toBe(403)
  await user.getByRole('button', { name: 'Разблокировать' }).click()
  await expect(user.getByRole('button', { name: 'Заблокировать' })).toBeVisible()
  expect((await logIn('six666')).status).toBe(200)

  await user.getByRole('button', { name: 'Сделать администратором' }).click()
  const promote = page.getByRole('dialog').last()
  await expect(promote.getByRole('button', { name: 'Сделать администратором' })).toBeDisabled()
  await promote.getByRole('textbox').fill(customer.nickname)
  await promote.getByRole('button', { name: 'Сделать администратором' }).click()
  await expect(user.getByRole('button', { name: 'Снять роль администратора' })).toBeVisible()
  expect(complaints).toEqual([])
})

test('rates: a wrong one is refused, a right one is in force, and the settings keep their bounds', async ({ page }) => {
  await openTab(page, 'currencyRates')
  const rate = page.getByRole('region', { name: 'USD → UZS' })
  await rate.getByLabel('Один USD в UZS').fill('0')
  await rate.getByRole('button', { name: 'Сохранить' }).click()
  await expect(rate.getByText('Проверьте сумму')).toBeVisible()
  const wanted = String(12_000 + Math.floor(Math.random() * 500))
  await rate.getByLabel('Один USD в UZS').fill(wanted)
  await rate.getByRole('button', { name: 'Сохранить' }).click()
  await expect(rate.getByText('Источник: вручную')).toBeVisible()
  await rate.getByRole('button', { name: 'История' }).click()
  await expect(rate.locator('.recharts-surface').first()).toBeVisible()

  await page.getByLabel('Часовой пояс').fill('Asia/Nowhere')
  const settings = page.getByRole('form', { name: 'Как ведутся курсы' })
  await settings.getByRole('button', { name: 'Сохранить' }).click()
  await expect(settings.getByText('Такого часового пояса нет')).toBeVisible()
  await page.getByLabel('Часовой пояс').fill('Asia/Tashkent')
  await page.getByRole('button', { name: 'Обновить сейчас' }).click()
  await expect(page.getByText('Источник опрошен')).toBeVisible()
})

test('a message of a customer is answered', async ({ page }) => {
  const customer = await aCustomer(page)
  const message = {
    nickname: customer.nickname,
    userId: String(customer.userId),
    message: 'Код не подошёл',
    contact: '@player',
  }
  await call(page, undefined, 'POST', '/support', message)
  const operator = await openTab(page, 'support')
  await search(page, 'Поиск по никнейму, контакту или тексту', customer.nickname)
  await page.getByRole('button', { name: customer.nickname }).click()
  const answer = page.getByRole('dialog', { name: customer.nickname })
  await expect(answer.getByText('@player')).toBeVisible()
  await answer.getByText('Отвечено').click()
  await answer.getByLabel('Заметка для коллег').fill('Код заменён')
  await answer.getByRole('button', { name: 'Сохранить' }).click()
  await expect(answer).toHaveCount(0)
  await page.getByRole('button', { name: customer.nickname }).click()
  await expect(page.getByText(`Ответ дан: ${operator.nickname}`)).toBeVisible()
})

test('the overview, the audit log and the ledger tell how things stand', async ({ page }) => {
  const complaints = watchConsole(page)
  const operator = await openTab(page, 'dashboard')
  await expect(page.getByText('Новые пользователи').first()).toBeVisible()
  await expect(page.locator('.recharts-surface').first()).toBeVisible()
  await page.getByText('7 дней', { exact: true }).click()
  await expect(page).toHaveURL('/admin/dashboard?days=7')

  await page.goto(`/admin/audit?search=${operator.nickname}`)
  await expect(page.getByText('Пока ничего не менялось').or(page.getByText('Ничего не нашлось'))).toBeVisible()
  const customer = await aCustomer(page)
  await call(page, operator.token, 'PUT', `/admin/users/${customer.userId}/balance`, {
    balanceUsd: 7,
    reason: 'проверка',
  })
  await page.reload()
  await expect(page.getByText('user.balance')).toBeVisible()
  await expect(page.getByText('$7.00')).toBeVisible()

  await page.goto('/admin/ledger')
  await page.getByRole('button', { name: 'Посчитать снова' }).click()
  await expect(page.getByText('Всё сходится')).toBeVisible()
  await expect(page.getByText('В журнале действий нет пропусков', { exact: false })).toBeVisible()
  expect(complaints).toEqual([])
})
