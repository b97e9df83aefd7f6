import { expect, type Locator, type Page } from '@playwright/test'
import { axeOn, isTooWide } from './complaints.ts'
import { addToCart, open, register, test } from './customer.ts'
import { ru } from './ru.ts'

/** A sum in soums: whole, its digits grouped. */
const soums = /\d{1,3}(?:\s\d{3})*\sсум/
const dollars = /\$\d+\.\d\d/

const readSoums = async (place: Locator) =>
  Number((soums.exec((await place.textContent()) ?? '')?.[0] ?? '').replace(/\D/g, ''))

const currencyPicker = (page: Page) => page.getByRole('button', { name: `${ru('header.currency')}: ` })
const payButton = (page: Page) => page.getByRole('button', { name: /^Оплатить .* картой$/ })
/** The line of a text, with the amount that stands beside it. */
const line = (page: Page, text: string) => page.getByText(text, { exact: true }).locator('..')

async function choose(page: Page, option: string): Promise<void> {
  await currencyPicker(page).click()
  await page.getByRole('menuitem', { name: option }).click()
}

test('soums are shown from the first page on, and the bank takes exactly the sum that was shown', async ({ page }) => {
  await register(page)
  await open(page, '/')
  await choose(page, 'сум UZS')
  await expect(currencyPicker(page)).toHaveAccessibleName(new RegExp(`${ru('header.currency')}: UZS$`))
  expect(await isTooWide(page)).toBe(false)

  // The server renders them as well: nothing jumps with the next page.
  const listed = await (await page.request.get('/products')).text()
  expect(listed).toMatch(soums)
  expect(listed).not.toMatch(/\d\s₽/)
  for (const path of ['/products', '/products/freefire', '/products/pubg', '/products/roblox']) {
    await open(page, path)
    await expect(page.getByRole('main')).toContainText(soums)
    expect([path, await isTooWide(page), await axeOn(page)]).toEqual([path, false, []])
  }

  await addToCart(page, 2)
  const main = page.getByRole('main')
  // Other journeys change rates: what is compared is tried again until none has come between.
  await expect(async () => {
    await open(page, '/cart')
    await expect(main).toContainText(ru('converted.note'))
    const inCart = await readSoums(line(page, ru('converted.subtotal.UZS')))
    await open(page, '/checkout')
    await expect(payButton(page)).toHaveText(soums)
    const charged = await readSoums(payButton(page))
    expect(await readSoums(line(page, ru('checkout.total')))).toBe(charged)
    expect(inCart).toBe(charged)
    // The method that charges what prices are shown in is the one that is marked; the others say what they charge.
    await expect(page.getByRole('radio', { name: ru('payMark.sandbox_soums') })).toBeChecked()
    await expect(page.getByRole('radio', { name: ru('payMark.sandbox') }).first()).toHaveAccessibleName(dollars)
    // The balance pays in the order's own currency, to the cent.
    await expect(page.getByRole('button', { name: /с\sбаланса$/ })).toHaveText(dollars)
    await expect(line(page, ru('converted.order'))).toHaveText(dollars)
    expect([await isTooWide(page), await axeOn(page)]).toEqual([false, []])

    await payButton(page).click()
    await expect(page).toHaveURL(/\/sandbox\/pay\//)
    expect(await readSoums(page.getByRole('button', { name: /^Оплатить .*\sсум$/ }))).toBe(charged)
  }).toPass({ timeout: 150_000 })

  const charged = await readSoums(page.getByRole('button', { name: /^Оплатить .*\sсум$/ }))
  await page.getByRole('button', { name: /^Оплатить .*\sсум$/ }).click()
  await expect(page).toHaveURL(/\/orders\/[0-9A-Z]{10}$/)
  // An order that exists has what was booked, and what was charged.
  expect(await readSoums(page.getByText(ru('receipt.wasCharged', { amount: '' }).trim()))).toBe(charged)
  await expect(main).toContainText(dollars)
})

test('an order in roubles is shown in soums too, and tenge where nothing charges them', async ({ page }) => {
  await register(page)
  await addToCart(page, 1)
  await choose(page, 'сум UZS')
  await open(page, '/checkout')
  await page.getByRole('radio', { name: new RegExp(ru('checkout.roubles')) }).click()
  await expect(line(page, ru('converted.order'))).toHaveText(/₽$/)
  await expect(payButton(page)).toHaveText(soums)
  expect(await readSoums(line(page, ru('checkout.total')))).toBe(await readSoums(payButton(page)))

  await choose(page, '₸ KZT')
  await expect(line(page, ru('checkout.total'))).toHaveText(/\d\s₸$/)
  await page
    .getByRole('radio', { name: ru('payMark.sandbox') })
    .first()
    .click()
  // What is charged is said by the button, whatever prices are shown in.
  await expect(payButton(page)).toHaveText(/₽/)
})
