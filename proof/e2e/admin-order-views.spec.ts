import { expect, type Page, test } from '@playwright/test'
import { watchConsole } from './complaints.ts'
import { aCustomer, aNewProduct, anAdmin, buy, drawer, fresh, openFilters, openTab, save } from './operator.ts'
import { ru } from './ru.ts'

const views = (page: Page) => page.getByRole('region', { name: ru('admin.orderViews.label') })

test('filters of the orders are kept under a name for all colleagues, renamed by who made them, and deleted', async ({
  page,
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
  await page.screenshot({ path: test.info().outputPath('views.png') })

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
