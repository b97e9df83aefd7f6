import { expect, type Page } from '@playwright/test'
import { axeOn, isTooWide } from './complaints.ts'
import { addToCart, giveBalance, open, register, test } from './customer.ts'
import { ru } from './ru.ts'

const message = (page: Page) => page.getByLabel(ru('support.message'))
const send = (page: Page) => page.getByRole('button', { name: ru('support.send') })
const isThanked = (page: Page) => expect(page.getByRole('dialog', { name: ru('support.thanks') })).toBeVisible()

/** The message as the page sends it. */
async function sent(page: Page, press: () => Promise<void>) {
  const request = page.waitForRequest(/\/api\/support$/)
  await press()
  return (await request).postDataJSON()
}

test('a visitor who forgot everything asks in one of two ways, and needs no ID', async ({ page }) => {
  await open(page, '/support')
  const messenger = page.getByRole('link', { name: ru('support.messenger') })
  await expect(messenger).toHaveAttribute('href', /^https?:/)
  await expect(messenger).toBeInViewport()
  await page.getByRole('button', { name: ru('support.writeHere') }).click()
  await expect(message(page)).toBeFocused()
  expect([await isTooWide(page), await axeOn(page)]).toEqual([false, []])
  // The way to the messenger stays in reach while the page scrolls, and lies over nothing at its end.
  await send(page).scrollIntoViewIfNeeded()
  await expect(messenger).toBeInViewport()

  await message(page).fill('Забыла пароль')
  await send(page).click()
  await expect(page.getByText(ru('field.required'))).toHaveCount(1)
  await page.getByLabel(/^Никнейм/).fill('kamila')
  expect(await sent(page, () => send(page).click())).toMatchObject({ nickname: 'kamila', userId: '0' })
  await isThanked(page)
})

test('who bought something picks the order that it is about', async ({ page }) => {
  const nickname = await register(page)
  await giveBalance(page, { balanceRub: 100 })
  await addToCart(page, 1)
  await open(page, '/checkout')
  await page.getByRole('button', { name: /^Оплатить .* с баланса$/ }).click()
  await expect(page).toHaveURL('/orders')
  await open(page, '/support')
  const order = page.getByLabel(ru('support.order'))
  const listed = order.getByRole('option').filter({ hasText: 'Roblox' })
  await expect(listed).toHaveCount(1)
  const id = (await listed.getAttribute('value')) ?? ''
  await order.selectOption(id)
  await message(page).fill('Код не подошёл')
  expect(await sent(page, () => send(page).click())).toMatchObject({
    nickname,
    order: id,
    message: 'Код не подошёл',
  })
  await isThanked(page)
})

test('what was begun is still there after one came back, until it is sent', async ({ page }) => {
  await register(page)
  await open(page, '/support')
  await message(page).fill('Начало письма')
  await open(page, '/products')
  await open(page, '/support')
  await expect(message(page)).toHaveValue('Начало письма')
  await send(page).click()
  await isThanked(page)
  await open(page, '/support')
  await expect(message(page)).toHaveValue('')
})

test('what a customer began stays, whatever is begun before logging in again', async ({ page }) => {
  await register(page)
  await open(page, '/support')
  await message(page).fill('Длинное письмо')
  const token = await page.evaluate(() => {
    const token = localStorage.getItem('token') ?? ''
    localStorage.removeItem('token')
    return token
  })
  await open(page, '/support')
  await expect(message(page)).toHaveValue('')
  await message(page).fill('Н')
  await page.evaluate((token) => localStorage.setItem('token', token), token)
  await open(page, '/support')
  await expect(message(page)).toHaveValue('Длинное письмо')
})

test('what a visitor began goes on after logging in, and is gone once it is sent, also when one left meanwhile', async ({
  page,
}) => {
  await open(page, '/support')
  await message(page).fill('Не пришёл код')
  await register(page)
  await open(page, '/support')
  await expect(message(page)).toHaveValue('Не пришёл код')

  let answer = () => {}
  const isLeft = new Promise<void>((go) => {
    answer = go
  })
  await page.route('**/api/support', async (route) => {
    await isLeft
    await route.continue()
  })
  const answered = page.waitForResponse(/\/api\/support$/)
  await send(page).click()
  await page.getByRole('link', { name: 'Olmos' }).first().click()
  await expect(page).toHaveURL('/')
  answer()
  await answered
  const kept = () => page.evaluate(() => Object.values(sessionStorage).join())
  await expect.poll(kept).not.toContain('Не пришёл код')
  await open(page, '/support')
  await expect(message(page)).toHaveValue('')
})

test('nothing is typed into a message that is on its way, where it would be lost', async ({ page }) => {
  await open(page, '/support')
  let answer = () => {}
  const isTyped = new Promise<void>((go) => {
    answer = go
  })
  await page.route('**/api/support', async (route) => {
    await isTyped
    await route.continue()
  })
  const contact = page.getByLabel(ru('support.contact'))
  await message(page).fill('Не пришёл код')
  await contact.fill('lola@example.com')
  await page.getByLabel(/^Никнейм/).fill('lola')
  await send(page).click()
  await expect(message(page)).not.toBeEditable()
  await expect(contact).not.toBeEditable()
  answer()
  await isThanked(page)
})
