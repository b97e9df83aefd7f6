import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { watchConsole } from './complaints.ts'
import { open } from './customer.ts'
import { aNewProduct, drawer, isOnPhone, openTab, row, save } from './operator.ts'
import { ownStoreTest as test } from './own-store.ts'
import { ru } from './ru.ts'

/** A png of 512 pixels. */
const drawing = join(import.meta.dirname, '../../web/public/icon-512.png')
const uploaded = /^\/pictures\/[0-9a-f]{32}(-small)?\.(webp|png)$/

const readColor = (page: Page, selector: string, property: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)

/** What the page has for its ground and its largest button. */
const look = async (page: Page) => [
  await readColor(page, 'body', 'background-color'),
  await readColor(page, 'main .press', 'background-color'),
]

/** Whether what an image shows came, and how large it is. */
const naturalSize = (page: Page, src: string) =>
  page
    .locator(`img[src="${src}"]`)
    .first()
    .evaluate((image: HTMLImageElement) => [image.complete, image.naturalWidth, image.naturalHeight])

test('the owner gives the store a logo and colours that can be read, and every page has them in both themes', async ({
  page,
  browser,
  baseURL,
}, testInfo) => {
  const complaints = watchConsole(page)
  await openTab(page, 'shop')
  const form = page.getByRole('form', { name: ru('admin.shop.look') })
  const chosen = page.waitForEvent('filechooser')
  await form.getByRole('button', { name: ru('admin.shop.uploadLogo') }).click()
  await (await chosen).setFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('<html></html>') })
  await expect(form.getByText(ru('field.picture_unknown'))).toBeVisible()
  for (const name of ['uploadLogo', 'uploadIcon'] as const) {
    const next = page.waitForEvent('filechooser')
    await form.getByRole('button', { name: ru(`admin.shop.${name}`) }).click()
    await (await next).setFiles(drawing)
    await expect(
      form.getByRole('img', { name: ru(name === 'uploadLogo' ? 'admin.shop.logo' : 'admin.shop.icon') }),
    ).toHaveCount(2)
  }

  await form.getByLabel(ru('admin.shop.colors.accent_light')).fill('#ffd400')
  const light = form.getByRole('region', { name: ru('header.lightTheme') })
  await expect(light.getByText(/1\.14/)).toBeVisible()
  await page.screenshot({ path: testInfo.outputPath('unreadable.png'), fullPage: true })
  await form.getByRole('button', { name: ru('admin.form.save') }).click()
  await expect(form.getByText(ru('field.unreadable_color'))).toBeVisible()
  await form.getByLabel(ru('admin.shop.colors.accent_light')).fill('#1d4ed8')
  await form.getByLabel(ru('admin.shop.colors.accent_dark')).fill('#ff8a3d')
  await form.getByLabel(ru('admin.shop.colors.ground_dark')).fill('#0b1026')
  await expect(form.getByText(ru('field.unreadable_color'))).toHaveCount(0)
  await page.screenshot({ path: testInfo.outputPath('readable.png'), fullPage: true })
  await form.getByRole('button', { name: ru('admin.form.save') }).click()
  await expect(page.getByText(ru('admin.shop.saved'))).toBeVisible()

  const visitor = await (await browser.newContext(baseURL ? { baseURL } : {})).newPage()
  const trouble = watchConsole(visitor)
  await open(visitor, '/')
  expect(await look(visitor)).toEqual(['rgb(11, 16, 38)', 'rgb(255, 138, 61)'])
  const logo = visitor.getByRole('banner').locator('img').first()
  const src = await logo.getAttribute('src')
  expect(src).toMatch(uploaded)
  expect(await naturalSize(visitor, src ?? '')).toEqual([true, 128, 128])
  const icon = await visitor.locator('link[rel="icon"]').getAttribute('href')
  expect(icon).toMatch(uploaded)
  await expect(visitor.locator('link[rel="icon"]')).toHaveCount(1)
  await expect(visitor.locator('meta[name="theme-color"]')).toHaveAttribute('content', '#0b1026')
  const served = await visitor.request.get(icon ?? '')
  expect(served.headers()).toMatchObject({ 'content-type': 'image/png', 'cache-control': /immutable/ })
  const manifest = await (await visitor.request.get('/manifest.webmanifest')).json()
  expect(manifest).toMatchObject({ background_color: '#0b1026', icons: [{ src: icon }, { sizes: '512x512' }] })
  // What is shown without a network, when no style can be fetched.
  const offline = await (await visitor.request.get('/offline.html')).text()
  expect(offline).toContain('background: #0b1026')
  expect(offline).toContain('background: #ff8a3d')
  await visitor.screenshot({ path: testInfo.outputPath('home-dark.png') })
  // On a phone it is in the menu.
  if (isOnPhone(visitor)) await visitor.getByRole('button', { name: ru('header.menu') }).click()
  await visitor
    .getByRole('button', { name: ru('header.lightTheme') })
    .filter({ visible: true })
    .click()
  if (isOnPhone(visitor)) await visitor.keyboard.press('Escape')
  expect(await look(visitor)).toEqual(['rgb(243, 243, 237)', 'rgb(29, 78, 216)'])
  await visitor.screenshot({ path: testInfo.outputPath('home-light.png') })
  await open(visitor, '/login')
  expect(await readColor(visitor, 'main form button[type="submit"]', 'background-color')).toBe('rgb(29, 78, 216)')
  await visitor.screenshot({ path: testInfo.outputPath('login-light.png') })
  expect([complaints, trouble]).toEqual([[], []])
})

test('the picture of a product is uploaded, and stands in lists and on its page', async ({
  page,
  browser,
  baseURL,
}, testInfo) => {
  const { token } = await openTab(page, 'products')
  const product = await aNewProduct(page, token)
  await page.getByRole('searchbox').fill(product.name)
  await page.getByRole('button', { name: ru('admin.list.edit', { name: product.name }) }).click()
  const chosen = page.waitForEvent('filechooser')
  await drawer(page)
    .getByRole('button', { name: ru('admin.products.uploadImage') })
    .click()
  await (await chosen).setFiles(drawing)
  await expect(drawer(page).getByLabel(ru('admin.products.image'))).toHaveValue(uploaded)
  await page.screenshot({ path: testInfo.outputPath('product-form.png') })
  await save(page)
  await expect(drawer(page)).toHaveCount(0)
  await expect(row(page, product.name).locator('img')).toHaveAttribute('src', uploaded)

  const visitor = await (await browser.newContext(baseURL ? { baseURL } : {})).newPage()
  await open(visitor, '/products')
  const tile = visitor.getByRole('link').filter({ hasText: product.name }).locator('img').first()
  await tile.scrollIntoViewIfNeeded()
  const small = (await tile.getAttribute('src')) ?? ''
  expect(small).toMatch(/-small\.webp$/)
  await expect.poll(() => naturalSize(visitor, small)).toEqual([true, 512, 512])
  await visitor.screenshot({ path: testInfo.outputPath('list.png') })
  await open(visitor, `/products/${product.slug}`)
  const large = small.replace('-small', '')
  await expect.poll(() => naturalSize(visitor, large)).toEqual([true, 512, 512])
  await expect(visitor.locator('meta[property="og:image"]')).toHaveAttribute('content', new RegExp(`${large}$`))
})
