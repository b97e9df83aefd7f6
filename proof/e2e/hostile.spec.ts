import { expect, type Page } from '@playwright/test'
import { adminCalls } from './calls.ts'
import { isTooWide } from './complaints.ts'
import { giveBalance, open, register, test } from './customer.ts'
import { openTab } from './operator.ts'
import { ru } from './ru.ts'
import { admin } from './start-store.ts'

/** Adds things in the admin area, as the store's admin. */
async function asAdmin(page: Page): Promise<(path: string, data: object) => Promise<{ id: number }>> {
  const call = await adminCalls(page)
  return async (path, body) => (await call<{ data: { id: number } }>('POST', `/admin/${path}`, body)).data
}

test('hostile names, texts and pictures stay words, and break no screen', async ({ page }, { project }) => {
  const call = await asAdmin(page)
  page.on('dialog', (dialog) => {
    throw new Error(`a script ran: ${dialog.message()}`)
  })
  const name = `</script><script>alert(1)</script><img src=x onerror=alert(2)>${'W'.repeat(90)}\u202Egnp.${project.name}`
  const slug = `hostile-${project.name}`
  // Nobody listens there.
  const imageUrl = 'https://127.0.0.1:9/none.png'
  await call('products', { name, slug, imageUrl, description: `${'long'.repeat(120)}"><script>alert(3)</script>` })
  await call('promotions', { text: `<b>${'sale'.repeat(40)}</b>`, background_color: '#ffffff' })

  await open(page, `/products/${slug}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  await expect(page.locator('main img').first()).toHaveAttribute('src', '/art/anything.svg')
  await expect(page.getByText(ru('product.nothingToBuy')).first()).toBeVisible()
  expect(await isTooWide(page)).toBe(false)
  await open(page, '/products')
  await expect(page.getByRole('link', { name: new RegExp(`W{90}.*${project.name}`) })).toBeVisible()
  expect(await isTooWide(page)).toBe(false)
  await open(page, '/')
  await expect(page.getByRole('listitem').filter({ hasText: '<b>sale' }).first()).toBeAttached()
  await expect(page.getByRole('link', { name: ru('home.heroAction') })).toBeInViewport()
  expect(await isTooWide(page)).toBe(false)
})

test('a product with the longest name there may be, or one from right to left, is bought like any other', async ({
  page,
}, { project }) => {
  const call = await asAdmin(page)
  await register(page)
  await giveBalance(page, { balanceRub: 900 })
  for (const [script, letter] of [
    ['latin', 'Ж'],
    ['arabic', 'بطاقة ‏'],
  ] as const) {
    const name = letter.repeat(200).slice(0, 200).trim()
    const slug = `${script}-${project.name}`
    const gameCurrency = letter.repeat(20).slice(0, 30).trim()
    const { id } = await call('products', { name, slug, gameCurrency, activationInstructions: letter.repeat(400) })
    const code = { productId: id, regionId: 0, gameAmount: 999_999_999, priceUsd: 1.5, priceRub: 120 }
    await call('codes', { ...code, code: `${slug}-${'X'.repeat(200)}` })

    await open(page, `/products/${slug}`)
    await page.getByRole('button', { name: ru('product.add') }).click()
    await expect(page.getByText(ru('product.added'))).toBeVisible()
    for (const [path, sign] of [
      ['/cart', ru('cart.subtotalRub')],
      ['/checkout', ru('checkout.order')],
    ] as const) {
      await open(page, path)
      await expect(page.getByText(sign)).toBeVisible()
      expect(await isTooWide(page), path).toBe(false)
    }
    await page.getByRole('button', { name: /^Оплатить .* с баланса$/ }).click()
    await page
      .getByRole('link', { name: /Заказ [0-9A-Z]{10}/ })
      .first()
      .click()
    await page.getByRole('button', { name: ru('receipt.show', { count: 1 }) }).click()
    await expect(page.locator('code')).toHaveText(`${slug}-${'X'.repeat(200)}`)
    expect(await isTooWide(page), 'the receipt').toBe(false)
    await open(page, '/orders')
    await expect(page.getByRole('link', { name: /Заказ [0-9A-Z]{10}/ }).first()).toBeVisible()
    expect(await isTooWide(page), 'the orders').toBe(false)
  }
})

test('whatever things are called, operators reach the buttons beside them', async ({ page, viewport }, { project }) => {
  const call = await asAdmin(page)
  const name = `${project.name}${'W'.repeat(190)}`
  const { id } = await call('products', { name, slug: `wide-${project.name}` })
  const code = `${project.name}-WIDE`
  await call('codes', { productId: id, regionId: 0, code, gameAmount: 1, priceUsd: 1, priceRub: 80 })
  await call('promotions', { text: name, background_color: '#0b7a43' })
  await call('regions', { name: name.slice(0, 100), code: `W-${project.name}` })
  const session = await openTab(page, 'products?sort=id&order=desc')
  for (const tab of ['products', 'codes', 'promotions', 'regions']) {
    await openTab(page, `${tab}?sort=id&order=desc`, session)
    const last = page.getByRole('row').filter({ hasText: 'WWWW' }).first().getByRole('button').last()
    await expect(last).toBeVisible()
    const box = await last.boundingBox()
    expect(box && box.x + box.width, tab).toBeLessThanOrEqual(viewport?.width ?? 0)
    expect(await isTooWide(page), tab).toBe(false)
  }
})

test('addresses of pictures and colours that could do harm are refused, and those that get through stay in their frames', async ({
  page,
}, { project }) => {
  const session = await page.request.post('/api/auth/login', { data: admin })
  const headers = { authorization: `Bearer ${(await session.json()).token}` }
  const product = { name: 'Frame', slug: `frame-${project.name}` }
  for (const imageUrl of [
    'javascript:alert(1)',
    'data:image/svg+xml,<svg onload="alert(1)"/>',
    '//elsewhere.example/a.png',
  ]) {
    const answer = await page.request.post('/api/admin/products', { data: { ...product, imageUrl }, headers })
    expect([answer.status(), (await answer.json()).error.details], imageUrl).toEqual([
      400,
      { imageUrl: 'invalid_image_url' },
    ])
  }
  for (const background_color of ['red;background:url(//elsewhere.example)', 'javascript:alert(1)', '#12345', '']) {
    const data = { text: 'Sale', background_color }
    const answer = await page.request.post('/api/admin/promotions', { data, headers })
    expect(answer.status(), background_color).toBe(400)
  }
  const call = await asAdmin(page)
  const imageUrl = `https://pictures.example/huge-${project.name}.svg`
  await call('products', { ...product, imageUrl })
  const huge = '<svg xmlns="http://www.w3.org/2000/svg" width="40000" height="90000"><script>alert(1)</script></svg>'
  await page.route(imageUrl, (route) => route.fulfill({ contentType: 'image/svg+xml', body: huge }))
  page.on('dialog', (dialog) => {
    throw new Error(`a script ran: ${dialog.message()}`)
  })
  for (const path of ['/products', `/products/${product.slug}`]) {
    await open(page, path)
    const picture = page.locator(`img[src="${imageUrl}"]`)
    await picture.scrollIntoViewIfNeeded()
    await expect(picture).toHaveJSProperty('naturalWidth', 40_000)
    const frame = await picture.boundingBox()
    // By its own shape it would be more than twice as high as wide.
    expect(frame && frame.width / frame.height).toBeGreaterThan(1.25)
    expect(await isTooWide(page), path).toBe(false)
  }
})
