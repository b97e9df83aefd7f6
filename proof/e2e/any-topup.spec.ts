import { expect, type Page } from '@playwright/test'
import { axeOn, isTooWide } from './complaints.ts'
import { giveBalance, labels, open, register, test } from './customer.ts'
import { ru } from './ru.ts'

const topUpNow = (page: Page) => page.getByRole('button', { name: ru('topups.topUpNow') })
const find = (page: Page) => page.getByRole('button', { name: ru('topups.find') })
const payFromBalance = (page: Page) => page.getByRole('button', { name: /^Оплатить .* с баланса$/ })
const uid = (page: Page) => page.getByLabel('UID')
const server = (page: Page) => page.getByLabel('Сервер')

async function fill(page: Page, id: string, place: string): Promise<void> {
  await uid(page).fill(id)
  await server(page).selectOption({ label: place })
}

/** Buys 60 crystals for the account from the balance, and ends up among the orders. */
async function buyCrystals(page: Page, id: string): Promise<void> {
  await open(page, '/products/genshin-topup')
  await fill(page, id, 'Азия')
  await page.getByRole('radio', { name: /^60 кристаллов/ }).click()
  await topUpNow(page).click()
  await payFromBalance(page).click()
  await expect(page).toHaveURL('/orders')
}

test('a game with two fields, one of them a list: what is wrong is said at its field, then it is bought', async ({
  page,
}) => {
  await register(page)
  await giveBalance(page, { balanceRub: 500 })
  await open(page, '/products')
  await page.getByRole('link', { name: 'Genshin Impact по UID' }).click()
  await expect(page).toHaveURL('/products/genshin-topup')
  await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText(new RegExp(ru('topups.whoGetsIt')))
  expect(await isTooWide(page)).toBe(false)
  expect(await axeOn(page)).toEqual([])

  await topUpNow(page).click()
  await expect(page.getByText(ru('field.required'))).toBeVisible()
  await expect(page.getByText(ru('topups.chooseOption'))).toBeVisible()
  await expect(uid(page)).toBeFocused()
  await uid(page).fill('UID: 8123')
  await expect(uid(page)).toHaveValue('8123')
  await expect(page.getByText(ru('topups.tooShort', { count: 9 }))).toBeVisible()
  await uid(page).fill('81234567890')
  await expect(page.getByText(ru('topups.tooLong', { count: 10 }))).toBeVisible()
  await fill(page, '812345404', 'Азия')
  await find(page).click()
  await expect(page.getByText(ru('topups.unknownAccount'))).toBeVisible()
  expect(await axeOn(page)).toEqual([])

  await uid(page).fill('812345678')
  await expect(page.getByText(ru('topups.unknownAccount'))).toHaveCount(0)
  await topUpNow(page).click()
  await expect(page.getByRole('alert').getByText(ru('topups.chooseAndFill'))).toBeVisible()
  await page.getByRole('radio', { name: /^60 кристаллов/ }).click()
  await find(page).click()
  await expect(page.getByRole('main').getByText('Player_5678').first()).toBeVisible()
  await topUpNow(page).click()
  await expect(page).toHaveURL('/checkout')
  const recipient = ru('topups.forAccount', { account: 'Player_5678 (UID 812345678, Сервер Азия)' })
  await expect(page.getByText(recipient)).toBeVisible()
  await page.reload()
  await expect(page.getByText(recipient)).toBeVisible()
  await payFromBalance(page).click()
  await expect(page).toHaveURL('/orders')
  await expect(page.getByRole('region', { name: ru('orders.paidNow') })).toContainText('Player_5678')
  await page
    .getByRole('link', { name: /Заказ [0-9A-Z]{10}/ })
    .first()
    .click()
  await expect(page.getByText(recipient)).toBeVisible()
  await open(page, '/profile')
  await expect(page.getByText('425,00').first()).toBeVisible()
})

test('who was here before buys in five taps from the home page', async ({ page }) => {
  await register(page)
  await giveBalance(page, { balanceRub: 500 })
  await buyCrystals(page, '812345678')
  await open(page, '/')
  let taps = 0
  const tap = async (role: 'link' | 'button' | 'radio', name: string | RegExp) => {
    taps++
    await page.getByRole('main').getByRole(role, { name }).first().click()
  }
  await tap('link', ru('home.heroAction'))
  await tap('link', 'Genshin Impact по UID')
  await expect(page.getByRole('main').getByText('Player_5678').first()).toBeVisible()
  await expect(uid(page)).toHaveCount(0)
  await tap('radio', /^300 кристаллов/)
  await tap('button', ru('topups.topUpNow'))
  await tap('button', /^Оплатить .* с баланса$/)
  await expect(page).toHaveURL('/orders')
  expect(taps).toBe(5)
  await expect(page.getByRole('link', { name: /Заказ [0-9A-Z]{10}/ })).toHaveCount(2)
})

test('a remembered account gives way to another, is changed, and forgotten', async ({ page }) => {
  await open(page, '/products/genshin-topup')
  for (const [id, place] of [
    ['812345678', 'Азия'],
    ['700001111', 'Европа'],
  ] as const) {
    if (await page.getByRole('button', { name: ru('topups.change') }).isVisible()) {
      await page.getByRole('button', { name: ru('topups.change') }).click()
    }
    await fill(page, id, place)
    await find(page).click()
    await expect(page.getByText(`Player_${id.slice(-4)}`).first()).toBeVisible()
  }
  await page.evaluate(() => sessionStorage.clear())
  await page.reload()
  const main = page.getByRole('main')
  const recent = page.getByRole('group', { name: ru('topups.recent') })
  await expect(main.getByText('700001111 (Европа)')).toBeVisible()
  await recent.getByRole('button', { name: 'Player_5678', exact: true }).click()
  await expect(main.getByText('812345678 (Азия)')).toBeVisible()
  await page.getByRole('button', { name: ru('topups.change') }).click()
  await expect(uid(page)).toHaveValue('812345678')
  await expect(server(page)).toHaveValue('os_asia')
  await uid(page).fill('812349999')
  await expect(server(page)).toHaveValue('os_asia')
  for (const name of ['Player_5678', 'Player_1111']) {
    await recent.getByRole('button', { name: ru('topups.forget', { account: name }) }).click()
  }
  await expect(recent).toHaveCount(0)
  await page.evaluate(() => sessionStorage.clear())
  await page.reload()
  await expect(uid(page)).toHaveValue('')
})

test('accounts that were remembered before games had several fields are still offered', async ({ page }) => {
  await page.goto('/support')
  await page.evaluate(() => localStorage.setItem('accounts:pubg', '[{"id":"5123456","name":"Neo"}]'))
  await page.evaluate(() => localStorage.setItem('accounts:steam', '[{"id":"gabe_n","name":""}]'))
  const change = page.getByRole('button', { name: ru('topups.change') })
  await open(page, '/products/pubg')
  await expect(page.getByText('Neo', { exact: true }).first()).toBeVisible()
  await expect(page.getByLabel(labels.playerId)).toHaveCount(0)
  await change.click()
  await expect(page.getByLabel(labels.playerId)).toHaveValue('5123456')
  await find(page).click()
  await expect(page.getByText('Player_3456').first()).toBeVisible()
  await open(page, '/products/steam')
  await expect(page.getByText('gabe_n').first()).toBeVisible()
  await change.click()
  await expect(page.getByLabel(labels.steamLogin)).toHaveValue('gabe_n')
})

test('a game says within how long it arrives, before it is bought and while it is on its way', async ({ page }) => {
  await register(page)
  await giveBalance(page, { balanceRub: 100 })
  await open(page, '/products/genshin-topup')
  await expect(
    page
      .getByText(ru('topups.withinMinutes', { count: 30 }))
      .filter({ visible: true })
      .first(),
  ).toBeVisible()
  await buyCrystals(page, '812346005')
  await page
    .getByRole('link', { name: /Заказ [0-9A-Z]{10}/ })
    .first()
    .click()
  await expect(page.getByText(/Осталось 29:\d\d из обещанных 30 минут/)).toBeVisible()
})

test('stars are put together to any number, for a name that is not an ID', async ({ page }) => {
  await register(page)
  await giveBalance(page, { balanceRub: 3_000 })
  await open(page, '/products/telegram-stars')
  await page.getByLabel('Имя пользователя').fill('мое_имя')
  await expect(page.getByText(ru('field.invalid'))).toBeVisible()
  await page.getByLabel('Имя пользователя').fill(' kamila_uz ')
  await expect(page.getByLabel('Имя пользователя')).toHaveValue('kamila_uz')
  await page.getByLabel(ru('topups.pubg.custom', { unit: 'звёзд' })).fill('120')
  await expect(page.getByRole('complementary').getByText(/150/).filter({ visible: true }).first()).toBeVisible()
  await topUpNow(page).click()
  await expect(page).toHaveURL('/checkout')
  await payFromBalance(page).click()
  await expect(page).toHaveURL('/orders')
  await expect(page.getByRole('region', { name: ru('orders.paidNow') })).toContainText('kamila_uz')
})

test('the fields of a game are labelled in the language that is chosen, and what was typed stays', async ({ page }) => {
  await open(page, '/products/genshin-topup')
  await fill(page, '812345678', 'Азия')
  await page.getByRole('button', { name: ru('header.language') }).click()
  await page.getByRole('menuitem', { name: 'English' }).click()
  await expect(page.getByLabel('Server')).toHaveValue('os_asia')
  await expect(page.getByRole('option', { name: 'Asia' })).toHaveCount(1)
  await expect(uid(page)).toHaveValue('812345678')
})

test('the page of a new game can be read without JavaScript, and has the styles of its later parts at once', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? '' })
  const page = await context.newPage()
  await page.goto('/products/genshin-topup')
  await expect(page.getByText('Благословение полой луны').first()).toBeVisible()
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', /genshin-topup$/)
  await expect(page.getByRole('radio').first()).toHaveCSS('padding-left', /^(8|14)px$/)
  await context.close()
})
