import { type Browser, expect, type Page, type PlaywrightTestOptions, test } from '@playwright/test'
import { startFazercards } from '../../server/test/doubles/fazercards.ts'
import { call } from './calls.ts'
import { watchConsole } from './complaints.ts'
import { aCustomer, anAdmin, openTab } from './operator.ts'
import { ru } from './ru.ts'
import { type Store, startStore } from './start-store.ts'

/** The sandbox refuses players whose ids end so; then it is the operator's turn. */
const refused = '126001'

let store: Store
test.beforeAll(async () => {
  store = await startStore({ SUPPLIERS: 'sandbox,manual' })
})
test.afterAll(() => store.stop())

/** A page of the store of these journeys, at the size of the project. */
const aPage = async (browser: Browser, { isMobile, viewport }: Pick<PlaywrightTestOptions, 'isMobile' | 'viewport'>) =>
  (await browser.newContext({ baseURL: store.url, isMobile, viewport })).newPage()

/** Buys so many top-ups of different packages, none of which the supplier can deliver; answers their orders. */
async function topUp(page: Page, token: string, count: number): Promise<string[]> {
  const { body } = await call(page, undefined, 'GET', '/freefire/offers')
  const orders: string[] = []
  for (const { item_id: offer_id, price: price_usd, price_rub } of body.offers.slice(0, count)) {
    const topupData = { service: 'freefire', player_id: refused, offer_id, price_usd, price_rub }
    const made = await call(page, token, 'POST', '/orders/topup', { topupData, currency: 'RUB' })
    expect(made.status).toBe(201)
    orders.push(made.body.order.id)
  }
  return orders
}

/** Opens the queue of the operator once these orders stand in it. */
async function openQueue(page: Page, orders: readonly string[]) {
  const operator = await anAdmin(page)
  const waiting = async () => {
    const { body } = await call(page, operator.token, 'GET', '/admin/deliveries?state=operator')
    return body.data.map(({ order_id }: { order_id: string }) => order_id)
  }
  await expect.poll(waiting, { timeout: 60_000 }).toEqual(expect.arrayContaining([...orders]))
  await openTab(page, 'deliveries?state=operator', operator)
  return { operator, waiting, toRow: (orderId: string) => page.getByRole('row').filter({ hasText: orderId }) }
}

test('what no supplier delivers waits for the operator, who delivers it or gives the money back', async ({
  browser,
  isMobile,
  viewport,
}) => {
  const page = await aPage(browser, { isMobile, viewport })
  const complaints = watchConsole(page)
  const buyer = await aCustomer(page)
  const toStatus = async (id: string) => (await call(page, buyer.token, 'GET', `/orders/${id}`)).body.status
  const orders = await topUp(page, buyer.token, 2)
  const [delivered = '', returned = ''] = orders
  const { toRow } = await openQueue(page, orders)
  await expect(toRow(delivered).getByText(ru('admin.deliveries.waiting'))).toBeVisible()

  await toRow(delivered)
    .getByRole('button', { name: ru('admin.deliveries.complete.label') })
    .click()
  const complete = page.getByRole('dialog', { name: ru('admin.deliveries.complete.title') })
  await expect(complete.getByRole('button', { name: ru('admin.deliveries.complete.label') })).toBeDisabled()
  await complete.getByLabel(ru('admin.reason.label')).fill('пополнил с телефона')
  await complete.getByLabel(ru('admin.deliveries.reference')).fill('чек 17')
  await complete.getByRole('button', { name: ru('admin.deliveries.complete.label') }).click()
  await expect(page.getByText(ru('admin.deliveries.complete.done'))).toBeVisible()
  expect(await toStatus(delivered)).toBe('completed')

  await toRow(returned)
    .getByRole('button', { name: ru('admin.orders.refund') })
    .click()
  const refund = page.getByRole('dialog', { name: ru('admin.orders.refundTitle') })
  await refund.getByLabel(ru('admin.reason.label')).fill('игрока больше нет')
  await refund.getByRole('button', { name: ru('admin.orders.refund') }).click()
  await expect(page.getByText(ru('admin.deliveries.refund.done'))).toBeVisible()
  expect(await toStatus(returned)).toBe('refunded')
  await expect(page.getByText(ru('admin.list.nothing'))).toBeVisible()

  await page.goto(`/admin/orders?order=${delivered}`)
  await expect(page.getByText(ru('admin.orders.event.delivery.complete'))).toBeVisible()
  await expect(page.getByText(refused).first()).toBeVisible()
  await page.goto('/admin/suppliers')
  await expect(page.getByRole('region', { name: 'sandbox' }).getByText(ru('admin.suppliers.in'))).toBeVisible()
  expect(complaints).toEqual([])
  await page.context().close()
})

test('one is tried again by hand, and decided by another operator meanwhile', async ({
  browser,
  isMobile,
  viewport,
}) => {
  const page = await aPage(browser, { isMobile, viewport })
  const buyer = await aCustomer(page)
  const orders = await topUp(page, buyer.token, 1)
  const [order = ''] = orders
  const { operator, waiting, toRow } = await openQueue(page, orders)
  await toRow(order)
    .getByRole('button', { name: ru('admin.deliveries.retry.label') })
    .click()
  const retry = page.getByRole('dialog', { name: ru('admin.deliveries.retry.title') })
  await retry.getByLabel(ru('admin.reason.label')).fill('поставщик починил')
  await retry.getByRole('button', { name: ru('admin.deliveries.retry.label') }).click()
  await expect(page.getByText(ru('admin.deliveries.retry.done'))).toBeVisible()
  // The supplier still refuses the player.
  await expect.poll(waiting, { timeout: 60_000 }).toContain(order)

  await page.reload()
  await toRow(order)
    .getByRole('button', { name: ru('admin.deliveries.complete.label') })
    .click()
  await page.getByRole('dialog').getByLabel(ru('admin.reason.label')).fill('доставил сам')
  const { body } = await call(page, operator.token, 'GET', `/admin/deliveries?search=${order}`)
  const decided = { reason: 'уже решил' }
  const other = await call(page, operator.token, 'POST', `/admin/deliveries/${body.data[0].id}/refund`, decided)
  expect(other.status).toBe(200)
  await page
    .getByRole('dialog')
    .getByRole('button', { name: ru('admin.deliveries.complete.label') })
    .click()
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText(ru('admin.conflict.refused'))
  await page.goto(`/admin/orders?order=${order}`)
  await expect(page.getByText(ru('admin.orders.event.delivery.retry'))).toBeVisible()
  await expect(page.getByText(ru('admin.orders.event.delivery.refund'))).toBeVisible()
  await page.context().close()
})

/** Opens an order of one unit in the admin area that waits for an operator. */
async function openWaitingOrder(browser: Browser, look: Parameters<typeof aPage>[1]) {
  const page = await aPage(browser, look)
  const complaints = watchConsole(page)
  const buyer = await aCustomer(page)
  const [order = ''] = await topUp(page, buyer.token, 1)
  const { operator } = await openQueue(page, [order])
  await openTab(page, `orders?order=${order}`, operator)
  const waiting = page.getByRole('region', { name: ru('admin.deliveries.waiting') })
  return { page, complaints, buyer, order, waiting }
}

test('what waits of an order is delivered at the order itself, which is completed with it', async ({
  browser,
  isMobile,
  viewport,
}) => {
  const { page, complaints, buyer, order, waiting } = await openWaitingOrder(browser, { isMobile, viewport })
  await expect(waiting).toContainText(refused)
  await waiting.getByRole('button', { name: ru('admin.deliveries.complete.label') }).click()
  const complete = page.getByRole('dialog', { name: ru('admin.deliveries.complete.title') })
  await complete.getByLabel(ru('admin.reason.label')).fill('пополнил с телефона')
  await complete.getByRole('button', { name: ru('admin.deliveries.complete.label') }).click()
  await expect(page.getByText(ru('admin.deliveries.complete.done'))).toBeVisible()
  await expect(waiting).toHaveCount(0)
  await expect(page.getByText(ru('orders.status.completed'), { exact: true }).last()).toBeVisible()
  expect((await call(page, buyer.token, 'GET', `/orders/${order}`)).body.status).toBe('completed')
  expect(complaints).toEqual([])
  await page.context().close()
})

test('an order of which everything was delivered by hand is completed with one answer', async ({
  browser,
  isMobile,
  viewport,
}) => {
  const { page, complaints, buyer, order, waiting } = await openWaitingOrder(browser, { isMobile, viewport })
  await waiting.getByRole('button', { name: ru('admin.orders.complete') }).click()
  const dialog = page.getByRole('dialog', { name: ru('admin.orders.completeTitle') })
  await expect(dialog.getByRole('button', { name: ru('admin.orders.complete') })).toBeDisabled()
  await dialog.getByLabel(ru('admin.reason.label')).fill('пополнил сам, игрок подтвердил')
  await dialog.getByRole('button', { name: ru('admin.orders.complete') }).click()
  await expect(page.getByText(ru('admin.orders.completed'))).toBeVisible()
  await expect(waiting).toHaveCount(0)
  await expect(page.getByText(ru('orders.status.completed'), { exact: true }).last()).toBeVisible()
  await expect(page.getByText('пополнил сам, игрок подтвердил')).toBeVisible()
  expect((await call(page, buyer.token, 'GET', `/orders/${order}`)).body.status).toBe('completed')
  expect(complaints).toEqual([])
  await page.context().close()
})

test('the owner sets a supplier up by clicks, and it delivers without a restart until it is switched off', async ({
  browser,
  isMobile,
  viewport,
}) => {
  const vendor = await startFazercards()
  vendor.prices['free_fire_cis/50_diamonds'] = '0.1000'
  const own = await startStore({ SUPPLIERS: 'none', FAZERCARDS_BASE_URL: vendor.url })
  const page = await (await browser.newContext({ baseURL: own.url, locale: 'ru-RU', isMobile, viewport })).newPage()
  try {
    const complaints = watchConsole(page)
    const owner = await anAdmin(page)
    await openTab(page, 'suppliers', owner)
    const card = page.getByRole('region', { name: 'fazercards', exact: true })
    await expect(card).toContainText(ru('admin.payMethods.states.not_set_up'))
    await expect(card).toContainText(`${own.url}/api/supplier/webhook/fazercards`)
    await card.getByRole('button', { name: ru('admin.payMethods.setUp') }).click()
    const form = page.getByRole('dialog', { name: ru('admin.payMethods.accountOf', { name: 'fazercards' }) })
    const key = form.getByLabel(ru('admin.suppliers.settings.FAZERCARDS_API_KEY'))
    await key.fill('not the key')
    await form.getByLabel(ru('admin.suppliers.settings.FAZERCARDS_WEBHOOK_SECRET')).fill(vendor.webhookSecret)
    await form.getByRole('button', { name: ru('admin.payMethods.try') }).click()
    await expect(form.getByRole('alert')).toContainText(ru('admin.suppliers.tried.wrong_key'))
    await key.fill(vendor.apiKey)
    await form.getByRole('button', { name: ru('admin.payMethods.try') }).click()
    await expect(form.getByRole('status')).toContainText(ru('admin.suppliers.tried.works'))
    await expect(form.getByRole('status')).toContainText('100.49')
    await form.getByRole('button', { name: ru('admin.form.save') }).click()
    await expect(form).toHaveCount(0)
    await expect(card).toContainText(ru('admin.payMethods.states.off'))
    expect(await page.content()).not.toContain(vendor.apiKey)
    const isOn = card.getByRole('switch')
    await expect(isOn).not.toBeChecked()
    await isOn.click()
    await expect(card.getByText(ru('admin.suppliers.in'), { exact: true })).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    await page.screenshot({ path: test.info().outputPath('suppliers.png'), fullPage: true })

    const buyer = await aCustomer(page)
    const { body } = await call(page, undefined, 'GET', '/freefire/offers')
    const [{ item_id: offer_id, price: price_usd, price_rub }] = body.offers
    const topupData = { service: 'freefire', player_id: '5123456', offer_id, price_usd, price_rub }
    const buy = () => call(page, buyer.token, 'POST', '/orders/topup', { topupData, currency: 'RUB' })
    const made = await buy()
    expect(made.status).toBe(201)
    await expect.poll(() => vendor.orders.size, { timeout: 60_000 }).toBe(1)
    for (const order of vendor.orders.values()) order.status = 'completed'
    const toStatus = async (id: string) => (await call(page, buyer.token, 'GET', `/orders/${id}`)).body.status
    await expect.poll(() => toStatus(made.body.order.id), { timeout: 60_000 }).toBe('completed')

    await isOn.click()
    await expect(card).toContainText(ru('admin.payMethods.states.off'))
    const audit = await call(page, owner.token, 'GET', '/admin/audit')
    expect(audit.body.data.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['supplier_account.set', 'supplier.switch']),
    )
    expect(complaints).toEqual([])
  } finally {
    await page.context().close()
    await own.stop()
    await vendor.close()
  }
})
