import { test as base, expect, type Page } from '@playwright/test'
import type { Database } from '../../server/src/platform/database/database.ts'
import { beginWork, connectTo } from './begin-work.ts'
import { call } from './calls.ts'
import { watchConsole } from './complaints.ts'
import { newNickname } from './customer.ts'
import { aNewProduct, drawer, editPackage, fresh, isOnPhone, openFilters, openTab, row, save } from './operator.ts'
import { ru } from './ru.ts'
import { type Store, startStore } from './start-store.ts'

// A shop of its own: its rules price everything in it, and nobody waits ten minutes for the second factor.
let store: Store
let database: Database
base.beforeAll(async () => {
  store = await startStore({ DEMO: 'off', RATES_SOURCE: 'fixed' })
  database = await connectTo(store)
})
base.afterAll(async () => {
  await database.close()
  await store.stop()
})

const test = base.extend<{ work: Awaited<ReturnType<typeof beginWork>> }>({
  work: async ({ browser, viewport, isMobile }, use) => {
    const context = await browser.newContext({ baseURL: store.url, locale: 'ru-RU', viewport, isMobile })
    const page = await context.newPage()
    const complaints = watchConsole(page)
    await use(await beginWork(page, database))
    expect(complaints.filter((text) => !text.includes('409'))).toEqual([])
    await context.close()
  },
})

interface Offer {
  id: number
  productId: number
  /** Its product. */
  name: string
}

/** A top-up with one package that costs ten dollars and is priced by the nearest rule, or by hand. */
async function aPackage({ page, session }: Work, category: string, mode: 'rule' | 'fixed' = 'rule'): Promise<Offer> {
  const send = async (method: string, path: string, data: object) => {
    const { status, body } = await call(page, session.token, method, path, data)
    expect(status, JSON.stringify(body)).toBeLessThan(300)
    return body.data
  }
  const name = `Игра ${newNickname()}`
  const product = await send('POST', '/admin/products', {
    name,
    kind: 'topup',
    gameCurrency: 'Gems',
    category: [category],
  })
  const priced = { gameAmount: 100, priceUsd: 12, priceRub: 960, itemId: `${name} 100` }
  const { id } = await send('POST', `/admin/products/${product.id}/offers`, priced)
  await send('PUT', `/admin/offers/${id}`, { priceMode: mode, base: { cost: '10', currency: 'USD' } })
  return { id, productId: product.id, name }
}

type Work = Awaited<ReturnType<typeof beginWork>>

const readPrice = async ({ page, session }: Work, { id }: Offer): Promise<number> =>
  (await call(page, session.token, 'GET', `/admin/offers/${id}`)).body.data.price_usd

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const show = (page: Page, view: 'rules' | 'packages' | 'pending') =>
  page
    .getByRole('radiogroup')
    .getByText(ru(`admin.priceRules.views.${view}`), { exact: true })
    .click()

/** Types a margin into the form of a rule and looks at every price first; the package's is among them. */
async function setMargin(page: Page, percent: string, { name }: Offer, price: string): Promise<void> {
  await drawer(page).getByLabel(ru('admin.priceRules.margin')).fill(percent)
  await button(page, ru('admin.priceRules.preview')).click()
  await expect(drawer(page).getByRole('row').filter({ hasText: name })).toContainText(price)
  await expect(drawer(page).getByText(ru('admin.priceRules.seenHint'))).toBeVisible()
  await save(page)
  await expect(drawer(page)).toHaveCount(0)
}

async function addRule(page: Page, scope: 'category' | 'product', target: { label: string }): Promise<void> {
  await button(page, ru('admin.priceRules.add')).click()
  await drawer(page).getByLabel(ru('admin.priceRules.for')).selectOption(scope)
  const label = ru(scope === 'category' ? 'admin.products.category' : 'admin.codes.product')
  await drawer(page).getByLabel(label).selectOption(target)
}

test('the nearest rule prices: of the shop, a category, a product; every price is seen before', async ({ work }) => {
  const { page, session } = work
  const category = newNickname()
  const plain = await aPackage(work, newNickname())
  const shelved = await aPackage(work, category)
  const own = await aPackage(work, category)
  const prices = () => Promise.all([plain, shelved, own].map((offer) => readPrice(work, offer)))
  await openTab(page, 'priceRules', session)
  const shopName = ru('admin.priceRules.scopes.shop')
  await page.getByRole('button', { name: ru('admin.list.edit', { name: shopName }) }).click()
  await setMargin(page, '20', plain, '$12.00')
  await expect.poll(prices).toEqual([12, 12, 12])

  await addRule(page, 'category', { label: category })
  await setMargin(page, '30', own, '$13.00')
  expect(await prices()).toEqual([12, 13, 13])

  await addRule(page, 'product', { label: own.name })
  await setMargin(page, '40', own, '$14.00')
  expect(await prices()).toEqual([12, 13, 14])
  await expect(row(page, `${ru('admin.priceRules.scopes.product')}: ${own.name}`)).toContainText('40 %')

  const ownRule = `${ru('admin.priceRules.scopes.product')}: ${own.name}`
  await page.getByRole('button', { name: ru('admin.list.remove', { name: ownRule }) }).click()
  await expect(drawer(page).getByRole('row').filter({ hasText: own.name })).toContainText('$13.00')
  await drawer(page)
    .getByRole('button', { name: ru('admin.remove.confirm') })
    .click()
  await expect(row(page, ownRule)).toHaveCount(0)
  expect(await prices()).toEqual([12, 13, 13])

  // The next journey finds the shop as this one did.
  await page.getByRole('button', { name: ru('admin.list.edit', { name: shopName }) }).click()
  await setMargin(page, '10', plain, '$11.00')
})

test('a price that jumps waits, and the second factor lets it in; one that is rejected stays', async ({ work }) => {
  const { page, session, question, letTimePass, giveCode } = work
  const category = newNickname()
  const offers = [await aPackage(work, category), await aPackage(work, category)] as const
  await openTab(page, 'priceRules', session)
  await addRule(page, 'category', { label: category })
  await drawer(page).getByLabel(ru('admin.priceRules.margin')).fill('150')
  await save(page)
  await expect(drawer(page)).toHaveCount(0)
  expect(await readPrice(work, offers[0])).toBe(11)

  await show(page, 'pending')
  const waiting = row(page, offers[0].name)
  await expect(waiting).toContainText('$11.00')
  await expect(waiting).toContainText('$25.00')
  await letTimePass()
  await waiting.getByRole('button', { name: ru('admin.priceRules.approve') }).click()
  const asked = page.getByRole('dialog', { name: ru('admin.priceRules.approveTitle', { count: 1 }) })
  await asked.getByRole('button', { name: ru('admin.priceRules.approve') }).click()
  await expect(question).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  expect(await readPrice(work, offers[0])).toBe(11)
  await asked.getByRole('button', { name: ru('admin.priceRules.approve') }).click()
  await giveCode()
  await expect(waiting).toHaveCount(0)
  expect(await readPrice(work, offers[0])).toBe(25)

  const other = row(page, offers[1].name)
  await other.getByRole('button', { name: ru('admin.priceRules.reject') }).click()
  await page
    .getByRole('dialog', { name: ru('admin.priceRules.rejectTitle', { count: 1 }) })
    .getByRole('button', { name: ru('admin.priceRules.reject') })
    .click()
  await expect(other).toHaveCount(0)
  expect(await readPrice(work, offers[1])).toBe(11)
})

test('many prices change as they were shown; under their cost only with a written reason', async ({ work }) => {
  const { page, session } = work
  const offers = [await aPackage(work, newNickname(), 'fixed'), await aPackage(work, newNickname(), 'fixed')] as const
  const prices = () => Promise.all(offers.map((offer) => readPrice(work, offer)))
  expect(await prices()).toEqual([12, 12])
  await openTab(page, 'priceRules?view=packages', session)
  const changeBy = async (percent: string) => {
    for (const { name } of offers) await row(page, name).getByRole('checkbox').check()
    await button(page, ru('admin.priceRules.changeTicked', { count: 2 })).click()
    await drawer(page).getByLabel('USD', { exact: true }).fill(percent)
    await drawer(page).getByLabel('RUB', { exact: true }).fill(percent)
    await button(page, ru('admin.priceRules.preview')).click()
  }
  const apply = drawer(page).getByRole('button', { name: ru('admin.priceRules.apply', { count: 2 }) })
  await changeBy('25')
  const previewed = drawer(page).getByRole('row').filter({ hasText: offers[1].name })
  await expect(previewed).toContainText('$15.00')
  await apply.click()
  await expect.poll(prices).toEqual([15, 15])

  await changeBy('-40')
  await expect(previewed).toContainText('$9.00')
  await expect(previewed).toContainText(ru('admin.priceRules.doubts.floor'))
  await expect(apply).toBeDisabled()
  expect(await prices()).toEqual([15, 15])
  await drawer(page).getByLabel(ru('admin.priceRules.whyUnder')).fill('Распродажа остатков')
  await apply.click()
  await expect.poll(prices).toEqual([9, 9])
  const { body } = await call(page, session.token, 'GET', '/admin/audit?action=offer.under_floor')
  expect(JSON.stringify(body.data)).toContain('Распродажа остатков')
})

test('many packages go off sale and on again as they were shown, also popular ones', async ({ work }) => {
  const { page, session } = work
  const aCodePackage = async () => {
    const { id, name } = await aNewProduct(page, session.token, [fresh('MANY')])
    const { body } = await call(page, session.token, 'GET', `/admin/products/${id}/offers`)
    return { id: Number(body.data[0].id), name }
  }
  const offers = [await aCodePackage(), await aCodePackage()] as const
  const states = async () => {
    const read = offers.map(({ id }) => call(page, session.token, 'GET', `/admin/offers/${id}`))
    return (await Promise.all(read)).map(({ body }) => [body.data.is_active, body.data.is_popular, body.data.low_stock])
  }
  await openTab(page, 'priceRules?view=packages', session)
  const choose = async (label: string, option: string) => drawer(page).getByLabel(label).selectOption({ label: option })
  const open = async () => {
    for (const { name } of offers) await row(page, name).getByRole('checkbox').check()
    await button(page, ru('admin.priceRules.offers.changeTicked', { count: 2 })).click()
  }
  const apply = drawer(page).getByRole('button', { name: ru('admin.priceRules.offers.apply', { count: 2 }) })
  await open()
  const preview = button(page, ru('admin.priceRules.offers.preview'))
  await expect(preview).toBeDisabled()
  await choose(ru('admin.priceRules.offers.sale'), ru('admin.priceRules.offers.turnOff'))
  await choose(ru('admin.priceRules.offers.popular'), ru('admin.priceRules.offers.makePopular'))
  await choose(ru('admin.products.lowStock'), ru('admin.priceRules.offers.own'))
  await drawer(page).getByLabel(ru('admin.priceRules.offers.codes')).fill('7')
  await preview.click()
  const previewed = drawer(page).getByRole('row').filter({ hasText: offers[1].name })
  await expect(previewed).toContainText(ru('admin.priceRules.offers.sales.off'))
  await expect(previewed).toContainText(ru('admin.priceRules.offers.isPopular'))
  expect(await states()).toEqual(Array(2).fill([true, false, null]))
  await page.screenshot({ path: test.info().outputPath('packages.png') })
  await apply.click()
  await expect.poll(states).toEqual(Array(2).fill([false, true, 7]))

  await open()
  await choose(ru('admin.priceRules.offers.sale'), ru('admin.priceRules.offers.turnOn'))
  await preview.click()
  await expect(previewed).toContainText(ru('admin.priceRules.offers.sales.on'))
  await apply.click()
  await expect.poll(states).toEqual(Array(2).fill([true, true, 7]))
})

test('a price typed under its cost is refused until the reason is written; no reason, no change', async ({ work }) => {
  const { page, session } = work
  const offer = await aPackage(work, newNickname(), 'fixed')
  await openTab(page, `products?product=${offer.productId}`, session)
  const label = ru('admin.products.priceUsd')
  const usd = isOnPhone(page) ? drawer(page).first().getByLabel(label) : page.getByLabel(/^Цена в USD/)
  const asked = page.getByRole('dialog', { name: ru('admin.ask.floorTitle') })
  const type = async (price: string) => {
    await editPackage(page, '100 гемов', {
      field: label,
      row: ru('admin.products.priceUsdOf', { name: '100 гемов' }),
      value: price,
    })
    await expect(asked).toBeVisible()
  }
  await type('9.5')
  await expect(asked).toContainText('$10.00')
  await expect(asked.getByRole('button', { name: ru('admin.ask.sellUnder') })).toBeDisabled()
  await asked
    .getByRole('button', { name: ru('admin.form.cancel') })
    .last()
    .click()
  // What was typed into a cell is gone; a form keeps it, to be mended.
  await expect(usd).toHaveValue(isOnPhone(page) ? '$9.5' : '$12.00')
  expect(await readPrice(work, offer)).toBe(12)
  await page.screenshot({ path: test.info().outputPath('package.png') })
  await type('9.5')
  await asked.getByLabel(ru('admin.reason.label')).fill('Подарок к открытию')
  await asked.getByRole('button', { name: ru('admin.ask.sellUnder') }).click()
  await expect.poll(() => readPrice(work, offer)).toBe(9.5)
})

test('a package that a rule prices keeps its rule when its name is edited, and loses it by a typed price', async ({
  work,
}) => {
  const { page, session } = work
  const offer = await aPackage(work, newNickname())
  const stored = async () => (await call(page, session.token, 'GET', `/admin/offers/${offer.id}`)).body.data
  await openTab(page, `products?product=${offer.productId}`, session)
  const edit = (name: string, field: 'name' | 'priceUsd', value: string) =>
    editPackage(page, name, {
      field: ru(`admin.products.${field}`),
      row: ru(`admin.products.${field}Of`, { name }),
      value,
    })
  await edit('100 гемов', 'name', 'Сто камней')
  await expect.poll(stored).toMatchObject({ name: 'Сто камней', price_mode: 'rule' })
  await expect(drawer(page)).toHaveCount(0)
  await edit('Сто камней', 'priceUsd', '11.5')
  await expect.poll(stored).toMatchObject({ price_usd: 11.5, price_mode: 'fixed' })
})

test('the list shows which prices have drifted apart', async ({ work }) => {
  const { page, session } = work
  const [apart, close] = [await aPackage(work, newNickname(), 'fixed'), await aPackage(work, newNickname(), 'fixed')]
  const far = { priceUsd: 12, priceRub: 2_000, confirmPrices: true }
  expect((await call(page, session.token, 'PUT', `/admin/offers/${apart.id}`, far)).status).toBe(200)
  await openTab(page, 'priceRules?view=packages', session)
  await expect(row(page, close.name)).toBeVisible()
  await expect(row(page, apart.name)).toContainText(ru('admin.priceRules.drifted'))
  await openFilters(page)
  await page.getByLabel(ru('admin.priceRules.state')).selectOption('drifted')
  await expect(row(page, close.name)).toHaveCount(0)
  await expect(row(page, apart.name)).toContainText(ru('admin.priceRules.atRate'))
})
