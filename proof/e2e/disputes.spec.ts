import { expect, test } from '@playwright/test'
import { call } from './calls.ts'
import { open } from './customer.ts'
import { aCustomer, fillCart, openTab } from './operator.ts'
import { ru } from './ru.ts'

test('a disputed payment hides its codes, calls the operator, and gives all back once the shop has won', async ({
  page,
}) => {
  const customer = await aCustomer(page)
  const amount = await fillCart(page, customer.token, 2)
  const { body: created } = await call(page, customer.token, 'POST', '/payment/create', {
    amount,
    currency: 'RUB',
    type: 'order',
  })
  const payPage = new URL(created.pay_url).pathname
  await open(page, payPage)
  await page.getByRole('button', { name: /^Оплатить \d/ }).click()
  await page.waitForURL(/\/(orders|login)/)

  await open(page, payPage)
  await page.getByRole('button', { name: ru('sandbox.act.dispute') }).click()
  await expect(page.getByRole('main').getByRole('status')).toContainText('Владелец карты оспаривает платёж')

  await page.evaluate(({ token, nickname, userId }) => {
    localStorage.setItem('token', token)
    localStorage.setItem('nickname', nickname)
    localStorage.setItem('userId', String(userId))
  }, customer)
  await open(page, `/orders/${created.order_id}`)
  await expect(page.getByText(/2 кода пока не показаны/)).toBeVisible()

  await openTab(page, `orders?dispute=open&order=${created.order_id}`)
  const drawer = page.getByRole('dialog')
  await expect(drawer.getByRole('heading', { name: ru('admin.disputes.title') })).toBeVisible()
  await expect(drawer.getByText(ru('admin.disputes.why.fraudulent'))).toBeVisible()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    drawer.getByRole('button', { name: ru('admin.disputes.evidence') }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^evidence-.*\.html$/)

  await drawer.getByRole('button', { name: ru('admin.disputes.flag.won') }).click()
  await page.getByRole('textbox', { name: ru('admin.reason.label') }).fill('Письмо банка')
  await page
    .getByRole('button', { name: ru('admin.disputes.flag.won') })
    .last()
    .click()
  await expect(drawer.getByText(ru('admin.disputes.funds.reinstated'))).toBeVisible()
  const { body: receipt } = await call(page, customer.token, 'GET', `/orders/${created.order_id}`)
  expect(receipt.items[0].held_codes).toBe(0)
})

test('money that a bank took back by letter is written down at its payment', async ({ page }) => {
  const customer = await aCustomer(page)
  const amount = await fillCart(page, customer.token, 1)
  const wanted = { amount, currency: 'RUB', type: 'order' }
  const { body: created } = await call(page, customer.token, 'POST', '/payment/create', wanted)
  const paymentId = new URL(created.pay_url).pathname.split('/').at(-1)
  await call(page, undefined, 'POST', `/sandbox/payments/${paymentId}/act`, { action: 'pay' })

  await openTab(page, `payments?search=${created.order_id}`)
  await page.getByRole('button', { name: ru('admin.disputes.charge') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: /Номер у банка/ }).fill(`CB-${created.order_id}`)
  await dialog.getByRole('textbox', { name: ru('admin.reason.label') }).fill('Письмо банка')
  await dialog.getByRole('button', { name: ru('admin.disputes.charge') }).click()
  await expect(page.getByRole('link', { name: ru('admin.disputes.flag.lost') })).toBeVisible()
})
