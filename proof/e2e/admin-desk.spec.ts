import { expect, test } from '@playwright/test'
import { tabs } from '../../web/app/admin/tabs.ts'
import { open, register } from './customer.ts'
import { openFilters, openTab, row } from './operator.ts'
import { ru } from './ru.ts'

test('what was typed into a search stays in the list it was typed for', async ({ page }) => {
  await openTab(page, 'products')
  // Slow enough that the pause after typing ends while the next screen is still on its way.
  await page.route('**/*Tab-*.js', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 700))
    await route.continue()
  })
  await page.route('**/*.data*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 700))
    await route.continue()
  })
  // In one go, however busy the machine is: a pause after typing would have written the search down.
  const typeAndLeave = (text: string, path?: string) =>
    page.getByRole('searchbox').evaluate(
      (field: HTMLInputElement, { typed, to }) => {
        field.select()
        document.execCommand('insertText', false, typed)
        if (to) document.querySelector<HTMLAnchorElement>(`a[href="${to}"]`)?.click()
        else history.back()
      },
      { typed: text, to: path },
    )
  await typeAndLeave('roblox', '/admin/regions')
  await expect(row(page, 'Турция')).toBeVisible()
  await expect(page).toHaveURL('/admin/regions')
  await expect(page.getByRole('searchbox')).toHaveValue('')

  await typeAndLeave('TR', '/')
  await expect(page.getByRole('link', { name: /Roblox/ }).first()).toBeVisible()
  await expect(page).toHaveURL('/')

  await page.goBack()
  await expect(row(page, 'Турция')).toBeVisible()
  await typeAndLeave('nothing like it')
  await expect(row(page, 'Roblox')).toBeVisible()
  await expect(page).toHaveURL('/admin/products')
})

test('no tab opens to anybody but an admin, and nothing is asked for them', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const paths = [...tabs.map(({ name }) => `/admin/${name}`), '/admin', '/admin/nosuchtab']
  for (const path of paths) {
    await open(page, path)
    await expect(page).toHaveURL('/login')
  }
  await register(page)
  for (const path of paths) {
    await open(page, path)
    await expect(page).toHaveURL('/')
  }
  expect(asked.filter((path) => /^\/api\/([a-z]+-)?(admin|settings)/.test(path))).toEqual([])
})

/** What is added in each tab, and how many of its fields have to be filled in. */
const forms: [string, string, number][] = [
  ['products', ru('admin.products.add'), 1],
  ['products?product=5', ru('admin.products.addPackage'), 3],
  ['codes', ru('admin.codes.add'), 5],
  ['promotions', ru('admin.promotions.add'), 1],
  ['regions', ru('admin.regions.add'), 2],
  ['pubgCodes?view=denominations', ru('admin.denominations.add'), 3],
  ['freefireCodes', ru('admin.denominations.add'), 5],
]

test('every form says at its fields what is missing, and sends nothing that is cancelled', async ({ page }) => {
  await openTab(page, 'products')
  for (const [path, button, missing] of forms) {
    await open(page, `/admin/${path}`)
    await page.getByRole('button', { name: button }).click()
    const form = page.getByRole('dialog', { name: button })
    await form.getByRole('button', { name: ru('admin.form.save') }).click()
    await expect(form.getByText(ru('field.required')), path).toHaveCount(missing)
    await form
      .getByRole('button', { name: ru('admin.form.cancel') })
      .last()
      .click()
    await expect(form).toHaveCount(0)
  }
})

const searched = [
  ...['products', 'orders', 'users', 'codes', 'generatedCodes', 'promotions', 'regions', 'pubgCodes', 'freefireCodes'],
  ...['alerts', 'support', 'payments', 'deliveries', 'audit'],
]

test('every list says when nothing fits, and shows everything again', async ({ page }) => {
  await openTab(page, 'products')
  for (const tab of searched) {
    await open(page, `/admin/${tab}`)
    await page.getByRole('searchbox').fill('nothing-like-it')
    await expect(page.getByText(ru('admin.list.nothing')), tab).toBeVisible()
    await page.getByRole('button', { name: ru('admin.list.clear') }).click()
    await expect(page.getByText(ru('admin.list.nothing'))).toHaveCount(0)
    await expect(page, tab).toHaveURL(`/admin/${tab}`)
  }
})

test('an address past the end of a list leads to its last page', async ({ page }) => {
  await openTab(page, 'products')
  await open(page, '/admin/regions?page=9')
  await expect(row(page, 'Турция')).toBeVisible()
  await expect(page).toHaveURL('/admin/regions')
})

test('a list is sorted, turned round and brought back to its own order', async ({ page, isMobile }) => {
  await openTab(page, 'products')
  // Other journeys add products of their own.
  const first = row(page, /PUBG Mobile|Roblox|Valorant|Fortnite/).first()
  await openFilters(page)
  const sort = (order: 'asc' | 'desc' | '') =>
    isMobile
      ? page.getByLabel(ru('admin.list.order')).selectOption(order && `name ${order}`)
      : page
          .getByRole('columnheader')
          .getByRole('button', { name: ru('admin.products.name') })
          .click()
  await sort('asc')
  await expect(page).toHaveURL(/sort=name&order=asc/)
  await expect(first).toContainText('Fortnite')
  await sort('desc')
  await expect(page).toHaveURL(/sort=name&order=desc/)
  await expect(first).toContainText('Valorant')
  await page.reload()
  await expect(first).toContainText('Valorant')
  await sort('')
  await expect(page).toHaveURL('/admin/products')
  await expect(first).toContainText('PUBG Mobile')
})

test('one sees in which tab one is', async ({ page, isMobile }) => {
  await openTab(page, 'regions')
  const menu = isMobile
    ? page.getByRole('combobox', { name: ru('admin.menu') }).locator('option:checked')
    : page.getByRole('navigation', { name: ru('admin.menu') }).locator('[aria-current=page]')
  await expect(menu).toHaveText(ru('admin.tabs.regions'))
  if (!isMobile) await expect(menu).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')
})
