import { expect, type Page } from '@playwright/test'
import { en } from '../../web/app/i18n/en.ts'
import { uz } from '../../web/app/i18n/uz.ts'
import { axeOn, isTooWide } from './complaints.ts'
import { addToCart, giveBalance, open, register } from './customer.ts'
import { drawer, openTab } from './operator.ts'
import { ownStoreTest as test } from './own-store.ts'
import { ru } from './ru.ts'

const saveForm = (page: Page) => page.getByRole('main').getByRole('button', { name: ru('admin.form.save') })
const writtenIn = (page: Page, language: string) =>
  page.getByLabel(ru('admin.pages.textIn', { language }), { exact: true })
const footLink = (page: Page, name: string) => page.getByRole('contentinfo').getByRole('link', { name, exact: true })
const terms = ru('pages.terms')

const russian =
  '# Условия\n\nМы продаём **коды**. <b>HTML</b> не нужен.\n\n1. Оплата\n2. Доставка\n\n[Возврат](/support#refunds)'

test('the owner writes terms in two languages, which stand at the foot and at the checkout, and orders keep their version', async ({
  page,
  browser,
  baseURL,
}) => {
  await openTab(page, 'pages')
  await page.getByRole('link', { name: `${ru('admin.pages.open')}: ${terms}` }).click()
  await writtenIn(page, 'Русский').fill(`${russian}\n\n[x](javascript:alert(1))`)
  await page.getByRole('button', { name: ru('admin.pages.preview') }).click()
  await expect(page.getByRole('alert')).toContainText(
    ru('admin.pages.fault', { language: 'Русский', line: 10, fault: ru('field.page_link') }),
  )
  await writtenIn(page, 'Русский').fill(russian)
  await page.getByRole('button', { name: ru('admin.pages.preview') }).click()
  await expect(drawer(page).getByRole('heading', { name: 'Условия' })).toBeVisible()
  await expect(drawer(page).getByText('<b>HTML</b>')).toBeVisible()
  await page.screenshot({ path: test.info().outputPath('preview.png') })
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: 'English' }).click()
  await writtenIn(page, 'English').fill('## Terms\n\nWe sell codes.')
  await page.getByRole('switch', { name: ru('admin.pages.publish') }).check()
  await saveForm(page).click()
  await expect(page.getByText(ru('admin.pages.saved'))).toBeVisible()
  expect(await axeOn(page)).toEqual([])

  const context = await browser.newContext({ ...(baseURL && { baseURL }), locale: 'ru-RU' })
  const customer = await context.newPage()
  await open(customer, '/')
  await footLink(customer, terms).click()
  await expect(customer.getByRole('heading', { name: terms, level: 1 })).toBeVisible()
  await expect(customer.getByRole('heading', { name: 'Условия', level: 2 })).toBeVisible()
  await expect(customer.getByRole('listitem').filter({ hasText: 'Доставка' })).toBeVisible()
  const document = await (await customer.request.get('/pages/terms?lang=en')).text()
  expect(document).toContain('We sell codes.')
  for (const part of ['hrefLang="uz"', 'rel="canonical"']) expect(document.toLowerCase()).toContain(part.toLowerCase())
  expect(document).not.toContain('noindex')
  expect(await (await customer.request.get('/sitemap.xml')).text()).toContain('/pages/terms?lang=uz')
  expect((await customer.request.get('/pages/privacy')).status()).toBe(404)

  await register(customer)
  await giveBalance(customer, { balanceRub: 5_000 })
  const buy = async () => {
    await addToCart(customer, 1)
    await open(customer, '/checkout')
    const link = customer.getByRole('main').getByRole('link', { name: 'условия продажи' })
    await expect(link).toHaveAttribute('href', '/pages/terms')
    await customer.getByRole('button', { name: /^Оплатить .* с баланса$/ }).click()
    await expect(customer).toHaveURL(/\/orders$/)
    const name =
      (await customer
        .getByRole('link', { name: /Заказ [0-9A-Z]{10}/ })
        .first()
        .textContent()) ?? ''
    return /[0-9A-Z]{10}/.exec(name)?.[0] ?? ''
  }
  const order = await buy()

  await page.getByRole('tab', { name: 'Русский' }).click()
  await writtenIn(page, 'Русский').fill('Другие условия')
  await saveForm(page).click()
  await expect(page.getByText(ru('admin.pages.saved')).last()).toBeVisible()
  await open(customer, '/pages/terms')
  await expect(customer.getByText('Другие условия')).toBeVisible()

  await open(page, `/admin/orders?search=${order}`)
  await page.getByText(order).first().click()
  await page.getByRole('link', { name: `${terms}: ${ru('admin.pages.version', { number: 2 })}` }).click()
  await expect(drawer(page).getByRole('heading', { name: 'Условия' })).toBeVisible()
  await drawer(page)
    .getByRole('button', { name: ru('admin.pages.take') })
    .click()
  await expect(writtenIn(page, 'Русский')).toHaveValue(russian)

  // As a phone shows it, in three languages; the last one has no text of its own.
  await customer.setViewportSize({ width: 360, height: 740 })
  for (const [language, title] of [
    ['ru', ru('pages.terms')],
    ['en', en.pages.terms],
    ['uz', uz.pages.terms],
  ] as const) {
    await open(customer, `/pages/terms?lang=${language}`)
    await expect(customer.getByRole('heading', { name: title, level: 1 })).toBeVisible()
    expect(await axeOn(customer)).toEqual([])
    expect(await isTooWide(customer)).toBe(false)
    await customer.screenshot({ path: test.info().outputPath(`terms-${language}.png`), fullPage: true })
  }
  await expect(customer.getByText(uz.pages.otherLanguage.replace('{{language}}', 'Русский'))).toBeVisible()
  await context.close()
})

test('the owner puts a banner above every page and a product on the home page, which a visitor sees at once', async ({
  page,
  browser,
  baseURL,
}) => {
  await openTab(page, 'front')
  const home = page.getByRole('form', { name: ru('admin.front.home') })
  await home.getByLabel(ru('admin.front.action')).fill('javascript:alert(1)')
  await home.getByRole('button', { name: ru('admin.form.save') }).click()
  await expect(home.getByText(ru('field.invalid_link'))).toBeVisible()
  await home.getByLabel(ru('admin.front.action')).fill('/products/steam')
  await home.getByRole('combobox', { name: ru('admin.front.featured') }).click()
  await page.getByRole('option', { name: 'Roblox' }).first().click()
  await page.keyboard.press('Escape')
  await home.getByRole('button', { name: ru('admin.form.save') }).click()
  await expect(page.getByText(ru('admin.front.saved'))).toBeVisible()

  const banners = page.getByRole('form', { name: ru('admin.front.banners') })
  await banners.getByRole('button', { name: ru('admin.front.addBanner') }).click()
  const strip = banners.getByRole('group', { name: ru('admin.front.banner', { number: 1 }) })
  await strip.getByLabel('Русский').fill('Ночью пополнения идут дольше обычного')
  await strip.getByLabel('English').fill('Top-ups take longer than usual tonight')
  await strip.getByLabel(ru('admin.front.kind')).selectOption('warning')
  await strip.getByLabel(ru('admin.front.from')).fill('2026-01-02T10:00')
  await strip.getByLabel(ru('admin.front.until')).fill('2026-01-01T10:00')
  await strip.getByRole('switch', { name: ru('admin.front.bannerOn') }).check()
  await banners.getByRole('button', { name: ru('admin.form.save') }).click()
  await expect(strip.getByText(ru('field.before_start'))).toBeVisible()
  await strip.getByLabel(ru('admin.front.until')).fill('2099-01-01T10:00')
  await strip.getByRole('button', { name: ru('admin.pages.preview') }).click()
  const preview = page.getByRole('dialog')
  await expect(preview.getByRole('region', { name: 'English' })).toContainText('Top-ups take longer than usual tonight')
  // A language without a text has the first there is, as on the pages.
  await expect(preview.getByRole('region', { name: 'Oʻzbekcha' })).toContainText(
    'Ночью пополнения идут дольше обычного',
  )
  await page.screenshot({ path: test.info().outputPath('preview.png') })
  expect(await axeOn(page)).toEqual([])
  await page.keyboard.press('Escape')
  await banners.getByRole('button', { name: ru('admin.form.save') }).click()
  await expect(banners.getByRole('button', { name: ru('admin.form.save') })).toBeDisabled()
  await page.screenshot({ path: test.info().outputPath('front.png'), fullPage: true })
  expect(await axeOn(page)).toEqual([])

  const context = await browser.newContext({
    ...(baseURL && { baseURL }),
    locale: 'ru-RU',
    viewport: { width: 360, height: 740 },
  })
  const visitor = await context.newPage()
  const banner = visitor.getByText('Ночью пополнения идут дольше обычного')
  expect(await (await visitor.request.get('/')).text()).toContain('Ночью пополнения идут дольше обычного')
  await open(visitor, '/')
  await expect(banner).toBeVisible()
  await expect(visitor.getByRole('link', { name: ru('home.heroAction') })).toHaveAttribute('href', '/products/steam')
  const featured = visitor.getByRole('region', { name: ru('home.featured') })
  await expect(featured.getByRole('link')).toHaveCount(1)
  await expect(featured.getByRole('heading', { name: 'Roblox' })).toBeVisible()
  for (const language of ['ru', 'en', 'uz']) {
    await open(visitor, `/?lang=${language}`)
    expect(await axeOn(visitor)).toEqual([])
    expect(await isTooWide(visitor)).toBe(false)
    await visitor.screenshot({ path: test.info().outputPath(`banner-${language}.png`) })
  }
  await open(visitor, '/support?lang=ru')
  await visitor.getByRole('button', { name: ru('header.closeToast') }).click()
  await expect(banner).toHaveCount(0)
  // The server knows that it was closed: nothing moves when the next page is there.
  expect(await (await visitor.request.get('/products')).text()).not.toContain('Ночью пополнения')
  await context.close()
})
