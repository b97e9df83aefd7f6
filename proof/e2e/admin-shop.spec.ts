import { expect, type Page } from '@playwright/test'
import { open } from './customer.ts'
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
})

test('the owner puts a text of a page in own words, found by what one sees of it', async ({
  page,
  browser,
  baseURL,
}) => {
  await openTab(page, 'shop')
  await page.getByLabel(ru('admin.shop.search')).fill(ru('home.heroAction'))
  await page.getByRole('button', { name: ru('admin.list.edit', { name: ru('home.heroAction') }) }).click()
  const russian = drawer(page).getByLabel('Русский')
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
