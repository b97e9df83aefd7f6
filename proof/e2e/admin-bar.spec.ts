import { expect, type Page, test } from '@playwright/test'
import { call, callsOn } from './calls.ts'
import { axeOn, isTooWide, watchConsole } from './complaints.ts'
import { aCustomer, aNewProduct, anAdmin, buy, choose, fresh, isOnPhone, menuEntries, openTab } from './operator.ts'
import { ru } from './ru.ts'

const bar = (page: Page) => page.getByRole('banner')
const search = (page: Page) => bar(page).getByRole('combobox', { name: ru('admin.bar.search') })

test('the admin area has a bar of its own: it finds orders and customers by keys, and leads back to the shop', async ({
  page,
}) => {
  const complaints = watchConsole(page)
  const buyer = await aCustomer(page)
  const admin = await anAdmin(page)
  const order = await buy(page, buyer.token, await aNewProduct(page, admin.token, [fresh('BAR')]))
  await openTab(page, 'security', admin)

  // Nothing of the store's own header is left.
  await expect(
    bar(page)
      .getByRole('link', { name: ru('admin.tabs.alerts') })
      .or(bar(page).getByRole('link', { name: /проблем/ })),
  ).toBeVisible()
  for (const text of [ru('cart.title'), ru('products.search'), ru('products.title')])
    await expect(page.getByRole('link', { name: text, exact: true })).toHaveCount(0)
  expect(await axeOn(page)).toEqual([])
  expect(await isTooWide(page)).toBe(false)

  await page.keyboard.press('/')
  await expect(search(page)).toBeFocused()
  await page.keyboard.type(buyer.nickname)
  await expect(page.getByRole('option', { name: new RegExp(order) })).toBeVisible()
  await page.screenshot({ path: test.info().outputPath('found.png') })
  expect(await axeOn(page)).toEqual([])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/admin/orders?order=${order}`)
  await expect(page.getByRole('dialog')).toContainText(buyer.nickname)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  // A list has a search of its own, which keeps the key.
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox')).toBeFocused()
  await page.keyboard.press('Control+k')
  await expect(search(page)).toBeFocused()
  await page.keyboard.type(String(buyer.userId))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/admin/orders?search=${buyer.userId}`)
  await expect(page.getByRole('row').filter({ hasText: order })).toBeVisible()

  if (isOnPhone(page))
    await bar(page)
      .getByRole('button', { name: ru('admin.bar.menu') })
      .click()
  const around = isOnPhone(page) ? page.getByRole('dialog') : bar(page)
  await expect(around).toContainText(admin.nickname)
  await page.screenshot({ path: test.info().outputPath('account.png') })
  await around.getByRole('link', { name: ru('admin.bar.toShop') }).click()
  await expect(page).toHaveURL('/')
  await expect(bar(page).getByRole('link', { name: ru('cart.title') })).toBeVisible()
  expect(complaints).toEqual([])
})

for (const [width, language, scheme] of [
  [360, 'uz', 'dark'],
  [768, 'ru', 'light'],
  [1440, 'en', 'dark'],
] as const)
  test(`the bar stands at ${width} px, and logs out`, async ({ page, baseURL }) => {
    await page.setViewportSize({ width, height: 800 })
    await page.context().addCookies([
      { name: 'language', value: language, url: baseURL ?? '' },
      { name: 'theme', value: scheme, url: baseURL ?? '' },
    ])
    await page.addInitScript((name) => localStorage.setItem('language', name), language)
    await openTab(page, 'dashboard')
    await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0)
    expect(await isTooWide(page)).toBe(false)
    await page.screenshot({ path: test.info().outputPath(`bar-${width}.png`) })
    expect(await axeOn(page)).toEqual([])
    if (width < 992) await bar(page).locator('button[aria-haspopup=dialog]').click()
    const around = width < 992 ? page.getByRole('dialog') : bar(page)
    await around.getByRole('button').last().scrollIntoViewIfNeeded()
    await around.getByRole('button', { name: /^(Log out|Выйти|Chiqish)$/ }).click()
    await expect(page).toHaveURL('/')
    await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  })

test('the menu counts what waits, on a phone too; each row of the overview leads to as many', async ({ page }) => {
  const { token } = await openTab(page, 'dashboard')
  await callsOn(page)('POST', '/support', { nickname: fresh('N'), userId: '1', message: 'Help' })
  await page.reload()
  const open = async () => (await call(page, token, 'GET', '/admin/conversations/count')).body.data.open as number
  const count = await open()
  expect(count).toBeGreaterThan(0)
  const entry = menuEntries(page, 'admin.tabs.support')
  await expect(entry).toHaveText(new RegExp(`${count}\\)?$`))
  const waits = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ hasText: ru('admin.dashboard.support') })
  await expect(waits).toContainText(String(count))
  await page.screenshot({ path: test.info().outputPath('waits.png'), fullPage: true })
  await choose(page, entry)
  await expect(page).toHaveURL('/admin/support')
})
