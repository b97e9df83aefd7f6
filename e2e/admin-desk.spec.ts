import { expect, test } from '@playwright/test'
import { tabs } from '../web/app/admin/tabs.ts'
import { openTab, row } from './admin.ts'
import { open, register } from './customer.ts'

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
  const leave = (path: string) =>
    page.evaluate((to) => document.querySelector<HTMLAnchorElement>(`a[href="${to}"]`)?.click(), path)
  await page.getByRole('searchbox').fill('roblox')
  await leave('/admin/regions')
  await expect(row(page, 'Turkey')).toBeVisible()
  await expect(page).toHaveURL('/admin/regions')
  await expect(page.getByRole('searchbox')).toHaveValue('')

  await page.getByRole('searchbox').fill('TR')
  await leave('/products')
  await expect(page.getByRole('link', { name: /Roblox/ })).toBeVisible()
  await expect(page).toHaveURL('/products')

  await page.goBack()
  await expect(row(page, 'Turkey')).toBeVisible()
  await page.getByRole('searchbox').fill('nothing like it')
  await page.goBack()
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
