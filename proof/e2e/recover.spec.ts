import { expect } from '@playwright/test'
import { call } from './calls.ts'
import { addToCart, giveBalance, logIn, open, password, register, test } from './customer.ts'
import { openTab } from './operator.ts'
import { ru } from './ru.ts'

test('who forgot the password proves the account by an order and a contact, and gets in again', async ({
  page,
  browser,
  baseURL,
}) => {
  const nickname = await register(page)
  await open(page, '/profile')
  await page.getByRole('button', { name: ru('contact.add') }).click()
  const dialog = page.getByRole('dialog', { name: ru('contact.title') })
  await dialog.getByLabel(ru('contact.field')).fill('@journey')
  await dialog.getByLabel(ru('profile.currentPassword')).fill('wrong-pass-1')
  await dialog.getByRole('button', { name: ru('contact.save') }).click()
  await expect(dialog.getByText(ru('field.invalid_credentials'))).toBeVisible()
  await dialog.getByLabel(ru('profile.currentPassword')).fill(password)
  await dialog.getByRole('button', { name: ru('contact.save') }).click()
  await expect(page.getByText('@journey')).toBeVisible()

  await giveBalance(page, { balanceRub: 500 })
  await addToCart(page, 1)
  const token = await page.evaluate(() => localStorage.getItem('token') ?? '')
  const paid = await call(page, token, 'POST', '/payment/from-balance', { currency: 'RUB' })
  await page.evaluate(() => localStorage.clear())

  await open(page, '/login')
  await page.getByRole('link', { name: ru('login.recover') }).click()
  await page.getByRole('button', { name: ru('recover.submit') }).click()
  await expect(page.getByText(ru('field.required'))).toHaveCount(2)
  await page.getByLabel(ru('login.nickname')).fill(nickname)
  await page.getByLabel(ru('recover.contact')).fill('@Journey')
  await page.getByLabel(ru('recover.order')).fill(paid.body.order.id.toLowerCase())
  await page.getByRole('button', { name: ru('recover.submit') }).click()
  await expect(page.getByRole('heading', { name: ru('recover.sent') })).toBeVisible()

  const desk = await (await browser.newContext({ ...(baseURL && { baseURL }), locale: 'ru-RU' })).newPage()
  const admin = await openTab(desk, `support?kind=recovery&search=${nickname}`)
  await desk.getByRole('button', { name: nickname }).click()
  await expect(desk.getByRole('link', { name: paid.body.order.id, exact: true })).toBeVisible()
  for (const proof of ['admin.support.ownOrder', 'admin.support.ownContact', 'admin.support.claimedAccount'] as const)
    await expect(desk.getByText(ru(proof))).toBeVisible()
  await expect(desk.getByRole('link', { name: ru('admin.support.toAccount'), exact: true })).toBeVisible()
  const { body: users } = await call(desk, admin.token, 'GET', `/admin/users?search=${nickname}`)
  await call(desk, admin.token, 'PUT', `/admin/users/${users.data[0].id}/password`, { password: 'lent-to-you-77' })
  await desk.context().close()

  await logIn(page, nickname, 'lent-to-you-77')
  await expect(page).toHaveURL(/new-password/)
})
