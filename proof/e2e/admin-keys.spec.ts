import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { Database } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/queries.ts'
import { startEmbeddedPostgres } from '../../server/src/platform/embedded/embedded-postgres.ts'
import { call } from './calls.ts'
import { watchConsole } from './complaints.ts'
import { aCustomer, anAdmin, fillCart, openTab } from './operator.ts'
import { ru } from './ru.ts'
import { startStore } from './start-store.ts'

const rows = (page: Page) => page.locator('tbody tr')
const search = (page: Page) => page.getByRole('searchbox')

test('an operator walks a list by keys: / searches, arrows walk, Enter opens, and no field loses a key', async ({
  page,
}) => {
  const complaints = watchConsole(page)
  const buyer = await aCustomer(page)
  for (const _ of [1, 2, 3]) {
    await fillCart(page, buyer.token, 1)
    const paid = await call(page, buyer.token, 'POST', '/payment/from-balance', { currency: 'RUB' })
    expect(paid.status).toBe(201)
  }
  await openTab(page, 'orders')
  await expect(rows(page).nth(2)).toBeVisible()
  await page.keyboard.press('/')
  await expect(search(page)).toBeFocused()
  await page.keyboard.type(buyer.nickname)
  await expect(rows(page)).toHaveCount(3)

  await page.keyboard.press('ArrowDown')
  await expect(rows(page).nth(0)).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowDown')
  await expect(rows(page).nth(1)).toBeFocused()
  await page.keyboard.press('End')
  await expect(rows(page).nth(2)).toBeFocused()
  await expect(rows(page).nth(2)).toHaveCSS('outline-style', 'solid')

  const order = await rows(page).nth(2).getByRole('button').first().innerText()
  await page.keyboard.press('Enter')
  const view = page.getByRole('dialog')
  await expect(view).toContainText(order)
  // What lies over the list takes the keys.
  await page.keyboard.press('/')
  await page.keyboard.press('ArrowUp')
  await expect(view).toContainText(order)
  await expect(search(page)).toHaveValue(buyer.nickname)
  await page.keyboard.press('Escape')
  await expect(view).toHaveCount(0)
  await expect(rows(page).nth(2)).toBeFocused()

  // Tab stops at one row only, the one that had the focus last.
  await page.keyboard.press('Tab')
  await expect(rows(page).nth(2).getByRole('button').first()).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(rows(page).nth(2)).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(rows(page).nth(1).getByRole('button').first()).toBeFocused()

  await search(page).fill('a/b')
  await page.keyboard.press('/')
  await expect(search(page)).toHaveValue('a/b/')
  expect(complaints).toEqual([])
})

test('a price in a row keeps its keys; Enter follows what a row without a form leads to', async ({ page }) => {
  const operator = await openTab(page, 'freefireCodes')
  const price = rows(page).nth(0).getByRole('textbox').first()
  const before = await price.inputValue()
  await price.click()
  await page.keyboard.press('ArrowDown')
  await expect(price).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(price).toHaveValue(before)
  await rows(page).nth(0).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByRole('button', { name: ru('admin.form.save') })).toBeVisible()

  await openTab(page, 'audit', operator)
  await search(page).fill(`user:${operator.userId}`)
  await expect(rows(page).nth(0)).toContainText(`user:${operator.userId}`)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/admin/users?user=${operator.userId}`)
})

test('lists say how long ago, with the exact time under the pointer; what is opened says it exactly', async ({
  page,
}) => {
  const customer = await aCustomer(page)
  await openTab(page, `users?search=${customer.nickname}`)
  const since = rows(page).nth(0).locator('time')
  await expect(since).toHaveText(/^(сейчас|\d+ минут[уы]? назад)$/)
  const exact = await since.getAttribute('title')
  expect(exact).toMatch(/^\d+ \S+ \d{4}, \d\d:\d\d$/)
  expect(await since.getAttribute('datetime')).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
  await rows(page).nth(0).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').locator('time').first()).toHaveText(exact as string)
})

test('settings of rates and balances that somebody else changed meanwhile are overwritten by neither unseen', async ({
  page,
}) => {
  const operator = await openTab(page, 'currencyRates')
  const settings = page.getByRole('form', { name: ru('admin.rates.settings') })
  const other = await anAdmin(page)
  const path = '/currency-settings/settings'
  const kept = async () => (await call(page, other.token, 'GET', path)).body.data
  const before = await kept()
  await settings.getByLabel(ru('admin.rates.timezone')).fill('Asia/Almaty')
  await call(page, other.token, 'POST', path, { update_time: '06:45' })
  await settings.getByRole('button', { name: ru('admin.form.save') }).click()
  await expect(settings.getByRole('alert')).toContainText('Время: 06:45')
  await expect(settings.getByRole('button', { name: ru('admin.form.save') })).toBeDisabled()
  await settings.getByRole('button', { name: ru('admin.conflict.takeTheirs') }).click()
  await settings.getByRole('button', { name: ru('admin.form.save') }).click()
  await expect(page.getByText(ru('admin.form.saved'))).toBeVisible()
  expect(await kept()).toMatchObject({ update_time: '06:45', timezone: 'Asia/Almaty' })
  await call(page, other.token, 'POST', path, { update_time: before.update_time, timezone: before.timezone })
  // Nothing is typed: the form follows what is kept.
  await page.getByRole('button', { name: ru('admin.rates.refresh') }).click()
  await expect(settings.getByLabel(ru('admin.rates.timezone'))).toHaveValue(before.timezone)

  const customer = await aCustomer(page)
  await openTab(page, `users?user=${customer.userId}`, operator)
  const view = page.getByRole('dialog')
  await view.getByLabel('USD').fill('60')
  await view.getByLabel(ru('admin.reason.label')).fill('подарок')
  const balance = { balanceUsd: 1, reason: 'потрачено' }
  await call(page, other.token, 'PUT', `/admin/users/${customer.userId}/balance`, balance)
  await view.getByRole('button', { name: ru('admin.users.setBalance') }).click()
  await expect(view.getByRole('alert')).toContainText('USD: 1')
  await view.getByRole('button', { name: ru('admin.conflict.keepMine') }).click()
  await view.getByRole('button', { name: ru('admin.users.setBalance') }).click()
  await expect(page.getByText(ru('admin.users.balanceSet'))).toBeVisible()
  const { body } = await call(page, other.token, 'GET', `/admin/users/${customer.userId}`)
  expect(body.data.balanceUsd).toBe(60)
})

test('a code whose supplier never said what became of it waits for the operator, who types it in for the buyer', async ({
  browser,
  isMobile,
  viewport,
}) => {
  // A database of the journey's own: a quarter of an hour has to pass in it.
  const folder = await mkdtemp(join(tmpdir(), 'olmos-journey-'))
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data') })
  const database = new Database({ url: postgres.url, connections: 1, onIdleError: () => {} })
  const store = await startStore({
    DATABASE_URL: postgres.url,
    SECRET_KEY: '07'.repeat(32),
    RATES_SOURCE: 'fixed',
    SUPPLIERS: 'sandbox,manual',
  })
  try {
    const page = await (await browser.newContext({ baseURL: store.url, isMobile, viewport })).newPage()
    const complaints = watchConsole(page)
    const operator = await anAdmin(page)
    const ask = async (method: string, path: string, body?: object) =>
      (await call(page, operator.token, method, path, body)).body.data
    const product = await ask('POST', '/admin/products', {
      name: 'Подарочная карта',
      gameCurrency: 'TL',
      buysOnDemand: true,
    })
    const price = { priceUsd: 10, priceRub: 900 }
    const offer = await ask('POST', `/admin/products/${product.id}/offers`, { gameAmount: 250, ...price })
    // The sandbox never says what it did about items that end so.
    await ask('PUT', `/admin/offers/${offer.id}`, { itemId: 'CARD-6004' })

    const buyer = await aCustomer(page)
    const line = { productId: product.id, gameAmount: 250, ...price, gameCurrency: 'TL', quantity: 1, regionId: 0 }
    expect((await call(page, buyer.token, 'POST', '/cart/add', line)).status).toBe(201)
    const paid = await call(page, buyer.token, 'POST', '/payment/from-balance', { currency: 'RUB' })
    const orderId = paid.body.order.id as string
    const order = async () => (await call(page, buyer.token, 'GET', `/orders/${orderId}`)).body
    await expect.poll(async () => (await order()).items[0].status).toBe('unknown')

    await database.run(sql`
      UPDATE delivery SET next_at = now(), tried_since = tried_since - interval '15 minutes' WHERE decided_at IS NULL`)
    const waiting = () => ask('GET', '/admin/deliveries?state=operator')
    await expect.poll(async () => (await waiting()).length, { timeout: 60_000 }).toBe(1)

    await openTab(page, 'deliveries?state=operator', operator)
    const waits = page.getByRole('row').filter({ hasText: orderId })
    await waits.getByRole('button', { name: ru('admin.deliveries.complete.label') }).click()
    const complete = page.getByRole('dialog', { name: ru('admin.deliveries.complete.title') })
    const send = complete.getByRole('button', { name: ru('admin.deliveries.complete.label') })
    await complete.getByLabel(ru('admin.reason.label')).fill('нашёл код в кабинете поставщика')
    await expect(send).toBeDisabled()
    await complete.getByLabel(ru('admin.deliveries.code')).fill('ABCD-EFGH-1234')
    await complete.getByLabel(ru('admin.deliveries.reference')).fill('заказ 77')
    // While the supplier is being asked, the operator is told to press again in a few seconds.
    await expect(async () => {
      if (await send.isVisible()) await send.click({ timeout: 1_000 })
      await expect(waits).toHaveCount(0, { timeout: 5_000 })
    }).toPass({ timeout: 60_000 })

    expect(await order()).toMatchObject({ status: 'completed', items: [{ code: 'ABCD-EFGH-1234' }] })
    await page.goto(`/admin/orders?order=${orderId}`)
    await expect(page.getByRole('dialog')).toContainText('••••1234')
    const [code] = await ask('GET', `/admin/codes?productId=${product.id}`)
    await page.goto(`/admin/codes?recall=${code.batch_id}`)
    await expect(page.getByText(ru('admin.recall.boughtAt', { supplier: 'sandbox' }))).toBeVisible()
    expect(complaints).toEqual([])
    await page.context().close()
  } finally {
    await store.stop()
    await database.close()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
})
