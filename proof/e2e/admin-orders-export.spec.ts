import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import { watchConsole } from './complaints.ts'
import { aCustomer, aNewProduct, anAdmin, buy, fresh, openFilters, openTab } from './operator.ts'
import { ru } from './ru.ts'

async function openAllFilters(page: Page) {
  await openFilters(page)
  const more = page.getByRole('button', { name: ru('admin.orderFilters.more') })
  // Which of the two is there shows only once the list is.
  const field = page.getByRole('textbox', { name: ru('admin.orderFilters.code') })
  await expect(more.or(field).first()).toBeVisible()
  if (await more.isVisible()) await more.click()
}

const expectOne = (page: Page, orderId: string) =>
  Promise.all([
    expect(page.getByText(ru('admin.list.total', { count: 1 }), { exact: true })).toBeVisible(),
    expect(page.getByRole('button', { name: orderId })).toBeVisible(),
  ])

async function save(page: Page, format: 'csv' | 'xlsx'): Promise<Buffer> {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: ru(`admin.exports.${format}`), exact: true }).click()
  const saved = await download
  expect(saved.suggestedFilename()).toMatch(new RegExp(`^orders-\\d{4}-\\d\\d-\\d\\d\\.${format}$`))
  return readFile(await saved.path())
}

test('an order is found by its whole code and other filters, and what is listed is saved as a file', async ({
  page,
}) => {
  const complaints = watchConsole(page)
  const operator = await anAdmin(page)
  const code = fresh('WHOLE-CODE-')
  const product = await aNewProduct(page, operator.token, [code])
  const buyer = await aCustomer(page)
  const orderId = await buy(page, buyer.token, product)

  await openTab(page, 'orders', operator)
  await openAllFilters(page)
  const field = page.getByRole('textbox', { name: ru('admin.orderFilters.code') })
  await field.fill(`${code}X`)
  await field.press('Enter')
  await expect(page.getByText(ru('admin.orderFilters.codeUnknown'))).toBeVisible()
  await field.fill(code)
  await field.press('Enter')
  await expectOne(page, orderId)
  await expect(page).toHaveURL(/[?&]code=\d+/)
  expect(page.url()).not.toContain(code)

  await page.getByRole('textbox', { name: ru('admin.orderFilters.amountFrom') }).fill('80,00')
  await page.getByRole('textbox', { name: ru('admin.orderFilters.amountFrom') }).press('Enter')
  await page.getByLabel(ru('admin.orderFilters.product')).selectOption(String(product.id))
  await expect(page).toHaveURL(new RegExp(`amount_from=80\\.00.*productId=${product.id}`))
  await expectOne(page, orderId)
  await page.getByRole('textbox', { name: ru('admin.orderFilters.amountFrom') }).fill('много')
  await expect(page.getByText(ru('admin.orderFilters.badAmount'))).toBeVisible()
  await page.getByRole('textbox', { name: ru('admin.orderFilters.amountFrom') }).fill('80')

  const lines = (await save(page, 'csv')).toString().trimEnd().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain(orderId)
  expect(lines.join()).not.toContain(code)
  expect((await save(page, 'xlsx')).subarray(0, 2).toString()).toBe('PK')

  await openTab(page, 'audit', operator)
  await expect(page.getByText(ru('admin.audit.did.export.start')).first()).toBeVisible()
  await expect(page.getByText(ru('admin.audit.did.code.look_up')).first()).toBeVisible()
  expect(complaints).toEqual([])
})
