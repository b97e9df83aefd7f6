import type { OfferedMethod } from '@olmos/contract/payments'
import { expect, type Page } from '@playwright/test'
import { axeOn, isTooWide } from './complaints.ts'
import { addToCart, open, register, test } from './customer.ts'
import { ru } from './ru.ts'

/** What 99 ₽ are at the rates in force, which other journeys change. */
const soums = /^\d{2}\s\d{3}\sсум$/
const inSoums = /\d{2}\s\d{3}\sсум/

const ways = (page: Page) => page.getByRole('radiogroup', { name: ru('checkout.method') })
const way = (page: Page, name: string) => ways(page).getByRole('radio', { name })
const payButton = (page: Page) => page.getByRole('button', { name: /^Оплатить .* картой$/ })

async function goToCheckout(page: Page): Promise<void> {
  await register(page)
  await addToCart(page, 1)
  await open(page, '/checkout')
  await expect(payButton(page)).toBeVisible()
}

/** Changes what the store offers to the page, until the function that it answers is called. */
async function offer(page: Page, change: (methods: OfferedMethod[]) => OfferedMethod[]): Promise<() => Promise<void>> {
  const calls = /\/api\/payment\/methods\?/
  await page.route(calls, async (route) => {
    const answer = await route.fetch()
    const { data } = await answer.json()
    await route.fulfill({ json: { data: change(data) } })
  })
  return () => page.unroute(calls)
}

test('pay in soums: what is charged stands at the method, on the button, at the bank and on the receipt', async ({
  page,
}) => {
  await goToCheckout(page)
  await expect(way(page, ru('payMark.sandbox')).first()).toBeChecked()
  await expect(payButton(page)).toHaveText(/99/)
  await way(page, ru('payMark.sandbox_soums')).click()
  await expect(way(page, ru('payMark.sandbox_soums'))).toHaveAccessibleName(inSoums)
  await expect(payButton(page)).toHaveText(inSoums)
  expect(await isTooWide(page)).toBe(false)
  expect(await axeOn(page)).toEqual([])
  // The choice is remembered by the browser.
  await open(page, '/checkout')
  await expect(way(page, ru('payMark.sandbox_soums'))).toBeChecked()

  await payButton(page).click()
  await expect(page).toHaveURL(/\/sandbox\/pay\//)
  const charged = (await page.getByText(soums).textContent()) ?? ''
  const bank = page.url()

  // The receipt of an order that waits says what it will take, and leads back to that page.
  await open(page, '/orders')
  const order = page.getByRole('link', { name: /Заказ [0-9A-Z]{10}/ })
  await expect(order).toContainText(ru('payMark.sandbox_soums'))
  await expect(order).toContainText(charged)
  await order.click()
  await expect(page.getByText(ru('checkout.charged', { amount: '' }).trim())).toContainText(charged)
  await expect(page.getByRole('link', { name: ru('receipt.goOnPaying') })).toHaveAttribute('href', bank)

  await open(page, bank)
  await page.getByRole('button', { name: `Оплатить ${charged}`, exact: true }).click()
  await expect(page).toHaveURL(/\/orders\/[0-9A-Z]{10}$/)
  await expect(page.getByText(ru('receipt.wasCharged', { amount: '' }).trim())).toContainText(charged)
  await expect(page.getByRole('main').getByText(ru('payMark.sandbox_soums'))).toBeVisible()
  await expect(page.getByRole('button', { name: /Показать код/ })).toBeVisible()
  expect(await axeOn(page)).toEqual([])
})

test('a method that went away is refused with what to do, and the ways to pay are read again', async ({ page }) => {
  const restore = await offer(page, ([sandbox, ...rest]) => [
    ...(sandbox ? [{ ...sandbox, name: 'gone', title: 'Наш терминал' }, sandbox] : []),
    ...rest,
  ])
  await goToCheckout(page)
  await way(page, 'Наш терминал').click()
  await restore()
  await payButton(page).click()
  await expect(page.getByRole('alert')).toContainText(ru('failure.METHOD_UNAVAILABLE'))
  await expect(page.getByRole('alert')).toContainText(ru('checkout.nothingTaken'))
  await expect(way(page, 'Наш терминал')).toHaveCount(0)
  await expect(way(page, ru('payMark.sandbox')).first()).toBeChecked()
  await payButton(page).click()
  await expect(page).toHaveURL(/\/sandbox\/pay\//)
})

test('with one method nothing is asked', async ({ page }) => {
  await offer(page, ([sandbox]) => (sandbox ? [sandbox] : []))
  await goToCheckout(page)
  await expect(ways(page)).toHaveCount(0)
  await payButton(page).click()
  await expect(page).toHaveURL(/\/sandbox\/pay\//)
  await expect(page.getByRole('button', { name: /^Оплатить 99/ })).toBeVisible()
})

test('who can not read the ways to pay pays by the one that the store chooses', async ({ page }) => {
  await page.route(/\/api\/payment\/methods\?/, (route) => route.fulfill({ status: 503, json: {} }))
  await goToCheckout(page)
  await expect(ways(page)).toHaveCount(0)
  await payButton(page).click()
  await expect(page).toHaveURL(/\/sandbox\/pay\//)
})

test('a method that does not take the amount says so, and can not be chosen', async ({ page }) => {
  await offer(page, ([sandbox, other, ...rest]) => [
    ...(sandbox ? [sandbox] : []),
    ...(other ? [{ ...other, least: 50_000 }] : []),
    ...(sandbox ? [{ ...sandbox, name: 'small', title: 'Кошелёк', most: 50 }] : []),
    ...rest,
  ])
  await goToCheckout(page)
  await expect(way(page, ru('payMark.sandbox_soums'))).toHaveAccessibleName(/Только от 50\s000\sсум/)
  await expect(way(page, 'Кошелёк')).toHaveAccessibleName(/Только до 50,00\s₽/)
  await way(page, 'Кошелёк').click({ force: true })
  await expect(way(page, ru('payMark.sandbox')).first()).toBeChecked()
  expect(await isTooWide(page)).toBe(false)
  expect(await axeOn(page)).toEqual([])
})

test('by the keyboard alone: choose, pay, and come to the receipt', async ({ page }) => {
  await goToCheckout(page)
  await way(page, ru('payMark.sandbox')).first().focus()
  await page.keyboard.press('ArrowDown')
  await expect(way(page, ru('payMark.sandbox_soums'))).toBeFocused()
  await expect(way(page, ru('payMark.sandbox_soums'))).toBeChecked()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: /с\sбаланса$/ })).toBeDisabled()
  await expect(payButton(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/sandbox\/pay\//)
  await page.getByRole('button', { name: /^Оплатить \d{2}\s\d{3}\sсум$/ }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/orders\/[0-9A-Z]{10}$/)
})

for (const [what, calls] of [
  ['the ways to pay', /\/api\/payment\/methods\?/],
  ['the balance, which decides which button comes first', /\/api\/balance$/],
] as const) {
  test(`nothing moves while these load: ${what}`, async ({ page }) => {
    await goToCheckout(page)
    await page.addInitScript(() => {
      const shifts: number[] = []
      Object.assign(window, { shifts })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value)
      }).observe({ type: 'layout-shift', buffered: true })
    })
    const answers: (() => void)[] = []
    await page.route(calls, async (route) => {
      await new Promise<void>((answer) => answers.push(answer))
      await route.continue()
    })
    const others = page.waitForResponse(/\/api\/(payment\/methods\?|balance$)/)
    await open(page, '/checkout')
    await others
    await expect(page.getByText(ru('checkout.order'))).toBeVisible()
    await expect.poll(() => answers.length).toBeGreaterThan(0)
    await expect(payButton(page)).toHaveCount(0)
    for (const answer of answers) answer()
    await expect(ways(page)).toBeVisible()
    const moved = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)
    expect(moved.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.02)
  })
}
