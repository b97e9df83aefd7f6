import { type Browser, expect, type Locator, type Page } from '@playwright/test'
import { callHere } from './calls.ts'
import { axeOn, isTooWide } from './complaints.ts'
import { giveBalance, newNickname, open, register, test } from './customer.ts'
import { drawer, openFilters, openTab, save } from './operator.ts'
import { ru } from './ru.ts'
import { startStore } from './start-store.ts'

const preview = (page: Page) => page.getByRole('region', { name: ru('admin.accountFields.preview') })
const tried = (page: Page) => preview(page).getByRole('status', { name: ru('admin.accountFields.outcome') })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const minutes = (count: number) => count * 60_000

/** Makes a top-up that is not sold yet, by the form of products; ends at its fields. */
async function makeGame(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: ru('admin.products.add') }).click()
  await drawer(page).getByLabel(ru('admin.products.name')).first().fill(name)
  await drawer(page).getByLabel(ru('admin.products.kind')).selectOption('topup')
  await drawer(page).getByLabel(ru('admin.products.gameCurrency')).fill('Shards')
  await expect(drawer(page).getByLabel(ru('admin.products.onDemand'))).toHaveCount(0)
  await expect(drawer(page).getByLabel(ru('admin.products.active'))).not.toBeChecked()
  await save(page)
  await expect(page).toHaveURL(/product=\d+&view=fields$/)
  await expect(page.getByText(ru('admin.accountFields.none'))).toBeVisible()
}

/** Fills in a package, by the form that stands at the side of their list. */
async function addPackage(
  page: Page,
  offer: { amount: string; usd: string; rub: string; item: string; name?: string },
) {
  await button(page, ru('admin.products.addPackage')).click()
  await drawer(page).getByLabel(ru('admin.products.gameAmount')).fill(offer.amount)
  if (offer.name) await drawer(page).getByLabel(ru('admin.products.name')).first().fill(offer.name)
  await drawer(page).getByLabel(ru('admin.products.supplierName')).fill(offer.item)
  await drawer(page).getByLabel(ru('admin.products.priceUsd')).fill(offer.usd)
  await drawer(page).getByLabel(ru('admin.products.priceRub')).fill(offer.rub)
  await save(page)
  await expect(drawer(page)).toHaveCount(0)
}

const showView = (page: Page, name: string) => page.getByRole('radiogroup').getByText(name, { exact: true }).click()

test('a game with two fields and three packages is made, tried and sold within five minutes', async ({
  page,
  browser,
}) => {
  const begun = Date.now()
  await openTab(page, 'products')
  const name = `Ночная игра ${newNickname()}`
  await makeGame(page, name)

  await button(page, 'ID игрока').click()
  await button(page, 'Сервер').click()
  await button(page, ru('admin.form.save')).click()
  await expect(page.getByText(ru('field.required'))).toHaveCount(2)
  await page.getByLabel(ru('admin.accountFields.optionValue', { number: 1 })).fill('asia')
  await page.getByLabel(`${ru('admin.accountFields.optionLabel', { number: 1 })}, Русский`).fill('Азия')
  await button(page, ru('admin.accountFields.addOption')).click()
  await page.getByLabel(ru('admin.accountFields.optionValue', { number: 2 })).fill('europe')
  await page.getByLabel(`${ru('admin.accountFields.optionLabel', { number: 2 })}, Русский`).fill('Европа')
  await button(page, ru('admin.list.moveUp', { name: 'Сервер' })).click()
  await expect(preview(page).getByText(ru('admin.accountFields.saveFirst'))).toBeVisible()
  await button(page, ru('admin.form.save')).click()
  await expect(preview(page).getByText(ru('admin.accountFields.saveFirst'))).toHaveCount(0)
  await expect(preview(page).locator('label')).toContainText(['Сервер', 'ID игрока'])

  // What is saved is folded to a line each, which the keyboard opens, too.
  const server = page.locator('summary').filter({ hasText: 'Сервер' })
  await page.reload()
  await expect(server).toContainText(ru('admin.accountFields.types.select'))
  await expect(page.getByLabel(ru('admin.accountFields.key'))).toHaveCount(0)
  await page.screenshot({ path: test.info().outputPath('fields.png'), fullPage: true })
  await server.press('Enter')
  await expect(page.getByLabel(ru('admin.accountFields.key'))).toHaveCount(1)
  await page.screenshot({ path: test.info().outputPath('field-open.png'), fullPage: true })

  await showView(page, ru('admin.products.packages'))
  await addPackage(page, { amount: '60', usd: '1', rub: '80', item: 'night/60' })
  await addPackage(page, { amount: '300', usd: '5', rub: '400', item: 'night/300' })
  await addPackage(page, { amount: '7', usd: '2', rub: '160', item: 'night/week', name: 'Недельный пропуск' })

  await showView(page, ru('admin.accountFields.title'))
  const form = preview(page)
  await form.getByLabel('Сервер').selectOption('asia')
  await form.getByLabel(ru('admin.accountFields.offer')).selectOption({ label: 'Недельный пропуск' })
  await form.getByRole('button', { name: ru('admin.accountFields.try') }).click()
  await expect(form.getByText(ru('field.required'))).toBeVisible()
  await form.getByLabel('ID игрока').fill('5123456')
  await form.getByRole('button', { name: ru('admin.accountFields.try') }).click()
  await expect(tried(page)).toContainText(ru('admin.accountFields.delivery.done'))
  await expect(tried(page)).toContainText(ru('admin.accountFields.player', { name: 'Player_3456' }))

  const published = page.waitForResponse((answer) => answer.request().method() === 'PUT')
  await page.getByRole('switch', { name: ru('admin.products.active') }).press('Space')
  expect((await published).ok()).toBe(true)
  await page.getByRole('link', { name: ru('admin.products.openPage') }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  const wish: Wish = { offer: 'Недельный пропуск', server: ['Сервер', 'Европа'], player: 'ID игрока' }
  const phone = await aPhone(browser, page)
  await buyOnPhone(phone, new URL(page.url()).pathname, wish)
  await phone.context().close()
  expect(Date.now() - begun).toBeLessThan(minutes(5))
})

/** A customer's phone, on the store of the page. */
async function aPhone(browser: Browser, page: Page): Promise<Page> {
  const device = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }
  const context = await browser.newContext({ baseURL: new URL(page.url()).origin, locale: 'ru-RU', ...device })
  return context.newPage()
}

interface Wish {
  offer: string
  /** By the label of the field: what is chosen in it, and how the receipt says it. */
  server: [label: string, option: string]
  player: string
}

/** Buys from a new game's page from the balance, and sees it delivered. */
async function buyOnPhone(phone: Page, path: string, { offer, server, player }: Wish): Promise<void> {
  await register(phone)
  await giveBalance(phone, { balanceRub: 2_000 })
  await open(phone, path)
  await phone.getByRole('radio', { name: offer }).click()
  await phone.getByLabel(server[0]).selectOption({ label: server[1] })
  await phone.getByLabel(player).fill('5123456')
  await phone.getByRole('button', { name: ru('topups.topUpNow') }).click()
  await expect(phone).toHaveURL('/checkout')
  await phone.getByRole('button', { name: /^Оплатить .* с баланса$/ }).click()
  await expect(phone).toHaveURL('/orders')
  await phone
    .getByRole('link', { name: /Заказ [0-9A-Z]{10}/ })
    .first()
    .click()
  await expect(phone).toHaveURL(/\/orders\/./)
  await expect(phone.getByText(offer).first()).toBeVisible()
  await expect(phone.getByText(server[1]).first()).toBeVisible()
  const order = new URL(phone.url()).pathname
  await expect.poll(async () => (await callHere(phone, 'GET', order)).status).toBe('completed')
}

/** Buys another offer of the game for the account of the last time; counts each touch of the screen, from the home page on. */
async function buyAgainByTaps(phone: Page, path: string, { offer, account }: Record<'offer' | 'account', string>) {
  // Another visit.
  await phone.evaluate(() => sessionStorage.clear())
  await open(phone, '/')
  const main = phone.getByRole('main')
  let taps = 0
  const tap = async (target: Locator) => {
    taps++
    await target.tap()
  }
  await tap(main.getByRole('link', { name: ru('home.heroAction') }))
  await tap(main.locator(`a[href="${path}"]`).last())
  await expect(main.getByText(account).first()).toBeVisible()
  await tap(main.getByRole('radio', { name: offer }))
  await tap(main.getByRole('button', { name: ru('topups.topUpNow') }))
  await tap(main.getByRole('button', { name: /^Оплатить .* с баланса$/ }))
  await expect(phone).toHaveURL('/orders')
  await expect(main.getByRole('link', { name: /Заказ [0-9A-Z]{10}/ })).toHaveCount(2)
  return taps
}

test('an account that is refused says so in plain words, and two operators overwrite no fields unseen', async ({
  page,
}) => {
  await openTab(page, 'products')
  const name = `Ночная игра ${newNickname()}`
  await makeGame(page, name)
  await button(page, 'ID игрока').click()
  await page.getByLabel(ru('admin.accountFields.pattern')).fill('(a+)+')
  await button(page, ru('admin.form.save')).click()
  await expect(page.getByText(ru('field.invalid_pattern')).first()).toBeVisible()
  await page.getByLabel(ru('admin.accountFields.pattern')).fill('')
  await button(page, ru('admin.form.save')).click()
  await expect(preview(page).getByText(ru('admin.accountFields.saveFirst'))).toHaveCount(0)

  const { data } = await callHere(page, 'GET', `/admin/products?search=${encodeURIComponent(name)}`)
  const path = `/admin/products/${data[0].id}/fields`
  // What was begun before the other one saved: a form without changes takes over what it hears of.
  await button(page, 'ID зоны').click()
  await callHere(page, 'PUT', path, { fields: [{ key: 'nick', type: 'text', labels: { ru: 'Чужой ник' } }] })
  await button(page, ru('admin.form.save')).click()
  const conflict = page.getByRole('alert').filter({ hasText: ru('admin.conflict.title') })
  await expect(conflict).toContainText('Чужой ник')
  await conflict.getByRole('button', { name: ru('admin.conflict.takeTheirs') }).click()
  await expect(preview(page).getByLabel('Чужой ник')).toBeVisible()
})

test('twenty games are taken over from a catalogue in one go, and one of them is sold', async ({
  browser,
  viewport,
}) => {
  test.slow()
  // A shop of its own, that sells nothing yet.
  const store = await startStore({ DEMO: 'off' })
  const context = await browser.newContext({ baseURL: store.url, locale: 'ru-RU', viewport })
  const page = await context.newPage()
  await openTab(page, 'products')
  await page.getByRole('link', { name: ru('admin.sourcing.title') }).click()
  const state = page.getByRole('region', { name: ru('admin.sourcing.state') })
  const read = state.getByRole('button', { name: ru('admin.sourcing.readNow') })
  // The store reads it by itself, too, a while after it was started.
  await expect(read).toBeEnabled({ timeout: 60_000 })
  if (await state.getByText(ru('admin.sourcing.states.never')).isVisible()) await read.click()
  await expect(state).toContainText(ru('admin.sourcing.states.done'), { timeout: 60_000 })

  await openFilters(page)
  await page.getByLabel(ru('admin.products.kind')).selectOption({ label: ru('admin.products.kindTopup') })
  await expect(page.getByRole('checkbox', { name: 'Apple Gift Card' })).toHaveCount(0)
  const boxes = page.getByRole('checkbox')
  for (let at = 0; at < 20; at++) await boxes.nth(at).check()
  await page.getByRole('button', { name: ru('admin.products.packagesOf', { name: 'Genshin Impact' }) }).click()
  await expect(drawer(page)).toContainText('60 Genesis Crystals')
  await drawer(page).getByRole('checkbox', { name: 'Blessing' }).uncheck()
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: ru('admin.form.leaveTitle') })
  await expect(question).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await drawer(page)
    .getByRole('button', { name: ru('admin.sourcing.chooseCount', { count: 6 }) })
    .click()

  // The rules of the shop price them, unless a margin is wanted; both are shown before anything is made.
  const shown = page.getByRole('region', { name: ru('admin.sourcing.preview') })
  const crystals = shown.getByRole('row').filter({ hasText: /^60 Genesis Crystals/ })
  const showPrices = page.getByRole('button', { name: ru('admin.sourcing.showPrices', { count: 20 }) })
  await showPrices.click()
  await expect(crystals).toContainText('₽')
  expect(await axeOn(page)).toEqual([])
  expect(await isTooWide(page)).toBe(false)
  const byRule = await crystals.innerText()
  await page.getByText(ru('admin.sourcing.byMargin'), { exact: true }).click()
  await expect(shown).toHaveCount(0)
  await page.getByLabel(ru('admin.sourcing.margin')).fill('25')
  await showPrices.click()
  await expect(crystals).toContainText('$')
  expect(await crystals.innerText()).not.toBe(byRule)
  await page.getByText(ru('admin.sourcing.byRule'), { exact: true }).click()
  await showPrices.click()
  await shown.getByRole('button', { name: ru('admin.sourcing.takeOver', { count: 20 }) }).click()
  const results = page.getByRole('region', { name: ru('admin.sourcing.results') })
  const looks = results.getByRole('link', { name: ru('admin.sourcing.openProduct') })
  await expect(looks).toHaveCount(20)
  await expect(results).toContainText('Genshin Impact: новый товар, пока не в продаже; пакетов: 6')

  await results.getByRole('listitem').filter({ hasText: 'Genshin Impact' }).getByRole('link').click()
  await expect(preview(page).getByLabel('Сервер')).toBeVisible()
  await page.getByRole('switch', { name: ru('admin.products.active') }).press('Space')
  await page.getByRole('link', { name: ru('admin.products.openPage') }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Genshin Impact' })).toBeVisible()
  const wish: Wish = { offer: '60 кристаллов Сотворения', server: ['Сервер', 'Europe'], player: 'ID пользователя' }
  const [phone, path] = [await aPhone(browser, page), new URL(page.url()).pathname]
  await buyOnPhone(phone, path, wish)
  expect(await buyAgainByTaps(phone, path, { offer: '300 кристаллов Сотворения', account: '5123456' })).toBe(5)
  await phone.context().close()
  await context.close()
  await store.stop()
})
