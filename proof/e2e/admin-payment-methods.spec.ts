import { expect, type Page, test } from '@playwright/test'
import { startYookassa, type YookassaDouble } from '../../server/test/doubles/yookassa.ts'
import { callsOn } from './calls.ts'
import { watchConsole } from './complaints.ts'
import { addToCart, open, register } from './customer.ts'
import { aCustomer, anAdmin, fillCart, openTab } from './operator.ts'
import { ru } from './ru.ts'
import { type Store, startStore } from './start-store.ts'

let yookassa: YookassaDouble
let store: Store
test.beforeAll(async () => {
  yookassa = await startYookassa()
  store = await startStore({ PAYMENT_PROVIDERS: 'none', YOOKASSA_BASE_URL: yookassa.url })
})
test.afterAll(async () => {
  await store.stop()
  await yookassa.close()
})

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const method = (page: Page) => page.getByRole('listitem', { name: ru('payMark.card') })

/** What the store answers a customer with a full cart who presses Pay. */
async function pressPay(page: Page): Promise<{ status: number; pay_url?: string }> {
  const customer = await aCustomer(page)
  const total = await fillCart(page, customer.token, 1)
  const answer = await page.request.post(`${store.url}/api/payment/create`, {
    headers: { authorization: `Bearer ${customer.token}` },
    data: { amount: total, currency: 'RUB', type: 'order' },
  })
  return { status: answer.status(), ...(await answer.json()) }
}

test('a checkout that no method takes says that only the balance pays', async ({ browser, isMobile, viewport }) => {
  const page = await (await browser.newContext({ baseURL: store.url, locale: 'ru-RU', isMobile, viewport })).newPage()
  const complaints = watchConsole(page)
  await register(page)
  await addToCart(page, 1)
  await open(page, '/checkout')
  const byCard = page.getByRole('button', { name: /^Оплатить .* картой$/ })
  await expect(byCard).toBeDisabled()
  await expect(byCard).toHaveAccessibleDescription(ru('checkout.onlyBalance'))
  await expect(page.getByText(ru('checkout.payPage'))).toHaveCount(0)
  expect(complaints).toEqual([])
  await page.context().close()
})

test('the owner sets a provider up by clicks: tried, switched on, limited, off again, cleared', async ({
  browser,
  isMobile,
  viewport,
}) => {
  const page = await (await browser.newContext({ baseURL: store.url, locale: 'ru-RU', isMobile, viewport })).newPage()
  const complaints = watchConsole(page)
  const owner = await anAdmin(page)
  expect((await pressPay(page)).status).toBe(502)
  await openTab(page, 'paymentMethods', owner)
  await expect(page.getByText(ru('admin.payMethods.noMethods'))).toBeVisible()
  const provider = card(page, 'yookassa')
  await expect(provider).toContainText(ru('admin.payMethods.states.not_set_up'))
  await expect(provider).toContainText(`${store.url}/api/payment/webhook/yookassa`)
  await expect(provider).toContainText('refund.succeeded')

  await provider.getByRole('button', { name: ru('admin.payMethods.setUp') }).click()
  const form = page.getByRole('dialog', { name: ru('admin.payMethods.accountOf', { name: 'yookassa' }) })
  await form.getByLabel(ru('admin.payMethods.settings.YOOKASSA_SHOP_ID')).fill(yookassa.shopId)
  const secret = form.getByLabel(ru('admin.payMethods.settings.YOOKASSA_SECRET_KEY'))
  await secret.fill('not the key')
  await form.getByRole('button', { name: ru('admin.payMethods.try') }).click()
  await expect(form.getByRole('alert')).toContainText(ru('admin.payMethods.tried.wrong_key'))
  await secret.fill(yookassa.secretKey)
  await form.getByRole('button', { name: ru('admin.payMethods.try') }).click()
  await expect(form.getByRole('status')).toContainText(ru('admin.payMethods.tried.works'))
  await expect(form.getByRole('status')).toContainText(ru('admin.payMethods.tried.test'))
  await form.getByRole('button', { name: ru('admin.form.save') }).click()
  await expect(form).toHaveCount(0)
  await expect(provider).toContainText(ru('admin.payMethods.states.off'))
  expect(await page.content()).not.toContain(yookassa.secretKey)

  await provider.getByRole('button', { name: ru('admin.payMethods.try') }).click()
  await expect(provider.getByRole('status')).toContainText(ru('admin.payMethods.tried.works'))

  const turn = method(page).getByRole('switch')
  await expect(turn).not.toBeChecked()
  await turn.click()
  await expect(provider).toContainText(ru('admin.payMethods.states.on'))
  expect((await pressPay(page)).pay_url).toContain('yoomoney.example')

  await method(page)
    .getByRole('button', { name: ru('admin.list.edit', { name: ru('payMark.card') }) })
    .click()
  const limits = page.getByRole('dialog')
  await limits.getByLabel(ru('admin.payMethods.leastRub')).fill('900000')
  await limits.getByLabel(ru('admin.payMethods.titleIn', { language: 'Русский' })).fill('Карта любого банка')
  await limits.getByRole('button', { name: ru('admin.form.save') }).click()
  await expect(limits).toHaveCount(0)
  const renamed = page.getByRole('listitem', { name: 'Карта любого банка' })
  await expect(renamed).toContainText('900')
  expect((await pressPay(page)).status).toBe(400)

  await renamed.getByRole('switch').click()
  await expect(provider).toContainText(ru('admin.payMethods.states.off'))
  expect((await pressPay(page)).status).toBe(502)
  await provider.getByRole('button', { name: ru('admin.payMethods.clear', { name: 'yookassa' }) }).click()
  const question = page.getByRole('dialog')
  await question.getByRole('button', { name: ru('admin.payMethods.clearIt') }).click()
  // The first customer may still pay.
  await expect(question.getByRole('alert')).toContainText(ru('admin.refused.payments_under_way'))
  await question
    .getByRole('button', { name: ru('admin.form.cancel') })
    .last()
    .click()

  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  const audit = await callsOn(page, owner.token)<{ data: { action: string }[] }>('GET', '/admin/audit')
  expect(audit.data.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['provider_account.set', 'payment_method.update']),
  )
  expect(complaints).toEqual([])
  await page.context().close()
})
