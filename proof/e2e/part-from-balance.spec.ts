import { expect, type Page } from '@playwright/test'
import { axeOn, isTooWide } from './complaints.ts'
import { addToCart, giveBalance, open, register, test } from './customer.ts'
import { ru } from './ru.ts'

/** One package of Roblox, 99 ₽, and 40 ₽ on the balance. */
async function goToCheckout(page: Page): Promise<void> {
  await register(page)
  await addToCart(page, 1)
  await giveBalance(page, { balanceRub: 40 })
  await open(page, '/checkout')
  await expect(payButton(page)).toBeVisible()
}

const payButton = (page: Page) => page.getByRole('button', { name: /^Оплатить .* картой$/ })
const part = (page: Page) => page.getByRole('checkbox', { name: /^Часть с баланса/ })
const amount = (page: Page) => page.getByLabel(ru('checkout.part'), { exact: true })
const atBank = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

async function pressPay(page: Page): Promise<void> {
  await payButton(page).click()
  await expect(page).toHaveURL(/\/sandbox\/pay\//)
}

const rubles = async (page: Page, shown: string) => {
  await open(page, '/profile')
  await expect(page.getByText(shown).first()).toBeVisible()
}

test('pay a part from the balance and the rest by card', async ({ page }) => {
  await goToCheckout(page)
  await expect(payButton(page)).toHaveText(/99/)
  await part(page).check()
  await expect(amount(page)).toHaveValue('40.00 ₽')
  await expect(payButton(page)).toHaveText(/59/)
  expect(await isTooWide(page)).toBe(false)
  expect(await axeOn(page)).toEqual([])

  // More than there is can't be pressed, and what is typed is what is charged.
  await amount(page).fill('41')
  await expect(page.getByText(ru('checkout.partRange', { most: '' }).trim())).toBeVisible()
  await payButton(page).click()
  await expect(page).toHaveURL('/checkout')
  await amount(page).fill('30,50')
  await expect(payButton(page)).toHaveText(/68,50/)
  await pressPay(page)

  await rubles(page, '9,50')
  await expect(page.getByText(/Зарезервировано для заказов: 30,50/)).toBeVisible()
  await page.goBack()
  await atBank(page, /^Оплатить 68,50/).click()
  await expect(page).toHaveURL(/\/orders\/[0-9A-Z]{10}$/)
  await page.getByRole('button', { name: /Показать код/ }).click()
  await expect(page.locator('code')).toHaveCount(1)
  await expect(page.getByText(/С баланса 30,50/)).toBeVisible()
  await rubles(page, '9,50')
  await expect(page.getByText(ru('profile.kind.reservation'))).toBeVisible()
})

test('a declined rest is tried again with the part still reserved, and what nobody pays comes back', async ({
  page,
}) => {
  await goToCheckout(page)
  await part(page).check()
  await pressPay(page)
  await atBank(page, ru('sandbox.act.decline')).click()
  await page.getByRole('link', { name: ru('sandbox.back') }).click()
  await expect(page.getByText(ru('receipt.declined'))).toBeVisible()
  const receipt = page.url()
  await page.getByRole('link', { name: ru('receipt.tryAgain') }).click()
  await expect(part(page)).toBeChecked()
  await expect(payButton(page)).toHaveText(/59/)
  await pressPay(page)
  await atBank(page, ru('sandbox.act.decline')).click()
  await rubles(page, '0,00')

  // Another way to buy it makes the first one void.
  await open(page, '/checkout')
  await part(page).uncheck()
  await pressPay(page)
  await rubles(page, '40,00')
  await open(page, receipt)
  await expect(page.getByText(/40,00.* вернулись на баланс/)).toBeVisible()
})
