import { expect, type Page } from '@playwright/test'
import { adminCalls, callsOn } from './calls.ts'
import { test } from './customer.ts'
import { aCustomer, anAdmin, buy, fresh, menuEntries, openTab } from './operator.ts'
import { ru } from './ru.ts'

/** An order of two codes for 400 roubles each, of a product with one more on its shelf. */
async function anOrder(page: Page): Promise<string> {
  const operator = await adminCalls(page)
  const made = await operator<{ data: { id: number } }>('POST', '/admin/products', {
    name: fresh('STAFF'),
    kind: 'code',
    gameCurrency: 'Gems',
  })
  const place = { productId: made.data.id, regionId: 0, gameAmount: 50, priceUsd: 5, priceRub: 400 }
  for (let count = 0; count < 3; count++) await operator('POST', '/admin/codes', { ...place, code: fresh('CODE') })
  const buyer = await aCustomer(page)
  return buy(page, buyer.token, { id: made.data.id, quantity: 2 })
}

test('an owner makes a support colleague, who replaces a code and refunds no more than 500 roubles alone', async ({
  page,
}) => {
  const owner = await anAdmin(page)
  const colleague = await aCustomer(page)
  const orderId = await anOrder(page)

  await openTab(page, 'staff', owner)
  await page.getByRole('button', { name: ru('admin.staff.add') }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel(ru('login.nickname')).fill(colleague.nickname)
  await form.getByLabel(ru('admin.staff.role')).selectOption({ label: ru('admin.staff.roles.support') })
  await form.getByRole('button', { name: ru('admin.form.save') }).click()
  await expect(form).toHaveCount(0)
  await page.getByRole('searchbox', { name: ru('admin.staff.search') }).fill(colleague.nickname)
  await expect(page.getByRole('row').filter({ hasText: colleague.nickname })).toContainText(
    ru('admin.staff.roles.support'),
  )
  await page.getByRole('tab', { name: ru('admin.staff.rolesTitle') }).click()
  const support = page.getByRole('listitem', { name: ru('admin.staff.roles.support') })
  await expect(support).toContainText(/500,00\s₽ за раз/)

  await openTab(page, `orders?order=${orderId}`, colleague)
  await expect(menuEntries(page, 'admin.tabs.support')).toHaveCount(1)
  for (const hidden of ['staff', 'codes', 'payments', 'audit', 'shop'] as const) {
    await expect(menuEntries(page, `admin.tabs.${hidden}`)).toHaveCount(0)
  }
  await page
    .getByRole('button', { name: ru('admin.orders.replace') })
    .first()
    .click()
  const replace = page.getByRole('dialog', { name: ru('admin.orders.replaceTitle') })
  await replace.getByLabel(ru('admin.reason.label')).fill('Не подошёл')
  await replace.getByRole('button', { name: ru('admin.orders.replace') }).click()
  await expect(page.getByText(ru('admin.orders.replaced'))).toBeVisible()

  await page.getByRole('button', { name: ru('admin.orders.refund'), exact: true }).click()
  const refund = page.getByRole('dialog', { name: ru('admin.orders.refundTitle') })
  await refund.getByLabel(ru('admin.reason.label')).fill('Второй тоже не подошёл')
  await refund.getByRole('button', { name: ru('admin.orders.refund') }).click()
  await expect(refund.getByRole('alert')).toContainText(ru('admin.refused.above_limit', { most: '500,00\u00a0₽' }))

  await openTab(page, 'audit', colleague)
  await expect(page.getByText(ru('admin.staff.notAllowed'))).toBeVisible()
  await expect(page.getByText(ru('admin.staff.may.audit.read'))).toBeVisible()

  const waiting = page.getByRole('row').filter({ hasText: orderId })
  const decide = waiting.getByRole('button', { name: /^Решить/ })
  await openTab(page, `alerts?search=approval`, colleague)
  await expect(decide).toHaveCount(0)
  await waiting.getByRole('button', { name: /^Посмотреть/ }).click()
  const asked = page.getByRole('dialog', { name: ru('admin.staff.decideTitle') })
  await expect(asked.getByRole('button', { name: ru('admin.staff.decideYes') })).toHaveCount(0)
  await asked.getByRole('button', { name: ru('admin.staff.withdraw') }).click()
  await expect(page.getByText(ru('admin.staff.withdrawn'), { exact: true })).toBeVisible()
  await expect(waiting.first()).toContainText(ru('admin.alerts.states.resolved'))

  await openTab(page, `orders?order=${orderId}`, colleague)
  await page.getByRole('button', { name: ru('admin.orders.refund'), exact: true }).click()
  await refund.getByLabel(ru('admin.reason.label')).fill('Второй тоже не подошёл')
  await refund.getByRole('button', { name: ru('admin.orders.refund') }).click()
  await expect(refund.getByRole('alert')).toBeVisible()

  await openTab(page, `alerts?search=approval`, owner)
  // Each button of the row is whole at this width.
  await expect(decide).toBeInViewport({ ratio: 1 })
  await page.screenshot({ path: test.info().outputPath('decide.png') })
  await decide.click()
  const decision = page.getByRole('dialog', { name: ru('admin.staff.decideTitle') })
  await expect(decision).toContainText(colleague.nickname)
  await expect(decision).toContainText('Второй тоже не подошёл')
  await decision.getByRole('button', { name: ru('admin.staff.decideYes') }).click()
  await expect(page.getByText(ru('admin.staff.decidedYes'), { exact: true })).toBeVisible()
  const read = await callsOn(page, owner.token)<{ data: { status: string } }>('GET', `/admin/orders/${orderId}`)
  expect(read.data.status).toBe('refunded')
})

test('a colleague’s view shows the role that somebody else gave meanwhile, and offers to save none that was not chosen', async ({
  page,
}) => {
  const operator = await adminCalls(page)
  const colleague = await aCustomer(page)
  const { data: roles } = await operator<{ data: { id: number; built_in: string | null }[] }>(
    'GET',
    '/admin/staff-roles',
  )
  const toRoleId = (role: string) => roles.find(({ built_in }) => built_in === role)?.id
  await operator('POST', '/admin/staff', { nickname: colleague.nickname, role_id: toRoleId('support') })

  await openTab(page, `staff?search=${colleague.nickname}`)
  await page.getByRole('button', { name: ru('admin.list.edit', { name: colleague.nickname }) }).click()
  const view = page.getByRole('dialog')
  const role = view.getByRole('combobox', { name: ru('admin.staff.role') })
  await expect(role).toHaveValue(String(toRoleId('support')))
  await operator('PUT', `/admin/staff/${colleague.userId}/role`, { role_id: toRoleId('stock') })
  // Reads the staff again.
  await view.getByRole('button', { name: ru('admin.staff.endAll') }).click()
  await expect(role).toHaveValue(String(toRoleId('stock')))
  const save = view.getByRole('button', { name: ru('admin.form.save') })
  await expect(save).toBeDisabled()
  await role.selectOption(String(toRoleId('finance')))
  await save.click()
  await expect(page.getByText(ru('admin.staff.roleGiven'))).toBeVisible()
  await expect(save).toBeDisabled()
  await expect(role).toHaveValue(String(toRoleId('finance')))
})
