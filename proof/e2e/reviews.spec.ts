import { expect } from '@playwright/test'
import { callsOn } from './calls.ts'
import { labels, newNickname, open, register, test } from './customer.ts'
import { aNewProduct, anAdmin, buy, fresh, openTab, row } from './operator.ts'
import { ru } from './ru.ts'

test('who bought something rates it, reads it on its page, and the answer of the store below it', async ({ page }) => {
  const operator = await anAdmin(page)
  const product = await aNewProduct(page, operator.token, [fresh('REVIEWED')])
  const nickname = await register(page, `zz${newNickname()}`.slice(0, 30))
  const token = await page.evaluate(() => localStorage.getItem('token') ?? '')
  const userId = await page.evaluate(() => localStorage.getItem('userId') ?? '')
  await callsOn(page, operator.token)('PUT', `/admin/users/${userId}/balance`, { balanceRub: 500, reason: 'a journey' })
  const orderId = await buy(page, token, product)

  await open(page, `/orders/${orderId}`)
  const stars = page.getByRole('group', { name: ru('reviews.rate') })
  const five = stars.getByRole('radio', { name: ru('reviews.stars', { stars: 5 }) })
  const place = await five.boundingBox()
  expect(Math.min(place?.width ?? 0, place?.height ?? 0)).toBeGreaterThanOrEqual(44)
  await stars.getByRole('radio', { name: ru('reviews.stars', { stars: 3 }) }).check()
  // The arrow keys choose among them, as in any group of radio buttons.
  await page.keyboard.press('ArrowRight')
  await expect(stars.getByRole('radio', { name: ru('reviews.stars', { stars: 4 }) })).toBeChecked()
  const words = `<b>${product.name}</b> https://example.com`
  await page.getByLabel(ru('reviews.text')).fill(words)
  await page.getByRole('button', { name: ru('reviews.send') }).dblclick()
  await expect(page.getByText(ru('reviews.sent'))).toBeVisible()
  await expect(page.getByText(ru('reviews.own'))).toBeVisible()

  await open(page, `/products/${product.slug}`)
  const section = page.getByRole('region', { name: ru('reviews.title') })
  await section.scrollIntoViewIfNeeded()
  await expect(section.getByRole('listitem')).toHaveCount(1)
  await expect(section.getByText(words)).toBeVisible()
  await expect(section.getByText('zz…')).toBeVisible()
  await expect(section.getByRole('link')).toHaveCount(0)
  await expect(section).not.toContainText(nickname)
  const told = await page.locator('script[type="application/ld+json"]').textContent()
  expect(JSON.parse(told ?? '')['@graph'][0]).toMatchObject({
    aggregateRating: { ratingValue: 4, reviewCount: 1 },
    review: [{ reviewBody: words, author: { name: 'zz…' } }],
  })

  const session = await page.evaluate(() => ({ ...localStorage }))
  await openTab(page, `reviews?search=${orderId}&filter=waiting`, operator)
  await page.getByRole('button', { name: nickname }).click()
  const answer = page.getByRole('dialog', { name: nickname })
  await answer.getByLabel(ru('admin.reviews.answer')).fill(labels.playerId)
  await answer.getByRole('button', { name: ru('admin.form.save') }).click()
  await expect(answer).toHaveCount(0)
  await expect(page.getByText(ru('admin.list.nothing'))).toBeVisible()

  await page.evaluate((kept) => {
    for (const [name, value] of Object.entries(kept)) localStorage.setItem(name, value)
  }, session)
  await open(page, `/products/${product.slug}`)
  await section.scrollIntoViewIfNeeded()
  await expect(section.getByText(labels.playerId)).toBeVisible()
  await open(page, `/orders/${orderId}`)
  await expect(page.getByText(labels.playerId)).toBeVisible()

  // Hidden, it is gone from the page, and its writer is told.
  await openTab(page, `reviews?search=${orderId}`, operator)
  await row(page, nickname)
    .getByRole('button', { name: ru('admin.reviews.hide') })
    .click()
  const asked = page.getByRole('dialog', { name: ru('admin.reviews.hideTitle') })
  await asked.getByLabel(ru('admin.reason.label')).fill(labels.steamLogin)
  await asked.getByRole('button', { name: ru('admin.reviews.hide') }).click()
  await expect(page.getByText(ru('admin.reviews.hiddenDone'))).toBeVisible()
  await open(page, `/products/${product.slug}`)
  await expect(section).toHaveCount(0)
})
