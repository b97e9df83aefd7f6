import { expect, type Page } from '@playwright/test'
import { call } from './calls.ts'
import { addToCart, giveBalance, open, register } from './customer.ts'
import { drawer, openTab, save } from './operator.ts'
import { ownStoreTest as test } from './own-store.ts'
import { ru } from './ru.ts'

const mark = (page: Page) => page.getByRole('banner').getByRole('link').first()

test('the owner names the store and its contacts, and every page says so at once; the earlier name comes back', async ({
  page,
  browser,
  baseURL,
}) => {
  await openTab(page, 'shop')
  const form = page.getByRole('form', { name: ru('admin.shop.settings') })
  await form.getByLabel(ru('admin.shop.name')).fill('Kamon Games')
  await form.getByLabel(ru('admin.shop.messenger')).fill('https://t.me/kamon')
  await form.getByLabel(ru('admin.shop.phone')).fill('+998 90 123-45-67')
  await form.getByLabel(ru('admin.shop.email')).fill('nobody')
  await form.getByRole('button', { name: ru('admin.form.save') }).click()
  await expect(form.getByText(ru('field.invalid_email'))).toBeVisible()
  await form.getByLabel(ru('admin.shop.email')).fill('hello@kamon.example')
  await form.getByRole('button', { name: ru('admin.form.save') }).click()
  await expect(page.getByText(ru('admin.shop.saved'))).toBeVisible()

  const visitor = await (await browser.newContext(baseURL ? { baseURL } : {})).newPage()
  await open(visitor, '/')
  await expect(visitor).toHaveTitle(/^Kamon Games: /)
  await expect(mark(visitor)).toContainText('Kamon Games')
  // The store's own picture has its first name on it.
  const shared = visitor.locator('meta[property="og:image"]')
  await expect(shared).toHaveAttribute('content', /\/art\/link-pictures\/anything\.jpg$/)
  const foot = visitor.getByRole('contentinfo')
  await expect(foot.getByRole('link', { name: 'Telegram' })).toHaveAttribute('href', 'https://t.me/kamon')
  await expect(foot.getByRole('link', { name: '+998 90 123-45-67' })).toHaveAttribute('href', 'tel:+998901234567')
  await open(visitor, '/support')
  await expect(visitor).toHaveTitle(/ · Kamon Games$/)
  await expect(visitor.getByRole('main').getByRole('link', { name: 'hello@kamon.example' })).toBeVisible()
  const manifest = await visitor.request.get('/manifest.webmanifest')
  expect(await manifest.json()).toMatchObject({ name: 'Kamon Games', short_name: 'Kamon Games' })

  await form.getByRole('button', { name: ru('admin.shop.history') }).click()
  await drawer(page)
    .getByRole('button', { name: ru('admin.shop.restoreVersion', { number: 1 }) })
    .click()
  await expect(page.getByText(ru('admin.shop.restored'))).toBeVisible()
  await expect(form.getByLabel(ru('admin.shop.name'))).toHaveValue('Olmos')
  await open(visitor, '/')
  await expect(mark(visitor)).toContainText('Olmos')
  await expect(shared).toHaveAttribute('content', /\/art\/og\.jpg$/)
})

test('the owner puts a text of a page in own words, found by what one sees of it', async ({
  page,
  browser,
  baseURL,
}) => {
  await openTab(page, 'shop')
  await page.getByLabel(ru('admin.shop.search')).fill(ru('home.heroAction'))
  await page.getByRole('button', { name: ru('admin.list.edit', { name: ru('home.heroAction') }) }).click()
  const russian = drawer(page).getByRole('textbox', { name: 'Русский' })
  await russian.fill('Выбирайте {{game}}')
  await save(page)
  await expect(drawer(page).getByText(ru('field.wrong_marks'))).toBeVisible()
  // No link of a text, so the form lets it through; in a page it would end a script and begin an element.
  const hostile = 'К играм </script ><img src=x>'
  await russian.fill(hostile)
  await save(page)
  await expect(drawer(page)).toHaveCount(0)

  const visitor = await (await browser.newContext(baseURL ? { baseURL } : {})).newPage()
  await open(visitor, '/')
  await expect(visitor.getByRole('link', { name: hostile })).toBeVisible()
  await open(visitor, '/?lang=en')
  await expect(visitor.getByRole('link', { name: 'Choose a game' })).toBeVisible()
})

/** The date that it is in a time zone. */
const dateIn = (timeZone: string) => new Intl.DateTimeFormat('sv-SE', { timeZone }).format(new Date())

test('the owner chooses the time zone, and the overview counts its days in it at once; the earlier one comes back', async ({
  page,
}) => {
  const operator = await openTab(page, 'shop')
  const form = page.getByRole('form', { name: ru('admin.shop.timeZone') })
  const zone = form.getByLabel(ru('admin.shop.timeZone'))
  await expect(zone).toHaveValue('')
  // The two of them never have one date, so the clock of the browser is wrong for one of them.
  for (const chosen of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    await openTab(page, 'shop', operator)
    await zone.selectOption(chosen)
    await form.getByRole('button', { name: ru('admin.form.save') }).click()
    await expect(page.getByText(ru('admin.shop.timeZoneSaved'))).toBeVisible()
    const answered = page.waitForResponse(/\/admin\/summary\?period=today$/)
    const sales = page.waitForRequest(/\/admin\/profit\?/)
    await page.goto('/admin/dashboard?days=today')
    await expect(page.getByText(ru('admin.dashboard.clock', { timezone: chosen }))).toBeVisible()
    const today = dateIn(chosen)
    expect((await (await answered).json()).data).toMatchObject({ from: today, to: today })
    expect(new URL((await sales).url()).search).toBe(`?from=${today}&to=${today}`)
  }
  await openTab(page, 'shop', operator)
  const names = page.getByRole('form', { name: ru('admin.shop.settings') })
  await names.getByRole('button', { name: ru('admin.shop.history') }).click()
  await drawer(page)
    .getByRole('button', { name: ru('admin.shop.restoreVersion', { number: 1 }) })
    .click()
  await expect(page.getByText(ru('admin.shop.restored'))).toBeVisible()
  await expect(zone).toHaveValue('')
})

test('the owner switches a currency off, and the store sells in the other one; money left in it can be spent', async ({
  page,
  browser,
  baseURL,
}) => {
  const shopper = await (await browser.newContext(baseURL ? { baseURL } : {})).newPage()
  const picker = shopper.getByRole('button', { name: `${ru('header.currency')}: ` })
  const main = shopper.getByRole('main')
  await register(shopper)
  await giveBalance(shopper, { balanceRub: 500 })
  await addToCart(shopper, 1)
  await expect(main).toContainText('₽')
  await expect(picker).toHaveAccessibleName(/RUB$/)

  await openTab(page, 'shop')
  const form = page.getByRole('form', { name: ru('admin.shop.currencies') })
  await form.getByLabel(ru('admin.shop.currencyNames.RUB')).uncheck()
  await expect(form.getByLabel(ru('admin.shop.defaultCurrency'))).toHaveValue('USD')
  await form.getByRole('button', { name: ru('admin.form.save') }).click()
  await expect(page.getByText(ru('admin.shop.currenciesSaved'))).toBeVisible()

  for (const path of ['/products', '/products/roblox', '/cart']) {
    await open(shopper, path)
    await expect(main).toContainText('$')
    await expect(main).not.toContainText('₽')
  }
  await expect(picker).toHaveAccessibleName(/USD$/)
  await picker.click()
  await expect(shopper.getByRole('menuitem', { name: '$ USD' })).toBeVisible()
  await expect(shopper.getByRole('menuitem', { name: /RUB/ })).toHaveCount(0)
  await shopper.keyboard.press('Escape')

  // A buyer who has roubles left sees them, and pays with them; then nothing speaks of roubles any more.
  await open(shopper, '/profile')
  await expect(shopper.getByText(ru('profile.balanceRub'))).toBeVisible()
  await open(shopper, '/checkout')
  const roubles = shopper.getByRole('radio', { name: new RegExp(ru('checkout.roubles')) })
  await roubles.click()
  await shopper.getByRole('button', { name: /₽ с\sбаланса$/ }).click()
  await expect(shopper).toHaveURL(/\/orders/)
  await giveBalance(shopper, { balanceRub: 0 })
  await open(shopper, '/profile')
  await expect(shopper.getByText(ru('profile.balanceUsd'))).toBeVisible()
  await expect(shopper.getByText(ru('profile.balanceRub'))).toHaveCount(0)
  await addToCart(shopper, 1)
  await open(shopper, '/checkout')
  await expect(shopper.getByRole('radio', { name: new RegExp(ru('checkout.dollars')) })).toBeVisible()
  await expect(roubles).toHaveCount(0)
})

test('the owner gives the currency of a game words, and a phone shows amounts of it in the right form', async ({
  page,
  browser,
  baseURL,
}) => {
  const operator = await openTab(page, 'products')
  const list = await call(page, operator.token, 'GET', '/admin/products?search=genshin')
  const { id, name } = list.body.data.find(({ slug }: { slug: string }) => slug === 'genshin-topup')
  const echoes = await call(page, operator.token, 'PUT', `/admin/products/${id}`, { gameCurrency: 'Echoes' })
  expect(echoes.status).toBe(200)

  // The product says that its currency has no words, and leads to where it gets some.
  await openTab(page, 'products?search=genshin', operator)
  await page.getByRole('button', { name: ru('admin.list.edit', { name }), exact: true }).click()
  await expect(drawer(page).getByText(ru('admin.shop.unitNone'))).toBeVisible()
  const link = drawer(page).getByRole('link', { name: ru('admin.shop.unitAdd') })
  await page.goto((await link.getAttribute('href')) ?? '')
  await drawer(page).getByLabel(ru('admin.shop.unitName')).fill('Echo')
  const russian = (numbers: string) => drawer(page).getByLabel(`Русский: ${numbers}`)
  await russian('1, 21').fill('эхо')
  await russian('2, 3, 4').fill('эха')
  await save(page)
  await expect(drawer(page).getByText(ru('field.required'))).toBeVisible()
  await russian('5, 6, 7').fill('эхов')
  await expect(drawer(page).getByText('1 эхо, 22 эха, 5 эхов')).toBeVisible()
  await save(page)
  await expect(drawer(page)).toHaveCount(0)
  const units = page.getByRole('list', { name: ru('admin.shop.units') })
  await expect(units.getByText('1 эхо, 22 эха, 5 эхов')).toBeVisible()

  const phone = await browser.newContext({ ...(baseURL && { baseURL }), viewport: { width: 360, height: 740 } })
  const visitor = await phone.newPage()
  await open(visitor, '/products/genshin-topup')
  await expect(visitor.getByText(/\d эхов/).first()).toBeVisible()
  await expect(visitor.getByText('Echoes')).toHaveCount(0)
  await open(visitor, '/products/genshin-topup?lang=en')
  await expect(visitor.getByText(/\d Echoes/).first()).toBeVisible()

  await openTab(page, 'shop', operator)
  await page.getByRole('button', { name: ru('admin.shop.unitRemoveOf', { name: 'Echo' }) }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: ru('admin.shop.unitRemove') })
    .click()
  await expect(page.getByText(ru('admin.shop.unitRemoved'))).toBeVisible()
  await open(visitor, '/products/genshin-topup')
  await expect(visitor.getByText(/\d Echoes/).first()).toBeVisible()
})

test('what is typed into the settings while they are being saved stays, and is saved next', async ({ page }) => {
  await openTab(page, 'shop')
  const form = page.getByRole('form', { name: ru('admin.shop.settings') })
  const phone = form.getByLabel(ru('admin.shop.phone'))
  const submit = form.getByRole('button', { name: ru('admin.form.save') })
  let release = () => {}
  const typed = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/api/admin/shop', async (route) => {
    if (route.request().method() === 'PUT') await typed
    await route.continue()
  })
  await form.getByLabel(ru('admin.shop.messenger')).fill('https://t.me/kamon')
  await submit.click()
  await phone.fill('+998 90 765-43-21')
  release()
  await expect(page.getByText(ru('admin.shop.saved'))).toBeVisible()
  await expect(submit).toBeEnabled()
  await expect(phone).toHaveValue('+998 90 765-43-21')
  await submit.click()
  await expect(submit).toBeDisabled()
  await page.reload()
  await expect(phone).toHaveValue('+998 90 765-43-21')
  await expect(form.getByLabel(ru('admin.shop.messenger'))).toHaveValue('https://t.me/kamon')
})
