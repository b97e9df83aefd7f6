import { expect, type Page, test } from '@playwright/test'
import { watchConsole } from './complaints.ts'
import { aCustomer, aNewProduct, anAdmin, buy, drawer, fresh, openFilters, openTab, row, save } from './operator.ts'
import { ru } from './ru.ts'

const views = (page: Page) => page.getByRole('region', { name: ru('admin.orderViews.label') })

test('filters of the orders are kept under a name for all colleagues, renamed by who made them, and deleted', async ({
  page,
  isMobile,
}) => {
  const complaints = watchConsole(page)
  const [maker, colleague] = [await anAdmin(page), await anAdmin(page)]
  const product = await aNewProduct(page, maker.token, [fresh('VIEW-')])
  const buyer = await aCustomer(page)
  const orderId = await buy(page, buyer.token, product)
  const name = fresh('ГОТОВО ')

  await openTab(page, `orders?search=${orderId}`, maker)
  await openFilters(page)
  await page.getByLabel(ru('admin.orders.status')).selectOption('completed')
  await views(page)
    .getByRole('button', { name: ru('admin.orderViews.keep') })
    .click()
  await drawer(page).getByLabel(ru('admin.orderViews.name')).fill(name)
  await drawer(page).getByLabel(ru('admin.orderViews.shared')).check()
  await save(page)
  const chip = views(page).getByRole('button', { name, exact: true })
  await expect(chip).toHaveAttribute('aria-pressed', 'true')
  await chip.click()
  await expect(page).not.toHaveURL(/search=/)
  await expect(chip).toHaveAttribute('aria-pressed', 'false')

  await openTab(page, 'orders', colleague)
  await chip.click()
  await expect(page).toHaveURL(new RegExp(`search=${orderId}.*status=completed`))
  await expect(page.getByRole('button', { name: orderId })).toBeVisible()
  await expect(page.getByText(ru('admin.list.total', { count: 1 }), { exact: true })).toBeVisible()
  // On a phone a row says what, how it stands and how much, and of the filters those that are in force stand over it.
  await expect(row(page, orderId).getByText(ru('orders.status.completed'))).toBeVisible()
  await expect(row(page, orderId).getByText(buyer.nickname)).toBeVisible({ visible: !isMobile })
  await expect(page.getByLabel(ru('admin.orders.status'))).toBeVisible()
  await expect(page.getByLabel(ru('admin.orders.method'))).toBeVisible({ visible: !isMobile })
  await page.screenshot({ path: test.info().outputPath('views.png') })
  if (isMobile) {
    await row(page, orderId).getByText(product.name).tap()
    await expect(page.getByRole('dialog', { name: ru('orders.number', { id: orderId }) })).toContainText(buyer.nickname)
  }

  await openTab(page, 'orders', maker)
  await chip.click()
  await views(page)
    .getByRole('button', { name: ru('admin.list.edit', { name }) })
    .click()
  const renamed = fresh('ВЫДАНО ')
  await drawer(page).getByLabel(ru('admin.orderViews.name')).fill(renamed)
  await save(page)
  await expect(chip).toHaveCount(0)
  await views(page)
    .getByRole('button', { name: ru('admin.list.remove', { name: renamed }) })
    .click()
  await drawer(page)
    .getByRole('button', { name: ru('admin.remove.confirm') })
    .click()
  await expect(views(page).getByRole('button', { name: renamed, exact: true })).toHaveCount(0)
  expect(complaints).toEqual([])
})
