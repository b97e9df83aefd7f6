import { expect, type Locator, type Page } from '@playwright/test'
import { call } from './calls.ts'
import { open, test } from './customer.ts'
import { aCustomer, aNewProduct, openTab } from './operator.ts'

/** Ways into a field besides typing and pasting. */
const ways: Record<string, (field: Locator, text: string) => Promise<void>> = {
  'at once, as a phone’s keyboard and dictation do': async (field, text) => {
    await field.selectText()
    await field.page().keyboard.insertText(text)
  },
  'by the browser, which says only that it is there': (field, text) =>
    field.evaluate((input: HTMLInputElement, value) => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value)
      input.dispatchEvent(new Event('input', { bubbles: true }))
    }, text),
}

/** What is put in, and what the field has to make of it. */
const amounts = [
  ['12,50', 12.5],
  ['1 234,50', 1234.5],
] as const

const numberIn = (shown: string) => Number(shown.replace(/[^\d.]/g, ''))

async function takesCommas(field: Locator): Promise<void> {
  for (const [way, put] of Object.entries(ways)) {
    for (const [text, amount] of amounts) {
      await put(field, text)
      await expect
        .poll(async () => numberIn(await field.inputValue()), { message: `${text}, put in ${way}` })
        .toBe(amount)
    }
  }
  // In the middle of what is there, and sign by sign.
  await field.selectText()
  await field.page().keyboard.insertText('5')
  await field.page().keyboard.insertText(',25')
  await expect.poll(async () => numberIn(await field.inputValue())).toBe(5.25)
  await field.selectText()
  await field.pressSequentially('8,75')
  await expect.poll(async () => numberIn(await field.inputValue())).toBe(8.75)
}

/** Where a key comes before the browser is done with the one before it. */
async function keepsUpOnASlowDevice(field: Locator): Promise<void> {
  const browser = await field.page().context().newCDPSession(field.page())
  await browser.send('Emulation.setCPUThrottlingRate', { rate: 8 })
  for (const text of Array.from({ length: 10 }, () => '8,75')) {
    await field.selectText()
    await field.pressSequentially(text)
    expect(numberIn(await field.inputValue())).toBe(8.75)
  }
  await browser.send('Emulation.setCPUThrottlingRate', { rate: 1 })
}

const drawer = (page: Page) => page.getByRole('dialog')

test('a comma that gets into a field of money is a decimal separator, however it got there', async ({ page }) => {
  const session = await openTab(page, 'pubgCodes?view=denominations')
  await test.step('prices of a denomination, and a price in its row', async () => {
    await takesCommas(page.getByLabel(/^Цена в USD/).first())
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Добавить номинал' }).click()
    for (const label of ['Цена, USD', 'Цена, RUB']) await takesCommas(drawer(page).getByLabel(label))
  })
  await test.step('a new package, and a price in its row', async () => {
    const product = await aNewProduct(page, session.token, [`COMMA-${Date.now()}`])
    await openTab(page, `products?product=${product.id}`, session)
    const price = page.getByRole('textbox', { name: /^Цена в RUB/ }).first()
    await takesCommas(price)
    await keepsUpOnASlowDevice(price)
    await price.press('Enter')
    // The price was 80 ₽: a jump that is asked about.
    await page.getByRole('button', { name: 'Поставить эту цену' }).click()
    await expect(price).toHaveValue('8.75 ₽')
    await page.getByRole('button', { name: 'Добавить пакет' }).click()
    for (const label of ['Цена, USD', 'Цена, RUB']) await takesCommas(page.getByLabel(label))
  })
  await test.step('a code', async () => {
    await openTab(page, 'codes', session)
    await page.getByRole('button', { name: 'Добавить код' }).click()
    for (const label of ['Цена, USD', 'Цена, RUB']) await takesCommas(drawer(page).getByLabel(label))
  })
  await test.step('a rate, and its percentages', async () => {
    await openTab(page, 'currencyRates', session)
    await takesCommas(page.getByRole('region', { name: 'USD → RUB' }).getByRole('textbox').first())
    for (const label of ['Скачок не больше', 'Надбавка']) await takesCommas(page.getByLabel(label).first())
  })
  await test.step('a balance, which is saved as it was meant', async () => {
    const customer = await aCustomer(page, { balanceUsd: 0, balanceRub: 0 })
    await openTab(page, `users?user=${customer.userId}`, session)
    const balance = drawer(page).getByLabel('Баланс, RUB')
    await takesCommas(balance)
    await balance.selectText()
    await page.keyboard.insertText('1 234,50')
    await drawer(page).getByLabel('Причина').fill('journey')
    await drawer(page).getByRole('button', { name: 'Изменить баланс' }).click()
    await expect(page.getByText('Баланс изменён')).toBeVisible()
    const { body } = await call(page, customer.token, 'GET', '/balance')
    expect(body).toContainEqual({ currency: 'rub', amount: 1234.5 })
  })
  await test.step('adding to the own balance', async () => {
    await open(page, '/profile')
    await page.getByRole('button', { name: 'Пополнить баланс' }).click()
    await takesCommas(page.getByRole('dialog').getByLabel('Сумма'))
  })
  await test.step('Steam', async () => {
    await open(page, '/products/steam')
    await takesCommas(page.getByLabel('Сумма', { exact: true }))
  })
})
