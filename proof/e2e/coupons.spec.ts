import { expect, type Page } from '@playwright/test'
import { en } from '../../web/app/i18n/en.ts'
import { uz } from '../../web/app/i18n/uz.ts'
import { adminCalls } from './calls.ts'
import { axeOn, isTooWide } from './complaints.ts'
import { addToCart, giveBalance, labels, newNickname, open, register, test } from './customer.ts'
import { openTab } from './operator.ts'
import { ru } from './ru.ts'
import { prepareControls, smallTargets } from './screens/controls.ts'

/** A coupon of ten percent, once for each customer; answers its code. */
async function aCoupon(page: Page, wish: object = {}): Promise<string> {
  const code = newNickname().replaceAll('_', '-').toUpperCase()
  await (await adminCalls(page))('POST', '/admin/coupons', { percent: 10, ...wish, code })
  return code
}

const byCard = (page: Page) => page.getByRole('button', { name: /^Оплатить .* картой$/ })
const fromBalance = (page: Page) => page.getByRole('button', { name: /^Оплатить .* с баланса$/ })
const field = (page: Page) => page.getByLabel(ru('checkout.coupon.label'), { exact: true })
const press = (page: Page, key: 'open' | 'apply' | 'remove') =>
  page.getByRole('button', { name: ru(`checkout.coupon.${key}`), exact: true }).click()

test('a coupon is typed, refused, applied, taken out again and bought with from the balance', async ({ page }) => {
  const code = await aCoupon(page)
  await register(page)
  await addToCart(page, 1)
  await giveBalance(page, { balanceRub: 500 })
  await page.setViewportSize({ width: 360, height: 740 })
  await open(page, '/checkout')
  await expect(fromBalance(page)).toHaveText(/99/)
  await press(page, 'open')
  await field(page).fill('NO-SUCH-COUPON')
  await press(page, 'apply')
  await expect(page.getByText(ru('checkout.coupon.refused.unknown'))).toBeVisible()
  await expect(fromBalance(page)).toHaveText(/99/)
  expect(await isTooWide(page)).toBe(false)
  expect(await axeOn(page)).toEqual([])

  await field(page).fill(code.toLowerCase())
  await press(page, 'apply')
  await expect(page.getByText(`Купон ${code}: скидка 9,90`)).toBeVisible()
  await expect(fromBalance(page)).toHaveText(/89,10/)
  expect(await isTooWide(page)).toBe(false)
  expect(await axeOn(page)).toEqual([])
  await page.screenshot({ path: test.info().outputPath('applied.png'), fullPage: true })

  await press(page, 'remove')
  await expect(fromBalance(page)).toHaveText(/99/)
  await press(page, 'open')
  await field(page).fill(code)
  await page.keyboard.press('Enter')
  await expect(fromBalance(page)).toHaveText(/89,10/)
  await fromBalance(page).click()
  await expect(page).toHaveURL('/orders')
  await expect(page.getByText(/89,10/).first()).toBeVisible()
  await page.getByText(`Купон ${code}: скидка 9,90`).first().waitFor()

  // Once for each customer: the next order is without it, and says why.
  await addToCart(page, 1)
  await open(page, '/checkout')
  await press(page, 'open')
  await field(page).fill(code)
  await press(page, 'apply')
  await expect(page.getByText(ru('checkout.coupon.refused.used_by_you'))).toBeVisible()
})

test('a link brings a coupon to the checkout, where it is paid by card', async ({ page }) => {
  const code = await aCoupon(page, { percent: null, amount_usd: 0.5, amount_rub: 40 })
  await register(page)
  await open(page, `/?coupon=${code}`)
  await addToCart(page, 1)
  await open(page, '/checkout')
  await expect(page.getByText(`Купон ${code}: скидка 40`)).toBeVisible()
  await expect(byCard(page)).toHaveText(/59/)
  await byCard(page).click()
  await expect(page).toHaveURL(/\/sandbox\/pay\//)
  await page.getByRole('button', { name: /^Оплатить 59/ }).click()
  await expect(page).toHaveURL(/\/orders\/[0-9A-Z]{10}$/)
  await expect(page.getByText(`Купон ${code}: скидка 40`)).toBeVisible()
})

test('a coupon that could not be checked is checked by another press, and checks leave the payment where it is', async ({
  page,
}) => {
  const code = await aCoupon(page)
  await register(page)
  await giveBalance(page, { balanceRub: 500 })
  await open(page, `/?coupon=${code}`)
  await addToCart(page, 1)
  const checks = '**/api/checkout/coupon'
  const refused = {
    status: 409,
    json: { success: false, error: { code: 'BALANCE_ON_HOLD', message: '', details: {} } },
  }
  await page.route(checks, (route) => route.fulfill({ ...refused, status: 429 }))
  await open(page, '/checkout')
  await expect(field(page)).toHaveValue(code)
  await expect(fromBalance(page)).toHaveText(/99/)
  await page.unroute(checks)
  await press(page, 'apply')
  await expect(page.getByText(`Купон ${code}: скидка 9,90`)).toBeVisible()
  await expect(fromBalance(page)).toHaveText(/89,10/)

  // A payment that is refused asks again whether the coupon holds, and nothing moves meanwhile.
  let resume = () => {}
  await page.route(checks, async (route) => {
    await new Promise<void>((resolve) => {
      resume = resolve
    })
    await route.continue()
  })
  await page.route('**/api/payment/from-balance', (route) => route.fulfill(refused), { times: 1 })
  const check = page.waitForRequest(checks)
  await fromBalance(page).click()
  await check
  await expect(page.getByRole('alert').filter({ hasText: ru('checkout.nothingTaken') })).toBeVisible()
  await expect(page.getByText(`Купон ${code}: скидка 9,90`)).toBeVisible()
  await expect(fromBalance(page)).toHaveText(/89,10/)
  await expect(fromBalance(page)).toBeDisabled()
  resume()
  await expect(fromBalance(page)).toBeEnabled()
})

test('a top-up is bought with a coupon from the balance, past the cart', async ({ page }) => {
  const code = await aCoupon(page, { percent: 50 })
  await register(page)
  await giveBalance(page, { balanceRub: 500 })
  await open(page, `/products/freefire?coupon=${code}`)
  await page
    .getByRole('radiogroup', { name: ru('product.choosePackage') })
    .getByRole('radio')
    .filter({ hasText: '100 алмазов' })
    .click()
  await page.getByLabel(labels.playerId).fill('5123456')
  await page.getByRole('button', { name: ru('topups.find') }).click()
  await expect(page.getByText('Player_3456').first()).toBeVisible()
  await page.getByRole('button', { name: ru('topups.topUpNow') }).click()
  await expect(page.getByText(`Купон ${code}: скидка`)).toBeVisible()
  await fromBalance(page).click()
  await expect(page).toHaveURL('/orders')
  await expect(page.getByText(`Купон ${code}: скидка`).first()).toBeVisible()
})

test('a coupon fits a phone in every language', async ({ page }) => {
  const code = await aCoupon(page)
  await register(page)
  await addToCart(page, 1)
  for (const [language, dictionary] of [
    ['en', en],
    ['uz', uz],
  ] as const) {
    const { coupon } = dictionary.checkout
    await page.evaluate((name) => localStorage.setItem('language', name), language)
    await open(page, '/checkout')
    await page.getByRole('button', { name: coupon.open, exact: true }).click()
    await page.getByLabel(coupon.label, { exact: true }).fill('NO-SUCH-COUPON-NOWHERE-AT-ALL-01')
    await page.getByRole('button', { name: coupon.apply, exact: true }).click()
    await expect(page.getByText(coupon.refused.unknown)).toBeVisible()
    expect(await isTooWide(page)).toBe(false)
    await page.getByLabel(coupon.label, { exact: true }).fill(code)
    await page.getByRole('button', { name: coupon.apply, exact: true }).click()
    await page.getByRole('button', { name: coupon.remove, exact: true }).waitFor()
    expect(await isTooWide(page)).toBe(false)
    await page.screenshot({ path: test.info().outputPath(`${language}.png`), fullPage: true })
    await page.getByRole('button', { name: coupon.remove, exact: true }).click()
  }
})

test('a promotion carries a coupon that is copied with a press, and applied at the checkout', async ({
  page,
  isMobile,
}) => {
  const code = await aCoupon(page)
  const operator = await adminCalls(page)
  const promotion = { text: `Скидка ${code}`, background_color: '#0a7ab8', coupon: code }
  const { data } = await operator<{ data: { id: number } }>('POST', '/admin/promotions', promotion)
  try {
    await register(page)
    await open(page, '/')
    await page.getByRole('button', { name: ru('home.takeCoupon', { code }) }).click()
    await expect(page.getByText(ru('home.couponTaken', { code }))).toBeVisible()
    expect(await axeOn(page)).toEqual([])
    await prepareControls(page)
    if (isMobile) expect(await smallTargets(page)).toEqual([])
    await addToCart(page, 1)
    await open(page, '/checkout')
    await expect(page.getByText(`Купон ${code}: скидка 9,90`)).toBeVisible()
  } finally {
    await operator('DELETE', `/admin/promotions/${data.id}`)
  }
})

test('an admin adds a coupon, sees how it is used, and deletes it', async ({ page }) => {
  await openTab(page, 'coupons')
  const code = newNickname().replaceAll('_', '-').toUpperCase()
  await page.getByRole('button', { name: ru('admin.coupons.add') }).click()
  await page.getByRole('textbox', { name: ru('admin.coupons.code'), exact: true }).fill(code.toLowerCase())
  await page.getByLabel(ru('admin.coupons.percent')).fill('12,5')
  await page.getByLabel(ru('admin.coupons.maxUses'), { exact: true }).fill('100')
  expect(await axeOn(page)).toEqual([])
  await page.screenshot({ path: test.info().outputPath('form.png'), fullPage: true })
  await page.getByRole('button', { name: ru('admin.form.save') }).click()
  await page.getByRole('searchbox').fill(code)
  // Until the search has answered, one of another run may be there.
  await expect(page.getByText('12.5 %')).toHaveCount(1)
  await expect(page.getByText(ru('admin.coupons.usedOf', { used: 0, most: 100 }))).toBeVisible()
  await page.screenshot({ path: test.info().outputPath('list.png'), fullPage: true })
})
