import { expect, type Page, test } from '@playwright/test'
import { watchConsole } from './complaints.ts'
import { giveBalance, open, register } from './customer.ts'
import { ru } from './ru.ts'

/** A customer at the bank's page, with one package of Roblox to pay for: 99 ₽. */
async function goToBank(page: Page): Promise<void> {
  await register(page)
  await open(page, '/products/roblox')
  await page.getByRole('button', { name: ru('product.add') }).click()
  await expect(page.getByText(ru('product.added'))).toBeVisible()
  await payByCard(page)
}

async function payByCard(page: Page): Promise<void> {
  await open(page, '/checkout')
  await page.getByRole('button', { name: /^Оплатить .* картой$/ }).click()
  await expect(page).toHaveURL(/\/sandbox\/pay\//)
}

const atBank = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const comeBack = async (page: Page) => {
  await page.getByRole('link', { name: ru('sandbox.back') }).click()
  await expect(page).toHaveURL(/\/orders\/[0-9A-Z]{10}$/)
}

async function seeCode(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Показать код/ }).click()
  await expect(page.locator('code')).toHaveCount(1)
}

const rubles = async (page: Page, amount: string) => {
  await open(page, '/profile')
  await expect(page.getByText(amount).first()).toBeVisible()
}

test('pay by card: the bank leads back to the receipt with the code, and the cart is empty', async ({ page }) => {
  const complaints = watchConsole(page)
  await goToBank(page)
  await atBank(page, /^Оплатить 99/).click()
  await expect(page).toHaveURL(/\/orders\/[0-9A-Z]{10}$/)
  await seeCode(page)
  await open(page, '/cart')
  await expect(page.getByText(ru('cart.empty'))).toBeVisible()
  expect(complaints).toEqual([])
})

test('a declined payment is tried again for the same order', async ({ page }) => {
  await goToBank(page)
  await atBank(page, ru('sandbox.act.decline')).click()
  await comeBack(page)
  const receipt = page.url()
  await expect(page.getByText(ru('receipt.declined'))).toBeVisible()
  await page.getByRole('link', { name: ru('receipt.tryAgain') }).click()
  await payByCard(page)
  await atBank(page, /^Оплатить 99/).click()
  await expect(page).toHaveURL(receipt)
  await seeCode(page)
  await open(page, '/orders')
  await expect(page.getByRole('link', { name: /Заказ [0-9A-Z]{10}/ })).toHaveCount(1)
})

test('who closes the tab finds the order, goes on paying, and sees the answer of the bank come in', async ({
  page,
  context,
}) => {
  await goToBank(page)
  const bank = page.url()
  await page.close()

  const again = await context.newPage()
  await open(again, '/orders')
  await expect(again.getByText(ru('orders.item.awaiting_payment'))).toBeVisible()
  await again.getByRole('link', { name: /Заказ [0-9A-Z]{10}/ }).click()
  await expect(again.getByText(ru('receipt.awaiting'))).toBeVisible()
  await expect(again.getByRole('link', { name: ru('receipt.goOnPaying') })).toHaveAttribute('href', bank)

  const other = await context.newPage()
  await open(other, bank)
  await atBank(other, /^Оплатить 99/).click()
  await expect(other).toHaveURL(/\/orders\//)
  // Nobody touches the first page: it learns of it by itself.
  await expect(again.getByText(ru('receipt.awaiting'))).toBeHidden()
  await seeCode(again)
})

test('who pays late has the code all the same, while there is one', async ({ page }) => {
  await goToBank(page)
  await atBank(page, ru('sandbox.act.pay_late')).click()
  await expect(page.getByText(ru('sandbox.statuses.succeeded'))).toBeVisible()
  await comeBack(page)
  await seeCode(page)
})

test('who pays late for an order that another took the place of has the money on the balance', async ({ page }) => {
  await goToBank(page)
  const bank = page.url()
  await giveBalance(page, { balanceRub: 99 })
  await open(page, '/checkout')
  await page.getByRole('button', { name: /^Оплатить .* с баланса$/ }).click()
  await expect(page).toHaveURL('/orders')
  await rubles(page, '0,00')
  await open(page, bank)
  await atBank(page, /^Оплатить 99/).click()
  await expect(page).toHaveURL(/\/orders\/[0-9A-Z]{10}$/)
  await expect(page.getByText(ru('receipt.onBalanceText'))).toBeVisible()
  await rubles(page, '99,00')
})

test('what the bank charges twice is delivered once, and the second charge is on the balance', async ({ page }) => {
  await goToBank(page)
  await atBank(page, ru('sandbox.act.pay_twice')).click()
  await expect(page.getByText(ru('sandbox.statuses.succeeded'))).toBeVisible()
  await comeBack(page)
  await expect(page.getByText(ru('receipt.paidTwice'))).toBeVisible()
  await seeCode(page)
  await rubles(page, '99,00')
})
