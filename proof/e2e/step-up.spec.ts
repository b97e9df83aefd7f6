import { test as base, expect } from '@playwright/test'
import type { Database } from '../../server/src/platform/database/database.ts'
import { beginWork, connectTo } from './begin-work.ts'
import { call } from './calls.ts'
import { watchConsole } from './complaints.ts'
import { aCustomer, aNewProduct, fresh, openTab } from './operator.ts'
import { ru } from './ru.ts'
import { type Store, startStore } from './start-store.ts'

// A store of its own, as these journeys reach into its database: nobody waits ten minutes here.
let store: Store
let database: Database
base.beforeAll(async () => {
  store = await startStore({ RATE_LIMITS: 'on' })
  database = await connectTo(store)
})
base.afterAll(async () => {
  await database.close()
  await store.stop()
})

const test = base.extend<{ work: Awaited<ReturnType<typeof beginWork>> }>({
  work: async ({ browser, viewport }, use) => {
    const page = await (await browser.newContext({ baseURL: store.url, locale: 'ru-RU', viewport })).newPage()
    const complaints = watchConsole(page)
    await use(await beginWork(page, database))
    expect(complaints).toEqual([])
    await page.context().close()
  },
})

test('a code is shown once the second factor was given; Escape closes the question and nothing under it', async ({
  work,
}) => {
  const { page, session, question, letTimePass, giveCode, answerWith } = work
  const plain = fresh('SECRET')
  const product = await aNewProduct(page, session.token, [plain])
  await letTimePass()
  await openTab(page, `codes?productId=${product.id}`, session)
  await page.getByRole('button', { name: /^Показать:/ }).click()
  const reveal = page.getByRole('dialog', { name: ru('admin.codes.revealTitle') })
  await reveal.getByRole('button', { name: ru('admin.codes.revealNow') }).click()
  await expect(question).toBeVisible()
  await expect(question.getByLabel(ru('admin.codes.code'))).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expect(reveal.getByRole('alert')).toHaveText(ru('admin.refused.SECOND_FACTOR_REQUIRED'))

  await reveal.getByRole('button', { name: ru('admin.codes.revealNow') }).click()
  await answerWith('000000')
  await expect(question.getByText(ru('field.wrong_code'))).toBeVisible()
  await expect(page.getByText(plain)).toHaveCount(0)
  await giveCode()
  await expect(reveal.getByText(plain)).toBeVisible()
})

test('a price in its cell waits for the second factor: half a price beside it stays typed, a cancelled one goes back', async ({
  work,
}) => {
  const { page, session, question, read, letTimePass, giveCode, cancel } = work
  // A phone's list has no room for cells to type into.
  await page.setViewportSize({ width: 1440, height: 900 })
  const product = await aNewProduct(page, session.token, [fresh('PRICED')])
  const prices = async () => {
    const [{ price_usd, price_rub }] = await read(`/admin/products/${product.id}/offers`)
    return [price_usd, price_rub]
  }
  await letTimePass()
  await openTab(page, `products?product=${product.id}`, session)
  const usd = page.getByLabel(/^Цена в USD/)
  const rub = page.getByLabel(/^Цена в RUB/)
  await usd.fill('1.1')
  await usd.press('Enter')
  await expect(question).toBeVisible()
  await expect(usd).toHaveValue('$1.10')
  await cancel()
  await expect(page.getByText('ничего не изменено')).toBeVisible()
  await expect(usd).toHaveValue('$1.00')
  expect(await prices()).toEqual([1, 80])

  // The store's answer comes when the next field is being typed into.
  let resume = () => {}
  const typedOn = new Promise<void>((resolve) => {
    resume = resolve
  })
  await page.route('**/api/admin/offers/*', async (route) => typedOn.then(() => route.continue()), { times: 1 })
  await usd.fill('1.1')
  await usd.press('Tab')
  await expect(rub).toBeFocused()
  await rub.fill('8')
  resume()
  await expect(question.getByLabel(ru('admin.codes.code'))).toBeFocused()
  await giveCode()
  await expect.poll(prices).toEqual([1.1, 80])
  await expect(rub).toBeFocused()
  await rub.press('End')
  await expect(rub).toHaveValue(/^8(?!0)/)
  await rub.fill('88')
  await rub.press('Enter')
  await expect.poll(prices).toEqual([1.1, 88])
})

test('an import keeps its file while it is asked, before the check and before the codes', async ({ work }) => {
  const { page, session, question, read, letTimePass, giveCode, cancel } = work
  const product = await aNewProduct(page, session.token, [fresh('FIRST')])
  await letTimePass()
  await openTab(page, 'codes?import', session)
  await page.getByLabel(ru('admin.codes.product')).selectOption({ label: product.name })
  const buffer = Buffer.from(`${fresh('LINE')},1.00,80,50\n${fresh('LINE')},1.00,80,50`)
  await page.locator('input[type=file]').setInputFiles({ name: 'codes.csv', mimeType: 'text/csv', buffer })
  await page.getByRole('button', { name: ru('admin.import.check') }).click()
  await expect(question).toBeVisible()
  await cancel()
  await expect(page.getByText('codes.csv')).toBeVisible()
  await expect(page.getByLabel(ru('admin.codes.product'))).toHaveValue(String(product.id))
  await page.getByRole('button', { name: ru('admin.import.check') }).click()
  await giveCode()

  await letTimePass()
  await page.getByRole('button', { name: ru('admin.import.run', { count: 2 }) }).click()
  await expect(question).toBeVisible()
  await cancel()
  const stock = async () => (await read(`/admin/products/${product.id}/offers`))[0].available_count
  expect(await stock()).toBe(1)
  await page.getByRole('button', { name: /^(Импортировать|Продолжить)/ }).click()
  await giveCode()
  await expect(page.getByRole('heading', { name: ru('admin.import.done', { count: 2 }) })).toBeVisible()
  expect(await stock()).toBe(3)
})

test('a rate that was typed stays typed when the question is closed, and is set once it is answered', async ({
  work,
}) => {
  const { page, session, question, read, letTimePass, giveCode, cancel } = work
  const inForce = async () =>
    (await read('/admin/currency-rates')).find((rate: { to_currency: string }) => rate.to_currency === 'RUB')
  const { rate: before } = await inForce()
  const after = before + 1
  await letTimePass()
  await openTab(page, 'currencyRates', session)
  const card = page.getByRole('region', { name: 'USD → RUB' })
  const field = card.getByLabel(ru('admin.rates.rate', { from: 'USD', to: 'RUB' }))
  await field.fill(String(after))
  await card.getByRole('button', { name: ru('admin.form.save') }).click()
  await expect(question).toBeVisible()
  await cancel()
  await expect(field).toHaveValue(String(after))
  expect((await inForce()).rate).toBe(before)
  await card.getByRole('button', { name: ru('admin.form.save') }).click()
  await giveCode()
  await expect.poll(async () => (await inForce()).rate).toBe(after)
})

test('a user is blocked, and a form at the side keeps what was typed, whichever way the question ends', async ({
  work,
}) => {
  const { page, session, question, read, letTimePass, giveCode } = work
  const customer = await aCustomer(page)
  await letTimePass()
  await openTab(page, `users?user=${customer.userId}`, session)
  await page.getByRole('button', { name: ru('admin.users.block') }).click()
  const wish = page.getByRole('dialog', { name: `Заблокировать: ${customer.nickname}` })
  await wish.getByRole('button', { name: ru('admin.users.block') }).click()
  await expect(question).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expect(wish.getByRole('alert')).toContainText('ничего не изменено')
  expect((await read(`/admin/users/${customer.userId}`)).is_blocked).toBe(false)
  await wish.getByRole('button', { name: ru('admin.users.block') }).click()
  await giveCode()
  await expect(page.getByRole('button', { name: ru('admin.users.unblock') })).toBeVisible()
  expect((await read(`/admin/users/${customer.userId}`)).is_blocked).toBe(true)

  await letTimePass()
  await openTab(page, 'regions', session)
  const code = fresh('S').slice(-10)
  await page.getByRole('button', { name: ru('admin.regions.add') }).click()
  const form = page.getByRole('dialog').first()
  await form.getByLabel(ru('admin.products.name')).fill(ru('admin.regions.edit', { name: code }))
  await form.getByLabel(ru('admin.codes.code')).fill(code)
  await form.getByRole('button', { name: ru('admin.form.save') }).click()
  await expect(question).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expect(form.getByLabel(ru('admin.products.name'))).toHaveValue(ru('admin.regions.edit', { name: code }))
  await form.getByRole('button', { name: ru('admin.form.save') }).click()
  await giveCode()
  await expect(page.getByRole('row').filter({ hasText: code })).toBeVisible()
})

test('a switch goes back when it is cancelled; calls under way at once are asked once, and none is lost', async ({
  work,
}) => {
  const { page, session, question, read, letTimePass, giveCode, cancel } = work
  const names = [fresh('ONE').slice(-10), fresh('TWO').slice(-10)]
  for (const code of names) await call(page, session.token, 'POST', '/admin/regions', { name: `Область ${code}`, code })
  const active = async () =>
    (await read('/admin/regions?search=Область&pageSize=200'))
      .filter((region: { code: string }) => names.includes(region.code))
      .map((region: { is_active: boolean }) => region.is_active)
  await letTimePass()
  await openTab(page, 'regions?search=Область', session)
  const [one, two] = names.map((code) => page.getByRole('switch', { name: `Включён: Область ${code}` }))
  if (!one || !two) throw new Error('two switches')
  await one.press('Space')
  await expect(one).not.toBeChecked()
  await cancel()
  await expect(one).toBeChecked()
  expect(await active()).toEqual([true, true])

  // The second is refused only while the code is on its way.
  const delayed: (() => void)[] = []
  const areDelayed = (count: number) => expect.poll(() => delayed.length).toBe(count)
  await page.route(
    '**/api/admin/regions/*',
    (route) => new Promise((resolve) => delayed.push(() => resolve(route.continue()))),
    {
      times: 2,
    },
  )
  await page.route('**/api/auth/second-factor/confirm-again', async (route) => {
    const refused = page.waitForResponse(
      (answer) => answer.url().includes('/admin/regions/') && answer.status() === 401,
    )
    delayed[1]?.()
    await refused
    await route.continue()
  })
  await one.press('Space')
  await two.press('Space')
  await areDelayed(2)
  delayed[0]?.()
  await expect(question).toBeVisible()
  await giveCode()
  await expect.poll(active).toEqual([false, false])
  await expect(question).toHaveCount(0)
})

test('who opens one code after the other is told to wait, and the others are told by an alert', async ({ work }) => {
  const { page, session, write } = work
  const plain = Array.from({ length: 21 }, () => fresh('MANY'))
  const product = await aNewProduct(page, session.token, plain)
  const { body } = await call(page, session.token, 'GET', `/admin/codes?productId=${product.id}&pageSize=50`)
  for (const { id } of body.data.slice(0, 20)) expect((await write(`/admin/codes/${id}/reveal`, {})).status).toBe(200)
  await openTab(page, `codes?productId=${product.id}`, session)
  await page
    .getByRole('button', { name: /^Показать:/ })
    .first()
    .click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: ru('admin.codes.revealNow') })
    .click()
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText(/показано 20 кодов.*Подождите (9|10) мин/)
  await openTab(page, 'alerts', session)
  const alert = page
    .getByRole('row')
    .filter({ hasText: 'открывал коды один за другим' })
    .filter({ hasText: session.nickname })
  await expect(alert).toContainText('кодов: 20')
  await alert.getByRole('link').click()
  await expect(page).toHaveURL(new RegExp(`/admin/audit\\?search=${session.nickname}`))
})
