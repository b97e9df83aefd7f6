import { expect, test } from '@playwright/test'
import { call } from './calls.ts'
import { watchConsole } from './complaints.ts'
import { aCustomer, fillCart, openTab } from './operator.ts'
import { ru } from './ru.ts'

test('a day is compared with the provider: what was only confirmed by hand stands out, and leads to its order', async ({
  page,
}) => {
  const complaints = watchConsole(page)
  const wanted = async (quantity: number) => {
    const buyer = await aCustomer(page)
    const amount = await fillCart(page, buyer.token, quantity)
    const order = { amount, currency: 'RUB', type: 'order' }
    const { body } = await call(page, buyer.token, 'POST', '/payment/create', order)
    return { orderId: body.order_id as string, payment: new URL(body.pay_url).pathname.split('/').at(-1) }
  }
  const paid = await wanted(1)
  await call(page, undefined, 'POST', `/sandbox/payments/${paid.payment}/act`, { action: 'pay' })
  const confirmed = await wanted(1)
  const operator = await openTab(page, `payments?search=${confirmed.orderId}`)
  await page.getByRole('button', { name: ru('admin.payments.confirm') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(ru('admin.reason.label')).fill('показалось, что деньги пришли')
  await dialog.getByRole('button', { name: ru('admin.payments.confirm') }).click()
  await expect(page.getByText(ru('admin.payments.confirmed'))).toBeVisible()

  await page
    .getByRole('radiogroup', { name: ru('admin.list.view') })
    .getByText(ru('admin.reconciliation.title'), { exact: true })
    .click()
  await expect(page).toHaveURL('/admin/payments?view=reconciliation')
  const today = page.locator('li', { has: page.locator('a[href*="day="]') }).first()
  await today.getByRole('link').click()
  const day = page.getByRole('dialog')
  await day.getByRole('button', { name: /^Сверить/ }).click()
  await expect(page.getByText(ru('admin.reconciliation.done'))).toBeVisible()
  const sandbox = day.getByRole('region', { name: 'sandbox' })
  await expect(sandbox.getByText(ru('admin.reconciliation.state.different'))).toBeVisible()
  await expect(sandbox.getByText(ru('admin.reconciliation.difference.only_here')).first()).toBeVisible()
  await expect(sandbox.getByText(paid.orderId)).toHaveCount(0)
  await expect(sandbox.getByText(ru('admin.reconciliation.madeBy.admin', { name: operator.nickname }))).toBeVisible()
  await expect(today.getByText(/^Расхождений: \d+$/)).toBeAttached()

  const link = sandbox.getByRole('link', { name: ru('admin.reconciliation.order', { order: confirmed.orderId }) })
  await link.click()
  await expect(page).toHaveURL(`/admin/orders?order=${confirmed.orderId}`)
  expect(complaints).toEqual([])
})
