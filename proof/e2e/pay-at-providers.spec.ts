import { type Browser, type BrowserContextOptions, expect, type Page, test } from '@playwright/test'
import { createPaymeDouble, type PaymeDouble, type PaymeTransaction } from '../../server/test/doubles/payme.ts'
import { startYookassa, type YookassaDouble } from '../../server/test/doubles/yookassa.ts'
import { axeOn, isTooWide, watchConsole } from './complaints.ts'
import { addToCart, open, register } from './customer.ts'
import { openTab } from './operator.ts'
import { atProvider, type PayPages, startPayPages } from './pay-pages.ts'
import { ru } from './ru.ts'
import { type Store, startStore } from './start-store.ts'

const inSoums = /\d{2}\s\d{3}\sсум/
const loopback = '127.0.0.1/32'

let store: Store
let payme: PaymeDouble
let yookassa: YookassaDouble
let pages: PayPages[] = []
/** What Payme has begun, by the order. */
const begun = new Map<string, PaymeTransaction>()

test.beforeAll(async () => {
  payme = createPaymeDouble(async ({ body, headers }) => {
    const url = `${store.url}/api/payment/webhook/payme`
    const answer = await fetch(url, { method: 'POST', body: new Uint8Array(body), headers: headers as HeadersInit })
    return { status: answer.status, type: 'application/json', body: await answer.text() }
  })
  yookassa = await startYookassa()
  pages = [await startPayPages('Payme', payAtPayme), await startPayPages('СБП', payBySbp)]
  const [paymePages, sbpPages] = pages
  yookassa.payPages = sbpPages?.url ?? ''
  store = await startStore({
    PAYMENT_PROVIDERS: 'yookassa,payme',
    PAYME_MERCHANT_ID: payme.merchantId,
    PAYME_KEY: payme.key,
    PAYME_BASE_URL: paymePages?.url ?? '',
    PAYME_ADDRESSES: loopback,
    YOOKASSA_SHOP_ID: yookassa.shopId,
    YOOKASSA_SECRET_KEY: yookassa.secretKey,
    YOOKASSA_BASE_URL: yookassa.url,
    YOOKASSA_ADDRESSES: loopback,
  })
})
test.afterAll(async () => {
  await store.stop()
  await Promise.all([yookassa.close(), ...pages.map((page) => page.close())])
})

/** Does what Payme does once the customer has confirmed: it asks, begins and performs. */
async function payAtPayme(path: string): Promise<{ returnUrl: string }> {
  const text = Buffer.from(path, 'base64').toString()
  const fields = Object.fromEntries(text.split(';').map((field) => field.split(/=(.*)/s).slice(0, 2)))
  const { 'ac.order_id': orderId = '', a: amount, c: returnUrl = '' } = fields
  const paid = payme.transaction(orderId, Number(amount))
  begun.set(orderId, paid)
  const { account } = paid
  expect((await payme.call('CheckPerformTransaction', { amount: paid.amount, account })).result?.allow).toBe(true)
  expect((await payme.create(paid)).result?.state).toBe(1)
  expect((await payme.perform(paid)).result?.state).toBe(2)
  return { returnUrl }
}

async function payBySbp(id: string): Promise<{ returnUrl: string }> {
  yookassa.pay(id)
  const url = `${store.url}/api/payment/webhook/yookassa`
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', body: new Uint8Array(yookassa.webhook(id)), headers })
  expect(answer.status).toBe(200)
  return { returnUrl: yookassa.payments.get(id)?.confirmation.return_url ?? '' }
}

type Size = Pick<BrowserContextOptions, 'isMobile' | 'viewport'>

/** A page of somebody's own; the context is closed with it. */
async function aPage(browser: Browser, size: Size) {
  const context = await browser.newContext({ baseURL: store.url, ...size })
  const page = await context.newPage()
  return { page, complaints: watchConsole(page), close: () => context.close() }
}

const way = (page: Page, name: string) =>
  page.getByRole('radiogroup', { name: ru('checkout.method') }).getByRole('radio', { name })

/** Leads a customer with one package of Roblox to the provider's page; answers what the button said. */
async function goToProvider(page: Page, method: string): Promise<string> {
  await addToCart(page, 1)
  await open(page, '/checkout')
  await way(page, method).click()
  const button = page.getByRole('button', { name: new RegExp(`^Оплатить .* · ${method}$`) })
  const text = (await button.textContent()) ?? ''
  expect(await isTooWide(page)).toBe(false)
  await button.click()
  await expect(page.getByRole('button', { name: atProvider.pay })).toBeVisible()
  return text
}

const orderIn = (page: Page) => page.url().split('/').at(-1) ?? ''

test('pay by Payme in soums; a code that was seen can not be canceled in the cabinet, an order nobody opened is refunded', async ({
  browser,
  isMobile,
  viewport,
}) => {
  const { page, complaints, close } = await aPage(browser, { isMobile, viewport })
  await register(page)
  const charged = inSoums.exec(await goToProvider(page, ru('payMark.payme')))?.[0] ?? 'nothing'
  await page.getByRole('button', { name: atProvider.pay }).click()
  await expect(page).toHaveURL(/\/orders\/[0-9A-Z]{10}$/)
  await expect(page.getByText(ru('receipt.wasCharged', { amount: '' }).trim())).toContainText(charged)
  await expect(page.getByRole('main').getByText(ru('payMark.payme'))).toBeVisible()
  await expect(page.getByRole('button', { name: /Показать код/ })).toBeVisible()
  expect(await axeOn(page)).toEqual([])
  const seen = begun.get(orderIn(page)) as PaymeTransaction
  expect(`${seen.amount / 100}`).toBe(charged.replaceAll(/\D/g, ''))
  expect((await payme.cancel(seen, 5)).error?.code).toBe(-31007)

  await goToProvider(page, ru('payMark.payme'))
  await page.getByRole('button', { name: atProvider.payAndLeave }).click()
  await expect(page.getByText(atProvider.paid)).toBeVisible()
  const [orderId, paid] = [...begun].at(-1) ?? []
  if (!orderId || !paid) throw new Error('Payme has begun nothing')
  expect((await payme.cancel(paid, 5)).result?.state).toBe(-2)
  await open(page, '/orders')
  const order = page.getByRole('link', { name: new RegExp(`Заказ ${orderId}`) })
  await expect(order).toContainText(ru('orders.status.refunded'))
  await order.click()
  await expect(page.getByRole('status').filter({ hasText: ru('receipt.refunded') })).toBeVisible()
  await expect(page.getByRole('button', { name: /Показать код/ })).toHaveCount(0)
  expect(complaints).toEqual([])
  await close()

  const operator = await aPage(browser, { isMobile, viewport })
  await openTab(operator.page, `orders?order=${orderId}`)
  const drawer = operator.page.getByRole('dialog', { name: ru('orders.number', { id: orderId }) })
  await expect(drawer.getByText(ru('orders.status.refunded')).first()).toBeVisible()
  await open(operator.page, '/admin/alerts')
  await expect(operator.page.getByText(ru('admin.alerts.kind.refund.outside')).first()).toBeVisible()
  expect(operator.complaints).toEqual([])
  await operator.close()
})

test('pay by SBP; the operator sends the money back to where it came from', async ({ browser, isMobile, viewport }) => {
  const { page, complaints, close } = await aPage(browser, { isMobile, viewport })
  await register(page)
  expect(await goToProvider(page, ru('payMark.sbp'))).toContain('99')
  await page.getByRole('button', { name: atProvider.pay }).click()
  await expect(page).toHaveURL(/\/orders\/[0-9A-Z]{10}$/)
  await expect(page.getByText(ru('payMark.sbp'))).toBeVisible()
  await expect(page.getByRole('button', { name: /Показать код/ })).toBeVisible()
  const orderId = orderIn(page)

  const operator = await aPage(browser, { isMobile, viewport })
  await openTab(operator.page, `orders?order=${orderId}`)
  const drawer = operator.page.getByRole('dialog', { name: ru('orders.number', { id: orderId }) })
  await drawer.getByRole('button', { name: ru('admin.orders.refund') }).click()
  const refund = operator.page.getByRole('dialog', { name: ru('admin.orders.refundTitle') })
  await refund.getByText(ru('admin.orders.toCard')).click()
  await refund.getByLabel(ru('admin.reason.label')).fill('код не подошёл')
  await refund.getByRole('button', { name: ru('admin.orders.refund') }).click()
  await expect(operator.page.getByText(ru('admin.orders.refunded'))).toBeVisible()
  await expect(drawer.getByText(ru('orders.status.refunded')).first()).toBeVisible()
  const refunds = [...yookassa.refunds.values()].map(({ amount, status }) => [amount.value, status])
  expect(refunds).toEqual([['99.00', 'succeeded']])
  expect(operator.complaints).toEqual([])
  await operator.close()

  await open(page, `/orders/${orderId}`)
  await expect(page.getByRole('status').filter({ hasText: ru('receipt.refunded') })).toBeVisible()
  await expect(page.getByText(ru('receipt.refundedToCard'))).toBeVisible()
  expect(complaints).toEqual([])
  await close()
})
