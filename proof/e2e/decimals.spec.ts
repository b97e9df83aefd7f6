import { expect, type Locator, type Page } from '@playwright/test'
import { call } from './calls.ts'
import { open, test } from './customer.ts'
import { aCustomer, aNewProduct, isOnPhone, openTab } from './operator.ts'
import { ru } from './ru.ts'

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
    await page.getByRole('button', { name: ru('admin.denominations.add') }).click()
    for (const label of [ru('admin.products.priceUsd'), ru('admin.products.priceRub')])
      await takesCommas(drawer(page).getByLabel(label))
  })
  await test.step('a new package, and a price in its row', async () => {
    const product = await aNewProduct(page, session.token, [`COMMA-${Date.now()}`])
    await openTab(page, `products?product=${product.id}`, session)
    if (isOnPhone(page)) {
      await page
        .getByRole('button', { name: /^Изменить: / })
        .first()
        .click()
    }
    const price = isOnPhone(page)
      ? drawer(page).first().getByLabel(ru('admin.products.priceRub'))
      : page.getByRole('textbox', { name: /^Цена в RUB/ }).first()
    await takesCommas(price)
    await keepsUpOnASlowDevice(price)
    await price.press('Enter')
    // The price was 80 ₽: a jump that is asked about.
    await page.getByRole('button', { name: ru('admin.ask.setPrice') }).click()
    if (isOnPhone(page)) await expect(drawer(page)).toHaveCount(0)
    else await expect(price).toHaveValue('8.75 ₽')
    await page.getByRole('button', { name: ru('admin.products.addPackage') }).click()
    for (const label of [ru('admin.products.priceUsd'), ru('admin.products.priceRub')])
      await takesCommas(page.getByLabel(label))
  })
  await test.step('a code', async () => {
    await openTab(page, 'codes', session)
    await page.getByRole('button', { name: ru('admin.codes.add') }).click()
    for (const label of [ru('admin.products.priceUsd'), ru('admin.products.priceRub')])
      await takesCommas(drawer(page).getByLabel(label))
  })
  await test.step('a rate, and its percentages', async () => {
    await openTab(page, 'currencyRates', session)
    await takesCommas(page.getByRole('region', { name: 'USD → RUB' }).getByRole('textbox').first())
    for (const label of [ru('admin.rates.maxJump'), ru('admin.rates.markup')])
      await takesCommas(page.getByLabel(label).first())
  })
  await test.step('a balance, which is saved as it was meant', async () => {
    const customer = await aCustomer(page, { balanceUsd: 0, balanceRub: 0 })
    await openTab(page, `users?user=${customer.userId}`, session)
    const balance = drawer(page).getByLabel(ru('admin.users.rub'))
    await takesCommas(balance)
    await balance.selectText()
    await page.keyboard.insertText('1 234,50')
    await drawer(page).getByLabel(ru('admin.reason.label')).fill('journey')
    await drawer(page)
      .getByRole('button', { name: ru('admin.users.setBalance') })
      .click()
    await expect(page.getByText(ru('admin.users.balanceSet'))).toBeVisible()
    const { body } = await call(page, customer.token, 'GET', '/balance')
    expect(body).toContainEqual({ currency: 'rub', amount: 1234.5, reserved: 0 })
  })
  await test.step('adding to the own balance', async () => {
    await open(page, '/profile')
    await page.getByRole('button', { name: ru('topUp.title') }).click()
    await takesCommas(page.getByRole('dialog').getByLabel(ru('admin.ledger.sum')))
  })
  await test.step('Steam', async () => {
    await open(page, '/products/steam')
    await takesCommas(page.getByLabel(ru('admin.ledger.sum'), { exact: true }))
  })
})
