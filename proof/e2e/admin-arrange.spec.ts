import { expect, type Page, test } from '@playwright/test'
import { callHere } from './calls.ts'
import { watchConsole } from './complaints.ts'
import { open } from './customer.ts'
import { drawer, isOnPhone, openTab, row } from './operator.ts'
import { ru } from './ru.ts'

const namesIn = (page: Page) => page.getByRole('list', { name: ru('admin.products.order') }).getByRole('listitem')
const handle = (page: Page, name: string) =>
  page.getByRole('button', {
    name: new RegExp(`^${ru('admin.products.move', { name, place: 0 }).replace(/0$/, '')}\\d+$`),
  })

test('products are put into another order by dragging and by keys, and customers see it', async ({ page }, info) => {
  const complaints = watchConsole(page)
  await openTab(page, 'products')
  const { data: before } = await callHere(page, 'GET', '/admin/products?sort=position&order=asc&pageSize=200')
  const names: string[] = before.map(({ name }: { name: string }) => name)
  const [first = '', second = '', third = ''] = names
  await page.getByRole('link', { name: ru('admin.products.order') }).click()
  await expect(namesIn(page)).toHaveCount(names.length)

  const from = await handle(page, third).boundingBox()
  const to = await handle(page, first).boundingBox()
  if (!from || !to) throw new Error('a handle is not on the page')
  await page.mouse.move(from.x + 10, from.y + 10)
  await page.mouse.down()
  await page.mouse.move(from.x + 10, (from.y + to.y) / 2, { steps: 4 })
  await page.mouse.move(to.x + 10, to.y + 10, { steps: 4 })
  await page.screenshot({ path: info.outputPath('dragging.png') })
  await page.mouse.up()
  await expect(namesIn(page).first()).toContainText(third)
  await handle(page, first).press('ArrowDown')
  await expect(page.getByRole('status').filter({ hasText: first })).toHaveText(
    ru('admin.products.movedTo', { name: first, place: 3, total: names.length }),
  )
  await page.getByRole('button', { name: ru('admin.form.save') }).click()
  await expect(page).toHaveURL('/admin/products')
  const { data: after } = await callHere(page, 'GET', '/admin/products?sort=position&order=asc&pageSize=200')
  expect(after.slice(0, 3).map(({ name }: { name: string }) => name)).toEqual([third, second, first])

  // A colleague has moved one meanwhile: nothing is overwritten, and the present order can be seen.
  await page.getByRole('link', { name: ru('admin.products.order') }).click()
  await handle(page, first).press('Home')
  await callHere(page, 'POST', '/admin/products/order', { ids: before.map(({ id }: { id: number }) => id) })
  await page.getByRole('button', { name: ru('admin.form.save') }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await page.getByRole('button', { name: ru('admin.products.orderAgain') }).click()
  await expect(namesIn(page).first()).toContainText(first)
  expect(complaints.filter((text) => !text.includes('409'))).toEqual([])
})

test('a product is copied, with its packages, and is not on sale; a package gets a number of its own', async ({
  page,
}, info) => {
  await openTab(page, 'products')
  await open(page, '/admin/products?search=valorant')
  await page.getByRole('button', { name: ru('admin.products.copyOf', { name: 'Valorant' }), exact: true }).click()
  await expect(page).toHaveURL(/search=valorant-copy/)
  await expect(row(page, 'valorant-copy')).toBeVisible()
  const copy = row(page, 'valorant-copy')
  await expect(copy.getByRole('switch')).not.toBeChecked()
  await copy.getByRole('link', { name: ru('admin.products.packagesOf', { name: 'Valorant' }) }).click()
  const edit = page.getByRole('button', { name: /^Изменить: / }).first()
  const field = isOnPhone(page)
    ? drawer(page).getByLabel(ru('admin.products.lowStock'))
    : page.getByLabel(/^Порог остатка: /).first()
  if (isOnPhone(page)) await edit.click()
  await field.fill('25')
  await field.press('Enter')
  await expect(drawer(page)).toHaveCount(0)
  await page.reload()
  if (isOnPhone(page)) await edit.click()
  await expect(field).toHaveValue('25')
  await page.screenshot({ path: info.outputPath('packages.png'), fullPage: true })
  const { data } = await callHere(page, 'GET', '/admin/products?search=valorant-copy')
  const shown = await callHere(page, 'GET', '/products')
  expect(shown.map(({ id }: { id: number }) => id)).not.toContain(data[0].id)
  await callHere(page, 'DELETE', `/admin/products/${data[0].id}`)
})
